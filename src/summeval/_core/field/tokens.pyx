"""The tokens of other packages, by the names of their tokenizers."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint32_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from summeval._core.text.views cimport View


cdef extern from "field/tokenizers/tokenizers.hpp" namespace "summeval" nogil:
    const char* c_version "summeval::categories::VERSION"
    const char* c_words_version "summeval::word_breaks::VERSION"

    cdef cppclass FieldTokens:
        size_t size
        void read(int, View) except +
        View token(size_t)

UNICODE_VERSION = c_version.decode("ascii")
WORDS_VERSION = c_words_version.decode("ascii")  # of "uax29"
# "marked": tokens that Python made, each with the byte 0xFF behind it.
TOKENIZERS = {
    "marked": 0, "whitespace": 1, "none": 1, "char": 2, "13a": 3, "zh": 4, "intl": 5, "uax29": 7
}


# The words of jiwer; those of tercom, and of it normalized, bare and Asian.
JIWER, TERCOM, NORMALIZED, BARE, ASIAN = 6, 16, 1, 2, 4


def tokens(bytes text not None, int kind) -> list[bytes]:
    """The tokens of a UTF-8 text, as bytes; `kind` is one of these numbers."""
    cdef FieldTokens found
    cdef View view = View(<const char*> text, len(text))
    cdef size_t k
    with nogil:
        found.read(kind, view)
    made = []
    for k in range(found.size):
        if k % 16384 == 0:
            PyErr_CheckSignals()
        view = found.token(k)
        made.append(view.data[:view.size])
    return made
