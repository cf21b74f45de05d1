"""Token lists that are run through a model in batches; one that does not fit is halved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from summeval._options import whole
from summeval.learn.encoders import loading

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

Found = TypeVar("Found")
GPU_BATCH = 64  # texts


def check_size(batch_size: int | None) -> int | None:
    """The number of texts of a batch, or None.

    >>> check_size(0)
    Traceback (most recent call last):
    ValueError: batch_size is 0; give a number of at least 1, or None
    """
    if batch_size is not None and (whole(batch_size) or 0) < 1:
        raise ValueError(f"batch_size is {batch_size!r}; give a number of at least 1, or None")
    return batch_size


def in_batches(
    items: Sequence[Any],
    device: Any,
    batch_size: int | None,
    run: Callable[[Sequence[Any]], Sequence[Found]],
    tokens: Callable[[Any], int] = len,
) -> Iterator[Found]:
    """What `run` gives for each item, in their order.

    Without a size one text is run at a time on a CPU, so that its numbers do not depend on others,
    and many on a GPU. `tokens` counts those of an item, for the message.

    Raises
    ------
    MemoryError
        An item alone does not fit into the memory; the message gives its number of tokens.
    """
    step = batch_size or (1 if device.type == "cpu" else GPU_BATCH)
    begin = 0
    while begin < len(items):
        batch = items[begin : begin + step]
        try:
            found = run(batch)
        except (RuntimeError, MemoryError) as error:
            if not _is_lack_of_memory(error):
                raise
            if device.type == "cuda":
                loading.torch().cuda.empty_cache()
            if len(batch) == 1:
                raise MemoryError(
                    f"{device} has no memory for a text of {tokens(batch[0])} tokens; choose a"
                    " smaller model, or device='cpu'"
                ) from None
            step = max(1, len(batch) // 2)
            continue
        yield from found
        begin += len(batch)


def padded(ids: Sequence[Sequence[int]], pad: int) -> tuple[NDArray[int64], NDArray[int64]]:
    """Token lists as a matrix [text, token] with padding at the end, and where they have tokens.

    >>> [array.tolist() for array in padded([[5, 6], [7]], 0)]
    [[[5, 6], [7, 0]], [[1, 1], [1, 0]]]
    """
    import numpy as np

    longest = max(map(len, ids))
    given = np.full((len(ids), longest), pad, dtype=np.int64)
    mask = np.zeros((len(ids), longest), dtype=np.int64)
    for row, one in enumerate(ids):
        given[row, : len(one)] = one
        mask[row, : len(one)] = 1
    return given, mask


def _is_lack_of_memory(error: BaseException) -> bool:
    said = str(error)
    return isinstance(error, MemoryError) or "out of memory" in said or "allocate memory" in said
