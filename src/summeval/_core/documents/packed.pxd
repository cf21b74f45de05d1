"""The view of a packed document, for the kernels that read one."""

from libc.stdint cimport int32_t, uint32_t
from libcpp cimport bool as cbool


cdef extern from "documents/packed.hpp" namespace "summeval" nogil:
    cdef cppclass DocumentView:
        const uint32_t* sentence_starts
        const uint32_t* sentence_trees
        const uint32_t* form
        const uint32_t* tag
        const uint32_t* lemma
        const uint32_t* label
        const int32_t* head
        const int32_t* start
        const int32_t* end
        const uint32_t* entity_label
        const uint32_t* entity_first
        const uint32_t* entity_last
        const uint32_t* string_offsets
        const char* strings
        uint32_t tokens, sentences, entities, string_count
        cbool ascii

    cbool view_document(const unsigned char* data, size_t size, DocumentView& out) except +


cdef int view(bytes block, DocumentView* out) except -1
