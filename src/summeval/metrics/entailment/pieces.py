"""What of a source is read beside what of a summary: sentences, chunks, or all of both."""

from __future__ import annotations

from typing import NamedTuple

from summeval.metrics.run.explain.spans import places
from summeval.metrics.run.runner import has_words
from summeval.text import sentences

GRANULARITIES = ("sentence", "document", "chunk")
CHUNK_WORDS = 350  # of AlignScore


class Piece(NamedTuple):
    """A part of a text, and the sentences [first, last) of the text that it has."""

    text: str
    first: int
    last: int


def pieces(text: str, granularity: str) -> list[Piece]:
    r"""Return the parts of a source that have words.

    Chunks are those of AlignScore: as many sentences each, of n in all with w words n // (w // 350
    + 1), and at least one.

    >>> pieces("It rained. We left.\n*", "sentence")
    [Piece(text='It rained.', first=0, last=1), Piece(text='We left.', first=1, last=2)]
    >>> [(one.first, one.last) for one in pieces("Rain fell all day. " * 100, "chunk")]
    [(0, 50), (50, 100)]
    """
    found = sentences(text)
    if granularity == "document":
        made = [Piece(text.strip(), 0, len(found))]
    else:
        chunks = len(text.split()) // CHUNK_WORDS + 1
        size = 1 if granularity == "sentence" else max(len(found) // chunks, 1)
        begins = range(0, len(found), size)
        parts = [(begin, min(begin + size, len(found))) for begin in begins]
        made = [Piece(" ".join(found[a:b]), a, b) for a, b in parts]
    return [one for one in made if has_words(one.text)]


def claims(text: str, granularity: str) -> list[Piece]:
    """Return the parts of a summary that are judged: its sentences, or all of it."""
    return pieces(text, "document" if granularity == "document" else "sentence")


def spans(text: str, parts: list[Piece]) -> list[tuple[int, int]]:
    r"""Return where the parts of a text stand in it.

    >>> spans("It rained.  We left.", pieces("It rained.  We left.", "chunk"))
    [(0, 20)]
    """
    found = places(text, sentences(text))
    return [(found[one.first][0], found[one.last - 1][1]) for one in parts]
