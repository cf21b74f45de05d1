"""The stemmer kernel, one word or many at a time."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t
from libcpp.string cimport string


cdef extern from "text/stem.hpp" namespace "summeval" nogil:
    int STEM_ROUGE155, STEM_PORTER, STEM_PORTER_JAVA
    int32_t c_stem "summeval::stem"(int kind, const char* word, int32_t size, char* out) noexcept

_KINDS = {"rouge155": STEM_ROUGE155, "porter": STEM_PORTER, "porter-java": STEM_PORTER_JAVA}


cdef bytes _stem(int kind, bytes word, string& room):
    cdef size_t size = len(word)
    if room.size() < size + 8:
        room.resize(size + 8)
    cdef char* out = &room[0]
    size = c_stem(kind, word, <int32_t>size, out)
    return out[:size]


def stem(kind: str, bytes word not None) -> bytes:
    """The stem of a lower-case word by the variant's suffix rules alone."""
    cdef string room
    return _stem(_KINDS[kind], word, room)


def stem_all(kind: str, list words not None) -> list[bytes]:
    """The stem of each word."""
    cdef string room
    cdef int number = _KINDS[kind]
    stems = []
    for word in words:
        PyErr_CheckSignals()
        stems.append(_stem(number, word, room))
    return stems
