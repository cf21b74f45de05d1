"""Deduplication of rows in dictionary-encoded columns: score or read each distinct one once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from summeval._core.columns.columns import TextColumn

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray


class Order(NamedTuple):
    """The rows to score, and for each row of the batch the index of its score."""

    rows: NDArray[int64]
    places: NDArray[int64]


def order_of(candidates: TextColumn, sides: Sequence[TextColumn]) -> Order | None:
    """What of a batch to score; `sides` are the columns that candidates are compared with.

    Where every column is a dictionary's, each different row once. Where only those compared with
    are, every row, such that rows with the same texts follow each other: kernels read these once.
    None if that would save nothing.

    >>> from summeval._core.columns.columns import references, texts
    >>> order_of(texts(["a", "b"], "candidates"), [references(["a", "b"], "references")])
    """
    coded = candidates.coded
    for side in sides:
        coded = coded or side.coded
    if not coded:
        return None
    import numpy as np

    own = candidates.codes()
    compared = list({id(side): side for side in sides if side is not candidates}.values())
    codes = [side.codes() for side in compared]
    known = [code for code in codes if code is not None]
    rows = len(candidates)
    if own is not None and len(known) == len(codes):
        _, first, places = np.unique(_joined([*known, own]), return_index=True, return_inverse=True)
        return Order(first, places.reshape(-1)) if len(first) < rows else None
    if not known or int(known[0].max(initial=-1)) + 1 >= rows:
        return None
    # In the order of the dictionary: equal references next to each other.
    order = np.argsort(_joined(known), kind="stable")
    places = np.empty_like(order)
    places[order] = np.arange(rows)
    return Order(order, places)


def _joined(codes: Sequence[NDArray[int64]]) -> NDArray[int64]:
    """One code for each row; two rows have the same one if they do in every column."""
    import numpy as np

    joined = codes[0]
    for code in codes[1:]:
        # Renumbered at each step, so that no product of sizes overflows an int64.
        joined = np.unique(joined, return_inverse=True)[1].reshape(-1)
        joined = joined * (int(code.max(initial=-1)) + 2) + code
    return joined
