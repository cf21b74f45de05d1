# What the kernels of shared units fill, and `items` of it.

from libc.stdint cimport int64_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.text.analyzer cimport CppAnalyzer


cdef extern from "rows/items.hpp" namespace "summeval" nogil:
    cdef struct Spot:
        uint32_t text, first, last

    cdef struct Item:
        size_t names, other_names, own, theirs
        uint32_t text, other_text
        double share
        cbool opens
        int kind
        double details[4]

    cdef cppclass PlacedText:
        vector[uint32_t] begins, ends
        size_t size

    cdef struct Place:
        uint32_t text, begin, end

    void append_near(const vector[Place]&, int64_t&, vector[int64_t]&) except +
    vector[int64_t] joined(vector[Place]&) except +

    cdef cppclass Placer:
        Placer(const CppAnalyzer&) except +
        int read(const vector[View]&, cbool, vector[PlacedText]&) except +
        size_t numbers()

    cdef cppclass CppItems "summeval::Items":
        vector[PlacedText] texts
        vector[Item] all
        vector[uint32_t] names
        vector[Spot] own, theirs
        Place at(const Spot&)


cdef class Items:
    cdef CppItems cpp
    cdef tuple texts
    cdef str joiner
    cdef bint folds  # names are in lower case
    cdef tuple forms  # of the tokens of each text, where they are names

    cdef list of_tokens(self)
    cdef object name(self, list words, size_t k)
    cdef object called(self, list words, size_t text, size_t begin, size_t end, bint opens)
    cdef object word(self, list words, size_t text, size_t token)
    cdef tuple places(self, list spans, vector[Spot]& spots, size_t begin, size_t end)


# Notes the places of tokens that Python made, if a text was read.
cdef int give_places(tuple tokens, vector[PlacedText]& out) except -1
# Fills `out` with the texts; returns how many different tokens they have.
cdef size_t place(
    unique_ptr[Placer]& kept, const CppAnalyzer& analyzer, tuple texts, tuple tokens, bint lcs,
    dict messages, vector[PlacedText]& out
) except? 0
