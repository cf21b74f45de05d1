"""Time the solvers and check every answer.

For each family all back ends solve the same problems, in rounds of alternating order, within one
process. The first round is not timed: it converts the problems to the form, dense or sparse, that
each back end reads. Back ends that cannot share a process with another one run in a separate
process with the kernel, and their ratio refers to the kernel there.
"""

from __future__ import annotations

import os
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from summeval.solvers.assignment import assign_batch, assign_weights
from summeval.solvers.bench.problems import Group
from summeval.solvers.registry import Problem, back_ends, list_solvers, load
from summeval.solvers.result import SolverError
from summeval.solvers.transportation import transport_batch, transport_weights
from summeval.solvers.weights import Problems

# The clocks; CPU time is steadier on a busy machine.
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
KERNEL, BATCH = "kernel", "kernel-batch"
REFERENCE = "highs-default"
# Edges beyond which a back end runs only if it is named: it would take minutes.
MOST_EDGES = {"networkx": 100}
# Relative tolerance of certificates; linear programming codes work to about 1e-10.
TOLERANCE = 1e-9
# Seconds on one family after which a back end starts no further round.
ENOUGH = 2.0

_SOLVE: dict[Problem, Any] = {"assignment": assign_weights, "transport": transport_weights}


class BenchRow(NamedTuple):
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


def measure(
    groups: Sequence[Group],
    chosen: Sequence[str] | None = None,
    rounds: int = 5,
    clock: str = "wall",
) -> Iterator[list[BenchRow]]:
    """Measure the back ends on each group; the rows of a group come when it is done.

    Parameters
    ----------
    groups : sequence of Group
    chosen : sequence of str or None
        Names of back ends; names that a problem lacks are skipped for it. None means all installed
        ones. The kernel always runs.
    rounds : int
        Rounds to time, at least 1; a back end that is slow gets fewer.
    clock : "wall" or "cpu"
        Wall-clock time, or CPU time of all threads together.

    Examples
    --------
    >>> from summeval.solvers.bench.problems import make_group
    >>> (rows,) = measure([make_group("transport", "tesla-60-1-graded", 2)], ["kernel"], 1)
    >>> [(row.solver, row.problems, row.failures) for row in rows]
    [('kernel', 2, 0), ('kernel-batch', 2, 0)]
    """
    for group in groups:
        names = [name for name in list_solvers(group.problem) if name != KERNEL]
        if chosen is not None:
            names = [name for name in names if name in chosen]
        else:
            edges = group.size[2]
            names = [name for name in names if edges <= MOST_EDGES.get(name, edges)]
        shared, alone = split(group.problem, names)
        rows = measure_here(group, [KERNEL, *shared], rounds, clock)
        for name in alone:
            rows += measure_apart(group, name, rounds, clock)
        yield rows


def split(problem: Problem, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The back ends that can share this process, and those that need their own."""
    known = back_ends(problem)
    shared: list[str] = []
    alone: list[str] = []
    for name in names:
        clashes = any(module in sys.modules for module in known[name].clashes) or any(
            known[other].package in known[name].clashes
            or known[name].package in known[other].clashes
            for other in shared
        )
        (alone if clashes else shared).append(name)
    return shared, alone


def measure_apart(group: Group, name: str, rounds: int, clock: str = "wall") -> list[BenchRow]:
    """The row of a back end that ran in a separate process with the kernel.

    If its process dies, all problems count as errors.
    """
    ran = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import answer; answer()"],
        input=pickle.dumps((group, name, rounds, clock)),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    if ran.returncode:
        last = ran.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        row = _Run(name, group, clock, None).row(None, None)
        message = ": ".join([f"its process ended with {ran.returncode}", *last])
        return [row._replace(alone=True, errors=row.problems, message=message)]
    rows: list[BenchRow] = pickle.loads(ran.stdout)
    return [row._replace(alone=True) for row in rows if row.solver not in (KERNEL, BATCH)]


def answer() -> None:
    """Measure what standard input asks for, pickled: group, back end, rounds and clock.

    Standard output gets the pickled rows; the back end's own output goes to standard error.
    """
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    group, name, rounds, clock = pickle.load(sys.stdin.buffer)
    with out:
        pickle.dump(measure_here(group, [KERNEL, name], rounds, clock), out)


def measure_here(
    group: Group, names: Sequence[str], rounds: int, clock: str = "wall"
) -> list[BenchRow]:
    """Measure back ends in this process, the kernel among them, and the kernel in batches."""
    runs = [_Run(name, group, clock, _singles(group, name)) for name in names]
    if len(group.arguments) > 1 and not any(one.is_dense for one in group.weights):
        runs.insert(1, _Run(BATCH, group, clock, _batch(group)))
    prices = [_prices(group, arguments) for arguments in group.arguments]
    for turn in range(rounds + 1):
        for run in runs if turn % 2 else reversed(runs):
            if turn < 2 or run.spent < ENOUGH:
                run.take(prices, timed=turn > 0)
    seconds = {run.name: run.seconds for run in runs}
    return [run.row(seconds[KERNEL], seconds.get(REFERENCE)) for run in runs]


class _Run:
    """One back end on one group."""

    def __init__(self, name: str, group: Group, clock: str, solve: Any) -> None:
        self.name, self.group, self.clock, self.solve = name, group, clock, solve
        self.spent = 0.0
        self.times: list[float] = []
        self.failed: dict[int, tuple[str, str]] = {}

    def take(self, prices: list[Any], timed: bool) -> None:
        """Solve all problems once and check the answers."""
        now = CLOCKS[self.clock]
        start = now()
        answers = self.solve()
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
        if not self.times or any(kind != "wrong" for kind, _ in self.failed.values()):
            return None
        return statistics.median(self.times)

    def row(self, kernel: float | None, reference: float | None) -> BenchRow:
        kinds = [kind for kind, _ in self.failed.values()]
        first = min(self.failed, default=None)
        seconds = self.seconds
        problem, family, arguments = self.group
        rows, columns, edges = self.group.size
        return BenchRow(
            *(problem, family, self.name, len(arguments), rows, columns, edges),
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


def _try(solve: Callable[..., Any], *arguments: Any) -> Any:
    """What the call returns or raises: an exception counts as the answer."""
    try:
        return solve(*arguments)
    except Exception as error:
        return error


def _singles(group: Group, name: str) -> Callable[[], list[Any]]:
    """Solve the problems one by one."""
    solve, back_end = _SOLVE[group.problem], load(group.problem, name)
    return lambda: [_try(solve, *arguments, back_end) for arguments in group.arguments]


def _batch(group: Group) -> Callable[[], Any]:
    """Solve the problems in one call of the kernel."""
    flat = Problems.of(group.weights)
    sides = range(len(group.arguments[0]) - 1)  # none, or supply and demand
    amounts = [np.concatenate([one[side] for one in group.arguments]) for side in sides]
    solve: Callable[..., Any] = transport_batch if amounts else assign_batch
    return lambda: _try(solve, *flat[:-1], *amounts, flat.shapes)


def _prices(group: Group, arguments: tuple[Any, ...]) -> Any:
    """The kernel's prices, used to prove the values of back ends without prices."""
    try:
        return _SOLVE[group.problem](*arguments).prices
    except (SolverError, ValueError):
        return None


def _judge(answers: Any, place: int, prices: Any) -> tuple[str, str] | None:
    """The kind of failure of an answer and a message; None for a correct answer."""
    try:
        found = answers if isinstance(answers, Exception) else answers[place]
        if isinstance(found, Exception):
            raise found
        if found.prices is None and prices is not None:
            found = replace(found, row_prices=prices[0], column_prices=prices[1])
        proof = found.certificate()
    except Exception as error:
        line = " ".join(str(error).split())
        if isinstance(error, (SolverError, ValueError)):
            return "refused", line
        return "error", f"{type(error).__name__}: {line}"
    if proof.holds(TOLERANCE):
        return None
    return "wrong", f"off by {proof.primal:.1e} primal, {proof.dual:.1e} dual, {proof.gap:.1e} gap"
