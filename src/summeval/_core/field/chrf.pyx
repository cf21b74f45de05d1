"""chrF and chrF++ of rows of texts."""

from summeval._core.rows.kernel cimport SummedKernel, TextEngine


cdef extern from "field/grams/chrf.hpp" namespace "summeval" nogil:
    cdef cppclass ChrfSetup:
        int char_order, word_order
        double beta
        bint whitespace, eps
        void of_sums(const double*, double*) noexcept

    cdef cppclass ChrfEngine(TextEngine, ChrfSetup):
        pass


cdef class ChrfKernel(SummedKernel):
    """n-grams of characters and words in common; statistics: of each order those of the candidate,
    of the reference, of both.
    """

    cdef ChrfEngine* chrf

    def __cinit__(self):
        self.chrf = new ChrfEngine()
        self.engine.reset(self.chrf)

    def __init__(
        self, str name, int char_order, int word_order, double beta, bint whitespace, bint eps
    ):
        self.chrf.char_order, self.chrf.word_order = char_order, word_order
        self.chrf.beta = beta
        self.chrf.whitespace, self.chrf.eps = whitespace, eps
        self.fields = ("value", "precision", "recall")
        self.describe((name,), {}, False)

    cdef void finish_sums(self, const double* sums, double* out) noexcept nogil:
        self.chrf.of_sums(sums, out)
