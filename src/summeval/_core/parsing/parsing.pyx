# distutils: language = c++
"""The compiled parser: networks.hpp says what they compute, and summeval.annotate.compiled uses it."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.map cimport map as cmap
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from "rows/stop.hpp":
    pass

cdef extern from "parsing/model.hpp" namespace "summeval::parsing" nogil:
    cdef struct Section:
        const unsigned char* data
        size_t size

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
        Networks(const cmap[string, Section]&) except +
        vector[string] tags()
        vector[string] labels()
        vector[string] entity_labels()
        void analyse(const Lines&, cbool, const Kernels&, NetworksRoom&, Analysis&) except +


def instructions():
    """The instruction sets that this machine can run, the fastest first."""
    return [kernels.name.decode() for kernels in runnable()]


cdef const Kernels* _kernels(str name) except NULL:
    cdef const Kernels* kernels
    for kernels in runnable():
        if name is None or kernels.name.decode() == name:
            return kernels
    raise ValueError(f"this machine cannot run {name!r}")


cdef class Parser:
    """The parser of a model's sections."""

    cdef unique_ptr[Networks] networks
    cdef unique_ptr[NetworksRoom] room
    cdef const Kernels* kernels

    def __init__(self, dict sections not None, str instructions=None):
        cdef cmap[string, Section] views
        cdef Section view
        cdef bytes data
        for name, data in sections.items():
            view.data = <const unsigned char*>PyBytes_AS_STRING(data)
            view.size = PyBytes_GET_SIZE(data)
            views[name.encode()] = view
        self.kernels = _kernels(instructions)
        try:
            self.networks.reset(new Networks(views))
        except ValueError as error:
            raise ValueError(f"the parser's model is damaged: {error}") from None
        self.room.reset(new NetworksRoom())

    def analyse(self, const uint64_t[:, ::1] words, const uint32_t[::1] ends, bint entities=True):
        """Tags, heads, labels, marks of sentence starts, and entities of words given by number.

        `words` are [words, 5]: norm, prefix, suffix, shape, and 1 if a blank follows + 2 for white
        space; `ends` the number of words up to the end of each line. An entity is its first and last
        word and its label. Heads are counted in the line.
        """
        cdef Lines lines
        cdef Analysis found
        lines.words = <const Word*>&words[0, 0]
        lines.ends = &ends[0]
        lines.count = ends.shape[0]
        with nogil:
            self.networks.get().analyse(lines, entities, self.kernels[0], self.room.get()[0], found)
        cdef list tags = [tag.decode() for tag in self.networks.get().tags()]
        cdef list labels = [label.decode() for label in self.networks.get().labels()]
        cdef list kinds = [label.decode() for label in self.networks.get().entity_labels()]
        return (
            [tags[tag] for tag in found.tags],
            list(found.heads),
            [labels[label] for label in found.labels],
            [start == 1 for start in found.starts],
            [(span.first, span.last, kinds[span.label]) for span in found.entities],
        )
