"""Seeded assignment problems for the benchmark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from summeval.solvers.bench.instances import make_seeded
from summeval.solvers.weights import Floats, Indices, Weights

# What two Basic Elements that match exactly, or through a transformation, may weigh.
GRADES = (1.0, 0.9, 0.8, 0.5)
# Rows and columns of the sparse families, the bounds included.
ROWS, COLUMNS = (20, 80), (20, 400)
# Words of a made-up language: how many, and the exponent of their frequencies.
WORDS, ZIPF = 750, 0.57


@dataclass(frozen=True)
class Family:
    """Problems of a kind.

    Attributes
    ----------
    name : str
    size : int or None
        Rows, and columns; None: drawn from 20 to 80 rows and 20 to 400 columns.
    edges : "words", "any" or "all"
        Pairs that draw the same word from a Zipf distribution, about 35; any 278 or so; all pairs.
    grades : tuple of float or None
        What weights are drawn from; None: any number from 0 to 1.
    """

    name: str
    size: int | None
    edges: str
    grades: tuple[float, ...] | None


def _families() -> list[Family]:
    found = [
        Family("sparse-realistic", None, "words", GRADES),
        Family("sparse-hard", None, "any", None),
    ]
    for size in (300, 1000, 2000):
        found.append(Family(f"dense-{size}-uniform", size, "all", None))
        found.append(Family(f"dense-{size}-graded", size, "all", tuple(np.arange(11) / 10)))
    return found


FAMILIES = {family.name: family for family in _families()}


def make_assignment(name: str, count: int, seed: int = 0) -> list[Weights]:
    """So many problems of a family; those of sparse families are held as edges.

    >>> (one,) = make_assignment("dense-300-uniform", 1)
    >>> one.shape, one.is_dense
    ((300, 300), True)

    Raises
    ------
    ValueError
        For a name that is not one of FAMILIES.
    """
    return make_seeded(FAMILIES, _make, name, count, seed)


def _make(family: Family, rng: np.random.Generator) -> Weights:
    if family.size is not None:
        return Weights((family.size,) * 2, dense=_weigh(family, (family.size,) * 2, rng))
    rows, columns = (int(rng.integers(low, high + 1)) for low, high in (ROWS, COLUMNS))
    if family.edges == "words":
        cells = _same_words(rows, columns, rng)
    else:
        cells = np.sort(rng.choice(rows * columns, min(rng.poisson(278), rows * columns), False))
    weight = _weigh(family, (len(cells),), rng)
    return Weights((rows, columns), edges=(cells // columns, cells % columns, weight))


def _same_words(rows: int, columns: int, rng: np.random.Generator) -> Indices:
    shares = np.arange(1, WORDS + 1) ** -ZIPF
    left, right = (rng.choice(WORDS, size, p=shares / shares.sum()) for size in (rows, columns))
    return np.flatnonzero(left[:, None] == right).astype(np.int64)


def _weigh(family: Family, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    return rng.random(shape) if family.grades is None else rng.choice(family.grades, shape)
