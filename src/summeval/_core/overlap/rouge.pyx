"""ROUGE over rows of texts: one pass reads each text and counts for every measure asked for."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from summeval._core.rows.items cimport CppItems, Items, Placer, place

from summeval._core.rows.arguments cimport (
    PAIRS_TOO_MANY, RAW, SENTENCES_TOO_LONG, TABLE_TOO_LARGE, as_tuple, failure, read_references,
    read_text
)
from summeval._core.columns.columns cimport TextColumn, View
from summeval._core.columns.columns cimport references as reference_column, texts as text_column
from summeval._core.rows.kernel cimport Rows, TextEngine, TextKernel, fail
from summeval._core.rows.parallel cimport FirstFailure
from summeval._core.rows.record cimport new_score
from summeval._core.text.analyzer cimport Analyzer, CppAnalyzer


cdef extern from "overlap/rouge.hpp" namespace "summeval" nogil:
    cdef struct Measure:
        int kind, order
        cbool unigrams
        double weight

    cdef struct Counts:
        double hits, reference, candidate, base

    cdef cppclass Plan:
        vector[Measure] measures
        void add(Measure) except +


cdef extern from "overlap/aggregate.hpp" namespace "summeval" nogil:
    cdef struct Scoring:
        int aggregate
        cbool jackknife, script_digits
        double alpha

    double c_five_decimals "summeval::five_decimals"(double) noexcept


cdef extern from "overlap/items/runs.hpp" namespace "summeval" nogil:
    cdef cppclass Runs:
        vector[uint32_t] rows, columns
        vector[size_t] ends
        vector[double] weights
        Counts counts

    cdef struct Prefixes:
        int64_t text, lcs

    Prefixes limits(const CppAnalyzer&, View) except +

    int find_runs(const CppAnalyzer&, const vector[View]&, const Plan&, vector[Runs]&) except +


cdef extern from "overlap/items/rouge_items.hpp" namespace "summeval" nogil:
    cdef struct Weight:
        size_t reference
        double each

    cdef cppclass RougeItems:
        CppItems found
        void count(const Measure&, size_t, uint64_t, vector[Counts]&) except +
        void tell(const vector[Weight]&) except +
        cbool tell_runs(const vector[Runs]&, const vector[Weight]&) except +


cdef extern from "<utility>" namespace "std" nogil:
    void swap(CppItems&, CppItems&)


cdef extern from "overlap/rouge_rows.hpp" namespace "summeval" nogil:
    cdef cppclass RougeEngine(TextEngine):
        CppAnalyzer analyzer
        Plan plan
        Scoring scoring

    void count_rows(RougeEngine&, const Rows&, int, Counts*, FirstFailure&) except +
    void score_each(RougeEngine&, const Rows&, int, double*, FirstFailure&) except +


KINDS = {"ngram": 0, "lcs": 1, "union-lcs": 2, "weighted-lcs": 3, "skip": 4}
AGGREGATES = {"max": 0, "average": 1, "best": 2}
cdef tuple FIELDS = ("precision", "recall", "fmeasure")

cdef dict MESSAGES = {
    SENTENCES_TOO_LONG: (
        "two sentences are too long for rougeLsum, which takes lines of up to 65,000 tokens "
        "(2^32 for the tokens of one by those of the other); put sentences on lines, or set max_words"
    ),
    TABLE_TOO_LARGE: (
        "the texts are too long for rougeW, which takes lines of up to 23,000 tokens (2^29 for the "
        "tokens of one by those of the other, and 2^36 for whole texts); put sentences on lines, or "
        "set max_words"
    ),
    PAIRS_TOO_MANY: (
        "too many skip-bigrams: 2^31 are looked at, in a text of 65,000 tokens, and references may "
        "have 2^24 different ones; give a gap such as rougeS4, or set max_words"
    ),
}
TOO_LONG_TO_EXPLAIN = (
    "the texts are too long to explain rougeW, which takes lines of up to 4,096 tokens; put"
    " sentences on lines, or set max_words"
)
# Texts have so many pairs of tokens that shorter texts are scored without the GIL, too.
cdef enum:
    HOLD_GIL_PAIRS = 4096


cdef class RougeKernel(TextKernel):
    """Measures, analysis and aggregation, ready to score.

    Parameters
    ----------
    analyzer : Analyzer
    measures : sequence of (kind, order, unigrams, weight)
        kind: a key of KINDS; order: n of "ngram", gap of "skip" (-1: any);
        unigrams: count them too ("skip"); weight: of "weighted-lcs".
    names : tuple of str
        The key of each measure in what `score_pair` returns.
    aggregate : {"max", "average", "best"}
    """

    cdef RougeEngine* rouge
    cdef unique_ptr[Placer] placer  # while no thread uses it

    def __cinit__(self):
        self.rouge = new RougeEngine()
        self.engine.reset(self.rouge)

    def __init__(
        self, Analyzer analyzer, measures, tuple names, str aggregate="max", cbool jackknife=False,
        cbool script_digits=False, double alpha=0.5
    ):
        cdef Measure measure
        self.rouge.analyzer = analyzer.cpp
        self.describe(names, MESSAGES, analyzer.cpp.tokenizer == RAW)
        for kind, order, unigrams, weight in measures:
            measure.kind = KINDS[kind]
            measure.order = order
            measure.unigrams = unigrams
            measure.weight = weight
            self.rouge.plan.add(measure)
            if kind == "weighted-lcs" or (kind == "skip" and not 0 <= order <= 16):
                self.hold_gil = HOLD_GIL_PAIRS
        self.rouge.scoring.aggregate = AGGREGATES[aggregate]
        self.rouge.scoring.jackknife = jackknife
        self.rouge.scoring.script_digits = script_digits
        self.rouge.scoring.alpha = alpha

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
            count_rows(self.rouge[0], rows, workers, <Counts*> &out[0, 0, 0], failed)
        fail(failed, candidates, MESSAGES)

    def fill_each(
        self, TextColumn candidates, TextColumn references, double[:, :, ::1] out, int workers=1
    ):
        """Fill out[measure, field, reference]: the scores beside each reference of a row alone.

        A candidate or a reference that is None gives NaN.
        """
        cdef Rows rows = Rows(
            candidates.views, references.views, references.row_offsets, candidates.size
        )
        cdef FirstFailure failed
        cdef int64_t items = references.size
        if references.row_offsets != NULL:
            items = references.row_offsets[references.size] - references.row_offsets[0]
        if candidates.size != references.size:
            raise ValueError(f"{candidates.size} candidates but {references.size} rows of references")
        if (out.shape[0], out.shape[1], out.shape[2]) != (len(self.names), len(FIELDS), items):
            raise ValueError("the block for the scores has another shape than measures and references")
        if out.shape[0] == 0 or items == 0:
            return
        with nogil:
            score_each(self.rouge[0], rows, workers, &out[0, 0, 0], failed)
        fail(failed, candidates, MESSAGES)

    def find(self, candidate not None, references) -> list:
        """What a candidate and each reference have in common by the only measure, an LCS.

        Returns a list of (counts, runs): counts as in `count_batch`; a run is its weight, and the
        numbers of its tokens in the reference and in the candidate.

        Raises
        ------
        ValueError
            For ROUGE-W, if two lines have more than 2^24 pairs of tokens.
        """
        cdef vector[Runs] found
        cdef size_t r, k, begin
        self.find_runs(candidate, as_tuple(references), found)
        runs_of = []
        for r in range(found.size()):
            begin, runs = 0, []
            for k in range(found[r].ends.size()):
                rows = [found[r].rows[i] for i in range(begin, found[r].ends[k])]
                columns = [found[r].columns[i] for i in range(begin, found[r].ends[k])]
                runs.append((found[r].weights[k], rows, columns))
                begin = found[r].ends[k]
            counts = found[r].counts
            runs_of.append(((counts.hits, counts.reference, counts.candidate, counts.base), runs))
        return runs_of

    cdef int find_runs(self, candidate, tuple references, vector[Runs]& found) except -1:
        cdef View view
        cdef vector[View] views
        cdef int status
        read_text(candidate, "candidate", &view, self.raw)
        views.push_back(view)
        read_references(references, views, self.raw)
        with nogil:
            status = find_runs(self.rouge.analyzer, views, self.rouge.plan, found)
        if status == TABLE_TOO_LARGE:
            raise ValueError(TOO_LONG_TO_EXPLAIN)
        if status:
            raise failure(status, "candidate or references", MESSAGES)
        return 0

    def items(
        self, tuple texts, weigh, uint64_t most, tuple tokens=(), read=None
    ) -> Items:
        """What the score of the first text beside the others comes from, by the only measure.

        Parameters
        ----------
        texts : tuple of str
        weigh : callable
            From the counts of each reference, as in `count_batch`, to (number from 0, what a shared
            unit adds) of those that count, in their order.
        most : int
            More skip-bigrams of all texts are told by their first words.
        tokens : tuple of (bytes, sequence of int, sequence of int), optional
            The tokens of each text, in the form of the analyzer's "split", and where they begin and
            end; where Python makes them.
        read : tuple of str or bytes, optional
            For a common subsequence: the texts as the kernel reads them, if it is not as they are.
        """
        cdef Measure measure = self.rouge.plan.measures[0]
        cdef bint runs = measure.kind in (1, 2, 3)
        cdef RougeItems made
        cdef vector[Runs] found
        cdef vector[Counts] counted
        cdef vector[Weight] weights
        cdef Items explained = Items.__new__(Items)
        cdef Counts each
        cdef cbool known = True
        cdef size_t words
        if runs:
            given = texts if read is None else read
            self.find_runs(given[0], given[1:], found)
        words = place(
            self.placer, self.rouge.analyzer, texts, tokens, measure.kind in (2, 3), MESSAGES,
            made.found.texts,
        )
        with nogil:
            if not runs:
                made.count(measure, words, most, counted)
            for k in range(found.size()):
                counted.push_back(found[k].counts)
        for number, share in weigh(
            [(each.hits, each.reference, each.candidate, each.base) for each in counted]
        ):
            weights.push_back(Weight(number + 1, share))
        with nogil:
            if runs:
                known = made.tell_runs(found, weights)
            else:
                made.tell(weights)
        if not known:
            raise ValueError("the tokenizer gave other tokens when it was called again")
        explained.joiner = " … " if measure.kind == 4 else " "
        explained.texts = texts
        swap(explained.cpp, made.found)
        return explained

    def kept(self, text not None) -> tuple:
        """How many bytes of a text the length limit keeps: in all, and for ROUGE-L and ROUGE-W."""
        cdef View view
        cdef Prefixes kept
        read_text(text, "text", &view, self.raw)
        with nogil:
            kept = limits(self.rouge.analyzer, view)
        return kept.text, kept.lcs

    cdef dict collect(self, const vector[double]& values):
        cdef const double* row = values.data()
        cdef dict result = {}
        for name in self.names:
            result[name] = new_score(FIELDS, (row[0], row[1], row[2]), 2)
            row += 3
        return result


def five_decimals(double x) -> float:
    """Round a number of at least 0 as printf("%.5f") does: by its exact value, ties to even."""
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
