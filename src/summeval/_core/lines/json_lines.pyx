"""Rows of JSON Lines, read without making Python objects, and lines of rows with numbers."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, _PyBytes_Resize
from cpython.ref cimport PyObject, Py_DECREF, Py_INCREF
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from libcpp.set cimport set as cset
from libcpp.string cimport string
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport TextColumn
from summeval._core.text.views cimport View


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view(const char*, size_t)


cdef extern from "text/utf8.hpp" namespace "summeval::utf8" nogil:
    cbool is_valid(const char*, int64_t)


cdef extern from "lines/json_lines.hpp" namespace "summeval" nogil:
    const cbool NUMBERS_NEED_NO_LOCK


cdef extern from "lines/json_lines.hpp" namespace "summeval::json" nogil:
    cdef enum Kind:
        NOTHING
        ONE
        SEVERAL

    cdef struct Wanted:
        string candidate
        vector[string] references
        string source
        cbool needs_references
        cbool needs_source
        cbool keeps_texts

    cdef struct Beyond:
        int64_t row
        Py_ssize_t begin
        Py_ssize_t end

    cdef cppclass Lines:
        Wanted wanted
        vector[View] candidates
        vector[View] references
        vector[View] sources
        vector[int64_t] reference_ends
        vector[int64_t] source_ends
        vector[int64_t] head_ends
        vector[unsigned char] reference_kinds
        vector[unsigned char] source_kinds
        string heads
        cset[string] names
        cbool has_all_names
        vector[Beyond] beyond
        Py_ssize_t take(const char*, Py_ssize_t, Py_ssize_t, cbool, int64_t&) except +
        void add(
            string_view, const string*, const vector[string]&, Kind, const vector[string]&, Kind
        ) except +

    size_t room_of(int64_t, const vector[string]&) noexcept

    char* write_lines(
        const char*, const int64_t*, int64_t, const vector[const double*]&,
        const vector[string]&, char*
    ) noexcept


def is_utf8(bytes data not None) -> bool:
    """Whether bytes are UTF-8, by the rules of Python's decoder.

    >>> is_utf8("é".encode()), is_utf8(b"\\xed\\xa0\\x80")
    (True, False)
    """
    cdef const char* text = data
    cdef int64_t size = len(data)
    cdef cbool found
    with nogil:
        found = is_valid(text, size)
    return found


cdef class JsonLines:
    """Consecutive rows of JSON Lines: their texts, and the columns that are carried through.

    A name is given as the bytes of a JSON string, as `json.dumps(ensure_ascii=False)` writes it,
    without its quotes. The definition is the `json` module: a carried column is what `json.dumps`
    writes of what `json.loads` reads. A row about which there is a doubt is left to the caller.

    >>> rows = JsonLines(b"candidate", [b"references"], b"source", True, False, False)
    >>> rows.take(b'{"id":1.50,"candidate":"a cat","references":["a"]}\\n{"candidate":5}\\n', 0)
    (51, 1)
    >>> rows.objects(), rows.candidates().to_list(), rows.references().to_list()
    (b'[{"id": 1.5}]', ['a cat'], [['a']])
    """

    cdef Lines lines
    cdef object _block

    def __init__(
        self,
        bytes candidate not None,
        list references not None,
        bytes source not None,
        bint needs_references,
        bint needs_source,
        bint keeps_texts,
    ) -> None:
        cdef bytes name
        self.lines.wanted.candidate = candidate
        for name in references:
            self.lines.wanted.references.push_back(name)
        self.lines.wanted.source = source
        self.lines.wanted.needs_references = needs_references
        self.lines.wanted.needs_source = needs_source
        self.lines.wanted.keeps_texts = keeps_texts

    def __len__(self) -> int:
        return self.lines.candidates.size()

    def take(
        self, bytes block not None, Py_ssize_t start, bint takes_beyond=False
    ) -> tuple:
        """Add the rows of `block`, which is UTF-8, from the line at byte `start` on.

        Stops at the first line that it leaves to the caller. Returns the place of that line, or
        the end, and the number of lines before it. Every call gets the same block.

        A line with a number beyond the range of float64 is left, or, if `takes_beyond`, taken with
        null for the number: see `beyond`.
        """
        cdef const char* text = block
        cdef Py_ssize_t size = len(block)
        cdef int64_t passed = 0
        if self._block is not None and self._block is not block:
            raise ValueError("rows of another block")
        if not 0 <= start <= size:
            raise IndexError(f"byte {start} of a block of {size} bytes")
        self._block = block
        with nogil:
            start = self.lines.take(text, start, size, takes_beyond, passed)
        return start, passed

    def add(
        self, bytes head not None, bytes candidate, list references, object source
    ) -> None:
        """Add a row: `head` is the object of its carried columns without the last brace.

        The texts are UTF-8; a source is bytes, a list of bytes, or None.
        """
        cdef vector[string] all_references, all_sources
        cdef string text
        cdef string* there = NULL
        cdef bytes one
        cdef Kind source_kind = NOTHING
        for one in references or ():
            all_references.push_back(one)
        if isinstance(source, bytes):
            source_kind = ONE
            all_sources.push_back(source)
        elif source is not None:
            source_kind = SEVERAL
            for one in source:
                all_sources.push_back(one)
        if candidate is not None:
            text = candidate
            there = &text
        self.lines.add(
            string_view(head, len(head)),
            there,
            all_references,
            NOTHING if references is None else SEVERAL,
            all_sources,
            source_kind,
        )

    def candidates(self) -> TextColumn:
        """The candidates. No rows can be added afterwards."""
        cdef TextColumn made = TextColumn.__new__(TextColumn)
        made._owner = self
        made.size = self.lines.candidates.size()
        made.views = self.lines.candidates.data()
        return made

    def references(self) -> TextColumn:
        """The references of each row."""
        return self._lists(&self.lines.references, &self.lines.reference_ends)

    def sources(self) -> TextColumn:
        """The documents of each row."""
        return self._lists(&self.lines.sources, &self.lines.source_ends)

    cdef TextColumn _lists(self, vector[View]* views, vector[int64_t]* ends):
        cdef TextColumn made = TextColumn.__new__(TextColumn)
        made._owner = self
        made.size = ends.size()
        made.views = views.data()
        made._offsets.reserve(ends.size() + 1)
        made._offsets.push_back(0)
        made._offsets.insert(made._offsets.end(), ends.begin(), ends.end())
        made.row_offsets = made._offsets.data()
        return made

    def reference_kinds(self) -> bytes:
        """For each row 0 if its references are null or missing."""
        return self._kinds(&self.lines.reference_kinds)

    def source_kinds(self) -> bytes:
        """For each row 0 if its source is null or missing, 1 for a text, 2 for a list."""
        return self._kinds(&self.lines.source_kinds)

    cdef bytes _kinds(self, vector[unsigned char]* kinds):
        return PyBytes_FromStringAndSize(<const char*> kinds.data(), kinds.size())

    def empty(self) -> int:
        """The number of candidates that are empty texts."""
        cdef View text
        cdef int64_t count = 0
        for text in self.lines.candidates:
            count += text.data != NULL and text.size == 0
        return count

    def names(self) -> list:
        """The names of the columns that `take` carried through; None if there are too many."""
        return list(self.lines.names) if self.lines.has_all_names else None

    def beyond(self) -> list:
        """The rows with numbers that Python reads as infinite: the index and the line of each."""
        cdef Beyond one
        cdef bytes block = self._block
        return [(one.row, block[one.begin : one.end]) for one in self.lines.beyond]

    def objects(self, bint in_lines=False) -> bytes:
        """The carried columns of all rows: a JSON list of objects, or a line for each."""
        cdef string found
        cdef int64_t begin = 0, end
        cdef char between = b"\n" if in_lines else b","
        with nogil:
            found.reserve(self.lines.heads.size() + 2 * self.lines.head_ends.size())
            for end in self.lines.head_ends:
                if begin:
                    found.push_back(between)
                found.append(self.lines.heads.data() + begin, end - begin)
                found.push_back(b"}")
                begin = end
        return found if in_lines else b"[%b]" % found

    def write(self, list befores not None, list columns not None) -> bytes:
        """The rows with numbers, as lines; arguments as in `lines_of`."""
        return _written(
            self.lines.heads.data(), self.lines.head_ends.data(), len(self), befores, columns
        )


def lines_of(list heads not None, list befores not None, list columns not None) -> bytes:
    """Rows as lines of JSON: the head of each (bytes), then a number of each column.

    A head is an object without its last brace. `befores` has the bytes before each number, such as
    `"rouge1.recall": `. `columns` has a float64 array for each, of the length of `heads`. A number
    is written as `repr` writes it, NaN and infinities as null, and a zero without its sign.

    >>> import numpy
    >>> lines_of([b'{"id": 1'], [b'"a": ', b'"b": '], [numpy.array([0.1]), numpy.array([1e-5])])
    b'{"id": 1, "a": 0.1, "b": 1e-05}\\n'
    """
    cdef string together
    cdef vector[int64_t] ends
    cdef bytes head
    for head in heads:
        together.append(<const char*> head, len(head))
        ends.push_back(together.size())
    return _written(together.data(), ends.data(), len(heads), befores, columns)


cdef bytes _written(
    const char* heads, const int64_t* ends, int64_t rows, list befores, list columns
):
    cdef vector[const double*] numbers
    cdef vector[string] texts
    cdef const double[::1] column
    cdef list held = []
    cdef PyObject* made
    cdef char* out
    cdef Py_ssize_t size
    cdef bytes before
    if len(befores) != len(columns):
        raise ValueError(f"{len(columns)} columns with {len(befores)} names")
    import numpy as np

    for before, values in zip(befores, columns):
        array = np.ascontiguousarray(values, dtype=np.float64)
        held.append(array)
        column = array
        if column.shape[0] != rows:
            raise ValueError(f"a column of {column.shape[0]} numbers for {rows} rows")
        texts.push_back(before)
        if rows:
            numbers.push_back(&column[0])
    if not rows:
        return b""
    found = PyBytes_FromStringAndSize(NULL, ends[rows - 1] + room_of(rows, texts))
    out = PyBytes_AS_STRING(found)
    if NUMBERS_NEED_NO_LOCK:
        with nogil:
            out = write_lines(heads, ends, rows, numbers, texts, out)
    else:
        out = write_lines(heads, ends, rows, numbers, texts, out)
    size = out - PyBytes_AS_STRING(found)
    made = <PyObject*> found
    Py_INCREF(found)  # `found` lets go of it first: only an object that nobody else has is cut
    found = None
    _PyBytes_Resize(&made, size)
    found = <object> made
    Py_DECREF(found)
    return found
