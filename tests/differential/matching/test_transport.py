"""Transportation: the kernel finds the optimum of its definition and of every other solver."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from definitions import transport as twin
from every import every
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shared import TESTS, shared
from transport_cases import Case, cases, random_case, solve_many

from summeval._core.matching import transport as kernel
from summeval.solvers import TransportResult, list_solvers, transport, transport_batch

# OR-tools cannot be loaded beside highspy; it has a process of its own below.
OTHERS = [name for name in list_solvers("transport") if name not in {"kernel", "ortools"}]


def value_of(case: Case) -> float:
    """The value by the definition."""
    return float(twin.transport(*case)[0])


def check(result: TransportResult, value: float, tolerance: float = 1e-9) -> None:
    """The result has the value, proves it, and sends nothing that does not gain."""
    assert result.value == pytest.approx(value, rel=tolerance, abs=0)
    assert result.certificate().holds(tolerance)
    flow = result.flow.toarray() if hasattr(result.flow, "toarray") else result.flow
    assert (flow >= 0).all()
    assert not flow[~(result.similarity.dense > 0)].any()
    assert result.prices is None or min(map(np.min, filter(len, result.prices)), default=0) >= 0


@given(cases())
@settings(max_examples=500)
def test_kernel_equals_twin(case: Case) -> None:
    value = value_of(case)
    for similarity in (case.dense, case.sparse):
        check(transport(case.supply, case.demand, similarity), value, 1e-12)


@pytest.mark.parametrize("solver", OTHERS)
@given(cases())
@settings(max_examples=150)
def test_other_solvers_equal_the_kernel(solver: str, case: Case) -> None:
    found = transport(case.supply, case.demand, case.sparse)
    # amounts and weights too small for a solver's tolerances are left to the kernel
    for numbers in (case.supply + case.demand, [abs(edge[2]) for edge in case.edges]):
        positive = [number for number in numbers if number]
        assume(not positive or max(positive) < 1e4 * min(positive))
    other = transport(case.supply, case.demand, case.sparse, solver=solver)
    check(other, found.value, 1e-8)


@pytest.mark.parametrize("solver", ["simplex", "ipm", "pdlp"])
def test_solvers_of_highs(solver: str) -> None:
    case = random_case(np.random.default_rng(3), 12)
    found = transport(case.supply, case.demand, case.sparse, solver="highs", algorithm=solver)
    assert found.value == pytest.approx(value_of(case), rel=1e-5 if solver == "pdlp" else 1e-9)


@pytest.mark.slow
def test_tens_of_thousands_of_problems_have_certificates() -> None:
    rng = np.random.default_rng(0)
    many = [random_case(rng, 8) for _ in range(20_000)]
    batch = solve_many(many)
    worst = max((batch[k].certificate() for k in range(len(many))), key=lambda c: c.gap)
    assert worst.holds(1e-10)
    for k in range(0, len(many), 20):
        assert batch.values[k] == pytest.approx(value_of(many[k]), rel=1e-12, abs=0)


def test_highs_and_scipy_find_the_same_in_a_sweep() -> None:
    rng = np.random.default_rng(1)
    many = [random_case(rng, 8) for _ in range(1000)]
    values = solve_many(many).values
    for solver in ("highs", "scipy"):
        found = [transport(c.supply, c.demand, c.sparse, solver=solver).value for c in many]
        assert found == pytest.approx(values.tolist(), rel=1e-7, abs=1e-9)


@every("size", [60, 250])
@every("degree", [1, 4, 10, 250])
@every("grades", [[1.0], [0.25, 0.5, 2 / 3, 0.75, 5 / 6, 1.0], None])
def test_large_problems_have_certificates(
    size: int, degree: int, grades: list[float] | None
) -> None:
    rng = np.random.default_rng(size + degree)
    matrix = rng.random((size, size)) if grades is None else rng.choice(grades, (size, size))
    matrix[rng.random((size, size)) > degree / size] = 0
    supply, demand = rng.choice([1, 0.1, 0.01], (2, size), p=[0.6, 0.3, 0.1])
    assert transport(supply, demand, matrix).certificate().holds(1e-12)


@given(st.lists(cases(4), max_size=30), st.sampled_from([2, 3, -1]))
@settings(max_examples=100)
def test_batch_loop_and_threads_agree_to_the_bit(many: list[Case], workers: int) -> None:
    one, threaded = solve_many(many), solve_many(many, workers)
    for part in ("values", "flow", "row_prices", "column_prices"):
        assert np.array_equal(getattr(one, part), getattr(threaded, part))
    for k, case in enumerate(many):
        alone = transport(case.supply, case.demand, case.sparse)
        assert alone.value == one.values[k] == one[k].value
        assert (alone.flow != one[k].flow).nnz == 0
        assert np.array_equal(alone.row_prices, one[k].row_prices)
        assert np.array_equal(alone.column_prices, one[k].column_prices)


@given(cases())
def test_dense_and_sparse_agree_to_the_bit(case: Case) -> None:
    dense = transport(case.supply, case.demand, case.dense)
    sparse = transport(case.supply, case.demand, case.sparse)
    assert dense.value == sparse.value
    assert np.array_equal(dense.flow, sparse.flow.toarray())


@given(cases())
def test_transposing_changes_no_value(case: Case) -> None:
    found = transport(case.supply, case.demand, case.dense)
    turned = transport(case.demand, case.supply, case.dense.T)
    assert turned.value == pytest.approx(found.value, rel=1e-12, abs=0)


@given(cases(), st.sampled_from([2.0**-40, 2.0**40]))
def test_powers_of_two_change_nothing_else(case: Case, power: float) -> None:
    found = transport(case.supply, case.demand, case.dense)
    scaled = transport(
        [a * power for a in case.supply], [a * power for a in case.demand], case.dense
    )
    both = found.value, scaled.value
    assume(min(both) > 1e-280 or max(both) == 0)  # the smallest numbers have fewer digits
    assert scaled.value == found.value * power
    assert np.array_equal(scaled.row_prices, found.row_prices)


def test_figure_1() -> None:
    path = shared("cases/discourse-tesla.json")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    case = next(case for case in cases if case["id"] == "lp_figure1_reconstructed")
    given, expected = case["input"], case["expect"]
    for solver in ("kernel", *OTHERS):
        found = transport(given["x_w"], given["y_w"], given["sim"], solver=solver)
        assert found.value == pytest.approx(expected["S"], abs=1e-9)
        assert found.flow == pytest.approx(np.array(expected["w"]), abs=1e-9)


def test_two_edges_of_9_beat_one_of_10() -> None:
    found = transport([1, 1], [1, 1], [[1.0, 0.9], [0.9, 0.0]])
    assert (found.value, found.flow.tolist()) == (1.8, [[0, 1], [1, 0]])


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 1), (4, 2)])
def test_problems_without_a_gain(shape: tuple[int, int]) -> None:
    for solver in ("kernel", *OTHERS):
        for similarity in (np.zeros(shape), -np.ones(shape)):
            found = transport(np.ones(shape[0]), np.ones(shape[1]), similarity, solver=solver)
            check(found, 0.0)
        found = transport(np.zeros(shape[0]), np.ones(shape[1]), np.ones(shape), solver=solver)
        check(found, 0.0)


def test_numbers_at_the_ends_of_the_range() -> None:
    tiny, huge = 5e-324, 1e300
    check(transport([1, 1], [1, 1], [[huge, huge / 2], [huge, 0]]), 1.5 * huge)
    check(transport([huge], [huge / 2], [[1e-300]]), huge / 2 * 1e-300)
    check(transport([1, tiny], [1], [[tiny], [tiny]]), tiny)
    check(transport([huge, 1], [huge], [[1.0], [3.0]]), huge)


def test_a_value_beyond_the_largest_float_is_an_error() -> None:
    with pytest.raises(ValueError, match="largest float"):
        transport([1e200], [1e200], [[1e200]])
    with pytest.raises(ValueError, match=r"problem 1: .* largest float"):
        transport_batch([0, 1, 2], [0, 0], [0, 0], [1, 1e200], [1, 1e200], [1, 1e200], [[1, 1]] * 2)


def test_a_certificate_fails_for_another_flow_or_price() -> None:
    found = transport([1, 1], [1, 1], [[1.0, 0.9], [0.9, 0.0]])
    given = dict(vars(found))
    assert TransportResult(**given).certificate().holds()
    worse = np.array([[1.0, 0.0], [0.0, 0.0]])
    assert TransportResult(**{**given, "flow": worse, "value": 1.0}).certificate().gap > 0.1
    assert TransportResult(**{**given, "flow": 2 * found.flow}).certificate().primal == 1.0
    prices = {"column_prices": np.zeros(2)}
    assert TransportResult(**{**given, **prices}).certificate().dual > 0.1


def test_nothing_but_its_package_is_loaded_for_a_method() -> None:
    program = """
import sys
from summeval.solvers import transport
transport([1], [1], [[1.0]])
print(sorted({"highspy", "scipy", "ot", "ortools"} & set(sys.modules)))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ran.stdout.decode().strip() == "[]"


@pytest.mark.skipif("ortools" not in list_solvers("transport"), reason="needs ortools")
def test_ortools_agrees_in_a_process_of_its_own() -> None:
    program = """
import numpy as np
from transport_cases import random_case
from summeval.solvers import transport
rng = np.random.default_rng(4)
for _ in range(100):
    case = random_case(rng, 8)
    kernel, other = (transport(*case[:2], case.dense, solver=m) for m in ("kernel", "ortools"))
    assert abs(kernel.value - other.value) <= 1e-8 * kernel.value, (kernel, other)
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=TESTS / "support")


def test_solvers_that_cannot_share_a_process_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools", sys)
    with pytest.raises(ImportError, match="cannot run in a process that has loaded ortools"):
        transport([1], [1], [[1.0]], solver="highs")


def test_kernel_takes_no_problems_at_all() -> None:
    none = np.zeros(0, dtype=np.int64)
    found = kernel.transport_batch(
        np.zeros(1, np.int64),
        none,
        none,
        np.zeros(0),
        np.zeros(0),
        np.zeros(0),
        np.zeros((0, 2), np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
    )
    assert [len(part) for part in found] == [0, 0, 0, 0]


NAN, INF = float("nan"), float("inf")
EDGES: dict[str, Any] = {
    "indptr": [0, 2, 3],
    "row": [0, 1, 0],
    "column": [0, 0, 1],
    "weight": [1.0, 0.5, 1.0],
    "supply": [1, 1, 2],
    "demand": [1.5, 1, 1],
    "shapes": [[2, 1], [1, 2]],
}


@every(
    ("changed", "message"),
    [
        ({"indptr": [0, 2]}, r"indptr ends with 2, but there are 3 edges"),
        ({"indptr": [1, 2, 3]}, r"indptr does not start with 0"),
        ({"indptr": [0, 3, 2]}, r"indptr\[2\] is 2, less than the 3"),
        ({"indptr": []}, r"indptr does not start with 0"),
        ({"indptr": [0, 3]}, r"indptr has 2 entries; 3 are needed"),
        ({"row": [0, 2, 0]}, r"row\[1\] is 2, but problem 0 has 2 rows"),
        ({"row": [0, 1, -1]}, r"row\[2\] is -1, but problem 1 has 1 rows"),
        ({"row": [1, 0, 0]}, r"edge 1 of problem 0, \(0, 0\), is out of order"),
        ({"row": [0, 0, 0]}, r"edge 1 of problem 0, \(0, 0\), is given twice"),
        ({"row": [0, 1]}, r"have 2, 3 and 3 entries"),
        ({"row": [0.0, 1.0, 0.0]}, r"row holds float64; give integers"),
        ({"column": [0, 0, 2]}, r"column\[2\] is 2, but problem 1 has 2 columns"),
        ({"column": [0, -1, 0]}, r"column\[1\] is -1, but problem 0 has 1 columns"),
        ({"column": [0, 2**40, 0]}, r"column\[1\] is 1099511627776, but"),
        ({"weight": [1.0, NAN, 1.0]}, r"weight\[1\] is nan; give finite"),
        ({"weight": [1.0, INF, 1.0]}, r"weight\[1\] is inf; give finite"),
        ({"weight": ["a", "b", "c"]}, r"weight holds <U1; give real numbers"),
        ({"supply": [1, 1]}, r"supply has 2 entries; 3 are needed"),
        ({"supply": [1, -1, 1]}, r"supply\[1\] is -1.0; give amounts of at least 0"),
        ({"demand": [1, NAN, 1]}, r"demand\[1\] is nan"),
        ({"demand": [[1, 1, 1]]}, r"demand has 2 dimensions"),
        ({"shapes": [[2, 1], [-1, 2]]}, r"shapes\[1\] is \[-1, 2\]"),
        ({"shapes": [[2, 1], [2**31, 2]]}, r"shapes\[1\] is \[2147483648, 2\]"),
        ({"shapes": [2, 1]}, r"shapes has 1 dimensions"),
        ({"shapes": [[2, 1], [2**31 - 1, 2]]}, r"problem 1 has more than 2147483647 rows, col"),
        ({"workers": 0}, r"workers is 0"),
    ],
)
def test_a_bad_batch_is_refused_at_its_place(changed: dict[str, Any], message: str) -> None:
    transport_batch(**EDGES)
    with pytest.raises((ValueError, TypeError), match=message):
        transport_batch(**{**EDGES, **changed})


PLAIN = {
    name: np.array(value, float if name in {"weight", "supply", "demand"} else np.int64)
    for name, value in EDGES.items()
}


@every(
    ("name", "value"),
    [
        ("indptr", [0, 2]),
        ("indptr", [1, 2, 3]),
        ("indptr", [0, 3, 2]),
        ("indptr", [0, 2, 2]),
        ("indptr", [0, -(2**63), 3]),
        ("indptr", [0, 2**40, 3]),
        ("row", [0, 2, 0]),
        ("row", [1, 0, 0]),
        ("row", [0, 1]),
        ("column", [0, 0, 2]),
        ("column", [0, -1, 0]),
        ("weight", [1.0, NAN, 1.0]),
        ("weight", [1.0, INF, 1.0]),
        ("supply", [1.0, 1.0]),
        ("supply", [1.0, -1.0, 1.0]),
        ("supply", [1.0, INF, 1.0]),
        ("demand", [1.0, NAN, 1.0]),
        ("demand", [1.0] * 4),
        ("shapes", [[2, 1], [-1, 2]]),
        ("shapes", [[2, 1], [2, 2]]),
        ("shapes", [[2**31, 1], [1, 2]]),
        ("shapes", [2, 1]),
    ],
)
def test_the_reader_of_plain_batches_leaves_bad_ones_alone(name: str, value: Any) -> None:
    assert kernel.transport_flat(**PLAIN) is not None
    given = np.array(value, PLAIN[name].dtype)
    assert kernel.transport_flat(**{**PLAIN, name: given}) is None


@given(st.lists(cases(4), max_size=9), st.sampled_from([np.int32, np.int64]))
@settings(max_examples=50)
def test_plain_batches_and_others_agree_to_the_bit(many: list[Case], kind: type[Any]) -> None:
    whole = solve_many(many)
    given = {
        "indptr": np.cumsum([0, *(len(case.edges) for case in many)]),
        "row": np.array([edge[0] for case in many for edge in case.edges], kind),
        "column": np.array([edge[1] for case in many for edge in case.edges], kind),
        "weight": np.array([edge[2] for case in many for edge in case.edges], float),
        "supply": np.array([amount for case in many for amount in case.supply], float),
        "demand": np.array([amount for case in many for amount in case.demand], float),
        "shapes": np.array([case.shape for case in many], np.int64).reshape(-1, 2),
    }
    assert (kernel.transport_flat(**given) is None) == (kind is np.int32)
    found = transport_batch(**given)
    for part in ("values", "flow", "row_prices", "column_prices"):
        assert np.array_equal(getattr(found, part), getattr(whole, part))
    for k in range(len(many)):
        assert found[k].certificate() == whole[k].certificate()


@pytest.mark.parametrize(
    ("supply", "demand", "similarity", "options", "message"),
    [
        ([1], [1], [[NAN]], {}, r"similarity\[0, 0\] is nan"),
        ([1], [1], [1.0], {}, r"similarity has 1 dimensions"),
        ([1], [1], [[1.0], [1.0, 2.0]], {}, r"similarity has rows of different lengths"),
        ([1, 1], [1], [[1.0]], {}, r"supply has 2 entries; 1 are needed"),
        ([1], [1, 1], [[1.0]], {}, r"demand has 2 entries; 1 are needed"),
        ([-1], [1], [[1.0]], {}, r"supply\[0\] is -1.0; give amounts of at least 0"),
        ([1], [INF], [[1.0]], {}, r"demand\[0\] is inf"),
        ([1], [1], [[1.0]], {"solver": "higs"}, r"did you mean.*highs"),
        (
            [1],
            [1],
            [[1.0]],
            {"solver": "highs", "algorithm": "lp"},
            r"algorithm is 'lp'; choose from",
        ),
    ],
)
def test_a_bad_problem_is_refused_at_its_place(
    supply: Any, demand: Any, similarity: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        transport(supply, demand, similarity, **options)
