"""The back ends for transportation that call other packages; each imports its own when called."""

from __future__ import annotations

from typing import Any

import numpy as np

from summeval.solvers.back_ends.highs import DEFAULT, solve_programme
from summeval.solvers.result import SolverError, TransportResult
from summeval.solvers.transportation import plan
from summeval.solvers.weights import Edges, Floats, Weights

PIVOTS = 10**9  # POT stops after so many, silently unless asked
# Allowed relative difference of value and bound; PDLP is a first-order method.
GAP, PDLP_GAP = 1e-9, 1e-6


def solve_with_highs(
    supply: Floats, demand: Floats, similarity: Weights, *, algorithm: str = "simplex"
) -> TransportResult:
    """The back end "highs": the linear programme by HiGHS."""
    kept, edges = _positive(similarity)
    found, *prices = solve_programme(edges, *_within_reach(supply, demand), algorithm)
    flow = np.zeros(len(kept))
    flow[kept] = found
    result = plan(supply, demand, similarity, flow, (prices[0], prices[1]))
    return _proven("highs", result, PDLP_GAP if algorithm == "pdlp" else GAP)


def solve_with_default_highs(
    supply: Floats, demand: Floats, similarity: Weights
) -> TransportResult:
    """The back end "highs-default": a new HiGHS instance for each problem, as a baseline."""
    return solve_with_highs(supply, demand, similarity, algorithm=DEFAULT)


def solve_with_scipy(supply: Floats, demand: Floats, similarity: Weights) -> TransportResult:
    """The back end "scipy": the linear programme by `scipy.optimize.linprog`."""
    from scipy.optimize import linprog
    from scipy.sparse import csc_array

    kept, (row, column, weight) = _positive(similarity)
    flow = np.zeros(len(kept))
    if not len(weight):
        return plan(supply, demand, similarity, flow, (0.0 * supply, 0.0 * demand))
    index = np.stack([row, column + len(supply)], axis=1).reshape(-1)
    start = np.arange(0, 2 * len(weight) + 1, 2)
    nodes = len(supply) + len(demand)
    matrix = csc_array((np.ones(len(index)), index, start), shape=(nodes, len(weight)))
    limits = np.concatenate(_within_reach(supply, demand))
    worth, unit = weight.max(), limits.max() or 1.0
    found = linprog(
        -weight / worth,
        A_ub=matrix,
        b_ub=limits / unit,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.status != 0:
        raise SolverError(f"scipy ended with {found.message!r}")
    flow[kept] = found.x * unit
    prices = -found.ineqlin.marginals * worth
    pair = prices[: len(supply)], prices[len(supply) :]
    return _proven("scipy", plan(supply, demand, similarity, flow, pair))


def solve_with_pot(supply: Floats, demand: Floats, similarity: Weights) -> TransportResult:
    """The back end "pot": `ot.emd`, the network simplex method of LEMON.

    A dummy column absorbs unused supply and a dummy row meets unmet demand, both at no cost.
    POT solves the dense problem; its prices are feasible up to its own tolerance.
    """
    import ot

    shape = similarity.shape
    best = similarity.dense.max(initial=0.0)
    if not (best > 0 and supply.any() and demand.any()):
        return plan(supply, demand, similarity, np.zeros(len(similarity.edges[2])), None)
    costs = np.zeros((shape[0] + 1, shape[1] + 1))
    np.maximum(similarity.dense / best, 0.0, out=costs[:-1, :-1])
    np.negative(costs, out=costs)
    gives, takes = _within_reach(supply, demand)
    unit = gives.sum() + takes.sum()
    left = np.append(gives, takes.sum()) / unit
    right = np.append(takes, gives.sum()) / unit
    flow, log = ot.emd(left, right, costs, numItermax=PIVOTS, log=True)
    if log["warning"]:
        raise SolverError(f"pot ended with {log['warning']!r}")
    row, column, _ = similarity.edges
    prices = (
        -best * (log["u"][:-1] + log["v"][-1]),
        -best * (log["v"][:-1] + log["u"][-1]),
    )
    return _proven("pot", plan(supply, demand, similarity, flow[row, column] * unit, prices))


def solve_with_ortools(
    supply: Floats, demand: Floats, similarity: Weights, *, algorithm: str = "glop"
) -> TransportResult:
    """The back end "ortools": the linear programme by GLOP, or `SimpleMinCostFlow`.

    The latter takes whole numbers: it serves amounts and similarities that are decimals of up to 9
    digits after the point, and gives no prices.
    """
    if algorithm == "glop":
        return _solve_with_glop(supply, demand, similarity)
    if algorithm == "min-cost-flow":
        return _solve_with_flow(supply, demand, similarity)
    raise ValueError(f"algorithm is {algorithm!r}; choose from 'glop', 'min-cost-flow'")


def _solve_with_glop(supply: Floats, demand: Floats, similarity: Weights) -> TransportResult:
    from ortools.linear_solver.python import model_builder_helper as builder
    from scipy.sparse import csr_matrix

    kept, (row, column, weight) = _positive(similarity)
    flow = np.zeros(len(kept))
    if not len(weight):
        return plan(supply, demand, similarity, flow, (0.0 * supply, 0.0 * demand))
    limits = np.concatenate(_within_reach(supply, demand))
    worth, unit = weight.max(), limits.max() or 1.0
    edges, nodes = len(weight), len(supply) + len(demand)
    ends = np.concatenate([row, column + len(supply)]), np.tile(np.arange(edges), 2)
    matrix = csr_matrix((np.ones(2 * edges), ends), shape=(nodes, edges))
    model = builder.ModelBuilderHelper()
    model.fill_model_from_sparse_data(
        np.zeros(edges),
        np.full(edges, np.inf),
        weight / worth,
        np.full(nodes, -np.inf),
        limits / unit,
        matrix,
    )
    model.set_maximize(True)
    run = builder.ModelSolverHelper("glop")
    run.set_solver_specific_parameters(
        "solution_feasibility_tolerance: 1e-9 primal_feasibility_tolerance: 1e-10"
        " dual_feasibility_tolerance: 1e-10"
    )
    run.solve(model)
    if run.status() != builder.SolveStatus.OPTIMAL:
        raise SolverError(f"ortools ended with {run.status()}")
    flow[kept] = np.asarray(run.variable_values()) * unit
    prices = np.abs(np.asarray(run.dual_values())) * worth
    pair = prices[: len(supply)], prices[len(supply) :]
    return _proven("ortools", plan(supply, demand, similarity, flow, pair))


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
    status = solver.solve()
    if status != solver.OPTIMAL:
        raise SolverError(f"ortools ended with {status}")
    flow = np.zeros(len(kept))
    flow[kept] = solver.flows(arcs[: len(row)]) / unit
    return plan(supply, demand, similarity, flow, None)


def _decimals(values: Floats, name: str) -> float:
    """The least power of 10 that makes whole numbers of all values, up to rounding."""
    for digits in range(10):
        scale = 10.0**digits
        whole = np.rint(values * scale)
        if np.allclose(whole / scale, values, rtol=1e-14, atol=0.0):
            return scale
    raise ValueError(f"{name} holds numbers with more than 9 decimal places; use algorithm='glop'")


def _whole(values: Floats, scale: float) -> Any:
    return np.rint(values * scale).astype(np.int64)


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
    prices = result.prices
    assert prices is not None
    bound = float(result.supply @ prices[0] + result.demand @ prices[1])
    if not abs(bound - result.value) <= gap * max(bound, result.value):
        raise SolverError(
            f"{solver} ended with a value of {result.value:.6g} and a bound of {bound:.6g};"
            " use weights and amounts of similar magnitude"
        )
    return result


def _positive(similarity: Weights) -> tuple[Any, Edges]:
    """Which edges can gain, and those edges."""
    row, column, weight = similarity.edges
    kept = weight > 0
    return kept, (row[kept], column[kept], weight[kept])
