"""Run back ends on the same problems in rounds of alternating order, and check every answer.

The first round is not timed: it converts the problems to the form, dense or sparse, that each back
end reads.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from summeval.solvers.assignment import Problems, assign_batch, assign_weights
from summeval.solvers.bench.groups import Group
from summeval.solvers.registry import Problem, load
from summeval.solvers.result import SolverError
from summeval.solvers.transportation import transport_batch, transport_weights

# The clocks; CPU time is steadier on a busy machine.
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
KERNEL, BATCH = "kernel", "kernel-batch"
REFERENCE = "highs-default"
# Relative tolerance of certificates; linear programming codes work to about 1e-10.
TOLERANCE = 1e-9
# Seconds on one family after which a back end starts no further round.
ENOUGH = 2.0

_SOLVE: dict[Problem, Callable[..., Any]] = {
    "assignment": assign_weights,
    "transport": transport_weights,
}


@dataclass(frozen=True)
class BenchRow:
    """The measurements of a back end on a family.

    Attributes
    ----------
    problem : "assignment" or "transport"
    family, solver : str
    problems : int
        How many were solved in each round.
    rows, columns, edges : int
        Medians over the problems.
    alone : bool
        Whether the solver ran in a process of its own.
    rounds : int
        Rounds that were timed.
    clock : "wall" or "cpu"
    seconds : float or None
        Median over the rounds of the time for one problem; None if not all were answered.
    ratio : float or None
        `seconds` as a multiple of the kernel's, one problem at a time, in the same process.
    gain : float or None
        The seconds of "highs-default" as a multiple of `seconds`, in the same process.
    wrong, refused, errors : int
        Problems with an invalid certificate; problems refused or not solved to an optimum; problems
        that raised another error.
    message : str
        The first failure.
    """

    problem: Problem
    family: str
    solver: str
    problems: int
    rows: int
    columns: int
    edges: int
    alone: bool
    rounds: int
    clock: str
    seconds: float | None
    ratio: float | None
    gain: float | None
    wrong: int
    refused: int
    errors: int
    message: str

    @property
    def failures(self) -> int:
        """Problems that failed in any way."""
        return self.wrong + self.refused + self.errors

    def to_json(self) -> dict[str, Any]:
        """The attributes by name."""
        return asdict(self)


def measure_here(
    group: Group, names: Sequence[str], rounds: int, clock: str = "wall"
) -> list[BenchRow]:
    """Measure back ends in this process, the kernel among them, and the kernel in batches."""
    runs = [_Run(name, group, clock) for name in names]
    if len(group.arguments) > 1 and not any(one.is_dense for one in group.weights):
        runs.insert(1, _Run(BATCH, group, clock))
    prices = [_prices(group, arguments) for arguments in group.arguments]
    for turn in range(rounds + 1):
        for run in runs if turn % 2 else reversed(runs):
            if turn < 2 or run.spent < ENOUGH:
                run.take(prices, timed=turn > 0)
    seconds = {run.name: run.seconds for run in runs}
    return [run.row(seconds[KERNEL], seconds.get(REFERENCE)) for run in runs]


class _Run:
    """One back end on one group."""

    def __init__(self, name: str, group: Group, clock: str) -> None:
        self.name = name
        self.clock = clock
        self.group = group
        self.spent = 0.0
        self.times: list[float] = []
        self.failed: dict[int, tuple[str, str]] = {}
        self._solve = _batch(group) if name == BATCH else _singles(group, name)

    def take(self, prices: list[Any], timed: bool) -> None:
        """Solve all problems once and check the answers."""
        now = CLOCKS[self.clock]
        start = now()
        answers = self._solve()
        taken = now() - start
        self.spent += taken
        if timed:
            self.times.append(taken / len(self.group.arguments))
        for place, known in enumerate(prices):
            failure = _judge(answers, place, known)
            if failure is not None:
                self.failed.setdefault(place, failure)

    @property
    def seconds(self) -> float | None:
        """The median time for one problem, if the back end answered all."""
        if any(kind != "wrong" for kind, _ in self.failed.values()):
            return None
        return statistics.median(self.times)

    def row(self, kernel: float | None, reference: float | None) -> BenchRow:
        kinds = [kind for kind, _ in self.failed.values()]
        first = min(self.failed, default=None)
        rows, columns, edges = self.group.size
        seconds = self.seconds
        return BenchRow(
            problem=self.group.problem,
            family=self.group.family,
            solver=self.name,
            problems=len(self.group.arguments),
            rows=rows,
            columns=columns,
            edges=edges,
            alone=False,
            rounds=len(self.times),
            clock=self.clock,
            seconds=seconds,
            ratio=seconds / kernel if seconds is not None and kernel else None,
            gain=reference / seconds if seconds and reference is not None else None,
            wrong=kinds.count("wrong"),
            refused=kinds.count("refused"),
            errors=kinds.count("error"),
            message="" if first is None else f"problem {first}: {self.failed[first][1]}",
        )


def _singles(group: Group, name: str) -> Callable[[], Any]:
    """Solve the problems one by one; an exception counts as the answer."""
    solve, back_end = _SOLVE[group.problem], load(group.problem, name)

    def run() -> list[Any]:
        answers: list[Any] = []
        for arguments in group.arguments:
            try:
                answers.append(solve(*arguments, back_end))
            except Exception as error:
                answers.append(error)
        return answers

    return run


def _batch(group: Group) -> Callable[[], Any]:
    """Solve the problems in one call of the kernel."""
    flat = Problems.of(group.weights)
    arrays: tuple[Any, ...] = flat.arrays()
    solve: Callable[..., Any] = assign_batch
    if group.problem == "transport":
        supply, demand = (np.concatenate([one[side] for one in group.arguments]) for side in (0, 1))
        arrays = (*arrays[:4], supply, demand, flat.shapes)
        solve = transport_batch

    def run() -> Any:
        try:
            return solve(*arrays)
        except Exception as error:
            return [error] * len(group.arguments)

    return run


def _prices(group: Group, arguments: tuple[Any, ...]) -> Any:
    """The kernel's prices, used to prove the values of back ends without prices."""
    try:
        return _SOLVE[group.problem](*arguments).prices
    except (SolverError, ValueError):
        return None


def _judge(answers: Any, place: int, prices: Any) -> tuple[str, str] | None:
    """The kind of failure of an answer and a message; None for a correct answer."""
    try:
        answer = answers[place]
        if isinstance(answer, Exception):
            raise answer
        if answer.prices is None and prices is not None:
            answer = replace(answer, row_prices=prices[0], column_prices=prices[1])
        proof = answer.certificate()
    except (SolverError, ValueError) as error:
        return "refused", _line(error)
    except Exception as error:
        return "error", f"{type(error).__name__}: {_line(error)}"
    if proof.holds(TOLERANCE):
        return None
    return "wrong", f"off by {proof.primal:.1e} primal, {proof.dual:.1e} dual, {proof.gap:.1e} gap"


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
