"""The elements of a document as the kernels of Basic Elements share them."""

from libc.stdint cimport uint32_t
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from "elements/parses/cuts.hpp" namespace "summeval" nogil:
    cdef cppclass CutPart "summeval::Cut::Part":
        uint32_t begin, text, size

    cdef cppclass Cut:
        string bytes
        vector[CutPart] parts
        vector[uint32_t] rule, first, part, places
        size_t size()


cdef class Elements:
    cdef Cut cpp
    cdef readonly tuple names
