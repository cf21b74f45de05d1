"""The tokens, their attributes and lemmas of lines, apart from the parser that uses them."""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view(const char*, size_t)
        const char* data()
        size_t size()


cdef extern from "parsing/model.hpp" namespace "summeval::parsing" nogil:
    cdef struct Section:
        const unsigned char* data
        size_t size

    cdef cppclass Sections:
        Section& operator[](const string&)


cdef extern from "parsing/token.hpp" namespace "summeval::parsing" nogil:
    cdef struct Token:
        string_view form, norm
        uint32_t start, end
        cbool blank_follows, is_space

    cdef struct TokenIds:
        uint64_t norm, prefix, suffix, shape


cdef extern from "parsing/tokenizer.hpp" namespace "summeval::parsing" nogil:
    cdef cppclass TokenizerRoom:
        pass

    cdef cppclass CppTokenizer "summeval::parsing::Tokenizer":
        CppTokenizer(const Sections&) except +
        void tokenize(string_view, TokenizerRoom&, vector[Token]&) except +
        TokenIds ids(const Token&)


cdef str told(string_view text):
    return text.data()[:text.size()].decode("utf-8")


cdef class Tokenizer:
    """spaCy's English tokenizer.

    `sections` are those of the model; ValueError if one is damaged.
    """

    cdef unique_ptr[CppTokenizer] tables
    cdef object sections  # what the tables point to

    def __init__(self, dict sections not None):
        cdef Sections all
        cdef bytes data
        self.sections = dict(sections)
        for name, data in self.sections.items():
            all[name.encode("ascii")] = Section(data, len(data))
        self.tables.reset(new CppTokenizer(all))

    cdef int read(self, bytes line, TokenizerRoom& room, vector[Token]& tokens) except -1:
        cdef const char* text = line
        cdef size_t size = len(line)
        with nogil:
            self.tables.get().tokenize(string_view(text, size), room, tokens)
        return 0

    def tokens(self, bytes line not None):
        """Return for each token of a line, which is one document: form, norm, first character, end,
        whether a blank follows, whether it is white space."""
        cdef TokenizerRoom room
        cdef vector[Token] tokens
        self.read(line, room, tokens)
        return [
            (told(one.form), told(one.norm), one.start, one.end, one.blank_follows, one.is_space)
            for one in tokens
        ]

    def ids(self, bytes line not None):
        """Return spaCy's numbers of norm, prefix, suffix and shape for each token."""
        cdef TokenizerRoom room
        cdef vector[Token] tokens
        cdef vector[TokenIds] found
        cdef size_t k
        self.read(line, room, tokens)
        with nogil:
            for k in range(tokens.size()):
                found.push_back(self.tables.get().ids(tokens[k]))
        return [(one.norm, one.prefix, one.suffix, one.shape) for one in found]
