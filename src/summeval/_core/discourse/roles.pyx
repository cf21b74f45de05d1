"""Matrices of roles and their sub-sequences; the definition is tests/definitions/roles.py."""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector

from summeval._core.discourse.relations cimport Parse, read_parses
from summeval._core.documents.packed cimport DocumentView
from summeval._core.rows.parallel cimport FirstFailure


cdef extern from "text/stem.hpp" namespace "summeval" nogil:
    int STEM_PORTER_JAVA
    int32_t c_stem "summeval::stem"(int kind, const char* word, int32_t size, char* out) noexcept


cdef extern from "discourse/roles.hpp" namespace "summeval" nogil:
    cdef struct RoleDocuments:
        int64_t documents
        const int64_t* token_ptr
        const int32_t* column
        const int32_t* columns
        const int64_t* sentence_ptr
        const int32_t* sentence_end
        const int64_t* span_ptr
        const int32_t* first
        const int32_t* last
        const uint32_t* bits
        bint highest

    cdef struct RoleGroup:
        uint32_t roles
        int32_t least, most

    cdef struct RoleFeatures:
        int32_t symbols, groups
        const RoleGroup* group
        bint triples, nil_only, pairs, pair_norm
        const uint32_t* skipped

    cdef cppclass RoleRows:
        void count(
            const RoleDocuments& all, const RoleFeatures& features, int workers,
            int64_t* indptr, FirstFailure& failed
        ) except +
        void copy(const RoleFeatures& features, int32_t* index, int64_t* count, int64_t* total)


cdef extern from "discourse/roles.hpp" namespace "summeval::roles" nogil:
    cdef cppclass Matrix:
        Matrix() except +
        void read(const RoleDocuments& all, int64_t d) except +
        vector[uint32_t] cells


cdef extern from "discourse/role_words.hpp" namespace "summeval::discourse" nogil:
    cdef cppclass RoleSpans:
        vector[int64_t] ptr
        vector[int32_t] first, last
        vector[uint32_t] bits

    cdef cppclass RoleWords:
        RoleWords(vector[string] classes) except +
        int32_t number(const Parse& parse, vector[int32_t]& column) except +
        cbool add_spans(
            const int32_t* at, const int32_t* end, uint32_t tokens, const uint32_t* bits,
            int64_t kinds, RoleSpans& out
        ) except +
        @staticmethod
        cbool has_plain_words(const DocumentView& view) except +


cdef class Words:
    """The words of documents that have a column, as numbers; made by `number_words`."""

    cdef readonly list stems
    cdef vector[int64_t] token_ptr, sentence_ptr
    cdef vector[int32_t] column, columns, sentence_end

    def __len__(self):
        return <Py_ssize_t>self.columns.size()


cdef class Numbering:
    """Maps stems to columns, document by document."""

    cdef dict forms, stems  # each maps to the number of a stem over all documents
    cdef vector[int32_t] column, document  # for each stem: its last column and document
    cdef string room

    def __cinit__(self):
        self.forms, self.stems = {}, {}

    cdef int32_t number(self, str form) except -1:
        """The number of the stem of a form."""
        cdef object found = self.forms.get(form)
        if found is not None:
            return found
        cdef bytes word = form.lower().encode("utf-8", "surrogatepass")
        if self.room.size() < <size_t>len(word) + 8:
            self.room.resize(len(word) + 8)
        cdef char* out = &self.room[0]
        cdef int32_t size = c_stem(STEM_PORTER_JAVA, word, <int32_t>len(word), out)
        cdef bytes stem = out[:size]
        found = self.stems.setdefault(stem, len(self.stems))
        self.forms[form] = found
        if self.column.size() < <size_t>len(self.stems):
            self.column.push_back(0)
            self.document.push_back(-1)
        return found


def number_words(documents, classes, bint named=False):
    """The columns of the words of documents; a document is a tuple of sentences of (form, tag).

    A word has a column if the first two characters of its tag are in `classes`; words with the same
    Porter stem share it. Columns are numbered in order of occurrence. If `named`, `stems` of the
    result has the stem of each column of each document.
    """
    cdef Words words = Words()
    cdef Numbering numbering = Numbering()
    cdef dict tags = {}
    cdef object taken
    cdef str form, tag
    cdef list names = None
    cdef int32_t d = 0, tokens, columns, number, column
    words.stems = []
    words.token_ptr.push_back(0)
    words.sentence_ptr.push_back(0)
    for sentences in documents:
        tokens = columns = 0
        names = []
        for sentence in sentences:
            PyErr_CheckSignals()
            for form, tag in sentence:
                taken = tags.get(tag)
                if taken is None:
                    taken = tags[tag] = tag[:2] in classes
                column = -1
                if taken is True:
                    number = numbering.number(form)
                    if numbering.document[number] != d:
                        numbering.document[number] = d
                        numbering.column[number] = columns
                        columns += 1
                        if named:
                            names.append(number)
                    column = numbering.column[number]
                words.column.push_back(column)
                tokens += 1
            words.sentence_end.push_back(tokens)
        words.token_ptr.push_back(<int64_t>words.column.size())
        words.sentence_ptr.push_back(<int64_t>words.sentence_end.size())
        words.columns.push_back(columns)
        if named:
            words.stems.append(names)
        d += 1
    if named:
        known = [stem.decode("utf-8", "surrogatepass") for stem in numbering.stems]
        words.stems = [[known[number] for number in numbers] for numbers in words.stems]
    return words


def read_related(
    list blocks not None, list written not None, const uint32_t[:, ::1] kinds, classes
):
    """The columns of packed documents, and the spans of their relations.

    Parameters
    ----------
    blocks, written : list of bytes
        Documents, and for each its relations as `relations.Relations.find` writes them.
    kinds : array [kind, 2]
        The bits that a relation of each kind gives its first and its second argument.
    classes : list of bytes
        As of `number_words`.

    Returns
    -------
    words : Words
    (span_ptr, spans, bits) : arrays
        As `features` takes them.
    plain : array of bool
        Whether each document has an ASCII letter or digit.

    Raises
    ------
    ValueError
        A block is damaged, or relations are not those of their document.
    """
    import numpy as np

    cdef vector[Parse] parses
    cdef vector[string] chosen = classes
    cdef Words words = Words()
    cdef RoleSpans spans
    cdef unique_ptr[RoleWords] reader
    cdef bytes each
    cdef const int32_t* at
    cdef const int32_t* end
    cdef cbool sound
    cdef size_t d, s
    cdef const uint32_t* bits = &kinds[0, 0] if kinds.shape[0] else NULL
    plain = np.zeros(len(blocks), dtype=np.uint8)
    cdef uint8_t[::1] plain_view = plain
    reader.reset(new RoleWords(chosen))
    read_parses(blocks, parses)
    words.stems = []
    words.token_ptr.push_back(0)
    words.sentence_ptr.push_back(0)
    for d in range(parses.size()):
        if d % 1024 == 0:
            PyErr_CheckSignals()
        each = written[d]
        at = <const int32_t*>PyBytes_AS_STRING(each)
        end = at + len(each) // 4
        with nogil:
            words.columns.push_back(reader.get().number(parses[d], words.column))
            sound = reader.get().add_spans(
                at, end, parses[d].view.tokens, bits, kinds.shape[0], spans
            )
            for s in range(parses[d].view.sentences):
                words.sentence_end.push_back(<int32_t>parses[d].view.sentence_starts[s + 1])
            words.token_ptr.push_back(<int64_t>words.column.size())
            words.sentence_ptr.push_back(<int64_t>words.sentence_end.size())
            plain_view[d] = RoleWords.has_plain_words(parses[d].view)
        if not sound:
            raise ValueError(f"written[{d}] has no relations of blocks[{d}]")
    cdef Py_ssize_t size = <Py_ssize_t>spans.bits.size()
    table = np.empty((2, size), dtype=np.int32)
    found = np.empty(size, dtype=np.uint32)
    ptr = np.empty(spans.ptr.size(), dtype=np.int64)
    _copy(ptr, spans.ptr.data())
    if size:
        _copy(table[0], spans.first.data())
        _copy(table[1], spans.last.data())
        _copy(found, spans.bits.data())
    return words, (ptr, table, found), plain.view(np.bool_)


cdef int _copy(array, const void* source) except -1:
    """Fill an array, which is contiguous."""
    cdef uint8_t[::1] target = array.view("uint8")
    memcpy(&target[0], source, target.shape[0])
    return 0


cdef RoleDocuments _documents(
    Words words, const int64_t[::1] span_ptr, const int32_t[:, ::1] spans, const uint32_t[::1] bits,
    bint highest
):
    cdef RoleDocuments all
    all.documents = <int64_t>words.columns.size()
    all.token_ptr = words.token_ptr.data()
    all.column = words.column.data()
    all.columns = words.columns.data()
    all.sentence_ptr = words.sentence_ptr.data()
    all.sentence_end = words.sentence_end.data()
    all.span_ptr = &span_ptr[0]
    all.first = all.last = NULL
    all.bits = NULL
    if bits.shape[0]:
        all.first = &spans[0, 0]
        all.last = &spans[1, 0]
        all.bits = &bits[0]
    all.highest = highest
    return all


def cells(
    Words words not None, const int64_t[::1] span_ptr, const int32_t[:, ::1] spans,
    const uint32_t[::1] bits, bint highest=False
):
    """The matrix [column, sentence] of each document; a cell is a bit set.

    Spans [2, span] are the first tokens and the tokens after the last, counted from 0 in each
    document; the spans of document d are those from span_ptr[d] to span_ptr[d + 1]. With `highest`
    a cell keeps only its lowest bit.
    """
    import numpy as np

    cdef RoleDocuments all = _documents(words, span_ptr, spans, bits, highest)
    cdef Matrix matrix
    cdef uint32_t[::1] view
    cdef int64_t d
    cdef size_t k
    found = []
    for d in range(all.documents):
        with nogil:
            matrix.read(all, d)
        PyErr_CheckSignals()
        made = np.empty(matrix.cells.size(), dtype=np.uint32)
        view = made
        for k in range(matrix.cells.size()):
            view[k] = matrix.cells[k]
        found.append(made.reshape(words.columns[d], words.sentence_ptr[d + 1] - words.sentence_ptr[d]))
    return found


def features(
    Words words not None, const int64_t[::1] span_ptr, const int32_t[:, ::1] spans,
    const uint32_t[::1] bits, const int64_t[:, ::1] groups, const uint32_t[::1] skipped, *,
    bint triples=True, bint nil_only=False, bint pairs=False, bint pair_norm=False,
    bint highest=False, int workers=1
):
    """The features of documents: (indptr, index, count, total), rows of a sparse matrix.

    Groups [group, 3] are the bits that count, and the least and most occurrences of a column's
    word; there are as many roles as `skipped` has items. Symbol 0 is nil and symbol i + 1 is bit i;
    B is the number of symbols, one more than the number R of roles. In a group, a -> b has the
    index a B + b, a -> b -> c has B^2 + (a B + b) B + c, and the pair of the bits i < j of a cell
    has B^2 + B^3 + i R + j; the indices of group g begin at g (B^2 + B^3 + R^2). Totals are the
    number of sub-sequences of that length in the group, also those of nil alone; for pairs the
    number of sub-sequences of length 2, or of pairs with `pair_norm`.
    """
    import numpy as np

    cdef RoleDocuments all = _documents(words, span_ptr, spans, bits, highest)
    cdef vector[RoleGroup] chosen
    cdef RoleGroup group
    cdef RoleFeatures wanted
    cdef RoleRows rows
    cdef FirstFailure failed
    cdef Py_ssize_t g
    for g in range(groups.shape[0]):
        group.roles = <uint32_t>groups[g, 0]
        group.least = <int32_t>groups[g, 1]
        group.most = <int32_t>groups[g, 2]
        chosen.push_back(group)
    wanted.symbols = <int32_t>skipped.shape[0]
    wanted.groups = <int32_t>groups.shape[0]
    wanted.group = chosen.data()
    wanted.triples, wanted.nil_only, wanted.pairs = triples, nil_only, pairs
    wanted.pair_norm = pair_norm
    wanted.skipped = &skipped[0]
    indptr = np.zeros(all.documents + 1, dtype=np.int64)
    cdef int64_t[::1] indptr_view = indptr
    if all.documents:
        with nogil:
            rows.count(all, wanted, workers, &indptr_view[0], failed)
        if failed.any():
            raise MemoryError("no memory for the features of the documents")
    cdef int64_t size = indptr_view[all.documents]
    index = np.empty(size, dtype=np.int32)
    count, total = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    cdef int32_t[::1] index_view = index
    cdef int64_t[::1] count_view = count
    cdef int64_t[::1] total_view = total
    if size:
        with nogil:
            rows.copy(wanted, &index_view[0], &count_view[0], &total_view[0])
    return indptr, index, count, total
