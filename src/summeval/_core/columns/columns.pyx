"""Columns of texts, or of lists of texts, as UTF-8 views that kernels read without the GIL."""

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t
from libc.math cimport floor
from libc.string cimport memchr

from summeval._options import no_text

from summeval._core.columns.arrow cimport ArrowOwner, export_arrow, is_arrow, read_arrow


cdef extern from "Python.h":
    # Borrowed pointers instead of objects: no reference count changes in the loops.
    bint PyUnicode_Check(PyObject*) noexcept
    bint PyUnicode_IS_ASCII(PyObject*) noexcept
    bint PyBytes_Check(PyObject*) noexcept
    bint PyList_CheckExact(PyObject*) noexcept
    bint PyTuple_CheckExact(PyObject*) noexcept
    const char* PyUnicode_AsUTF8AndSize(PyObject*, Py_ssize_t*) noexcept
    const char* PyBytes_AS_STRING(PyObject*) noexcept
    Py_ssize_t PyBytes_GET_SIZE(PyObject*) noexcept
    Py_ssize_t PyList_GET_SIZE(PyObject*) noexcept
    PyObject* PyList_GET_ITEM(PyObject*, Py_ssize_t) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject*) noexcept
    PyObject* PyTuple_GET_ITEM(PyObject*, Py_ssize_t) noexcept
    void PyErr_Clear() noexcept


cdef extern from "text/foreign.hpp" namespace "summeval" nogil:
    cdef cppclass Words:
        int64_t all, cut
    void count_words(const View&, Words&) noexcept
    bint is_foreign(const View&) noexcept


cdef double GOLDEN = 0.6180339887498949

# Loops that hold the GIL run pending signal handlers (Ctrl-C) once in this many items.
cdef enum:
    BETWEEN_LOOKS = 16384
    FOREIGN_ROWS = 1024  # the same where up to 4 KB of each are read


cdef inline bint is_text(PyObject* item, bint raw) noexcept:
    return PyUnicode_Check(item) or (raw and PyBytes_Check(item))


cdef bint view_of(PyObject* item, View* out, bint raw) noexcept:
    """Whether `item` is None, a str without surrogates, or bytes if `raw`; fills `out`."""
    cdef Py_ssize_t size = 0
    if PyUnicode_Check(item):
        out.data = PyUnicode_AsUTF8AndSize(item, &size)
        if out.data == NULL:
            PyErr_Clear()
            return False
        out.size = size
    elif item == <PyObject*> None:
        out.data = NULL
        out.size = 0
    elif raw and PyBytes_Check(item):
        out.data = PyBytes_AS_STRING(item)
        out.size = PyBytes_GET_SIZE(item)
    else:
        return False
    return True


cdef inline bint is_ascii(PyObject* item) noexcept:
    """Whether an item that `view_of` accepted is known to be ASCII: a str knows it of itself."""
    return item == <PyObject*> None or (PyUnicode_Check(item) and PyUnicode_IS_ASCII(item))


cdef object refusal(object item, str place):
    """The exception that says why `view_of` refused the item at `place`."""
    if not isinstance(item, str):
        return TypeError(no_text(item, place))
    try:
        item.encode()
    except UnicodeEncodeError as error:
        return ValueError(
            f"{place} contains an unpaired surrogate at character {error.start}; "
            "replace it first"
        )
    return MemoryError(f"{place} has no room for its UTF-8 form")


def check_text(object text, str place) -> None:
    """Raise unless `text` is None or a str that UTF-8 can encode; `place` names it in messages.

    >>> check_text(5, "candidate")
    Traceback (most recent call last):
    TypeError: candidate is int, expected str or None
    """
    cdef View view
    if not view_of(<PyObject*> text, &view, False):
        raise refusal(text, place)


cdef tuple rows_of(object source, str name, str wanted):
    """The rows of a Python sequence: a tuple, so that other threads cannot change them."""
    if type(source) is list or type(source) is tuple:
        return tuple(source)
    if isinstance(source, (str, bytes, bytearray, dict, set, frozenset)):
        raise TypeError(f"{name} is a {type(source).__name__}; pass {wanted}")
    if hasattr(type(source), "columns"):  # a table iterates over column names
        raise TypeError(f"{name} is a {type(source).__name__}; pass one of its columns")
    if not hasattr(type(source), "__iter__") and not hasattr(type(source), "__getitem__"):
        raise TypeError(f"{name} is {type(source).__name__}; pass {wanted}")
    return tuple(source)


cdef TextColumn column_of(object owner, bint ascii):
    """A column without rows whose texts belong to others."""
    cdef TextColumn made = TextColumn.__new__(TextColumn)
    made._owner = owner
    made.ascii = ascii
    return made


cdef TextColumn closed(TextColumn made, bint lists):
    """The column, whose views and offsets are complete."""
    made.views = made._views.data()
    made.size = made._views.size()
    if lists:
        made.size = made._offsets.size() - 1
        made.row_offsets = made._offsets.data()
    return made


cdef int check_rows(TextColumn column, const int64_t[::1] rows) except -1:
    cdef Py_ssize_t place
    for place in range(rows.shape[0]):
        if not 0 <= rows[place] < column.size:
            raise IndexError(f"row {rows[place]} of a column of {column.size} rows")
    return 0


cdef class TextColumn:
    """Rows of text, or of lists of texts, held as views of UTF-8 bytes.

    Made by `texts` and `references`. It owns the memory that its views point into.

    >>> texts(["the cat", None], "candidates").to_list()
    ['the cat', None]
    """

    def __dealloc__(self) -> None:
        cdef PyObject* item
        for item in self._held:
            Py_DECREF(<object> item)

    def __len__(self) -> int:
        return self.size

    def to_list(self) -> list:
        """The rows as Python objects; in bytes that are not UTF-8, U+FFFD replaces each error.

        >>> references(["the cat", ["a", None], None], "references").to_list()
        [['the cat'], ['a', None], []]
        """
        cdef int64_t row, item
        if self.row_offsets == NULL:
            return [self._text(row) for row in range(self.size)]
        return [
            [self._text(item) for item in range(self.row_offsets[row], self.row_offsets[row + 1])]
            for row in range(self.size)
        ]

    def part(self, int64_t begin, int64_t end) -> TextColumn:
        """The rows in [begin, end), without a copy.

        >>> texts(["a", "b", "c"], "candidates").part(1, 3).to_list()
        ['b', 'c']
        """
        if not 0 <= begin <= end <= self.size:
            raise IndexError(f"rows {begin} to {end} of a column of {self.size} rows")
        cdef TextColumn part = column_of(self, self.ascii)
        part.first = self.first + begin
        part.size = end - begin
        part.views = self.views
        if self.row_offsets != NULL:
            part.row_offsets = self.row_offsets + begin
        elif self.views != NULL:
            part.views = self.views + begin
        if self._codes != NULL:
            part._codes = self._codes + begin
        return part

    @property
    def coded(self) -> bool:
        """Whether the column is dictionary-encoded."""
        return self._codes != NULL

    def codes(self) -> object:
        """For a dictionary-encoded column an int64 for each row: rows of one code are equal.

        The code of a null is -1. None for other columns.
        """
        if self._codes == NULL:
            return None
        import numpy as np

        cdef int64_t row
        found = np.empty(self.size, dtype=np.int64)
        cdef int64_t[::1] out = found
        for row in range(self.size):
            out[row] = self._codes[row]
        return found

    def missing(self) -> object:
        """For each row whether it has no text at all, as a bool array.

        >>> references(["the cat", [None], None], "references").missing().tolist()
        [False, True, True]
        """
        import numpy as np

        cdef int64_t row, item
        cdef bint none
        found = np.empty(self.size, dtype=np.uint8)
        cdef unsigned char[::1] out = found
        for row in range(self.size):
            none = True
            for item in range(begin_of(self, row), begin_of(self, row + 1)):
                none = none and self.views[item].data == NULL
            out[row] = none
        return found.view(bool)

    def foreign(self, const int64_t[::1] rows) -> object:
        """For each of these rows, whether half of the words of some text have no ASCII letter.

        That is, whether a tokeniser of ASCII letters and digits drops them.

        >>> import numpy
        >>> column = texts(["the cat", "das Schöne", "кошка сидит", None], "candidates")
        >>> column.foreign(numpy.arange(4)).tolist()
        [False, False, True, False]
        """
        import numpy as np

        cdef int64_t row, item
        cdef Py_ssize_t place
        found = np.zeros(rows.shape[0], dtype=np.uint8)
        cdef unsigned char[::1] out = found
        check_rows(self, rows)
        for place in range(rows.shape[0]):
            row = rows[place]
            for item in range(begin_of(self, row), begin_of(self, row + 1)):
                if item % FOREIGN_ROWS == 0:
                    PyErr_CheckSignals()
                out[place] = out[place] or is_foreign(self.views[item])
        return found.view(bool)

    def sample(self, int64_t size) -> object:
        """The numbers of up to `size` rows; of a long column from all over it.

        The distances between them vary, because systems or languages may alternate.

        >>> texts(["a", "b"], "candidates").sample(16).tolist()
        [0, 1]
        """
        import numpy as np

        cdef int64_t place
        cdef double share
        found = np.arange(min(size, self.size))
        cdef int64_t[::1] out = found
        if size < self.size:
            for place in range(size):
                share = place * GOLDEN
                out[place] = <int64_t> ((share - floor(share)) * self.size)
        return found

    def cut_words(self, const int64_t[::1] rows) -> tuple:
        """The number of words in these rows, and of those that have letters outside ASCII.

        A tokeniser of ASCII letters and digits cuts or drops these. In texts without any, the first
        number is an estimate.

        >>> import numpy
        >>> texts(["das ist schön", "кошка сидит"], "candidates").cut_words(numpy.arange(2))
        (5, 3)
        """
        cdef int64_t row, item
        cdef Py_ssize_t place
        cdef Words words
        check_rows(self, rows)
        for place in range(rows.shape[0]):
            row = rows[place]
            for item in range(begin_of(self, row), begin_of(self, row + 1)):
                if item % FOREIGN_ROWS == 0:
                    PyErr_CheckSignals()
                count_words(self.views[item], words)
        return words.all, words.cut

    def has_newline(self) -> bool:
        """Whether some text has a newline; stops at the first.

        >>> texts(["the cat", "sat\\nhere"], "candidates").has_newline()
        True
        """
        cdef int64_t item
        for item in range(begin_of(self, 0), begin_of(self, self.size)):
            if self.views[item].size and memchr(self.views[item].data, 10, self.views[item].size):
                return True
        return False

    def take(self, const int64_t[::1] rows) -> TextColumn:
        """The rows with these numbers, in their order; a row may come several times.

        >>> import numpy
        >>> references(["a", ["b", "c"]], "references").take(numpy.array([1, 1, 0])).to_list()
        [['b', 'c'], ['b', 'c'], ['a']]
        """
        cdef TextColumn taken = column_of(self, self.ascii)
        cdef Py_ssize_t place
        cdef int64_t row, item
        cdef bint lists = self.row_offsets != NULL
        check_rows(self, rows)
        taken._views.reserve(rows.shape[0])
        taken._offsets.reserve(rows.shape[0] + 1 if lists else 0)
        taken._offsets.push_back(0)
        for place in range(rows.shape[0]):
            row = rows[place]
            for item in range(begin_of(self, row), begin_of(self, row + 1)):
                taken._views.push_back(self.views[item])
            if lists:
                taken._offsets.push_back(taken._views.size())
        return closed(taken, lists)

    cdef object _text(self, int64_t index):
        if index % BETWEEN_LOOKS == 0:
            PyErr_CheckSignals()
        cdef View view = self.views[index]
        if view.data == NULL:
            return None
        return PyUnicode_DecodeUTF8(view.data, view.size, "replace")

    cdef int _read_arrow(self, object exported, str name, bint lists) except -1:
        cdef ArrowOwner owner = read_arrow(exported, name, lists)
        self._owner = owner
        self.size = owner.column.rows
        self.views = owner.column.views.data()
        if lists:
            self.row_offsets = owner.column.row_offsets.data()
        if owner.column.codes.size():
            self._codes = owner.column.codes.data()
        return 0

    cdef int _read_texts(self, tuple rows, str name) except -1:
        cdef Py_ssize_t row
        cdef PyObject* items = <PyObject*> rows
        self._owner = rows
        self.size = PyTuple_GET_SIZE(items)
        self._views.resize(self.size)
        self.ascii = True
        for row in range(self.size):
            if row % BETWEEN_LOOKS == 0:
                PyErr_CheckSignals()
            if not view_of(PyTuple_GET_ITEM(items, row), &self._views[row], self._raw):
                error = refusal(rows[row], f"{name}[{self.first + row}]")
                if self._refused is None:
                    raise error
                self._refused.add(self.first + row, error)
                self._views[row] = View(NULL, 0)
                self.ascii = False
            elif not is_ascii(PyTuple_GET_ITEM(items, row)):
                self.ascii = False
        self.views = self._views.data()
        return 0

    cdef int _read_references(self, tuple rows, str name) except -1:
        cdef Py_ssize_t row
        self._owner = rows
        self.size = PyTuple_GET_SIZE(<PyObject*> rows)
        self._offsets.resize(self.size + 1)
        self._views.reserve(self.size)
        self._held.reserve(self.size)
        self.ascii = True
        for row in range(self.size):
            if row % BETWEEN_LOOKS == 0:  # not within a row: a handler may change its list
                PyErr_CheckSignals()
            if self._refused is None:
                self._read_row(rows, row, name)
            else:
                try:
                    self._read_row(rows, row, name)
                except Exception as error:
                    self._refused.add(self.first + row, error)
                    self._views.resize(self._offsets[row])  # no text of the row is scored
            self._offsets[row + 1] = self._views.size()
        self.views = self._views.data()
        self.row_offsets = self._offsets.data()
        return 0

    cdef int _read_row(self, tuple rows, Py_ssize_t row, str name) except -1:
        """Append the texts of a row."""
        cdef Py_ssize_t place
        cdef PyObject* item = PyTuple_GET_ITEM(<PyObject*> rows, row)
        cdef PyObject* text
        if PyList_CheckExact(item):
            for place in range(PyList_GET_SIZE(item)):
                text = PyList_GET_ITEM(item, place)
                # A list may change while a kernel runs without the GIL: own a reference to each
                # text.
                self._held.push_back(text)
                Py_INCREF(<object> text)
                self._push(text, row, place, name)
        elif is_text(item, self._raw):
            self._push(item, row, 0, name)
        elif item != <PyObject*> None:
            self._read_sequence(rows, row, name)
        return 0

    cdef int _read_sequence(self, tuple rows, Py_ssize_t row, str name) except -1:
        """Append the texts of a row that is neither a list nor a text."""
        cdef Py_ssize_t place
        cdef object source = rows[row]
        cdef PyObject* items
        if isinstance(source, (bytes, dict, set, frozenset, bytearray)) or not (
            hasattr(type(source), "__iter__") or hasattr(type(source), "__getitem__")
        ):
            raise TypeError(
                f"{name}[{self.first + row}] is {type(source).__name__}, expected str,"
                " a list of str, or None"
            )
        source = tuple(source)
        items = <PyObject*> source
        self._held.push_back(items)
        Py_INCREF(source)
        for place in range(PyTuple_GET_SIZE(items)):
            self._push(PyTuple_GET_ITEM(items, place), row, place, name)
        return 0

    cdef int _push(self, PyObject* item, Py_ssize_t row, Py_ssize_t place, str name) except -1:
        cdef View view
        if not view_of(item, &view, self._raw):
            raise refusal(<object> item, f"{name}[{self.first + row}][{place}]")
        if not is_ascii(item):
            self.ascii = False
        self._views.push_back(view)
        return 0


cdef list python_rows(object array, str name, object refused):
    """The rows of an array of pyarrow; None for a row with a text that is not UTF-8."""
    cdef list rows = []
    for row in range(len(array)):
        try:
            rows.append(array[row].as_py())
        except UnicodeDecodeError:
            rows.append(None)
            place = f"{name}[{row}]"
            refused.add(row, ValueError(f"{place} holds bytes that are not UTF-8; encode it so"))
    return rows


cdef TextColumn read_column(
    object source, str name, bint lists, str wanted, bint raw, object refused, int64_t first
):
    cdef TextColumn column = TextColumn.__new__(TextColumn)
    column._raw = raw
    column._refused = refused
    column.first = first
    cdef object exported = None
    if isinstance(source, TextColumn) and ((<TextColumn> source).row_offsets != NULL) == lists:
        return source
    if not isinstance(source, (list, tuple)) and is_arrow(source):
        exported = export_arrow(source, name)
    if exported is not None:
        try:
            column._read_arrow(exported, name, lists)
            column._refused = None
            return column
        except ValueError as error:
            if refused is None or "not UTF-8" not in str(error) or not hasattr(source, "slice"):
                raise
        # one by one, because some rows are refused; the rest of the array was checked before
        source = python_rows(source, name, refused)
    if lists:
        column._read_references(rows_of(source, name, wanted), name)
    else:
        column._read_texts(rows_of(source, name, wanted), name)
    column._refused = None
    return column


cpdef TextColumn texts(
    object source, str name, bint raw=False, object refused=None, int64_t first=0
):
    """A column with one text per row.

    `source` is a sequence of str (or bytes, read as UTF-8, if `raw`) or None, or an Arrow column of
    any string type: an object with `__arrow_c_stream__` or `__arrow_c_array__`, also a table of one
    column. `name` names the column in messages. Raise TypeError for anything else, ValueError for
    an unpaired surrogate or a broken Arrow array; both messages say where. If `refused` is given,
    its `add` gets the row and the error instead, and the row has no text. `first` is the number of
    row 0 in messages.


    >>> texts("the cat", "candidates")
    Traceback (most recent call last):
    TypeError: candidates is a str; pass a list of texts
    """
    return read_column(source, name, False, "a list of texts", raw, refused, first)


cpdef TextColumn references(
    object source, str name, bint raw=False, object refused=None, int64_t first=0
):
    """A column with a list of texts per row.

    Each row of the sequence `source` is a text (a list of one), a sequence of texts, or None (no
    text); or `source` is an Arrow column of lists of texts, or of texts. A null in a list stays.
    Everything else is as in `texts`.

    >>> references([["the cat", 5]], "references")
    Traceback (most recent call last):
    TypeError: references[0][1] is int, expected str or None
    """
    wanted = "a list with the references of each row"
    return read_column(source, name, True, wanted, raw, refused, first)
