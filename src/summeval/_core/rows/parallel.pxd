from libc.stdint cimport int64_t, uint8_t
from libcpp cimport bool as cbool


cdef extern from "rows/parallel.hpp" namespace "summeval" nogil:
    cdef cppclass FirstFailure:
        void keep(uint8_t*)
        cbool any()
        int64_t row()
        int status()

    cdef cppclass Pool[T]:
        pass
