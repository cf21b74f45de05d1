"""Weighted bipartite assignment: maximum weight, rows and columns may stay unmatched.

The programme, for the weights w[i, j] of existing pairs:

    maximise    sum w[i, j] x[i, j]
    subject to  sum_j x[i, j] <= 1 for each row i,  sum_i x[i, j] <= 1 for each column j,
                x[i, j] in {0, 1}

Its linear relaxation has integral optima (Birkhoff 1946), so the prices of the dual programme

    minimise    sum u[i] + sum v[j]
    subject to  u[i] + v[j] >= w[i, j],  u >= 0,  v >= 0

prove an optimum. Pairs of weight 0 or less are never matched.

A back end is called with the `Weights` and the options given, and returns an `AssignmentResult`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from summeval._arrays import Floats, Ints
from summeval._core.matching import assignment as kernel
from summeval._options import check_workers
from summeval.solvers import weights as matrices
from summeval.solvers.result import AssignmentResult, load
from summeval.solvers.weights import LARGEST, CompressedWeights, Problems, Weights, read_batch


def assign(weights: Any, *, solver: str = "kernel", **options: Any) -> AssignmentResult:
    """Solve one assignment problem: return a matching of maximum weight.

    Maximises the sum of w[i, j] x[i, j] over x in {0, 1} with at most one x[i, j] = 1 in each row
    and in each column.

    Parameters
    ----------
    weights : array-like of shape [rows, columns], or a scipy.sparse matrix
        Finite numbers. Pairs without an entry cannot be matched; those of weight 0 or less are not.
        Sparse entries may come in any order. A masked array is refused: leave pairs out of a sparse
        matrix instead.
    solver : str
        One of ``list_solvers("assignment")``.
    **options
        Passed to the back end: `algorithm` ("simplex" or "ipm") for "highs".

    Returns
    -------
    AssignmentResult
        Of several optima, "kernel" returns the same one on every run.

    Raises
    ------
    ValueError, TypeError
        Invalid weights, duplicate entries, an unknown solver or option, or a total beyond the
        largest float; the message names the place.
    ImportError
        If the package of the solver is not installed.
    SolverError
        If the solver ends without an optimum.

    Notes
    -----
    The kernel matches rows one by one along shortest augmenting paths, found by Dijkstra searches
    that the price of leaving the row unmatched bounds: at most rows · edges · log(edges) steps, few
    in practice. For dense matrices rows first bid for columns, as in Jonker and Volgenant (1987, "A
    shortest augmenting path algorithm for dense and sparse linear assignment problems", Computing
    38, 325-340), and the searches look at the best columns of each row only.

    Examples
    --------
    >>> result = assign([[3.0, 2.5, 0.0], [2.0, -1.0, 0.0]])
    >>> result.value, result.rows.tolist(), result.columns.tolist()
    (4.5, [0, 1], [1, 0])
    >>> result.certificate().holds()
    True
    """
    solve = load("assignment", solver, options)
    if solve is solve_with_kernel:
        # reads plain matrices in one pass; `read_weights` takes what is left, or names its error
        if type(weights) is np.ndarray:
            found = kernel.assign_dense(weights, AssignmentResult, Weights)
        else:
            found = kernel.assign_compressed(weights, AssignmentResult, CompressedWeights)
        if found is not None and found.value < np.inf:
            return found
    # the kernel itself checks for NaN, which saves a pass over the matrix
    checked = matrices.read_weights(weights, "weights", finite=solve is not solve_with_kernel)
    return assign_weights(checked, solve, **options)


def assign_weights(weights: Weights, solve: Any = None, **options: Any) -> AssignmentResult:
    """Like `assign`, for checked weights; `solve` is a back end, or None for the kernel."""
    if sum(weights.shape) > LARGEST:
        raise ValueError(f"weights have the shape {weights.shape}; give less than 2^31 in all")
    result: AssignmentResult = (solve or solve_with_kernel)(weights, **options)
    if not np.isfinite(result.value):
        raise ValueError("the weights add up to more than the largest float; scale them down")
    return result


def matching(
    weights: Weights,
    rows: Ints,
    columns: Ints,
    prices: tuple[Floats, Floats] | tuple[None, None] = (None, None),
) -> AssignmentResult:
    """The result for matched pairs in any order, without pairs of weight 0 or without an edge."""
    rows, columns = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
    weight = weights.at(rows, columns)
    kept = weight > 0
    rows, columns, weight = rows[kept], columns[kept], weight[kept]
    order = np.argsort(rows)
    with np.errstate(over="ignore"):
        value = float(weight[order].sum())
    return _result(value, rows[order], columns[order], prices, weights)


_FIELDS = ("value", "rows", "columns", "weights", "row_prices", "column_prices")


def _result(
    value: Any, rows: Ints, columns: Ints, prices: Sequence[Floats | None], weights: Weights
) -> AssignmentResult:
    result = object.__new__(AssignmentResult)  # not by fields, which takes longer
    known = float(value), rows, columns, weights, *prices
    result.__dict__.update(zip(_FIELDS, known, strict=True))
    return result


def solve_with_kernel(weights: Weights) -> AssignmentResult:
    """Return the back end "kernel"."""
    if weights.is_dense:
        found = kernel.assign_dense(weights.dense, AssignmentResult, Weights)
        if found is None:
            matrices.check_finite(weights.dense, "weights")
        assert found is not None
        return found
    row, column, weight = weights.edges
    shapes = np.array([weights.shape], dtype=np.int64)
    batch = _solve(Problems(np.array([0, len(row)]), row, column, weight, shapes), 1)
    return batch.result(0, weights)


@dataclass(frozen=True, eq=False)
class AssignmentBatch:
    """The matchings of many problems; ``batch[p]`` is the result of problem p.

    Attributes
    ----------
    values : float64[problems]
        The sums of the matched weights.
    indptr : int64[problems + 1]
        The matched pairs of problem p are [indptr[p], indptr[p + 1]) of the next three, by row.
    edges : int64[matched]
        Positions in the given flat arrays.
    rows, columns : int64[matched]
    matched_prices : float64[2, matched]
        The prices of these rows and columns; all other prices are 0.
    row_offsets, column_offsets : int64[problems + 1]
    row_prices, column_prices : float64[sum of rows], float64[sum of columns]
        The dual solutions; those of problem p start at row_offsets[p] and column_offsets[p].
    problems : Problems
        The problems solved.
    """

    values: Floats
    indptr: Ints
    edges: Ints
    matched_prices: Floats
    problems: Problems = field(repr=False)

    @property
    def rows(self) -> Ints:
        return self.problems.row[self.edges].astype(np.int64, copy=False)

    @property
    def columns(self) -> Ints:
        return self.problems.column[self.edges].astype(np.int64, copy=False)

    @property
    def row_offsets(self) -> Ints:
        return self.problems.offsets[0]

    @property
    def column_offsets(self) -> Ints:
        return self.problems.offsets[1]

    @property
    def row_prices(self) -> Floats:
        return self._spread(self.row_offsets, self.rows, self.matched_prices[0])

    @property
    def column_prices(self) -> Floats:
        return self._spread(self.column_offsets, self.columns, self.matched_prices[1])

    def _spread(self, offsets: Ints, places: Ints, matched: Floats) -> Floats:
        prices = np.zeros(offsets[-1])
        prices[np.repeat(offsets[:-1], np.diff(self.indptr)) + places] = matched
        return prices

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, problem: int) -> AssignmentResult:
        index = matrices.read_place(problem, len(self))
        return self.result(index, self.problems.weights(index))

    def result(self, problem: int, weights: Weights) -> AssignmentResult:
        """Return the result of one problem, whose matrix is at hand."""
        part = slice(self.indptr[problem], self.indptr[problem + 1])
        rows, columns = (
            end[self.edges[part]].astype(np.int64, copy=False)
            for end in (self.problems.row, self.problems.column)
        )
        row_prices, column_prices = (np.zeros(size) for size in weights.shape)
        row_prices[rows], column_prices[columns] = self.matched_prices[:, part]
        prices = row_prices, column_prices
        return _result(self.values[problem], rows, columns, prices, weights)


def assign_batch(  # noqa: PLR0917
    indptr: Any, row: Any, column: Any, weight: Any, shapes: Any, workers: int = 1
) -> AssignmentBatch:
    """Solve many sparse assignment problems with the kernel.

    Each is the programme of `assign`.

    Parameters
    ----------
    indptr : int[problems + 1]
        Problem p has the edges [indptr[p], indptr[p + 1]) of the next three.
    row, column : int[edges]
        In any order within a problem; no pair twice.
    weight : float[edges]
        Finite. Edges of weight 0 or less are not matched.
    shapes : int[problems, 2]
        Rows and columns of each problem.
    workers : int
        Threads; -1 for every processor. The results do not depend on it.

    Returns
    -------
    AssignmentBatch

    Raises
    ------
    ValueError, TypeError
        Incompatible arrays, indices outside the shape of their problem, duplicate edges, weights
        that are not finite, or a total beyond the largest float; the message names the argument and
        the place.

    Notes
    -----
    Rows first take their best columns where these are free, then bid; the others are matched along
    shortest augmenting paths, as by `assign`: at most rows · edges · log(edges) steps for a
    problem, and memory linear in its edges and columns for each thread. Problems of up to 64
    columns with at least a fifth of their pairs, and wider ones with a quarter of them and not
    many more rows, are solved as dense matrices.

    Examples
    --------
    >>> batch = assign_batch([0, 2, 3], [0, 0, 1], [0, 1, 0], [0.5, 0.7, 0.2], [[1, 2], [2, 1]])
    >>> batch.values.tolist(), batch.edges.tolist()
    ([0.7, 0.2], [1, 2])
    >>> batch[1].rows.tolist(), batch[1].certificate().holds()
    ([1], True)
    """
    workers = check_workers(workers)
    given = indptr, row, column, weight, shapes
    try:
        # the kernel takes good arrays as they are; others are converted, or refused by name
        found = kernel.assign_batch(*given, workers)
    except kernel.AssignmentFailure as failure:
        raise _explain(read_batch(*given), *failure.args) from None
    if found is None:
        return _solve(read_batch(*given), workers)
    return AssignmentBatch(*found, Problems(*given))


def _solve(problems: Problems, workers: int) -> AssignmentBatch:
    sizes = np.diff(problems.indptr)
    if sizes.max(initial=0) > LARGEST:
        place = int(np.argmax(sizes))
        raise ValueError(f"problem {place} has {sizes[place]} edges; {LARGEST} are the most")
    try:
        found = kernel.assign_batch(*problems, workers)
    except kernel.AssignmentFailure as failure:
        raise _explain(problems, *failure.args) from None
    assert found is not None  # the kernel refuses nothing that was checked before
    return AssignmentBatch(*found, problems)


def _explain(problems: Problems, problem: int, reason: str) -> Exception:
    """Return what to raise for the first problem that failed."""
    if reason == "memory":
        return MemoryError(f"problem {problem} needs more memory than there is")
    if reason == "overflow":
        return ValueError(
            f"weight: problem {problem} adds up to more than the largest float; scale it down"
        )
    if reason == "twice":
        begin, end = problems.indptr[problem : problem + 2]
        row, column = problems.row[begin:end], problems.column[begin:end]
        order = np.lexsort((column, row))
        same = (np.diff(row[order]) == 0) & (np.diff(column[order]) == 0)
        first, second = sorted(begin + order[np.flatnonzero(same)[0] :][:2])
        return ValueError(
            f"edges {first} and {second} (problem {problem}) are both row {problems.row[first]}, "
            f"column {problems.column[first]}; give each pair once"
        )
    error = problems.outside(problem, (reason,))
    assert error is not None
    return error
