"""What summaries copy of the documents of their sources, stretch by stretch, over rows of texts."""

from libc.stdint cimport uint32_t
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.rows.arguments cimport RAW, as_tuple, failure, read_references, read_text
from summeval._core.rows.kernel cimport TextEngine, TextKernel
from summeval._core.text.analyzer cimport Analyzer, CppAnalyzer


cdef extern from "fragments/fragment_rows.hpp" namespace "summeval" nogil:
    cdef struct Fragment:
        uint32_t begin, place, size

    cdef cppclass FragmentSetup:
        CppAnalyzer analyzer

    cdef cppclass FragmentEngine(TextEngine, FragmentSetup):
        pass

    cdef cppclass FragmentSource:
        void locate(uint32_t, size_t&, size_t&)

    int find_fragments(
        const FragmentSetup&, View, const vector[View]&, FragmentSource&, vector[Fragment]&
    ) except +


FIELDS = (
    "coverage", "density", "compression", "novel1", "novel2", "novel3", "repetition", "length_ratio"
)


cdef class FragmentKernel(TextKernel):
    """The fragments of texts with one set of options, ready to score."""

    cdef FragmentEngine* fragments

    def __cinit__(self):
        self.fragments = new FragmentEngine()
        self.engine.reset(self.fragments)

    def __init__(self, Analyzer analyzer, str name):
        self.fields = FIELDS
        self.describe((name,), {}, analyzer.cpp.tokenizer == RAW, "source")
        self.fragments.analyzer = analyzer.cpp

    def find(self, candidate not None, source) -> list:
        """The fragments of a candidate: (first word, number of words, document, first word there).

        Of the longest matches of a fragment it is the first one. Words are numbered from 0.
        """
        cdef FragmentSource documents
        cdef View view
        cdef vector[View] views
        cdef vector[Fragment] found
        cdef int status
        cdef size_t k, document = 0, word = 0
        cdef bint raw = self.raw
        held = as_tuple(source, "source")
        read_text(candidate, "candidate", &view, raw)
        read_references(held, views, raw, "source")
        with nogil:
            status = find_fragments(self.fragments[0], view, views, documents, found)
        if status:
            raise failure(status, "candidate or source", {})
        listed = []
        for k in range(found.size()):
            documents.locate(found[k].place, document, word)
            listed.append((found[k].begin, found[k].size, document, word))
        return listed
