"""The compiled parser: texts in, packed documents out, on threads without the GIL."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.deque cimport deque
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector

from summeval._core.parsing.model cimport Sections, seen
from summeval._core.rows.parallel cimport FirstFailure, Pool


cdef extern from "parsing/networks/networks.hpp" namespace "summeval::parsing" nogil:
    cdef struct Kernels:
        const char* name

    vector[const Kernels*] runnable()

    cdef struct Word:
        uint64_t norm, prefix, suffix, shape, flags

    cdef struct Lines:
        const Word* words
        const uint32_t* ends
        size_t count

    cdef struct EntitySpan:
        uint32_t first, last, label

    cdef struct Analysis:
        vector[uint8_t] tags, labels, starts
        vector[int32_t] heads
        vector[EntitySpan] entities

    cdef cppclass NetworksRoom:
        pass

    cdef cppclass Networks:
        Networks(const Sections&) except +
        vector[string] tags()
        vector[string] labels()
        vector[string] entity_labels()
        void analyse(const Lines&, cbool, const Kernels&, NetworksRoom&, Analysis&) except +


cdef extern from "parsing/documents.hpp" namespace "summeval::parsing" nogil:
    int DOCUMENT_TOO_LONG

    cdef cppclass GivenLine:
        string_view text
        int32_t offset
        const int32_t* starts
        const int32_t* ends

    cdef cppclass GivenText:
        size_t first, end, characters

    cdef struct Wanted:
        cbool entities, lemmas

    cdef cppclass DocumentRoom:
        pass

    cdef cppclass DocumentParser:
        DocumentParser(const Sections&) except +
        void parse(
            const vector[GivenLine]&, const vector[GivenText]&, Wanted, const Kernels&, int,
            Pool[DocumentRoom]&, vector[string]&, FirstFailure&,
        ) except +


def instruction_sets():
    """The instruction sets that the networks have code for and this machine can run, best first."""
    return [kernels.name.decode() for kernels in runnable()]


cdef const Kernels* _kernels(str name) except NULL:
    cdef const Kernels* kernels
    for kernels in runnable():
        if name is None or kernels.name.decode() == name:
            return kernels
    raise ValueError(f"this machine cannot run {name!r}; it runs {', '.join(instruction_sets())}")


cdef class Parser:
    """The parser of a model.

    Parameters
    ----------
    sections : dict of str and bytes
        As `summeval.annotate.compiled` reads them.
    instructions : str, optional
        One of `instruction_sets`; the documents do not depend on it.

    Raises
    ------
    ValueError
        The model is damaged.
    """

    cdef unique_ptr[DocumentParser] parser
    cdef Pool[DocumentRoom] pool
    cdef const Kernels* kernels
    cdef dict sections  # what the tables point to

    def __init__(self, dict sections not None, str instructions=None):
        self.kernels = _kernels(instructions)
        self.sections = dict(sections)
        try:
            self.parser.reset(new DocumentParser(seen(self.sections)))
        except ValueError as error:
            raise ValueError(f"the parser's model is damaged: {error}") from None

    def parse(self, texts, bint entities=True, bint lemmas=True, int workers=1):
        """The packed documents of texts.

        A text is a sequence of (offset, line); a line has the attributes of
        `summeval.annotate.clean.Cleaned`, and is not empty.
        """
        cdef vector[GivenLine] lines
        cdef vector[GivenText] given
        cdef deque[vector[int32_t]] spans
        cdef GivenLine line
        cdef GivenText one
        cdef Wanted wanted = Wanted(entities, lemmas)
        cdef vector[string] blocks
        cdef FirstFailure failed
        cdef Py_ssize_t size
        cdef const char* data
        cdef object text, cleaned
        cdef str written
        for text in texts:
            one.first = lines.size()
            one.characters = 0
            for offset, cleaned in text:
                written = cleaned.text
                data = PyUnicode_AsUTF8AndSize(written, &size)
                line.text = string_view(data, size)
                line.offset = offset
                line.starts = line.ends = NULL
                if cleaned.starts is not None:
                    spans.push_back(<vector[int32_t]>cleaned.starts)
                    line.starts = spans.back().data()
                    spans.push_back(<vector[int32_t]>cleaned.ends)
                    line.ends = spans.back().data()
                lines.push_back(line)
                one.characters += size
            one.end = lines.size()
            given.push_back(one)
        with nogil:
            self.parser.get().parse(
                lines, given, wanted, self.kernels[0], workers, self.pool, blocks, failed
            )
        if failed.any():
            if failed.status() != DOCUMENT_TOO_LONG:
                raise MemoryError("not enough memory to parse the texts; pass fewer at a time")
            raise ValueError(
                f"texts[{failed.row()}] is too long to parse; split it into several texts"
            )
        return [block for block in blocks]


cdef class WordParser:
    """The networks of a model alone, for words that are given by the numbers of their attributes."""

    cdef unique_ptr[Networks] networks
    cdef const Kernels* kernels
    cdef dict sections  # what the tables point to

    def __init__(self, dict sections not None, str instructions=None):
        self.kernels = _kernels(instructions)
        self.sections = dict(sections)
        self.networks.reset(new Networks(seen(self.sections)))

    def parse(self, const uint64_t[:, ::1] words, const uint32_t[::1] ends, bint entities=True):
        """Tags, heads, labels, marks of sentence starts, and entities.

        `words` are [words, 5]: norm, prefix, suffix, shape, and 1 if a blank follows + 2 for white
        space; `ends` the number of words up to the end of each line. An entity is its first and
        last word and its label. Heads are positions in the line.
        """
        cdef Lines lines
        cdef Analysis found
        cdef NetworksRoom room
        cdef Networks* networks = self.networks.get()
        lines.words = <const Word*>&words[0, 0]
        lines.ends = &ends[0]
        lines.count = ends.shape[0]
        with nogil:
            networks.analyse(lines, entities, self.kernels[0], room, found)
        cdef list tags = [tag.decode() for tag in networks.tags()]
        cdef list labels = [label.decode() for label in networks.labels()]
        cdef list kinds = [label.decode() for label in networks.entity_labels()]
        return (
            [tags[tag] for tag in found.tags],
            list(found.heads),
            [labels[label] for label in found.labels],
            [start == 1 for start in found.starts],
            [(span.first, span.last, kinds[span.label]) for span in found.entities],
        )
