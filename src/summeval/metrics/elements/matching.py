"""What BEwT-E matches with each reference, and the recalls that the best assignments give."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

    from summeval.elements.transformations import Edges


class MatchProblem(NamedTuple):
    """A matching with one reference: what can match, and what each of its elements weighs."""

    rows: int
    edges: Edges
    weights: NDArray[float64]


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
    from scipy import sparse

    from summeval.solvers import assign, assign_batch

    if solver == "kernel":
        batch = assign_batch(indptr, row, column, weight, shapes, workers)
        values: list[float] = batch.values.tolist()
        return values
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
