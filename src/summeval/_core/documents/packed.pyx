"""Parsed documents as blocks of bytes: packed.hpp says how; read_document of
tests/definitions/columns.py reads one in plain Python."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.object cimport PyObject_GenericSetAttr
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import sys

intern = sys.intern


cdef extern from "documents/packed.hpp" namespace "summeval::packed" nogil:
    const uint32_t MAGIC, VERSION, NO_TREE, ALL_ASCII
    cdef cppclass Counts:
        uint32_t tokens, sentences, entities, strings, string_bytes
        uint64_t bytes()
    uint64_t checksum(const unsigned char* data, size_t size)


cdef int view(bytes block, DocumentView* out) except -1:
    """Read a block; ValueError if it is damaged."""
    if not view_document(
        <const unsigned char*>PyBytes_AS_STRING(block), PyBytes_GET_SIZE(block), out[0]
    ):
        raise ValueError("the packed document is damaged")
    return 0


cdef class _Strings:
    """Numbers the strings of a document by first use."""

    cdef dict numbers
    cdef list written
    cdef vector[uint32_t] offsets
    cdef uint64_t bytes
    cdef bint ascii

    def __cinit__(self):
        self.numbers, self.written, self.bytes, self.ascii = {}, [], 0, True
        self.offsets.push_back(0)

    cdef uint32_t number(self, str text) except? 0xFFFFFFFF:
        cdef object found = self.numbers.get(text)
        cdef bytes encoded
        if found is not None:
            return found
        encoded = text.encode("utf-8", "surrogatepass")
        self.ascii = self.ascii and text.isascii()
        self.bytes += len(encoded)
        if self.bytes > 0x7FFFFFFF:
            raise OverflowError("the strings of the document are longer than 2^31 - 1 bytes")
        self.offsets.push_back(<uint32_t>self.bytes)
        self.written.append(encoded)
        cdef uint32_t number = <uint32_t>len(self.numbers)
        self.numbers[text] = number
        return number


def pack(sizes, trees, texts, numbers, entities):
    """The block of a document.

    `sizes` are the numbers of tokens of its sentences; `texts` the forms, tags, lemmas and labels
    of all tokens; `numbers` their heads, starts and ends; entities are (label, first token, last
    token). OverflowError for numbers outside 32 bits, and documents of 2^32 bytes or more. Heads
    and entities are not checked; `is_packed` does it.
    """
    cdef _Strings strings = _Strings()
    cdef vector[uint32_t] all
    cdef uint32_t tokens = 0, size
    cdef int32_t value
    cdef object column, number, text, tree
    cdef Counts counts
    for _ in range(9):
        all.push_back(0)
    for number in sizes:
        all.push_back(tokens)
        size = number
        if <uint64_t>tokens + size > 0x7FFFFFFF:
            raise OverflowError("the document has more than 2^31 - 1 tokens")
        tokens += size
    all.push_back(tokens)
    counts.sentences = <uint32_t>(all.size() - 10)
    # _Strings of tokens come first, so that few of them have large numbers.
    cdef size_t at = all.size()
    all.resize(at + counts.sentences)
    for column in texts:
        if <uint32_t>len(column) != tokens:
            raise ValueError("the columns differ in length")
        for text in column:
            all.push_back(strings.number(text))
    for column in numbers:
        if <uint32_t>len(column) != tokens:
            raise ValueError("the columns differ in length")
        for number in column:
            value = number
            all.push_back(<uint32_t>value)
    cdef list found = list(entities)
    for text, _, _ in found:
        all.push_back(strings.number(text))
    for _, number, _ in found:
        all.push_back(number)
    for _, _, number in found:
        all.push_back(number)
    if <uint32_t>len(trees) != counts.sentences:
        raise ValueError("the columns differ in length")
    for tree in trees:
        all[at] = NO_TREE if tree is None else strings.number(tree)
        at += 1
    all.insert(all.end(), strings.offsets.begin(), strings.offsets.end())
    counts.tokens = tokens
    counts.entities = <uint32_t>len(found)
    counts.strings = <uint32_t>len(strings.written)
    counts.string_bytes = <uint32_t>strings.bytes
    if counts.bytes() > 0xFFFFFFFF:
        raise OverflowError("the packed document is longer than 2^32 - 1 bytes")
    cdef uint32_t[9] header = [
        MAGIC, VERSION, <uint32_t>counts.bytes(), ALL_ASCII if strings.ascii else 0, tokens,
        counts.sentences, counts.entities, counts.strings, counts.string_bytes,
    ]
    memcpy(all.data(), header, sizeof(header))
    cdef bytes end = b"".join(strings.written)
    cdef Py_ssize_t before = <Py_ssize_t>(4 * all.size())
    cdef bytes block = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>counts.bytes())
    cdef char* out = PyBytes_AS_STRING(block)
    memcpy(out, all.data(), before)
    memcpy(out + before, PyBytes_AS_STRING(end), len(end))
    for k in range(before + <Py_ssize_t>len(end), <Py_ssize_t>counts.bytes()):
        out[k] = 0
    return block


def is_packed(bytes block not None, labels):
    """Whether a block is a whole document, whose entities have these labels only."""
    cdef DocumentView found
    cdef uint32_t k
    if not view_document(
        <const unsigned char*>PyBytes_AS_STRING(block), PyBytes_GET_SIZE(block), found
    ):
        return False
    for k in range(found.entities):
        if _string(found, found.entity_label[k]) not in labels:
            return False
    return True


def sealed(bytes block not None):
    """A block followed by its checksum of 8 bytes, for a store that may be damaged."""
    cdef uint64_t found = checksum(
        <const unsigned char*>PyBytes_AS_STRING(block), PyBytes_GET_SIZE(block)
    )
    return block + PyBytes_FromStringAndSize(<const char*>&found, sizeof(found))


def unsealed(rows, dict texts not None, str provider not None, kind, labels):
    """The documents of rows (key, sealed block), by text; damaged ones are left out.

    `texts` has the text of each key. A document is an object of a class that has the attributes
    _block, text and provider; they are set directly, so the class may be frozen.
    """
    cdef dict found = {}
    cdef object key, text, document
    cdef bytes data, block
    cdef Py_ssize_t size
    cdef uint64_t stored
    cdef object make = kind.__new__
    for key, data in rows:
        size = PyBytes_GET_SIZE(data) - <Py_ssize_t>sizeof(stored)
        if size < 0:
            continue
        memcpy(&stored, PyBytes_AS_STRING(data) + size, sizeof(stored))
        if checksum(<const unsigned char*>PyBytes_AS_STRING(data), size) != stored:
            continue
        block = PyBytes_FromStringAndSize(PyBytes_AS_STRING(data), size)
        if not is_packed(block, labels):
            continue
        text = texts[key]
        document = make(kind)
        PyObject_GenericSetAttr(document, "_block", block)
        PyObject_GenericSetAttr(document, "text", text)
        PyObject_GenericSetAttr(document, "provider", provider)
        found[text] = document
    return found


def unpack(bytes block not None, kind):
    """The sentences, each (tokens, tree), and the entities (label, first, last) of a block.

    Tokens are objects of a class that has the attributes form, tag, lemma, head, label, start and
    end; they are set directly, so the class may be frozen. ValueError if the block is damaged.
    """
    cdef DocumentView found
    cdef uint32_t s, t, k
    cdef object token, tree
    cdef tuple tokens
    cdef list strings, sentences = [], shared
    cdef object make = kind.__new__
    view(block, &found)
    strings = [_string(found, k) for k in range(found.string_count)]
    # Tags and labels are few, so all documents share them.
    shared = [None] * found.string_count
    for t in range(found.tokens):
        for k in (found.tag[t], found.label[t]):
            if shared[k] is None:
                shared[k] = intern(strings[k])
    for s in range(found.sentences):
        tokens = PyTuple_New(found.sentence_starts[s + 1] - found.sentence_starts[s])
        for t in range(found.sentence_starts[s], found.sentence_starts[s + 1]):
            token = make(kind)
            PyObject_GenericSetAttr(token, "form", strings[found.form[t]])
            PyObject_GenericSetAttr(token, "tag", shared[found.tag[t]])
            PyObject_GenericSetAttr(token, "lemma", strings[found.lemma[t]])
            PyObject_GenericSetAttr(token, "head", found.head[t])
            PyObject_GenericSetAttr(token, "label", shared[found.label[t]])
            PyObject_GenericSetAttr(token, "start", found.start[t])
            PyObject_GenericSetAttr(token, "end", found.end[t])
            Py_INCREF(token)
            PyTuple_SET_ITEM(tokens, t - found.sentence_starts[s], token)
        k = found.sentence_trees[s]
        tree = None if k == NO_TREE else strings[k]
        sentences.append((tokens, tree))
    entities = [
        (strings[found.entity_label[k]], found.entity_first[k], found.entity_last[k])
        for k in range(found.entities)
    ]
    return sentences, entities


cdef str _string(const DocumentView& found, uint32_t k):
    return PyUnicode_DecodeUTF8(
        found.strings + found.string_offsets[k],
        found.string_offsets[k + 1] - found.string_offsets[k],
        "surrogatepass",
    )
