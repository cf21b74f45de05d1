"""The results of solvers, the certificate of optimality, and the back ends by name.

A back end is imported on first use.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from summeval._arrays import Floats, Ints
from summeval._options import unknown
from summeval.solvers.weights import Weights

Problem: TypeAlias = Literal["assignment", "transport"]


class BackEnd(NamedTuple):
    """A way to solve a problem.

    Attributes
    ----------
    run : str or callable
        The function, or its location ``"module:function"``, imported on first use.
    package : str or None
        The additional distribution that it needs, or None.
    clashes : tuple of str
        Modules that must not be loaded in the same process.
    """

    run: str | Callable[..., Any]
    package: str | None = None
    clashes: tuple[str, ...] = ()


_BACK_ENDS: dict[str, dict[str, BackEnd]] = {"assignment": {}, "transport": {}}


def _of(problem: str) -> dict[str, BackEnd]:
    if not isinstance(problem, str) or problem not in _BACK_ENDS:
        raise ValueError(unknown("problem", problem, _BACK_ENDS))
    return _BACK_ENDS[problem]


def register(problem: Problem, name: str, back_end: BackEnd) -> None:
    """Add a back end, or replace the one of that name.

    It gets the same arguments as the other back ends of the problem (see
    `summeval.solvers.assignment` and `summeval.solvers.transportation`) and must raise
    `SolverError` if it finds no optimum.
    """
    _of(problem)[name] = back_end


_ASSIGN = "summeval.solvers.back_ends:assign_with_"
_TRANSPORT = "summeval.solvers.back_ends:transport_with_"
register("assignment", "kernel", BackEnd("summeval.solvers.assignment:solve_with_kernel"))
register("assignment", "highs", BackEnd(_ASSIGN + "highs", clashes=("ortools",)))
register("assignment", "highs-default", BackEnd(_ASSIGN + "default_highs", clashes=("ortools",)))
register("assignment", "scipy", BackEnd(_ASSIGN + "scipy"))
register("assignment", "scipy-sparse", BackEnd(_ASSIGN + "scipy_sparse"))
register("assignment", "lapx", BackEnd(_ASSIGN + "lapx", "lapx"))
register("assignment", "ortools", BackEnd(_ASSIGN + "ortools", "ortools", ("highspy",)))
register("assignment", "networkx", BackEnd(_ASSIGN + "networkx", "networkx"))
register("transport", "kernel", BackEnd("summeval.solvers.transportation:solve_with_kernel"))
register("transport", "highs", BackEnd(_TRANSPORT + "highs", clashes=("ortools",)))
register("transport", "highs-default", BackEnd(_TRANSPORT + "default_highs", clashes=("ortools",)))
register("transport", "scipy", BackEnd(_TRANSPORT + "scipy"))
register("transport", "pot", BackEnd(_TRANSPORT + "pot", "POT"))
register("transport", "ortools", BackEnd(_TRANSPORT + "ortools", "ortools", ("highspy",)))


def list_solvers(problem: Problem) -> list[str]:
    """Return the names that ``solver=`` takes for the problem: those whose package is installed.

    >>> "kernel" in list_solvers("assignment")
    True

    Raises
    ------
    ValueError
        If the problem is neither "assignment" nor "transport".
    """
    return [name for name, back_end in _of(problem).items() if _installed(back_end)]


def back_ends(problem: Problem) -> dict[str, BackEnd]:
    """Return the back ends of the problem by name, installed or not.

    >>> back_ends("transport")["ortools"].clashes
    ('highspy',)
    """
    return dict(_of(problem))


def load(problem: Problem, name: str, options: Iterable[str] = ()) -> Callable[..., Any]:
    """Import the function of a back end; `options` are the option names that it must accept.

    Raises
    ------
    ValueError
        For an unknown name.
    TypeError
        If the back end does not take one of the options.
    ImportError
        If its package is not installed, or cannot be loaded beside one that is already loaded.
    """
    try:
        back_end = _BACK_ENDS[problem][name]
    except (KeyError, TypeError):
        raise ValueError(unknown(f"solver for {problem}", name, _of(problem))) from None
    run, package, clashes = back_end
    # the rest of this would take longer than a small problem
    if package is None and not clashes and not options and not isinstance(run, str):
        return run
    if not _installed(back_end):
        raise ImportError(f"solver {name!r} needs the package {package}: pip install {package}")
    for module in clashes:
        if module in sys.modules:
            raise ImportError(
                f"solver {name!r} cannot run in a process that has loaded {module}: "
                f"use a process of its own"
            )
    if isinstance(run, str):
        module, function = run.split(":")
        run = getattr(importlib.import_module(module), function)
        _BACK_ENDS[problem][name] = back_end._replace(run=run)
    taken = inspect.signature(run).parameters if options else {}
    for option in options:
        if option not in taken:
            raise TypeError(f"solver {name!r} takes no option {option!r}")
    return run


def _installed(back_end: BackEnd) -> bool:
    if back_end.package is None:
        return True
    try:
        importlib.metadata.distribution(back_end.package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


class SolverError(RuntimeError):
    """A solver ended without an optimum."""


@dataclass(frozen=True)
class Certificate:
    """How far a solution is from a proven optimum; all three are 0 up to rounding at an optimum.

    Attributes
    ----------
    primal : float
        The largest violation of a supply, a demand or a bound 0, relative to the largest supply or
        demand.
    dual : float
        The largest violation of u[i] + v[j] >= w[i, j], u >= 0 or v >= 0, relative to the largest
        weight.
    gap : float
        The largest difference between the upper bound proven by the prices, the value of the
        solution and the stated value, relative to the largest of them.

    All are infinite if the solution uses a pair that the problem does not have, or if anything in
    the result is not a finite number.
    """

    primal: float
    dual: float
    gap: float

    def holds(self, tolerance: float = 1e-9) -> bool:
        """Return whether all three are within the tolerance."""
        return all(part <= tolerance for part in (self.primal, self.dual, self.gap))


@dataclass(frozen=True, kw_only=True, eq=False)
class Result:
    """An optimum of value `value`.

    Attributes
    ----------
    value : float
    row_prices, column_prices : float64[rows], float64[columns]; or None
        The dual solution, or None if the back end gives none.
    status : str
        "optimal".
    """

    value: float
    row_prices: Floats | None
    column_prices: Floats | None
    status: str = "optimal"

    @property
    def prices(self) -> tuple[Floats, Floats] | None:
        """Row prices and column prices."""
        if self.row_prices is None or self.column_prices is None:
            return None
        return self.row_prices, self.column_prices


@dataclass(frozen=True, kw_only=True, eq=False)
class AssignmentResult(Result):
    """A matching of maximum weight.

    Attributes
    ----------
    value : float
        The sum of the matched weights.
    rows, columns : int64[matched]
        The matched pairs, by row.
    row_prices, column_prices : float64[rows], float64[columns]; or None
        Dual solution u, v >= 0 with u[i] + v[j] >= w[i, j] and sum(u) + sum(v) = value; None if
        the back end gives none.
    weights : Weights
        The problem.
    """

    rows: Ints
    columns: Ints
    weights: Weights = field(repr=False)

    def certificate(self) -> Certificate:
        """Check the result against the problem; if it has no prices, the kernel's are used.

        Any prices that bound the value prove it; they need not come from the same solver.
        """
        prices = self.prices or load("assignment", "kernel")(self.weights).prices
        ones = np.ones(self.weights.shape[0]), np.ones(self.weights.shape[1])
        flow = self.rows, self.columns, np.ones(len(self.rows))
        return certify(self.weights, ones, flow, prices, self.value)


@dataclass(frozen=True, kw_only=True, eq=False)
class TransportResult(Result):
    """A transportation plan of maximum similarity.

    Attributes
    ----------
    value : float
        The sum of flow times similarity.
    flow : float64[rows, columns] or scipy.sparse.csr_array
        The plan, of the form of the similarity given.
    row_prices, column_prices : float64[rows], float64[columns]; or None
        Dual solution u, v >= 0 with u[i] + v[j] >= s[i, j] and supply·u + demand·v = value; None
        if the back end gives none.
    supply, demand, similarity
        The problem.

    A dense `flow` of a large problem is made when it is first asked for. `sparse_flow` needs no
    such array.
    """

    flow: Any
    supply: Floats = field(repr=False)
    demand: Floats = field(repr=False)
    similarity: Weights = field(repr=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A plan is made when it is asked for: that can take longer than the solution."""
            if name != "flow" or not self.__dict__.keys() & {"edge_flow", "sent"}:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            row, column, amount = self._sent()
            if self.similarity.is_dense:
                flow = np.zeros(self.similarity.shape)
                flow[row, column] = amount
            else:
                flow = rows_of_flow((row, column, amount), self.similarity.shape)
            self.__dict__["flow"] = flow
            return flow

    @property
    def sparse_flow(self) -> Any:
        """The plan as a `scipy.sparse.csr_array` without explicit zeros.

        For a large dense problem this takes memory for rows + columns flows, where `flow` takes
        rows · columns.

        >>> from summeval.solvers import transport
        >>> found = transport([1, 0.1], [1, 1], [[1.0, 0.5], [1.0, 0.0]])
        >>> found.sparse_flow.nnz, bool((found.sparse_flow.toarray() == found.flow).all())
        (3, True)
        """
        if "sent" not in self.__dict__ and hasattr(self.flow, "tocsr"):
            return self.flow
        return rows_of_flow(self._sent(), self.similarity.shape)

    def _sent(self) -> tuple[Ints, Ints, Floats]:
        """Row, column and amount of each flow, by row and column."""
        held = self.__dict__
        if "sent" in held:
            sent: tuple[Ints, Ints, Floats] = held["sent"]
            return sent
        if "edge_flow" in held:
            row, column, _ = self.similarity.edges
            used = np.flatnonzero(held["edge_flow"])
            return row[used], column[used], held["edge_flow"][used]
        if hasattr(self.flow, "tocoo"):
            plan = self.flow.tocoo()
            return plan.row.astype(np.int64), plan.col.astype(np.int64), plan.data
        row, column = np.nonzero(self.flow)
        return row, column, self.flow[row, column]

    def certificate(self) -> Certificate:
        """Check the result against the problem; if it has no prices, the kernel's are used.

        Any prices that bound the value prove it; they need not come from the same solver.
        """
        problem = self.supply, self.demand, self.similarity
        prices = self.prices or load("transport", "kernel")(*problem).prices
        return certify(self.similarity, problem[:2], self._sent(), prices, self.value)


def rows_of_flow(sent: tuple[Ints, Ints, Floats], shape: tuple[int, int]) -> Any:
    """Flows (row, column, amount), by row and column, as a `scipy.sparse.csr_array`."""
    from scipy.sparse import csr_array

    row, column, amount = sent
    indptr = np.zeros(shape[0] + 1, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=shape[0]), out=indptr[1:])
    return csr_array((amount, column, indptr), shape=shape)


def certify(
    weights: Weights,
    limits: tuple[Floats, Floats],
    flow: tuple[Ints, Ints, Floats],
    prices: tuple[Floats, Floats],
    value: float,
) -> Certificate:
    """Check a flow (row, column, amount) and prices against supplies and demands.

    The programme is to maximise sum w[i, j] x[i, j] with sum_j x[i, j] <= supply[i],
    sum_i x[i, j] <= demand[j] and x >= 0; its dual is to minimise supply·u + demand·v with
    u[i] + v[j] >= w[i, j] and u, v >= 0. An assignment is the case of supplies and demands of 1.
    """
    supply, demand = limits
    row, column, amount = flow
    row_prices, column_prices = prices
    found = weights.at(row, column)
    numbers = found, amount, row_prices, column_prices, value
    if not all(np.isfinite(part).all() for part in numbers):
        return Certificate(np.inf, np.inf, np.inf)
    over = (
        np.bincount(row, amount, minlength=len(supply)) - supply,
        np.bincount(column, amount, minlength=len(demand)) - demand,
        -amount,
    )
    under = max(float((-price).max(initial=0.0)) for price in prices)
    short = max(under, weights.shortfall(row_prices, column_prices))
    primal = float(found @ amount)
    dual = float(supply @ row_prices + demand @ column_prices)
    excess = max(float(part.max(initial=0.0)) for part in over)
    amounts = max(supply.max(initial=0.0), demand.max(initial=0.0))
    apart = max(abs(dual - primal), abs(value - primal))
    return Certificate(
        primal=_relative(excess, amounts),
        dual=_relative(short, weights.largest),
        gap=_relative(apart, max(abs(dual), abs(primal), abs(value))),
    )


def _relative(difference: float, scale: float) -> float:
    if not difference:
        return 0.0
    return difference / float(scale) if scale else np.inf
