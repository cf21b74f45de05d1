"""Transportation problems for the tests: drawn by Hypothesis, or many from a seed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from summeval.solvers import TransportBatch, transport_batch


class Case(NamedTuple):
    """Supplies, demands and edges (row, column, weight), sorted."""

    supply: list[float]
    demand: list[float]
    edges: list[tuple[int, int, float]]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.supply), len(self.demand)

    @property
    def dense(self) -> Any:
        matrix = np.zeros(self.shape)
        for i, j, weight in self.edges:
            matrix[i, j] = weight
        return matrix

    @property
    def sparse(self) -> Any:
        from scipy.sparse import coo_array

        row, column, weight = columns_of(self.edges)
        return coo_array((weight, (row, column)), shape=self.shape)


def columns_of(edges: list[tuple[int, int, float]]) -> tuple[Any, Any, Any]:
    """Rows, columns and weights as arrays."""
    row, column, weight = zip(*edges, strict=True) if edges else ((), (), ())
    return np.array(row, np.int64), np.array(column, np.int64), np.array(weight, np.float64)


def solve_many(cases: list[Case], workers: int = 1) -> TransportBatch:
    """All cases in one batch."""
    return transport_batch(
        np.cumsum([0, *(len(case.edges) for case in cases)]),
        *columns_of([edge for case in cases for edge in case.edges]),
        [amount for case in cases for amount in case.supply],
        [amount for case in cases for amount in case.demand],
        [case.shape for case in cases],
        workers=workers,
    )


AMOUNTS = [
    st.sampled_from([1.0, 0.1, 0.01]),
    st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7, 1.0, 10.0]),
    st.just(1.0),
    st.floats(1e-6, 1e6),
]
WEIGHTS = [
    st.just(1.0),
    st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]),
    st.sampled_from([-1.0, 0.5]),
    st.floats(-10, 10),
    st.floats(1e-6, 1e6),
]
SCALES = st.sampled_from([1.0, 1.0, 1e-12, 1e12, 1e-100, 1e100])


@st.composite
def cases(draw: st.DrawFn, longest: int = 6) -> Case:
    """Problems of one kind of amounts and weights each; empty, full and in between."""
    rows, columns = draw(st.integers(0, longest)), draw(st.integers(0, longest))
    one_amount, one_weight = draw(st.sampled_from(AMOUNTS)), draw(st.sampled_from(WEIGHTS))
    scale, unit = draw(SCALES), draw(SCALES)
    supply = draw(st.lists(one_amount, min_size=rows, max_size=rows))
    demand = draw(st.lists(one_amount, min_size=columns, max_size=columns))
    pairs = [(i, j) for i in range(rows) for j in range(columns)]
    chosen = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    edges = [(i, j, draw(one_weight) * scale) for i, j in sorted(chosen)]
    return Case([a * unit for a in supply], [a * unit for a in demand], edges)


def random_case(rng: np.random.Generator, longest: int) -> Case:
    """A problem of up to `longest` rows and columns, of any density and kind."""
    rows, columns = rng.integers(0, longest + 1, 2)
    row, column = np.nonzero(rng.random((rows, columns)) < rng.random())
    edges = len(row)
    weight = (
        rng.random(edges),
        np.ones(edges),
        rng.choice([0, 0.5, 1], edges),
        rng.choice([-1, 1 / 3, 2 / 3, 1], edges),
        10.0 ** rng.uniform(-3, 3, edges),
        rng.standard_normal(edges),
    )[rng.integers(6)]
    supply, demand = _amounts(rng, rows), _amounts(rng, columns)
    return Case(
        supply,
        demand,
        list(zip(row.tolist(), column.tolist(), weight.tolist(), strict=True)),
    )


def _amounts(rng: np.random.Generator, size: int) -> list[float]:
    amounts: Any = (
        rng.choice([1, 0.1, 0.01], size, p=[0.6, 0.3, 0.1]),
        rng.random(size),
        np.ones(size),
        rng.choice([0, 0.1, 0.2, 0.3, 0.7], size),
        10.0 ** rng.uniform(-3, 3, size),
    )[rng.integers(5)]
    return [float(amount) for amount in amounts]
