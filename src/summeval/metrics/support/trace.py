"""The items of an explanation, from what the kernel tells of each word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import log

from summeval.metrics.run.explain.explanation import ExplainedItem

Traced = Sequence[tuple[int, int, float, float, tuple[int, int, int] | None]]


def explained_items(
    traced: Traced, candidate: str, documents: Sequence[str]
) -> tuple[ExplainedItem, ...]:
    """An item for each word.

    Parameters
    ----------
    traced : sequence of (int, int, float, float, (int, int, int) or None)
        Of each word: its first byte and the byte after its last, z, b, and the document and the
        bytes of the word that it is a copy of.
    candidate : str
    documents : sequence of str
    """
    own = characters(candidate)
    theirs = [characters(document) for document in documents]
    everything = -sum(log(b) for _, _, _, b, _ in traced)
    items = []
    for begin, end, z, b, origin in traced:
        spans: tuple[tuple[int, int, int], ...] = ()
        if origin is not None:
            at = theirs[origin[0]]
            spans = ((origin[0], at(origin[1]), at(origin[2])),)
        place = own(begin), own(end)
        share = (log(z) - log(b)) / everything
        items.append(
            ExplainedItem(
                candidate[slice(*place)], (place,), (), share, {"log_z": log(z)}, source_spans=spans
            )
        )
    return tuple(items)


def characters(text: str) -> Callable[[int], int]:
    """From the place of a byte of the text, as UTF-8, to that of its character.

    >>> [characters("é!")(byte) for byte in (0, 2, 3)]
    [0, 1, 2]
    """
    if text.isascii():
        return int
    starts = accumulate(((byte & 0xC0) != 0x80 for byte in text.encode()), initial=0)
    return [*starts].__getitem__
