"""Seeded transportation problems for the benchmark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from summeval.solvers.bench.instances import make_seeded
from summeval.solvers.weights import Edges, Floats, Weights

# Weights of n-grams whose function words count a tenth each, and how often they are met.
AMOUNTS, SHARES = (1.0, 0.1, 0.01), (0.5, 0.4, 0.1)
# Means over up to three words that are alike to a half or wholly.
GRADES = (1 / 2, 2 / 3, 3 / 4, 5 / 6, 1.0)


@dataclass(frozen=True)
class Family:
    """Problems of a kind.

    Attributes
    ----------
    name : str
    size : int
        Rows, and columns.
    degree : int or None
        Each row has from 1 to so many edges to any columns; None: to all.
    grades : tuple of float or None
        What similarities are drawn from; None: any number from 0 to 1.
    """

    name: str
    size: int
    degree: int | None
    grades: tuple[float, ...] | None


@dataclass(frozen=True)
class Instance:
    """A problem: supplies and demands, and edges sorted by row and column."""

    supply: Floats
    demand: Floats
    edges: Edges

    @property
    def similarity(self) -> Weights:
        """The arguments of the back ends."""
        return Weights((len(self.supply), len(self.demand)), edges=self.edges)


def _families() -> list[Family]:
    kinds = {"identity": (1.0,), "graded": GRADES}
    found = [
        Family(f"tesla-{size}-{degree}-{kind}", size, degree, grades)
        for size in (60, 250, 1000)
        for degree in (1, 4, 10)
        for kind, grades in kinds.items()
    ]
    for size in (60, 250, 1000):
        found.append(Family(f"dense-{size}-graded", size, None, GRADES))
        found.append(Family(f"dense-{size}-uniform", size, None, None))
    return found


FAMILIES = {family.name: family for family in _families()}


def make_transport(name: str, count: int, seed: int = 0) -> list[Instance]:
    """So many problems of a family.

    >>> (one,) = make_transport("tesla-60-4-graded", 1)
    >>> one.similarity.shape, len(one.edges[0]) <= 4 * 60
    ((60, 60), True)

    Raises
    ------
    ValueError
        For a name that is not one of FAMILIES.
    """
    return make_seeded(FAMILIES, _make, name, count, seed)


def _make(family: Family, rng: np.random.Generator) -> Instance:
    size = family.size
    supply, demand = rng.choice(AMOUNTS, (2, size), p=SHARES)
    if family.degree is None:
        row, column = (part.reshape(-1) for part in np.indices((size, size)))
    else:
        degrees = rng.integers(1, min(family.degree, size) + 1, size)
        chosen = [np.sort(rng.choice(size, degree, replace=False)) for degree in degrees]
        row, column = np.repeat(np.arange(size), degrees), np.concatenate(chosen)
    grades = family.grades
    weight = rng.random(len(row)) if grades is None else rng.choice(grades, len(row))
    return Instance(supply, demand, (row.astype(np.int64), column.astype(np.int64), weight))
