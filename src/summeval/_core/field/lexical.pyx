"""Lexical diversity of the words of a text; the definition is tests/definitions/field/lexical.py."""

from libc.stdint cimport uint32_t


cdef extern from "field/lexical.hpp" namespace "summeval" nogil:
    cdef cppclass LexicalReader:
        void read(const uint32_t*, size_t, size_t, double*) except +

    const size_t FIELD_COUNT "summeval::LexicalReader::FIELDS"

FIELDS = (
    "tokens", "types", "ttr", "rttr", "cttr", "herdan", "summer", "dugast", "maas", "yule_k",
    "yule_i", "simpson_d", "mtld", "hdd", "mattr", "msttr",
)


def measures(list words not None, Py_ssize_t window):
    """tuple of float: the FIELDS of words; `window`, at least 1, is that of `mattr` and `msttr`."""
    cdef double[16] out
    cdef LexicalReader reader
    cdef Py_ssize_t size = len(words), k
    cdef dict numbers = {}
    if window < 1 or FIELD_COUNT != 16:
        raise ValueError(f"the window has {window} words; give at least 1")
    import numpy as np

    cdef uint32_t[::1] ids = np.empty(max(size, 1), dtype=np.uint32)
    for k in range(size):
        ids[k] = numbers.setdefault(words[k], len(numbers))
    with nogil:
        reader.read(&ids[0], size, window, out)
    return tuple([out[k] for k in range(16)])
