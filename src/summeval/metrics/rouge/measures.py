"""ROUGE measures: their names, what the kernel counts for them, and what ROUGE-1.5.5 prints."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from summeval.metrics.run.bootstrap import Interval


# (kind, order or gap, unigrams too, weight): see summeval._core.overlap.rouge.KINDS
Measure = tuple[str, int, bool, float]

ROUGE_NAMES = (
    *(f"rouge{n}" for n in range(1, 10)),
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeS4",
    "rougeS*",
    "rougeSU4",
    "rougeSU*",
)

_NGRAM = re.compile(r"rouge([1-9])", re.ASCII)
_SKIP = re.compile(r"rouge(SU?)(\d{1,6}|\*)", re.ASCII)
_WEIGHTED = re.compile(r"rougeW(?:-(\d+(?:\.\d+)?))?", re.ASCII)


def parse(name: str, weight: float = 1.2) -> Measure | None:
    """Return the measure that a name means, None if it is not the name of one.

    >>> parse("rouge2"), parse("rougeSU4"), parse("rougeS*")
    (('ngram', 2, False, 0.0), ('skip', 4, True, 0.0), ('skip', -1, False, 0.0))
    >>> parse("rougeW-1.5")
    ('weighted-lcs', 0, False, 1.5)
    """
    if name == "rougeL":
        return ("lcs", 0, False, 0.0)
    if name == "rougeLsum":
        return ("union-lcs", 0, False, 0.0)
    if found := _NGRAM.fullmatch(name):
        return ("ngram", int(found[1]), False, 0.0)
    if found := _WEIGHTED.fullmatch(name):
        return ("weighted-lcs", 0, False, float(found[1]) if found[1] else weight)
    if found := _SKIP.fullmatch(name):
        return ("skip", -1 if found[2] == "*" else int(found[2]), found[1] == "SU", 0.0)
    return None


@dataclass(frozen=True)
class ScriptMeasure:
    """One measure of a run: what follows ROUGE- in the output, and what the kernel counts for it.

    Basic elements, which the kernel does not count, have no ``kernel``.
    """

    label: str
    kernel: Measure | None = None

    @property
    def is_weighted(self) -> bool:
        """Whether it is ROUGE-W."""
        return self.kernel is not None and self.kernel[0] == "weighted-lcs"

    @property
    def weight(self) -> float:
        """The weight of ROUGE-W, whose inverse is taken of a ratio of counts; 1 for others."""
        return self.kernel[3] if self.kernel and self.is_weighted else 1.0

    @property
    def compares_printed(self) -> bool:
        """Whether -f B compares recalls as they are printed; if not, as doubles."""
        return self.kernel is None or self.kernel[0] in ("ngram", "skip")


class Totals(NamedTuple):
    """The lines of an evaluation that -t 1 and -t 2 print."""

    reference: float
    candidate: float
    hits: float


class Sampling(NamedTuple):
    """How averages are resampled: -r and -c."""

    resamples: int = 1000
    percent: float = 95.0


class ScriptScore(NamedTuple):
    """Recall, precision and F-measure, in the order in which they are printed."""

    recall: float
    precision: float
    fmeasure: float


def as_printed(value: float) -> float:
    """Return the double that "%7.5f" names.

    >>> as_printed(2 / 3)
    0.66667
    """
    return float(f"{value:.5f}")


def ratio(hits: float, total: float) -> float:
    """hits/total, 0 if total is 0."""
    return hits / total if total > 0 else 0.0


def fmeasure(precision: float, recall: float, alpha: float) -> float:
    """Their weighted harmonic mean: alpha=1 gives precision, alpha=0 recall.

    >>> fmeasure(0.5, 1.0, alpha=0.5)
    0.6666666666666666
    """
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


def pool(measure: ScriptMeasure, counts: Sequence[Sequence[float]], best: bool) -> Totals:
    """One evaluation's totals from (hits, reference, candidate, base) of each of its models.

    The sums over the models (-f A); or with ``best`` those of the first model with the highest
    recall over its base (-f B).

    >>> pool(ScriptMeasure("1", ("ngram", 1, False, 0.0)), [(1, 4, 5, 4), (3, 6, 5, 6)], best=True)
    Totals(reference=6.0, candidate=5.0, hits=3.0)
    """
    if best:
        counts = [counts[pool_best(measure, counts)]]
    hits, reference, candidate, _ = map(added, zip(*counts, strict=True))
    return Totals(reference, candidate, hits)


def pool_best(measure: ScriptMeasure, counts: Sequence[Sequence[float]]) -> int:
    """Return the number of the model that `pool` takes with -f B.

    >>> pool_best(ScriptMeasure("1", ("ngram", 1, False, 0.0)), [(1, 4, 5, 4), (3, 6, 5, 6)])
    1
    """

    def recall(number: int) -> float:
        model = counts[number]
        value: float = ratio(model[0], model[3]) ** (1 / measure.weight)
        return as_printed(value) if measure.compares_printed else value

    return max(range(len(counts)), key=recall)


def added(numbers: Iterable[float]) -> float:
    """The sum as the script makes it; sum() would hide rounding errors from Python 3.12 on."""
    return reduce(operator.add, numbers, 0.0)


def score(measure: ScriptMeasure, totals: Totals, alpha: float) -> ScriptScore:
    """Recall and precision to five decimals, and F of these to five decimals.

    >>> score(ScriptMeasure("1", ("ngram", 1, False, 0.0)), Totals(3, 7, hits=1), alpha=0.5)
    ScriptScore(recall=0.33333, precision=0.14286, fmeasure=0.2)
    """
    recall = as_printed(ratio(totals.hits, totals.reference) ** (1 / measure.weight))
    precision = as_printed(ratio(totals.hits, totals.candidate) ** (1 / measure.weight))
    return ScriptScore(recall, precision, as_printed(fmeasure(precision, recall, alpha)))


def bootstrap_scores(scores: Sequence[ScriptScore], sampling: Sampling) -> Interval:
    """Averages of recall, precision and F over evaluations, with their intervals (-t 0)."""
    import numpy as np

    from summeval.metrics.run.bootstrap import resampled_means, summarise

    return summarise(resampled_means(np.array(scores), sampling.resamples), sampling.percent)


def bootstrap_totals(totals: Sequence[Totals], alpha: float, sampling: Sampling) -> Interval:
    """Recall, precision and F of the totals summed over evaluations, with intervals (-t 1).

    As in the script they are plain ratios for ROUGE-W too.
    """
    import numpy as np

    from summeval._core.overlap.bootstrap import resample_sums
    from summeval.metrics.run.bootstrap import summarise

    samples = []
    for reference, candidate, hits in resample_sums(np.array(totals), sampling.resamples).tolist():
        recall, precision = ratio(hits, reference), ratio(hits, candidate)
        samples.append(ScriptScore(recall, precision, fmeasure(precision, recall, alpha)))
    return summarise(np.array(samples), sampling.percent)
