"""Comparison of many metrics on the same human scores: intervals, tests, letters, clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan
from string import ascii_lowercase
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice, check_inner_share
from summeval.meta.arrays import Coefficient, Level, Over, prepared, varies
from summeval.meta.correlations import Correlation, measured
from summeval.meta.resampling import Design
from summeval.meta.significance import Interval, interval, tested_pairs, williams
from summeval.table.cells import Array
from summeval.table.scores import HigherIsBetter, directions


def holm(pvalues: Any) -> Array:
    """Apply Holm's step-down correction (Holm 1979), valid under any dependence of the tests.

    Parameters
    ----------
    pvalues : array
        Any shape; NaN marks a missing test, stays NaN and does not count.

    Returns
    -------
    array
        Same shape; reject if the value is at most the level.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values, tested = _read(pvalues)
    places = np.flatnonzero(tested.ravel())
    order = places[np.argsort(values[tested], kind="stable")]
    left = len(order) - np.arange(len(order))
    steps = np.maximum.accumulate(values.flat[order] * left)
    values.flat[order] = np.minimum(steps, 1.0)
    return values


def bonferroni(pvalues: Any) -> Array:
    """Multiply every p-value by the number of tests, up to 1; NaN as in `holm`.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, float("nan")]).tolist()
    [0.02, 0.08, nan]
    """
    values, tested = _read(pvalues)
    corrected: Array = np.minimum(values * tested.sum(), 1.0)
    return corrected


def letters(different: Any) -> list[str]:
    """Return letters for metrics: two share a letter if they do not differ significantly.

    By insertion and absorption (Piepho 2004, "An Algorithm for a Letter-Based Representation of
    All-Pairwise Comparisons").

    Parameters
    ----------
    different : array [metric, metric] of bool
        Symmetric; metrics ordered from best to worst, so that the best gets an a.

    Raises
    ------
    ValueError
        The table is not square and symmetric.

    Examples
    --------
    >>> letters([[False, False, True], [False, False, False], [True, False, False]])
    ['a', 'ab', 'b']
    """
    table = _square(different)
    columns = [frozenset(range(len(table)))] if len(table) else []
    for i, j in np.argwhere(np.triu(table)).tolist():
        split = [part for c in columns for part in ((c - {i}, c - {j}) if {i, j} <= c else (c,))]
        kept = dict.fromkeys(split)
        columns = [c for c in kept if not any(c < other for other in kept)]
    columns.sort(key=sorted)
    size = len(ascii_lowercase)
    names = [ascii_lowercase[place % size] + "'" * (place // size) for place in range(len(columns))]
    pairs = list(zip(names, columns, strict=True))
    return ["".join(name for name, own in pairs if place in own) for place in range(len(table))]


def clusters(different: Any) -> list[int]:
    """Return the cluster of each metric, from 1: all metrics above a line differ from all below it.

    Parameters
    ----------
    different : array [metric, metric] of bool
        Symmetric; metrics ordered from best to worst.

    Examples
    --------
    >>> clusters([[False, True, True], [True, False, False], [True, False, False]])
    [1, 2, 2]
    """
    table = _square(different)
    lines = [bool(table[:place, place:].all()) for place in range(1, len(table))]
    return [1 + sum(lines[:place]) for place in range(len(table))]


def _square(different: Any) -> NDArray[np.bool_]:
    table = np.asarray(different, dtype=bool)
    if not table.size:
        return np.zeros((0, 0), dtype=bool)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not np.array_equal(table, table.T):
        raise ValueError(f"different has the shape {table.shape}; it must be square and symmetric")
    if (own := np.diagonal(table)).any():
        place = int(own.argmax())
        raise ValueError(f"different[{place}, {place}] is true; no metric differs from itself")
    return table


def _read(pvalues: Any) -> tuple[Array, NDArray[np.bool_]]:
    try:
        values = np.array(pvalues, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("pvalues must be numbers, in rows of equal length") from None
    tested = ~np.isnan(values)
    if ((values[tested] < 0.0) | (values[tested] > 1.0)).any():
        raise ValueError("pvalues must lie between 0 and 1, or be NaN if there was no test")
    return values, tested


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
    pvalues: Array
    corrected: Array
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
    design = Design(coefficient, level, over, resamples, seed, confidence).checked()
    check_choice("test", test, ("permutation", "williams"))
    check_choice("correction", correction, ("holm", "bonferroni", "none"))
    check_inner_share("alpha", alpha, 0.05)
    tables, people, missing = prepared(metrics, human, coefficient, level, higher_is_better)
    named = dict(zip(metrics, tables, strict=True))
    up = dict(zip(metrics, directions(higher_is_better, list(metrics)), strict=True))
    return ranked(named, people, up, missing, design, alpha, test, correction)


def ranked(  # noqa: PLR0917 - all that `compare` has read is needed
    metrics: Mapping[str, Array],
    z: Array,
    higher_is_better: Mapping[str, bool],
    missing: Sequence[int],
    design: Design,
    alpha: float,
    test: Test = "permutation",
    correction: Correction = "holm",
) -> Comparison:
    """`compare` for checked options and tables on the same cells, negated where lower is better."""
    coefficient, level = design.coefficient, design.level
    correlations = {name: measured(table, z, coefficient, level) for name, table in metrics.items()}
    values = {name: found.value for name, found in correlations.items()}
    names = sorted(metrics, key=lambda name: (isnan(values[name]), -values[name]))
    tables = [metrics[name] for name in names]
    if test == "williams":
        pvalues = np.full((len(tables), len(tables)), np.nan)
        for i, j in combinations([k for k, table in enumerate(tables) if varies(table)], 2):
            pvalues[i, j] = williams(tables[i], tables[j], z, coefficient, level).pvalue
    else:
        found = tested_pairs(names, tables, z, design).pvalues
        pvalues = np.where(np.triu(np.ones_like(found), 1) > 0, found, np.nan)
    corrected, different = corrected_by(correction, pvalues, alpha)
    return Comparison(
        names=tuple(names),
        correlations=tuple(correlations[name] for name in names),
        intervals=tuple(interval(table, z, design) for table in tables),
        pvalues=_mirrored(pvalues),
        corrected=corrected,
        different=different,
        letters=tuple(letters(different)),
        clusters=tuple(clusters(different)),
        lacking={k: count for k, count in zip([*metrics, "human"], missing, strict=True) if count},
        alpha=alpha,
        test=test,
        correction=correction,
        resamples=design.resamples,
        seed=design.seed,
        higher_is_better=tuple(higher_is_better[name] for name in names),
    )


def corrected_by(
    correction: Correction, pvalues: Array, alpha: float
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the corrected p-values of pairs, on both sides of the diagonal, and which are low.

    `pvalues` [first, second] has each pair once, NaN elsewhere.
    """
    corrected = {"holm": holm, "bonferroni": bonferroni}.get(correction, np.copy)(pvalues)
    corrected = _mirrored(corrected)
    return corrected, corrected <= alpha


def _mirrored(upper: Array) -> Array:
    return np.where(np.isnan(upper), upper.T, upper)
