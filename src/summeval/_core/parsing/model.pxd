"""The sections of a model, as the parser and the tokenizer read them."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stddef cimport size_t
from libcpp.string cimport string


cdef extern from "parsing/model.hpp" namespace "summeval::parsing" nogil:
    cdef struct Section:
        const unsigned char* data
        size_t size

    cdef cppclass Sections:
        Section& operator[](const string&)


# Where the sections are; whoever reads them holds `sections` as well.
cdef inline Sections seen(dict sections):
    cdef Sections found
    cdef Section view
    cdef bytes data
    for name, data in sections.items():
        view.data = <const unsigned char*>PyBytes_AS_STRING(data)
        view.size = PyBytes_GET_SIZE(data)
        found[name.encode("ascii")] = view
    return found
