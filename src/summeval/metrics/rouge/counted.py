"""The n-grams and skip-bigrams of two texts: those of both, and those of one alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from summeval.metrics.rouge.readings import Reading
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.spans import Span

MOST_PAIRS = 1000  # skip-bigrams of all texts; of more the items are by their first words

Counts: TypeAlias = tuple[float, float, float, float]  # hits, reference, candidate, base
Weights: TypeAlias = Sequence[tuple[int, float]]  # of the references that count: number, weight
Places: TypeAlias = dict[Hashable, list[tuple[int, ...]]]


class Units(NamedTuple):
    """The units of one text: for each its places, which are numbers of tokens."""

    reading: Reading
    places: Mapping[Hashable, list[tuple[int, ...]]]
    total: int
    order: int  # of n-grams, 0 for skip-bigrams

    def text(self, place: tuple[int, ...]) -> str:
        """What stands at a place."""
        words = self.reading.words
        if self.order:
            return " ".join(words[place[0] : place[0] + self.order])
        return " … ".join(words[number] for number in place)

    def spans(self, place: tuple[int, ...]) -> tuple[Span, ...]:
        """Where it stands."""
        spans = self.reading.spans
        if self.order:
            return ((spans[place[0]][0], spans[place[0] + self.order - 1][1]),)
        return tuple(spans[number] for number in place)
