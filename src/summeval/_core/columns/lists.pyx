"""Rows of texts taken apart and put together: for metrics that compare references with each other.

The definitions are in tests/definitions/columns. The columns that are made share the bytes of those
that they are made of.
"""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport TextColumn, View, begin_of, closed, column_of


cdef extern from "columns/distinct.hpp" namespace "summeval" nogil:
    void distinct_rows(
        const View*, const int64_t*, int64_t, vector[int64_t]&, int64_t*
    ) except +


def sizes(TextColumn column) -> object:
    """How many texts each row has, None not counted, as an int64 array.

    >>> from summeval._core.columns.columns import references
    >>> sizes(references(["a", ["b", None], None], "references")).tolist()
    [1, 1, 0]
    """
    import numpy as np

    cdef int64_t row, item
    found = np.zeros(column.size, dtype=np.int64)
    cdef int64_t[::1] out = found
    for row in range(column.size):
        for item in range(begin_of(column, row), begin_of(column, row + 1)):
            out[row] += column.views[item].data != NULL
    return found


def present(TextColumn column) -> TextColumn:
    """The rows as lists without None.

    >>> from summeval._core.columns.columns import references
    >>> present(references([["a", None], [None], None], "references")).to_list()
    [['a'], [], []]
    """
    cdef TextColumn made = column_of(column, column.ascii)
    cdef int64_t row, item
    made.first = column.first
    made._offsets.push_back(0)
    for row in range(column.size):
        for item in range(begin_of(column, row), begin_of(column, row + 1)):
            if column.views[item].data != NULL:
                made._views.push_back(column.views[item])
        made._offsets.push_back(made._views.size())
    return closed(made, True)


def items(TextColumn column, bint lists=False) -> TextColumn:
    """The texts of all rows, each a row and None left out; as lists of one if `lists`.

    >>> from summeval._core.columns.columns import references
    >>> items(references([["a", None], ["b", "c"]], "references")).to_list()
    ['a', 'b', 'c']
    """
    cdef TextColumn made = column_of(column, column.ascii)
    cdef int64_t item
    made._offsets.push_back(0)
    if column.size:
        for item in range(begin_of(column, 0), begin_of(column, column.size)):
            if column.views[item].data != NULL:
                made._views.push_back(column.views[item])
                made._offsets.push_back(made._views.size())
    return closed(made, lists)


def joined(TextColumn first, TextColumn second) -> TextColumn:
    """The rows of a column of texts, then those of another.

    >>> from summeval._core.columns.columns import texts
    >>> joined(texts(["a"], "candidates"), texts(["b", None], "candidates")).to_list()
    ['a', 'b', None]
    """
    if first.row_offsets != NULL or second.row_offsets != NULL:
        raise TypeError("only columns with one text in a row are joined")
    cdef TextColumn made = column_of((first, second), first.ascii and second.ascii)
    cdef TextColumn column
    cdef int64_t row
    made._views.reserve(first.size + second.size)
    for column in (first, second):
        for row in range(column.size):
            made._views.push_back(column.views[row])
    return closed(made, False)


def distinct(TextColumn column) -> tuple:
    """Each row that differs from all before it, and for each row where its texts are among these.

    Both are int64 arrays. Two rows are alike if they have the same texts in the same order.

    >>> from summeval._core.columns.columns import references
    >>> rows, places = distinct(references([["a", "b"], ["c"], ["a", "b"]], "references"))
    >>> rows.tolist(), places.tolist()
    ([0, 1], [0, 1, 0])
    """
    import numpy as np

    cdef vector[int64_t] first
    cdef size_t place
    places = np.empty(column.size, dtype=np.int64)
    if column.size == 0:
        return places, places
    cdef int64_t[::1] out = places
    with nogil:
        distinct_rows(column.views, column.row_offsets, column.size, first, &out[0])
    rows = np.empty(first.size(), dtype=np.int64)
    cdef int64_t[::1] found = rows
    for place in range(first.size()):
        found[place] = first[place]
    return rows, places
