"""Discourse relations of packed documents; the definition is tests/definitions/discourse."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int32_t, uint32_t
from libcpp.string cimport string
from libcpp.string_view cimport string_view
from libcpp.vector cimport vector

from summeval._core.documents.packed cimport DocumentView, view


cdef extern from "discourse/relations.hpp" namespace "summeval::discourse" nogil:
    int RELATIONS_MEMORY

    cdef cppclass Linear:
        vector[double] bias, scale

    cdef cppclass Family:
        void read(Linear& linear, string_view features, const int16_t* weights, size_t rows) except +

    cdef cppclass RelationModel:
        Family of_connectives, of_boundaries, of_stretches, of_preceding, of_neighbours
        Linear connective, position, sense, boundary, stretches, preceding, neighbours
        vector[int32_t] sense_kinds, neighbour_kinds
        RelationModel() except +
        void finish() except +
        void add_connective(const vector[string]& words) except +
        void add_sense(string_view words, size_t k, int32_t kind) except +

    void find_relations(
        const RelationModel& model, const vector[Parse]& parses, int workers,
        vector[vector[int32_t]]& written, vector[unsigned char]& statuses
    ) except +


cdef int read_parses(list blocks, vector[Parse]& out) except -1:
    """Read the views of blocks, and what Python says of their forms that are not ASCII."""
    cdef dict known = {}
    cdef bytes block
    cdef size_t d
    out.resize(len(blocks))
    for d in range(out.size()):
        if d % 1024 == 0:
            PyErr_CheckSignals()
        block = blocks[d]
        view(block, &out[d].view)
        if not out[d].view.ascii:
            _read_foreign(out[d], known)
    return 0


cdef int _read_foreign(Parse& parse, dict known) except -1:
    cdef const DocumentView* document = &parse.view
    cdef vector[char] is_form = vector[char](document.string_count)
    cdef uint32_t t, k, size, at
    cdef const char* text
    cdef bytes written
    cdef str form
    cdef Foreign found
    cdef tuple stored
    for t in range(document.tokens):
        is_form[document.form[t]] = 1
    for k in range(document.string_count):
        if k % 65536 == 0:
            PyErr_CheckSignals()
        if not is_form[k]:
            continue
        text = document.strings + document.string_offsets[k]
        size = document.string_offsets[k + 1] - document.string_offsets[k]
        for at in range(size):
            if <unsigned char>text[at] >= 0x80:
                break
        else:
            continue
        written = text[:size]
        stored = known.get(written)
        if stored is None:
            form = written.decode("utf-8", "surrogatepass")
            lowered = form.lower().encode("utf-8", "surrogatepass")
            stored = known[written] = (lowered, form[:1].isupper())
        found.string = k
        found.lowered, found.is_upper = stored
        parse.foreign.push_back(found)
    return 0


cdef class Relations:
    """A model of the parser, read for packed documents.

    Parameters
    ----------
    components : dict of str to (bytes, array, list, list)
        For each component its features, separated by newlines, their weights [feature, class] and
        the bias and scale of each class. `boundary` has four classes; `connective`, `position`,
        `stretches` and `preceding` have one.
    lexicon : list of list of bytes
        The words of each connective.
    senses : list of (bytes, int, int)
        Words of a connective, a class of `sense`, and the kind of such relations.
    sense_kinds, neighbour_kinds : list of int
        The kind of each class of `sense` (for other connectives) and of `neighbours`.
    """

    cdef RelationModel model

    def __init__(self, dict components, list lexicon, list senses, list sense_kinds,
                 list neighbour_kinds):
        cdef RelationModel* model = &self.model
        cdef vector[string] words
        _read(model.of_connectives, model.connective, components["connective"])
        _read(model.of_connectives, model.position, components["position"])
        _read(model.of_connectives, model.sense, components["sense"])
        _read(model.of_boundaries, model.boundary, components["boundary"])
        _read(model.of_stretches, model.stretches, components["stretches"])
        _read(model.of_preceding, model.preceding, components["preceding"])
        _read(model.of_neighbours, model.neighbours, components["neighbours"])
        model.finish()
        model.sense_kinds, model.neighbour_kinds = sense_kinds, neighbour_kinds
        for given in lexicon:
            words = given
            model.add_connective(words)
        cdef bytes first
        for first, k, kind in senses:
            model.add_sense(string_view(PyBytes_AS_STRING(first), PyBytes_GET_SIZE(first)), k, kind)

    def find(self, list blocks not None, int workers=1):
        """The relations of packed documents, for each as bytes; None for one without a parse.

        The bytes are int32. For each relation: its kind, the number of tokens of its connective, of
        spans of its first and of its second argument; then the tokens, then the first token and the
        one after the last of each span. ValueError for a damaged block.
        """
        cdef vector[Parse] parses
        cdef vector[vector[int32_t]] written
        cdef vector[unsigned char] statuses
        cdef size_t d
        read_parses(blocks, parses)
        with nogil:
            find_relations(self.model, parses, workers, written, statuses)
        cdef list found = []
        for d in range(written.size()):
            if statuses[d] == RELATIONS_MEMORY:
                raise MemoryError(f"no memory for the relations of document {d}")
            found.append(None if statuses[d] else PyBytes_FromStringAndSize(
                <const char*>written[d].data(), <Py_ssize_t>(4 * written[d].size())
            ))
        return found


cdef int _read(Family& family, Linear& linear, tuple component) except -1:
    cdef bytes features
    cdef const int16_t[:, ::1] weights
    features, weights, linear.bias, linear.scale = component
    cdef const int16_t* first = &weights[0, 0] if weights.shape[0] else NULL
    family.read(
        linear, string_view(PyBytes_AS_STRING(features), PyBytes_GET_SIZE(features)),
        first, weights.shape[0],
    )
    return 0
