"""The transportation programme solved by HiGHS; in an assignment all amounts are 1."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np

from summeval.solvers.result import SolverError
from summeval.solvers.weights import Edges, Floats

ALGORITHMS = ("simplex", "ipm", "pdlp")
# A new instance for each problem, with the default options of HiGHS.
DEFAULT = "default"
# As measured (60 to 1000 rows and columns, 1 to 10 edges a row and dense, highspy 1.15): the primal
# simplex method is the faster one for up to this many rows and columns, beyond it the dual one.
PRIMAL = 1000
# Presolve pays only where it leaves nothing: in large problems of about one edge for each row.
PRESOLVE = 300
EDGES_FOR_A_NODE = 0.6
DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4
# The default of 1e-7 is more than a certificate allows; PDLP, a first-order method, needs it.
TOLERANCES = {"simplex": 1e-10, "ipm": 1e-10, "pdlp": 1e-7}

_instances = threading.local()


def solve_programme(
    edges: Edges, supply: Floats, demand: Floats, algorithm: str = "simplex"
) -> tuple[Floats, Floats, Floats]:
    """The flow of each edge, the row prices and the column prices.

    One instance of HiGHS serves each thread. Weights and amounts are scaled by powers of 2, so that
    its absolute tolerances become relative ones.

    Parameters
    ----------
    edges : (int64[edges], int64[edges], float64[edges])
        Row, column and weight.
    supply, demand : float64[rows], float64[columns]
    algorithm : {"simplex", "ipm", "pdlp"}, or DEFAULT
        "pdlp" ends at a relative gap of about 1e-7, the interior point method crosses over to a
        vertex. DEFAULT is the baseline for comparisons.

    Raises
    ------
    ValueError
        For an unknown algorithm.
    SolverError
        If HiGHS ends without an optimum.
    """
    import highspy

    if algorithm not in (*ALGORITHMS, DEFAULT):
        shown = ", ".join(map(repr, ALGORITHMS))
        raise ValueError(f"algorithm is {algorithm!r}; choose from {shown}")
    row, column, weight = edges
    amounts = np.concatenate([supply, demand])
    if not len(weight):
        return np.zeros(0), np.zeros(len(supply)), np.zeros(len(demand))
    worth, unit = _power(np.abs(weight).max()), _power(amounts.max(initial=0.0))
    highs = _instance(algorithm)
    _pass(highs, row, column + len(supply), weight / worth, amounts / unit)
    if algorithm == "simplex":
        nodes = len(amounts)
        loose = nodes > PRESOLVE and len(weight) <= EDGES_FOR_A_NODE * nodes
        strategy = PRIMAL_SIMPLEX if nodes <= PRIMAL else DUAL_SIMPLEX
        _choose(highs, strategy, "on" if loose else "off")
    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"highs ended with {highs.modelStatusToString(status)!r}")
    solution = highs.getSolution()
    flow = np.asarray(solution.col_value) * unit
    prices = np.asarray(solution.row_dual) * worth
    return flow, prices[: len(supply)], prices[len(supply) :]


def _instance(algorithm: str) -> Any:
    """The instance of this thread for an algorithm."""
    import highspy

    if algorithm == DEFAULT:
        fresh = highspy.Highs()  # type: ignore[no-untyped-call]
        fresh.setOptionValue("output_flag", False)
        return fresh
    highs = getattr(_instances, algorithm, None)
    if highs is None:
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("solver", algorithm)
        highs.setOptionValue("threads", 1)
        # PDLP gives duals of the wrong sign where presolve leaves nothing (highspy 1.15)
        highs.setOptionValue("presolve", "choose" if algorithm == "ipm" else "off")
        # perturbed bounds cost more time than the stalling that they prevent
        highs.setOptionValue("primal_simplex_bound_perturbation_multiplier", 0.0)
        for tolerance in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
            highs.setOptionValue(tolerance, TOLERANCES[algorithm])
        setattr(_instances, algorithm, highs)
    return highs


def _choose(highs: Any, strategy: int, presolve: str) -> None:
    """Set the options that depend on the problem, unless they are already set."""
    if getattr(_instances, "chosen", None) != (strategy, presolve):
        highs.setOptionValue("simplex_strategy", strategy)
        highs.setOptionValue("presolve", presolve)
        _instances.chosen = strategy, presolve


def _pass(highs: Any, row: Any, column: Any, weight: Floats, amounts: Floats) -> None:
    """Pass the programme to HiGHS: a column for each edge, a row for each supply and demand."""
    import highspy

    edges, rows = len(weight), len(amounts)
    index = np.empty((edges, 2), dtype=np.int32)
    index[:, 0] = row
    index[:, 1] = column
    status = highs.passModel(
        edges,
        rows,
        2 * edges,
        int(highspy.MatrixFormat.kColwise),
        int(highspy.ObjSense.kMaximize),
        0.0,
        weight,
        np.zeros(edges),
        np.full(edges, np.inf),
        np.full(rows, -np.inf),
        amounts,
        np.arange(0, 2 * edges, 2, dtype=np.int32),
        index.reshape(-1),
        np.ones(2 * edges),
        np.zeros(edges, dtype=np.int32),
    )
    if status == highspy.HighsStatus.kError:
        raise SolverError("highs refused the programme")


def _power(largest: float) -> float:
    """The largest power of 2 that is not above a number; 1 for 0."""
    return math.ldexp(0.5, math.frexp(largest)[1]) if largest else 1.0
