"""Paired tests of the differences between systems, for every pair and metric from shared draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log2, nan, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval.meta.resampling import (
    Fixed,
    drawn_sums,
    enumerated_sums,
    fixed,
    half_widths,
    swapped_sums,
)
from summeval.table.cells import Array

Pairs: TypeAlias = Sequence[tuple[int, int]]

_MOST_SUMS = 1 << 25  # held at a time


@dataclass
class Differences:
    """The tests of one metric, for each system and each pair of systems.

    Tables [system, system] say how the first system compares with the second; NaN (or 0, for
    counts) for pairs that were not compared.
    """

    means: Array
    intervals: Array
    rows: NDArray[np.int64]
    differences: Array
    bounds: Array
    pvalues: Array
    bootstrap: Array
    effects: Array
    wins: NDArray[np.int64]
    shared: NDArray[np.int64]
    exact: NDArray[np.bool_]

    @classmethod
    def of(cls, size: int) -> Differences:
        """Return the tests before any test."""
        square = (size, size)
        return cls(
            means=np.full(size, np.nan),
            intervals=np.full((size, 2), np.nan),
            rows=np.zeros(size, dtype=np.int64),
            differences=np.full(square, np.nan),
            bounds=np.full((*square, 2), np.nan),
            pvalues=np.full(square, np.nan),
            bootstrap=np.full(square, np.nan),
            effects=np.full(square, np.nan),
            wins=np.zeros(square, dtype=np.int64),
            shared=np.zeros(square, dtype=np.int64),
            exact=np.zeros(square, dtype=bool),
        )


class _Task(NamedTuple):
    """Sums that one pass over the draws gives: columns of scores, and of rows that have one.

    The columns are those of all systems, or of pairs whose systems lack different rows.
    """

    metric: str
    given: Fixed
    pairs: Pairs
    apart: bool  # whether the columns are differences of the pairs
    columns: Array
    counts: Array
    places: list[int]  # of each column's count among `counts`

    @classmethod
    def of(cls, metric: str, given: Fixed, pairs: Pairs, apart: bool) -> _Task:
        units, both, columns = given.units, list(given.present), given.units.T
        if apart:
            both = [both[i] & both[j] for i, j in pairs]
            columns = np.array(
                [(units[i] - units[j]) * mask for (i, j), mask in zip(pairs, both, strict=True)]
            ).T
        kinds: dict[bytes, int] = {}
        places = [kinds.setdefault(mask.tobytes(), len(kinds)) for mask in both]
        firsts = dict(zip(places, both, strict=True))
        counts = np.array(list(firsts.values()), dtype=np.float64).T
        return cls(metric, given, pairs, apart, columns, counts, places)


def tested(
    tables: Mapping[str, Array], pairs: Pairs, resamples: int, confidence: float, seed: int
) -> dict[str, Differences]:
    """Test the pairs of systems in each table [system, topic] of a metric.

    >>> tables = {"x": np.array([[3.0, 4.0, 5.0], [1.0, 2.0, 4.0]])}
    >>> found = tested(tables, [(0, 1)], 100, 0.95, 0)["x"]
    >>> found.pvalues[0, 1].item(), found.exact[0, 1].item(), found.wins.tolist()
    (0.25, True, [[0, 3], [0, 0]])
    """
    found = {metric: Differences.of(len(table)) for metric, table in tables.items()}
    given = {metric: fixed(table) for metric, table in tables.items()}
    for metric, table in tables.items():
        found[metric].means[:] = [_mean(scores[~np.isnan(scores)]) for scores in table]
        _describe(found[metric], given[metric], pairs, confidence)
    tasks = (task for name in given for task in _tasks(name, given[name], pairs, resamples))
    for some in _batches(tasks, resamples):
        columns = np.hstack([task.columns for task in some])
        counts = np.hstack([task.counts for task in some])
        drawn = drawn_sums(np.hstack([columns, counts]), resamples, seed)
        swapped = swapped_sums(columns, resamples, seed) if pairs else drawn[:, :0]
        at, behind = 0, columns.shape[1]
        for task in some:
            width, kinds = task.columns.shape[1], task.counts.shape[1]
            here, counted = slice(at, at + width), drawn[:, behind : behind + kinds].T
            swaps, sums = (np.ascontiguousarray(table[:, here].T) for table in (swapped, drawn))
            _finish(found[task.metric], task, swaps, sums, counted[task.places])
            at, behind = at + width, behind + kinds
    return found


def _tasks(metric: str, given: Fixed, pairs: Pairs, resamples: int) -> Iterator[_Task]:
    present = given.present
    alike = [(i, j) for i, j in pairs if np.array_equal(present[i], present[j])]
    yield _Task.of(metric, given, alike, apart=False)
    known = set(alike)
    apart = [(i, j) for i, j in pairs if (i, j) not in known and (present[i] & present[j]).any()]
    step = max(1, _MOST_SUMS // max(resamples, present.shape[1]))
    for start in range(0, len(apart), step):
        yield _Task.of(metric, given, apart[start : start + step], apart=True)


def _batches(tasks: Iterable[_Task], resamples: int) -> Iterator[list[_Task]]:
    """Tasks that share their draws, as many as memory should hold."""
    batch: list[_Task] = []
    width = 0
    for task in tasks:
        rows, more = task.columns.shape
        if batch and (width + more) * max(resamples, rows) > _MOST_SUMS:
            yield batch
            batch, width = [], 0
        batch.append(task)
        width += more
    yield batch


def _mean(scores: Array) -> float:
    """Return the mean, between the lowest and the highest score; NaN without any.

    The sum is rounded once, so that the order of the scores does not matter.
    """
    if not len(scores):
        return nan
    mean = fsum(np.ldexp(scores, -32).tolist()) / len(scores)  # of large numbers it stays finite
    return float(np.clip(np.ldexp(mean, 32), scores.min(), scores.max()))


def _describe(found: Differences, given: Fixed, pairs: Pairs, confidence: float) -> None:
    """Fill in what needs no draws."""
    found.rows[:] = given.present.sum(axis=1)
    for system in np.flatnonzero(found.rows > 1).tolist():
        scores = given.units[system, given.present[system]]
        half = float(half_widths(scores, confidence=confidence)) * given.unit
        found.intervals[system] = found.means[system] + np.array([-half, half])
    for i, j in pairs:
        apart = _apart(given, i, j)
        rows = len(apart)
        found.shared[i, j] = found.shared[j, i] = rows
        if not rows:
            continue
        found.wins[i, j] = (apart > given.slack).sum()
        found.wins[j, i] = (apart < -given.slack).sum()
        mean = float(apart.sum()) / rows
        found.differences[i, j] = mean * given.unit
        if rows > 1:
            found.effects[i, j] = _effect(apart, mean, given.slack)
            half = float(half_widths(apart, confidence=confidence))
            found.bounds[i, j] = (mean - half) * given.unit, (mean + half) * given.unit
            found.bounds[j, i] = 0.0 - found.bounds[i, j, ::-1]
        for table in (found.differences, found.effects):
            table[j, i] = 0.0 - table[i, j]


def _apart(given: Fixed, i: int, j: int) -> Array:
    """Return the differences of two systems, in units, on the rows that both have."""
    found: Array = (given.units[i] - given.units[j])[given.present[i] & given.present[j]]
    return found


def _effect(apart: Array, mean: float, slack: float) -> float:
    """Return the mean of the differences in their standard deviations."""
    deviation = sqrt(float(((apart - mean) ** 2).sum()) / (len(apart) - 1))
    if abs(mean) <= slack:
        return 0.0
    return mean / deviation if deviation > slack else float(np.copysign(np.inf, mean))


def _finish(found: Differences, task: _Task, swapped: Array, drawn: Array, counted: Array) -> None:
    """Fill in the p-values from the sums of a task's columns, of each draw [column, draw]."""
    given, resamples = task.given, swapped.shape[1]
    for place, (i, j) in enumerate(task.pairs):
        apart = _apart(given, i, j)
        if not (rows := len(apart)):
            continue
        sums, means, counts = (
            (swapped[place], drawn[place], counted[place])
            if task.apart
            else (swapped[i] - swapped[j], drawn[i] - drawn[j], counted[i])
        )
        # NaN for draws without a row that has a score
        means = np.divide(means, counts, out=np.full(resamples, np.nan), where=counts > 0)
        reach = abs(float(apart.sum())) - given.slack * rows
        unequal = apart[np.abs(apart) > given.slack]
        exact = len(unequal) <= log2(resamples)
        if exact:
            sums = enumerated_sums(unequal) if len(unequal) else np.zeros(1)
            pvalue = (np.abs(sums) >= reach).mean()
        else:
            pvalue = (1 + (np.abs(sums) >= reach).sum()) / (resamples + 1)
        mean = float(apart.sum()) / rows
        further = ~(np.abs(means - mean) < abs(mean) - given.slack)  # an undefined one is as far
        found.exact[i, j] = found.exact[j, i] = exact
        found.pvalues[i, j] = found.pvalues[j, i] = pvalue
        bootstrap = (1 + further.sum()) / (resamples + 1)
        found.bootstrap[i, j] = found.bootstrap[j, i] = bootstrap
