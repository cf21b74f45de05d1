"""The problems of the solver benchmark, and the measurements of the back ends on them.

The problems come from seeded families, or from a file. For each family all back ends solve the same
problems, in rounds of alternating order, within one process. The first round is not timed: it
converts the problems to the form, dense or sparse, that each back end reads. Back ends that cannot
share a process with another one run in a separate process with the kernel, and their ratio refers
to the kernel there.
"""

from __future__ import annotations

import json
import os
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from summeval._arrays import Floats, Ints
from summeval._options import unknown
from summeval.solvers.assignment import assign, assign_batch, assign_weights
from summeval.solvers.result import Problem, SolverError, back_ends, list_solvers, load
from summeval.solvers.transportation import transport, transport_batch, transport_weights
from summeval.solvers.weights import Problems, Weights, read_indices

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

Failure: TypeAlias = tuple[str, str]  # its kind, and a message
_SOLVE: dict[Problem, Any] = {"assignment": assign_weights, "transport": transport_weights}
# What two Basic Elements that match exactly, or through a transformation, may weigh.
MATCHES = (1.0, 0.9, 0.8, 0.5)
TENTHS = tuple(np.arange(11) / 10)
# Means over up to three words that are alike to a half or wholly.
MEANS = (1 / 2, 2 / 3, 3 / 4, 5 / 6, 1.0)
# Rows and columns of the families without a size, the bounds included.
ROWS, COLUMNS = (20, 80), (20, 400)
# Words of a made-up language: how many, and the exponent of their frequencies.
WORDS, ZIPF = 750, 0.57
# Weights of n-grams whose function words count a tenth each, and how often they are met.
AMOUNTS, SHARES = (1.0, 0.1, 0.01), (0.5, 0.4, 0.1)
# Rows up to which a family is measured unless it is asked for.
SMALL, SMALL_DENSE = 250, {"assignment": 300, "transport": 60}


class Family(NamedTuple):
    """Problems of a kind.

    Attributes
    ----------
    size : int or None
        Rows, and columns; None: drawn from ROWS and COLUMNS.
    edges : "words", "any", "all" or int
        Pairs that draw the same word from a Zipf distribution, about 35; any 278 or so; all pairs;
        from 1 to so many in each row.
    grades : tuple of float or None
        What weights are drawn from; None: any number from 0 to 1.
    """

    size: int | None
    edges: str | int
    grades: tuple[float, ...] | None


def _dense(sizes: Sequence[int], kinds: dict[str, tuple[float, ...] | None]) -> dict[str, Family]:
    return {
        f"dense-{size}-{kind}": Family(size, "all", grades)
        for size in sizes
        for kind, grades in kinds.items()
    }


FAMILIES: dict[Problem, dict[str, Family]] = {
    "assignment": {
        "sparse-realistic": Family(None, "words", MATCHES),
        "sparse-hard": Family(None, "any", None),
        **_dense((300, 1000, 2000), {"uniform": None, "graded": TENTHS}),
    },
    "transport": {
        **{
            f"tesla-{size}-{degree}-{kind}": Family(size, degree, grades)
            for size in (60, 250, 1000)
            for degree in (1, 4, 10)
            for kind, grades in (("identity", (1.0,)), ("graded", MEANS))
        },
        **_dense((60, 250, 1000), {"graded": MEANS, "uniform": None}),
    },
}


def make_problems(
    problem: Problem, family: str, count: int | None = None, limit: int | None = None, seed: int = 0
) -> list[tuple[Any, ...]]:
    """Make so many problems of a seeded family, or fewer of them the larger they are.

    Each is (weights,), or (supply, demand, similarity); sparse ones are held as edges.

    >>> ((weights,),) = make_problems("assignment", "dense-300-uniform", 1)
    >>> weights.shape, weights.is_dense
    ((300, 300), True)

    Raises
    ------
    ValueError
        For a name that is not one of FAMILIES.
    """
    if family not in FAMILIES[problem]:
        raise ValueError(unknown("family", family, FAMILIES[problem]))
    kind = FAMILIES[problem][family]
    if count is None and problem == "assignment" and kind.size:
        count = 2
    elif count is None:
        count = max(1, 1200 // kind.size) if kind.size else 1000
    rng = np.random.default_rng(seed)
    make = _assignment if problem == "assignment" else _transport
    return [make(kind, rng) for _ in range(count)[:limit]]


def _assignment(family: Family, rng: np.random.Generator) -> tuple[Weights]:
    if family.size:
        shape = family.size, family.size
        return (Weights(shape, dense=_weigh(family, shape, rng)),)
    rows, columns = (int(rng.integers(low, high + 1)) for low, high in (ROWS, COLUMNS))
    cells: Ints
    if family.edges == "words":
        shares = np.arange(1, WORDS + 1) ** -ZIPF
        left, right = (rng.choice(WORDS, size, p=shares / shares.sum()) for size in (rows, columns))
        cells = np.flatnonzero(left[:, None] == right).astype(np.int64)
    else:
        cells = np.sort(rng.choice(rows * columns, min(rng.poisson(278), rows * columns), False))
    edges = cells // columns, cells % columns, _weigh(family, (len(cells),), rng)
    return (Weights((rows, columns), edges=edges),)


def _transport(family: Family, rng: np.random.Generator) -> tuple[Floats, Floats, Weights]:
    size = family.size or 0
    supply, demand = rng.choice(AMOUNTS, (2, size), p=SHARES)
    if isinstance(family.edges, str):
        row, column = (part.reshape(-1) for part in np.indices((size, size)))
    else:
        degrees = rng.integers(1, min(family.edges, size) + 1, size)
        chosen = [np.sort(rng.choice(size, degree, replace=False)) for degree in degrees]
        row, column = np.repeat(np.arange(size), degrees), np.concatenate(chosen)
    edges = row.astype(np.int64), column.astype(np.int64), _weigh(family, (len(row),), rng)
    return supply, demand, Weights((size, size), edges=edges)


def _weigh(family: Family, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    return rng.random(shape) if family.grades is None else rng.choice(family.grades, shape)


class Group(NamedTuple):
    """Problems of a kind; `arguments` has (weights,), or (supply, demand, similarity), for each."""

    problem: Problem
    family: str
    arguments: list[tuple[Any, ...]]

    @property
    def weights(self) -> list[Weights]:
        """The matrix of each problem."""
        return [one[-1] for one in self.arguments]

    @property
    def size(self) -> list[int]:
        """Medians of rows, columns and edges."""
        sizes = [(*one.shape, one.pairs) for one in self.weights]
        return list(map(int, np.median(sizes, axis=0)))


def defaults(problem: Problem) -> list[str]:
    """Return the families that take seconds, not minutes."""
    return [
        name
        for name, family in FAMILIES[problem].items()
        if (family.size or 0) <= (SMALL_DENSE[problem] if family.edges == "all" else SMALL)
    ]


def make_group(problem: Problem, family: str, limit: int | None = None) -> Group:
    """Problems of a seeded family: fewer of them the larger they are, and `limit` at most.

    >>> group = make_group("transport", "tesla-60-4-graded", limit=3)
    >>> len(group.arguments), group.size[:2]
    (3, [60, 60])
    """
    return Group(problem, family, make_problems(problem, family, limit=limit))


def read_groups(data: bytes, limit: int | None = None) -> list[Group]:
    """The problems of a JSON document, grouped by problem and family; `limit` of each at most.

    The document is a list of objects. Each has "weights", a matrix of numbers, or "shape"
    [rows, columns] and "edges", a list of [row, column, weight]. "supply" and "demand" make it a
    transportation problem. "family" is the name of its group ["file"].

    Raises
    ------
    ValueError
        The document is invalid; the message names the problem and the place.

    Examples
    --------
    >>> (group,) = read_groups(b'[{"weights": [[1, 2]], "supply": [1], "demand": [1, 0.5]}]')
    >>> group.problem, group.family, group.size
    ('transport', 'file', [1, 2, 2])
    """
    try:
        problems = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(problems, list) or not problems:
        raise ValueError("not a list of problems")
    groups: dict[tuple[Problem, str], Group] = {}
    for place, entry in enumerate(problems):
        try:
            problem, family, arguments = _read_problem(entry)
        except (ValueError, TypeError, OverflowError, SolverError) as error:
            raise ValueError(f"problem {place}: {error}") from None
        group = groups.setdefault((problem, family), Group(problem, family, []))
        if limit is None or len(group.arguments) < limit:
            group.arguments.append(arguments)
    return list(groups.values())


def _read_problem(entry: Any) -> tuple[Problem, str, tuple[Any, ...]]:
    """One problem; the kernel's face, which solves it, checks it."""
    if not isinstance(entry, dict):
        raise ValueError("no object")
    if strange := set(entry) - {"family", "weights", "shape", "edges", "supply", "demand"}:
        raise ValueError(f"{min(strange)!r} is an unknown member")
    family = entry.get("family", "file")
    if not isinstance(family, str):
        raise ValueError("its family is not a string")
    if ("supply" in entry) != ("demand" in entry):
        raise ValueError("give supply and demand, or neither")
    matrix = _read_matrix(entry)
    if "supply" in entry:
        found = transport(entry["supply"], entry["demand"], matrix)
        return "transport", family, (found.supply, found.demand, found.similarity)
    return "assignment", family, (assign(matrix).weights,)


def _read_matrix(entry: dict[str, Any]) -> Any:
    given = {"weights", "shape", "edges"} & set(entry)
    if given == {"weights"}:
        return entry["weights"]
    if given != {"shape", "edges"}:
        raise ValueError("give weights, or shape and edges")
    from scipy.sparse import coo_array

    shape, edges = read_indices(entry["shape"], "shape").tolist(), entry["edges"]
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"shape is {shape}; give [rows, columns]")
    if not isinstance(edges, list) or not all(isinstance(e, list) and len(e) == 3 for e in edges):
        raise ValueError("edges is not a list of [row, column, weight]")
    row, column, weight = zip(*edges, strict=True) if edges else ((), (), ())
    ends = read_indices(row, "row").astype(np.int64), read_indices(column, "column")
    return coo_array((np.asarray(weight, dtype=np.float64), ends), shape=tuple(shape))


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
    """Return the back ends that can share this process, and those that need their own."""
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
    """Return the row of a back end that ran in a separate process with the kernel.

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
        row = _row(group, name, clock, (), {})
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
    now, solve = CLOCKS[clock], _SOLVE[group.problem]

    def singles(name: str) -> Callable[[], list[Any]]:
        back_end = load(group.problem, name)
        return lambda: [_try(solve, *arguments, back_end) for arguments in group.arguments]

    calls: dict[str, Callable[[], Any]] = {name: singles(name) for name in names}
    if len(group.arguments) > 1 and not any(one.is_dense for one in group.weights):
        calls = {KERNEL: calls[KERNEL], BATCH: _batch(group), **calls}
    # the kernel's prices prove the values of back ends without prices
    proofs = [_try(solve, *arguments) for arguments in group.arguments]
    prices = [getattr(proof, "prices", None) for proof in proofs]
    found: dict[str, tuple[list[float], dict[int, Failure]]] = {name: ([], {}) for name in calls}
    for turn in range(rounds + 1):
        for name in calls if turn % 2 else reversed(calls):
            taken, failed = found[name]
            if turn < 2 or sum(taken) < ENOUGH:
                start = now()
                answers = calls[name]()
                taken.append(now() - start)
                judged = (_judge(answers, place, known) for place, known in enumerate(prices))
                failed |= {k: one for k, one in enumerate(judged) if one and k not in failed}
    rows = [_row(group, name, clock, *found[name]) for name in calls]
    seconds = {row.solver: row.seconds for row in rows}
    kernel, reference = seconds[KERNEL], seconds.get(REFERENCE)
    return [
        row._replace(
            ratio=row.seconds / kernel if row.seconds is not None and kernel else None,
            gain=reference / row.seconds if row.seconds and reference is not None else None,
        )
        for row in rows
    ]


def _row(
    group: Group, name: str, clock: str, taken: Sequence[float], failed: Mapping[int, Failure]
) -> BenchRow:
    """Return the row of a back end, which has a time if all problems were answered.

    The first of its rounds converted them, and does not count.
    """
    kinds = [kind for kind, _ in failed.values()]
    wrong, refused, errors = map(kinds.count, ("wrong", "refused", "error"))
    rows, columns, edges = group.size
    named = group.problem, group.family, name, len(group.arguments), rows, columns, edges
    times = taken[1:]
    timed = times and not (refused or errors)
    seconds = statistics.median(times) / len(group.arguments) if timed else None
    message = "".join(f"problem {first}: {failed[first][1]}" for first in sorted(failed)[:1])
    failures = wrong, refused, errors, message
    return BenchRow(*named, False, len(times), clock, seconds, None, None, *failures)


def _try(solve: Callable[..., Any], *arguments: Any) -> Any:
    """Return what the call returns or raises: an exception counts as the answer."""
    try:
        return solve(*arguments)
    except Exception as error:
        return error


def _batch(group: Group) -> Callable[[], Any]:
    """Solve the problems in one call of the kernel."""
    flat = Problems.of(group.weights)
    sides = list(zip(*group.arguments, strict=True))[:-1]  # none, or supply and demand
    solve: Callable[..., Any] = transport_batch if sides else assign_batch
    return lambda: _try(solve, *flat[:-1], *map(np.concatenate, sides), flat.shapes)


def _judge(answers: Any, place: int, prices: Any) -> Failure | None:
    """Return the kind of failure of an answer and a message; None for a correct answer."""
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
