from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from summeval._core.text.views cimport View


cdef extern from "columns/arrow.hpp" namespace "summeval" nogil:
    cdef cppclass Views:
        const View* data()
        size_t size()

    cdef cppclass ArrowArrays:
        void clear()

    cdef cppclass ArrowColumn:
        int64_t rows
        Views views
        vector[int64_t] row_offsets, codes
        ArrowArrays arrays


cdef class ArrowOwner:
    cdef ArrowColumn column


cdef bint is_arrow(object source)
cdef object export_arrow(object source, str name)
cdef ArrowOwner read_arrow(object exported, str name, bint lists)
