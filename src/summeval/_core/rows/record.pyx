"""Score, an immutable record of named numbers, and the columns of many: cheap for a reward loop."""

from collections.abc import Mapping
from numbers import Real

from cpython.dict cimport PyDict_SetItem, PyDict_Update
from cpython.sequence cimport PySequence_GetItem

cdef extern from *:
    """
    #include <stddef.h>

    // What Cython makes of Score: a float with its fields; checked when the module is imported.
    typedef struct {
        PyFloatObject number;
        PyObject *fields, *values;
        Py_ssize_t primary;
    } ScoreLayout;

    static newfunc score_without_arguments;

    // float.__new__ refuses the arguments of Score, which only its __init__ reads.
    static PyObject *score_of_any_arguments(PyTypeObject *type, PyObject *args, PyObject *options) {
        PyObject *none = PyTuple_New(0);
        PyObject *made = none ? score_without_arguments(type, none, NULL) : NULL;
        Py_XDECREF(none);
        (void) args, (void) options;
        return made;
    }

    static int take_any_arguments(PyTypeObject *type) {
        score_without_arguments = type->tp_new;
        type->tp_new = score_of_any_arguments;
        return type->tp_basicsize == (Py_ssize_t) sizeof(ScoreLayout);
    }

    static void set_number(PyObject *score, double number) {
        ((PyFloatObject *) score)->ob_fval = number;
    }

    // float.__new__ would make a float first, to copy it: half of the time. Nothing can refer back
    // to a Score, so the garbage collector need not see it.
    static PyObject *score_of(
        PyTypeObject *type, PyObject *fields, PyObject *values, Py_ssize_t primary, double number
    ) {
        ScoreLayout *score = PyObject_GC_New(ScoreLayout, type);
        if (!score) return NULL;
        Py_INCREF(fields);
        Py_INCREF(values);
        score->number.ob_fval = number;
        score->fields = fields;
        score->values = values;
        score->primary = primary;
        return (PyObject *) score;
    }
    """
    bint take_any_arguments(type)
    void set_number(object, double)
    object score_of(type, object, object, Py_ssize_t, double)

_LONG = 60  # the repr shows other values up to this many characters


cdef class Score(float):
    """The numbers that one metric gave one candidate; a float, the main number of the metric.

    So it can be added, compared, sorted, averaged and written as JSON wherever a number can; the
    results are plain floats. `value` is that number alone. Fields are attributes and keys, in the
    order of the metric's `fields`. Iteration and unpacking give the numbers; `keys()`, `items()`,
    `in` and `score["recall"]` use names, so that `dict(score)` and `score._asdict()` have names.

    Two Scores are equal if their fields and values are; a Score equals any other number that its
    value equals. A Score cannot be changed, and can be pickled.

    Parameters
    ----------
    fields : tuple of str
        Names of the values, in order. A number alone has the one field `value`, as the mean of
        Scores by `statistics.mean`.
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
    >>> sum([score, score]), score > 0.5, sorted([score, 0.1])[0]
    (1.25, True, 0.1)
    >>> import json
    >>> json.dumps({"value": score, "all": score._asdict()})
    '{"value": 0.625, "all": {"precision": 0.5, "recall": 1.0, "fmeasure": 0.625}}'
    """

    def __cinit__(self, *args, **kwargs):
        self.fields = ()
        self.values_ = ()
        self.primary = 0

    def __init__(self, fields, tuple values=None, str primary=None):
        if values is None and primary is None and isinstance(fields, Real):
            fields, values, primary = ("value",), (float(fields),), "value"
        if not isinstance(fields, tuple) or values is None or primary is None:
            raise TypeError("a Score has a tuple of fields, a tuple of values and the primary field")
        if len(fields) != len(values):
            raise ValueError(f"{len(values)} values for {len(fields)} fields; give one for each")
        if primary not in fields:
            raise ValueError(f"primary {primary!r} is not a field; choose from {', '.join(fields)}")
        self.fields = fields
        self.values_ = values
        self.primary = fields.index(primary)
        set_number(self, _number(values[self.primary]))

    @property
    def value(self):
        """The main number of the metric."""
        return self.values_[self.primary]

    def __getattr__(self, str name):
        cdef Py_ssize_t i = _place(self.fields, name)
        if i < 0:
            raise AttributeError(
                f"this Score has no field {name!r}; it has {', '.join(self.fields)}"
            )
        return self.values_[i]

    def __getitem__(self, name):
        cdef Py_ssize_t i = _place(self.fields, name)
        if i < 0:
            if name == "value":
                return self.value
            raise KeyError(f"this Score has no field {name!r}; it has {', '.join(self.fields)}")
        return self.values_[i]

    def __contains__(self, name):
        return _place(self.fields, name) >= 0

    def __iter__(self):
        # Parts that are not numbers are reached by name alone, so that any Score unpacks to its
        # fields.
        return iter([
            value for value in self.values_ if isinstance(value, Real) and type(value) is not Score
        ])

    def __format__(self, format_spec):
        return format(self.value, format_spec) if format_spec else str(self)

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
        cdef Py_ssize_t i = _place(self.fields, name)
        return default if i < 0 else self.values_[i]

    def __eq__(self, other):
        if not isinstance(other, Score):
            return float.__eq__(self, other)
        cdef Score that = other
        return self.fields == that.fields and self.values_ == that.values_

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.value)  # as that of the number which it equals

    def __reduce__(self):
        return Score, (self.fields, self.values_, self.fields[self.primary])

    def __dir__(self):
        return [*object.__dir__(self), *self.fields]

    def __repr__(self):
        inside = ", ".join(f"{name}={_shown(value)}" for name, value in self.items())
        return f"Score({inside})"


def _shown(value):
    """A value in a Score's repr: numbers in full, other long values shortened."""
    if isinstance(value, float) and not isinstance(value, Score):
        return float.__repr__(value)  # the repr of a NumPy float includes its type
    text = repr(value)
    if len(text) <= _LONG or not isinstance(value, (Score, Mapping, tuple, list)):
        return text
    if isinstance(value, (Score, Mapping)):
        return f"<{', '.join(map(str, value.keys()))}>"
    return f"<{len(value)} items>"


cdef Py_ssize_t _place(tuple fields, object name):
    """The position of a field; -1 if there is no such field."""
    cdef Py_ssize_t i
    for i in range(len(fields)):
        if fields[i] is name:
            return i
    for i in range(len(fields)):
        if fields[i] == name:
            return i
    return -1


cdef double _number(object value):
    """A value as a C number; NaN if it is none."""
    try:
        return value
    except TypeError:
        return float("nan")


cdef Score new_score(tuple fields, tuple values, Py_ssize_t primary):
    """A Score from arguments that are known to be valid."""
    return score_of(Score, fields, values, primary, _number(values[primary]))


if not take_any_arguments(Score):
    raise SystemError("a Score is not laid out as record.pyx says; correct ScoreLayout")


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
