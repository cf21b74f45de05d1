"""Assignment: the kernel finds the optimum of its twin, SciPy and the back ends, with proof."""

from __future__ import annotations

import dataclasses
import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from definitions import assignment as twin
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from summeval._core.matching import assignment as kernel
from summeval.solvers import AssignmentResult, assign, assign_batch, list_solvers
from summeval.solvers.weights import Weights

# HiGHS and OR-tools cannot share a process, and OR-tools is the rarer guest.
SOLVERS = [name for name in list_solvers("assignment") if name not in ("kernel", "ortools")]

numbers = st.one_of(
    st.floats(-1, 1),
    st.integers(-2, 4).map(float),
    st.integers(0, 10).map(lambda tenth: tenth / 10),
    st.sampled_from([0.0, -1e300, 1e300, 3e299, 1e-300, 5e-324, -1e-300, 1.0, 1e16]),
)


@st.composite
def problems(draw: st.DrawFn) -> tuple[tuple[int, int], dict[tuple[int, int], float]]:
    """A shape and the weights of some of its pairs."""
    rows, columns = draw(st.integers(0, 6)), draw(st.integers(0, 6))
    scale = draw(st.sampled_from([1.0, 1.0, 1e-300, 1e299]))
    pairs = list(itertools.product(range(rows), range(columns)))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    few = draw(
        st.lists(
            numbers.filter(lambda x: abs(x) <= 1e5) if scale != 1 else numbers,
            min_size=1,
            max_size=3,
        )
    )
    values = st.sampled_from(few) if draw(st.booleans()) else st.floats(-1, 1)
    return (rows, columns), {pair: draw(values) * scale for pair in chosen}


def dense_of(shape: tuple[int, int], weights: dict[tuple[int, int], float]) -> Any:
    dense = np.zeros(shape)
    for pair, weight in weights.items():
        dense[pair] = weight
    return dense


def flat(many: list[Any]) -> tuple[Any, ...]:
    """Problems as the arrays of `assign_batch`."""
    indptr = np.cumsum([0, *(len(weights) for _, weights in many)])
    pairs = [pair for _, weights in many for pair in weights]
    row, column = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    weight = np.array([weight for _, weights in many for weight in weights.values()], dtype=float)
    return indptr, row, column, weight, np.array([shape for shape, _ in many]).reshape(-1, 2)


def sparse_of(shape: tuple[int, int], weights: dict[tuple[int, int], float]) -> Any:
    _, row, column, weight, _ = flat([(shape, weights)])
    return sparse.coo_array((weight, (row, column)), shape=shape)


def scipy_value(dense: Any) -> float:
    gains = np.maximum(dense, 0)
    return float(gains[linear_sum_assignment(gains, maximize=True)].sum())


def check(result: AssignmentResult, value: float) -> None:
    """It has that value, matches no row or column twice, and its prices prove it."""
    assert result.status == "optimal"
    assert result.value == pytest.approx(value, rel=1e-9, abs=0)
    assert (np.diff(result.rows) > 0).all()
    assert len(set(result.columns.tolist())) == len(result.columns)
    assert (result.weights.at(result.rows, result.columns) > 0).all()
    assert result.certificate().holds(1e-9)


@settings(max_examples=500, deadline=None)
@given(problems())
def test_kernel_finds_the_value_of_its_twin(problem: Any) -> None:
    expected, _ = twin.assign(problem[1])
    check(assign(dense_of(*problem)), expected)
    check(assign(sparse_of(*problem)), expected)
    check(assign_batch(*flat([problem]))[0], expected)


@settings(max_examples=200, deadline=None)
@given(problems())
def test_dense_kernel_agrees_on_matrices_of_mostly_zeros(problem: Any) -> None:
    dense = dense_of(*problem)
    found = kernel.assign_dense(dense, AssignmentResult, Weights)
    assert found is not None
    check(found, twin.assign(problem[1])[0])


@settings(max_examples=200, deadline=None)
@given(problems())
def test_twin_finds_the_best_of_all_matchings(problem: Any) -> None:
    (rows, columns), weights = problem
    rows, columns = min(rows, 4), min(columns, 4)
    weights = {p: w for p, w in weights.items() if p[0] < rows and p[1] < columns}
    ends = [*range(columns), *([None] * rows)]
    best = max(
        sum(max(weights.get((row, column), 0.0), 0.0) for row, column in enumerate(choice))
        for choice in itertools.permutations(ends, rows)
    )
    assert twin.assign(weights)[0] == pytest.approx(best, rel=1e-12, abs=0)


@pytest.mark.parametrize("solver", SOLVERS)
@settings(max_examples=60, deadline=None)
@given(problems())
def test_every_back_end_finds_the_value_of_the_twin(solver: str, problem: Any) -> None:
    largest = max(map(abs, problem[1].values()), default=0.0)
    if solver == "highs":  # its tolerances are absolute: 1e-7 of an entry
        problem = (
            problem[0],
            {p: w / largest for p, w in problem[1].items() if abs(w) > largest / 1e5},
        )
    expected, _ = twin.assign(problem[1])
    for weights in (dense_of(*problem), sparse_of(*problem)):
        check(assign(weights, solver=solver), expected)


def random_problems(count: int, seed: int) -> list[Any]:
    """Sparse problems of up to 12 by 20: few weights or many, below 0 too, of any magnitude."""
    rng = np.random.default_rng(seed)
    many = []
    for _ in range(count):
        shape = int(rng.integers(0, 13)), int(rng.integers(0, 21))
        size = shape[0] * shape[1]
        cells = rng.choice(size, rng.integers(0, min(size, 60) + 1), replace=False)
        kind = rng.integers(0, 4)
        weight = (rng.random, lambda n: rng.integers(0, 4, n) / 3, rng.standard_normal, np.ones)[
            kind
        ]
        scale = 10.0 ** rng.choice([0, 0, 0, -300, 300])
        pairs = ((int(cell) // shape[1], int(cell) % shape[1]) for cell in cells)
        many.append((shape, dict(zip(pairs, (weight(len(cells)) * scale).tolist(), strict=True))))
    return many


def segment_sums(values: Any, offsets: Any) -> Any:
    """Sums of the parts [offsets[p], offsets[p + 1]), each added up on its own."""
    return np.array([values[a:b].sum() for a, b in itertools.pairwise(offsets.tolist())])


def test_tens_of_thousands_of_problems_are_proved_and_equal_scipy() -> None:
    many = random_problems(40_000, 1)
    indptr, row, column, weight, shapes = flat(many)
    batch = assign_batch(indptr, row, column, weight, shapes)
    expected = np.array([scipy_value(dense_of(*problem)) for problem in many])
    np.testing.assert_allclose(batch.values, expected, rtol=1e-9, atol=0)
    problem = np.repeat(np.arange(len(many)), np.diff(indptr))
    u = batch.row_prices[batch.row_offsets[problem] + row]
    v = batch.column_prices[batch.column_offsets[problem] + column]
    largest = np.zeros(len(many))
    np.maximum.at(largest, problem, weight)
    assert (weight - u - v <= 1e-12 * largest[problem]).all()
    assert batch.row_prices.min() >= 0
    assert batch.column_prices.min() >= 0
    dual = segment_sums(batch.row_prices, batch.row_offsets)
    dual += segment_sums(batch.column_prices, batch.column_offsets)
    np.testing.assert_allclose(dual, batch.values, rtol=1e-9, atol=0)
    matched = np.repeat(np.arange(len(many)), np.diff(batch.indptr))
    for side in (batch.rows, batch.columns):
        assert len(np.unique(matched * 100 + side)) == len(side)


def random_matrix(kind: str, shape: tuple[int, int], seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return {
        "uniform": lambda: rng.random(shape),
        "graded": lambda: rng.integers(0, 11, shape) / 10,
        "whole": lambda: rng.integers(-50, 1000, shape).astype(float),
        "equal": lambda: np.full(shape, 0.1),
        "product": lambda: np.outer(rng.random(shape[0]), rng.random(shape[1])),
        "normal": lambda: rng.standard_normal(shape),
    }[kind]()


@every("shape", [(1, 1), (15, 16), (16, 16), (17, 33), (100, 100), (70, 31), (31, 200)])
@every("kind", ["uniform", "graded", "whole", "equal", "product", "normal"])
def test_dense_matrices_across_blocks_are_proved_and_equal_scipy(shape: Any, kind: str) -> None:
    for seed in range(20):
        dense = random_matrix(kind, shape, seed)
        check(assign(dense), scipy_value(dense))


@pytest.mark.parametrize("shape", [(120, 120), (90, 150), (150, 90)])
def test_dense_matrices_whose_rows_all_want_the_same_columns_equal_scipy(shape: Any) -> None:
    rng = np.random.default_rng(7)
    for rank in (1, 2, 8):
        dense = rng.random((shape[0], rank)) @ rng.random((rank, shape[1])) - 0.1
        check(assign(dense), scipy_value(dense))
        check(assign(np.round(dense, 2)), scipy_value(np.round(dense, 2)))


@every("shape", [(16, 16), (40, 40), (66, 65), (90, 75), (100, 100), (20, 200)])
@every("kind", ["uniform", "graded", "whole", "equal", "product", "normal"])
def test_matrices_with_a_third_of_their_pairs_equal_scipy_in_any_order(
    shape: Any, kind: str
) -> None:
    rng = np.random.default_rng(11)
    for seed in range(10):
        dense = random_matrix(kind, shape, seed) * (rng.random(shape) < 0.33)
        one = assign(sparse.csr_array(dense))
        check(one, scipy_value(dense))
        row, column = np.nonzero(dense)
        order = rng.permutation(len(row))
        edges = row[order], column[order], dense[row, column][order]
        batch = assign_batch([0, len(row)], *edges, [shape])
        assert same(batch[0], one)


@settings(max_examples=100, deadline=None)
@given(st.lists(problems(), max_size=12), st.randoms(use_true_random=False))
def test_batch_loop_threads_and_order_of_edges_agree_to_the_bit(many: Any, random: Any) -> None:
    one = assign_batch(*flat(many))
    three = assign_batch(*flat(many), workers=3)
    shuffled = []
    for shape, weights in many:
        items = list(weights.items())
        random.shuffle(items)
        shuffled.append((shape, dict(items)))
    other = assign_batch(*flat(shuffled))
    for again in (three, other):
        assert again.values.tobytes() == one.values.tobytes()
        assert again.row_prices.tobytes() == one.row_prices.tobytes()
        assert again.column_prices.tobytes() == one.column_prices.tobytes()
        assert again.rows.tolist() == one.rows.tolist()
        assert again.columns.tolist() == one.columns.tolist()
    for p, problem in enumerate(many):
        alone = assign(sparse_of(*problem))
        assert same(alone, one[p])


def same(a: AssignmentResult, b: AssignmentResult) -> bool:
    return a.value == b.value and all(
        getattr(a, name).tobytes() == getattr(b, name).tobytes()
        for name in ("rows", "columns", "row_prices", "column_prices")
    )


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 1), (2, 5)])
@pytest.mark.parametrize("fill", [0.0, -1.0])
def test_nothing_to_gain_matches_nothing(shape: Any, fill: float) -> None:
    for weights in (np.full(shape, fill), sparse.csr_array(np.full(shape, fill))):
        for solver in ["kernel", *SOLVERS]:
            result = assign(weights, solver=solver)
            assert (result.value, result.rows.size, result.columns.size) == (0.0, 0, 0)
            assert result.certificate().holds(0)


@pytest.mark.parametrize("solver", ["simplex", "ipm"])
def test_highs_finds_the_value_of_the_kernel_in_a_sweep(solver: str) -> None:
    for problem in random_problems(500, 3):
        weights = sparse_of(*problem)
        check(assign(weights, solver="highs", algorithm=solver), assign(weights).value)


@pytest.mark.parametrize("n", [1, 3, 40])
@pytest.mark.parametrize("weight", [1e300, 1.0, 1e-300, 5e-324])
def test_equal_weights_match_as_many_as_there_are(n: int, weight: float) -> None:
    result = assign(np.full((n, n + 2), weight))
    assert len(result.rows) == n
    check(result, n * weight)


def test_pairs_of_no_weight_are_never_matched() -> None:
    result = assign([[0.0, -1.0], [2.0, 0.0]])
    assert (result.rows.tolist(), result.columns.tolist()) == ([1], [0])


def test_components_are_solved_on_their_own() -> None:
    rng = np.random.default_rng(0)
    blocks = [rng.random((n, n + 1)) for n in (1, 4, 7, 30)]
    whole = assign(sparse.block_diag(blocks, format="csr"))
    assert whole.value == pytest.approx(sum(assign(block).value for block in blocks), rel=1e-12)


def test_a_large_sparse_problem_equals_scipy() -> None:
    graph = sparse.random_array((1500, 1800), density=0.004, rng=np.random.default_rng(5))
    check(assign(graph), scipy_value(graph.toarray()))


@settings(max_examples=100, deadline=None)
@given(problems(), st.integers(-20, 20))
def test_scaling_by_a_power_of_two_keeps_the_matching(problem: Any, power: int) -> None:
    weights = {p: w for p, w in problem[1].items() if w == 0 or 1e-200 < abs(w) < 1e200}
    plain = assign(sparse_of(problem[0], weights))
    scaled = assign(sparse_of(problem[0], {p: w * 2.0**power for p, w in weights.items()}))
    assert scaled.value == plain.value * 2.0**power
    assert scaled.columns.tolist() == plain.columns.tolist()


@settings(max_examples=100, deadline=None)
@given(problems())
def test_turning_the_matrix_keeps_the_value(problem: Any) -> None:
    dense = dense_of(*problem)
    assert assign(dense.T).value == pytest.approx(assign(dense).value, rel=1e-12, abs=0)


def test_no_problems_give_an_empty_batch() -> None:
    batch = assign_batch([0], [], [], [], np.zeros((0, 2), dtype=int))
    assert len(batch) == 0
    assert batch.edges.tolist() == []


@pytest.mark.parametrize(
    "spoil", ["value", "pair", "row_prices", "column_prices", "twice", "absent"]
)
def test_a_certificate_shows_a_wrong_result(spoil: str) -> None:
    honest = assign(sparse.csr_array([[3.0, 2.5, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    assert honest.certificate().holds()
    wrong = {
        "value": {"value": 5.6},
        "pair": {"rows": honest.rows[1:], "columns": honest.columns[1:], "value": 3.0},
        "row_prices": {"row_prices": honest.row_prices * 0.9},
        "column_prices": {"column_prices": honest.column_prices - 0.1},
        "twice": {"columns": np.array([0, 0, 2])},
        "absent": {"columns": np.array([2, 0, 1])},
    }[spoil]
    assert not dataclasses.replace(honest, **wrong).certificate().holds()


@pytest.mark.skipif("ortools" not in list_solvers("assignment"), reason="needs ortools")
def test_ortools_is_right_or_says_that_it_cannot_tell() -> None:
    program = """
import numpy as np
from summeval.solvers import SolverError, assign
rng = np.random.default_rng(4)
for spread in (0, 3, 12):
    for _ in range(50):
        rows, columns = rng.integers(0, 20, 2)
        matrix = 10.0 ** rng.uniform(-spread, spread, (rows, columns)) * rng.integers(0, 4)
        kernel, other = (assign(matrix, solver=m) for m in ("kernel", "ortools"))
        assert abs(kernel.value - other.value) <= 1e-9 * kernel.value, (kernel, other)
assert assign(rng.random((300, 300)), solver="ortools").certificate().holds()
skewed = rng.random((600, 600))
skewed[0, 0] = 1e9
try:
    assign(skewed, solver="ortools")
except SolverError as error:
    assert "differ too much in magnitude" in str(error)
else:
    raise AssertionError("accepted")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
