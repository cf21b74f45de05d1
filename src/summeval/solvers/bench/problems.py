"""The problems of the solver benchmark: seeded families, or the problems of a file."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from summeval._options import unknown
from summeval.solvers.assignment import assign
from summeval.solvers.registry import Problem
from summeval.solvers.result import SolverError
from summeval.solvers.transportation import transport
from summeval.solvers.weights import Floats, Indices, Weights, read_indices

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


FAMILIES: dict[Problem, dict[str, Family]] = {
    "assignment": {
        "sparse-realistic": Family(None, "words", MATCHES),
        "sparse-hard": Family(None, "any", None),
        **{
            f"dense-{size}-{kind}": Family(size, "all", grades)
            for size in (300, 1000, 2000)
            for kind, grades in (("uniform", None), ("graded", TENTHS))
        },
    },
    "transport": {
        **{
            f"tesla-{size}-{degree}-{kind}": Family(size, degree, grades)
            for size in (60, 250, 1000)
            for degree in (1, 4, 10)
            for kind, grades in (("identity", (1.0,)), ("graded", MEANS))
        },
        **{
            f"dense-{size}-{kind}": Family(size, "all", grades)
            for size in (60, 250, 1000)
            for kind, grades in (("graded", MEANS), ("uniform", None))
        },
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
    cells: Indices
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
        found: list[int] = np.median(sizes, axis=0).astype(int).tolist()
        return found


def defaults(problem: Problem) -> list[str]:
    """The families that take seconds, not minutes."""
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
