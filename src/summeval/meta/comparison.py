"""Many metrics against the same people: intervals, pairwise tests, letters and clusters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval.meta.bootstrap import Interval, bootstrap_interval
from summeval.meta.correlations import Correlation, correlate
from summeval.meta.draws import check_seed
from summeval.meta.multiple import bonferroni, clusters, holm, letters
from summeval.meta.significance import permutation_test, williams_test
from summeval.meta.tables import Coefficient, Level, Over, Table, check_confidence, pair
from summeval.metrics.base import check_choice

Test: TypeAlias = Literal["permutation", "williams"]
Correction: TypeAlias = Literal["holm", "bonferroni", "none"]


@dataclass(frozen=True)
class Comparison:
    """Metrics by how well they agree with people, the best first.

    Attributes
    ----------
    names : tuple of str
    correlations : tuple of Correlation
    intervals : tuple of Interval
    pvalues, corrected : array [metric, metric]
        Two-sided, of the tests of each pair; NaN on the diagonal and where a correlation is
        undefined.
    different : array [metric, metric] of bool
        Whether the corrected p-value is at most `alpha`.
    letters : tuple of str
        Metrics that share one do not differ significantly.
    clusters : tuple of int
        From 1; metrics of one all differ from those of the next.
    lacking : dict of str to int
        Cells that are left out for all since this metric (or "human") alone has no value there.
    alpha : float
    test, correction : str
    resamples, seed : int
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


def compare(
    metrics: Mapping[str, Any],
    human: Any,
    coefficient: Coefficient = "pearson",
    level: Level = "summary",
    *,
    over: Over = "both",
    test: Test = "permutation",
    correction: Correction = "holm",
    alpha: float = 0.05,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int | None = 0,
) -> Comparison:
    """Rank metrics and tell which differ.

    All metrics are compared on the same cells: those in which each of them and people have a value.

    Parameters
    ----------
    metrics : mapping of str to array [system, topic]
    human : array [system, topic]
    coefficient, level
        As for `correlation`.
    over : {"topics", "systems", "both"}
        What intervals and permutations draw.
    test : {"permutation", "williams"}
    correction : {"holm", "bonferroni", "none"}
    alpha : float
        The level of the tests, after correction.
    resamples, confidence, seed
        Of intervals and permutations.

    Raises
    ------
    ValueError
        For tables that do not fit, or unknown options.

    Examples
    --------
    >>> import numpy as np
    >>> human = np.arange(40.0).reshape(8, 5)
    >>> noise = np.random.default_rng(0).random((8, 5))
    >>> found = compare({"noise": noise, "good": human + noise}, human, resamples=99)
    >>> found.names, found.letters, found.clusters
    (('good', 'noise'), ('a', 'b'), (1, 2))
    """
    check_choice("test", test, ("permutation", "williams"))
    check_choice("correction", correction, ("holm", "bonferroni", "none"))
    check_confidence(1.0 - alpha)
    if not metrics or "human" in metrics:
        what = "a metric is named 'human'; rename it" if metrics else "no metrics; give one or more"
        raise ValueError(what)
    (*tables, z), lacking = pair(**metrics, human=human)
    given = {
        name: (table, correlate(table, z, coefficient, level))
        for name, table in zip(metrics, tables, strict=True)
    }
    names = sorted(given, key=lambda name: _rank(given[name][1].value))
    ranked = [given[name][0] for name in names]
    seed = check_seed(seed)
    drawn: dict[str, Any] = {"over": over, "resamples": resamples, "seed": seed}
    intervals = [
        bootstrap_interval(table, z, coefficient, level, confidence=confidence, **drawn)
        for table in ranked
    ]
    tested = (
        (lambda a, b: williams_test(a, b, z, coefficient, level).pvalue)
        if test == "williams"
        else (lambda a, b: permutation_test(a, b, z, coefficient, level, **drawn).pvalue)
    )
    pvalues = _of_pairs(ranked, tested)
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
