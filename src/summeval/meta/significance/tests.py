"""Whether one metric agrees better with people than another: permutation and Williams tests."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any, Literal, TypeAlias

import numpy as np

from summeval._core.agreement import resampling as kernel
from summeval._options import check_choice
from summeval.meta.correlations import value_of
from summeval.meta.significance.bootstrap import ROUNDING
from summeval.meta.significance.draws import check_over, check_seed, swaps
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
        ``(count + 1) / (resamples + 1)``; NaN where the difference is undefined.
    count : int
        Permutations whose difference is at least as extreme as that of the data; those without a
        correlation are counted among them, which errs on the safe side.
    difference : float
        Correlation of a less that of b, of the data as they are.
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
        NaN for fewer than 4 observations, an undefined correlation, three sizes of correlations
        that cannot go together, or metrics that correlate perfectly (``r_ab`` is 1 or -1, up to
        rounding): they agree with people equally well, and the formula is 0/0.
    statistic : float
        t, with ``observations - 3`` degrees of freedom; NaN where pvalue is.
    observations : int
    r_a, r_b, r_ab : float
        Correlations of a and b with people and with each other; the test takes their sizes.
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
    over: Over = "both",
    alternative: Alternative = "two-sided",
    resamples: int = 1000,
    seed: int | None = 0,
    higher_is_better: HigherIsBetter = True,
) -> PermutationResult:
    """Whether the correlations of two metrics with people differ, by swapping their scores.

    Both metrics are standardised over their cells; then the scores of each system (or on each
    topic, or both, which swaps a cell twice back) change metric by the toss of a coin (Deutsch,
    Dror and Roth 2021, "A Statistical Analysis of Summarization Evaluation Metrics using Resampling
    Methods": PERM-SYSTEMS, PERM-INPUTS, PERM-BOTH). A cell counts where all three tables have a
    value.

    Parameters
    ----------
    metric_a, metric_b, human : array [system, topic]
    coefficient : {"pearson", "spearman", "kendall"}
    level : {"summary", "system", "global"}
    over : {"systems", "inputs", "both"}
        What is swapped; "topics" is another word for inputs.
    alternative : {"two-sided", "greater", "less"}
        "greater": a agrees better than b.
    resamples : int
    seed : int or None
        None takes one by chance. The result repeats it.
    higher_is_better : bool or two bools
        Of both metrics, or of each; one of which lower is better is negated.

    Raises
    ------
    ValueError
        For tables that do not fit, a metric with equal scores throughout, or unknown options.

    Examples
    --------
    >>> human = [[1, 2], [2, 3], [4, 4], [5, 3], [5, 6]]
    >>> a, b = [[1, 1], [2, 2], [3, 4], [5, 4], [6, 6]], [[3, 1], [1, 2], [2, 3], [2, 4], [2, 2]]
    >>> found = permutation_test(a, b, human, over="systems", resamples=99)
    >>> found.difference > 0, found.pvalue == (found.count + 1) / 100
    (True, True)
    """
    check_measure(coefficient, level)
    check_choice("alternative", alternative, ALTERNATIVES)
    over = check_over(over)
    check_resamples(resamples)
    seed = check_seed(seed)
    (a, b, z), _ = pair(metric_a=metric_a, metric_b=metric_b, human=human)
    for name, table in (("metric_a", a), ("metric_b", b)):
        _check_varied(name, table)
    warn_of({"metric_a": a, "metric_b": b}, {"human": z}, level, has_topics(human))
    a, b = risen([a, b], higher_is_better, ["metric_a", "metric_b"])
    return permuted(a, b, z, coefficient, level, over, alternative, resamples, seed)


def permuted(  # noqa: PLR0917 - what `permutation_test` has checked, all of it needed
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
    """`permutation_test` of tables and options that have been checked, no metric constant."""
    a, b = _standardised(a), _standardised(b)
    observed = value_of(a, z, coefficient, level) - value_of(b, z, coefficient, level)
    count = undefined = 0
    for rows, columns in swaps(a.shape, over, resamples, seed):
        sample = kernel.permuted(a, b, z, rows, columns, level, coefficient)
        undefined += int(np.isnan(sample).sum())
        count += int((~(_extremity(sample, alternative) < _reach(observed, alternative))).sum())
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
    """Whether two metrics correlate differently with the same people (Williams 1959; Steiger 1980).

    It takes the sizes of the correlations, so that the test is the same whichever way a metric
    points; `higher_is_better` gives those of the result their signs. It assumes normal variables
    and n independent observations: exact for neither rank coefficients nor the summary level.

    Parameters
    ----------
    metric_a, metric_b, human : array [system, topic]
    coefficient : {"pearson", "spearman", "kendall"}
    level : {"system", "summary", "global"}
    alternative : {"two-sided", "greater", "less"}
        "greater": a agrees better than b.
    higher_is_better : bool or two bools
        Of both metrics, or of each; one of which lower is better is negated.

    Raises
    ------
    ValueError
        For tables that do not fit, or unknown options.

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


def williams(  # noqa: PLR0917 - what `williams_test` has checked, all of it needed
    a: Table,
    b: Table,
    z: Table,
    coefficient: Coefficient,
    level: Level,
    alternative: Alternative = "two-sided",
) -> WilliamsResult:
    """`williams_test` of tables and options that have been checked."""
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
    # Of two metrics with |r_ab| = 1 nothing is left to divide but the rounding of r_a and r_b.
    if n < 4 or isnan(r_a + r_b + r_ab) or r_ab >= 1.0 - ROUNDING:
        return nan
    if r_a == r_b:
        return 0.0
    determinant = 1.0 - r_a**2 - r_b**2 - r_ab**2 + 2.0 * r_a * r_b * r_ab
    spread = 2.0 * determinant * (n - 1) / (n - 3) + ((r_a + r_b) / 2.0) ** 2 * (1.0 - r_ab) ** 3
    if spread <= 0.0:
        return nan  # sizes that no three variables have, where one correlation was negative
    return (r_a - r_b) * sqrt((n - 1) * (1.0 + r_ab) / spread)


def _check_varied(name: str, table: Table) -> None:
    scores = table[~np.isnan(table)]
    if len(scores) and scores.min() == scores.max():
        raise ValueError(
            f"{name} is {scores[0]} in all {len(scores)} cells; a constant metric cannot be tested"
        )


def _standardised(table: Table) -> Table:
    if not np.isfinite(table).any():
        return table
    # By the range first: no square then leaves that of a double.
    table, _ = scaled(table)
    least = np.nanmin(table)
    shifted = (table - least) / (np.nanmax(table) - least)
    return np.ascontiguousarray((shifted - np.nanmean(shifted)) / np.nanstd(shifted))


def _extremity(sample: Table, alternative: Alternative) -> Table:
    return np.abs(sample) if alternative == "two-sided" else sample * _sign(alternative)


def _reach(observed: float, alternative: Alternative) -> float:
    size = abs(observed) if alternative == "two-sided" else observed * _sign(alternative)
    return size - ROUNDING


def _sign(alternative: Alternative) -> int:
    return -1 if alternative == "less" else 1
