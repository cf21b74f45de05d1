"""The transportation problem; the definition is summeval._textbook.transport."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool

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


class TransportFailure(Exception):
    """The first problem without an optimum, and why: the arguments (problem, reason).

    The reason is "edges" (unsorted, repeated or outside the problem) or "gap".
    """


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
    import numpy as np

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
