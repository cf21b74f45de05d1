"""Bootstrap: intervals of correlations and Koehn's test, on resampled data.

No text is scored again: topics, systems or both are drawn with replacement from the tables. Draws
are processed in blocks, so that memory holds only one number per metric and draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from summeval._core.agreement import resampling as kernel
from summeval.meta.correlations import value_of
from summeval.meta.significance.draws import check_over, check_seed, multiplicities, tally
from summeval.meta.tables.arrays import (
    Coefficient,
    Level,
    Over,
    Table,
    check_confidence,
    check_measure,
    check_resamples,
    over_of,
    pair,
    read_table,
)
from summeval.meta.tables.design import has_topics, warn_of
from summeval.meta.tables.directions import HigherIsBetter, risen

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
    check_measure(coefficient, level)
    check_confidence(confidence)
    (a, b, z), _ = pair(metric_a=metric_a, metric_b=metric_b, human=human)
    warn_of({"metric_a": a, "metric_b": b}, {"human": z}, level, has_topics(human))
    a, b = risen([a, b], higher_is_better, ["metric_a", "metric_b"])
    if indices is None:
        check_resamples(resamples)
        seed = check_seed(seed)
        draws = multiplicities(a.shape, "topics", resamples, seed)
    else:
        counts = _given(indices, a.shape[1])
        resamples = len(counts)
        draws = iter([(np.ones((1, len(a)), dtype=np.int64), counts)])
    blocks = [
        kernel.resampled(a, z, u, v, level, coefficient)
        - kernel.resampled(b, z, u, v, level, coefficient)
        for u, v in draws
    ]
    return _compared(
        np.concatenate(blocks),
        value_of(a, z, coefficient, level),
        value_of(b, z, coefficient, level),
        confidence,
        seed if indices is None else None,
    )


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
    check_measure(coefficient, level)
    check_confidence(confidence)
    check_resamples(resamples)
    seed = check_seed(seed)
    if len(metrics) < 2:
        raise ValueError(f"{len(metrics)} metrics; give two or more to compare")
    given = {name: read_table(name, table) for name, table in metrics.items()}
    z = read_table("human", human)
    rising = risen(list(given.values()), higher_is_better, list(given))
    tables = dict(zip(given, rising, strict=True))
    known: dict[tuple[str, bytes], tuple[float, Table]] = {}

    def correlated(name: str, x: Table, y: Table) -> tuple[float, Table]:
        """The correlation of the data and those of all draws; the cells are those of `x`."""
        key = name, np.isnan(x).tobytes()
        if key not in known:
            draws = multiplicities(x.shape, "topics", resamples, seed)
            blocks = [kernel.resampled(x, y, u, v, level, coefficient) for u, v in draws]
            known[key] = value_of(x, y, coefficient, level), np.concatenate(blocks)
        return known[key]

    found = {}
    for first, second in combinations(tables, 2):
        (a, b, y), _ = pair(**{"metric_a": tables[first], "metric_b": tables[second], "human": z})
        full_a, drawn_a = correlated(first, a, y)
        full_b, drawn_b = correlated(second, b, y)
        found[first, second] = _compared(drawn_a - drawn_b, full_a, full_b, confidence, seed)
    return found


def _compared(
    differences: Table, full_a: float, full_b: float, confidence: float, seed: int | None
) -> KoehnResult:
    """The result of the differences of correlations [draw]."""
    resamples = len(differences)
    wins = int((differences > ROUNDING).sum())
    losses = int((differences < -ROUNDING).sum())
    undefined = int(np.isnan(differences).sum())
    lower, upper = percentiles(differences, confidence)
    return KoehnResult(
        wins=wins,
        ties=resamples - wins - losses - undefined,
        losses=losses,
        undefined=undefined,
        significance=wins / resamples,
        reverse=float("nan") if undefined == resamples else 1.0 - wins / resamples,
        full_a=full_a,
        full_b=full_b,
        lower=lower,
        upper=upper,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )


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
    check_measure(coefficient, level)
    check_confidence(confidence)
    check_resamples(resamples)
    seed = check_seed(seed)
    (x, z), _ = pair(metric=metric, human=human)
    warn_of({"metric": x}, {"human": z}, level, has_topics(human))
    (x,) = risen([x], higher_is_better, ["metric"])
    drawn = over_of(over, level, x.shape[1])
    return interval(x, z, coefficient, level, drawn, resamples, confidence, seed)


def interval(  # noqa: PLR0917 - all that `bootstrap_interval` has checked is needed
    x: Table,
    z: Table,
    coefficient: Coefficient,
    level: Level,
    over: Over,
    resamples: int,
    confidence: float,
    seed: int,
) -> Interval:
    """`bootstrap_interval` for checked tables and options."""
    draws = multiplicities(x.shape, over, resamples, seed)
    blocks = [kernel.resampled(x, z, u, v, level, coefficient) for u, v in draws]
    values = np.concatenate(blocks)
    lower, upper = percentiles(values, confidence)
    return Interval(
        value=value_of(x, z, coefficient, level),
        lower=lower,
        upper=upper,
        confidence=confidence,
        undefined=int(np.isnan(values).sum()),
        resamples=resamples,
        seed=seed,
        over=check_over(over),
    )


def percentiles(values: Table, confidence: float) -> tuple[float, float]:
    """The bounds that exclude (1 - confidence)/2 at each end of the non-NaN values."""
    present = values[~np.isnan(values)]
    if not len(present):
        return float("nan"), float("nan")
    tail = (1.0 - confidence) / 2.0
    lower, upper = np.quantile(present, [tail, 1.0 - tail]).tolist()
    return lower, upper


def _given(indices: Any, topics: int) -> Any:
    found = np.asarray(indices)
    if found.ndim != 2 or not found.size or not np.issubdtype(found.dtype, np.integer):
        raise ValueError("indices must be a non-empty array of whole numbers [draw, place]")
    if found.min() < 0 or found.max() >= topics:
        raise ValueError(
            f"indices has {found.min()} to {found.max()}; topics are numbered 0 to {topics - 1}"
        )
    return tally(found.astype(np.int64), topics)
