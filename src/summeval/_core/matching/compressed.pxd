"""Arrays of callers as they are, and matrices in compressed rows."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool


cdef extern from "matching/flat.hpp" namespace "summeval":
    cdef cppclass FlatArray:
        cbool integers(object array)
        cbool integers(object array, int dimensions)
        cbool doubles(object array)
        cbool doubles(object array, int dimensions)
        const void* data()
        double* numbers()
        int64_t* places()
        cbool wide()
        int64_t size()
        int64_t width()


cdef extern from "matching/compressed.hpp" namespace "summeval" nogil:
    cdef struct CompressedRows:
        const void* indptr
        const void* indices
        const double* weight
        cbool wide
        int64_t size
        int64_t rows
        int64_t columns

    cdef cppclass Borrowed[Work]:
        Borrowed() except +
        Work& get()


cdef inline bint are_all(object kind, tuple values):
    """Whether all are of that type itself; some subclasses of arrays mean more than their memory."""
    for value in values:
        if type(value) is not kind:
            return False
    return True


cdef inline bint lay_out(
    FlatArray& indptr, FlatArray& indices, FlatArray& weight, int64_t rows, int64_t columns,
    CompressedRows& matrix,
) noexcept:
    """Fill in a matrix; whether its arrays go together."""
    matrix.indptr = indptr.data()
    matrix.indices = indices.data()
    matrix.weight = weight.numbers()
    matrix.wide = indptr.wide()
    matrix.size = min(indices.size(), weight.size())
    matrix.rows = rows
    matrix.columns = columns
    return indptr.wide() == indices.wide() and indptr.size() == rows + 1
