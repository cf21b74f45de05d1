"""Numbers as text: the shortest digits that read back as the same float64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

_MAX_KEPT = 1 << 13


class NumberText(dict[float, str]):
    """Texts of the numbers of one column, kept because scores repeat: ratios of small counts.

    Each text carries what stands before and after the number in the file. NaN and the infinities
    are written as `null`. Zeros must come without a sign: 0.0 and -0.0 are one key.

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
    """For each column, given as a float64 array, the texts of its numbers."""
    for text, column in zip(texts, scores, strict=True):
        yield map(text.__getitem__, (column + 0.0).tolist())
