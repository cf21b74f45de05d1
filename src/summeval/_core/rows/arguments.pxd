# The texts of a single call, as views, and the exceptions for texts that a kernel refused.
# Everything here is inline, because every call of a reward loop runs it.

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View, refusal, view_of

# This tokeniser reads bytes made from a callable's tokens; for all others a text is a str.
cdef enum:
    RAW = 2


cdef extern from "rows/units.hpp" namespace "summeval" nogil:
    int TEXT_TOO_LONG, SENTENCES_TOO_LONG, TABLE_TOO_LARGE, PAIRS_TOO_MANY, NO_MEMORY, NO_CERTIFICATE


cdef inline object failure(int status, str place, dict messages):
    """The exception for the status of a kernel at `place`; what texts are too long, all refuse."""
    if status == NO_MEMORY:
        return MemoryError(f"{place}: not enough memory; shorten the text")
    if status == TEXT_TOO_LONG and status not in messages:
        return ValueError(f"{place}: a text is longer than 1 GiB; shorten it")
    return ValueError(f"{place}: {messages[status]}")


cdef inline tuple as_tuple(object references, str name="references"):
    """The references of a single call, or the documents `name`; None is an empty list."""
    if isinstance(references, str):
        return (references,)
    if references is None:
        return ()
    if isinstance(references, (bytes, dict, set, frozenset)) or not hasattr(references, "__iter__"):
        raise TypeError(
            f"{name} is {type(references).__name__}; pass a str or a sequence of str"
        )
    return tuple(references)


cdef inline int read_text(object text, str place, View* view, bint raw) except -1:
    if not view_of(<PyObject*> text, view, raw):
        raise refusal(text, place)
    return 0


cdef inline int64_t read_references(
    tuple texts, vector[View]& views, bint raw, str name="references"
) except -1:
    """Append the views of the texts that are not None; return their size in bytes."""
    cdef View view
    cdef Py_ssize_t i
    cdef int64_t size = 0
    views.reserve(len(texts))
    for i in range(len(texts)):
        if (i & 0xFFFF) == 0xFFFF:
            PyErr_CheckSignals()
        if not view_of(<PyObject*> texts[i], &view, raw):
            raise refusal(texts[i], f"{name}[{i}]")
        if view.data != NULL:
            views.push_back(view)
            size += view.size
    return size
