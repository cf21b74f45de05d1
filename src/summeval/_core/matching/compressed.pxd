"""Arrays of callers as they are, and matrices in compressed rows."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool

from cpython.object cimport PyObject_GenericSetAttr


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

    int load_arrays() except -1
    object new_numbers(int64_t size)
    object new_zeros(int64_t size)
    object new_places(int64_t size)
    double* numbers_of(object array)
    int64_t* places_of(object array)


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


cdef inline object made(type kind, tuple names, tuple values):
    """An object of a class in Python; its own `__init__` takes longer than a small problem."""
    new = kind.__new__(kind)
    for name, value in zip(names, values):
        PyObject_GenericSetAttr(new, name, value)
    return new


cdef inline object arrays_of(matrix):
    """Shape and arrays of a `scipy.sparse` matrix in compressed rows, unchecked; None if it is none."""
    if getattr(matrix, "format", None) != "csr" or len(shape := matrix.shape) != 2:
        return None
    return shape, matrix.indptr, matrix.indices, matrix.data


cdef inline object weights_of(type kind, tuple arrays):
    """What a result keeps of those: a `CompressedWeights`."""
    shape, indptr, indices, weight = arrays
    return made(kind, ("shape", "is_dense", "arrays"), (shape, False, (indptr, indices, weight)))
