"""What summaries copy of the documents of their sources, stretch by stretch, over rows of texts."""

from libc.stdint cimport uint32_t
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.rows.arguments cimport (
    RAW, TEXT_TOO_LONG, as_tuple, failure, read_references, read_text
)
from summeval._core.rows.kernel cimport TextEngine, TextKernel
from summeval._core.rows.record cimport new_score
from summeval._core.text.analyzer cimport Analyzer, CppAnalyzer


cdef extern from "fragments/fragment_rows.hpp" namespace "summeval" nogil:
    cdef struct Fragment:
        uint32_t begin
        uint32_t place
        uint32_t size

    cdef cppclass FragmentSetup:
        CppAnalyzer analyzer

    cdef cppclass FragmentEngine(TextEngine, FragmentSetup):
        pass

    cdef cppclass FragmentSource:
        void locate(uint32_t, size_t&, size_t&)

    cdef cppclass FragmentSpace:
        FragmentSpace(const FragmentSetup&) except +
        FragmentSource references
        int build(const View*, size_t, const FragmentSetup&, FragmentSource&) except +
        int find(View, const FragmentSource&, vector[Fragment]&) except +


FIELDS = (
    "coverage", "density", "compression", "novel1", "novel2", "novel3", "repetition", "length_ratio"
)
cdef dict MESSAGES = {TEXT_TOO_LONG: "a text is longer than 1 GiB; shorten it"}


cdef class FragmentKernel(TextKernel):
    """The fragments of texts with one set of options, ready to score.

    Parameters
    ----------
    analyzer : Analyzer
    name : str
        The key of the Score in what `score_pair` returns.
    """

    cdef FragmentEngine* fragments

    def __cinit__(self):
        self.fragments = new FragmentEngine()
        self.engine.reset(self.fragments)

    def __init__(self, Analyzer analyzer, str name):
        self.describe((name,), MESSAGES, analyzer.cpp.tokenizer == RAW, "source")
        self.fragments.analyzer = analyzer.cpp

    cdef dict collect(self, const vector[double]& values):
        record = tuple([values[k] for k in range(<size_t> len(FIELDS))])
        return {self.names[0]: new_score(FIELDS, record, 0)}

    def find(self, candidate not None, source) -> list:
        """The fragments of a candidate: (first word, number of words, document, first word there).

        Of the longest matches of a fragment it is the first one. Words are numbered from 0.
        """
        cdef FragmentSpace* space
        cdef View view
        cdef vector[View] views
        cdef vector[Fragment] found
        cdef int status
        cdef size_t k, document = 0, word = 0
        cdef bint raw = self.raw
        held = as_tuple(source, "source")
        read_text(candidate, "candidate", &view, raw)
        read_references(held, views, raw, "source")
        space = new FragmentSpace(self.fragments[0])
        try:
            with nogil:
                status = space.build(
                    views.data(), views.size(), self.fragments[0], space.references
                )
                if status == 0:
                    status = space.find(view, space.references, found)
            if status:
                raise failure(status, "candidate or source", MESSAGES)
            listed = []
            for k in range(found.size()):
                space.references.locate(found[k].place, document, word)
                listed.append((found[k].begin, found[k].size, document, word))
            return listed
        finally:
            del space
