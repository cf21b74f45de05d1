"""Paired tests of the differences between systems, for every pair and metric from shared draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, log2, nan, sqrt
from typing import TypeAlias

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
    """What the tests of one metric found, for each system and each pair of systems.

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
        """The tables before any test."""
        nan = [np.full((size, size), np.nan) for _ in range(4)]
        counts = [np.zeros((size, size), dtype=np.int64) for _ in range(2)]
        return cls(
            means=np.full(size, np.nan),
            intervals=np.full((size, 2), np.nan),
            rows=np.zeros(size, dtype=np.int64),
            differences=nan[0],
            bounds=np.full((size, size, 2), np.nan),
            pvalues=nan[1],
            bootstrap=nan[2],
            effects=nan[3],
            wins=counts[0],
            shared=counts[1],
            exact=np.zeros((size, size), dtype=bool),
        )


@dataclass
class _Task:
    """Sums that one pass over the draws gives: columns of scores, and of rows that have one.

    The columns are those of all systems, or of pairs whose systems lack different rows.
    """

    metric: str
    given: Fixed
    pairs: Pairs
    apart: bool  # whether the columns are differences of the pairs
    columns: Array = field(init=False)
    counts: Array = field(init=False)
    places: list[int] = field(init=False)  # of each column's count among `counts`

    def __post_init__(self) -> None:
        units, present = self.given.units, self.given.present
        if self.apart:
            both = [present[i] & present[j] for i, j in self.pairs]
            apart = [units[i] - units[j] for i, j in self.pairs]
            self.columns = np.array([d * m for d, m in zip(apart, both, strict=True)]).T
        else:
            both, self.columns = list(present), units.T
        kinds: dict[bytes, int] = {}
        self.places = [kinds.setdefault(mask.tobytes(), len(kinds)) for mask in both]
        firsts = dict(zip(self.places, both, strict=True))
        self.counts = np.array(list(firsts.values()), dtype=np.float64).T


def tested(
    tables: Mapping[str, Array], pairs: Pairs, resamples: int, confidence: float, seed: int
) -> dict[str, Differences]:
    """Test the pairs of systems in each table [system, topic] of a metric.

    >>> tables = {"x": np.array([[3.0, 4.0, 5.0], [1.0, 2.0, 4.0]])}
    >>> found = tested(tables, [(0, 1)], 100, 0.95, 0)["x"]
    >>> found.pvalues[0, 1].item(), found.exact[0, 1].item(), found.wins.tolist()
    (0.25, True, [[0, 3], [0, 0]])
    """
    found = {}
    given = {}
    for metric, table in tables.items():
        found[metric] = Differences.of(len(table))
        given[metric] = fixed(table)
        found[metric].means[:] = [_mean(scores[~np.isnan(scores)]) for scores in table]
        _describe(found[metric], given[metric], pairs)
    tasks = (task for name in given for task in _tasks(name, given[name], pairs, resamples))
    for some in _batches(tasks, resamples):
        columns = np.hstack([task.columns for task in some])
        counts = np.hstack([task.counts for task in some])
        drawn = drawn_sums(np.hstack([columns, counts]), resamples, seed)
        swapped = swapped_sums(columns, resamples, seed) if pairs else drawn[:, :0]
        at, behind = 0, columns.shape[1]
        for task in some:
            width, kinds = task.columns.shape[1], task.counts.shape[1]
            sums = _Sums(
                np.ascontiguousarray(swapped[:, at : at + width].T),
                np.ascontiguousarray(drawn[:, at : at + width].T),
                drawn[:, behind : behind + kinds].T[task.places],
            )
            _finish(found[task.metric], task, sums, confidence)
            at, behind = at + width, behind + kinds
    return found


@dataclass(frozen=True)
class _Sums:
    """The sums of each column of a task [column, draw], and the drawn rows with a score."""

    swapped: Array
    drawn: Array
    counted: Array


def _tasks(metric: str, given: Fixed, pairs: Pairs, resamples: int) -> Iterator[_Task]:
    present = given.present
    alike = [(i, j) for i, j in pairs if np.array_equal(present[i], present[j])]
    yield _Task(metric, given, alike, apart=False)
    known = set(alike)
    apart = [(i, j) for i, j in pairs if (i, j) not in known and (present[i] & present[j]).any()]
    step = max(1, _MOST_SUMS // max(resamples, present.shape[1]))
    for start in range(0, len(apart), step):
        yield _Task(metric, given, apart[start : start + step], apart=True)


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
    """The mean, between the lowest and the highest score; NaN without any.

    The sum is rounded once, so that the order of the scores does not matter.
    """
    if not len(scores):
        return nan
    mean = fsum(np.ldexp(scores, -32).tolist()) / len(scores)  # of large numbers it stays finite
    return float(np.clip(np.ldexp(mean, 32), scores.min(), scores.max()))


def _describe(found: Differences, given: Fixed, pairs: Pairs) -> None:
    """Fill in what needs no draws."""
    found.rows[:] = given.present.sum(axis=1)
    for i, j in pairs:
        both = given.present[i] & given.present[j]
        apart = (given.units[i] - given.units[j])[both]
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
    lower = [(j, i) for i, j in pairs]
    for table in (found.differences, found.effects):
        for i, j in lower:
            table[i, j] = 0.0 - table[j, i]


def _effect(apart: Array, mean: float, slack: float) -> float:
    """The mean of the differences in their standard deviations."""
    deviation = sqrt(float(((apart - mean) ** 2).sum()) / (len(apart) - 1))
    if abs(mean) <= slack:
        return 0.0
    return mean / deviation if deviation > slack else float(np.copysign(np.inf, mean))


def _finish(found: Differences, task: _Task, sums: _Sums, confidence: float) -> None:
    """Fill in what the draws of a task tell."""
    given, size = task.given, len(found.rows)
    if not task.apart:
        for system in range(size):
            if found.rows[system] > 1:
                scores = given.units[system, given.present[system]]
                half = float(half_widths(scores, confidence=confidence)) * given.unit
                found.intervals[system] = found.means[system] + np.array([-half, half])
    for place, (i, j) in enumerate(task.pairs):
        if not found.shared[i, j]:
            continue
        if task.apart:
            swapped, drawn, counted = (
                table[place] for table in (sums.swapped, sums.drawn, sums.counted)
            )
        else:
            swapped = sums.swapped[i] - sums.swapped[j]
            drawn, counted = sums.drawn[i] - sums.drawn[j], sums.counted[i]
        _test(found, given, (i, j), swapped, _quotients(drawn, counted), confidence)


def _quotients(sums: Array, counts: Array) -> Array:
    """The means of draws; NaN for draws without a row that has a score."""
    found: Array = np.full(len(sums), np.nan)
    return np.divide(sums, counts, out=found, where=counts > 0)


def _test(  # noqa: PLR0917 - all that a test needs
    found: Differences,
    given: Fixed,
    pair: tuple[int, int],
    swapped: Array,
    drawn: Array,
    confidence: float,
) -> None:
    """Fill in the p-values and the interval of a pair's difference."""
    i, j = pair
    both = given.present[i] & given.present[j]
    apart = (given.units[i] - given.units[j])[both]
    rows, resamples = len(apart), len(swapped)
    slack = given.slack * rows
    observed = abs(float(apart.sum()))
    unequal = apart[np.abs(apart) > given.slack]
    if len(unequal) <= log2(resamples):
        sums = enumerated_sums(unequal) if len(unequal) else np.zeros(1)
        pvalue, found.exact[i, j] = (np.abs(sums) >= observed - slack).mean(), True
    else:
        pvalue = (1 + (np.abs(swapped) >= observed - slack).sum()) / (resamples + 1)
    mean = float(apart.sum()) / rows
    further = ~(np.abs(drawn - mean) < abs(mean) - given.slack)  # an undefined one is as far
    found.pvalues[i, j] = found.pvalues[j, i] = pvalue
    found.bootstrap[i, j] = (1 + further.sum()) / (resamples + 1)
    found.bootstrap[j, i] = found.bootstrap[i, j]
    found.exact[j, i] = found.exact[i, j]
    if rows > 1:
        half = float(half_widths(apart, confidence=confidence))
        found.bounds[i, j] = (mean - half) * given.unit, (mean + half) * given.unit
        found.bounds[j, i] = 0.0 - found.bounds[i, j, ::-1]
