"""Matches of BEwT-E with each reference, and the recalls of the best assignments."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from summeval.elements.transformations import Edges, Matches

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray


class MatchProblem(NamedTuple):
    """A matching with one reference: what can match, and what each of its elements weighs."""

    rows: int
    edges: Edges
    weights: NDArray[float64]

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, len(self.weights)

    @property
    def worth(self) -> NDArray[float64]:
        """What each edge is worth: its coefficient times the weight of the reference's element."""
        return self.edges.value * self.weights[self.edges.column]

    def assigned(self, *, worthless: bool = True) -> NDArray[int64]:
        """Return the edges of the best assignment, with those worth nothing or without."""
        import numpy as np

        from summeval.solvers import assign_batch

        worth = self.worth
        kept = np.arange(len(worth)) if worthless else np.flatnonzero(worth > 0)
        row, column = self.edges.row[kept], self.edges.column[kept]
        batch = assign_batch(
            np.array([0, len(kept)]), row, column, worth[kept], np.array([self.shape])
        )
        return kept[batch.edges]


def problems_of(found: Matches, weights: str, jackknife: bool) -> list[MatchProblem]:
    """Return the matchings of a row: each reference with the weights that all of them give.

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
    """Return all references but one, with the weights of all but it."""
    return [
        MatchProblem(found.rows, found.edges[k], table[out, units])
        for k, units in enumerate(found.units)
        if k != out
    ]


def weight_table(found: Matches, weights: str) -> NDArray[float64]:
    """Return what elements weigh, [reference left out, element]; the last row leaves out none."""
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
    from summeval.solvers import assign, assign_batch

    shapes = [problem.shape for problem in problems]
    values = [problem.worth for problem in problems]
    if solver == "kernel":
        batch = assign_batch(
            np.cumsum([0, *map(len, values)]),
            np.concatenate([problem.edges.row for problem in problems]),
            np.concatenate([problem.edges.column for problem in problems]),
            np.concatenate(values),
            np.array(shapes),
            workers,
        )
        matched: list[float] = batch.values.tolist()
    else:
        from scipy import sparse  # which takes longer to load than all the rest

        edges = [(problem.edges.row, problem.edges.column) for problem in problems]
        matched = [
            assign(sparse.coo_array((value, places), shape=shape), solver=solver).value
            for value, places, shape in zip(values, edges, shapes, strict=True)
        ]
    totals = [float(problem.weights.sum()) for problem in problems]
    return [
        min(value / total, 1.0) if total else 0.0
        for value, total in zip(matched, totals, strict=True)
    ]


def largest(values: Sequence[float]) -> float:
    """Return the largest of some recalls; NaN of none.

    >>> largest([0.5, 1.0]), largest([])
    (1.0, nan)
    """
    return max(values, default=float("nan"))


def mean(values: Sequence[float]) -> float:
    """Return the mean of some recalls; NaN of none.

    >>> mean([0.5, 1.0]), mean([])
    (0.75, nan)
    """
    return fsum(values) / len(values) if values else float("nan")
