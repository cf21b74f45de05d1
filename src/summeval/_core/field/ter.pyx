"""The translation edit rate of rows of texts."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.rows.arguments cimport failure, read_text
from summeval._core.rows.kernel cimport SummedKernel, TextEngine


cdef extern from "field/edits/ter_rows.hpp" namespace "summeval" nogil:
    cdef cppclass TerSetup:
        int tokenizer
        void of_sums(const double*, double*) noexcept

    cdef cppclass TerEngine(TextEngine, TerSetup):
        pass

    cdef cppclass Shift "summeval::ter::Shift":
        int64_t start "from"
        int64_t begin, middle, end

    cdef cppclass Done "summeval::ter::Done":
        vector[Shift] shifts
        vector[char] steps

    int trace_edits(const TerSetup&, View, View, Done&) except +


cdef enum:
    HOLD_GIL = 512  # bytes; 60 words take up to a tenth of a millisecond


cdef class TerKernel(SummedKernel):
    """The fewest edits and shifts; statistics: these, and the mean length of the references.

    The tokenizer is that of tercom, as `field.tokens` has it.
    """

    cdef TerEngine* ter

    def __cinit__(self):
        self.ter = new TerEngine()
        self.engine.reset(self.ter)

    def __init__(self, str name, int tokenizer):
        self.ter.tokenizer = tokenizer
        self.fields = ("value", "edits", "reference_length")
        self.describe((name,), {}, False, "references", HOLD_GIL)

    cdef void finish_sums(self, const double* sums, double* out) noexcept nogil:
        self.ter.of_sums(sums, out)

    def trace(self, candidate not None, reference not None) -> tuple[list, str]:
        """The shifts: first word of the stretch, and the pieces begin:middle:end that change places;
        then the steps: `=` and `s` of a word of both, `d` and `i` of one of one side alone.
        """
        cdef View own, other
        cdef Done done
        cdef int status
        cdef size_t k
        read_text(candidate, "candidate", &own, False)
        read_text(reference, "reference", &other, False)
        with nogil:
            status = trace_edits(self.ter[0], own, other, done)
        if status:
            raise failure(status, "candidate or reference", {})
        shifts = []
        for k in range(done.shifts.size()):
            shift = done.shifts[k]
            shifts.append((shift.start, shift.begin, shift.middle, shift.end))
        return shifts, (<bytes> done.steps.data()[:done.steps.size()]).decode("ascii")
