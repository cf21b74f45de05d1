"""Correlations under resampling; the definition is tests/definitions/resampling.py."""

from libc.stdint cimport int64_t, uint8_t

cdef extern from "agreement/resampling.hpp" namespace "summeval" nogil:
    cdef struct Design:
        int64_t systems, topics
        int level, coefficient

    void cpp_resampled "summeval::resampled"(
        const Design& design, const double* x, const double* y, const int64_t* u,
        bint same_systems, const int64_t* v, int64_t draws, double* out,
    ) except +
    void cpp_by_topic "summeval::by_topic"(
        const Design& design, const double* x, const double* y, double* out,
    ) except +
    void cpp_permuted "summeval::permuted"(
        const Design& design, const double* x, const double* y, const double* z,
        const uint8_t* rows, const uint8_t* columns, int64_t draws, double* out,
    ) except +

cdef extern from "agreement/permutations.hpp" namespace "summeval" nogil:
    void cpp_permuted_pairs "summeval::permuted_pairs"(
        const Design& design, const double* tables, int64_t metrics, const double* z,
        const int64_t* pairs, int64_t count, const uint8_t* rows, const uint8_t* columns,
        int64_t draws, double* out,
    ) except +


COEFFICIENTS = ("pearson", "spearman", "kendall")
LEVELS = ("summary", "system", "global")


cdef Design designed(const double[:, ::1] table, str level, str coefficient) except *:
    cdef Design design
    design.systems = table.shape[0]
    design.topics = table.shape[1]
    design.level = LEVELS.index(level)
    design.coefficient = COEFFICIENTS.index(coefficient)
    return design


def resampled(
    const double[:, ::1] x, const double[:, ::1] y, const int64_t[:, ::1] systems,
    const int64_t[:, ::1] topics, str level, str coefficient
):
    """float64[draw]: the correlation if system s counts systems[draw, s] times; same for topics.

    If `systems` has one row, it holds for every draw.
    """
    import numpy as np

    cdef Design design = designed(x, level, coefficient)
    cdef int64_t draws = topics.shape[0]
    cdef bint same = systems.shape[0] == 1
    values = np.empty(draws, dtype=np.float64)
    cdef double[::1] out = values
    if draws:
        with nogil:
            cpp_resampled(
                design, &x[0, 0], &y[0, 0], &systems[0, 0], same, &topics[0, 0], draws, &out[0]
            )
    return values


def by_topic(const double[:, ::1] x, const double[:, ::1] y, str coefficient):
    """float64[topic]: the coefficient over the systems of each topic; NaN if undefined."""
    import numpy as np

    cdef Design design = designed(x, "summary", coefficient)
    values = np.empty(design.topics, dtype=np.float64)
    cdef double[::1] out = values
    with nogil:
        cpp_by_topic(design, &x[0, 0], &y[0, 0], &out[0])
    return values


def permuted(
    const double[:, ::1] x, const double[:, ::1] y, const double[:, ::1] z,
    const uint8_t[:, ::1] systems, const uint8_t[:, ::1] topics, str level, str coefficient
):
    """float64[draw]: correlation of x with z minus that of y; x, y swapped in some cells.

    These are the cells (s, t) where exactly one of systems[draw, s] and topics[draw, t] is set.
    """
    import numpy as np

    cdef Design design = designed(x, level, coefficient)
    cdef int64_t draws = topics.shape[0]
    values = np.empty(draws, dtype=np.float64)
    cdef double[::1] out = values
    if draws:
        with nogil:
            cpp_permuted(
                design, &x[0, 0], &y[0, 0], &z[0, 0], &systems[0, 0], &topics[0, 0], draws, &out[0]
            )
    return values


def permuted_pairs(
    const double[:, :, ::1] tables, const double[:, ::1] z, const int64_t[:, ::1] pairs,
    const uint8_t[:, ::1] systems, const uint8_t[:, ::1] topics, str level, str coefficient
):
    """float64[pair, draw]: `permuted` of the two tables of each pair, with the same draws.

    Values differ from it by rounding; at the summary level Spearman is equal to the last bit.
    """
    import numpy as np

    cdef Design design = designed(z, level, coefficient)
    cdef int64_t draws = topics.shape[0], count = pairs.shape[0], metrics = tables.shape[0]
    values = np.empty((count, draws), dtype=np.float64)
    cdef double[:, ::1] out = values
    if draws and count:
        with nogil:
            cpp_permuted_pairs(
                design, &tables[0, 0, 0], metrics, &z[0, 0], &pairs[0, 0], count, &systems[0, 0],
                &topics[0, 0], draws, &out[0, 0],
            )
    return values
