"""Dense transportation: the kernel for large problems beside the definition and other solvers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from definitions import transport as twin
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array

from summeval._core.matching import transport as kernel
from summeval.solvers import TransportResult, transport

Floats = Any


def sparse(similarity: Floats) -> Any:
    """The pairs that gain, which the kernel for sparse problems solves."""
    row, column = np.nonzero(similarity > 0)
    return coo_array((similarity[row, column], (row, column)), shape=similarity.shape)


def check(supply: Floats, demand: Floats, similarity: Floats, *, dense: bool = True) -> float:
    """The value, proved, and that of the other kernel; `dense`: whether it is by the one here."""
    found = transport(supply, demand, similarity)
    assert ("sent" in vars(found)) == dense
    other = transport(supply, demand, sparse(similarity))
    assert found.value == pytest.approx(other.value, rel=1e-12, abs=0)
    assert found.certificate().holds(1e-12)
    assert all((price >= 0).all() for price in found.prices or ())
    plan = found.sparse_flow.tocoo()
    assert (plan.data > 0).all()
    assert (similarity[plan.row, plan.col] > 0).all()
    assert plan.nnz < sum(similarity.shape)
    assert np.array_equal(found.flow, plan.toarray())
    return found.value


AMOUNTS = {
    "random": lambda rng, size: rng.random(size),
    "few": lambda rng, size: rng.choice([0.0, 0.1, 0.2, 0.3, 0.7], size),
    "whole": lambda rng, size: rng.integers(0, 5, size).astype(float),
    "n-grams": lambda rng, size: rng.choice([1.0, 0.1, 0.01], size),
    "wide": lambda rng, size: 10.0 ** rng.uniform(-3, 3, size),
    "equal": lambda rng, size: np.full(size, 0.3),
}
WEIGHTS = {
    "random": lambda rng, shape: rng.random(shape),
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "grades": lambda rng, shape: rng.choice([0.0, 0.5, 2 / 3, 1.0], shape),
    "all equal": lambda _, shape: np.full(shape, 0.25),
    "none": lambda _, shape: np.zeros(shape),
    "sum": lambda rng, shape: rng.random((shape[0], 1)) + rng.random(shape[1]),
    "product": lambda rng, shape: rng.random((shape[0], 1)) * rng.random(shape[1]),
    "line": lambda rng, shape: 1 - np.abs(rng.random((shape[0], 1)) - rng.random(shape[1])),
    "mostly zero": lambda rng, shape: rng.random(shape) * (rng.random(shape) < 0.1),
    "wide": lambda rng, shape: 10.0 ** rng.uniform(-3, 3, shape),
}


@given(
    st.sampled_from(sorted(AMOUNTS)),
    st.sampled_from(sorted(WEIGHTS)),
    st.sampled_from([(16, 16), (1, 256), (256, 1), (2, 200), (130, 3), (9, 60), (37, 41)]),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=60, deadline=None)
def test_any_kind_of_problem_has_the_proved_value_of_the_sparse_kernel(
    amounts: str, weights: str, shape: tuple[int, int], balanced: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    supply, demand = (AMOUNTS[amounts](rng, size) for size in shape)
    if balanced and demand.sum() > 0:
        demand = demand * (supply.sum() / demand.sum())
    check(supply, demand, WEIGHTS[weights](rng, shape))


@pytest.mark.parametrize("seed", range(4))
def test_kernel_equals_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    supply, demand = rng.integers(0, 9, 4), rng.integers(0, 3, 64)
    similarity = rng.integers(-2, 9, (4, 64)) / 8
    edges = [(i, j, float(similarity[i, j])) for i, j in np.ndindex(4, 64)]
    value = twin.transport(supply.tolist(), demand.tolist(), edges)[0]
    found = kernel.transport_dense(supply.astype(float), demand.astype(float), similarity)
    assert found is not None
    assert found[0] == float(value) > 0


@pytest.mark.parametrize("weights", sorted(WEIGHTS))
def test_highs_finds_the_same(weights: str) -> None:
    rng = np.random.default_rng(7)
    supply, demand, similarity = rng.random(21), rng.random(17), WEIGHTS[weights](rng, (21, 17))
    value = check(supply, demand, similarity)
    other = transport(supply, demand, sparse(similarity), solver="highs")
    assert other.value == pytest.approx(value, rel=1e-8)


@every("weights", ["random", "grades", "sum", "product", "line"])
@every("shape", [(150, 150), (40, 400), (400, 40)])
def test_larger_problems(weights: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(sum(shape))
    supply, demand = rng.random(shape[0]), rng.random(shape[1])
    check(supply, demand * (supply.sum() / demand.sum()), WEIGHTS[weights](rng, shape))


@pytest.mark.parametrize("scale", [1e-290, 1e-150, 1.0, 1e150, 1e290])
def test_amounts_of_any_size(scale: float) -> None:
    rng = np.random.default_rng(3)
    supply, demand = rng.random(30) * scale, rng.random(20) * scale
    supply[::7] = demand[::5] = 0
    value = check(supply, demand, rng.random((30, 20)))
    assert 0.5 * scale < value < 30 * scale


def test_amounts_of_all_sizes() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        supply, demand = 10.0 ** rng.uniform(-290, 290, 20), 10.0 ** rng.uniform(-290, 290, 20)
        found = transport(supply, demand, rng.random((20, 20)))
        assert found.certificate().holds(1e-9)


def test_equal_amounts_are_an_assignment() -> None:
    rng = np.random.default_rng(1)
    similarity = rng.random((20, 30))
    check(np.full(20, 0.3), np.full(30, 0.3), similarity)
    found = transport(np.full(20, 0.3), np.full(30, 0.3), similarity)
    assert (found.sparse_flow.data == 0.3).all()


def test_memory_of_another_problem_changes_nothing() -> None:
    rng = np.random.default_rng(2)
    problems = [
        (rng.random(m), rng.random(n), rng.random((m, n))) for m, n in ((30, 20), (60, 70), (9, 99))
    ]
    first = [transport(*problem) for problem in problems]
    again = [transport(*problem) for problem in problems[::-1]][::-1]
    for one, other in zip(first, again, strict=True):
        assert one.value == other.value
        assert np.array_equal(one.flow, other.flow)
        assert np.array_equal(one.row_prices, other.row_prices)


def test_what_rounding_hides_from_this_kernel_is_left_to_the_other() -> None:
    # what the first row gains is below what counts beside the weights of the second
    similarity = np.random.default_rng(0).random((2, 200)) * [[1e-3], [1e15]]
    supply, demand = np.array([1e12, 1e-12]), np.full(200, 1e9)
    assert kernel.transport_dense(supply, demand, similarity) is None
    check(supply, demand, similarity, dense=False)


def test_other_forms_of_the_same_numbers_have_the_same_result() -> None:
    rng = np.random.default_rng(4)
    supply, demand = rng.integers(1, 9, 20), rng.integers(1, 9, 20)
    similarity = rng.integers(0, 9, (20, 20))
    plain = transport(supply.astype(float), demand.astype(float), similarity.astype(float))
    for given_similarity in (
        similarity,
        similarity.tolist(),
        np.asfortranarray(similarity, dtype=float),
        similarity.astype(np.float32),
    ):
        found = transport(supply, demand.tolist(), given_similarity)
        assert "sent" in vars(found)
        assert np.array_equal(found.flow, plain.flow)
        assert np.array_equal(found.column_prices, plain.column_prices)


def test_a_result_can_be_made_from_another() -> None:
    rng = np.random.default_rng(6)
    found = transport(rng.random(20), rng.random(20), rng.random((20, 20)))
    copied = TransportResult(
        value=found.value,
        flow=found.flow,
        row_prices=found.row_prices,
        column_prices=found.column_prices,
        supply=found.supply,
        demand=found.demand,
        similarity=found.similarity,
    )
    assert copied.certificate() == found.certificate()
    assert (copied.sparse_flow != found.sparse_flow).nnz == 0
    assert copied.certificate().holds(1e-12)


@pytest.mark.parametrize(
    ("place", "number", "message"),
    [
        ("supply", np.nan, r"supply\[3\] is nan"),
        ("supply", -1.0, r"supply\[3\] is -1.0; give amounts of at least 0"),
        ("demand", np.inf, r"demand\[3\] is inf"),
        ("similarity", np.nan, r"similarity\[0, 3\] is nan"),
        ("similarity", -np.inf, r"similarity\[0, 3\] is -inf"),
        ("similarity", np.inf, r"similarity\[0, 3\] is inf"),
    ],
)
@pytest.mark.parametrize("equal", [True, False])
def test_a_bad_number_is_refused_at_its_place(
    place: str, number: float, message: str, equal: bool
) -> None:
    rng = np.random.default_rng(0)
    problem = {
        "supply": np.ones(20) if equal else rng.random(20),
        "demand": np.ones(20) if equal else rng.random(20),
        "similarity": rng.random((20, 20)),
    }
    problem[place].flat[3] = number
    with pytest.raises(ValueError, match=message):
        transport(**problem)


def test_arrays_that_do_not_go_together_are_refused() -> None:
    similarity = np.ones((20, 30))
    with pytest.raises(ValueError, match=r"supply has 30 entries; 20 are needed"):
        transport(np.ones(30), np.ones(30), similarity)
    with pytest.raises(ValueError, match=r"demand has 20 entries; 30 are needed"):
        transport(np.ones(20), np.ones(20), similarity)
    with pytest.raises(ValueError, match=r"supply has 2 dimensions"):
        transport(np.ones((20, 1)), np.ones(30), similarity)
    with pytest.raises(ValueError, match=r"largest float"):
        transport(np.full(20, 1e200), np.full(30, 1e200), similarity * 1e200)
    for shape in ((0, 300), (300, 0), (0, 0)):
        found = transport(np.ones(shape[0]), np.ones(shape[1]), np.ones(shape))
        assert (found.value, found.flow.shape) == (0.0, shape)
