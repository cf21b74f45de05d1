"""What a label chain learns from: features, labels and links of documents, checked and joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import ArrayLike, NDArray

LARGEST = 1e100  # so that no sum of squares is infinite


class Cases(NamedTuple):
    """Labels of annotators with what they depend on; equal ones of an utterance are joined.

    Attributes
    ----------
    utterance : array [case]
    context : array [case]
        Where `summeval._core.chains` has the potential of label 0 after these labels; that of 1
        follows.
    parent : array [case]
        The label of the linked utterance; -1 without a link.
    chosen, asked : array [case]
        How many annotators chose the utterance, and how many there are.
    """

    utterance: NDArray[int64]
    context: NDArray[int64]
    parent: NDArray[int64]
    chosen: NDArray[float64]
    asked: NDArray[float64]


class Documents(NamedTuple):
    """Documents one after another.

    Attributes
    ----------
    table : array [utterance, feature]
    ends : array [document + 1]
    parents : array [utterance]
        The earlier utterance of the document, counted from 0 in it, or -1.
    annotators : array [document]
    cases : Cases
    """

    table: NDArray[float64]
    ends: NDArray[int64]
    parents: NDArray[int64]
    annotators: NDArray[float64]
    cases: Cases


def read_documents(
    features: Sequence[ArrayLike],
    labels: Sequence[Sequence[ArrayLike]],
    links: Sequence[ArrayLike | None] | None,
    order: int,
) -> Documents:
    """Check and join documents; the arguments are those of `LabelChain.fit`."""
    import numpy as np

    tables = [read_table(one, f"document {d}") for d, one in enumerate(features)]
    for name, given in (("labels", labels), ("links", links)):
        if given is not None and len(given) != len(tables):
            raise ValueError(
                f"there are {len(tables)} documents and {name} of {len(given)}; give both for each"
            )
    sizes = [len(table) for table in tables]
    ends = np.cumsum([0, *sizes])
    nothing = [None] * len(tables)
    parents = [
        read_links(one, size, f"document {d}")
        for d, (one, size) in enumerate(zip(links or nothing, sizes, strict=True))
    ]
    extracts = [
        _read_extracts(given, size, d)
        for d, (given, size) in enumerate(zip(labels, sizes, strict=True))
    ]
    cases = _cases(extracts, parents, ends, order)
    chosen = cases.chosen.sum()
    if chosen in (0, cases.asked.sum()):
        what = "every" if chosen else "no"
        raise ValueError(f"{what} utterance is chosen in the extracts; a model needs both kinds")
    annotators = np.array([len(one) for one in extracts], dtype=np.float64)
    return Documents(_joined(tables), ends, np.concatenate(parents), annotators, cases)


def read_table(features: ArrayLike, place: str, width: int | None = None) -> NDArray[float64]:
    """The features of a document; an empty list is a document without utterances.

    >>> read_table([[1.0, float("nan")]], "document 2")
    Traceback (most recent call last):
    ValueError: feature 1 of utterance 0 of document 2 is nan; give a number up to 1e+100
    """
    import numpy as np

    try:
        table = np.asarray(features, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"the features of {place} are no table of numbers; give one") from None
    if table.size == 0 and len(table) == 0:
        table = table.reshape(0, width or 0)
    if table.ndim != 2 or (width is not None and table.shape[1] != width):
        wanted = "[utterance, feature]" if width is None else f"[utterance, {width}]"
        raise ValueError(f"the features of {place} have the shape {table.shape}; give {wanted}")
    usable = np.abs(table) <= LARGEST
    if not usable.all():
        t, f = np.argwhere(~usable)[0].tolist()
        raise ValueError(
            f"feature {f} of utterance {t} of {place} is {table[t, f]}; give a number up to"
            f" {LARGEST:g}"
        )
    return table


def read_links(links: ArrayLike | None, size: int, place: str) -> NDArray[int64]:
    """The utterance that each utterance is linked to, or -1.

    >>> read_links([[2, 0]], 3, "document 1").tolist()
    [-1, -1, 0]
    >>> read_links([[0, 2]], 3, "document 1")
    Traceback (most recent call last):
    ValueError: link [0, 2] of document 1 does not go from one of its 3 utterances to an earlier one
    """
    import numpy as np

    parents = np.full(size, -1, dtype=np.int64)
    found = np.asarray([] if links is None else links)
    if found.size == 0:
        return parents
    if found.ndim != 2 or found.shape[1] != 2 or found.dtype.kind not in "iu":
        raise ValueError(f"the links of {place} are no pairs of whole numbers; give [from, to]")
    later, earlier = found.T
    wrong = (earlier < 0) | (later >= size) | (earlier >= later)
    if wrong.any():
        raise ValueError(
            f"link {found[wrong][0].tolist()} of {place} does not go from one of its {size}"
            " utterances to an earlier one"
        )
    counts = np.bincount(later)
    if counts.max() > 1:
        raise ValueError(
            f"utterance {int(counts.argmax())} of {place} has {int(counts.max())} links to earlier"
            " ones; give at most one"
        )
    parents[later] = earlier
    return parents


def _read_extracts(given: Sequence[ArrayLike], size: int, d: int) -> NDArray[int64]:
    """The labels of a document, array [annotator, utterance]."""
    import numpy as np

    rows = [_read_labels(one, size, d, a) for a, one in enumerate(given)]
    return np.array(rows, dtype=np.int64).reshape(len(rows), size)


def _read_labels(labels: ArrayLike, size: int, d: int, a: int) -> NDArray[int64]:
    import numpy as np

    place = f"labels {a} of document {d}"
    try:
        found = np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{place} are no numbers; give 0 or 1") from None
    if found.shape != (size,):
        raise ValueError(f"{place} have the shape {found.shape}; give one for each of {size}")
    wrong = (found != 0.0) & (found != 1.0)
    if wrong.any():
        raise ValueError(f"{place} have {found[wrong][0]}; give 0 or 1")
    return found.astype(np.int64)


def _joined(tables: Sequence[NDArray[float64]]) -> NDArray[float64]:
    import numpy as np

    filled = [(d, table) for d, table in enumerate(tables) if len(table)]
    first, one = filled[0]
    for d, table in filled:
        if table.shape[1] != one.shape[1]:
            raise ValueError(
                f"document {d} has {table.shape[1]} features, document {first} has"
                f" {one.shape[1]}; give the same for all"
            )
    return np.concatenate([table for _, table in filled])


def _cases(
    extracts: Sequence[NDArray[int64]],
    parents: Sequence[NDArray[int64]],
    ends: NDArray[int64],
    order: int,
) -> Cases:
    import numpy as np

    contexts, spread = 2 << order, 3  # there are contexts - 1 of them
    keys, labels = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for begin, extract, linked in zip(ends[:-1], extracts, parents, strict=True):
        history = _contexts(extract, order) // 2
        place = begin + np.arange(extract.shape[1])
        parent = np.where(linked < 0, -1, extract[:, linked])
        keys.append((((place * contexts) + history) * spread + parent + 1).ravel())
        labels.append(extract.ravel())
    found, number = np.unique(np.concatenate(keys), return_inverse=True)
    own = np.concatenate(labels)
    rest, parent = np.divmod(found, spread)
    utterance, history = np.divmod(rest, contexts)
    chosen, asked = np.bincount(number, own, len(found)), np.bincount(number, minlength=len(found))
    return Cases(
        utterance, 2 * history, parent - 1, chosen.astype(np.float64), asked.astype(np.float64)
    )


def _contexts(extract: NDArray[int64], order: int) -> NDArray[int64]:
    """The context of each label of each annotator."""
    import numpy as np

    size = extract.shape[1]
    history = np.zeros_like(extract)
    depth = np.minimum(np.arange(size), order)
    for back in range(1, min(order, size - 1) + 1):
        history[:, back:] += extract[:, :-back] << (depth[back:] - back)
    return np.asarray((2 << depth) - 2 + 2 * history)
