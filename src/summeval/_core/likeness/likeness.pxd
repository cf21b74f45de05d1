from libc.stdint cimport int8_t, int16_t
from libcpp.memory cimport shared_ptr


cdef extern from "likeness/vector_table.hpp" namespace "summeval" nogil:
    cdef cppclass CppWordTable "summeval::VectorTable":
        bint set(
            const char*, size_t, const int8_t*, const int16_t*, size_t, size_t, const double*, size_t,
            double
        ) except +


cdef class WordTable:
    cdef shared_ptr[CppWordTable] table
    cdef object vectors
    cdef object weights
