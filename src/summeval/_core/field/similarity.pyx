"""Similarities of strings by edits, over rows of texts."""

from summeval._core.rows.arguments cimport TABLE_TOO_LARGE
from summeval._core.rows.kernel cimport TextEngine, TextKernel


cdef extern from "field/edits/similarity.hpp" namespace "summeval" nogil:
    cdef cppclass SimilarityEngine(TextEngine):
        pass


FIELDS = (
    "value", "indel", "damerau", "osa", "lcs", "jaro", "jaro_winkler", "token_sort", "token_set"
)
cdef enum:
    HOLD_GIL = 512  # bytes; the time grows with their square
cdef dict MESSAGES = {
    TABLE_TOO_LARGE: "texts differ over more than 2**32 pairs of characters, 65,536 each; "
    "cut them into parts",
}


cdef class SimilarityKernel(TextKernel):
    """Similarities of strings; of several references each has the highest of them."""

    def __cinit__(self):
        self.engine.reset(new SimilarityEngine())

    def __init__(self, str name):
        self.fields = FIELDS
        self.describe((name,), MESSAGES, False, "references", HOLD_GIL)
