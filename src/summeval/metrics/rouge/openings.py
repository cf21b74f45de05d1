"""Skip-bigrams by their first words, for texts that have too many to tell one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from summeval.metrics.rouge.counted import Counts, Place, Weights, end_of_gap, pairs_of
from summeval.metrics.rouge.readings import Reading
from summeval.metrics.run.explain.explanation import ExplainedItem


class Openings(NamedTuple):
    """The skip-bigrams of one text by their first words, for texts that have many."""

    reading: Reading
    places: Mapping[str, list[int]]
    gap: int
    unigrams: bool

    @staticmethod
    def of(reading: Reading, gap: int, unigrams: bool) -> Openings:
        """Those of a text."""
        places: dict[str, list[int]] = {}
        for number, form in enumerate(reading.forms):
            places.setdefault(form, []).append(number)
        return Openings(reading, places, gap, unigrams)

    @property
    def total(self) -> int:
        """How many units there are."""
        size = len(self.reading.forms)
        return pairs_of(size, self.gap) + (max(size - 1, 0) if self.unigrams else 0)

    def after(self, form: str) -> Counter[str]:
        """How often which word comes second; the key "" counts the unigrams."""
        forms = self.reading.forms
        found: Counter[str] = Counter()
        for first in self.places.get(form, ()):
            found.update(forms[first + 1 : end_of_gap(len(forms), first, self.gap)])
        return found

    def unigrams_of(self, form: str) -> int:
        """How often a word is a unit itself."""
        places = self.places.get(form, ())
        return sum(place + 1 < len(self.reading.forms) for place in places) * self.unigrams


def opening_hits(own: Openings, theirs: Openings) -> dict[str, int]:
    """For each first word of both texts the number of units that both have."""
    return {
        form: min(own.unigrams_of(form), theirs.unigrams_of(form))
        + (own.after(form) & theirs.after(form)).total()
        for form in own.places
        if form in theirs.places
    }


def counts(own: Openings, theirs: Openings, found: Mapping[str, int]) -> Counts:
    """The counts of two texts."""
    return float(sum(found.values())), float(theirs.total), float(own.total), float(theirs.total)


def items(
    own: Openings,
    others: Sequence[Openings],
    found: Sequence[Mapping[str, int]],
    weights: Weights,
) -> Iterator[ExplainedItem]:
    """The first words of units that both sides have, and those of one side alone."""
    extra = []
    missing: dict[str, tuple[str, list[Place]]] = {}
    for form, places in own.places.items():
        pairs = sum(found[number].get(form, 0) for number, _ in weights)
        spans = tuple(own.reading.spans[place] for place in places)
        text = f"{own.reading.words[places[0]]} …"
        if pairs:
            there = tuple(
                (number, *others[number].reading.spans[place])
                for number, _ in weights
                if found[number].get(form, 0)
                for place in others[number].places[form]
            )
            share = sum(weight * found[number].get(form, 0) for number, weight in weights)
            yield ExplainedItem(text, spans, there, share, {"pairs": float(pairs)})
        else:
            extra.append(ExplainedItem(text, spans, (), 0.0))
    for number, _ in weights:
        for form, places in others[number].places.items():
            if not found[number].get(form, 0):
                text = f"{others[number].reading.words[places[0]]} …"
                lacked = missing.setdefault(form, (text, []))[1]
                lacked += [(number, *others[number].reading.spans[place]) for place in places]
    for text, lacked in missing.values():
        yield ExplainedItem(text, (), tuple(lacked), 0.0)
    yield from extra
