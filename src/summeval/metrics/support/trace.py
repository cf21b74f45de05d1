"""The items of an explanation, from what the kernel tells of each word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import log
from typing import NamedTuple

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.spans import places

Traced = Sequence[tuple[int, int, float, float, tuple[int, int, int] | None]]


class Given(NamedTuple):
    """A text as it was given, and where lines of it stand in it.

    Attributes
    ----------
    given : str
    lines : tuple of (str, int or None), optional
        What the kernel reads, joined by newlines: each line, and where it begins in the text that
        was given; None if it is not found there. By default the text is read as it was given.
    """

    given: str
    lines: tuple[tuple[str, int | None], ...] = ()

    @property
    def read(self) -> str:
        """The text that the kernel reads."""
        return "\n".join(line for line, _ in self.lines) if self.lines else self.given

    def places(self) -> Callable[[int, int], tuple[int, int] | None]:
        """From the first byte of what is read and the byte after the last to characters."""
        at = characters(self.read)
        moved = self._moved() if self.lines else None

        def place(begin: int, end: int) -> tuple[int, int] | None:
            first, last = at(begin), at(end)
            if moved is None:
                return first, last
            start = moved[first]
            return None if start is None else (start, start + last - first)

        return place

    def _moved(self) -> list[int | None]:
        """Of each character that is read its place in the text that was given."""
        found: list[int | None] = []
        for line, start in self.lines:
            of_line = [None] * len(line) if start is None else range(start, start + len(line))
            found += [*of_line, None]  # a newline
        return found


def as_read(text: str, lines: Sequence[str]) -> Given:
    """The text with the lines that a function made of it.

    >>> as_read("A cat|ran.", ["A cat", "ran."]).lines
    (('A cat', 0), ('ran.', 6))
    """
    spans = zip(lines, places(text, lines), strict=True)
    return Given(text, tuple((line, a if text[a:b] == line else None) for line, (a, b) in spans))


def explained_items(
    traced: Traced, candidate: Given, documents: Sequence[Given]
) -> tuple[ExplainedItem, ...]:
    """An item for each word.

    Parameters
    ----------
    traced : sequence of (int, int, float, float, (int, int, int) or None)
        Of each word: its first byte and the byte after its last, z, b, and the document and the
        bytes of the word that it is a copy of.
    candidate : Given
    documents : sequence of Given
    """
    own, read = candidate.places(), candidate.read.encode()
    theirs = [document.places() for document in documents]
    everything = -sum(log(b) for _, _, _, b, _ in traced)
    items = []
    for begin, end, z, b, origin in traced:
        source = None if origin is None else theirs[origin[0]](*origin[1:])
        place = own(begin, end)
        items.append(
            ExplainedItem(
                read[begin:end].decode(),
                () if place is None else (place,),
                (),
                (log(z) - log(b)) / everything,
                {"log_z": log(z)},
                source_spans=() if origin is None or source is None else ((origin[0], *source),),
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
