"""ROUGE measures: their names, what the kernel counts for them, and what ROUGE-1.5.5 prints."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from summeval._arrays import Floats


# (kind, order or gap, unigrams too, weight): see summeval._core.overlap.rouge.KINDS
Measure = tuple[str, int, bool, float]

ROUGE_NAMES = (
    *(f"rouge{n}" for n in range(1, 10)),
    *("rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeS*", "rougeSU4", "rougeSU*"),
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


class Interval(NamedTuple):
    """A bootstrap average with its bounds: arrays, one value for each column."""

    average: Floats
    lower: Floats
    upper: Floats


def summarise(samples: Floats, percent: float = 95.0) -> Interval:
    """Return the mean and the percentile bounds of resampled values, ``samples[sample, column]``.

    `percent` is C, which the script takes with -c: a share would lose its last digit on the way.

    With r samples sorted as a[0..r), delta = r(100-C)/200 and U = int(r-delta-1), a bound lies the
    fraction r-delta-1-U beyond a[int(delta)] or a[U]; beyond the last sample stands 0. The same
    fraction serves both bounds, as in the script.

    >>> import numpy as np
    >>> [float(bound[0]) for bound in summarise(np.arange(1.0, 101.0)[:, None], percent=90)]
    [50.5, 6.0, 95.0]
    """
    import numpy as np

    count = len(samples)
    ordered = np.sort(samples, axis=0)
    # cumsum adds in ascending order, as the script does; np.sum would add in pairs.
    average = np.cumsum(ordered, axis=0)[-1] / count
    padded = np.vstack([ordered, np.zeros((2, samples.shape[1]))])
    delta = count * ((100.0 - percent) / 2.0) / 100.0
    high = int(count - delta - 1)
    low = int(delta)
    fraction = count - delta - 1 - high

    def bound(index: int) -> Floats:
        return np.asarray(padded[index] + (padded[index + 1] - padded[index]) * fraction)

    return Interval(average, bound(low), bound(high))


def bootstrap_means(values: Floats, *, resamples: int = 1000, confidence: float = 0.95) -> Interval:
    """Bootstrap the mean of each column of ``values[instance, column]``.

    The average is the mean of the resampled means, not that of the values; with one instance it is
    that instance. Sample s = 0 … resamples-1 is drawn with drand48 seeded by s, so the numbers are
    the same on every run. The share `confidence` of the resampled means lies between the bounds.

    >>> import numpy as np
    >>> found = bootstrap_means(np.array([[0.2], [0.4], [0.9]]), resamples=50)
    >>> [round(float(bound[0]), 5) for bound in found]
    [0.48933, 0.25, 0.73333]
    """
    if not 0.0 <= confidence <= 1.0:
        raise ValueError(f"confidence is {confidence!r}; give a share from 0 to 1, such as 0.95")
    # 100 * 0.29 is 28.999999999999996: what is meant are the digits that were typed
    percent = round(100.0 * confidence, 10)
    return summarise(resampled_means(values, resamples), percent)


def resampled_means(values: Floats, resamples: int) -> Floats:
    """Return the means [sample, column] of instances drawn from ``values[instance, column]``."""
    import numpy as np

    from summeval._core.overlap.bootstrap import resample_sums

    table = np.ascontiguousarray(values, dtype=np.float64)
    if table.ndim != 2 or not len(table):
        raise ValueError("values must be an array [instance, column] with at least one instance")
    if resamples < 1:
        raise ValueError(f"resamples must be 1 or more, not {resamples}")
    means: Floats = resample_sums(table, resamples) / len(table)
    return means


def bootstrap_scores(scores: Sequence[ScriptScore], sampling: Sampling) -> Interval:
    """Averages of recall, precision and F over evaluations, with their intervals (-t 0)."""
    import numpy as np

    return summarise(resampled_means(np.array(scores), sampling.resamples), sampling.percent)


def bootstrap_totals(totals: Sequence[Totals], alpha: float, sampling: Sampling) -> Interval:
    """Recall, precision and F of the totals summed over evaluations, with intervals (-t 1).

    As in the script they are plain ratios for ROUGE-W too.
    """
    import numpy as np

    from summeval._core.overlap.bootstrap import resample_sums

    samples = []
    for reference, candidate, hits in resample_sums(np.array(totals), sampling.resamples).tolist():
        recall, precision = ratio(hits, reference), ratio(hits, candidate)
        samples.append(ScriptScore(recall, precision, fmeasure(precision, recall, alpha)))
    return summarise(np.array(samples), sampling.percent)
