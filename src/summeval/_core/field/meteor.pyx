"""METEOR of rows of texts."""

from libc.stdint cimport UINT32_MAX, uint8_t, uint32_t
from libcpp.vector cimport vector

from summeval._core.field.tokens import TOKENIZERS as _TOKENIZERS
from summeval._core.rows.kernel cimport TextEngine, TextKernel


cdef extern from "field/meteor.hpp" namespace "summeval" nogil:
    cdef cppclass WordNet:
        uint32_t most_senses
        void open(const unsigned char*)

    cdef cppclass MeteorSetup:
        int tokenizer
        double alpha, beta, gamma
        bint synonyms, tells
        WordNet net

    cdef cppclass MeteorEngine(TextEngine, MeteorSetup):
        pass

FIELDS = ("value", "precision", "recall", "fragmentation")


cdef class MeteorKernel(TextKernel):
    """Words aligned to those of the best reference.

    Parameters
    ----------
    tokenizer : str
        One of `TOKENIZERS`; texts are compared as they are, so in lower case.
    wordnet : bytes-like or None
        The table of `summeval.elements.resources`, checked; None compares words and stems alone.
    alpha, beta, gamma : float
    tells : bool
        Whether `score_pair` also gives "alignment": the number of the reference, and a list of
        (word, word of the reference, stage).
    """

    cdef MeteorEngine* meteor
    cdef const uint8_t[::1] table

    def __cinit__(self):
        self.meteor = new MeteorEngine()
        self.engine.reset(self.meteor)

    def __init__(
        self, str name, str tokenizer, wordnet, double alpha, double beta, double gamma,
        bint tells=False
    ):
        self.meteor.tokenizer = _TOKENIZERS[tokenizer]
        self.meteor.alpha, self.meteor.beta, self.meteor.gamma = alpha, beta, gamma
        self.meteor.tells = tells
        if wordnet is not None:
            self.table = wordnet
            self.meteor.net.open(&self.table[0])
            self.meteor.net.most_senses = UINT32_MAX
            self.meteor.synonyms = True
        self.fields = FIELDS
        self.describe((name,), {}, tokenizer == "marked")

    cdef dict collect(self, const vector[double]& values):
        cdef size_t k, width = <size_t> len(FIELDS)
        found = TextKernel.collect(self, values)
        if self.meteor.tells and values.size() > width:
            matches = [
                (int(values[k]), int(values[k + 1]), int(values[k + 2]))
                for k in range(width + 1, values.size(), 3)
            ]
            found["alignment"] = int(values[width]), matches
        return found
