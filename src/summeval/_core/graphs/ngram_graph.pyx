"""N-gram graphs of characters over rows of texts: AutoSummENG, MeMoG, NPowER."""

from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport View
from summeval._core.rows.arguments cimport (
    PAIRS_TOO_MANY, as_tuple, failure, read_references, read_text
)
from summeval._core.rows.kernel cimport TextEngine, TextKernel
from summeval._core.rows.record cimport Score, new_score


cdef extern from "graphs/ngram_graph_rows.hpp" namespace "summeval" nogil:
    cdef struct GraphMeasure:
        int kind
        double low, span

    cdef struct GraphPlan:
        size_t min_n, max_n, window
        cbool released
        vector[GraphMeasure] measures

    cdef cppclass GraphSetup:
        GraphPlan plan

    cdef cppclass GraphEngine(TextEngine, GraphSetup):
        pass

    int place_edges(
        const GraphSetup&, View, const vector[View]&, const vector[double]&, vector[double]&
    ) except +


cdef enum:
    AUTOSUMMENG = 0
    MEMOG = 1
    NPOWER = 2
KINDS = {"autosummeng": AUTOSUMMENG, "memog": MEMOG, "npower": NPOWER}
cdef tuple LIKENESS_FIELDS = ("value", "containment", "size", "parts")
cdef tuple NPOWER_FIELDS = ("value", "autosummeng", "memog")
cdef tuple PART_FIELDS = (
    "value", "containment", "size", "normalized", "candidate_edges", "reference_edges"
)
cdef dict MESSAGES = {
    PAIRS_TOO_MANY: "too many pairs of neighbouring n-grams; set a smaller window, or shorten the text",
}
# Above this size, single texts are scored without the GIL, too.
cdef enum:
    HOLD_GIL_TEXT = 2048


cdef enum:
    FIELDS = 3  # numbers of a measure in a row
    LIKENESS = 5  # numbers of a similarity; only a single pair has them


cdef Score part(const double* one):
    cdef double normalized = one[0] / one[2] if one[2] > 0 else 0.0
    values = (one[0], one[1], one[2], normalized, <long long> one[3], <long long> one[4])
    return new_score(PART_FIELDS, values, 0)


cdef class GraphKernel(TextKernel):
    """Measures over n-gram graphs that share their graphs, ready to score.

    Parameters
    ----------
    names : tuple of str
        The keys of the Scores in what `score` returns.
    measures : sequence of (str, float, float)
        For each name its kind ("autosummeng", "memog" or "npower"), and the least and greatest
        value of the range that NPowER is scaled to.
    min_n, max_n : int
        Characters of an n-gram, 1 <= min_n <= max_n.
    window : int
        N-grams at most this far apart are neighbours; at least 1.
    released : bool
        Repeat the defects of the released program, and take UTF-16 units for characters.
    """

    cdef GraphEngine* graphs

    def __cinit__(self):
        self.graphs = new GraphEngine()
        self.engine.reset(self.graphs)

    def __init__(self, tuple names, measures, int min_n, int max_n, int window, cbool released):
        cdef GraphMeasure measure
        self.describe(names, MESSAGES, False, "references", HOLD_GIL_TEXT)
        self.graphs.plan.min_n = min_n
        self.graphs.plan.max_n = max_n
        self.graphs.plan.window = window
        self.graphs.plan.released = released
        for kind, low, high in measures:
            measure.kind = KINDS[kind]
            measure.low = low
            measure.span = high - low
            self.graphs.plan.measures.push_back(measure)

    cdef dict collect(self, const vector[double]& values):
        cdef size_t width = FIELDS * self.graphs.plan.measures.size()
        cdef size_t likenesses = (values.size() - width) // LIKENESS
        cdef const double* merged = values.data() + width
        cdef const double* row = values.data()
        cdef size_t k, r
        scores = {}
        for k in range(self.graphs.plan.measures.size()):
            kind = self.graphs.plan.measures[k].kind
            columns = (row[0], row[1], row[2])
            row += FIELDS
            if kind == NPOWER:
                scores[self.names[k]] = new_score(NPOWER_FIELDS, columns, 0)
                continue
            if likenesses == 0:
                parts = ()
            elif kind == MEMOG:
                parts = (part(merged),)
            else:
                parts = tuple([part(merged + r * LIKENESS) for r in range(1, likenesses)])
            scores[self.names[k]] = new_score(LIKENESS_FIELDS, (*columns, parts), 0)
        return scores

    def find(self, candidate not None, references, factors) -> list:
        """What the n-grams that begin at each character of a candidate add to a value.

        The value is the sum of the similarities to the graph of each reference and to the merged
        graph, each times its factor.
        """
        cdef View view
        cdef vector[View] views
        cdef vector[double] each = factors
        cdef vector[double] found
        cdef int status
        held = as_tuple(references)
        read_text(candidate, "candidate", &view, False)
        read_references(held, views, False)
        with nogil:
            status = place_edges(self.graphs[0], view, views, each, found)
        if status:
            raise failure(status, "candidate or references", MESSAGES)
        return found
