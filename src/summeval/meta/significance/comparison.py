"""Comparison of many metrics on the same human scores: intervals, tests, letters, clusters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice, check_inner_share
from summeval.meta.correlations import Correlation, measured
from summeval.meta.significance.bootstrap import Interval, interval
from summeval.meta.significance.draws import check_seed, swapped_over
from summeval.meta.significance.multiple import bonferroni, clusters, holm, letters
from summeval.meta.significance.pairs import tested_pairs
from summeval.meta.significance.tests import williams
from summeval.meta.tables.arrays import (
    Coefficient,
    Level,
    Over,
    Table,
    check_confidence,
    check_measure,
    check_resamples,
    over_of,
    read_metrics,
)
from summeval.meta.tables.design import has_topics, warn_of
from summeval.meta.tables.directions import HigherIsBetter, directions, risen

Test: TypeAlias = Literal["permutation", "williams"]
Correction: TypeAlias = Literal["holm", "bonferroni", "none"]


@dataclass(frozen=True)
class Comparison:
    """Metrics ordered by their agreement with people, best first.

    Attributes
    ----------
    names : tuple of str
    correlations : tuple of Correlation
    intervals : tuple of Interval
    pvalues, corrected : array [metric, metric]
        Two-sided p-values of each pair; NaN on the diagonal and if a correlation is undefined.
    different : array [metric, metric] of bool
        Whether the corrected p-value is at most `alpha`.
    letters : tuple of str
        Metrics that share a letter do not differ significantly.
    clusters : tuple of int
        Cluster numbers from 1; all metrics of a cluster differ from all of the next.
    lacking : dict of str to int
        Cells left out for all metrics because only this metric (or "human") has no value there.
    alpha : float
    test, correction : str
    resamples, seed : int
    higher_is_better : tuple of bool
        Direction of each metric; False means that its scores were negated.
    """

    names: tuple[str, ...]
    correlations: tuple[Correlation, ...]
    intervals: tuple[Interval, ...]
    pvalues: Table
    corrected: Table
    different: NDArray[np.bool_]
    letters: tuple[str, ...]
    clusters: tuple[int, ...]
    lacking: dict[str, int]
    alpha: float
    test: Test
    correction: Correction
    resamples: int
    seed: int
    higher_is_better: tuple[bool, ...]


def compare(
    metrics: Mapping[str, Any],
    human: Any,
    coefficient: Coefficient = "pearson",
    level: Level = "summary",
    *,
    over: Over | None = None,
    test: Test = "permutation",
    correction: Correction = "holm",
    alpha: float = 0.05,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int | None = 0,
    higher_is_better: HigherIsBetter | None = None,
) -> Comparison:
    """Rank metrics and test which ones differ.

    All metrics are compared on the same cells: those in which each of them and people have a value.
    Warns (`DesignWarning`) once if the design is too small or a column is constant.

    Parameters
    ----------
    metrics : mapping of str to array [system, topic]
    human : array [system, topic]
    coefficient, level
        See `correlation`.
    over : {"topics", "systems", "both"}, optional
        What intervals and permutations resample. Default: that of `bootstrap_interval` for
        intervals, that of `permutation_test` for permutations.
    test : {"permutation", "williams"}
    correction : {"holm", "bonferroni", "none"}
    alpha : float
        The level of the tests, after correction.
    resamples, confidence, seed
        Options of intervals and permutations.
    higher_is_better : bool, sequence of bool or mapping of str to bool, optional
        Direction of all metrics, of each in order, or of the named ones; False negates. Otherwise
        the direction follows from a registered name such as `simetrix.smoothedJSD`; for other names
        higher is better.

    Raises
    ------
    TypeError
        The metrics have no names.
    ValueError
        Incompatible tables, or unknown options.

    Examples
    --------
    >>> import numpy as np
    >>> human = np.arange(40.0).reshape(8, 5)
    >>> noise = np.random.default_rng(0).random((8, 5))
    >>> found = compare({"noise": noise, "good": human + noise}, human, resamples=99)
    >>> found.names, found.letters, found.clusters
    (('good', 'noise'), ('a', 'b'), (1, 2))
    """
    check_measure(coefficient, level)
    check_choice("test", test, ("permutation", "williams"))
    check_choice("correction", correction, ("holm", "bonferroni", "none"))
    check_confidence(confidence)
    check_inner_share("alpha", alpha, 0.05)
    check_resamples(resamples)
    seed = check_seed(seed)
    tables, people, lacking = read_metrics(metrics, human)
    names = list(metrics)
    rising = dict(zip(names, directions(higher_is_better, names), strict=True))
    warn_of(dict(zip(names, tables, strict=True)), {"human": people}, level, has_topics(human))
    return ranked(
        dict(zip(names, risen(tables, rising, names), strict=True)),
        people,
        rising,
        lacking,
        coefficient,
        level,
        over=over,
        test=test,
        correction=correction,
        alpha=alpha,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )


def ranked(  # noqa: PLR0917 - all that `compare` has read is needed
    metrics: Mapping[str, Table],
    z: Table,
    rising: Mapping[str, bool],
    lacking: Sequence[int],
    coefficient: Coefficient,
    level: Level,
    *,
    over: Over | None,
    alpha: float,
    resamples: int,
    confidence: float,
    seed: int,
    test: Test = "permutation",
    correction: Correction = "holm",
) -> Comparison:
    """`compare` for checked options and tables on the same cells, negated where lower is better."""
    given = {
        name: (table, measured(table, z, coefficient, level)) for name, table in metrics.items()
    }
    names = sorted(given, key=lambda name: _rank(given[name][1].value))
    ranked = [given[name][0] for name in names]
    drawn = over_of(over, level, z.shape[1])
    intervals = [
        interval(table, z, coefficient, level, drawn, resamples, confidence, seed)
        for table in ranked
    ]
    swapped = swapped_over(over, level)
    if test == "williams":
        pvalues = _of_pairs(ranked, lambda a, b: williams(a, b, z, coefficient, level).pvalue)
    else:
        found = tested_pairs(
            names, ranked, z, coefficient, level, swapped, "two-sided", resamples, seed
        )
        pvalues = np.where(np.triu(np.ones_like(found.pvalues), 1) > 0, found.pvalues, np.nan)
    corrected = {"holm": holm, "bonferroni": bonferroni}.get(correction, np.copy)(pvalues)
    different = np.triu(corrected <= alpha)
    different |= different.T
    return Comparison(
        names=tuple(names),
        correlations=tuple(given[name][1] for name in names),
        intervals=tuple(intervals),
        pvalues=_mirrored(pvalues),
        corrected=_mirrored(corrected),
        different=different,
        letters=tuple(letters(different)),
        clusters=tuple(clusters(different)),
        lacking={
            name: count for name, count in zip([*metrics, "human"], lacking, strict=True) if count
        },
        alpha=alpha,
        test=test,
        correction=correction,
        resamples=resamples,
        seed=seed,
        higher_is_better=tuple(rising[name] for name in names),
    )


def _of_pairs(tables: Sequence[Table], pvalue: Callable[[Table, Table], float]) -> Table:
    """The p-value of each pair [metric, metric], above the diagonal; NaN for a constant metric."""
    found = np.full((len(tables), len(tables)), np.nan)
    varied = [len(np.unique(table[~np.isnan(table)])) > 1 for table in tables]
    for i, j in combinations(range(len(tables)), 2):
        if varied[i] and varied[j]:
            found[i, j] = pvalue(tables[i], tables[j])
    return found


def _rank(value: float) -> tuple[bool, float]:
    return isnan(value), -value


def _mirrored(upper: Table) -> Table:
    return np.where(np.isnan(upper), upper.T, upper)
