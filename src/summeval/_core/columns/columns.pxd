from cpython.ref cimport PyObject
from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from summeval._core.text.views cimport View


cdef class TextColumn:
    # `size` counts rows. Without lists (row_offsets NULL) row i is views[i]; with lists it is
    # views[row_offsets[i]] to views[row_offsets[i + 1]]. Both live as long as the column. `ascii`
    # means that all texts are known to be ASCII. `first` is the number of row 0 in the column that
    # this is a part of.
    cdef readonly int64_t size
    cdef readonly int64_t first
    cdef readonly bint ascii
    cdef const View* views
    cdef const int64_t* row_offsets
    cdef const int64_t* _codes
    cdef vector[View] _views
    cdef vector[int64_t] _offsets
    cdef vector[PyObject*] _held
    cdef object _owner
    cdef bint _raw
    cdef object _refused

    cdef int _read_arrow(self, object exported, str name, bint lists) except -1
    cdef int _read_texts(self, tuple rows, str name) except -1
    cdef int _read_references(self, tuple rows, str name) except -1
    cdef int _read_row(self, tuple rows, Py_ssize_t row, str name) except -1
    cdef int _read_sequence(self, tuple rows, Py_ssize_t row, str name) except -1
    cdef int _push(self, PyObject* item, Py_ssize_t row, Py_ssize_t place, str name) except -1
    cdef object _text(self, int64_t index)


# Where the texts of a row begin among the views; those of the last row end where another would.
cdef inline int64_t begin_of(TextColumn column, int64_t row) noexcept:
    return row if column.row_offsets == NULL else column.row_offsets[row]


cdef TextColumn column_of(object owner, bint ascii)
cdef TextColumn closed(TextColumn made, bint lists)
cdef bint view_of(PyObject* item, View* out, bint raw) noexcept
cdef object refusal(object item, str place)
cpdef TextColumn texts(
    object source, str name, bint raw=*, object refused=*, int64_t first=*
)
cpdef TextColumn references(
    object source, str name, bint raw=*, object refused=*, int64_t first=*
)
