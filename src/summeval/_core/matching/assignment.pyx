"""Weighted bipartite assignment; the definition is summeval._textbook.assignment."""

from libc.stdint cimport int64_t

from summeval._core.rows.parallel cimport FirstFailure


cdef extern from "matching/assignment.hpp" namespace "summeval" nogil:
    int ASSIGN_ROW, ASSIGN_COLUMN, ASSIGN_TWICE, ASSIGN_OVERFLOW

    cdef struct AssignmentBatch:
        int64_t problems
        const int64_t* indptr
        const int64_t* row
        const int64_t* column
        const double* weight
        const int64_t* shapes
        double* values
        int64_t* counts
        int64_t* matched
        double* row_prices
        double* column_prices

    int64_t cpp_assign_batch "summeval::assign_batch"(
        const AssignmentBatch& batch, int workers, FirstFailure& failed
    ) except +


cdef extern from "matching/assignment_dense.hpp" namespace "summeval" nogil:
    cdef struct DenseProblem:
        const double* weights
        int64_t rows
        int64_t columns
        int64_t* match
        double* row_prices
        double* column_prices

    bint cpp_assign_dense "summeval::assign_dense"(const DenseProblem& problem) except +


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


def assign_batch(
    const int64_t[::1] indptr,
    const int64_t[::1] row,
    const int64_t[::1] column,
    const double[::1] weight,
    const int64_t[:, ::1] shapes,
    int workers=1,
):
    """Solve sparse problems of finite weights in flat arrays: (values, counts, matched, u, v).

    `matched` holds the positions of the matched edges, sorted by problem, then by row; `counts` has
    the number of matched edges of each problem; u and v are the prices of their rows and columns.
    All other rows and columns have the price 0.
    """
    import numpy as np

    cdef int64_t problems = shapes.shape[0]
    cdef int64_t edges = row.shape[0]
    cdef int64_t total = 0
    values = np.zeros(problems)
    counts = np.zeros(problems, dtype=np.int64)
    matched = np.empty(edges, dtype=np.int64)
    row_prices, column_prices = np.empty(edges), np.empty(edges)
    cdef double[::1] values_view = values
    cdef int64_t[::1] counts_view = counts
    cdef int64_t[::1] matched_view = matched
    cdef double[::1] row_view = row_prices
    cdef double[::1] column_view = column_prices
    cdef FirstFailure failed
    cdef AssignmentBatch batch
    if problems and edges:
        batch.problems = problems
        batch.indptr = &indptr[0]
        batch.row = &row[0]
        batch.column = &column[0]
        batch.weight = &weight[0]
        batch.shapes = &shapes[0, 0]
        batch.values = &values_view[0]
        batch.counts = &counts_view[0]
        batch.matched = &matched_view[0]
        batch.row_prices = &row_view[0]
        batch.column_prices = &column_view[0]
        with nogil:
            total = cpp_assign_batch(batch, workers, failed)
        if failed.any():
            raise failure(failed)
    return (
        values,
        counts,
        matched[:total].copy(),
        row_prices[:total].copy(),
        column_prices[:total].copy(),
    )


def assign_dense(const double[:, ::1] weights):
    """Solve a dense problem: (the column of each row or -1, row prices, column prices).

    None if some weight is not finite.
    """
    import numpy as np

    cdef DenseProblem problem
    cdef bint finite = True
    problem.rows = weights.shape[0]
    problem.columns = weights.shape[1]
    match = np.full(problem.rows, -1, dtype=np.int64)
    row_prices = np.zeros(problem.rows)
    column_prices = np.zeros(problem.columns)
    cdef int64_t[::1] match_view = match
    cdef double[::1] row_view = row_prices
    cdef double[::1] column_view = column_prices
    if problem.rows and problem.columns:
        problem.weights = &weights[0, 0]
        problem.match = &match_view[0]
        problem.row_prices = &row_view[0]
        problem.column_prices = &column_view[0]
        with nogil:
            finite = cpp_assign_dense(problem)
        if not finite:
            return None
    return match, row_prices, column_prices
