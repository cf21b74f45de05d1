"""Permutation and Williams tests of whether one metric agrees better with people than another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any, Literal, TypeAlias

import numpy as np

from summeval._core.agreement import resampling as kernel
from summeval._options import check_choice
from summeval.meta.correlations import value_of
from summeval.meta.significance.bootstrap import ROUNDING
from summeval.meta.significance.draws import check_seed, swapped_over, swaps
from summeval.meta.tables.arrays import (
    Coefficient,
    Level,
    Over,
    Table,
    check_measure,
    check_resamples,
    observations,
    pair,
    scaled,
)
from summeval.meta.tables.design import has_topics, warn_of
from summeval.meta.tables.directions import HigherIsBetter, risen

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


@dataclass(frozen=True)
class PermutationResult:
    """A permutation test of two metrics.

    Attributes
    ----------
    pvalue : float
        ``(count + 1) / (resamples + 1)``; NaN if the difference is undefined.
    count : int
        Permutations whose difference is at least as extreme as that of the data. Permutations
        without a correlation are included, which is conservative.
    difference : float
        Correlation of a minus correlation of b, on the original data.
    undefined : int
        Permutations in which a correlation is undefined.
    resamples, seed : int
    alternative, over : str
    """

    pvalue: float
    count: int
    difference: float
    undefined: int
    resamples: int
    seed: int
    alternative: Alternative
    over: Over


@dataclass(frozen=True)
class WilliamsResult:
    """Williams' test of two correlations that share a variable.

    Attributes
    ----------
    pvalue : float
        NaN for fewer than 4 observations, an undefined correlation, three absolute correlations
        that no three variables can have, or metrics that correlate perfectly (``r_ab`` is 1 or -1,
        up to rounding): these agree with people equally well, and the formula is 0/0.
    statistic : float
        t, with ``observations - 3`` degrees of freedom; NaN if pvalue is NaN.
    observations : int
    r_a, r_b, r_ab : float
        Correlations of a and b with people and with each other; the test uses their absolute
        values.
    alternative : str
    """

    pvalue: float
    statistic: float
    observations: int
    r_a: float
    r_b: float
    r_ab: float
    alternative: Alternative


def permutation_test(
    metric_a: Any,
    metric_b: Any,
    human: Any,
    coefficient: Coefficient = "pearson",
    level: Level = "summary",
    *,
    over: Over | None = None,
    alternative: Alternative = "two-sided",
    resamples: int = 1000,
    seed: int | None = 0,
    higher_is_better: HigherIsBetter = True,
) -> PermutationResult:
    """Test whether two metrics correlate differently with people, by swapping their scores.

    Both metrics are standardised over their cells; then a coin toss for each system (or topic, or
    both, where two swaps cancel, or cell) decides whether its scores are swapped between the
    metrics (Deutsch, Dror and Roth 2021, "A Statistical Analysis of Summarization Evaluation
    Metrics using Resampling Methods": PERM-SYSTEMS, PERM-INPUTS, PERM-BOTH). Only cells with a
    value in all three tables count.

    A test holds its level if what it swaps is independent. "systems" lets a metric be wrong about a
    system on all topics. "topics", "both" and "rows" suppose that its errors on one topic say
    nothing about the next; if they stay with the system, as they mostly do, these find far too
    much.

    Parameters
    ----------
    metric_a, metric_b, human : array [system, topic]
    coefficient : {"pearson", "spearman", "kendall"}
    level : {"summary", "system", "global"}
    over : {"systems", "inputs", "both", "rows"}, optional
        What is swapped; "topics" is a synonym of "inputs", and "rows" are the cells, at the global
        level only. Default: systems at the system level, both at the summary level, rows at the
        global level.
    alternative : {"two-sided", "greater", "less"}
        "greater": a agrees better than b.
    resamples : int
    seed : int or None
        None chooses a random one, which the result reports.
    higher_is_better : bool or two bools
        Direction of both metrics, or of each; False negates.

    Raises
    ------
    ValueError
        Incompatible tables, a metric with constant scores, or unknown options.

    Examples
    --------
    >>> human = [[1, 2], [2, 3], [4, 4], [5, 3], [5, 6]]
    >>> a, b = [[1, 1], [2, 2], [3, 4], [5, 4], [6, 6]], [[3, 1], [1, 2], [2, 3], [2, 4], [2, 2]]
    >>> found = permutation_test(a, b, human, over="systems", resamples=99)
    >>> found.difference > 0, found.pvalue == (found.count + 1) / 100
    (True, True)
    >>> permutation_test(a, b, human, level="global", resamples=99).over
    'rows'
    """
    check_measure(coefficient, level)
    check_choice("alternative", alternative, ALTERNATIVES)
    over = swapped_over(over, level)
    check_resamples(resamples)
    seed = check_seed(seed)
    (a, b, z), _ = pair(metric_a=metric_a, metric_b=metric_b, human=human)
    for name, table in (("metric_a", a), ("metric_b", b)):
        _check_varied(name, table)
    warn_of({"metric_a": a, "metric_b": b}, {"human": z}, level, has_topics(human))
    a, b = risen([a, b], higher_is_better, ["metric_a", "metric_b"])
    return permuted(a, b, z, coefficient, level, over, alternative, resamples, seed)


def permuted(  # noqa: PLR0917 - all that `permutation_test` has checked is needed
    a: Table,
    b: Table,
    z: Table,
    coefficient: Coefficient,
    level: Level,
    over: Over,
    alternative: Alternative,
    resamples: int,
    seed: int,
) -> PermutationResult:
    """`permutation_test` for checked tables and options, and metrics that are not constant."""
    a, b = standardised(a), standardised(b)
    observed = value_of(a, z, coefficient, level) - value_of(b, z, coefficient, level)
    count = undefined = 0
    a, b, z = swapped_tables([a, b, z], over)
    for rows, columns in swaps(a.shape, over, resamples, seed):
        sample = kernel.permuted(a, b, z, rows, columns, level, coefficient)
        undefined += int(np.isnan(sample).sum())
        count += int(as_extreme(sample, observed, alternative).sum())
    return result(observed, count, undefined, resamples, seed, alternative, over)


def result(  # noqa: PLR0917 - the parts of the result
    observed: float,
    count: int,
    undefined: int,
    resamples: int,
    seed: int,
    alternative: Alternative,
    over: Over,
) -> PermutationResult:
    """The result of a test from its counts."""
    return PermutationResult(
        pvalue=nan if isnan(observed) else (count + 1) / (resamples + 1),
        count=count,
        difference=observed,
        undefined=undefined,
        resamples=resamples,
        seed=seed,
        alternative=alternative,
        over=over,
    )


def williams_test(
    metric_a: Any,
    metric_b: Any,
    human: Any,
    coefficient: Coefficient = "pearson",
    level: Level = "system",
    *,
    alternative: Alternative = "two-sided",
    higher_is_better: HigherIsBetter = True,
) -> WilliamsResult:
    """Test whether two metrics correlate differently with people (Williams 1959; Steiger 1980).

    The test uses absolute correlations, so that it does not depend on the direction of a metric;
    `higher_is_better` only sets the signs in the result. It assumes normal variables and n
    independent observations, so it is not exact for rank coefficients or at the summary level.

    Parameters
    ----------
    metric_a, metric_b, human : array [system, topic]
    coefficient : {"pearson", "spearman", "kendall"}
    level : {"system", "summary", "global"}
    alternative : {"two-sided", "greater", "less"}
        "greater": a agrees better than b.
    higher_is_better : bool or two bools
        Direction of both metrics, or of each; False negates.

    Raises
    ------
    ValueError
        Incompatible tables, or unknown options.

    Examples
    --------
    >>> human = [1, 2, 3, 4, 5, 6]
    >>> found = williams_test([1, 2, 3, 5, 4, 6], [2, 1, 5, 3, 6, 3], human)
    >>> round(found.r_a, 4), round(found.r_b, 4), round(found.pvalue, 4)
    (0.9429, 0.5168, 0.1601)
    """
    check_measure(coefficient, level)
    check_choice("alternative", alternative, ALTERNATIVES)
    (a, b, z), _ = pair(metric_a=metric_a, metric_b=metric_b, human=human)
    warn_of({"metric_a": a, "metric_b": b}, {"human": z}, level, has_topics(human))
    a, b = risen([a, b], higher_is_better, ["metric_a", "metric_b"])
    return williams(a, b, z, coefficient, level, alternative)


def williams(  # noqa: PLR0917 - all that `williams_test` has checked is needed
    a: Table,
    b: Table,
    z: Table,
    coefficient: Coefficient,
    level: Level,
    alternative: Alternative = "two-sided",
) -> WilliamsResult:
    """`williams_test` for checked tables and options."""
    from scipy.special import stdtr

    sides = ((a, z), (b, z), (a, b))
    r_a, r_b, r_ab = (value_of(x, y, coefficient, level) for x, y in sides)
    n = observations(a, level)
    t = _williams_t(abs(r_a), abs(r_b), abs(r_ab), n)
    pvalue = nan
    if not isnan(t):
        signed = {"two-sided": -abs(t), "greater": -t, "less": t}[alternative]
        pvalue = float(stdtr(n - 3, signed)) * (2 if alternative == "two-sided" else 1)
    return WilliamsResult(pvalue, t, n, r_a, r_b, r_ab, alternative)


def _williams_t(r_a: float, r_b: float, r_ab: float, n: int) -> float:
    # If |r_ab| = 1, numerator and denominator are only the rounding errors of r_a and r_b.
    if n < 4 or isnan(r_a + r_b + r_ab) or r_ab >= 1.0 - ROUNDING:
        return nan
    if r_a == r_b:
        return 0.0
    determinant = 1.0 - r_a**2 - r_b**2 - r_ab**2 + 2.0 * r_a * r_b * r_ab
    spread = 2.0 * determinant * (n - 1) / (n - 3) + ((r_a + r_b) / 2.0) ** 2 * (1.0 - r_ab) ** 3
    if spread <= 0.0:
        return nan  # absolute values that no three variables have; one correlation was negative
    return (r_a - r_b) * sqrt((n - 1) * (1.0 + r_ab) / spread)


def _check_varied(name: str, table: Table) -> None:
    scores = table[~np.isnan(table)]
    if len(scores) and scores.min() == scores.max():
        raise ValueError(
            f"{name} is {scores[0]} in all {len(scores)} cells; test a metric that varies"
        )


def swapped_tables(tables: Sequence[Table], over: Over) -> list[Table]:
    """The tables; if rows are swapped, with a row of its own for each cell that has a value.

    >>> swapped_tables([np.array([[1.0, np.nan], [2.0, 3.0]])], "rows")[0].tolist()
    [[1.0], [2.0], [3.0]]
    """
    if over != "rows":
        return list(tables)
    return [table[~np.isnan(table)].reshape(-1, 1) for table in tables]


def standardised(table: Table) -> Table:
    """The scores with mean 0 and variance 1 over all cells; unchanged without any."""
    if not np.isfinite(table).any():
        return table
    # Divide by the range first, so that no square overflows or underflows.
    table, _ = scaled(table)
    least = np.nanmin(table)
    shifted = (table - least) / (np.nanmax(table) - least)
    return np.ascontiguousarray((shifted - np.nanmean(shifted)) / np.nanstd(shifted))


def as_extreme(sample: Any, observed: Any, alternative: Alternative) -> Any:
    """For each permuted difference whether it is at least as extreme as that of the data.

    An undefined one is, which is conservative.

    >>> as_extreme(np.array([0.1, -0.3, np.nan]), 0.2, "two-sided").tolist()
    [False, True, True]
    """
    if alternative == "two-sided":
        return ~(np.abs(sample) < np.abs(observed) - ROUNDING)
    sign = -1 if alternative == "less" else 1
    return ~(sample * sign < observed * sign - ROUNDING)
