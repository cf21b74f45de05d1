"""CIDEr and CIDEr-D of rows of texts, and the rows that have each n-gram."""

from libc.stdint cimport UINT32_MAX, int64_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr
from libcpp.string cimport string
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport TextColumn, View
from summeval._core.field.tokens import TOKENIZERS as _TOKENIZERS
from summeval._core.rows.arguments cimport failure
from summeval._core.rows.kernel cimport TextEngine, TextKernel


cdef extern from "field/grams/cider.hpp" namespace "summeval" nogil:
    cdef cppclass CppFrequencies "summeval::Frequencies":
        uint32_t rows
        vector[string] tokens
        size_t size()
        int add(const View*, size_t, int) except +
        uint32_t count(const vector[string]&) except +
        cbool restore_token(const string&) except +
        cbool restore_gram(uint32_t, uint32_t, uint32_t) except +
        void tell(uint32_t*)
        void shrink()

    shared_ptr[CppFrequencies] make_frequencies "std::make_shared<summeval::Frequencies>"() except +

    cdef cppclass CiderSetup:
        int tokenizer
        bint clipped
        double sigma
        void use(shared_ptr[const CppFrequencies]) except +

    cdef cppclass CiderEngine(TextEngine, CiderSetup):
        pass


cdef class Frequencies:
    """In how many rows of references each n-gram is, of orders up to 4.

    Parameters
    ----------
    rows : int
    tokens : list of bytes
        Each once.
    grams : array of uint32 [n-gram, 3]
        The place of the n-gram before the last token, from 1 (0 for none), that of its last token,
        from 1, and in how many rows it is.

    Raises
    ------
    ValueError
        If they are no such table.
    """

    cdef shared_ptr[CppFrequencies] table

    def __cinit__(self):
        self.table = make_frequencies()

    def __init__(self, uint32_t rows, list tokens, const uint32_t[:, ::1] grams):
        cdef CppFrequencies* table = self.table.get()
        cdef Py_ssize_t k
        cdef cbool whole = grams.shape[1] == 3 and grams.shape[0] < UINT32_MAX
        cdef string token
        if table.size() or table.tokens.size():
            raise TypeError("a table stays as it is")
        table.rows = rows
        for token in tokens:
            whole = whole and table.restore_token(token)
        for k in range(grams.shape[0] if whole else 0):
            whole = (
                grams[k, 0] <= <size_t> k
                and 1 <= grams[k, 1] <= table.tokens.size()
                and 1 <= grams[k, 2] <= rows
                and table.restore_gram(grams[k, 0], grams[k, 1], grams[k, 2])
            )
            if not whole:
                break
        if not whole:
            raise ValueError("it is no table of n-grams and the rows that have them")

    @staticmethod
    def of(TextColumn references not None, str tokenizer not None, TextColumn candidates=None):
        """Count the rows of a column; without those that have no candidate, if these are given."""
        import numpy as np

        cdef Frequencies made = Frequencies(0, [], np.empty((0, 3), np.uint32))
        cdef CppFrequencies* table = made.table.get()
        cdef int status = 0, kind = _TOKENIZERS[tokenizer]
        cdef int64_t row = 0, item, begin, end, size = references.size
        cdef vector[View] views
        if candidates is not None and candidates.size != size:
            raise ValueError("the columns must have as many rows")
        with nogil:
            for row in range(size):
                if candidates is not None and candidates.views[row].data == NULL:
                    continue
                begin, end = row, row + 1
                if references.row_offsets != NULL:
                    begin, end = references.row_offsets[row], references.row_offsets[row + 1]
                views.clear()
                for item in range(begin, end):
                    if references.views[item].data != NULL:
                        views.push_back(references.views[item])
                status = table.add(views.data(), views.size(), kind)
                if status:
                    break
            table.shrink()
        if status:
            raise failure(status, f"row {references.first + row}", {})
        return made

    @property
    def rows(self):
        return self.table.get().rows

    def count(self, list tokens):
        """Return in how many rows the n-gram of these tokens (bytes) is."""
        return self.table.get().count(tokens)

    def parts(self):
        """Return what makes an equal table: rows, tokens, n-grams."""
        import numpy as np

        cdef CppFrequencies* table = self.table.get()
        grams = np.empty((table.size(), 3), np.uint32)
        cdef uint32_t[:, ::1] out = grams
        if table.size():
            table.tell(&out[0, 0])
        return table.rows, list(table.tokens), grams

    def __repr__(self):
        return f"<Frequencies of {self.rows} rows>"

    def __reduce__(self):
        return Frequencies, self.parts()


cdef class CiderKernel(TextKernel):
    """n-grams in common, by their weights.

    `tokenizer` is one of `TOKENIZERS`; `sigma` is that of the difference in length; `clipped` says
    whether it is CIDEr-D.
    """

    def __cinit__(self):
        self.engine.reset(new CiderEngine())

    def __init__(
        self, str name, str tokenizer, Frequencies frequencies not None, double sigma, bint clipped
    ):
        cdef CiderEngine* cider = <CiderEngine*> self.engine.get()
        cider.tokenizer = _TOKENIZERS[tokenizer]
        cider.use(<shared_ptr[const CppFrequencies]> frequencies.table)
        cider.sigma, cider.clipped = sigma, clipped
        self.fields = ("value",)
        self.describe((name,), {}, tokenizer == "marked")
