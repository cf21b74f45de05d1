# distutils: language = c++
"""TESLA-S over rows of texts, or of tagged texts in the form of the analyzer's "split"."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
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
from summeval._core.record cimport Score, new_score
from summeval._core.text cimport Analyzer, CppAnalyzer


cdef extern from "tesla.hpp" namespace "summeval" nogil:
    cdef cppclass ClassWeights:
        double& operator[](size_t)

    cdef struct TeslaPlan:
        int gap
        cbool cross_sentences
        ClassWeights word
        ClassWeights pair

    cdef struct TeslaScoring:
        int aggregate
        double alpha

    cdef struct BagScore:
        double hits
        double precision
        double recall
        double fmeasure

    cdef struct TeslaScore:
        double precision
        double recall
        double fmeasure
        BagScore unigram
        BagScore skip

    cdef cppclass TeslaReady:
        size_t size()

    cdef cppclass TeslaEngine:
        CppAnalyzer analyzer
        TeslaPlan plan
        TeslaScoring scoring

    TeslaScore missing "summeval::TeslaFamily::missing"() noexcept
    void score_rows(TeslaEngine&, const Rows&, int, double*, FirstFailure&) except +
    void score_prepared_rows(
        TeslaEngine&, const TeslaReady&, const View*, int64_t, int, double*, FirstFailure&
    ) except +
    int build_references(TeslaEngine&, const View*, size_t, TeslaReady&) noexcept
    int score_pair(TeslaEngine&, const View*, size_t, View, TeslaScore*) noexcept
    int score_prepared(TeslaEngine&, const TeslaReady&, View, TeslaScore*) noexcept


AGGREGATES = {"max": 0, "max-per-bag": 1, "mean": 2}
cdef tuple FIELDS = ("precision", "recall", "fmeasure", "parts")
cdef tuple PARTS = ("unigram", "skip")
cdef tuple PART_FIELDS = ("S", "precision", "recall", "fmeasure")
cdef dict MESSAGES = {
    1: "a text is longer than 1 GiB; shorten it",
    4: "too many skip-bigrams; set a smaller gap, or shorten the text",
}


cdef Score part(const BagScore& bag):
    return new_score(PART_FIELDS, (bag.hits, bag.precision, bag.recall, bag.fmeasure), 3)


cdef Score record(const TeslaScore& score):
    parts = new_score(PARTS, (part(score.unigram), part(score.skip)), 0)
    return new_score(FIELDS, (score.precision, score.recall, score.fmeasure, parts), 2)


cdef class TeslaKernel:
    """One TESLA-S, ready to score.

    Parameters
    ----------
    analyzer : Analyzer
        One that flags function words.
    name : str
        The key of the Score in what `score` returns.
    gap : int
        Tokens allowed between those of a skip-bigram; -1 for any number.
    cross_sentences : bool
        Whether a skip-bigram may have its tokens on two lines.
    word_weights : (float, float)
        Of a word that is no function word, of one that is.
    pair_weights : (float, float, float)
        Of a skip-bigram with no, one and two function words.
    aggregate : {"max", "max-per-bag", "mean"}
    alpha : float
        F = P R / (alpha P + (1 - alpha) R)
    """

    cdef TeslaEngine* engine
    cdef readonly tuple names

    def __cinit__(self):
        self.engine = new TeslaEngine()

    def __dealloc__(self):
        del self.engine

    def __init__(
        self,
        Analyzer analyzer,
        str name,
        int gap,
        cbool cross_sentences,
        tuple word_weights,
        tuple pair_weights,
        str aggregate,
        double alpha,
    ):
        cdef size_t i
        self.names = (name,)
        self.engine.analyzer = analyzer.cpp
        self.engine.plan.gap = gap
        self.engine.plan.cross_sentences = cross_sentences
        for i in range(2):
            self.engine.plan.word[i] = word_weights[i]
        for i in range(3):
            self.engine.plan.pair[i] = pair_weights[i]
        self.engine.scoring.aggregate = AGGREGATES[aggregate]
        self.engine.scoring.alpha = alpha

    def score_batch(
        self, TextColumn candidates, TextColumn references, double[:, :, ::1] out, int workers=1
    ):
        """Fill out[0, field, row]; rows without a text get NaN."""
        cdef Rows rows = Rows(
            candidates.views, references.views, references.row_offsets, candidates.size
        )
        cdef FirstFailure failed
        if rows.size == 0:
            return
        with nogil:
            score_rows(self.engine[0], rows, workers, &out[0, 0, 0], failed)
        if failed.any():
            raise failure(failed.status(), f"row {candidates.first + failed.row()}", MESSAGES)

    def score(self, candidate, references) -> dict:
        """Score of one candidate against a str or a sequence of str: {name: Score}."""
        cdef vector[View] views
        cdef View view
        cdef TeslaScore score = missing()
        cdef int status = 0
        cdef int64_t size
        held = as_tuple(references)
        read_text(candidate, "candidate", &view, self.engine.analyzer.tokenizer == RAW)
        size = view.size + read_references(held, views, self.engine.analyzer.tokenizer == RAW)
        if view.data != NULL and not views.empty():
            if size <= HOLD_GIL_BYTES:
                status = score_pair(self.engine[0], views.data(), views.size(), view, &score)
            else:
                with nogil:
                    status = score_pair(self.engine[0], views.data(), views.size(), view, &score)
        if status:
            raise failure(status, "candidate or reference", MESSAGES)
        return {self.names[0]: record(score)}

    def prepare(self, references) -> PreparedTesla:
        """Read and count a str or a sequence of str once, for many candidates."""
        cdef PreparedTesla prepared = PreparedTesla.__new__(PreparedTesla)
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


cdef class PreparedTesla:
    """A set of references that was read and counted once. Threads may share it."""

    cdef TeslaKernel kernel
    cdef TeslaReady references

    def score(self, candidate) -> dict:
        """Score of one candidate: {name: Score}."""
        cdef View view
        cdef TeslaScore score = missing()
        cdef int status = 0
        read_text(candidate, "candidate", &view, self.kernel.engine.analyzer.tokenizer == RAW)
        if view.data != NULL and self.references.size() != 0:
            if view.size <= HOLD_GIL_BYTES:
                status = score_prepared(self.kernel.engine[0], self.references, view, &score)
            else:
                with nogil:
                    status = score_prepared(self.kernel.engine[0], self.references, view, &score)
        if status:
            raise failure(status, "candidate", MESSAGES)
        return {self.kernel.names[0]: record(score)}

    def score_batch(self, TextColumn candidates, double[:, :, ::1] out, int workers=1):
        """Fill out[0, field, row]; rows without a text get NaN."""
        cdef FirstFailure failed
        if candidates.size == 0:
            return
        with nogil:
            score_prepared_rows(
                self.kernel.engine[0], self.references, candidates.views, candidates.size,
                workers, &out[0, 0, 0], failed,
            )
        if failed.any():
            raise failure(failed.status(), f"row {candidates.first + failed.row()}", MESSAGES)
