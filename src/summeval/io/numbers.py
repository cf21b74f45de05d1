"""Numbers as text: the shortest digits that read back as the same float64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

_MAX_KEPT = 1 << 13


class NumberText(dict[float, str]):
    """The texts of one column's numbers, cached because scores (ratios of small counts) repeat.

    Each text includes the characters before and after the number in the file. NaN and infinities
    are written as `null`. Zeros must have no sign, because 0.0 and -0.0 are the same key.

    >>> NumberText("", ",", "null")[0.25]
    '0.25,'
    """

    def __init__(self, before: str, after: str, null: str) -> None:
        super().__init__()
        self._before = before
        self._after = after
        self._null = null

    def __missing__(self, number: float) -> str:
        finite = isfinite(number)
        text = self._before + (repr(number) if finite else self._null) + self._after
        if finite:
            if len(self) >= _MAX_KEPT:
                self.clear()
            self[number] = text
        return text


def column_texts(texts: Sequence[NumberText], scores: Sequence[Any]) -> Iterator[Iterator[str]]:
    """Return the texts of the numbers of each column (float64 arrays)."""
    for text, column in zip(texts, scores, strict=True):
        yield map(text.__getitem__, (column + 0.0).tolist())
