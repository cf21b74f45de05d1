"""Pairwise accuracy: how often a metric orders two texts or systems as people do."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from summeval.meta.tables.arrays import Table, pair, scaled, system_means
from summeval.meta.tables.directions import risen

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
    (x, y), _ = pair(metric=metric, human=human)
    (x,) = risen([x], higher_is_better, ["metric"])
    (own, reach), (people, apart) = (system_means(table) for table in (x, y))
    size = len(own)
    agreed, step = 0, max(1, _MOST_PAIRS // max(size, 1))
    for first in range(0, size, step):
        here, there = slice(first, first + step), slice(first, None)  # pairs with later systems
        mine = _signs(own[here, None] - own[there], reach)
        agreed += int(np.triu(mine == _signs(people[here, None] - people[there], apart), 1).sum())
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
    (x, y), _ = pair(metric=metric, human=human)
    (x,) = risen([x], higher_is_better, ["metric"])
    (x, exponent), (y, _) = scaled(x), scaled(y)
    rows = []
    for own, people in zip(x.T, y.T, strict=True):
        present = ~np.isnan(own)
        found = _differences(own[present])
        if found.size:
            order = _signs(_differences(people[present]), ROUNDING)
            rows.append(np.vstack([found, order, np.full(found.size, 1.0 / found.size)]))
    if not rows:
        return CalibratedAccuracy(float("nan"), float("nan"))
    own, order, weight = np.hstack(rows)
    value, threshold = _calibrate(own, order, weight / len(rows))
    return CalibratedAccuracy(value, float(np.ldexp(threshold, exponent)))


def _calibrate(own: Table, order: Table, weight: Table) -> tuple[float, float]:
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


def _differences(values: Table) -> Table:
    """Differences of all pairs."""
    first, second = np.triu_indices(len(values), 1)
    difference: Table = values[first] - values[second]
    return difference


def _signs(differences: Table, reach: float) -> Table:
    """The order of pairs: 1, -1, or 0 for pairs that differ by at most `reach`."""
    order: Table = np.where(np.abs(differences) <= reach, 0.0, np.sign(differences))
    return order
