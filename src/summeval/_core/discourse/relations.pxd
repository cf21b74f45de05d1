"""Packed documents as the discourse kernels read them."""

from libc.stdint cimport uint32_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector

from summeval._core.documents.packed cimport DocumentView


cdef extern from "discourse/parsed_words.hpp" namespace "summeval::discourse" nogil:
    cdef struct Foreign:
        uint32_t string
        cbool is_upper
        string lowered

    cdef cppclass Parse:
        DocumentView view
        vector[Foreign] foreign


cdef int read_parses(list blocks, vector[Parse]& out) except -1
