"""The copy model of `support` over rows of summaries and the documents of their sources."""

from libc.stdint cimport uint8_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.rows.arguments cimport as_tuple, failure, read_references, read_text
from summeval._core.rows.kernel cimport TextEngine, TextKernel
from summeval._core.rows.record cimport new_score
from summeval._core.text.analyzer cimport Analyzer, CppAnalyzer


cdef extern from "support/support_rows.hpp" namespace "summeval" nogil:
    enum: FUNCTION "summeval::FUNCTION"
    enum: NUMBER "summeval::NUMBER"
    enum: OPENS "summeval::OPENS"
    enum: CAPITAL "summeval::CAPITAL"
    const double FUNCTION_SHARE "summeval::copying::FUNCTION_SHARE"
    const double CONTENT_SHARE "summeval::copying::CONTENT_SHARE"

    cdef cppclass SentenceWords:
        unordered_set[string] never_last, before_number, maybe_last, starters

    cdef cppclass SupportSetup:
        CppAnalyzer analyzer
        SentenceWords sentence_words
        unordered_set[string] turning
        cbool by_rules

    cdef cppclass SupportEngine(TextEngine, SupportSetup):
        pass

    cdef struct Place "summeval::SupportWords::Place":
        uint32_t begin, end, flags

    cdef cppclass SupportWords:
        vector[Place] places
        vector[uint32_t] text_ends
        size_t size

    cdef cppclass CopySource:
        uint32_t word(size_t)

    cdef cppclass CopyModel:
        const vector[double]& probabilities()
        const vector[uint32_t]& origins()

    cdef cppclass SupportSpace:
        SupportSpace(const SupportSetup&) except +
        CopySource references
        int build(const View*, size_t, const SupportSetup&, CopySource&) except +
        int score(View, const CopySource&, const SupportSetup&, double*) except +
        const SupportWords& words(View) except +
        const SupportWords& source_words()
        const CopyModel& model()


FIELDS = ("explained", "weakest", "one_sentence", "two_sentences", "copied_pairs")
cdef tuple NAMES = (*FIELDS, "parts")
cdef tuple PARTS = ("names", "numbers")
cdef enum:
    WIDTH = 5


cdef list places(const SupportWords& words):
    """Of each word: text, first byte, byte after the last, flags."""
    cdef size_t k, text = 0
    found = []
    for k in range(words.size):
        while words.text_ends[text] <= k:
            text += 1
        found.append((text, words.places[k].begin, words.places[k].end, words.places[k].flags))
    return found


cdef class SupportKernel(TextKernel):
    """The copy model with one set of options, ready to score.

    Parameters
    ----------
    analyzer : Analyzer
        Its stemmer with its exceptions, and its function words; texts are always read by the
        words of `support`.
    sentence_words : (set of bytes, set of bytes, set of bytes, set of bytes)
        What the rules for sentences know: abbreviations that no sentence ends with, those before a
        number, those that may end one, and words that begin sentences.
    by_rules : bool
        Whether sentences end by rules, too, not by newlines alone.
    turning : set of bytes
        Stems of words that turn what is said, such as "not".
    """

    cdef SupportEngine* support

    def __cinit__(self):
        self.support = new SupportEngine()
        self.engine.reset(self.support)

    def __init__(self, Analyzer analyzer, str name, tuple sentence_words, cbool by_rules,
                 set turning):
        self.describe((name,), {}, False, "source")
        self.support.analyzer = analyzer.cpp
        self.support.sentence_words.never_last = sentence_words[0]
        self.support.sentence_words.before_number = sentence_words[1]
        self.support.sentence_words.maybe_last = sentence_words[2]
        self.support.sentence_words.starters = sentence_words[3]
        self.support.by_rules = by_rules
        self.support.turning = turning

    cdef dict collect(self, const vector[double]& values):
        cdef size_t i = WIDTH, j, size
        cdef cbool number
        cdef list found = [{}, {}]
        while i < values.size():
            number = values[i] != 0
            size = <size_t> values[i + 1]
            text = bytes([<uint8_t> values[i + 2 + j] for j in range(size)]).decode()
            found[number][text] = None
            i += 2 + size
        parts = new_score(PARTS, (tuple(found[0]), tuple(found[1])), 0)
        record = (values[0], values[1], values[2], values[3], values[4], parts)
        return {self.names[0]: new_score(NAMES, record, 0)}

    def words(self, text not None) -> list:
        """The words of a text: (first byte, byte after the last, is a function word, is a number,
        opens a sentence, begins with a capital)."""
        cdef unique_ptr[SupportSpace] space
        cdef View view
        read_text(text, "text", &view, False)
        space.reset(new SupportSpace(self.support[0]))
        return [
            (begin, end, *((flags & flag) != 0 for flag in (FUNCTION, NUMBER, OPENS, CAPITAL)))
            for _, begin, end, flags in places(space.get().words(view))
        ]

    def trace(self, candidate not None, source) -> list:
        """Of each word of a candidate: its first byte and the byte after its last, its probability
        and that in any text, and the document, the first byte and the byte after the last of the
        word of the source that it was most probably copied from; None if it is new."""
        cdef unique_ptr[SupportSpace] held_space
        cdef SupportSpace* space
        cdef View view
        cdef vector[View] views
        cdef double numbers[WIDTH]
        cdef int status
        cdef size_t k
        held = as_tuple(source, "source")
        read_text(candidate, "candidate", &view, False)
        read_references(held, views, False, "source")
        held_space.reset(new SupportSpace(self.support[0]))
        space = held_space.get()
        with nogil:
            status = space.build(views.data(), views.size(), self.support[0], space.references)
            if status == 0:
                status = space.score(view, space.references, self.support[0], numbers)
        if status:
            raise failure(status, "candidate or source", {})
        theirs = places(space.source_words())
        mine = places(space.words(view))
        told = []
        for k in range(<size_t> len(mine)):
            origin = None
            if space.model().origins()[k]:
                origin = theirs[space.references.word(space.model().origins()[k])][:3]
            share = FUNCTION_SHARE if mine[k][3] & FUNCTION else CONTENT_SHARE
            told.append((*mine[k][1:3], space.model().probabilities()[k], share, origin))
        return told
