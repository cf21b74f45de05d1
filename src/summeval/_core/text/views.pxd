from libc.stdint cimport int64_t


cdef extern from "text/views.hpp" namespace "summeval" nogil:
    cdef struct View:
        const char* data
        int64_t size
