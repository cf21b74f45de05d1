from libc.stdint cimport int64_t
from libcpp cimport bool as cbool

from summeval._core.columns cimport View


cdef extern from "parallel.hpp" namespace "summeval" nogil:
    cdef cppclass FirstFailure:
        cbool any()
        int64_t row()
        int status()


cdef extern from "batch.hpp" namespace "summeval" nogil:
    cdef struct Rows:
        const View* candidates
        const View* references
        const int64_t* offsets
        int64_t size
