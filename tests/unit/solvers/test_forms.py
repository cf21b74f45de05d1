"""The same problem in every form of its arrays has the same answer, to the last bit."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from summeval._core.matching import assignment as assignment_kernel
from summeval._core.matching import transport as transport_kernel
from summeval.solvers import (
    AssignmentResult,
    TransportResult,
    assign,
    assign_batch,
    transport,
)
from summeval.solvers.weights import CompressedWeights

NAN = float("nan")


def make(seed: int, rows: int, columns: int, kind: str = "int32") -> Any:
    """A CSR matrix, some weights of which are equal or below 0."""
    rng = np.random.default_rng(seed)
    dense = rng.integers(-1, 4, (rows, columns)) / 3 * (rng.random((rows, columns)) < 0.4)
    matrix = sparse.csr_array(dense)
    matrix.indptr, matrix.indices = matrix.indptr.astype(kind), matrix.indices.astype(kind)
    return matrix


def same(one: Any, other: Any) -> bool:
    """Whether two results are equal, with the types of their arrays."""
    names = [name for name in ("rows", "columns") if hasattr(one, name)]
    for name in ["value", "row_prices", "column_prices", *names]:
        left, right = np.asarray(getattr(one, name)), np.asarray(getattr(other, name))
        if (left.dtype, left.tobytes()) != (right.dtype, right.tobytes()):
            return False
    return one.certificate() == other.certificate() and one.certificate().holds()


sizes = st.integers(0, 9)
seeds = st.integers(0, 10**6)


@settings(max_examples=150, deadline=None)
@given(seeds, sizes, sizes)
def test_compressed_rows_are_solved_like_entries_in_any_order(
    seed: int, rows: int, columns: int
) -> None:
    narrow, wide = make(seed, rows, columns), make(seed, rows, columns, "int64")
    rng = np.random.default_rng(seed)
    supply, demand = rng.random(rows), rng.random(columns)
    order = rng.permutation(narrow.nnz)
    entries = narrow.tocoo()
    mixed = sparse.coo_array(
        (entries.data[order], (entries.row[order], entries.col[order])), shape=narrow.shape
    )
    for matrix in (wide, mixed):
        assert same(assign(narrow), assign(matrix))
        one, other = (transport(supply, demand, form) for form in (narrow, matrix))
        assert same(one, other)
        assert one.flow.shape == (rows, columns)
        assert (one.flow.toarray() == other.flow.toarray()).all()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(seeds, sizes, sizes), max_size=6), st.integers(1, 3))
def test_batches_of_32_bits_are_those_of_64_and_of_lists(shapes: Any, workers: int) -> None:
    entries = [make(*shape).tocoo() for shape in shapes]
    indptr = np.cumsum([0, *(one.nnz for one in entries)])
    row, column, weight = (
        np.concatenate([getattr(one, part) for one in entries] or [np.zeros(0, int)])
        for part in ("row", "col", "data")
    )
    weight = weight.astype(float)
    sides = np.array([one.shape for one in entries], int).reshape(-1, 2)
    integers = indptr, row, column, sides
    found = []
    for kind in ("int32", "int64"):
        ends, rows, columns, shape = (values.astype(kind) for values in integers)
        found.append(assign_batch(ends, rows, columns, weight, shape, workers))
    found.append(assign_batch(*(a.tolist() for a in (indptr, row, column, weight, sides))))
    for batch in found[1:]:
        for name in ("values", "indptr", "edges", "rows", "columns", "row_prices", "column_prices"):
            one, other = getattr(found[0], name), getattr(batch, name)
            assert (one.dtype, one.tobytes()) == (other.dtype, other.tobytes())
    for p, one in enumerate(entries):
        assert all(same(assign(one), batch[p]) for batch in found)


def rows_of(indptr: Any, indices: Any, data: Any, **other: Any) -> Any:
    """Anything with the attributes of a matrix of 4 x 5."""
    attributes = {"format": "csr", "shape": (4, 5)} | other
    return SimpleNamespace(indptr=indptr, indices=indices, data=data, **attributes)


def assign_rows(*arrays: Any, **other: Any) -> Any:
    matrix = rows_of(*arrays, **other)
    return assignment_kernel.assign_compressed(matrix, AssignmentResult, CompressedWeights)


def transport_rows(supply: Any, demand: Any, *arrays: Any) -> Any:
    matrix = rows_of(*arrays)
    return transport_kernel.transport_compressed(
        supply, demand, matrix, TransportResult, CompressedWeights
    )


def test_the_kernel_leaves_what_it_does_not_read_to_the_checks() -> None:
    matrix = sparse.csr_array(np.diag([1.0, 2.0, 3.0, 4.0, 5.0])[:4] + np.eye(4, 5, 1))
    good = (matrix.indptr, matrix.indices, matrix.data)
    amounts = np.ones(4), np.ones(5)
    assert assign_rows(*good) is not None
    assert transport_rows(*amounts, *good) is not None
    unsorted = np.append(good[1][1::-1], good[1][2:])
    spoiled = np.where(np.arange(len(good[2])) == len(good[2]) - 1, NAN, good[2])
    for bad in (
        (good[0].astype(np.int64), *good[1:]),  # of another type than the columns
        (good[0][:-1], *good[1:]),
        (good[0] + 1, *good[1:]),
        (good[0][::-1].copy(), *good[1:]),
        (good[0], unsorted, good[2]),
        (good[0], good[1] + 5, good[2]),
        (good[0], good[1] - 1, good[2]),
        (good[0], good[1][:-1], good[2]),
        (*good[:2], good[2][:-1]),
        (*good[:2], spoiled),
        (*good[:2], good[2].astype(np.float32)),
        (*good[:2], np.repeat(good[2], 2)[::2]),
        (*good[:2], good[2].tolist()),
    ):
        assert assign_rows(*bad) is None
        assert transport_rows(*amounts, *bad) is None
    for side, wrong in ((0, [1, 1, -1, 1]), (1, [1, NAN, 1, 1, 1]), (1, [1, 1, 1, 1])):
        given_amounts = list(amounts)
        given_amounts[side] = np.array(wrong, float)
        assert transport_rows(*given_amounts, *good) is None
    assert assign_rows(*good, format="csc") is None
    assert assign_rows(*good, shape=(20,)) is None


@pytest.mark.parametrize("bad", [NAN, float("inf")])
def test_a_weight_that_is_no_number_is_named_before_any_other_error(bad: float) -> None:
    shapes = np.array([[1, 1], [1, 1]])
    row, column = np.array([7, 0]), np.array([0, 0])
    with pytest.raises(ValueError, match=rf"^weight\[1\] is {bad}; give finite numbers$"):
        assign_batch(np.array([0, 1, 2]), row, column, np.array([1.0, bad]), shapes)


def test_a_sparse_plan_is_made_once_and_survives_copies() -> None:
    rng = np.random.default_rng(0)
    supply, demand = rng.random(4), rng.random(5)
    result = transport(supply, demand, make(0, 4, 5))
    for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert (other.flow.toarray() == result.flow.toarray()).all()
    assert result.flow is result.flow
    assert not hasattr(result, "flows")
    with pytest.raises(AttributeError, match="'TransportResult' object has no attribute 'flows'"):
        _ = result.flows
