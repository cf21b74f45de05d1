"""Error rates of words and characters of rows of texts."""

from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.rows.arguments cimport TABLE_TOO_LARGE, failure, read_text
from summeval._core.rows.kernel cimport SummedKernel, TextEngine

from summeval._core.field.tokens import JIWER as _JIWER, TOKENIZERS as _TOKENIZERS


cdef extern from "field/edits/wer.hpp" namespace "summeval" nogil:
    cdef cppclass WerSetup:
        int units
        void of_sums(const double*, double*) noexcept

    cdef cppclass WerEngine(TextEngine, WerSetup):
        pass

    int align_units(const WerSetup&, View, View, vector[char]&) except +


# Beside the tokenizers of other packages.
UNITS = _TOKENIZERS | {"whitespace": _JIWER, "characters": 32, "inner": 33}
cdef enum:
    HOLD_GIL = 2048  # bytes; the time grows with their square
cdef dict MESSAGES = {
    TABLE_TOO_LARGE: "texts differ over more than 2**36 pairs of units, about 262,000 each; "
    "cut them into parts",
}


cdef class WerKernel(SummedKernel):
    """Errors of one alignment; statistics: hits, substitutions, insertions, deletions.

    `units` is one of `UNITS`: tokens, characters, or those between the blanks at both ends.
    """

    cdef WerEngine* wer

    def __cinit__(self):
        self.wer = new WerEngine()
        self.engine.reset(self.wer)

    def __init__(self, str name, str units):
        self.wer.units = UNITS[units]
        self.fields = (
            "value", "mer", "wil", "wip", "hits", "substitutions", "insertions", "deletions"
        )
        self.describe((name,), MESSAGES, units == "marked", "references", HOLD_GIL)

    cdef void finish_sums(self, const double* sums, double* out) noexcept nogil:
        self.wer.of_sums(sums, out)

    def align(self, candidate not None, reference not None) -> str:
        """The steps of the alignment: `=` and `s` of a unit of both, `i` and `d` of one alone."""
        cdef View own, other
        cdef vector[char] steps
        cdef int status
        read_text(candidate, "candidate", &own, self.raw)
        read_text(reference, "reference", &other, self.raw)
        with nogil:
            status = align_units(self.wer[0], own, other, steps)
        if status:
            raise failure(status, "candidate or reference", MESSAGES)
        return (<bytes> steps.data()[:steps.size()]).decode("ascii")[::-1]
