"""The transportation problem; the definition is tests/definitions/transport.py."""

import numpy as np

from libc.stdint cimport INT32_MAX, int64_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from summeval._core.matching.compressed cimport (
    Borrowed, CompressedRows, FlatArray, arrays_of, lay_out, load_arrays, made, new_numbers,
    new_places, numbers_of, places_of, weights_of,
)
from summeval._core.rows.parallel cimport FirstFailure


cdef extern from "matching/transport.hpp" namespace "summeval" nogil:
    cdef int TRANSPORT_EDGES
    cdef int TRANSPORT_NO_MEMORY

    cdef struct TransportAnswer:
        double* flow
        double* row_prices
        double* column_prices
        double* value

    cdef struct TransportBatch:
        int64_t size
        cbool dense
        const int64_t* indptr
        const int64_t* row
        const int64_t* column
        const double* weight
        const double* supply
        const double* demand
        const int64_t* shapes
        const int64_t* row_offsets
        const int64_t* column_offsets

    void cpp_solve_batch "summeval::solve_batch"(
        const TransportBatch& batch, int workers, const TransportAnswer& answer,
        FirstFailure& failed,
    ) except +


cdef extern from "matching/transport_compressed.hpp" namespace "summeval" nogil:
    cdef cppclass CompressedTransport:
        int64_t edges()

    cbool read_transport "summeval::borrow_and_read"(
        Borrowed[CompressedTransport]& work, const CompressedRows& matrix, const double* supply,
        const double* demand,
    ) except +
    cbool solve_transport "summeval::borrow_and_solve"(
        Borrowed[CompressedTransport]& work, const TransportAnswer& answer
    ) except +


    cdef struct TransportSizes:
        int64_t edges
        int64_t supplies
        int64_t demands

    cdef cppclass FlatTransports:
        pass

    cbool read_flat "summeval::borrow_and_read"(
        Borrowed[FlatTransports]& work, const TransportBatch& batch, const TransportSizes& sizes
    ) except +
    cbool solve_flat "summeval::borrow_and_solve"(
        Borrowed[FlatTransports]& work, int workers, const TransportAnswer& answer
    ) except +


cdef extern from "transport/dense.hpp" namespace "summeval" nogil:
    cdef cppclass DensePlan:
        vector[int64_t] row
        vector[int64_t] column
        vector[double] flow
        vector[double] row_prices
        vector[double] column_prices
        double value

    cdef cppclass DenseTransport:
        const DensePlan& plan()

    cdef struct TransportProblem:
        cbool dense
        const double* weight
        int64_t edges
        const double* supply
        int64_t rows
        const double* demand
        int64_t columns

    cbool solve_dense "summeval::borrow_and_solve"(
        Borrowed[DenseTransport]& work, const TransportProblem& problem
    ) except +


load_arrays()


class TransportFailure(Exception):
    """The first problem without an optimum, and why: the arguments (problem, reason).

    The reason is "edges" (unsorted, repeated or outside the problem) or "gap".
    """


cdef int64_t SMALL = 256  # pairs, from which on transport_dense is faster


cdef inline const int64_t* integers(const int64_t[::1] values) noexcept:
    return &values[0] if values is not None and values.shape[0] else NULL


cdef inline const double* numbers(const double[::1] values) noexcept:
    return &values[0] if values.shape[0] else NULL


cdef inline double* room(double[::1] values) noexcept:
    return &values[0] if values.shape[0] else NULL


def transport_batch(
    const int64_t[::1] indptr,
    const int64_t[::1] row,
    const int64_t[::1] column,
    const double[::1] weight,
    const double[::1] supply,
    const double[::1] demand,
    const int64_t[:, ::1] shapes,
    const int64_t[::1] row_offsets,
    const int64_t[::1] column_offsets,
    int workers=1,
):
    """Solve problems in flat arrays: (values, flow of the edges, row prices, column prices).

    Problem k has the edges [indptr[k], indptr[k + 1]), sorted by row and column, which are numbered
    from 0 in each problem; if both are None, weight holds dense matrices. Offsets say where the
    supply and demand of each problem begin.
    """
    cdef TransportBatch batch
    cdef TransportAnswer answer
    cdef FirstFailure failed
    batch.size = shapes.shape[0]
    values = np.zeros(batch.size)
    flow = np.empty(weight.shape[0])
    row_prices = np.empty(supply.shape[0])
    column_prices = np.empty(demand.shape[0])
    if batch.size == 0:
        return values, flow, row_prices, column_prices
    batch.dense = row is None
    batch.indptr = integers(indptr)
    batch.row = integers(row)
    batch.column = integers(column)
    batch.weight = numbers(weight)
    batch.supply = numbers(supply)
    batch.demand = numbers(demand)
    batch.shapes = &shapes[0, 0]
    batch.row_offsets = integers(row_offsets)
    batch.column_offsets = integers(column_offsets)
    answer.flow = room(flow)
    answer.row_prices = room(row_prices)
    answer.column_prices = room(column_prices)
    answer.value = room(values)
    with nogil:
        cpp_solve_batch(batch, workers, answer, failed)
    if failed.any():
        if failed.status() == TRANSPORT_NO_MEMORY:
            raise MemoryError(f"problem {failed.row()}: not enough memory")
        reason = "edges" if failed.status() == TRANSPORT_EDGES else "gap"
        raise TransportFailure(failed.row(), reason)
    return values, flow, row_prices, column_prices


def transport_flat(indptr, row, column, weight, supply, demand, shapes, int workers=1):
    """Like `transport_batch` for sparse problems, with arrays that nobody has checked.

    None if they are not plain problems: contiguous arrays of int64 and of float64, offsets and
    shapes right, all numbers finite, no amount below 0, edges sorted; or if no optimum was found.
    """
    cdef FlatArray starts, rows, columns, weights, supplies, demands, sizes
    cdef Borrowed[FlatTransports] work
    cdef TransportBatch batch
    cdef TransportSizes given
    cdef TransportAnswer answer
    cdef cbool good
    if not (starts.integers(indptr) and rows.integers(row) and columns.integers(column)):
        return None
    if not (sizes.integers(shapes, 2) and starts.wide() and rows.wide() and columns.wide()):
        return None
    if not (weights.doubles(weight) and supplies.doubles(supply) and demands.doubles(demand)):
        return None
    if not rows.size() == columns.size() == weights.size():
        return None
    if not sizes.wide() or sizes.width() != 2 or starts.size() != sizes.size() + 1:
        return None
    batch.size = sizes.size()
    batch.dense = False
    batch.indptr = starts.places()
    batch.row = rows.places()
    batch.column = columns.places()
    batch.weight = weights.numbers()
    batch.supply = supplies.numbers()
    batch.demand = demands.numbers()
    batch.shapes = sizes.places()
    given.edges, given.supplies, given.demands = rows.size(), supplies.size(), demands.size()
    with nogil:
        good = read_flat(work, batch, given)
    if not good:
        return None
    values, flow = new_numbers(batch.size), new_numbers(given.edges)
    row_prices, column_prices = new_numbers(given.supplies), new_numbers(given.demands)
    answer.value = numbers_of(values)
    answer.flow = numbers_of(flow)
    answer.row_prices = numbers_of(row_prices)
    answer.column_prices = numbers_of(column_prices)
    with nogil:
        good = solve_flat(work, workers, answer)
    return (values, flow, row_prices, column_prices) if good else None


def transport_compressed(supply, demand, matrix, type result, type weights):
    """Solve a `scipy.sparse` matrix in compressed rows: a `result` that keeps a `weights`.

    These are the classes `TransportResult` and `CompressedWeights`. None if the matrix is no plain
    problem: compressed rows, contiguous arrays of int32 or int64 and of float64, all offsets,
    columns, weights and amounts right, the entries of each row sorted; or if no finite optimum was
    found.
    """
    cdef FlatArray starts, places, entries, supplies, demands
    cdef Borrowed[CompressedTransport] work
    cdef CompressedRows given
    cdef TransportAnswer answer
    cdef cbool good
    cdef int64_t rows, columns
    cdef double value = 0.0
    arrays = arrays_of(matrix)
    if arrays is None:
        return None
    shape, indptr, indices, weight = arrays
    rows, columns = shape
    if not (starts.integers(indptr) and places.integers(indices) and entries.doubles(weight)):
        return None
    if not (supplies.doubles(supply) and demands.doubles(demand)):
        return None
    if supplies.size() != rows or demands.size() != columns:
        return None
    if not lay_out(starts, places, entries, rows, columns, given):
        return None
    cdef const double* supply_data = supplies.numbers()
    cdef const double* demand_data = demands.numbers()
    with nogil:
        good = read_transport(work, given, supply_data, demand_data)
    if not good:
        return None
    flow = new_numbers(work.get().edges())
    row_prices, column_prices = new_numbers(rows), new_numbers(columns)
    answer.flow = numbers_of(flow)
    answer.row_prices = numbers_of(row_prices)
    answer.column_prices = numbers_of(column_prices)
    answer.value = &value
    with nogil:
        good = solve_transport(work, answer)
    if not good:
        return None
    return made(
        result,
        (
            "value", "edge_flow", "row_prices", "column_prices", "supply", "demand", "similarity",
        ),
        (value, flow, row_prices, column_prices, supply, demand, weights_of(weights, arrays)),
    )


cdef object of_integers(const vector[int64_t]& values):
    places = new_places(<int64_t>values.size())
    if values.size():
        memcpy(places_of(places), values.data(), values.size() * sizeof(int64_t))
    return places


cdef object of_numbers(const vector[double]& values):
    numbers = new_numbers(<int64_t>values.size())
    if values.size():
        memcpy(numbers_of(numbers), values.data(), values.size() * sizeof(double))
    return numbers


def transport_dense(supply, demand, similarity):
    """Solve a dense problem: (value, row, column, flow, row prices, column prices).

    `row`, `column` and `flow` are the flows that are not 0, by row and column.

    None if the arrays are not a plain problem: contiguous arrays of float64, all numbers finite, no
    amount below 0, at least one row and column; or if rounding hides the optimum. None also for a
    problem of less than 256 pairs, which `transport_batch` solves as fast.
    """
    cdef FlatArray supplies, demands, weights
    cdef Borrowed[DenseTransport] work
    cdef TransportProblem problem
    cdef cbool good
    if not (supplies.doubles(supply) and demands.doubles(demand)):
        return None
    if not weights.doubles(similarity, 2):
        return None
    problem.rows, problem.columns = weights.size(), weights.width()
    if supplies.size() != problem.rows or demands.size() != problem.columns:
        return None
    if problem.rows == 0 or problem.columns == 0:
        return None
    if problem.rows > INT32_MAX // (problem.columns + 2):  # more than the kernel can number
        return None
    problem.dense = True
    problem.edges = problem.rows * problem.columns
    problem.weight = weights.numbers()
    problem.supply = supplies.numbers()
    problem.demand = demands.numbers()
    if problem.edges < SMALL:
        return None
    with nogil:
        good = solve_dense(work, problem)
    if not good:
        return None
    cdef const DensePlan* plan = &work.get().plan()
    return (
        plan.value,
        of_integers(plan.row),
        of_integers(plan.column),
        of_numbers(plan.flow),
        of_numbers(plan.row_prices),
        of_numbers(plan.column_prices),
    )
