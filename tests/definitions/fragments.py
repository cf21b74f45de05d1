"""Extractive fragments and novelty of a text beside its source, in plain Python.

Grusky, Naaman and Artzi 2018, "Newsroom: A Dataset of 1.3 Million Summaries with Diverse Extractive
Strategies", section 4 and figure 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple


class Fragment(NamedTuple):
    """A stretch of the text: its first word, how many, and where it stands in the source."""

    begin: int
    size: int
    document: int
    place: int


class Extractiveness(NamedTuple):
    """The fields of `extractiveness`."""

    coverage: float
    density: float
    compression: float
    novel1: float
    novel2: float
    novel3: float
    repetition: float
    length_ratio: float


def fragments(text: Sequence[str], documents: Sequence[Sequence[str]]) -> list[Fragment]:
    """The fragments by the algorithm of figure 2.

    At each word it looks for the longest match, from left to right. A match is looked for behind
    the end of the one before.

    >>> fragments("a cat ran a mile".split(), ["the cat ran".split(), "a cat ran".split()])
    [Fragment(begin=0, size=3, document=1, place=0), Fragment(begin=3, size=1, document=1, place=0)]
    """
    found = []
    i = 0
    while i < len(text):
        best = Fragment(i, 0, 0, 0)
        for number, source in enumerate(documents):
            j = 0
            while j < len(source):
                size = 0
                while (
                    i + size < len(text)
                    and j + size < len(source)
                    and text[i + size] == source[j + size]
                ):
                    size += 1
                if size > best.size:
                    best = Fragment(i, size, number, j)
                j += max(size, 1)
        if best.size:
            found.append(best)
        i += max(best.size, 1)
    return found


def novel(text: Sequence[str], documents: Sequence[Sequence[str]], order: int) -> float:
    """The share of a text's different n-grams that no document has; 0 if it has none.

    >>> novel("a cat ran a cat".split(), ["a cat".split()], 2)
    0.6666666666666666
    """
    mine = grams(text, order)
    theirs = {gram for source in documents for gram in grams(source, order)}
    return len(set(mine) - theirs) / len(set(mine)) if mine else 0.0


def grams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """The n-grams of a text.

    >>> grams("a b c".split(), 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [tuple(words[k : k + order]) for k in range(len(words) - order + 1)]


def extractiveness(text: Sequence[str], documents: Sequence[Sequence[str]]) -> Extractiveness:
    """The fields of a text and the documents of its source."""
    size, others = len(text), sum(map(len, documents))
    ratio = size / others if others else nan
    if not size:
        return Extractiveness(0, 0, 0, 1, 1, 1, 1, ratio)
    found = fragments(text, documents)
    triples = grams(text, 3)
    return Extractiveness(
        sum(fragment.size for fragment in found) / size,
        sum(fragment.size**2 for fragment in found) / size,
        others / size,
        novel(text, documents, 1),
        novel(text, documents, 2),
        novel(text, documents, 3),
        (len(triples) - len(set(triples))) / len(triples) if triples else 0.0,
        ratio,
    )
