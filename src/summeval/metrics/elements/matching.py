"""What BEwT-E matches with each reference, and the recalls that the best assignments give."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

    from summeval.elements.transformations import Edges, Matches


class MatchProblem(NamedTuple):
    """A matching with one reference: what can match, and what each of its elements weighs."""

    rows: int
    edges: Edges
    weights: NDArray[float64]


def problems_of(found: Matches, weights: str, jackknife: bool) -> list[MatchProblem]:
    """The matchings of a row: each reference with the weights that all of them give.

    With `jackknife`, then those that leave one reference out: for each, all others with the weights
    that the others give.
    """
    table = weight_table(found, weights)
    problems = [
        MatchProblem(found.rows, edges, table[-1, units])
        for edges, units in zip(found.edges, found.units, strict=True)
    ]
    if jackknife and len(problems) > 1:
        for out in range(len(problems)):
            problems += left_out(found, table, out)
    return problems


def left_out(found: Matches, table: NDArray[float64], out: int) -> list[MatchProblem]:
    """All references but one, with the weights of all but it."""
    return [
        MatchProblem(found.rows, found.edges[k], table[out, units])
        for k, units in enumerate(found.units)
        if k != out
    ]


def weight_table(found: Matches, weights: str) -> NDArray[float64]:
    """What elements weigh, [reference left out, element]; the last row leaves out none."""
    import numpy as np

    if len(found.units) == 1:
        return np.ones((1, found.distinct))
    has = np.zeros((len(found.units) + 1, found.distinct), dtype=np.int64)
    for row, units in zip(has, found.units, strict=False):
        row[units] = 1
    counts: NDArray[np.float64] = (has.sum(axis=0) - has).astype(np.float64)
    if weights == "root":
        counts = np.sqrt(counts)
    return np.minimum(counts, 1) if weights == "binary" else counts


def best_recalls(problems: Sequence[MatchProblem], solver: str, workers: int) -> list[float]:
    """The share of the weight of each reference's elements that the best assignment matches."""
    import numpy as np

    if not problems:
        return []
    values = [problem.edges.value * problem.weights[problem.edges.column] for problem in problems]
    matched = _assign(
        np.cumsum([0, *map(len, values)]),
        np.concatenate([problem.edges.row for problem in problems]),
        np.concatenate([problem.edges.column for problem in problems]),
        np.concatenate(values),
        np.array([(problem.rows, len(problem.weights)) for problem in problems]),
        solver=solver,
        workers=workers,
    )
    totals = [float(problem.weights.sum()) for problem in problems]
    return [
        min(value / total, 1.0) if total else 0.0
        for value, total in zip(matched, totals, strict=True)
    ]


def _assign(
    indptr: NDArray[int64],
    row: NDArray[int64],
    column: NDArray[int64],
    weight: NDArray[float64],
    shapes: NDArray[int64],
    *,
    solver: str,
    workers: int,
) -> list[float]:
    """The weights of the best assignments."""
    from summeval.solvers import assign, assign_batch

    if solver == "kernel":
        batch = assign_batch(indptr, row, column, weight, shapes, workers)
        values: list[float] = batch.values.tolist()
        return values
    from scipy import sparse  # which takes longer to load than all the rest

    values = []
    for problem, shape in enumerate(shapes.tolist()):
        part = slice(indptr[problem], indptr[problem + 1])
        matrix = sparse.coo_array((weight[part], (row[part], column[part])), shape=shape)
        values.append(assign(matrix, solver=solver).value)
    return values


def largest(values: Sequence[float]) -> float:
    """The largest of some recalls; NaN of none.

    >>> largest([0.5, 1.0]), largest([])
    (1.0, nan)
    """
    return max(values, default=float("nan"))


def mean(values: Sequence[float]) -> float:
    """The mean of some recalls; NaN of none.

    >>> mean([0.5, 1.0]), mean([])
    (0.75, nan)
    """
    return fsum(values) / len(values) if values else float("nan")
