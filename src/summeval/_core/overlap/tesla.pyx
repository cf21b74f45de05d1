"""TESLA-S over rows of texts, or of tagged texts in the form of the analyzer's "split"."""

from libcpp cimport bool as cbool
from libcpp.limits cimport numeric_limits
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from summeval._core.rows.items cimport CppItems, Items, Placer, place
from summeval._core.rows.arguments cimport PAIRS_TOO_MANY, RAW
from summeval._core.rows.kernel cimport TextEngine, TextKernel
from summeval._core.rows.record cimport Score, new_score
from summeval._core.text.analyzer cimport Analyzer, CppAnalyzer


cdef extern from "overlap/tesla.hpp" namespace "summeval" nogil:
    cdef cppclass ClassWeights:
        double& operator[](size_t)

    cdef struct TeslaPlan:
        int gap
        cbool cross_sentences
        ClassWeights word, pair

    cdef struct TeslaScoring:
        int aggregate
        double recall_weight

    cdef cppclass TeslaEngine(TextEngine):
        CppAnalyzer analyzer
        TeslaPlan plan
        TeslaScoring scoring


cdef extern from "overlap/items/tesla_items.hpp" namespace "summeval" nogil:
    cdef struct BagPart:
        size_t reference
        double share

    cdef cppclass TeslaItems:
        CppItems found
        void tell(cbool, const TeslaPlan&, size_t, const vector[BagPart]&, size_t) except +


cdef extern from "<utility>" namespace "std" nogil:
    void swap(CppItems&, CppItems&)


AGGREGATES = {"max": 0, "max-per-bag": 1, "average": 2}
cdef tuple FIELDS = ("precision", "recall", "fmeasure", "parts")
cdef tuple PARTS = ("unigram", "skip")
cdef tuple PART_FIELDS = ("S", "precision", "recall", "fmeasure")
cdef dict MESSAGES = {
    PAIRS_TOO_MANY: (
        "too many skip-bigrams; set a smaller gap, or shorten the text (2^27 are taken, which 16,000 "
        "tokens have without a gap, and of references 2^24 different ones)"
    ),
}


cdef enum:
    HOLD_GIL_PAIRS = 4096


cdef enum:
    WIDTH = 3  # numbers of a row; a single pair also has those of each bag
    BAG = 4


cdef Score part(const double* bag):
    return new_score(PART_FIELDS, (bag[0], bag[1], bag[2], bag[3]), 3)


cdef class TeslaKernel(TextKernel):
    """One TESLA-S, ready to score.

    Parameters
    ----------
    analyzer : Analyzer
        It must flag function words.
    gap : int
        Tokens allowed between the two of a skip-bigram; -1 for any number.
    cross_sentences : bool
        Whether the tokens of a skip-bigram may be on two lines.
    word_weights : (float, float)
        For a content word, for a function word.
    pair_weights : (float, float, float)
        For a skip-bigram with no, one and two function words.
    aggregate : {"max", "max-per-bag", "average"}
    recall_weight : float
        The weight w of F = P R / (w P + (1 - w) R).
    """

    cdef TeslaEngine* tesla
    cdef unique_ptr[Placer] placer  # while no thread uses it

    def __cinit__(self):
        self.tesla = new TeslaEngine()
        self.engine.reset(self.tesla)

    def __init__(
        self, Analyzer analyzer, str name, int gap, cbool cross_sentences, tuple word_weights,
        tuple pair_weights, str aggregate, double recall_weight
    ):
        cdef size_t i
        self.describe((name,), MESSAGES, analyzer.cpp.tokenizer == RAW)
        if not 0 <= gap <= 16:  # so many pairs of tokens that even shorter texts take long
            self.hold_gil = HOLD_GIL_PAIRS
        self.tesla.analyzer = analyzer.cpp
        self.tesla.plan.gap = gap
        self.tesla.plan.cross_sentences = cross_sentences
        for i in range(2):
            self.tesla.plan.word[i] = word_weights[i]
        for i in range(3):
            self.tesla.plan.pair[i] = pair_weights[i]
        self.tesla.scoring.aggregate = AGGREGATES[aggregate]
        self.tesla.scoring.recall_weight = recall_weight

    cdef dict collect(self, const vector[double]& values):
        cdef double missing[2 * BAG]
        cdef const double* bags = missing
        cdef size_t i
        for i in range(<size_t> (2 * BAG)):
            missing[i] = numeric_limits[double].quiet_NaN()
        if values.size() > WIDTH:
            bags = values.data() + WIDTH
        parts = new_score(PARTS, (part(bags), part(bags + BAG)), 0)
        return {
            self.names[0]: new_score(FIELDS, (values[0], values[1], values[2], parts), 2)
        }

    def items(self, tuple texts, tuple parts, size_t most, tuple tokens=(), tuple read=None) -> Items:
        """What the score of the first text beside the others comes from: the units of both bags.

        Parameters
        ----------
        texts : tuple of str
        parts : tuple of dict
            Of each bag the references that count, by their numbers from 0, and what F adds to the
            value with each of them.
        most : int
            More different skip-bigrams are told by their first words.
        tokens : tuple of (bytes, sequence of int, sequence of int), optional
            As for `RougeKernel.items`.
        read : tuple of str, optional
            The texts in the case in which the kernel reads them, of the same lengths.
        """
        cdef TeslaItems made
        cdef vector[BagPart] chosen
        cdef Items explained = Items.__new__(Items)
        cdef cbool pairs
        cdef size_t words
        words = place(
            self.placer, self.tesla.analyzer, texts if read is None else read, tokens, False, MESSAGES, made.found.texts
        )
        for pairs, counted in enumerate(parts):
            chosen.clear()
            for number, share in counted.items():
                chosen.push_back(BagPart(number + 1, share))
            with nogil:
                made.tell(pairs, self.tesla.plan, words, chosen, most)
        explained.joiner, explained.texts = " … ", texts
        swap(explained.cpp, made.found)
        return explained
