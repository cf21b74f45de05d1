# distutils: language = c++
"""The transportation problem; the definition is summeval._reference.transport."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool


cdef extern from "parallel.hpp" namespace "summeval" nogil:
    cdef cppclass FirstFailure:
        cbool any()
        int64_t row()
        int status()


cdef extern from "transport.hpp" namespace "summeval" nogil:
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

    void solve_batch(const TransportBatch&, int, const TransportAnswer&, FirstFailure&) except +


cdef inline const int64_t* integers(const int64_t[::1] values) noexcept:
    return &values[0] if values is not None and values.shape[0] else NULL


cdef inline const double* numbers(const double[::1] values) noexcept:
    return &values[0] if values.shape[0] else NULL


cdef inline double* room(double[::1] values) noexcept:
    return &values[0] if values.shape[0] else NULL


def solve(
    const int64_t[::1] indptr,
    const int64_t[::1] row,
    const int64_t[::1] column,
    const double[::1] weight,
    const double[::1] supply,
    const double[::1] demand,
    const int64_t[:, ::1] shapes,
    const int64_t[::1] row_offsets,
    const int64_t[::1] column_offsets,
    double[::1] flow,
    double[::1] row_prices,
    double[::1] column_prices,
    double[::1] values,
    int workers=1,
) -> int:
    """Fill flow, prices and values of all problems; returns the first without an optimum, or -1.

    Problem k has the edges [indptr[k], indptr[k + 1]), sorted by row, whose rows and columns are
    numbered within it; without row and column (None), weight holds dense matrices. Offsets are those
    of the problems in supply and demand.
    """
    cdef TransportBatch batch
    cdef TransportAnswer answer
    cdef FirstFailure failed
    batch.size = shapes.shape[0]
    if batch.size == 0:
        return -1
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
        solve_batch(batch, workers, answer, failed)
    if not failed.any():
        return -1
    if failed.status() == TRANSPORT_NO_MEMORY:
        raise MemoryError(f"problem {failed.row()}: not enough memory")
    return failed.row()
