# distutils: language = c++
"""N-gram graphs of characters over rows of texts: AutoSummENG, MeMoG, NPowER."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from summeval._core.arguments cimport as_tuple, failure, read_references, read_text
from summeval._core.batch cimport FirstFailure, Rows
from summeval._core.columns cimport TextColumn, View
from summeval._core.record cimport Score, new_score


cdef extern from "ngram_graph_rows.hpp" namespace "summeval" nogil:
    cdef struct GraphMeasure:
        int kind
        double low
        double span

    cdef struct GraphPlan:
        size_t min_n
        size_t max_n
        size_t window
        cbool released
        vector[GraphMeasure] measures

    cdef struct Likeness:
        double value
        double containment
        double size
        int64_t candidate_edges
        int64_t reference_edges

    cdef cppclass GraphCounts:
        vector[Likeness] each
        Likeness merged

    cdef struct GraphResult:
        double columns[3]

    cdef cppclass GraphReferences:
        size_t size()

    cdef cppclass GraphEngine:
        GraphPlan plan

    GraphResult missing_graphs() noexcept
    void score_graph_rows(GraphEngine&, const Rows&, int, double*, FirstFailure&) except +
    void score_prepared_graph_rows(
        GraphEngine&, const GraphReferences&, const View*, int64_t, int, double*, FirstFailure&
    ) except +
    int build_graphs(GraphEngine&, const View*, size_t, GraphReferences&) noexcept
    int score_graph_pair(
        GraphEngine&, const View*, size_t, View, GraphResult*, GraphCounts&
    ) noexcept
    int score_prepared_graphs(
        GraphEngine&, const GraphReferences&, View, GraphResult*, GraphCounts&
    ) noexcept


KINDS = {"autosummeng": 0, "memog": 1, "npower": 2}
cdef tuple LIKENESS_FIELDS = ("value", "containment", "size", "parts")
cdef tuple NPOWER_FIELDS = ("value", "autosummeng", "memog")
cdef tuple PART_FIELDS = (
    "value", "containment", "size", "normalized", "candidate_edges", "reference_edges"
)
cdef dict MESSAGES = {
    1: "a text is longer than 1 GiB; shorten it",
    4: "too many pairs of neighbouring n-grams; set a smaller window, or shorten the text",
}
# Longer texts are scored without the GIL also when they come one by one.
cdef enum:
    HOLD_GIL_TEXT = 2048


cdef Score part(const Likeness& one):
    cdef double normalized = one.value / one.size if one.size > 0 else 0.0
    values = (
        one.value, one.containment, one.size, normalized, one.candidate_edges, one.reference_edges
    )
    return new_score(PART_FIELDS, values, 0)


cdef Score record(int kind, const GraphResult& result, const GraphCounts& likeness):
    cdef size_t r
    values = (result.columns[0], result.columns[1], result.columns[2])
    if kind == 2:
        return new_score(NPOWER_FIELDS, values, 0)
    if kind == 1:
        parts = (part(likeness.merged),) if likeness.each.size() else ()
    else:
        parts = tuple([part(likeness.each[r]) for r in range(likeness.each.size())])
    return new_score(LIKENESS_FIELDS, (*values, parts), 0)


cdef class GraphKernel:
    """Measures over n-gram graphs that share their graphs, ready to score.

    Parameters
    ----------
    names : tuple of str
        The keys of the Scores in what `score` returns.
    measures : sequence of (str, float, float)
        For each name its kind ("autosummeng", "memog" or "npower"), and the least and greatest
        value that NPowER is stretched to.
    min_n, max_n : int
        Characters of an n-gram, 1 <= min_n <= max_n.
    window : int
        N-grams at most this far apart are neighbours; at least 1.
    released : bool
        Repeat the defects of the released program, and take UTF-16 units for characters.
    """

    cdef GraphEngine* engine
    cdef readonly tuple names

    def __cinit__(self):
        self.engine = new GraphEngine()

    def __dealloc__(self):
        del self.engine

    def __init__(self, tuple names, measures, int min_n, int max_n, int window, cbool released):
        cdef GraphMeasure measure
        self.names = names
        self.engine.plan.min_n = min_n
        self.engine.plan.max_n = max_n
        self.engine.plan.window = window
        self.engine.plan.released = released
        for kind, low, high in measures:
            measure.kind = KINDS[kind]
            measure.low = low
            measure.span = high - low
            self.engine.plan.measures.push_back(measure)

    cdef dict records(self, const GraphResult* results, const GraphCounts& likeness):
        cdef size_t k
        scores = {}
        for k in range(self.engine.plan.measures.size()):
            kind = self.engine.plan.measures[k].kind
            scores[self.names[k]] = record(kind, results[k], likeness)
        return scores

    def score_batch(
        self, TextColumn candidates, TextColumn references, double[:, :, ::1] out, int workers=1
    ):
        """Fill out[measure, field, row]; rows without a text get NaN."""
        cdef Rows rows = Rows(
            candidates.views, references.views, references.row_offsets, candidates.size
        )
        cdef FirstFailure failed
        if rows.size == 0:
            return
        with nogil:
            score_graph_rows(self.engine[0], rows, workers, &out[0, 0, 0], failed)
        if failed.any():
            raise failure(failed.status(), f"row {candidates.first + failed.row()}", MESSAGES)

    def score(self, candidate, references) -> dict:
        """Scores of one candidate against a str or a sequence of str: {name: Score}."""
        cdef vector[View] views
        cdef View view
        cdef GraphCounts likeness
        cdef vector[GraphResult] results
        cdef int status = 0
        cdef int64_t size
        results.assign(self.engine.plan.measures.size(), missing_graphs())
        held = as_tuple(references)
        read_text(candidate, "candidate", &view, False)
        size = view.size + read_references(held, views, False)
        if view.data != NULL and not views.empty():
            if size <= HOLD_GIL_TEXT:
                status = score_graph_pair(
                    self.engine[0], views.data(), views.size(), view, results.data(), likeness
                )
            else:
                with nogil:
                    status = score_graph_pair(
                        self.engine[0], views.data(), views.size(), view, results.data(), likeness
                    )
        if status:
            raise failure(status, "candidate or reference", MESSAGES)
        return self.records(results.data(), likeness)

    def prepare(self, references) -> PreparedGraphs:
        """Read a str or a sequence of str once and build their graphs, for many candidates."""
        cdef PreparedGraphs prepared = PreparedGraphs.__new__(PreparedGraphs)
        cdef vector[View] views
        cdef int status
        held = as_tuple(references)
        read_references(held, views, False)
        prepared.kernel = self
        with nogil:
            status = build_graphs(self.engine[0], views.data(), views.size(), prepared.references)
        if status:
            raise failure(status, "references", MESSAGES)
        return prepared


cdef class PreparedGraphs:
    """The graphs of a set of references. Threads may share them."""

    cdef GraphKernel kernel
    cdef GraphReferences references

    def score(self, candidate) -> dict:
        """Scores of one candidate: {name: Score}."""
        cdef View view
        cdef GraphCounts likeness
        cdef vector[GraphResult] results
        cdef GraphEngine* engine = self.kernel.engine
        cdef int status = 0
        results.assign(engine.plan.measures.size(), missing_graphs())
        read_text(candidate, "candidate", &view, False)
        if view.data != NULL and self.references.size() != 0:
            if view.size <= HOLD_GIL_TEXT:
                status = score_prepared_graphs(
                    engine[0], self.references, view, results.data(), likeness
                )
            else:
                with nogil:
                    status = score_prepared_graphs(
                        engine[0], self.references, view, results.data(), likeness
                    )
        if status:
            raise failure(status, "candidate", MESSAGES)
        return self.kernel.records(results.data(), likeness)

    def score_batch(self, TextColumn candidates, double[:, :, ::1] out, int workers=1):
        """Fill out[measure, field, row]; rows without a text get NaN."""
        cdef FirstFailure failed
        if candidates.size == 0:
            return
        with nogil:
            score_prepared_graph_rows(
                self.kernel.engine[0], self.references, candidates.views, candidates.size,
                workers, &out[0, 0, 0], failed,
            )
        if failed.any():
            raise failure(failed.status(), f"row {candidates.first + failed.row()}", MESSAGES)
