"""The back ends for assignment that call other packages; each imports its own when it is called."""

from __future__ import annotations

from typing import Any

import numpy as np

from summeval.solvers.assignment import matching
from summeval.solvers.result import AssignmentResult, SolverError
from summeval.solvers.weights import Edges, Weights

# OR-tools needs integer costs and refuses costs that reach 2^63 when multiplied by twice the square
# of the nodes of a side. The largest weight is scaled to this number divided by that square.
WHOLE = 2**61
# The rounding error allowed for integer costs, relative to the value.
ROUNDING = 1e-10


def solve_with_highs(weights: Weights, algorithm: str = "simplex") -> AssignmentResult:
    """The back end "highs": the linear relaxation, by a method that ends at a vertex.

    Raises
    ------
    ValueError
        If `algorithm` is neither "simplex" nor "ipm".
    SolverError
        If HiGHS ends without an optimum, or at a point that is no matching.
    """
    from summeval.solvers.back_ends.highs import DEFAULT, solve_programme

    if algorithm not in ("simplex", "ipm", DEFAULT):
        raise ValueError(f"algorithm is {algorithm!r}; a matching needs 'simplex' or 'ipm'")
    row, column, weight = _positive(weights)
    ones = np.ones(weights.shape[0]), np.ones(weights.shape[1])
    flow, row_prices, column_prices = solve_programme((row, column, weight), *ones, algorithm)
    chosen = flow > 0.5
    if len(flow) and np.abs(flow - chosen).max() > 1e-6:
        raise SolverError("highs ended at a point that is not a matching")
    prices = np.maximum(row_prices, 0.0), np.maximum(column_prices, 0.0)
    return matching(weights, row[chosen], column[chosen], prices)


def solve_with_default_highs(weights: Weights) -> AssignmentResult:
    """The back end "highs-default": a new HiGHS instance for each problem, as a baseline."""
    from summeval.solvers.back_ends.highs import DEFAULT

    return solve_with_highs(weights, DEFAULT)


def solve_with_scipy(weights: Weights) -> AssignmentResult:
    """The back end "scipy": `scipy.optimize.linear_sum_assignment`, dense. It gives no prices."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(_gains(weights), maximize=True)
    return matching(weights, rows, columns)


def solve_with_scipy_sparse(weights: Weights) -> AssignmentResult:
    """The back end "scipy-sparse": `min_weight_full_bipartite_matching`. It gives no prices.

    That function matches every row, so each row gets an extra column that means unmatched.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    (rows, columns), (row, column, weight) = weights.shape, _positive(weights)
    if not len(row):
        return matching(weights, row, column)
    # costs of 0 would not be edges
    scale = weights.largest
    own = np.arange(rows)
    costs = np.concatenate([2.0 - weight / scale, np.full(rows, 2.0)])
    ends = np.concatenate([row, own]), np.concatenate([column, columns + own])
    graph = csr_array((costs, ends), shape=(rows, columns + rows))
    return matching(weights, *min_weight_full_bipartite_matching(graph))


def solve_with_lapx(weights: Weights) -> AssignmentResult:
    """The back end "lapx": its Jonker-Volgenant solver for dense matrices. It gives no prices."""
    import lap

    if 0 in weights.shape:
        return matching(weights, *np.zeros((2, 0), dtype=np.int64))
    solve = getattr(lap, "lapjvr", None) or getattr(lap, "lapjvx", None)
    if solve is None:
        raise ImportError('method "lapx" needs lapx itself, not lap: pip install lapx')
    costs = -_gains(weights)
    square = weights.shape[0] == weights.shape[1]
    rows, columns = solve(costs, extend_cost=not square, return_cost=False)
    return matching(weights, rows, columns)


def solve_with_networkx(weights: Weights) -> AssignmentResult:
    """The back end "networkx": `max_weight_matching`, the blossom method. It gives no prices."""
    import networkx

    row, column, weight = _positive(weights)
    graph = networkx.Graph()
    columns = weights.shape[0] + column
    graph.add_weighted_edges_from(zip(row.tolist(), columns.tolist(), weight.tolist(), strict=True))
    pairs = [sorted(pair) for pair in networkx.max_weight_matching(graph)]
    found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return matching(weights, found[:, 0], found[:, 1] - weights.shape[0])


def solve_with_ortools(weights: Weights) -> AssignmentResult:
    """The back end "ortools": `SimpleLinearSumAssignment`. It gives no prices.

    It needs integer costs, so weights are rounded to a small fraction of the largest, about 2^-43
    for 300 rows and columns together. Since it matches every node, the problem is doubled: a
    mirrored copy, and an edge of weight 0 from each row and column to its image.

    Raises
    ------
    SolverError
        If it ends without an optimum, or if the weights differ so much in magnitude that the
        rounded optimum may not be optimal, to 1e-10 of its value.
    """
    from ortools.graph.python import linear_sum_assignment

    (rows, columns), (row, column, weight) = weights.shape, _positive(weights)
    if not len(row):
        return matching(weights, row, column)
    most = float(WHOLE // (rows + columns + 1) ** 2)
    scaled = weight / weights.largest * most
    costs = np.rint(scaled).astype(np.int64)
    own, others = np.arange(rows), np.arange(columns)
    left = np.concatenate([row, own, rows + others, rows + column])
    right = np.concatenate([column, columns + own, others, columns + row])
    zeros = np.zeros(rows + columns + len(row), dtype=np.int64)
    solver = linear_sum_assignment.SimpleLinearSumAssignment()
    solver.add_arcs_with_cost(left, right, np.concatenate([-costs, zeros]))
    status = solver.solve()
    if status != solver.OPTIMAL:
        raise SolverError(f"ortools ended with {status}")
    mates = np.array([solver.right_mate(i) for i in range(rows)], dtype=np.int64)
    matched = np.flatnonzero(mates < columns)
    result = matching(weights, matched, mates[matched])
    # each pair of either matching may be off by this much
    off = float(np.abs(scaled - costs).max()) / most * weights.largest
    if 2 * min(rows, columns) * off > ROUNDING * result.value:
        raise SolverError("ortools needs integer costs: the weights differ too much in magnitude")
    return result


def _gains(weights: Weights) -> Any:
    """The dense matrix with 0 for pairs that are never matched."""
    return np.maximum(weights.dense, 0.0)


def _positive(weights: Weights) -> Edges:
    row, column, weight = weights.edges
    kept = weight > 0
    return row[kept], column[kept], weight[kept]
