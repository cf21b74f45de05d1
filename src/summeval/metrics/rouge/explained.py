"""What a ROUGE score comes from: what both texts have, and what one of them alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from summeval.metrics.rouge import counted, openings, sequences
from summeval.metrics.rouge.measures import ScriptMeasure, added, as_printed, fmeasure, ratio
from summeval.metrics.rouge.readings import Readings, read

if TYPE_CHECKING:
    from summeval.metrics.rouge.counted import Counts, Weights
    from summeval.metrics.rouge.measures import Measure
    from summeval.metrics.run.explain.explanation import ExplainedItem
    from summeval.metrics.run.text_options import TextOptions


class Scoring(NamedTuple):
    """How counts become a score: options of `Rouge`."""

    aggregate: str
    jackknife: bool
    rounded: bool
    alpha: float


def explained_items(
    measure: Measure,
    text_options: TextOptions,
    scoring: Scoring,
    value: float,
    texts: Sequence[str],
) -> tuple[ExplainedItem, ...]:
    """The items of a score of the first text beside the others.

    >>> from summeval.metrics.run.text_options import TextOptions
    >>> found = explained_items(
    ...     ("ngram", 1, False, 0.0),
    ...     TextOptions(),
    ...     Scoring("max", False, False, 0.5),
    ...     0.5,
    ...     ["a cat", "the cat"],
    ... )
    >>> [(item.text, item.kind, item.share) for item in found]
    [('cat', 'match', 0.5), ('the', 'missing', 0.0), ('a', 'extra', 0.0)]
    """
    weigh = Weighing(measure, scoring, value)
    own, *others = [read(text_options, text, measure[0] not in _BAGS) for text in texts]
    return tuple(_ITEMS[measure[0]](measure, own, others, weigh))


def _ngrams(
    measure: Measure, own: Readings, others: Sequence[Readings], weigh: Weighing
) -> Iterable[ExplainedItem]:
    mine, *theirs = [counted.ngrams(each.whole, measure[1]) for each in (own, *others)]
    return counted.items(mine, theirs, weigh([counted.counts(mine, one) for one in theirs]))


def _skip_bigrams(
    measure: Measure, own: Readings, others: Sequence[Readings], weigh: Weighing
) -> Iterable[ExplainedItem]:
    _, gap, unigrams, _ = measure
    texts = [each.whole for each in (own, *others)]
    if sum(counted.pairs_of(len(text.forms), gap) for text in texts) <= counted.MOST_PAIRS:
        mine, *theirs = [counted.skip_bigrams(text, gap, unigrams) for text in texts]
        return counted.items(mine, theirs, weigh([counted.counts(mine, one) for one in theirs]))
    first, *rest = [openings.Openings.of(text, gap, unigrams) for text in texts]
    found = [openings.opening_hits(first, one) for one in rest]
    counts = [openings.counts(first, *pair) for pair in zip(rest, found, strict=True)]
    return openings.items(first, rest, found, weigh(counts))


def _sequence(
    measure: Measure, own: Readings, others: Sequence[Readings], weigh: Weighing
) -> Iterable[ExplainedItem]:
    found = [sequences.longest(own, one) for one in others]
    weights = weigh([one.counts for one in found])
    return sequences.items(own.whole, [one.whole for one in others], found, weights)


def _sentences(
    measure: Measure, own: Readings, others: Sequence[Readings], weigh: Weighing
) -> Iterable[ExplainedItem]:
    found = [sequences.united(own, one, measure[3]) for one in others]
    weights = weigh([one.counts for one in found])
    return sequences.items(own.lines, [one.lines for one in others], found, weights)


_ITEMS = {
    "ngram": _ngrams,
    "skip": _skip_bigrams,
    "lcs": _sequence,
    "union-lcs": _sentences,
    "weighted-lcs": _sentences,
}
_BAGS = ("ngram", "skip")  # do not look at lines


class Weighing(NamedTuple):
    """What a unit of each reference adds to the value."""

    measure: Measure
    scoring: Scoring
    value: float

    def __call__(self, counts: Sequence[Counts]) -> Weights:
        """The references that count, and what one unit that the candidate has of each adds."""
        if len(counts) == 1:
            return [(0, self.value / counts[0][0] if counts[0][0] else 0.0)]
        weights = self.unscaled(counts)
        total = fsum(weight * counts[k][0] for k, weight in weights.items())
        scale = self.value / total if total else 0.0  # next to 1
        return [(k, weight * scale) for k, weight in sorted(weights.items())]

    def unscaled(self, counts: Sequence[Counts]) -> dict[int, float]:
        """The same before the rounding of the last digit is shared out."""
        rounds = [[*range(len(counts))]]
        if self.scoring.jackknife and len(counts) > 1:
            rounds = [[k for k in rounds[0] if k != without] for without in rounds[0]]
        weights: dict[int, float] = {}
        for among in rounds:
            chosen = self._chosen(counts, among)
            hits = added(counts[k][0] for k in chosen)
            share = self._fmeasure([counts[k] for k in chosen]) / hits if hits else 0.0
            for k in chosen:
                weights[k] = weights.get(k, 0.0) + share / len(rounds)
        return weights

    def _chosen(self, counts: Sequence[Counts], among: Sequence[int]) -> Sequence[int]:
        """The references that a score is made of."""
        if self.scoring.aggregate == "average":
            return among
        if self.scoring.aggregate == "max":
            return [max(among, key=lambda k: self._fmeasure([counts[k]]))]
        return [max(among, key=lambda k: self._recall(counts[k]))]

    @property
    def _script(self) -> ScriptMeasure:
        return ScriptMeasure("", self.measure)

    def _recall(self, counts: Counts) -> float:
        """What `aggregate="best"` compares."""
        value = float(ratio(counts[0], counts[3]) ** (1 / self._script.weight))
        return as_printed(value) if self._script.compares_printed else value

    def _fmeasure(self, counts: Sequence[Counts]) -> float:
        """F of the sums of counts."""
        hits, reference, candidate, _ = map(added, zip(*counts, strict=True))
        values = [
            ratio(hits, total) ** (1 / self._script.weight) for total in (candidate, reference)
        ]
        if self.scoring.rounded:
            values = [as_printed(value) for value in values]
        found = fmeasure(values[0], values[1], self.scoring.alpha)
        return as_printed(found) if self.scoring.rounded else found
