"""The back ends that call other packages; each imports its own when it is called."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from summeval._arrays import AnyArray, Floats, Ints
from summeval.solvers.assignment import matching
from summeval.solvers.result import AssignmentResult, SolverError, TransportResult
from summeval.solvers.transportation import plan
from summeval.solvers.weights import Edges, Weights

# HiGHS. `DEFAULT` is a new instance for each problem, with the default options.
ALGORITHMS, DEFAULT = ("simplex", "ipm", "pdlp"), "default"
# As measured (60 to 1000 rows and columns, 1 to 10 edges a row and dense, highspy 1.15): the primal
# simplex method is the faster one for up to this many rows and columns, beyond it the dual one.
PRIMAL = 1000
# Presolve pays only where it leaves nothing: in large problems of about one edge for each row.
PRESOLVE = 300
EDGES_FOR_A_NODE = 0.6
DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4
# The default of 1e-7 is more than a certificate allows; PDLP, a first-order method, needs it.
FEASIBILITY = ("primal_feasibility_tolerance", "dual_feasibility_tolerance")
TOLERANCES = {"simplex": 1e-10, "ipm": 1e-10, "pdlp": 1e-7}
# OR-tools needs integer costs and refuses costs that reach 2^63 when multiplied by twice the square
# of the nodes of a side. The largest weight is scaled to this number divided by that square.
WHOLE = 2**61
# The rounding error allowed for integer costs, relative to the value.
ROUNDING = 1e-10
PIVOTS = 10**9  # POT stops after so many, silently unless asked
# Allowed relative difference of value and bound; PDLP is a first-order method.
GAP, PDLP_GAP = 1e-9, 1e-6

# From the ends [edge, 2] of edges, their weights and the limits of rows and columns: the flow of
# each edge, and the prices.
Linear = Callable[[AnyArray, Floats, Floats], tuple[Floats, Floats]]
_instances = threading.local()


def solve_programme(
    edges: Edges, supply: Floats, demand: Floats, solve: Linear
) -> tuple[Floats, Floats]:
    """Return the flow of each edge and the prices of rows and columns, by such a code.

    Weights and amounts are scaled by powers of 2, so that its absolute tolerances become relative
    ones.
    """
    row, column, weight = edges
    amounts = np.concatenate([supply, demand])
    if not len(weight):
        return np.zeros(0), np.zeros(len(amounts))
    worth, unit = _power(np.abs(weight).max()), _power(amounts.max(initial=0.0))
    ends = np.stack([row, column + len(supply)], axis=1, dtype=np.int32, casting="unsafe")
    flow, prices = solve(ends, weight / worth, amounts / unit)
    return flow * unit, prices * worth


def _highs(algorithm: str) -> Linear:
    """HiGHS by an algorithm. One instance of it serves each thread.

    "pdlp" ends at a relative gap of about 1e-7, the interior point method crosses over to a vertex.
    DEFAULT is the baseline for comparisons.

    Raises
    ------
    ValueError
        For an unknown algorithm.
    """
    import highspy

    if algorithm not in (*ALGORITHMS, DEFAULT):
        shown = ", ".join(map(repr, ALGORITHMS))
        raise ValueError(f"algorithm is {algorithm!r}; choose from {shown}")

    def solve(ends: AnyArray, weight: Floats, limits: Floats) -> tuple[Floats, Floats]:
        (count, nodes), highs = (len(weight), len(limits)), _instance(algorithm)
        # a column for each edge, a row for each supply and demand
        columns = weight, np.zeros(count), np.full(count, np.inf)
        rows = np.full(nodes, -np.inf), limits
        starts = np.arange(0, 2 * count, 2, dtype=np.int32)
        form, sense = int(highspy.MatrixFormat.kColwise), int(highspy.ObjSense.kMaximize)
        entries = starts, ends.reshape(-1), np.ones(2 * count), np.zeros(count, dtype=np.int32)
        shape = count, nodes, 2 * count, form, sense, 0.0
        if highs.passModel(*shape, *columns, *rows, *entries) == highspy.HighsStatus.kError:
            raise SolverError("highs refused the programme")
        if algorithm == "simplex":
            loose = nodes > PRESOLVE and count <= EDGES_FOR_A_NODE * nodes
            strategy = PRIMAL_SIMPLEX if nodes <= PRIMAL else DUAL_SIMPLEX
            _choose(highs, strategy, "on" if loose else "off")
        highs.run()
        status = highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"highs ended with {highs.modelStatusToString(status)!r}")
        solution = highs.getSolution()
        return np.asarray(solution.col_value), np.asarray(solution.row_dual)

    return solve


def _instance(algorithm: str) -> Any:
    """Return the instance of this thread for an algorithm."""
    import highspy

    highs = getattr(_instances, algorithm, None)
    if highs is None:
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        highs.setOptionValue("output_flag", False)
        if algorithm == DEFAULT:
            return highs
        options: dict[str, Any] = dict.fromkeys(FEASIBILITY, TOLERANCES[algorithm])
        options |= {"solver": algorithm, "threads": 1}
        # PDLP gives duals of the wrong sign where presolve leaves nothing (highspy 1.15)
        options["presolve"] = "choose" if algorithm == "ipm" else "off"
        # perturbed bounds cost more time than the stalling that they prevent
        options["primal_simplex_bound_perturbation_multiplier"] = 0.0
        for option, value in options.items():
            highs.setOptionValue(option, value)
        setattr(_instances, algorithm, highs)
    return highs


def _choose(highs: Any, strategy: int, presolve: str) -> None:
    """Set the options that depend on the problem, unless they are already set."""
    if getattr(_instances, "chosen", None) != (strategy, presolve):
        highs.setOptionValue("simplex_strategy", strategy)
        highs.setOptionValue("presolve", presolve)
        _instances.chosen = strategy, presolve


def _power(largest: float) -> float:
    """Return the largest power of 2 that is not above a number; 1 for 0."""
    return math.ldexp(0.5, math.frexp(largest)[1]) if largest else 1.0


def assign_with_highs(weights: Weights, algorithm: str = "simplex") -> AssignmentResult:
    """Return the back end "highs": the linear relaxation, by a method that ends at a vertex.

    Raises
    ------
    ValueError
        If `algorithm` is neither "simplex" nor "ipm".
    SolverError
        If HiGHS ends without an optimum, or at a point that is no matching.
    """
    if algorithm not in ("simplex", "ipm", DEFAULT):
        raise ValueError(f"algorithm is {algorithm!r}; a matching needs 'simplex' or 'ipm'")
    _, (row, column, weight) = _positive(weights)
    rows, columns = weights.shape
    programme = (row, column, weight), np.ones(rows), np.ones(columns)
    flow, prices = solve_programme(*programme, _highs(algorithm))
    chosen = flow > 0.5
    if len(flow) and np.abs(flow - chosen).max() > 1e-6:
        raise SolverError("highs ended at a point that is not a matching")
    prices = np.maximum(prices, 0.0)
    return matching(weights, row[chosen], column[chosen], (prices[:rows], prices[rows:]))


def assign_with_default_highs(weights: Weights) -> AssignmentResult:
    """Return the back end "highs-default": a new HiGHS instance for each problem, as a baseline."""
    return assign_with_highs(weights, DEFAULT)


def assign_with_scipy(weights: Weights) -> AssignmentResult:
    """The back end "scipy": `scipy.optimize.linear_sum_assignment`, dense. It gives no prices."""
    from scipy.optimize import linear_sum_assignment

    return matching(weights, *linear_sum_assignment(_gains(weights), maximize=True))


def assign_with_scipy_sparse(weights: Weights) -> AssignmentResult:
    """Return the back end "scipy-sparse": `min_weight_full_bipartite_matching`. It gives no prices.

    That function matches every row, so each row gets an extra column that means unmatched.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    (rows, columns), (_, (row, column, weight)) = weights.shape, _positive(weights)
    if not len(row):
        return matching(weights, row, column)
    own = np.arange(rows)
    # costs of 0 would not be edges
    costs = np.concatenate([2.0 - weight / weights.largest, np.full(rows, 2.0)])
    ends = np.concatenate([row, own]), np.concatenate([column, columns + own])
    graph = csr_array((costs, ends), shape=(rows, columns + rows))
    return matching(weights, *min_weight_full_bipartite_matching(graph))


def assign_with_lapx(weights: Weights) -> AssignmentResult:
    """The back end "lapx": its Jonker-Volgenant solver for dense matrices. It gives no prices."""
    import lap

    rows, columns = weights.shape
    if 0 in weights.shape:
        return matching(weights, *np.zeros((2, 0), dtype=np.int64))
    solve = getattr(lap, "lapjvr", None) or getattr(lap, "lapjvx", None)
    if solve is None:
        raise ImportError('method "lapx" needs lapx itself, not lap: pip install lapx')
    found = solve(-_gains(weights), extend_cost=rows != columns, return_cost=False)
    return matching(weights, *found)


def assign_with_networkx(weights: Weights) -> AssignmentResult:
    """The back end "networkx": `max_weight_matching`, the blossom method. It gives no prices."""
    import networkx

    _, (row, column, weight) = _positive(weights)
    graph = networkx.Graph()
    columns = weights.shape[0] + column
    graph.add_weighted_edges_from(zip(row.tolist(), columns.tolist(), weight.tolist(), strict=True))
    pairs = [sorted(pair) for pair in networkx.max_weight_matching(graph)]
    found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return matching(weights, found[:, 0], found[:, 1] - weights.shape[0])


def assign_with_ortools(weights: Weights) -> AssignmentResult:
    """Return the back end "ortools": `SimpleLinearSumAssignment`. It gives no prices.

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

    (rows, columns), (_, (row, column, weight)) = weights.shape, _positive(weights)
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
    _check("ortools", solver.solve(), solver.OPTIMAL)
    mates = np.array([solver.right_mate(i) for i in range(rows)], dtype=np.int64)
    matched = np.flatnonzero(mates < columns)
    result = matching(weights, matched, mates[matched])
    # each pair of either matching may be off by this much
    off = float(np.abs(scaled - costs).max()) / most * weights.largest
    if 2 * min(rows, columns) * off > ROUNDING * result.value:
        raise SolverError("ortools needs integer costs: the weights differ too much in magnitude")
    return result


def transport_with_highs(
    supply: Floats, demand: Floats, similarity: Weights, *, algorithm: str = "simplex"
) -> TransportResult:
    """Return the back end "highs": the linear programme by HiGHS."""
    gap = PDLP_GAP if algorithm == "pdlp" else GAP
    return _transport("highs", (supply, demand, similarity), _highs(algorithm), gap)


def transport_with_default_highs(
    supply: Floats, demand: Floats, similarity: Weights
) -> TransportResult:
    """Return the back end "highs-default": a new HiGHS instance for each problem, as a baseline."""
    return transport_with_highs(supply, demand, similarity, algorithm=DEFAULT)


def transport_with_scipy(supply: Floats, demand: Floats, similarity: Weights) -> TransportResult:
    """Return the back end "scipy": the linear programme by `scipy.optimize.linprog`."""
    from scipy.optimize import linprog

    def solve(ends: AnyArray, weight: Floats, limits: Floats) -> tuple[Floats, Floats]:
        how = {"method": "highs", "options": dict.fromkeys(FEASIBILITY, 1e-10)}
        found = linprog(-weight, A_ub=_matrix(ends, len(limits)), b_ub=limits, **how)
        _check("scipy", repr(found.message) if found.status else None)
        return found.x, -found.ineqlin.marginals

    return _transport("scipy", (supply, demand, similarity), solve)


def transport_with_ortools(
    supply: Floats, demand: Floats, similarity: Weights, *, algorithm: str = "glop"
) -> TransportResult:
    """Return the back end "ortools": the linear programme by GLOP, or `SimpleMinCostFlow`.

    The latter takes whole numbers: it serves amounts and similarities that are decimals of up to 9
    digits after the point, and gives no prices.
    """
    if algorithm == "glop":
        return _transport("ortools", (supply, demand, similarity), _glop)
    if algorithm == "min-cost-flow":
        return _solve_with_flow(supply, demand, similarity)
    raise ValueError(f"algorithm is {algorithm!r}; choose from 'glop', 'min-cost-flow'")


def _glop(ends: AnyArray, weight: Floats, limits: Floats) -> tuple[Floats, Floats]:
    from ortools.linear_solver.python import model_builder_helper as builder
    from scipy.sparse import csr_matrix

    nodes, edges = len(limits), len(weight)
    model, run = builder.ModelBuilderHelper(), builder.ModelSolverHelper("glop")
    bounds = np.zeros(edges), np.full(edges, np.inf), weight, np.full(nodes, -np.inf), limits
    model.fill_model_from_sparse_data(*bounds, csr_matrix(_matrix(ends, nodes)))
    model.set_maximize(True)
    run.set_solver_specific_parameters(
        "solution_feasibility_tolerance: 1e-9 primal_feasibility_tolerance: 1e-10"
        " dual_feasibility_tolerance: 1e-10"
    )
    run.solve(model)
    _check("ortools", run.status(), builder.SolveStatus.OPTIMAL)
    return np.asarray(run.variable_values()), np.abs(np.asarray(run.dual_values()))


def _solve_with_flow(supply: Floats, demand: Floats, similarity: Weights) -> TransportResult:
    from ortools.graph.python import min_cost_flow

    kept, (row, column, weight) = _positive(similarity)
    worth, unit = _decimals(weight, "similarity"), _decimals(np.append(supply, demand), "supply")
    rows, columns = similarity.shape
    gives, takes = _whole(supply, unit), _whole(demand, unit)
    source, sink = rows + columns, rows + columns + 1
    total = int(gives.sum())
    left: list[Any] = [row, np.full(rows, source), rows + np.arange(columns), [source]]
    right: list[Any] = [rows + column, np.arange(rows), np.full(columns, sink), [sink]]
    rooms: list[Any] = [np.full(len(row), total), gives, takes, [total]]
    costs: list[Any] = [-_whole(weight, worth), np.zeros(rows + columns + 1, dtype=np.int64)]
    solver = min_cost_flow.SimpleMinCostFlow()
    arcs = solver.add_arcs_with_capacity_and_unit_cost(
        *(np.concatenate(part).astype(np.int64) for part in (left, right, rooms, costs))
    )
    solver.set_nodes_supplies(np.array([source, sink]), np.array([total, -total]))
    _check("ortools", solver.solve(), solver.OPTIMAL)
    flow = solver.flows(arcs[: len(row)]) / unit
    return plan(supply, demand, similarity, _of_all(kept, flow), None)


def _decimals(values: Floats, name: str) -> float:
    """Return the least power of 10 that makes whole numbers of all values, up to rounding."""
    for digits in range(10):
        scale = 10.0**digits
        if np.allclose(np.rint(values * scale) / scale, values, rtol=1e-14, atol=0.0):
            return scale
    raise ValueError(f"{name} holds numbers with more than 9 decimal places; use algorithm='glop'")


def _whole(values: Floats, scale: float) -> Ints:
    return np.rint(values * scale).astype(np.int64)


def transport_with_pot(supply: Floats, demand: Floats, similarity: Weights) -> TransportResult:
    """Return the back end "pot": `ot.emd`, the network simplex method of LEMON.

    A dummy column absorbs unused supply and a dummy row meets unmet demand, both at no cost.
    POT solves the dense problem; its prices are feasible up to its own tolerance.
    """
    import ot

    row, column, _ = similarity.edges
    best = similarity.dense.max(initial=0.0)
    if not (best > 0 and supply.any() and demand.any()):
        return plan(supply, demand, similarity, np.zeros(len(row)), None)
    costs = -np.pad(_gains(similarity) / best, (0, 1))
    gives, takes = _within_reach(supply, demand)
    unit = gives.sum() + takes.sum()
    left, right = np.append(gives, takes.sum()) / unit, np.append(takes, gives.sum()) / unit
    flow, log = ot.emd(left, right, costs, numItermax=PIVOTS, log=True)
    _check("pot", repr(log["warning"]) if log["warning"] else None)
    u, v = log["u"], log["v"]
    prices = -best * (u[:-1] + v[-1]), -best * (v[:-1] + u[-1])
    return _proven("pot", plan(supply, demand, similarity, flow[row, column] * unit, prices))


def _matrix(ends: AnyArray, nodes: int) -> Any:
    """Return the matrix of a programme: a column for each edge, with 1 at both ends."""
    from scipy.sparse import csc_array

    starts = np.arange(0, ends.size + 1, 2)
    return csc_array((np.ones(ends.size), ends.reshape(-1), starts), shape=(nodes, len(ends)))


def _transport(
    name: str, problem: tuple[Floats, Floats, Weights], solve: Linear, gap: float = GAP
) -> TransportResult:
    """Return the plan that a linear programming code finds, proven by its prices."""
    supply, demand, similarity = problem
    kept, edges = _positive(similarity)
    found, prices = solve_programme(edges, *_within_reach(supply, demand), solve)
    sides = prices[: len(supply)], prices[len(supply) :]
    return _proven(name, plan(*problem, _of_all(kept, found), sides), gap)


def _of_all(kept: AnyArray, found: Floats) -> Floats:
    """Return the flow of all edges, from that of those kept."""
    flow = np.zeros(len(kept))
    flow[kept] = found
    return flow


def _check(solver: str, status: Any, optimal: Any = None) -> None:
    if status != optimal:
        raise SolverError(f"{solver} ended with {status}")


def _within_reach(supply: Floats, demand: Floats) -> tuple[Floats, Floats]:
    """Amounts capped at what a plan can use; a large excess would hide the other amounts.

    The cap is above the total of the other side, so that no new constraint becomes binding.
    """
    with np.errstate(over="ignore"):
        most = 2 * demand.sum() or np.inf, 2 * supply.sum() or np.inf
    return np.minimum(supply, most[0]), np.minimum(demand, most[1])


def _proven(solver: str, result: TransportResult, gap: float = GAP) -> TransportResult:
    """Return the result if its prices prove its value; solvers use absolute tolerances.

    Raises
    ------
    SolverError
        If the bound from the prices differs from the value.
    """
    assert result.prices is not None
    of_rows, of_columns = result.prices
    bound = float(result.supply @ of_rows + result.demand @ of_columns)
    if not abs(bound - result.value) <= gap * max(bound, result.value):
        raise SolverError(
            f"{solver} ended with a value of {result.value:.6g} and a bound of {bound:.6g};"
            " use weights and amounts of similar magnitude"
        )
    return result


def _gains(weights: Weights) -> Floats:
    """Return the dense matrix with 0 for pairs that are never matched."""
    return np.maximum(weights.dense, 0.0)


def _positive(weights: Weights) -> tuple[Any, Edges]:
    """Return which edges can gain, and those edges."""
    row, column, weight = weights.edges
    kept = weight > 0
    return kept, (row[kept], column[kept], weight[kept])
