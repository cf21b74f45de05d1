"""Correlation of a metric with human scores: Pearson, Spearman, Kendall at three levels.

``summary``
    One coefficient for each topic over its systems, then the mean; topics without a coefficient
    (constant scores, fewer than two systems) are skipped.
``system``
    Means of systems over topics, then one coefficient.
``global``
    One coefficient over all cells.

Spearman takes mid ranks and Kendall is tau-b. The coefficient of a constant vector is NaN. Only
cells with a value in both tables count.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, isnan, nan, sqrt, tanh
from typing import Any, NamedTuple

import numpy as np

from summeval._core.agreement import resampling as kernel
from summeval._options import check_choice
from summeval.meta import arrays
from summeval.meta.arrays import Coefficient, DesignWarning, Level, observations
from summeval.table.cells import Array


@dataclass(frozen=True)
class Correlation:
    """A correlation and the size of its data.

    Attributes
    ----------
    value : float
        NaN if undefined; `notes` says why.
    coefficient, level : str
    systems, topics : int
        Systems and topics with at least one value.
    cells : int
        Cells with a value in both tables.
    empty : int
        Cells without a value in either table; above 0 the design is unbalanced.
    metric_lacks, human_lacks : int
        Cells left out because only this table has no value there.
    skipped : tuple of int
        Summary level: the topics (columns) that have cells but no coefficient.
    observations : int
        The number of pairs behind the coefficient: systems, cells, or the systems of the largest
        topic.
    """

    value: float
    coefficient: Coefficient
    level: Level
    systems: int
    topics: int
    cells: int
    empty: int
    metric_lacks: int
    human_lacks: int
    skipped: tuple[int, ...]
    observations: int

    @property
    def notes(self) -> list[str]:
        """One line for each kind of data left out, with the reason."""
        missing = (("metric", self.metric_lacks), ("human", self.human_lacks))
        notes = [
            f"{count} cell{'s' * (count > 1)} left out: only the {table} has no value there"
            for table, count in missing
            if count
        ]
        if self.empty:
            notes.append(f"unbalanced: {self.empty} cells have no value in either table")
        if self.skipped:
            total = len(self.skipped)
            shown = ", ".join(map(str, self.skipped[:5])) + ", …" * (total > 5)
            notes.append(
                f"{total} of {self.topics} topics skipped (a constant column or fewer than"
                f" two systems): {shown}"
            )
        if isnan(self.value):
            notes.append("undefined (NaN): the scores are constant or cover fewer than two systems")
        return notes


def correlation(
    metric: Any,
    human: Any,
    coefficient: Coefficient = "pearson",
    level: Level = "summary",
    *,
    higher_is_better: bool = True,
) -> float:
    """Return the correlation of a metric with human scores.

    Warns (`DesignWarning`) if cells or topics are left out or the correlation is undefined;
    `correlate` returns these counts instead. Both warn if the design is too small: fewer than 10
    systems at the system level, fewer than 5 topics, or scores that are all equal.

    Parameters
    ----------
    metric, human : array [system, topic], or [system] for one topic
        NaN or None for missing values.
    coefficient : {"pearson", "spearman", "kendall"}
        Spearman with mid ranks, Kendall's tau-b.
    level : {"summary", "system", "global"}
        See the module docstring.
    higher_is_better : bool
        Direction of the metric; False negates its scores, so that a good metric correlates above 0.

    Returns
    -------
    float
        From -1 to 1; NaN if undefined.

    Raises
    ------
    ValueError
        The tables differ in shape or hold infinite numbers, or the coefficient or level is unknown.

    Examples
    --------
    >>> metric = [[0.1, 0.4], [0.2, 0.3], [0.6, 0.9]]
    >>> human = [[1, 2], [3, 1], [4, 5]]
    >>> correlation(metric, human, "kendall", level="summary")
    1.0
    >>> round(correlation(metric, human, "pearson", level="system"), 4)
    0.9878
    >>> distance = [[0.9, 0.6], [0.8, 0.7], [0.4, 0.1]]
    >>> correlation(distance, human, "kendall", higher_is_better=False)
    1.0
    """
    measure = coefficient, level
    (x,), y, missing = arrays.prepared({"metric": metric}, human, *measure, higher_is_better)
    found = measured(x, y, *measure, missing)
    for note in found.notes:
        warnings.warn(note, DesignWarning, stacklevel=2)
    return found.value


def correlate(
    metric: Any,
    human: Any,
    coefficient: Coefficient = "pearson",
    level: Level = "summary",
    *,
    higher_is_better: bool = True,
) -> Correlation:
    """Return `correlation` with the counts of the data used and left out.

    Examples
    --------
    >>> found = correlate([[1, 1], [2, 1], [3, 1]], [[1, 1], [2, 2], [3, 3]])
    >>> found.value, found.skipped
    (1.0, (1,))
    >>> found.notes
    ['1 of 2 topics skipped (a constant column or fewer than two systems): 1']
    """
    measure = coefficient, level
    (x,), y, missing = arrays.prepared({"metric": metric}, human, *measure, higher_is_better)
    return measured(x, y, *measure, missing)


def measured(
    x: Array, y: Array, coefficient: Coefficient, level: Level, missing: Sequence[int] = (0, 0)
) -> Correlation:
    """Return the correlation of tables checked by `pair`, with its counts."""
    present = ~np.isnan(x)
    skipped: tuple[int, ...] = ()
    if level == "summary":
        alone = np.isnan(topic_values(x, y, coefficient)) & present.any(axis=0)
        skipped = tuple(np.flatnonzero(alone).tolist())
    cells = int(present.sum())
    return Correlation(
        value=value_of(x, y, coefficient, level),
        coefficient=coefficient,
        level=level,
        systems=int(present.any(axis=1).sum()),
        topics=int(present.any(axis=0).sum()),
        cells=cells,
        empty=x.size - cells - sum(missing),
        metric_lacks=missing[0],
        human_lacks=missing[1],
        skipped=skipped,
        observations=observations(x, level),
    )


def value_of(x: Array, y: Array, coefficient: Coefficient, level: Level) -> float:
    """Return the correlation of tables checked by `pair`."""
    systems, topics = (np.ones((1, size), dtype=np.int64) for size in x.shape)
    return float(kernel.resampled(x, y, systems, topics, level, coefficient)[0])


def topic_values(x: Array, y: Array, coefficient: Coefficient) -> Array:
    """Return the coefficient of each topic, NaN if undefined, of tables checked by `pair`."""
    return kernel.by_topic(x, y, coefficient)


def fisher_interval(
    value: float, observations: int, coefficient: Coefficient = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """Return the confidence bounds of a correlation by Fisher's transformation.

    For the system and global levels. At the summary level a correlation is a mean over topics, for
    which this formula does not hold: use `bootstrap_interval`.

    tanh(atanh(r) ± z c/sqrt(n - b)), with b = 3 and c = 1 for Pearson, b = 3 and
    c = sqrt(1 + r²/2) for Spearman, b = 4 and c = sqrt(0.437) for Kendall (Bonett and Wright 2000,
    "Sample size requirements for estimating Pearson, Kendall and Spearman correlations").

    Parameters
    ----------
    value : float
        The correlation r.
    observations : int
        n, the number of pairs: `Correlation.observations`.
    coefficient : {"pearson", "spearman", "kendall"}
    confidence : float
        A share between 0 and 1.

    Returns
    -------
    tuple of float
        Both are NaN if n <= b or r is NaN; both are r if r is 1 or -1.

    Raises
    ------
    ValueError
        The correlation is beyond ±1, or the coefficient or confidence is invalid.

    Examples
    --------
    >>> [round(bound, 4) for bound in fisher_interval(0.8, 20)]
    [0.5534, 0.9177]
    """
    from scipy.special import ndtri

    check_choice("coefficient", coefficient, ("pearson", "spearman", "kendall"))
    arrays.check_confidence(confidence)
    if abs(value) > 1.0:
        raise ValueError(f"value is {value}; pass a correlation between -1 and 1")
    less = 4 if coefficient == "kendall" else 3
    if isnan(value) or observations <= less:
        return nan, nan
    if abs(value) == 1.0:
        return value, value
    scale = {"pearson": 1.0, "spearman": sqrt(1.0 + value**2 / 2.0), "kendall": sqrt(0.437)}
    reach = float(ndtri(0.5 + confidence / 2.0)) * scale[coefficient] / sqrt(observations - less)
    return tanh(atanh(value) - reach), tanh(atanh(value) + reach)


# Rounding error of the difference of two scores below 1, each of them rounded itself.
ROUNDING = 4.0 * np.finfo(np.float64).eps
_MOST_PAIRS = 1 << 18  # compared at a time


class CalibratedAccuracy(NamedTuple):
    """Pairwise accuracy at the metric's best tie threshold.

    Attributes
    ----------
    value : float
        From 0 to 1; NaN if no topic has two systems.
    threshold : float
        Scores that differ by at most this are tied; the smallest threshold with this accuracy.
    """

    value: float
    threshold: float


def pairwise_accuracy(metric: Any, human: Any, *, higher_is_better: bool = True) -> float:
    """Return the share of pairs of systems whose means the metric orders as people do.

    A pair tied by both counts as agreement, a pair tied by only one does not (Kocmi et al. 2021,
    "To Ship or Not to Ship"; ties as in Deutsch, Foster and Freitag 2023).

    Parameters
    ----------
    metric, human : array [system, topic]
        Only cells with a value in both tables count.
    higher_is_better : bool
        Direction of the metric; False negates its scores.

    Returns
    -------
    float
        NaN for fewer than two systems.

    Raises
    ------
    ValueError
        The tables differ in shape or have no cell.

    Examples
    --------
    >>> round(pairwise_accuracy([[0.1, 0.2], [0.3, 0.2], [0.2, 0.2]], [[1, 2], [2, 3], [3, 3]]), 4)
    0.6667
    >>> pairwise_accuracy([3, 2, 1], [1, 2, 3], higher_is_better=False)
    1.0
    """
    (own, reach), (people, apart) = map(arrays.system_means, _both(metric, human, higher_is_better))
    size = len(own)
    agreed, step = 0, max(1, _MOST_PAIRS // max(size, 1))
    for first in range(0, size, step):
        here, there = slice(first, first + step), slice(first, None)  # pairs with later systems
        signs = _signs(own[here, None] - own[there], reach)
        agreed += int(np.triu(signs == _signs(people[here, None] - people[there], apart), 1).sum())
    return agreed / (size * (size - 1) // 2) if size > 1 else float("nan")


def tie_calibrated_accuracy(
    metric: Any, human: Any, *, higher_is_better: bool = True
) -> CalibratedAccuracy:
    """Return pairwise accuracy within topics, where nearly equal metric scores count as tied.

    For each topic, take the share of pairs of systems that the metric orders or ties as people do,
    then the mean over topics. The tie threshold is the one that maximises this mean (Deutsch,
    Foster and Freitag 2023, "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
    Tie Calibration", grouped by item).

    Parameters
    ----------
    metric, human : array [system, topic]
        Only cells with a value in both tables count.
    higher_is_better : bool
        Direction of the metric; False negates its scores.

    Raises
    ------
    ValueError
        The tables differ in shape or have no cell.

    Examples
    --------
    >>> tie_calibrated_accuracy([[0.1], [0.15], [0.9]], [[1], [1], [2]])
    CalibratedAccuracy(value=1.0, threshold=0.04999999999999999)
    """
    (x, exponent), (y, _) = map(arrays.scaled, _both(metric, human, higher_is_better))
    rows = []
    for own, people in zip(x.T, y.T, strict=True):
        present = ~np.isnan(own)
        if (found := _differences(own[present])).size:
            order = _signs(_differences(people[present]), ROUNDING)
            rows.append(np.vstack([found, order, np.full(found.size, 1.0 / found.size)]))
    if not rows:
        return CalibratedAccuracy(float("nan"), float("nan"))
    own, order, weight = np.hstack(rows)
    value, threshold = _calibrate(own, order, weight / len(rows))
    return CalibratedAccuracy(value, float(np.ldexp(threshold, exponent)))


def _both(metric: Any, human: Any, higher_is_better: bool) -> list[Array]:
    """Return both tables in the cells that both have, the metric's negated if lower is better."""
    (x, y), _ = arrays.pair(metric=metric, human=human)
    return [*arrays.oriented([x], higher_is_better, ["metric"]), y]


def _calibrate(own: Array, order: Array, weight: Array) -> tuple[float, float]:
    """Return the best accuracy and its threshold.

    Takes the metric's differences, the human order and the weight of each pair. Differences that
    are equal up to rounding share a threshold.
    """
    agreed = np.where((np.sign(own) == order) & (order != 0), weight, 0.0)
    tied = np.where(order == 0, weight, 0.0)
    place = np.argsort(np.abs(own), kind="stable")
    sizes = np.append(0.0, np.abs(own)[place])
    last = np.append(np.diff(sizes) > ROUNDING, True)
    # Pairs up to the threshold are tied, and right if people tie them; the others are right if the
    # order agrees.
    gained = np.cumsum(np.append(0.0, (tied - agreed)[place]))[last]
    value = agreed.sum() + gained
    best = int(np.argmax(value >= value.max() - 1e-12))
    return float(value[best]), float(sizes[last][best])


def _differences(values: Array) -> Array:
    """Differences of all pairs."""
    first, second = np.triu_indices(len(values), 1)
    return values[first] - values[second]


def _signs(differences: Array, reach: float) -> Array:
    """Return the order of pairs: 1, -1, or 0 for pairs that differ by at most `reach`."""
    return np.where(np.abs(differences) <= reach, 0.0, np.sign(differences))
