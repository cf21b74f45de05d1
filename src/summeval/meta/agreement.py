"""How often a metric orders two texts, or two systems, as people do."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from summeval.meta.tables import Table, pair


class CalibratedAccuracy(NamedTuple):
    """Pairwise accuracy with the tie threshold that suits the metric best.

    Attributes
    ----------
    value : float
        From 0 to 1; NaN where no topic has two systems.
    threshold : float
        Scores that differ by no more are tied; the least of those that give this accuracy.
    """

    value: float
    threshold: float


def pairwise_accuracy(metric: Any, human: Any) -> float:
    """The share of pairs of systems that the metric orders as people do, by their means.

    A pair that both tie counts as agreed, one that only one ties does not (Kocmi et al. 2021, "To
    Ship or Not to Ship"; ties as in Deutsch, Foster and Freitag 2023).

    Parameters
    ----------
    metric, human : array [system, topic]
        A cell counts where both have a value.

    Returns
    -------
    float
        NaN for fewer than two systems.

    Examples
    --------
    >>> round(pairwise_accuracy([[0.1, 0.2], [0.3, 0.2], [0.2, 0.2]], [[1, 2], [2, 3], [3, 3]]), 4)
    0.6667
    """
    (x, y), _ = pair(metric=metric, human=human)
    present = ~np.isnan(x)
    counts = present.sum(axis=1)
    kept = counts > 0
    means = [np.where(present, t, 0.0).sum(axis=1)[kept] / counts[kept] for t in (x, y)]
    found = _differences(*means)
    if not found.size:
        return float("nan")
    return float((np.sign(found[0]) == np.sign(found[1])).mean())


def tie_calibrated_accuracy(metric: Any, human: Any) -> CalibratedAccuracy:
    """Pairwise accuracy within topics, where metric scores that are near enough count as tied.

    Of the pairs of systems of a topic the share that the metric orders, or ties, as people do; the
    mean over topics; and of all thresholds for a tie the one that makes it greatest (Deutsch,
    Foster and Freitag 2023, "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
    Tie Calibration", grouped by item).

    Parameters
    ----------
    metric, human : array [system, topic]
        A cell counts where both have a value.

    Examples
    --------
    >>> tie_calibrated_accuracy([[0.1], [0.15], [0.9]], [[1], [1], [2]])
    CalibratedAccuracy(value=1.0, threshold=0.04999999999999999)
    """
    (x, y), _ = pair(metric=metric, human=human)
    columns = []
    for own, people in zip(x.T, y.T, strict=True):
        present = ~np.isnan(own)
        found = _differences(own[present], people[present])
        if found.size:
            columns.append(np.vstack([found, np.full(found.shape[1], 1.0 / found.shape[1])]))
    if not columns:
        return CalibratedAccuracy(float("nan"), float("nan"))
    pairs = np.hstack(columns)
    pairs[2] /= len(columns)
    return _calibrate(*pairs)


def _calibrate(own: Table, people: Table, weight: Table) -> CalibratedAccuracy:
    """The best threshold, from differences of metric and people and the weight of each pair."""
    size = np.abs(own)
    agreed = np.where((np.sign(own) == np.sign(people)) & (people != 0), weight, 0.0)
    tied = np.where(people == 0, weight, 0.0)
    # At a threshold the pairs up to it are tied, and right where people tie; those beyond it are
    # right where the order agrees.
    thresholds, group = np.unique(np.append(size, 0.0), return_inverse=True)
    sums = [np.bincount(group[:-1], weights=w, minlength=len(thresholds)) for w in (tied, agreed)]
    value = np.cumsum(sums[0]) + agreed.sum() - np.cumsum(sums[1])
    best = int(np.argmax(value >= value.max() - 1e-12))
    return CalibratedAccuracy(float(value[best]), float(thresholds[best]))


def _differences(x: Table, y: Table) -> Table:
    """Differences of all pairs: [metric and people, pair]."""
    first, second = np.triu_indices(len(x), 1)
    return np.vstack([x[first] - x[second], y[first] - y[second]])
