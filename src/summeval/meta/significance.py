"""Bootstrap intervals, and tests of whether one metric agrees better with people than another.

Of two systems, paired tests by the sums of their rows, as sacrebleu draws them: Koehn 2004,
"Statistical significance tests for machine translation evaluation", section 3.3 (the bootstrap);
Riezler and Maxwell 2005, "On some pitfalls in automatic evaluation and significance testing for
MT", section 3 (approximate randomization).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan, nan, sqrt
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._core.agreement import resampling as kernel
from summeval._core.rows.record import Score
from summeval._options import check_choice, check_whole
from summeval.meta import arrays, resampling
from summeval.meta.arrays import Coefficient, Level, Over, observations
from summeval.meta.correlations import value_of
from summeval.meta.resampling import Design
from summeval.metrics.run.base import Metric
from summeval.metrics.run.corpus import PART, SEED, Formula, resampled
from summeval.table.cells import Array
from summeval.table.scores import HigherIsBetter

ROUNDING = 1e-12  # differences of correlations up to this are ties


@dataclass(frozen=True)
class Interval:
    """A correlation with bootstrap bounds.

    Attributes
    ----------
    value : float
        Correlation of the original data.
    lower, upper : float
        Percentiles over the draws; NaN if no draw has a correlation.
    confidence : float
    undefined : int
        Draws without a correlation (a constant vector); the percentiles exclude them.
    resamples, seed : int
    over : str
        What was resampled: "topics", "systems" or "both".
    """

    value: float
    lower: float
    upper: float
    confidence: float
    undefined: int
    resamples: int
    seed: int
    over: Over


@dataclass(frozen=True)
class KoehnResult:
    """Koehn's test of whether metric a agrees better with people than metric b.

    Attributes
    ----------
    wins, ties, losses, undefined : int
        Numbers of draws in which the correlation of a is greater, equal (to 1e-12), less, or one of
        the two is undefined (a constant vector). Undefined draws do not count as wins.
    significance : float
        ``wins / resamples``. It is a win rate, not a p-value.
    reverse : float
        ``1 - significance``; NaN if all draws are undefined, which says nothing for b.
    full_a, full_b : float
        Correlations of the original data.
    lower, upper : float
        Percentile bounds of the difference a - b over the draws where it is defined.
    confidence : float
        Confidence of these bounds.
    resamples : int
    seed : int or None
        None if the draws were given.
    """

    wins: int
    ties: int
    losses: int
    undefined: int
    significance: float
    reverse: float
    full_a: float
    full_b: float
    lower: float
    upper: float
    confidence: float
    resamples: int
    seed: int | None


def koehn_test(  # noqa: PLR0917 - the fixed signature
    metric_a: Any,
    metric_b: Any,
    human: Any,
    coefficient: Coefficient = "pearson",
    resamples: int = 1000,
    seed: int | None = 0,
    indices: Any = None,
    *,
    level: Level = "system",
    confidence: float = 0.95,
    higher_is_better: HigherIsBetter = True,
) -> KoehnResult:
    """Test how often metric a agrees better with people than metric b on resampled topics.

    Each draw takes as many topics as there are, with replacement, then the mean metric and human
    scores of each system over them, then one correlation over systems (Koehn 2004, "Statistical
    Significance Tests for Machine Translation Evaluation", applied to metrics instead of systems).
    Only cells with a value in all three tables count.

    Parameters
    ----------
    metric_a, metric_b, human : array [system, topic]
    coefficient : {"pearson", "spearman", "kendall"}
    resamples : int
    seed : int or None
        Seed of the draws; None chooses a random one, which the result reports.
    indices : array [draw, place], optional
        The topics of each draw, numbered from 0, instead of random draws.
    level : {"system", "summary", "global"}
    confidence : float
        Confidence of the bounds of the difference, between 0 and 1.
    higher_is_better : bool or two bools
        Direction of both metrics, or of each; False negates.

    Raises
    ------
    ValueError
        Incompatible tables, or indices outside the topics.

    Examples
    --------
    >>> human = [[1, 2, 1], [2, 3, 3], [4, 4, 5]]
    >>> good, poor = [[1, 1, 1], [2, 2, 3], [3, 4, 4]], [[3, 1, 2], [1, 2, 2], [2, 3, 2]]
    >>> found = koehn_test(good, poor, human)
    >>> found.wins, found.ties, found.significance, found.seed
    (709, 0, 0.709, 0)
    """
    arrays.check_confidence(confidence)
    given = {"metric_a": metric_a, "metric_b": metric_b}
    (a, b), z, _ = arrays.prepared(given, human, coefficient, level, higher_is_better)
    if indices is None:
        arrays.check_resamples(resamples)
        seed = resampling.check_seed(seed)
        draws = resampling.multiplicities(z.shape, "topics", resamples, seed)
    else:
        seed = None
        draws = iter([(np.ones((1, len(z)), dtype=np.int64), _given(indices, z.shape[1]))])
    differences = [
        kernel.resampled(a, z, u, v, level, coefficient)
        - kernel.resampled(b, z, u, v, level, coefficient)
        for u, v in draws
    ]
    full_a, full_b = (value_of(x, z, coefficient, level) for x in (a, b))
    return _compared(np.concatenate(differences), full_a, full_b, confidence, seed)


def koehn_tests(
    metrics: Mapping[str, Any],
    human: Any,
    coefficient: Coefficient = "pearson",
    resamples: int = 1000,
    seed: int | None = 0,
    *,
    level: Level = "system",
    confidence: float = 0.95,
    higher_is_better: HigherIsBetter | None = None,
) -> dict[tuple[str, str], KoehnResult]:
    """Return `koehn_test` of every pair of metrics, from shared draws of topics.

    The numbers are those of single calls with the same seed. Each metric is correlated once for
    each draw and each set of cells, rather than once for each pair.

    Parameters
    ----------
    metrics : mapping of str to array [system, topic]
    human : array [system, topic]
    coefficient, resamples, seed, level, confidence
        As in `koehn_test`.
    higher_is_better : bool, sequence of bool or mapping of str to bool, optional
        Direction of the metrics; by default that of registered names, as in `compare`.

    Returns
    -------
    dict of (str, str) to KoehnResult
        For each pair of names, in the order of the metrics.

    Raises
    ------
    ValueError
        Fewer than two metrics, incompatible tables, or unknown options.

    Examples
    --------
    >>> human = [[1, 2, 1], [2, 3, 3], [4, 4, 5]]
    >>> good, poor = [[1, 1, 1], [2, 2, 3], [3, 4, 4]], [[3, 1, 2], [1, 2, 2], [2, 3, 2]]
    >>> found = koehn_tests({"good": good, "poor": poor}, human)
    >>> found["good", "poor"].wins
    709
    """
    design = Design(coefficient, level, "topics", resamples, seed, confidence).checked()
    if len(metrics) < 2:
        raise ValueError(f"{len(metrics)} metrics; give two or more to compare")
    given = [arrays.read_table(name, table) for name, table in metrics.items()]
    z = arrays.read_table("human", human)
    tables = dict(
        zip(metrics, arrays.oriented(given, higher_is_better, list(metrics)), strict=True)
    )
    known: dict[tuple[str, bytes], tuple[float, Array]] = {}
    found = {}
    for names in combinations(tables, 2):
        (a, b, y), _ = arrays.pair(metric_a=tables[names[0]], metric_b=tables[names[1]], human=z)
        cells = np.isnan(y).tobytes()
        for name, x in zip(names, (a, b), strict=True):
            if (name, cells) not in known:
                drawn = _drawn(x, y, design, "topics")
                known[name, cells] = value_of(x, y, coefficient, level), drawn
        (full_a, drawn_a), (full_b, drawn_b) = (known[name, cells] for name in names)
        found[names] = _compared(drawn_a - drawn_b, full_a, full_b, confidence, design.seed)
    return found


def _drawn(x: Array, z: Array, design: Design, over: Over) -> Array:
    """Return the correlation of each draw."""
    draws = resampling.multiplicities(x.shape, over, design.resamples, design.seed)
    measure = design.level, design.coefficient
    return np.concatenate([kernel.resampled(x, z, u, v, *measure) for u, v in draws])


def _compared(
    differences: Array, full_a: float, full_b: float, confidence: float, seed: int | None
) -> KoehnResult:
    """Return the result of the differences of correlations [draw]."""
    resamples, signs = len(differences), (differences > ROUNDING, differences < -ROUNDING)
    wins, losses, undefined = (int(kind.sum()) for kind in (*signs, np.isnan(differences)))
    counts = wins, resamples - wins - losses - undefined, losses, undefined
    reverse = nan if undefined == resamples else 1.0 - wins / resamples
    bounds = resampling.percentiles(differences, confidence)
    rates = wins / resamples, reverse, full_a, full_b
    return KoehnResult(*counts, *rates, *bounds, confidence, resamples, seed)


def bootstrap_interval(
    metric: Any,
    human: Any,
    coefficient: Coefficient = "pearson",
    level: Level = "summary",
    *,
    over: Over | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int | None = 0,
    higher_is_better: bool = True,
) -> Interval:
    """Return the percentile interval of a correlation over resampled systems, topics or both.

    Resampling topics estimates the same systems on new topics; resampling both estimates new
    systems on new topics (Deutsch, Dror and Roth 2021, "A Statistical Analysis of Summarization
    Evaluation Metrics using Resampling Methods", BOOT-INPUTS and BOOT-BOTH).

    Parameters
    ----------
    metric, human : array [system, topic]
    coefficient : {"pearson", "spearman", "kendall"}
    level : {"summary", "system", "global"}
    over : {"topics", "systems", "both"}, optional
        What is resampled; "inputs" is a synonym of "topics". Default: topics at the summary level
        (if there are several), both at the other levels.
    resamples : int
    confidence : float
        Between 0 and 1.
    seed : int or None
        None chooses a random one, which the result reports.
    higher_is_better : bool
        Direction of the metric; False negates its scores.

    Raises
    ------
    ValueError
        Incompatible tables or invalid options.

    Examples
    --------
    >>> human = [[1, 2, 1], [2, 3, 3], [4, 4, 5], [3, 5, 5]]
    >>> metric = [[1, 3, 1], [2, 2, 3], [3, 4, 4], [4, 4, 5]]
    >>> found = bootstrap_interval(metric, human, over="topics")
    >>> found.lower <= found.value <= found.upper, found.over, found.seed
    (True, 'topics', 0)
    """
    design = Design(coefficient, level, over, resamples, seed, confidence).checked()
    (x,), z, _ = arrays.prepared({"metric": metric}, human, coefficient, level, higher_is_better)
    return interval(x, z, design)


def interval(x: Array, z: Array, design: Design) -> Interval:
    """`bootstrap_interval` for checked tables and options."""
    coefficient, level, over, resamples, seed, confidence = design
    over = resampling.check_over(arrays.over_of(over, level, x.shape[1]))
    values = _drawn(x, z, design, over)
    bounds, undefined = resampling.percentiles(values, confidence), int(np.isnan(values).sum())
    value = value_of(x, z, coefficient, level)
    return Interval(value, *bounds, confidence, undefined, resamples, seed, over)


def _given(indices: Any, topics: int) -> Any:
    found = np.asarray(indices)
    if found.ndim != 2 or not found.size or not np.issubdtype(found.dtype, np.integer):
        raise ValueError("indices must be a non-empty array of whole numbers [draw, place]")
    if found.min() < 0 or found.max() >= topics:
        raise ValueError(
            f"indices has {found.min()} to {found.max()}; topics are numbered 0 to {topics - 1}"
        )
    return resampling.tally(found.astype(np.int64), topics)


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
    design = Design(coefficient, level, over, resamples, seed).checked()
    check_choice("alternative", alternative, ALTERNATIVES)
    given = {"metric_a": metric_a, "metric_b": metric_b}
    for name, table in zip(given, arrays.pair(**given, human=human).tables, strict=False):
        scores = table[~np.isnan(table)]
        if len(scores) and scores.min() == scores.max():
            same = f"{scores[0]} in all {len(scores)} cells"
            raise ValueError(f"{name} is {same}; test a metric that varies")
    tables, z, _ = arrays.prepared(given, human, coefficient, level, higher_is_better)
    return tested_pairs([*given], tables, z, design, alternative)["metric_a", "metric_b"]


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
    check_choice("alternative", alternative, ALTERNATIVES)
    given = {"metric_a": metric_a, "metric_b": metric_b}
    (a, b), z, _ = arrays.prepared(given, human, coefficient, level, higher_is_better)
    return williams(a, b, z, coefficient, level, alternative)


def williams(  # noqa: PLR0917 - all that `williams_test` has checked is needed
    a: Array,
    b: Array,
    z: Array,
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


def swapped_tables(tables: Sequence[Array], over: Over) -> list[Array]:
    """Return the tables; if rows are swapped, with a row of its own for each cell that has a value.

    >>> swapped_tables([np.array([[1.0, np.nan], [2.0, 3.0]])], "rows")[0].tolist()
    [[1.0], [2.0], [3.0]]
    """
    if over != "rows":
        return list(tables)
    return [table[~np.isnan(table)].reshape(-1, 1) for table in tables]


def standardised(table: Array) -> Array:
    """Return the scores with mean 0 and variance 1 over all cells; unchanged without any."""
    if not np.isfinite(table).any():
        return table
    # Divide by the range first, so that no square overflows or underflows.
    table, _ = arrays.scaled(table)
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


_MOST_NUMBERS = 1 << 22  # permuted differences held at a time


@dataclass(frozen=True)
class PermutationTests(Mapping[tuple[str, str], PermutationResult]):
    """Tests of every pair of metrics: a mapping of (name, name), in either order, to its test.

    Attributes
    ----------
    names : tuple of str
    pvalues : array [metric, metric]
        The row's metric is the first of the pair; NaN on the diagonal and where it is undefined.
    differences : array [metric, metric]
        Correlation of the row's metric minus that of the column's.
    counts, undefined : array [metric, metric] of int
        See `PermutationResult`.
    resamples, seed : int
    alternative, over : str
    """

    names: tuple[str, ...]
    pvalues: Array
    differences: Array
    counts: NDArray[np.int64]
    undefined: NDArray[np.int64]
    resamples: int
    seed: int
    alternative: Alternative
    over: Over

    def __getitem__(self, names: tuple[str, str]) -> PermutationResult:
        try:
            first, second = (self.names.index(name) for name in names)
        except (TypeError, ValueError):
            first = second = 0
        if first == second:
            raise KeyError(f"{names!r} is not a pair of {', '.join(self.names)}")
        tables = self.pvalues, self.counts, self.differences, self.undefined
        p, count, difference, undefined = (table[first, second].item() for table in tables)
        settings = self.resamples, self.seed, self.alternative, self.over
        return PermutationResult(p, count, difference, undefined, *settings)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return combinations(self.names, 2)

    def __len__(self) -> int:
        return len(self.names) * (len(self.names) - 1) // 2


def permutation_tests(
    metrics: Mapping[str, Any],
    human: Any,
    coefficient: Coefficient = "pearson",
    level: Level = "summary",
    *,
    over: Over | None = None,
    alternative: Alternative = "two-sided",
    resamples: int = 1000,
    seed: int | None = 0,
    higher_is_better: HigherIsBetter | None = None,
) -> PermutationTests:
    """`permutation_test` of every pair of metrics, from the same draws.

    The p-values are those of single tests with the same seed on the same cells: those in which
    every metric and people have a value.

    Parameters
    ----------
    metrics : mapping of str to array [system, topic]
    human : array [system, topic]
    coefficient, level, over, alternative, resamples, seed
        As for `permutation_test`.
    higher_is_better : bool, sequence of bool or mapping of str to bool, optional
        As for `compare`.

    Returns
    -------
    PermutationTests
        NaN for pairs with a metric whose scores are all equal.

    Raises
    ------
    TypeError
        The metrics have no names.
    ValueError
        Fewer than two metrics, incompatible tables, or unknown options.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> human = np.arange(40.0).reshape(8, 5)
    >>> good, bad = (human + reach * rng.random((8, 5)) for reach in (1, 90))
    >>> found = permutation_tests({"good": good, "bad": bad}, human, "spearman", "system")
    >>> bool(found["good", "bad"].pvalue == found.pvalues[1, 0] < 0.05)
    True
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    design = Design(coefficient, level, over, resamples, seed).checked()
    if isinstance(metrics, Mapping) and len(names := [*metrics]) == 1:
        raise ValueError(f"one metric, {names[0]!r}; give two or more")
    tables, z, _ = arrays.prepared(metrics, human, coefficient, level, higher_is_better)
    return tested_pairs(list(metrics), tables, z, design, alternative)


def tested_pairs(
    names: Sequence[str],
    tables: Sequence[Array],
    z: Array,
    design: Design,
    alternative: Alternative = "two-sided",
) -> PermutationTests:
    """`permutation_tests` for checked tables on the same cells, and checked options."""
    coefficient, level, over, resamples, seed, _ = design
    over = resampling.swapped_over(over, level)
    size = len(names)
    varied = [k for k, table in enumerate(tables) if arrays.varies(table)]
    stacked = np.ascontiguousarray([standardised(tables[k]) for k in varied])
    values = np.full(size, np.nan)
    values[varied] = [value_of(table, z, coefficient, level) for table in stacked]
    differences = values[:, None] - values[None, :]
    np.fill_diagonal(differences, np.nan)
    counts, undefined = (np.zeros((size, size), dtype=np.int64) for _ in range(2))
    places = np.array(list(combinations(range(len(varied)), 2)), dtype=np.int64).reshape(-1, 2)
    *swapped, z = swapped_tables([*stacked, z], over)
    stacked = np.ascontiguousarray(swapped).reshape(len(varied), *z.shape)
    for rows, columns in resampling.swaps(z.shape, over, resamples, seed):
        step = max(1, _MOST_NUMBERS // len(rows))
        for start in range(0, len(places), step):
            some = places[start : start + step]
            sample = kernel.permuted_pairs(stacked, z, some, rows, columns, level, coefficient)
            i, j = np.array(varied)[some.T]
            observed = differences[i, j][:, None]
            counts[i, j] += as_extreme(sample, observed, alternative).sum(axis=1)
            counts[j, i] += as_extreme(-sample, -observed, alternative).sum(axis=1)
            undefined[i, j] += np.isnan(sample).sum(axis=1)
    undefined += undefined.T
    pvalues = np.where(np.isnan(differences), np.nan, (counts + 1) / (resamples + 1))
    return PermutationTests(
        tuple(names), pvalues, differences, counts, undefined, resamples, seed, alternative, over
    )


TESTS = ("bootstrap", "randomization")


def paired_test(
    metric: Metric,
    baseline: Any,
    candidates: Any,
    references: Any = None,
    *,
    test: str = "bootstrap",
    samples: int = 1000,
    seed: int | None = None,
    sources: Any = None,
    workers: int = 1,
) -> Score:
    """Test whether two systems differ in the score of a corpus; each row is scored once.

    Parameters
    ----------
    metric : Metric
        Of sums, such as BLEU, or of the mean of rows.
    baseline, candidates : sequences of str
        The texts of two systems, row by row.
    references, sources
        As for `score_batch`. Rows that have no score on one side are left out.
    test : {"bootstrap", "randomization"}
        Rows are drawn again with replacement, or exchanged between the systems by chance.
    samples : int
    seed : int, optional
        12345 by default, as in sacrebleu; the draws and p are its own.

    Returns
    -------
    Score
        `value` of the candidates, `baseline`, `difference`, and the two-sided `p_value`, of which
        1 / (samples + 1) is the least.

    Raises
    ------
    ValueError
        An unknown test, no samples, sides of other lengths, or no row with scores on both sides.

    Examples
    --------
    >>> import summeval
    >>> metric = summeval.metric("chrf")
    >>> references = ["rain falls", "a cat sat", "dogs bark"] * 9
    >>> found = paired_test(metric, ["rain", "a cat", "dogs"] * 9, references, references)
    >>> found.value, round(found.difference, 3), round(found.p_value, 3)
    (1.0, 0.581, 0.001)
    """
    check_choice("test", test, TESTS)
    check_whole("samples", samples, 1)
    sides = [
        metric.statistics(texts, references, sources=sources, workers=workers)
        for texts in (candidates, baseline)
    ]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"candidates have {len(sides[0])} rows and baseline {len(sides[1])}; give the same rows"
        )
    kept = ~np.isnan(np.hstack(sides)).any(axis=1)
    if not kept.any():
        raise ValueError("no row has scores of both systems; give texts and references")
    own, other = (side[kept] for side in sides)
    return tested(metric, (own, other), test, samples, seed)


def tested(
    metric: Formula, sides: tuple[Array, Array], test: str, samples: int, seed: int | None
) -> Score:
    """Return the test of a system and a baseline from their statistics, [row, statistic]."""
    own, other = sides
    place = metric.fields.index(metric.primary)

    def values(sums: Array) -> Array:
        return metric.of_sums(sums)[:, place]

    first, second = (float(values(side.sum(axis=0)[None])[0]) for side in (own, other))
    size = abs(first - second)
    width, bootstrap = own.shape[1], test == "bootstrap"
    if bootstrap:
        parts = resampled(np.hstack([own, other]), samples, seed)
        pairs: Iterable[tuple[Array, Array]] = (
            (sums[:, :width], sums[:, width:]) for sums in parts
        )
    else:
        pairs = _exchanged(own, other, samples, seed)
    drawn = np.concatenate([abs(values(a) - values(b)) for a, b in pairs])
    drawn -= drawn.mean() if bootstrap else 0.0
    p_value = (int((drawn > size).sum()) + 1) / (samples + 1)
    fields = ("value", "baseline", "difference", "p_value")
    return Score(fields, (first, second, first - second, p_value), "value")


def _exchanged(
    own: Array, other: Array, samples: int, seed: int | None
) -> Iterator[tuple[Array, Array]]:
    """Yield the sums of both sides with some rows exchanged, in parts [sample, statistic]."""
    generator = np.random.default_rng(SEED if seed is None else seed)
    # The generator takes 32 draws of a number; so the parts have the draws of a single call.
    step = max(1, PART // len(own) // 32) * 32
    every = own.sum(axis=0) + other.sum(axis=0)
    for begin in range(0, samples, step):
        size = (min(step, samples - begin), len(own))
        chosen = generator.integers(2, size=size, dtype=bool).astype(np.float64)
        sums = own.sum(axis=0) + chosen @ (other - own)
        yield sums, every - sums
