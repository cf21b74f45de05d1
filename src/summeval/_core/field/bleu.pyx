"""BLEU and GLEU of rows of texts."""

from summeval._core.field.tokens import TOKENIZERS as _TOKENIZERS
from summeval._core.rows.kernel cimport SummedKernel, TextEngine


cdef extern from "field/grams/bleu.hpp" namespace "summeval" nogil:
    cdef cppclass BleuSetup:
        int tokenizer, least_order, max_order, smoothing
        double smoothing_value
        bint gleu, effective_order
        void of_sums(const double*, double*) noexcept

    cdef cppclass BleuEngine(TextEngine, BleuSetup):
        pass

SMOOTHINGS = {"none": 0, "floor": 1, "add-k": 2, "exp": 3}


cdef class BleuKernel(SummedKernel):
    """n-grams in common; statistics of BLEU: both lengths, for each order the n-grams in common,
    for each order those of the candidate; of GLEU: those in common, the greater number of n-grams.
    `tokenizer` is one of `TOKENIZERS`, `smoothing` of `SMOOTHINGS`.
    """

    cdef BleuEngine* bleu

    def __cinit__(self):
        self.bleu = new BleuEngine()
        self.engine.reset(self.bleu)

    def __init__(
        self, str name, tuple fields, str tokenizer, int least_order, int max_order,
        bint gleu=False, str smoothing="none", double smoothing_value=0.0,
        bint effective_order=False
    ):
        self.bleu.tokenizer = _TOKENIZERS[tokenizer]
        self.bleu.least_order, self.bleu.max_order = least_order, max_order
        self.bleu.gleu = gleu
        self.bleu.smoothing = SMOOTHINGS[smoothing]
        self.bleu.smoothing_value = smoothing_value
        self.bleu.effective_order = effective_order
        self.fields = fields
        self.describe((name,), {}, tokenizer == "marked")

    cdef void finish_sums(self, const double* sums, double* out) noexcept nogil:
        self.bleu.of_sums(sums, out)
