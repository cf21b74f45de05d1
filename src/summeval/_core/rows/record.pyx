"""Score, an immutable record of named numbers, and the columns of many: cheap for a reward loop."""

from collections.abc import Mapping
from numbers import Real

cimport cython
from cpython.dict cimport PyDict_SetItem, PyDict_Update
from cpython.sequence cimport PySequence_GetItem

_LONG = 60  # the repr shows other values up to this many characters


@cython.freelist(64)
cdef class Score:
    """The numbers that one metric gave one candidate.

    Fields are attributes and keys, in the order of the metric's `fields`. `value` is the main
    number of the metric; `float(score)` and `f"{score:.2f}"` use it. Iteration and unpacking give
    the numbers; `keys()`, `items()`, `in` and `score["recall"]` use names, so that `dict(score)`
    has names. A Score cannot be changed; it compares by fields and values, and can be pickled.

    Parameters
    ----------
    fields : tuple of str
        Names of the values, in order.
    values : tuple
        One value for each field: floats, or other objects that the metric documents.
    primary : str
        The field that `value` returns.

    Raises
    ------
    ValueError
        The numbers of values and fields differ, or `primary` is not a field.

    Examples
    --------
    >>> score = Score(("precision", "recall", "fmeasure"), (0.5, 1.0, 0.625), "fmeasure")
    >>> score.recall, score["precision"], score.value
    (1.0, 0.5, 0.625)
    >>> precision, recall, fmeasure = score
    >>> float(score), f"{score:.2f}", "recall" in score
    (0.625, '0.62', True)
    >>> dict(score)
    {'precision': 0.5, 'recall': 1.0, 'fmeasure': 0.625}
    """

    def __cinit__(self, *args, **kwargs):
        self.fields = ()
        self.values_ = ()
        self.primary = 0

    def __init__(self, tuple fields, tuple values, str primary):
        if len(fields) != len(values):
            raise ValueError(f"{len(values)} values for {len(fields)} fields; give one for each")
        if primary not in fields:
            raise ValueError(f"primary {primary!r} is not a field; choose from {', '.join(fields)}")
        self.fields = fields
        self.values_ = values
        self.primary = fields.index(primary)

    cdef Py_ssize_t place(self, object name):
        """The position of a field; -1 if there is no such field."""
        cdef Py_ssize_t i
        for i in range(len(self.fields)):
            if self.fields[i] is name:
                return i
        for i in range(len(self.fields)):
            if self.fields[i] == name:
                return i
        return -1

    @property
    def value(self):
        """The main number of the metric."""
        return self.values_[self.primary]

    def __getattr__(self, str name):
        cdef Py_ssize_t i = self.place(name)
        if i < 0:
            raise AttributeError(
                f"this Score has no field {name!r}; it has {', '.join(self.fields)}"
            )
        return self.values_[i]

    def __getitem__(self, name):
        cdef Py_ssize_t i = self.place(name)
        if i < 0:
            if name == "value":
                return self.value
            raise KeyError(f"this Score has no field {name!r}; it has {', '.join(self.fields)}")
        return self.values_[i]

    def __contains__(self, name):
        return self.place(name) >= 0

    def __iter__(self):
        # Parts that are not numbers are reached by name alone, so that any Score unpacks to its
        # fields.
        return iter([value for value in self.values_ if isinstance(value, Real)])

    def __float__(self):
        return float(self.value)

    def __format__(self, spec):
        return format(self.value, spec) if spec else str(self)

    def __len__(self):
        return len(self.fields)

    def keys(self):
        """The field names, in order."""
        return self.fields

    def values(self):
        """The values, in the order of the fields."""
        return self.values_

    def items(self):
        """Pairs of field and value."""
        return tuple(zip(self.fields, self.values_))

    def _asdict(self):
        """A dict of the fields, as a named tuple gives it; so does `dict(score)`."""
        return dict(zip(self.fields, self.values_))

    def get(self, name, default=None):
        """The value of a field, or `default` if there is no such field."""
        cdef Py_ssize_t i = self.place(name)
        return default if i < 0 else self.values_[i]

    def __eq__(self, other):
        if not isinstance(other, Score):
            return NotImplemented
        cdef Score that = other
        return self.fields == that.fields and self.values_ == that.values_

    def __hash__(self):
        return hash((self.fields, self.values_))

    def __reduce__(self):
        return Score, (self.fields, self.values_, self.fields[self.primary])

    def __dir__(self):
        return [*object.__dir__(self), *self.fields]

    def __repr__(self):
        inside = ", ".join(f"{name}={_shown(value)}" for name, value in self.items())
        return f"Score({inside})"


def _shown(value):
    """A value in a Score's repr: numbers in full, other long values shortened."""
    if isinstance(value, float):
        return float.__repr__(value)  # the repr of a NumPy float includes its type
    text = repr(value)
    if len(text) <= _LONG or not isinstance(value, (Score, Mapping, tuple, list)):
        return text
    if isinstance(value, (Score, Mapping)):
        return f"<{', '.join(map(str, value.keys()))}>"
    return f"<{len(value)} items>"


cdef Score new_score(tuple fields, tuple values, Py_ssize_t primary):
    """A Score from arguments that are known to be valid."""
    cdef Score score = Score.__new__(Score)
    score.fields = fields
    score.values_ = values
    score.primary = primary
    return score


cdef object _empty = None  # NumPy's own; NumPy is imported when the first array is made
cdef object _array = None
cdef object _float64 = None


def new_block(Py_ssize_t metrics, Py_ssize_t fields, Py_ssize_t rows):
    """An array [metric, field, row] to be filled.

    An import in a function of Python would take longer than the scores of a short text.

    >>> new_block(3, 2, 100).shape
    (3, 2, 100)
    """
    global _empty
    if _empty is None:
        from numpy import empty

        _empty = empty
    return _empty((metrics, fields, rows))


cdef int put_numbers(object table, dict blank, bytes numbers, Py_ssize_t rows) except -1:
    global _array, _float64
    cdef Py_ssize_t i = 0
    if _array is None:
        from numpy import dtype, ndarray

        _float64 = dtype("float64")
        _array = ndarray
    sheet = _array((len(blank), rows), _float64, numbers)
    # the dict's own functions, since a ScoreTable refuses to be changed; keys come in one piece
    PyDict_Update(table, blank)
    for name in blank:
        PyDict_SetItem(table, name, PySequence_GetItem(sheet, i))
        i += 1
    return 0


def named_columns(tuple names, blocks, list places, Py_ssize_t rows) -> dict:
    """The columns of blocks [metric, field, row] by their names, read-only and without a copy.

    places : for each name the place of its column in the blocks; None if that is their order.

    >>> import numpy
    >>> named_columns(("a.recall", "b.recall"), [numpy.ones((2, 1, 3))], [1, 0], 3)["b.recall"]
    array([1., 1., 1.])
    """
    cdef list found = []
    cdef dict columns = {}
    cdef tuple shape
    cdef Py_ssize_t i, width
    for block in blocks:
        shape = block.shape
        width = <Py_ssize_t> shape[0] * <Py_ssize_t> shape[1]
        sheet = block.reshape(width, rows)
        sheet.setflags(False)  # not to be written to: neither are its rows
        for i in range(width):
            found.append(PySequence_GetItem(sheet, i))  # two thirds of the time of sheet[i]
    for i in range(len(names)):
        columns[names[i]] = found[i if places is None else places[i]]
    return columns


Mapping.register(Score)
