"""Shared by the kernels over rows of texts: arguments, the GIL, failures, prepared references."""

from cpython.ref cimport PyObject
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t
from libcpp.limits cimport numeric_limits
from libcpp.vector cimport vector

from summeval._core.rows.arguments cimport as_tuple, failure, read_references, read_text
from summeval._core.columns.columns cimport TextColumn, View, references as text_lists, texts
from summeval._core.rows.parallel cimport FirstFailure
from summeval._core.rows.record cimport new_score, put_numbers

from summeval._problem import of_row


cdef enum:
    SOME_ROWS = 4096  # batches of no more rows are scored the shortest way
    FEW_ROWS = 16  # and of no more rows, and no more references, with the GIL if texts are short


cdef extern from "Python.h":
    bint PyUnicode_Check(object) noexcept
    bint PyUnicode_IS_ASCII(object) noexcept
    ctypedef struct PyTypeObject:
        object (*tp_new)(type, tuple, PyObject*)


cdef extern from "text/foreign.hpp" namespace "summeval" nogil:
    cdef cppclass Words:
        int64_t all, cut
    void count_words(const View&, Words&) noexcept


cdef inline bint is_strange(object text) noexcept:
    """Whether a text has characters outside ASCII; a str knows it."""
    return PyUnicode_Check(text) and not PyUnicode_IS_ASCII(text)


cdef inline bint any_strange(tuple texts) noexcept:
    cdef object text
    for text in texts:
        if is_strange(text):
            return True
    return False


cdef object notice(object call, View candidate, const vector[View]& views):
    """Call `on_foreign` if some word has a letter outside ASCII; it gets a text, or its beginning."""
    cdef size_t i
    cdef Words words
    cdef View strange = candidate
    count_words(candidate, words)
    for i in range(views.size()):
        if not words.cut:
            strange = views[i]
        count_words(views[i], words)
    if words.cut:
        call(words.all, words.cut, strange.data[:min(strange.size, 512)])


cdef void fail(FirstFailure& failed, TextColumn candidates, dict messages) except *:
    if failed.any():
        row = candidates.first + failed.row()
        raise of_row(failure(failed.status(), f"row {row}", messages), row)


cdef bint is_small(const Rows& rows, int64_t most) noexcept:
    """Whether there are few rows, with no more bytes than `most`."""
    cdef int64_t row, item, last, size = 0
    if rows.size > FEW_ROWS:
        return False
    last = rows.size if rows.offsets == NULL else rows.offsets[rows.size]
    item = 0 if rows.offsets == NULL else rows.offsets[0]
    if last - item > FEW_ROWS:
        return False
    for row in range(rows.size):
        size += rows.candidates[row].size
    for item in range(item, last):
        size += rows.references[item].size
    return size <= most


cdef class TextKernel:
    """Scores texts against other texts. A subclass fills `engine` and describes itself at creation.
    It sets `fields`, of which the one at `primary` is the value, or turns the numbers of its engine
    for a single pair into records of other forms.

    Attributes
    ----------
    names : tuple of str
        The keys of the Scores in what `score_pair` returns; a kernel of one has a parameter `name`.
    on_foreign : callable or None
        Called, if `score_pair` or `prepare` gets texts with words that a tokeniser of ASCII letters
        and digits cuts or drops, with the number of all words and of these.
    """

    cdef object describe(
        self, tuple names, dict messages, bint raw, str against="references",
        int64_t hold_gil=HOLD_GIL_BYTES
    ):
        """messages: why the engine refuses a text, by status, beside its length. raw: whether texts
        are bytes made from tokens. against: the name of what a candidate is compared with.
        """
        self.names = names
        self.messages = messages
        self.raw = raw
        self.against = against
        self.hold_gil = hold_gil

    cdef dict collect(self, const vector[double]& values):
        """The records of one pair."""
        cdef tuple record = tuple([values[k] for k in range(<size_t> len(self.fields))])
        return {self.names[0]: new_score(self.fields, record, self.primary)}

    cdef dict finish(self, vector[double]& values):
        """The records; without values, those of a pair that lacks a text."""
        if values.empty():
            values.assign(self.engine.get().width(), numeric_limits[double].quiet_NaN())
        return self.collect(values)

    def fill_rows(
        self, TextColumn candidates, TextColumn references, double[:, :, ::1] out, int workers=1,
        refused=None
    ):
        """Fill out[measure, field, row]; rows without candidate or reference get NaN.

        If the engine refuses a row, raise; or, if `refused` is given, pass the row to its `add`.
        """
        cdef Rows rows = Rows(
            candidates.views, references.views, references.row_offsets, candidates.size
        )
        self.fill(rows, NULL, candidates, out, workers, refused)

    cdef object fill(
        self, const Rows& rows, const Ready* ready, TextColumn candidates, double[:, :, ::1] out,
        int workers, object refused
    ):
        cdef FirstFailure failed
        cdef vector[uint8_t] statuses
        cdef Py_ssize_t i, j
        cdef size_t row
        if out.shape[0] == 0 or out.shape[1] == 0 or out.shape[2] == 0:
            return
        if refused is not None:
            statuses.resize(candidates.size)
            failed.keep(statuses.data())
        with nogil:
            self.engine.get().score_rows(rows, ready, workers, &out[0, 0, 0], failed)
        if refused is None or not failed.any():
            fail(failed, candidates, self.messages)
            return
        for row in range(statuses.size()):
            if statuses[row]:
                number = candidates.first + <int64_t> row
                refused.add(number, failure(statuses[row], f"row {number}", self.messages))
                for i in range(out.shape[0]):
                    for j in range(out.shape[1]):
                        out[i, j, row] = numeric_limits[double].quiet_NaN()

    def few_rows(self, type kind, dict blank, candidates, references, int workers=1):
        """The scores of a few rows: a dict of type `kind`, a read-only column for each of `blank`.

        Returns the dict alone if all texts are known to be ASCII, else both columns and the dict;
        None is in its place if rows are many or encoded, or sides differ. The numbers are those of
        `fill_rows`; what is quicker is all around them. `kind` is a subclass of dict, which is
        made without a call of its __init__ and gets the number of rows as `_rows`.
        """
        cdef TextColumn left = texts(candidates, "candidates")
        cdef TextColumn right = text_lists(references, "references")
        cdef Rows rows = Rows(left.views, right.views, right.row_offsets, left.size)
        cdef TextEngine* engine = self.engine.get()
        cdef FirstFailure failed
        cdef Py_ssize_t width = engine.width()
        cdef bytes numbers
        cdef double* out
        if left.size > SOME_ROWS or left.size != right.size or left._codes or right._codes:
            return left, right, None
        if len(blank) != width:
            raise ValueError(f"{len(blank)} names for {width} columns")
        numbers = PyBytes_FromStringAndSize(NULL, width * rows.size * sizeof(double))
        out = <double*> PyBytes_AS_STRING(numbers)
        if width and rows.size:
            if workers == 1 and is_small(rows, self.hold_gil):
                engine.score_rows(rows, NULL, workers, out, failed)
            else:
                with nogil:
                    engine.score_rows(rows, NULL, workers, out, failed)
            fail(failed, left, self.messages)
        table = (<PyTypeObject*> dict).tp_new(kind, (), NULL)
        put_numbers(table, blank, numbers, rows.size)
        table._rows = rows.size
        return table if left.ascii and right.ascii else (left, right, table)

    def score_pair(self, candidate, references) -> dict:
        """Scores of one candidate against a str or a sequence of str: {name: Score}."""
        cdef TextEngine* engine = self.engine.get()
        cdef vector[View] views
        cdef View view
        cdef vector[double] values
        cdef int64_t size
        cdef int status = 0
        held = as_tuple(references, self.against)
        read_text(candidate, "candidate", &view, self.raw)
        size = view.size + read_references(held, views, self.raw, self.against)
        if view.data != NULL and not views.empty():
            if self.on_foreign is not None and (is_strange(candidate) or any_strange(held)):
                notice(self.on_foreign, view, views)
            if size <= self.hold_gil:
                status = engine.score_pair(views.data(), views.size(), view, values)
            else:
                with nogil:
                    status = engine.score_pair(views.data(), views.size(), view, values)
        if status:
            raise failure(status, f"candidate or {self.against}", self.messages)
        return self.finish(values)

    def prepare(self, references) -> PreparedTexts:
        """Read a str or a sequence of str once, for many candidates."""
        cdef PreparedTexts prepared = PreparedTexts.__new__(PreparedTexts)
        cdef TextEngine* engine = self.engine.get()
        cdef vector[View] views
        cdef int status
        held = as_tuple(references, self.against)
        prepared.size = read_references(held, views, self.raw, self.against)
        prepared.kernel = self
        prepared.held = held
        if self.on_foreign is not None and any_strange(held):
            notice(self.on_foreign, View(NULL, 0), views)
        with nogil:
            status = engine.build(views.data(), views.size(), prepared.ready)
        if status:
            raise failure(status, self.against, self.messages)
        return prepared


cdef class SummedKernel(TextKernel):
    """A kernel of one metric whose score of a corpus comes from statistics that add up over rows.

    A row of its engine has the fields, and behind them the statistics. A subclass sets `fields`.
    """

    cdef void finish_sums(self, const double* sums, double* out) noexcept nogil:
        """The fields of sums of statistics; each subclass has its own."""

    @property
    def statistics(self):
        """How many statistics a row has."""
        return self.engine.get().width() - <size_t> len(self.fields)

    def of_sums(self, const double[:, ::1] sums, double[:, ::1] out):
        """Fill out[row, field] from sums[row, statistic]."""
        cdef Py_ssize_t row
        if (
            sums.shape[0] != out.shape[0]
            or sums.shape[1] != self.statistics
            or out.shape[1] != len(self.fields)
        ):
            raise ValueError(
                f"sums are [{sums.shape[0]}, {sums.shape[1]}]; give {self.statistics} in each row"
            )
        for row in range(sums.shape[0]):
            self.finish_sums(&sums[row, 0], &out[row, 0])


cdef class PreparedTexts:
    """References, or documents of an input, that were read once. Threads may share them."""

    def score_pair(self, candidate) -> dict:
        """Scores of one candidate: {name: Score}."""
        cdef TextEngine* engine = self.kernel.engine.get()
        cdef const Ready* ready = self.ready.get()
        cdef View view
        cdef vector[double] values
        cdef int status = 0
        read_text(candidate, "candidate", &view, self.kernel.raw)
        if view.data != NULL and ready.texts != 0:
            if self.kernel.on_foreign is not None and is_strange(candidate):
                notice(self.kernel.on_foreign, view, vector[View]())
            if view.size + self.size <= self.kernel.hold_gil:
                status = engine.score_ready(ready[0], view, values)
            else:
                with nogil:
                    status = engine.score_ready(ready[0], view, values)
        if status:
            raise failure(status, "candidate", self.kernel.messages)
        return self.kernel.finish(values)

    def fill_rows(
        self, TextColumn candidates, double[:, :, ::1] out, int workers=1, refused=None
    ):
        """Fill out[measure, field, row]; rows without candidate get NaN, without references all."""
        cdef Rows rows = Rows(candidates.views, NULL, NULL, candidates.size)
        self.kernel.fill(rows, self.ready.get(), candidates, out, workers, refused)
