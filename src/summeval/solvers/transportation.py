"""The transportation problem: a plan of maximum similarity within supplies and demands.

The programme, for the similarities s[i, j] of existing pairs:

    maximise    sum s[i, j] x[i, j]
    subject to  sum_j x[i, j] <= supply[i] for each row i,
                sum_i x[i, j] <= demand[j] for each column j,  x >= 0

An optimum is proven by prices that are feasible for the dual programme

    minimise    sum supply[i] u[i] + sum demand[j] v[j]
    subject to  u[i] + v[j] >= s[i, j],  u >= 0,  v >= 0

and have the same value. Nothing is sent between pairs of similarity 0 or less.

A back end is called with supply, demand, the similarity (`Weights`) and the options given, and
returns a `TransportResult`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from summeval._arrays import Floats, Ints
from summeval._cached import cached_property
from summeval._core.matching import transport as kernel
from summeval._options import check_workers
from summeval.solvers import weights as matrices
from summeval.solvers.result import SolverError, TransportResult, load
from summeval.solvers.weights import LARGEST, CompressedWeights, Problems, Weights

_FIELDS = ("supply", "demand", "similarity", "row_prices", "column_prices")
_TOO_LARGE = "the values add up to more than the largest float; scale them down"


def transport(
    supply: Any, demand: Any, similarity: Any, *, solver: str = "kernel", **options: Any
) -> TransportResult:
    """Solve one transportation problem: return a plan of maximum similarity.

    Maximises the sum of s[i, j] x[i, j] over x >= 0 with sum_j x[i, j] <= supply[i] for each row
    and sum_i x[i, j] <= demand[j] for each column.

    Parameters
    ----------
    supply : array-like of float [rows]
    demand : array-like of float [columns]
        Finite and at least 0; in the same unit.
    similarity : array-like of shape [rows, columns], or a scipy.sparse matrix
        Finite. Nothing can be sent between pairs without an entry. Sparse entries may come in any
        order. A masked array is refused.
    solver : str
        One of ``list_solvers("transport")``.
    **options
        Passed to the back end: `algorithm` ("simplex", "ipm" or "pdlp" for "highs"; "glop" or
        "min-cost-flow" for "ortools"). "pdlp" ends at a relative gap of 1e-6 at most, all others at
        1e-9.

    Returns
    -------
    TransportResult
        Its `flow` is dense if the similarity was, else a `scipy.sparse.csr_array`; its
        `sparse_flow` is always sparse. Of several optima, "kernel" returns the same one on every
        run.

    Raises
    ------
    ValueError, TypeError
        Invalid arrays, duplicate entries, an unknown solver or option, or a value beyond the
        largest float; the message names the place.
    ImportError
        If the package of the solver is not installed, or cannot be loaded beside one that is.
    SolverError
        If the solver ends without an optimum, or its value and bound differ. The kernel does so if
        rounding hides the optimum: not met in problems whose weights, and whose amounts, span 6
        orders of magnitude, but in 1 of 1,500 small ones that span 12 and in 1 of 100 that span 20.

    Notes
    -----
    The kernel runs the network simplex method with strongly feasible trees (Cunningham 1976, "A
    network simplex method", Mathematical Programming 11, 105-116). A sparse problem, or one of less
    than 256 pairs, starts from a greedy plan. A larger dense problem is solved on lists of the best
    columns of each row, until the prices hold for all columns; equal amounts make it an assignment.
    Memory is linear in the edges. The number of pivots has no polynomial bound; of random problems
    it grows about as rows + columns, and each costs up to rows + columns, and far less in sparse
    problems.

    Examples
    --------
    >>> result = transport([1, 0.1], [1, 1], [[1.0, 0.5], [1.0, 0.0]])
    >>> round(result.value, 12), result.flow.round(12).tolist()
    (1.05, [[0.9, 0.1], [0.1, 0.0]])
    >>> result.certificate().holds()
    True
    """
    solve = load("transport", solver, options)
    if solve is solve_with_kernel:
        # reads compressed rows in one pass; the checks below take what is left, or name its error
        found = kernel.transport_compressed(
            supply, demand, similarity, TransportResult, CompressedWeights
        )
        found = found or _solve_dense(supply, demand, similarity)
        if found is not None:
            return found
    weights = matrices.read_weights(similarity, "similarity")
    supply = _read_amounts(supply, "supply", weights.shape[0])
    demand = _read_amounts(demand, "demand", weights.shape[1])
    return transport_weights(supply, demand, weights, solve, **options)


def _solve_dense(
    supply: Any, demand: Any, matrix: Any, similarity: Weights | None = None
) -> TransportResult | None:
    """Return the result for dense arrays, read in one pass by the kernel for dense problems.

    None for other arguments, for a small problem, and for one with an error, which the other checks
    name. Also if rounding hides the optimum from that kernel; the other one may find it.
    """
    found = kernel.transport_dense(supply, demand, matrix)
    if found is None:
        return None
    value, row, column, flow, *prices = found
    problem = supply, demand, similarity or Weights(matrix.shape, dense=matrix)
    return _result(problem, value, prices, sent=(row, column, flow))


def transport_weights(
    supply: Floats,
    demand: Floats,
    similarity: Weights,
    solve: Callable[..., TransportResult] | None = None,
    **options: Any,
) -> TransportResult:
    """Like `transport`, for checked arguments; `solve` is a back end, or None for the kernel."""
    if (size := sum(similarity.shape) + similarity.pairs) > LARGEST:
        raise ValueError(f"similarity has {size} rows, columns and entries; {LARGEST} are the most")
    result = (solve or solve_with_kernel)(supply, demand, similarity, **options)
    if not np.isfinite(result.value):
        raise ValueError(_TOO_LARGE)
    return result


def solve_with_kernel(supply: Floats, demand: Floats, similarity: Weights) -> TransportResult:
    """Return the back end "kernel"."""
    if similarity.is_dense:
        found = _solve_dense(supply, demand, similarity.dense, similarity)
        if found is not None:
            return found
    shapes = np.array([similarity.shape], dtype=np.int64)
    dense = similarity.is_dense
    flat: Any = (None, None, similarity.dense.reshape(-1)) if dense else similarity.edges
    row, column, weight = flat
    indptr = np.array([0, len(weight)])
    try:
        values, flow, *prices = kernel.transport_batch(
            indptr, row, column, weight, supply, demand, shapes, indptr, indptr
        )
    except kernel.TransportFailure:
        raise _no_optimum("", supply, demand, weight) from None
    made = {"flow": flow.reshape(similarity.shape)} if dense else {"edge_flow": flow}
    return _result((supply, demand, similarity), values[0], prices, **made)


def plan(
    supply: Floats,
    demand: Floats,
    similarity: Weights,
    flow: Floats,
    prices: tuple[Floats, Floats] | None,
) -> TransportResult:
    """Return the result of a back end that gives the flow of each of the edges of `similarity`.

    Slightly negative flow and prices, which its tolerance allows, are set to 0.
    """
    _, _, weight = similarity.edges
    flow = np.where(weight > 0, np.maximum(flow, 0.0), 0.0)
    sides = (None, None) if prices is None else [np.maximum(side, 0.0) for side in prices]
    return _result((supply, demand, similarity), weight @ flow, sides, edge_flow=flow)


def _result(
    problem: tuple[Floats, Floats, Weights],
    value: Any,
    prices: Sequence[Floats | None],
    **plan: Any,
) -> TransportResult:
    """Return a result with its `flow`, or with the amounts of which that is made later."""
    result = object.__new__(TransportResult)  # not by fields, which takes longer
    result.__dict__.update(zip(_FIELDS, (*problem, *prices), strict=True), value=float(value))
    result.__dict__.update(plan)
    return result


@dataclass(frozen=True, eq=False)
class TransportBatch:
    """Optima of many problems in flat arrays; `batch[k]` is the result of problem k.

    Attributes
    ----------
    values : float64[problems]
    flow : float64[edges]
        The flow of each edge.
    row_prices, column_prices : float64[all rows], float64[all columns]
        Concatenated over the problems, like the given supplies and demands.
    """

    values: Floats
    flow: Floats = field(repr=False)
    row_prices: Floats = field(repr=False)
    column_prices: Floats = field(repr=False)
    _problems: Problems = field(repr=False)
    _amounts: tuple[Floats, Floats] = field(repr=False)

    @cached_property
    def _offsets(self) -> tuple[Ints, Ints]:
        return self._problems.offsets

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, problem: int) -> TransportResult:
        """Return the result of one problem, with sparse similarity and flow."""
        k = matrices.read_place(problem, len(self))
        edges, rows, columns = (
            slice(*ends[k : k + 2]) for ends in (self._problems.indptr, *self._offsets)
        )
        similarity = self._problems.weights(k, ordered=True)
        given = self._amounts[0][rows], self._amounts[1][columns], similarity
        prices = self.row_prices[rows], self.column_prices[columns]
        return _result(given, self.values[k], prices, edge_flow=self.flow[edges])


def transport_batch(  # noqa: PLR0917
    indptr: Any,
    row: Any,
    column: Any,
    weight: Any,
    supply: Any,
    demand: Any,
    shapes: Any,
    workers: int = 1,
) -> TransportBatch:
    """Solve many sparse transportation problems with the kernel.

    Each is the programme of `transport`.

    Parameters
    ----------
    indptr : array-like of int [problems + 1]
        Problem k has the edges ``indptr[k]:indptr[k + 1]``.
    row, column : array-like of int [edges]
        Numbered from 0 within the problem, and sorted by row and column there, no pair twice.
    weight : array-like of float [edges]
        The similarity of each edge, finite.
    supply, demand : array-like of float [all rows], [all columns]
        Those of problem 0, then those of problem 1, and so on; finite and at least 0.
    shapes : array-like of int [problems, 2]
        Rows and columns of each problem.
    workers : int
        Number of threads, -1 for all processors; the results do not depend on it.

    Returns
    -------
    TransportBatch

    Raises
    ------
    ValueError, TypeError
        Invalid arrays; the message names the place.
    SolverError
        If rounding keeps a problem from an optimum; the message names the first such problem. Not
        met where weights, and amounts, span 6 orders of magnitude; in 1 of 1,500 small problems
        that span 12 and in 1 of 100 that span 20.

    Notes
    -----
    The network simplex method, as by `transport`: memory is linear in the edges of a problem for
    each thread, and the number of pivots grows about as its rows + columns.

    Examples
    --------
    >>> batch = transport_batch(
    ...     indptr=[0, 2, 3],
    ...     row=[0, 1, 0],
    ...     column=[0, 0, 1],
    ...     weight=[1.0, 0.5, 1.0],
    ...     supply=[1, 1, 2],
    ...     demand=[1.5, 1, 1],
    ...     shapes=[[2, 1], [1, 2]],
    ... )
    >>> batch.values.tolist(), batch.flow.tolist()
    ([1.25, 1.0], [1.0, 0.5, 1.0])
    >>> batch[0].certificate().holds()
    True
    """
    workers = check_workers(workers)
    # the kernel takes good arrays as they are; others are converted, or refused by name
    plain = kernel.transport_flat(indptr, row, column, weight, supply, demand, shapes, workers)
    if plain is not None:
        given = Problems(indptr, row, column, weight, shapes)
        return TransportBatch(*plain, given, (supply, demand))
    problems = matrices.read_batch(indptr, row, column, weight, shapes)
    offsets, sizes = problems.offsets, np.diff(problems.indptr)
    wide = np.flatnonzero(problems.shapes.sum(axis=1) + sizes > LARGEST)
    if len(wide):
        raise ValueError(f"problem {wide[0]} has more than {LARGEST} rows, columns and edges")
    supply = _read_amounts(supply, "supply", int(offsets[0][-1]))
    demand = _read_amounts(demand, "demand", int(offsets[1][-1]))
    try:
        found = kernel.transport_batch(
            *problems[:-1], supply, demand, problems.shapes, *offsets, workers
        )
    except kernel.TransportFailure as failure:
        k, reason = failure.args
        if reason == "edges":
            raise _bad_edge(problems, k) from None
        edges, rows, columns = (slice(*ends[k : k + 2]) for ends in (problems.indptr, *offsets))
        weight = problems.weight[edges]
        raise _no_optimum(f"problem {k}: ", supply[rows], demand[columns], weight) from None
    return TransportBatch(*found, problems, (supply, demand))


def _read_amounts(value: Any, name: str, size: int) -> Floats:
    amounts = matrices.read_floats(value, name, size)
    if amounts.min(initial=0.0) < 0:
        bad = int(np.flatnonzero(amounts < 0)[0])
        raise ValueError(f"{name}[{bad}] is {amounts[bad]}; give amounts of at least 0")
    return amounts


def _bad_edge(problems: Problems, problem: int) -> ValueError:
    """Return the error of the edge that the kernel refused."""
    if (error := problems.outside(problem)) is not None:
        return error
    begin, end = problems.indptr[problem : problem + 2]
    row, column = problems.row[begin:end], problems.column[begin:end]
    step, side = np.diff(row), np.diff(column)
    place = np.flatnonzero((step < 0) | ((step == 0) & (side <= 0)))[0] + 1
    twice = step[place - 1] == 0 and side[place - 1] == 0
    return ValueError(
        f"edge {begin + place} of problem {problem}, ({row[place]}, {column[place]}), "
        + ("is given twice" if twice else "is out of order; sort edges by row and column")
    )


def _no_optimum(place: str, supply: Floats, demand: Floats, weight: Floats) -> Exception:
    """Return the error if the kernel's value and bound differ."""
    with np.errstate(over="ignore"):
        bound = (supply.sum() + demand.sum()) * np.abs(weight).max(initial=0.0)
    if not np.isfinite(bound):
        return ValueError(place + _TOO_LARGE)
    return SolverError(
        f"{place}rounding hides the optimum; use weights and amounts of similar magnitude"
    )
