# distutils: language = c++
"""ROUGE over rows of texts: one pass reads each text and counts for every measure asked for."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from libcpp.limits cimport numeric_limits
from libcpp.vector cimport vector

from summeval._core.arguments cimport (
    HOLD_GIL_BYTES,
    RAW,
    as_tuple,
    failure,
    read_references,
    read_text,
)
from summeval._core.batch cimport FirstFailure, Rows
from summeval._core.columns cimport TextColumn, View
from summeval._core.columns cimport references as reference_column, texts as text_column
from summeval._core.record cimport new_score
from summeval._core.text cimport Analyzer, CppAnalyzer


cdef extern from "rouge.hpp" namespace "summeval" nogil:
    cdef struct Measure:
        int kind
        int order
        cbool unigrams
        double weight

    cdef struct Counts:
        double hits
        double reference
        double candidate
        double base

    cdef cppclass Plan:
        vector[Measure] measures
        void add(Measure) except +


cdef extern from "aggregate.hpp" namespace "summeval" nogil:
    cdef struct Scoring:
        int aggregate
        cbool jackknife
        cbool script_digits
        double alpha

    cdef struct Fscore:
        double precision
        double recall
        double fmeasure

    double c_five_decimals "summeval::five_decimals"(double) noexcept


cdef extern from "rouge_rows.hpp" namespace "summeval" nogil:
    cdef cppclass RougeEngine:
        CppAnalyzer analyzer
        Plan plan
        Scoring scoring

    cdef cppclass RougeReferences:
        size_t size()

    void score_rows(RougeEngine&, const Rows&, int, double*, FirstFailure&) except +
    void score_prepared_rows(
        RougeEngine&, const RougeReferences&, const View*, int64_t, int, double*, FirstFailure&
    ) except +
    void count_rows(RougeEngine&, const Rows&, int, Counts*, FirstFailure&) except +
    int build_references(RougeEngine&, const View*, size_t, RougeReferences&) noexcept
    int score_pair(RougeEngine&, const View*, size_t, View, Fscore*) noexcept
    int score_prepared(RougeEngine&, const RougeReferences&, View, Fscore*) noexcept


KINDS = {"ngram": 0, "lcs": 1, "union-lcs": 2, "weighted-lcs": 3, "skip": 4}
AGGREGATES = {"max": 0, "average": 1, "best": 2}
cdef tuple FIELDS = ("precision", "recall", "fmeasure")

cdef dict MESSAGES = {
    1: "a text is longer than 1 GiB; shorten it",
    2: "two sentences are too long for rougeLsum; put sentences on lines, or set max_words",
    3: "the texts are too long for rougeW; put sentences on lines, or set max_words",
    4: "too many skip-bigrams; give a gap such as rougeS4, or set max_words",
}


cdef class RougeKernel:
    """Measures, analysis and aggregation, ready to score.

    Parameters
    ----------
    analyzer : Analyzer
    measures : sequence of (kind, order, unigrams, weight)
        kind: a key of KINDS; order: n of "ngram", gap of "skip" (-1: any);
        unigrams: count them too ("skip"); weight: of "weighted-lcs".
    names : tuple of str
        The key of each measure in what `score` returns.
    aggregate : {"max", "average", "best"}
    """

    cdef RougeEngine* engine
    cdef readonly tuple names
    cdef Analyzer analyzer

    def __cinit__(self):
        self.engine = new RougeEngine()

    def __dealloc__(self):
        del self.engine

    def __init__(
        self,
        Analyzer analyzer,
        measures,
        tuple names,
        str aggregate="max",
        cbool jackknife=False,
        cbool script_digits=False,
        double alpha=0.5,
    ):
        cdef Measure measure
        self.names = names
        self.analyzer = analyzer
        self.engine.analyzer = analyzer.cpp
        for kind, order, unigrams, weight in measures:
            measure.kind = KINDS[kind]
            measure.order = order
            measure.unigrams = unigrams
            measure.weight = weight
            self.engine.plan.add(measure)
        self.engine.scoring.aggregate = AGGREGATES[aggregate]
        self.engine.scoring.jackknife = jackknife
        self.engine.scoring.script_digits = script_digits
        self.engine.scoring.alpha = alpha

    def score_batch(
        self, TextColumn candidates, TextColumn references, double[:, :, ::1] out, int workers=1
    ):
        """Fill out[measure, field, row]; rows without a text get NaN."""
        cdef Rows rows = Rows(
            candidates.views, references.views, references.row_offsets, candidates.size
        )
        cdef FirstFailure failed
        if rows.size == 0 or self.engine.plan.measures.size() == 0:
            return
        with nogil:
            score_rows(self.engine[0], rows, workers, &out[0, 0, 0], failed)
        if failed.any():
            raise failure(
                failed.status(), f"row {candidates.first + failed.row()}", MESSAGES
            )

    def count_batch(
        self, TextColumn candidates, TextColumn references, double[:, :, ::1] out, int workers=1
    ):
        """Fill out[reference, measure, (hits, reference, candidate, base)]."""
        cdef Rows rows = Rows(
            candidates.views, references.views, references.row_offsets, candidates.size
        )
        cdef FirstFailure failed
        if out.shape[0] == 0 or out.shape[1] == 0:
            return
        with nogil:
            count_rows(self.engine[0], rows, workers, <Counts*> &out[0, 0, 0], failed)
        if failed.any():
            raise failure(
                failed.status(), f"row {candidates.first + failed.row()}", MESSAGES
            )

    def score(self, candidate, references) -> dict:
        """Scores of one candidate against a str or a sequence of str: name -> Score."""
        cdef vector[View] views
        cdef View view
        cdef vector[Fscore] scores
        cdef int status
        cdef int64_t size
        held = as_tuple(references)
        read_text(candidate, "candidate", &view, self.engine.analyzer.tokenizer == RAW)
        size = view.size + read_references(held, views, self.engine.analyzer.tokenizer == RAW)
        if view.data == NULL or views.empty():
            return self.collect(NULL)
        scores.resize(self.engine.plan.measures.size())
        if size <= HOLD_GIL_BYTES:
            status = score_pair(self.engine[0], views.data(), views.size(), view, scores.data())
        else:
            with nogil:
                status = score_pair(self.engine[0], views.data(), views.size(), view, scores.data())
        if status:
            raise failure(status, "candidate or reference", MESSAGES)
        return self.collect(scores.data())

    def prepare(self, references) -> PreparedRouge:
        """Read and count a str or a sequence of str once, for many candidates."""
        cdef PreparedRouge prepared = PreparedRouge.__new__(PreparedRouge)
        cdef vector[View] views
        cdef int status
        held = as_tuple(references)
        read_references(held, views, self.engine.analyzer.tokenizer == RAW)
        prepared.kernel = self
        with nogil:
            status = build_references(
                self.engine[0], views.data(), views.size(), prepared.references
            )
        if status:
            raise failure(status, "references", MESSAGES)
        return prepared

    cdef dict collect(self, const Fscore* scores):
        """name -> Score; NaN in all when there are no scores."""
        cdef dict result = {}
        cdef Py_ssize_t m
        for m in range(len(self.names)):
            if scores == NULL:
                values = (numeric_limits[double].quiet_NaN(),) * 3
            else:
                values = (scores[m].precision, scores[m].recall, scores[m].fmeasure)
            result[self.names[m]] = new_score(FIELDS, values, 2)
        return result


cdef class PreparedRouge:
    """A set of references that was read and counted once. Threads may share it."""

    cdef RougeKernel kernel
    cdef RougeReferences references

    def score(self, candidate) -> dict:
        """Scores of one candidate: name -> Score."""
        cdef View view
        cdef vector[Fscore] scores
        cdef int status
        read_text(candidate, "candidate", &view, self.kernel.engine.analyzer.tokenizer == RAW)
        if view.data == NULL or self.references.size() == 0:
            return self.kernel.collect(NULL)
        scores.resize(self.kernel.engine.plan.measures.size())
        if view.size <= HOLD_GIL_BYTES:
            status = score_prepared(self.kernel.engine[0], self.references, view, scores.data())
        else:
            with nogil:
                status = score_prepared(
                    self.kernel.engine[0], self.references, view, scores.data()
                )
        if status:
            raise failure(status, "candidate", MESSAGES)
        return self.kernel.collect(scores.data())

    def score_batch(self, TextColumn candidates, double[:, :, ::1] out, int workers=1):
        """Fill out[measure, field, row]; rows without a text get NaN."""
        cdef FirstFailure failed
        if candidates.size == 0 or self.kernel.engine.plan.measures.size() == 0:
            return
        with nogil:
            score_prepared_rows(
                self.kernel.engine[0], self.references, candidates.views, candidates.size,
                workers, &out[0, 0, 0], failed,
            )
        if failed.any():
            raise failure(
                failed.status(), f"row {candidates.first + failed.row()}", MESSAGES
            )


def five_decimals(double x) -> float:
    """A number of at least 0 as printf("%.5f") rounds it: by its exact value, ties to even."""
    return c_five_decimals(x)


def counts(Analyzer analyzer, measures, candidates, references, int workers=1):
    """Hits and totals of each measure for every (candidate, reference) of rows of texts.

    Returns (offsets, counts): offsets int64 [rows + 1]; counts float64
    [offsets[-1], measures, 4] with hits, reference total, candidate total, and the total that
    `aggregate="best"` divides by.
    """
    import numpy as np

    cdef TextColumn left = text_column(candidates, "candidates", True)
    cdef TextColumn right = reference_column(references, "references", True)
    kernel = RougeKernel(analyzer, measures, ())
    if left.size != right.size:
        raise ValueError(f"{left.size} candidates but {right.size} rows of references")
    offsets = np.array([right.row_offsets[i] for i in range(right.size + 1)], dtype=np.int64)
    out = np.empty((offsets[right.size], len(measures), 4))
    kernel.count_batch(left, right, out, workers)
    return offsets, out
