"""Permutation tests of every pair of several metrics, from draws that all pairs share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summeval._core.agreement import resampling as kernel
from summeval._options import check_choice
from summeval.meta.correlations import value_of
from summeval.meta.significance.draws import check_seed, swapped_over, swaps
from summeval.meta.significance.tests import (
    ALTERNATIVES,
    Alternative,
    PermutationResult,
    as_extreme,
    result,
    standardised,
    swapped_tables,
)
from summeval.meta.tables.arrays import (
    Coefficient,
    Level,
    Over,
    Table,
    check_measure,
    check_resamples,
    read_metrics,
)
from summeval.meta.tables.design import has_topics, warn_of
from summeval.meta.tables.directions import HigherIsBetter, directions, risen

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
    pvalues: Table
    differences: Table
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
        return result(
            float(self.differences[first, second]),
            int(self.counts[first, second]),
            int(self.undefined[first, second]),
            self.resamples,
            self.seed,
            self.alternative,
            self.over,
        )

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
    check_measure(coefficient, level)
    check_choice("alternative", alternative, ALTERNATIVES)
    over = swapped_over(over, level)
    check_resamples(resamples)
    seed = check_seed(seed)
    tables, people, _ = read_metrics(metrics, human)
    names = list(metrics)
    if len(names) < 2:
        raise ValueError(f"one metric, {names[0]!r}; give two or more")
    warn_of(dict(zip(names, tables, strict=True)), {"human": people}, level, has_topics(human))
    tables = risen(tables, directions(higher_is_better, names), names)
    return tested_pairs(
        names, tables, people, coefficient, level, over, alternative, resamples, seed
    )


def tested_pairs(  # noqa: PLR0917 - all that `permutation_tests` has checked is needed
    names: Sequence[str],
    tables: Sequence[Table],
    z: Table,
    coefficient: Coefficient,
    level: Level,
    over: Over,
    alternative: Alternative,
    resamples: int,
    seed: int,
) -> PermutationTests:
    """`permutation_tests` for checked tables on the same cells, and checked options."""
    size = len(names)
    varied = [k for k, table in enumerate(tables) if _varies(table)]
    stacked = np.ascontiguousarray([standardised(tables[k]) for k in varied])
    values = np.full(size, np.nan)
    values[varied] = [value_of(table, z, coefficient, level) for table in stacked]
    differences = values[:, None] - values[None, :]
    np.fill_diagonal(differences, np.nan)
    counts, undefined = (np.zeros((size, size), dtype=np.int64) for _ in range(2))
    places = np.array(list(combinations(range(len(varied)), 2)), dtype=np.int64).reshape(-1, 2)
    *swapped, z = swapped_tables([*stacked, z], over)
    stacked = np.ascontiguousarray(swapped).reshape(len(varied), *z.shape)
    for rows, columns in swaps(z.shape, over, resamples, seed):
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


def _varies(table: Table) -> bool:
    present = table[~np.isnan(table)]
    return bool(len(present)) and bool(present.min() < present.max())
