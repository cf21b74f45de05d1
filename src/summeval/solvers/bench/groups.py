"""The problems of the solver benchmark: seeded families, or the problems of a file."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from summeval.solvers.assignment import assign
from summeval.solvers.bench import assignment_instances, transport_instances
from summeval.solvers.registry import Problem
from summeval.solvers.result import SolverError
from summeval.solvers.transportation import transport
from summeval.solvers.weights import Weights, read_indices

FAMILIES: dict[Problem, tuple[str, ...]] = {
    "assignment": tuple(assignment_instances.FAMILIES),
    "transport": tuple(transport_instances.FAMILIES),
}
# Rows up to which a family is measured unless it is asked for.
SMALL_DENSE = {"assignment": 300, "transport": 60}
SMALL = 250


@dataclass(frozen=True)
class Group:
    """Problems of a kind.

    Attributes
    ----------
    problem : "assignment" or "transport"
    family : str
    arguments : list of tuple
        One for each problem: (weights,), or (supply, demand, similarity).
    """

    problem: Problem
    family: str
    arguments: list[tuple[Any, ...]] = field(repr=False)

    @property
    def weights(self) -> list[Weights]:
        """The matrix of each problem."""
        return [one[-1] for one in self.arguments]

    @property
    def size(self) -> tuple[int, int, int]:
        """Medians of rows, columns and edges."""
        sizes = [(*one.shape, _edges(one)) for one in self.weights]
        rows, columns, edges = np.median(sizes, axis=0).astype(int).tolist()
        return rows, columns, edges

    @property
    def kind(self) -> str:
        """The family without its size.

        >>> Group("transport", "tesla-60-4-graded", []).kind
        'tesla-4-graded'
        """
        return re.sub(r"-\d+", "", self.family, count=1)


def defaults(problem: Problem) -> list[str]:
    """The families that take seconds, not minutes."""
    return [
        name
        for name in FAMILIES[problem]
        if (_rows(name) or 0) <= (SMALL_DENSE[problem] if name.startswith("dense") else SMALL)
    ]


def make_group(problem: Problem, family: str, limit: int | None = None, seed: int = 0) -> Group:
    """Problems of a seeded family: fewer of them the larger they are, and `limit` at most.

    >>> group = make_group("transport", "tesla-60-4-graded", limit=3)
    >>> len(group.arguments), group.size[:2]
    (3, (60, 60))
    """
    rows = _rows(family)
    count = 1000 if rows is None else max(1, 1200 // rows)
    if family.startswith("dense") and problem == "assignment":
        count = 2
    count = count if limit is None else min(count, limit)
    if problem == "assignment":
        made = assignment_instances.make_assignment(family, count, seed)
        return Group(problem, family, [(one,) for one in made])
    instances = transport_instances.make_transport(family, count, seed)
    arguments = [(one.supply, one.demand, one.similarity) for one in instances]
    return Group(problem, family, arguments)


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
    ('transport', 'file', (1, 2, 2))
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
    if "weights" in entry and not {"shape", "edges"} & set(entry):
        return entry["weights"]
    if "weights" in entry or not {"shape", "edges"} <= set(entry):
        raise ValueError("give weights, or shape and edges")
    from scipy.sparse import coo_array

    shape = read_indices(entry["shape"], "shape").tolist()
    edges: Sequence[Any] = entry["edges"]
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"shape is {shape}; give [rows, columns]")
    if not isinstance(edges, list) or any(
        not isinstance(edge, list) or len(edge) != 3 for edge in edges
    ):
        raise ValueError("edges is not a list of [row, column, weight]")
    row, column, weight = zip(*edges, strict=True) if edges else ((), (), ())
    ends = read_indices(row, "row").astype(np.int64), read_indices(column, "column")
    return coo_array((np.asarray(weight, dtype=np.float64), ends), shape=tuple(shape))


def _edges(weights: Weights) -> int:
    rows, columns = weights.shape
    return rows * columns if weights.is_dense else len(weights.edges[0])


def _rows(family: str) -> int | None:
    found = re.search(r"-(\d+)", family)
    return int(found[1]) if found else None
