"""Weighted bipartite assignment; the definition is tests/definitions/assignment.py."""

import numpy as np

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool

from summeval._core.matching.compressed cimport (
    Borrowed, CompressedRows, FlatArray, arrays_of, lay_out, load_arrays, made, new_numbers,
    new_places, new_zeros, numbers_of, places_of, weights_of,
)
from summeval._core.rows.parallel cimport FirstFailure


cdef extern from "matching/assignment.hpp" namespace "summeval" nogil:
    int ASSIGN_ROW, ASSIGN_COLUMN, ASSIGN_TWICE, ASSIGN_OVERFLOW


cdef extern from "matching/assignment_batch.hpp" namespace "summeval" nogil:
    cdef struct Integers:
        const void* data
        cbool wide

    cdef struct AssignmentBatch:
        int64_t problems
        int64_t edges
        Integers indptr
        Integers row
        Integers column
        const double* weight
        Integers shapes

    cdef cppclass CompressedAssignment:
        double value
        int64_t count
        void write(int64_t* rows, int64_t* columns, double* u, double* v) except +

    cdef cppclass AssignmentBatchWork:
        int64_t total
        void write(int64_t* indptr, int64_t* edges, double* u, double* v) except +

    cbool solve_compressed "summeval::borrow_and_solve"(
        Borrowed[CompressedAssignment]& work, const CompressedRows& matrix
    ) except +
    cbool solve_batch "summeval::borrow_and_solve"(
        Borrowed[AssignmentBatchWork]& work, const AssignmentBatch& batch, int workers,
        double* values, FirstFailure& failed
    ) except +


cdef extern from "matching/assignment_matrix.hpp" namespace "summeval" nogil:
    cdef struct DenseProblem:
        const double* weights
        int64_t rows
        int64_t columns
        int64_t* match
        double* row_prices
        double* column_prices

    bint cpp_assign_dense "summeval::assign_dense"(const DenseProblem& problem) except +
    int64_t matched_pairs(const DenseProblem& problem)
    double write_pairs(
        const DenseProblem& problem, int64_t* rows, int64_t* columns, double* weights
    )


cdef int64_t MOST = 2**31 - 1  # rows and columns of a problem


load_arrays()


class AssignmentFailure(Exception):
    """The first problem that could not be solved, and why: the arguments (problem, reason).

    The reason is "row", "column", "twice", "overflow" or "memory".
    """


cdef object failure(FirstFailure& failed):
    reasons = {
        ASSIGN_ROW: "row", ASSIGN_COLUMN: "column", ASSIGN_TWICE: "twice",
        ASSIGN_OVERFLOW: "overflow",
    }
    return AssignmentFailure(failed.row(), reasons.get(failed.status(), "memory"))


def assign_compressed(matrix, type result, type weights):
    """Solve a `scipy.sparse` matrix in compressed rows: a `result` that keeps a `weights`.

    These are the classes `AssignmentResult` and `CompressedWeights`. None if the matrix is no plain
    problem: compressed rows, contiguous arrays of int32 or int64 and of float64, all offsets,
    columns and weights right, the entries of each row sorted, the value finite.
    """
    cdef FlatArray starts, places, numbers
    cdef Borrowed[CompressedAssignment] work
    cdef CompressedRows given
    cdef cbool solved
    cdef int64_t rows, columns
    arrays = arrays_of(matrix)
    if arrays is None:
        return None
    shape, indptr, indices, weight = arrays
    rows, columns = shape
    if not (starts.integers(indptr) and places.integers(indices) and numbers.doubles(weight)):
        return None
    if not lay_out(starts, places, numbers, rows, columns, given):
        return None
    with nogil:
        solved = solve_compressed(work, given)
    if not solved:
        return None
    cdef int64_t count = work.get().count
    matched_rows, matched_columns = new_places(count), new_places(count)
    row_prices, column_prices = new_zeros(rows), new_zeros(columns)
    work.get().write(
        places_of(matched_rows), places_of(matched_columns),
        numbers_of(row_prices), numbers_of(column_prices),
    )
    return made(
        result,
        ("value", "rows", "columns", "row_prices", "column_prices", "weights"),
        (
            work.get().value, matched_rows, matched_columns, row_prices, column_prices,
            weights_of(weights, arrays),
        ),
    )


cdef inline Integers integers(FlatArray& array) noexcept:
    cdef Integers found
    found.data = array.data()
    found.wide = array.wide()
    return found


def assign_batch(indptr, row, column, weight, shapes, int workers=1):
    """Solve sparse problems in flat arrays: (values, indptr, edges, prices).

    `edges` holds the positions of the matched edges, sorted by problem, then by row; those of
    problem p are [indptr[p], indptr[p + 1]). `prices` [2, matched] are those of their rows and
    columns. All other rows and columns have the price 0.

    None if the arrays are not plain problems: contiguous arrays of int32 or int64 and of float64,
    offsets and shapes right, the weights finite.
    """
    cdef FlatArray starts, rows, columns, weights, sizes
    cdef Borrowed[AssignmentBatchWork] work
    cdef AssignmentBatch batch
    cdef FirstFailure failed
    cdef cbool solved
    if not (starts.integers(indptr) and rows.integers(row) and columns.integers(column)):
        return None
    if not (weights.doubles(weight) and sizes.integers(shapes, 2)):
        return None
    if not rows.size() == columns.size() == weights.size():
        return None
    if sizes.width() != 2 or starts.size() != sizes.size() + 1:
        return None
    batch.problems = sizes.size()
    batch.edges = rows.size()
    batch.indptr = integers(starts)
    batch.row = integers(rows)
    batch.column = integers(columns)
    batch.weight = weights.numbers()
    batch.shapes = integers(sizes)
    values = new_numbers(batch.problems)
    cdef double* values_data = numbers_of(values)
    with nogil:
        solved = solve_batch(work, batch, workers, values_data, failed)
    if not solved:
        return None
    if failed.any():
        raise failure(failed)
    cdef int64_t total = work.get().total
    matched_indptr, edges = new_places(batch.problems + 1), new_places(total)
    prices = new_numbers(2 * total)
    work.get().write(
        places_of(matched_indptr), places_of(edges), numbers_of(prices), numbers_of(prices) + total
    )
    return values, matched_indptr, edges, prices.reshape(2, total)


def assign_dense(matrix, type result, type weights):
    """Solve a dense matrix: a `result` that keeps a `weights`.

    These are the classes `AssignmentResult` and `Weights`. None if the matrix is no contiguous
    array of float64, or if some entry is not finite. The value may be infinite.
    """
    cdef FlatArray given
    cdef DenseProblem problem
    cdef bint finite = True
    cdef int64_t count = 0
    cdef double total = 0.0, value = 0.0
    if not given.doubles(matrix, 2):
        return None
    problem.rows, problem.columns = given.size(), given.width()
    if problem.rows + problem.columns > MOST:
        return None
    match = new_places(problem.rows)
    row_prices, column_prices = new_zeros(problem.rows), new_zeros(problem.columns)
    problem.weights = given.numbers()
    problem.match = places_of(match)
    problem.row_prices = numbers_of(row_prices)
    problem.column_prices = numbers_of(column_prices)
    with nogil:
        finite = cpp_assign_dense(problem)
        if finite:
            count = matched_pairs(problem)
    if not finite:
        return None
    rows, columns, matched = new_places(count), new_places(count), new_numbers(count)
    total = write_pairs(problem, places_of(rows), places_of(columns), numbers_of(matched))
    # NumPy adds up in an order of its own
    if total < 1e308:
        value = float(matched.sum())
    else:
        with np.errstate(over="ignore"):
            value = float(matched.sum())
    kept = made(
        weights,
        ("shape", "is_dense", "dense"),
        ((problem.rows, problem.columns), True, matrix),
    )
    return made(
        result,
        ("value", "rows", "columns", "row_prices", "column_prices", "weights"),
        (value, rows, columns, row_prices, column_prices, kept),
    )
