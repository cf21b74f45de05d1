"""The tokens, their attributes and lemmas of lines, apart from the parser that uses them."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector

from summeval._core.parsing.model cimport Sections, seen


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


cdef extern from "parsing/lemmas.hpp" namespace "summeval::parsing" nogil:
    cdef cppclass LemmaRoom:
        pass

    cdef cppclass CppLemmatizer "summeval::parsing::Lemmatizer":
        CppLemmatizer(const Sections&, const vector[string]&, const vector[string]&) except +
        void lemmatize(
            const Token*, size_t, const uint8_t*, const uint8_t*, LemmaRoom&, string_view*
        ) except +


cdef str told(string_view text):
    return text.data()[:text.size()].decode("utf-8")


cdef class Tokenizer:
    """spaCy's English tokenizer.

    `sections` are those of the model; ValueError if one is damaged.
    """

    cdef unique_ptr[CppTokenizer] tables
    cdef object sections  # what the tables point to

    def __init__(self, dict sections not None):
        self.sections = dict(sections)
        self.tables.reset(new CppTokenizer(seen(self.sections)))

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


cdef class Lemmatizer:
    """The lemmas of spaCy's attribute ruler and rule lemmatizer.

    `tags` and `labels` say what the numbers of `lemmas` mean; ValueError as for `Tokenizer`, and for
    more than 64 of them.
    """

    cdef unique_ptr[CppLemmatizer] tables
    cdef object sections
    cdef size_t tags, labels

    def __init__(self, dict sections not None, list tags not None, list labels not None):
        cdef vector[string] names[2]
        self.sections = dict(sections)
        names[0] = [name.encode("utf-8") for name in tags]
        names[1] = [name.encode("utf-8") for name in labels]
        self.tags, self.labels = len(tags), len(labels)
        self.tables.reset(new CppLemmatizer(seen(self.sections), names[0], names[1]))

    def lemmas(self, Tokenizer tokenizer not None, bytes line not None, bytes tags not None,
               bytes labels not None):
        """Return the lemmas of the tokens of a line, by the numbers of their tags and labels.

        ValueError if these are not as many as the tokens, or have no name.
        """
        cdef TokenizerRoom room
        cdef LemmaRoom lemma_room
        cdef vector[Token] tokens
        cdef vector[string_view] found
        cdef const char* tag = tags
        cdef const char* label = labels
        tokenizer.read(line, room, tokens)
        if not tokens.size() == <size_t>len(tags) == <size_t>len(labels):
            raise ValueError(f"{tokens.size()} tokens have {len(tags)} tags, {len(labels)} labels")
        if max(tags, default=0) >= self.tags or max(labels, default=0) >= self.labels:
            raise ValueError("a tag or label has no name")
        with nogil:
            found.resize(tokens.size())
            self.tables.get().lemmatize(
                tokens.data(), tokens.size(), <const uint8_t*>tag, <const uint8_t*>label,
                lemma_room, found.data()
            )
        return [told(one) for one in found]
