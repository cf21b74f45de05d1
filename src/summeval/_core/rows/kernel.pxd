# Shared by the kernels over rows of texts. Each is a C++ engine and the fields of its records.

from libc.stdint cimport int64_t
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport TextColumn, View
from summeval._core.rows.parallel cimport FirstFailure

# Above this size in bytes, single texts are scored without the GIL, too.
cdef enum:
    HOLD_GIL_BYTES = 16384


cdef extern from "rows/engine.hpp" namespace "summeval" nogil:
    cdef struct Rows:
        const View* candidates
        const View* references
        const int64_t* offsets
        int64_t size

    cdef cppclass Ready:
        size_t texts

    cdef cppclass TextEngine:
        size_t width() noexcept
        void score_rows(const Rows&, const Ready*, int, double*, FirstFailure&) except +
        int build(const View*, size_t, unique_ptr[Ready]&) except +
        int score_pair(const View*, size_t, View, vector[double]&) except +
        int score_ready(const Ready&, View, vector[double]&) except +


# Raises the failure of a batch, if there was one.
cdef void fail(FirstFailure& failed, TextColumn candidates, dict messages) except *


cdef class TextKernel:
    cdef unique_ptr[TextEngine] engine
    cdef readonly tuple names
    cdef tuple fields
    cdef Py_ssize_t primary
    cdef str against
    cdef dict messages
    cdef bint raw
    cdef int64_t hold_gil
    cdef public object on_foreign

    cdef object describe(
        self, tuple names, dict messages, bint raw, str against=*, int64_t hold_gil=*
    )
    cdef dict collect(self, const vector[double]& values)
    cdef dict finish(self, vector[double]& values)
    cdef object fill(
        self, const Rows& rows, const Ready* ready, TextColumn candidates, double[:, :, ::1] out,
        int workers, object refused
    )


cdef class SummedKernel(TextKernel):
    cdef void finish_sums(self, const double* sums, double* out) noexcept nogil


cdef class PreparedTexts:
    cdef TextKernel kernel
    cdef int64_t size  # bytes
    cdef tuple held  # the texts, which are read again if they are many
    cdef unique_ptr[Ready] ready
