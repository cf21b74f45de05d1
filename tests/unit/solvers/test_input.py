"""Which input the solvers refuse, with which messages; and the registry of back ends."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from summeval.solvers import BackEnd, assign, assign_batch, list_solvers, register
from summeval.solvers import result as registry

NAN, INF = float("nan"), float("inf")


def broken(part: str, values: Any) -> Any:
    """A CSR matrix of 2 by 3 with one of its arrays replaced, which SciPy does not check."""
    matrix = sparse.csr_array(([1.0, 2.0, 3.0], [0, 2, 1], [0, 2, 3]), shape=(2, 3))
    setattr(matrix, part, np.array(values))
    return matrix


@every(
    ("weights", "error", "message"),
    [
        ([[1.0, NAN]], ValueError, r"weights\[0, 1\] is nan; give finite weights"),
        ([[1.0], [-INF]], ValueError, r"weights\[1, 0\] is -inf"),
        ([1.0, 2.0], ValueError, r"weights has 1 dimensions; give a matrix"),
        ([[["a"]]], ValueError, r"weights has 3 dimensions"),
        ([["a"]], TypeError, r"weights holds <U1; give real numbers"),
        ([[1j]], TypeError, r"weights holds complex128"),
        (broken("data", [1.0, INF, 3.0]), ValueError, r"weights\[0, 2\] is inf"),
        (broken("indices", [0, 3, 1]), ValueError, r"weights: entry 1 has column 3 of a matrix"),
        (broken("indices", [0, -1, 1]), ValueError, r"weights: entry 1 has column -1"),
        (broken("indices", [2, 2, 1]), ValueError, r"weights\[0, 2\] is given twice"),
        (broken("indices", [0.0, 2.5, 1.0]), TypeError, r"weights.indices holds float64"),
        (broken("indptr", [0, 2]), ValueError, r"weights.indptr has 2 entries; 3 are needed"),
        (broken("indptr", [0, 2, 9]), ValueError, r"weights.indptr ends with 9"),
        (broken("indptr", [0, 3, 2]), ValueError, r"weights.indptr\[2\] is 2, less than the 3"),
        (broken("indptr", [1, 2, 3]), ValueError, r"weights.indptr does not start with 0"),
        (broken("data", [1.0, 2.0]), ValueError, r"weights has 3 rows, 3 columns and 2 weights"),
        (
            sparse.coo_array(([1.0, 2.0], ([1, 1], [0, 0])), shape=(2, 2)),
            ValueError,
            r"weights\[1, 0\] is given twice",
        ),
        ([[1.7e308, 0.0], [0.0, 1.7e308]], ValueError, r"more than the largest float"),
    ],
)
def test_a_bad_matrix_is_refused_with_its_place(weights: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        assign(weights)


@pytest.mark.parametrize("solver", ["kernel", "scipy"])
@pytest.mark.parametrize("bad", [NAN, INF, -INF])
def test_no_entry_that_is_not_finite_escapes(solver: str, bad: float) -> None:
    for shape in ((1, 1), (3, 17), (2, 32), (20, 5)):
        for row, column in np.ndindex(*shape):
            weights = np.random.default_rng(0).random(shape)
            weights[row, column] = bad
            with pytest.raises(ValueError, match=rf"weights\[{row}, {column}\] is {bad}"):
                assign(weights, solver=solver)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
def test_every_sparse_form_is_read(form: str) -> None:
    matrix = sparse.coo_array(([1.0, 2.0, 3.0], ([1, 0, 1], [0, 2, 1])), shape=(2, 3))
    assert assign(matrix.asformat(form)).value == 5.0


def test_unsorted_entries_are_sorted() -> None:
    matrix = broken("indices", [2, 0, 1])
    result = assign(matrix)
    assert (result.value, result.columns.tolist()) == (5.0, [0, 1])
    assert matrix.indices.tolist() == [2, 0, 1]


GOOD: dict[str, Any] = {
    "indptr": [0, 2, 3],
    "row": [0, 1, 0],
    "column": [0, 0, 1],
    "weight": [1.0, 2.0, 3.0],
    "shapes": [[2, 1], [1, 2]],
}


@every(
    ("name", "value", "error", "message"),
    [
        ("indptr", [0, 3], ValueError, r"indptr has 2 entries; 3 are needed"),
        ("indptr", [0, 2], ValueError, r"indptr ends with 2, but there are 3 edges"),
        ("indptr", [0, 2, 4], ValueError, r"indptr ends with 4, but there are 3 edges"),
        ("indptr", [0, 2, 2], ValueError, r"indptr ends with 2, but there are 3 edges"),
        ("indptr", [0, 4, 3], ValueError, r"indptr\[2\] is 3, less than the 4 before it"),
        ("indptr", [-1, 2, 3], ValueError, r"indptr does not start with 0"),
        ("indptr", [[0, 2, 3]], ValueError, r"indptr has 2 dimensions; give 1"),
        ("indptr", [0.0, 2.0, 3.0], TypeError, r"indptr holds float64; give integers"),
        ("row", [0, 2, 0], ValueError, r"row\[1\] is 2, but problem 0 has 2 rows"),
        ("row", [0, 1, -1], ValueError, r"row\[2\] is -1, but problem 1 has 1 rows"),
        ("row", [0, 0, 0], ValueError, r"edges 0 and 1 \(problem 0\) are both row 0, column 0"),
        ("row", [0, 1.5, 0], TypeError, r"row holds float64"),
        ("row", [0, 1], ValueError, r"row, column and weight have 2, 3 and 3 entries"),
        (
            "row",
            np.array([0, 2**63, 0], np.uint64),
            ValueError,
            r"row: entry 1 is 9223372036854775808",
        ),
        ("column", [0, 0, 2], ValueError, r"column\[2\] is 2, but problem 1 has 2 columns"),
        ("weight", [1.0, NAN, 3.0], ValueError, r"weight\[1\] is nan; give finite numbers"),
        ("weight", [1.0, 2.0, -INF], ValueError, r"weight\[2\] is -inf"),
        ("weight", [1.0], ValueError, r"row, column and weight have 3, 3 and 1 entries"),
        ("weight", ["1", "2", "3"], TypeError, r"weight holds <U1; give real numbers"),
        ("shapes", [[2, 1]], ValueError, r"indptr has 3 entries; 2 are needed"),
        ("shapes", [[2, 1, 1], [1, 2, 1]], ValueError, r"shapes has 3 columns"),
        ("shapes", [[2, 1], [-1, 2]], ValueError, r"shapes\[1\] is \[-1, 2\]"),
        ("shapes", [[2, 2**31], [1, 2]], ValueError, r"shapes\[0\] is \[2, 2147483648\]"),
        ("workers", 0, ValueError, r"workers is 0; give a number of threads"),
    ],
)
def test_bad_arrays_are_refused_with_their_place(
    name: str, value: Any, error: Any, message: str
) -> None:
    assign_batch(**GOOD)
    with pytest.raises(error, match=message):
        assign_batch(**{**GOOD, name: value})


def test_a_problem_that_overflows_is_named() -> None:
    with pytest.raises(ValueError, match=r"weight: problem 1 adds up to more than the largest"):
        assign_batch([0, 1, 3], [0, 0, 1], [0, 0, 1], [1.0, 1.7e308, 1.7e308], [[1, 1], [2, 2]])


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.integers(-2, 6), min_size=1, max_size=5),
    st.lists(st.integers(-2, 4), max_size=6),
    st.lists(st.integers(-2, 4), max_size=6),
    st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 4)), max_size=4),
)
def test_any_integers_are_solved_or_refused(
    indptr: Any, row: Any, column: Any, shapes: Any
) -> None:
    weight = np.ones(len(row))
    try:
        batch = assign_batch(indptr, row, column, weight, np.reshape(shapes, (-1, 2)).astype(int))
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert all(batch[p].certificate().holds() for p in range(len(batch)))


def test_the_kernel_comes_first_and_needs_no_package() -> None:
    assert list_solvers("assignment")[0] == "kernel"
    assert {"kernel", "highs", "scipy", "scipy-sparse"} <= set(list_solvers("assignment"))


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(
        ValueError, match=r"unknown solver for assignment 'kernal'; did you mean kernel"
    ):
        assign([[1.0]], solver="kernal")
    with pytest.raises(ValueError, match=r"unknown problem 'asignment'; did you mean assignment"):
        list_solvers("asignment")  # type: ignore[arg-type]


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match=r"solver 'kernel' takes no option 'algorithm'"):
        assign([[1.0]], algorithm="simplex")
    with pytest.raises(
        ValueError, match=r"algorithm is 'pdlp'; a matching needs 'simplex' or 'ipm'"
    ):
        assign([[1.0]], solver="highs", algorithm="pdlp")


def test_a_back_end_without_its_package_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._BACK_ENDS, "assignment", {})
    register("assignment", "absent", BackEnd("absent:solve", "absent-solver"))
    assert list_solvers("assignment") == []
    with pytest.raises(ImportError, match=r"^solver 'absent' needs .*: pip install absent-solver$"):
        assign([[1.0]], solver="absent")


def test_a_back_end_refuses_a_process_that_it_would_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._BACK_ENDS, "assignment", {})
    register("assignment", "shy", BackEnd("json:loads", clashes=("pytest",)))
    with pytest.raises(ImportError, match=r"'shy' cannot run in a process that has loaded pytest"):
        assign([[1.0]], solver="shy")


def test_solvers_load_no_back_end_before_it_is_asked_for() -> None:
    program = "import sys, summeval.solvers; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(ran.stdout.split())
    assert not loaded & {"scipy", "highspy", "ot", "ortools", "lap", "networkx"}
