"""The proof in a solver's result; no back end may return a wrong optimum."""

from __future__ import annotations

import pickle
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from summeval.solvers import (
    SolverError,
    TransportBatch,
    assign,
    assign_batch,
    assignment,
    list_solvers,
    transport,
    transport_batch,
    transportation,
)
from summeval.solvers.back_ends import solve_programme
from summeval.solvers.bench import make_problems

NAN, INF = float("nan"), float("inf")
SQUARE = [[1.0, 2.0], [3.0, 4.0]]
# The programmes by tolerances; the kernel has none.
TOLERANT = ["highs", "scipy", *({"pot"} & set(list_solvers("transport")))]


@pytest.mark.parametrize("bad", [NAN, INF])
@pytest.mark.parametrize("part", ["value", "row_prices", "column_prices", "flow"])
def test_no_certificate_holds_of_what_is_not_finite(part: str, bad: float) -> None:
    results: list[Any] = [assign(SQUARE), transport([1, 1], [1, 1], SQUARE)]
    for result in results:
        if not hasattr(result, part):
            continue
        assert result.certificate().holds()
        broken = np.array(getattr(result, part))
        broken.flat[-1] = bad
        wrong = replace(result, **{part: broken if broken.ndim else float(broken)})
        assert not wrong.certificate().holds()
        assert not wrong.certificate().holds(1e300)


def test_prices_below_0_are_infinitely_wrong_where_no_weight_is_above_0() -> None:
    result = assign([[-1.0, -2.0]])
    assert result.certificate().holds()
    assert replace(result, row_prices=np.array([-1e-17])).certificate().dual == INF


@pytest.mark.parametrize("solver", TOLERANT)
@pytest.mark.parametrize("unit", [1e199, 1e-199])
@pytest.mark.parametrize("side", [0, 1])
def test_supply_and_demand_of_other_sizes_do_not_hide_the_optimum(
    solver: str, unit: float, side: int
) -> None:
    amounts = [np.array([1.0, 0.1, 2.0]), np.array([1.0, 0.5, 0.01])]
    amounts[side] *= unit
    weights = np.random.default_rng(1).random((3, 3))
    found = transport(*amounts, weights, solver=solver)
    assert found.certificate().holds()
    assert found.value == pytest.approx(transport(*amounts, weights).value, rel=1e-9)


def test_highs_and_scipy_take_sides_that_hold_nothing() -> None:
    for solver in ("highs", "scipy"):
        found = transport([1e200, 1], [0, 0], np.ones((2, 2)), solver=solver)
        assert (found.value, found.certificate().holds()) == (0.0, True)


@pytest.mark.parametrize("solver", ["highs", "scipy"])
def test_a_value_that_prices_do_not_prove_is_an_error(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from summeval.solvers import back_ends

    def half(*arguments: Any, **options: Any) -> Any:
        flow, prices = solve_programme(*arguments, **options)
        return flow / 2, prices

    monkeypatch.setattr(back_ends, "solve_programme", half)
    with pytest.raises(SolverError, match=rf"^{solver} ended with a value of 1 and a bound of 2;"):
        transport([1.0], [1.0], [[2.0]], solver=solver)


@pytest.mark.parametrize("solver", ["kernel", "highs", "scipy"])
def test_transport_refuses_options_that_the_method_does_not_take(solver: str) -> None:
    with pytest.raises(TypeError, match=rf"solver '{solver}' takes no option 'sover'"):
        transport([1], [1], [[1.0]], solver=solver, sover="simplex")


@pytest.mark.parametrize("solver", [None, 3, [1]])
def test_a_method_that_is_no_name_is_unknown(solver: Any) -> None:
    with pytest.raises(ValueError, match=r"unknown solver for assignment .*; known: kernel, "):
        assign([[1.0]], solver=solver)
    with pytest.raises(ValueError, match=r"unknown problem .*; known: assignment, transport"):
        list_solvers(solver)


def test_masked_entries_are_refused_at_their_place() -> None:
    masked = np.ma.masked_less(SQUARE, 1.5)
    with pytest.raises(ValueError, match=r"weights\[0, 0\] is masked; give filled numbers"):
        assign(masked)
    with pytest.raises(ValueError, match=r"supply\[1\] is masked"):
        transport(np.ma.masked_array([1.0, 2.0], [False, True]), [1, 1], SQUARE)
    with pytest.raises(ValueError, match=r"indptr\[1\] is masked"):
        assign_batch(np.ma.masked_array([0, 1], [0, 1]), [0], [0], [1.0], [[1, 1]])
    assert assign(np.ma.masked_array(SQUARE)).value == 5.0


@pytest.mark.filterwarnings("error")
def test_wide_floats_beyond_doubles_are_refused_without_a_warning() -> None:
    wide = np.full((1, 1), np.finfo(np.longdouble).max)
    if np.isfinite(float(np.finfo(np.longdouble).max)):
        pytest.skip("long doubles are doubles here")
    with pytest.raises(ValueError, match=r"weights\[0, 0\] is inf"):
        assign(wide)


def test_results_are_compared_by_identity() -> None:
    result = transport([1, 1], [1, 1], SQUARE)
    copy = pickle.loads(pickle.dumps(result))
    assert result != copy
    assert len({result, copy, result}) == 2
    assert copy.certificate() == result.certificate()


def edges_of(batch: str) -> Any:
    solve: Any = assign_batch if batch == "assign" else transport_batch
    amounts = () if batch == "assign" else ([1.0, 1.0], [1.0, 1.0])
    return solve([0, 1, 2], [0, 0], [0, 0], [1.0, 2.0], *amounts, [[1, 1], [1, 1]])


@pytest.mark.parametrize("batch", ["assign", "transport"])
def test_batches_are_read_like_sequences(batch: str) -> None:
    found = edges_of(batch)
    assert [result.value for result in found] == [1.0, 2.0]
    assert [found[place].value for place in (-1, np.int64(0))] == [2.0, 1.0]
    for outside in (2, -3):
        with pytest.raises(IndexError, match=rf"problem {outside} of 2"):
            found[outside]
    for strange in (None, 1.0, slice(0, 1)):
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            found[strange]


def test_a_batch_of_no_problems_takes_empty_lists() -> None:
    assert len(assign_batch([0], [], [], [], [])) == 0
    assert len(transport_batch([0], [], [], [], [], [], [])) == 0


def test_more_edges_than_the_kernel_can_number_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(assignment, "LARGEST", 1)
    with pytest.raises(ValueError, match=r"problem 1 has 2 edges; 1 are the most"):
        assign_batch([0, 1, 3], [0, 0, 0], [0, 0, 1], [1.0, 1.0, 1.0], [[1, 1], [1, 2]])


def test_threads_of_the_caller_change_no_bit() -> None:
    instances = make_problems("transport", "tesla-60-4-graded", 3)

    def solve() -> list[bytes]:
        found: list[bytes] = []
        for supply, demand, similarity in instances:
            row, column, weight = similarity.edges
            matrix = sparse.coo_array((weight, (row, column)), shape=similarity.shape)
            matched = assign(matrix)
            found += [matched.columns.tobytes(), matched.row_prices.tobytes()]
            for solver in ("kernel", "highs"):
                plan = transport(supply, demand, matrix, solver=solver)
                found += [plan.flow.toarray().tobytes(), plan.row_prices.tobytes()]
        return found

    expected = solve()
    answers: list[list[bytes]] = []
    threads = [threading.Thread(target=lambda: answers.append(solve())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 8


def test_a_batch_of_plans_survives_pickling() -> None:
    found: TransportBatch = edges_of("transport")
    copy = pickle.loads(pickle.dumps(found))
    assert [result.certificate().holds() for result in copy] == [True, True]


def test_a_batch_shows_its_values_alone() -> None:
    shown = repr(transport_batch([0], [], [], [], [], [], []))
    assert shown == "TransportBatch(values=array([], dtype=float64))"


def test_where_the_kernel_finds_no_optimum_it_says_what_to_mend() -> None:
    one, huge = np.ones(1), np.full(1, 1e308)
    error = transportation._no_optimum("problem 3: ", one, one, one)
    assert isinstance(error, SolverError)
    assert str(error).startswith("problem 3: rounding hides the optimum; use weights")
    assert isinstance(transportation._no_optimum("", huge, huge, one), ValueError)
