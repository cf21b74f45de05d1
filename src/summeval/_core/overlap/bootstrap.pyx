"""Resampled sums of columns; the definition is tests/definitions/rouge.py."""

from libc.stdint cimport int64_t

cdef extern from "overlap/bootstrap.hpp" namespace "summeval" nogil:
    void cpp_resample_sums "summeval::resample_sums"(
        const double* values, int64_t rows, int64_t columns, int64_t samples, int workers,
        double* out,
    ) except +


def resample_sums(const double[:, ::1] values, int64_t samples, int workers=1):
    """Sums of the rows drawn for each sample: float64[samples, columns]."""
    import numpy as np

    cdef int64_t rows = values.shape[0]
    cdef int64_t columns = values.shape[1]
    sums = np.zeros((samples, columns), dtype=np.float64)
    cdef double[:, ::1] out = sums
    if rows and columns and samples:
        with nogil:
            cpp_resample_sums(&values[0, 0], rows, columns, samples, workers, &out[0, 0])
    return sums
