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
from typing import Any

import numpy as np

from summeval._core.agreement import resampling as kernel
from summeval._options import check_choice
from summeval.meta.tables.arrays import (
    Coefficient,
    DesignWarning,
    Level,
    Table,
    check_confidence,
    check_measure,
    observations,
    pair,
)
from summeval.meta.tables.design import has_topics, warn_of
from summeval.meta.tables.directions import HigherIsBetter, risen


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
        notes = []
        for table, count in (("metric", self.metric_lacks), ("human", self.human_lacks)):
            if count:
                cells = f"{count} cell{'s' * (count > 1)}"
                notes.append(f"{cells} left out: only the {table} has no value there")
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
    found = _found(metric, human, coefficient, level, higher_is_better)
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
    return _found(metric, human, coefficient, level, higher_is_better)


def _found(
    metric: Any,
    human: Any,
    coefficient: Coefficient,
    level: Level,
    higher_is_better: HigherIsBetter,
) -> Correlation:
    """Implement `correlate`; warnings point at its caller."""
    check_measure(coefficient, level)
    (x, y), lacking = pair(metric=metric, human=human)
    warn_of({"metric": x}, {"human": y}, level, has_topics(human), stacklevel=4)
    (x,) = risen([x], higher_is_better, ["metric"])
    return measured(x, y, coefficient, level, lacking)


def measured(
    x: Table,
    y: Table,
    coefficient: Coefficient,
    level: Level,
    lacking: Sequence[int] = (0, 0),
) -> Correlation:
    """The correlation of tables checked by `pair`, with its counts."""
    metric_lacks, human_lacks = lacking
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
        empty=x.size - cells - metric_lacks - human_lacks,
        metric_lacks=metric_lacks,
        human_lacks=human_lacks,
        skipped=skipped,
        observations=observations(x, level),
    )


def value_of(x: Table, y: Table, coefficient: Coefficient, level: Level) -> float:
    """The correlation of tables checked by `pair`."""
    systems, topics = (np.ones((1, size), dtype=np.int64) for size in x.shape)
    return float(kernel.resampled(x, y, systems, topics, level, coefficient)[0])


def topic_values(x: Table, y: Table, coefficient: Coefficient) -> Table:
    """The coefficient of each topic, NaN if undefined, of tables checked by `pair`."""
    return kernel.by_topic(x, y, coefficient)


def fisher_interval(
    value: float,
    observations: int,
    coefficient: Coefficient = "pearson",
    confidence: float = 0.95,
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
    check_confidence(confidence)
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
