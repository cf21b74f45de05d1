"""The tokeniser kernel for any script."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint32_t
from libcpp.vector cimport vector


cdef extern from "text/unicode.hpp" namespace "summeval" nogil:
    const char* c_version "summeval::unicode::VERSION"

cdef extern from "text/tokens.hpp" namespace "summeval" nogil:
    size_t tokenize_unicode(const char* text, size_t size, char* out, uint32_t* edges) except +

UNICODE_VERSION = c_version.decode("ascii")


def tokens(bytes text not None) -> list[bytes]:
    """The case-folded tokens of a UTF-8 text, as bytes."""
    cdef const char* data = text
    cdef size_t size = len(text)
    cdef vector[char] out = vector[char](3 * size + 16)
    cdef vector[uint32_t] edges = vector[uint32_t](2 * (size + 1))
    cdef size_t count
    with nogil:
        count = tokenize_unicode(data, size, out.data(), edges.data())
    cdef size_t k
    found = []
    for k in range(count):
        if k % 16384 == 0:
            PyErr_CheckSignals()
        found.append(out.data()[edges[2 * k] : edges[2 * k + 1]])
    return found
