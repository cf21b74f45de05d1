"""Similarities of strings by edits, over rows of texts."""

from libcpp.vector cimport vector

from summeval._core.rows.arguments cimport TABLE_TOO_LARGE, TEXT_TOO_LONG
from summeval._core.rows.kernel cimport TextEngine, TextKernel
from summeval._core.rows.record cimport new_score


cdef extern from "field/edits/similarity.hpp" namespace "summeval" nogil:
    cdef cppclass SimilarityEngine(TextEngine):
        pass


FIELDS = (
    "value", "indel", "damerau", "osa", "lcs", "jaro", "jaro_winkler", "token_sort", "token_set"
)
cdef enum:
    HOLD_GIL = 512  # bytes; the time grows with their square
cdef dict MESSAGES = {
    TEXT_TOO_LONG: "a text is longer than 1 GiB; shorten it",
    TABLE_TOO_LARGE: "texts differ over more than 2**32 pairs of characters, 65,536 each; "
    "cut them into parts",
}


cdef class SimilarityKernel(TextKernel):
    """Similarities of strings; of several references each has the highest of them.

    Parameters
    ----------
    name : str
        The key of the Score in what `score_pair` returns.
    """

    def __cinit__(self):
        self.engine.reset(new SimilarityEngine())

    def __init__(self, str name):
        self.describe((name,), MESSAGES, False, "references", HOLD_GIL)

    cdef dict collect(self, const vector[double]& values):
        record = tuple([values[k] for k in range(<size_t> len(FIELDS))])
        return {self.names[0]: new_score(FIELDS, record, 0)}
