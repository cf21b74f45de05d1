# distutils: language = c++
"""The features of SIMetrix over rows of summaries and the documents of their inputs."""

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


cdef extern from "divergence_rows.hpp" namespace "summeval" nogil:
    cdef cppclass Key:
        pass

    cdef cppclass Features:
        double& operator[](size_t)

    cdef cppclass TypeCounts:
        int64_t total
        void clear() noexcept
        void add(Key, int64_t) except +

    cdef cppclass Lexicon:
        void reset(size_t, double) except +
        void add_count(Key, int64_t) except +
        void add_weight(Key, double) except +
        void find(const Key*, size_t, unsigned int*) noexcept
        int64_t count(unsigned int) noexcept
        int64_t total() noexcept

    cdef cppclass DivergencePlan:
        double gamma
        double bins
        double log_scale
        double ratio_scale
        double topic_cutoff
        cbool has_background
        cbool compat
        Lexicon lexicon

    cdef cppclass DivergenceInput:
        void build(const TypeCounts&, const DivergencePlan&) except +

    cdef cppclass DivergenceScorer:
        Features compare(const TypeCounts&, const DivergenceInput&, const DivergencePlan&) except +

    cdef cppclass DivergenceEngine:
        CppAnalyzer analyzer
        DivergencePlan plan

    Key word_key(const char*, size_t) except +
    double likelihood_ratio(int64_t, int64_t, int64_t, int64_t) noexcept
    Features missing_features() noexcept
    void score_divergence_rows(DivergenceEngine&, const Rows&, int, double*, FirstFailure&) except +
    void score_prepared_divergences(
        DivergenceEngine&, const DivergenceInput&, const View*, int64_t, int, double*, FirstFailure&
    ) except +
    int score_divergence(DivergenceEngine&, const vector[View]&, View, Features*) noexcept
    int build_divergence(DivergenceEngine&, const vector[View]&, DivergenceInput&) noexcept
    int score_prepared_divergence(
        DivergenceEngine&, const DivergenceInput&, View, Features*
    ) noexcept


FIELDS = (
    "KLInputSummary",
    "KLSummaryInput",
    "unsmoothedJSD",
    "smoothedJSD",
    "cosineAllWords",
    "percentTopicTokens",
    "fractionTopicWords",
    "topicWordOverlap",
    "unigramProb",
    "multinomialProb",
)
cdef tuple NAMES = FIELDS
cdef enum:
    PRIMARY = 2
cdef dict MESSAGES = {1: "a text is longer than 1 GiB or 2^31 words; shorten it"}


cdef Score record(Features& features):
    cdef size_t f
    return new_score(NAMES, tuple([features[f] for f in range(<size_t>len(NAMES))]), PRIMARY)


cdef int read_counts(dict counts, TypeCounts& out) except -1:
    """Types, as bytes, and how often each occurs."""
    cdef bytes word
    cdef int64_t count
    out.clear()
    for word, count in counts.items():
        out.add(word_key(word, len(word)), count)
    return 0


cdef class DivergenceKernel:
    """The features of one set of options, ready to score.

    Parameters
    ----------
    analyzer : Analyzer
    name : str
        The key of the Score in what `score` returns.
    background : dict of bytes to int, or None
        Words as the analyzer gives them; None is no background.
    idf : dict of bytes to float
    unknown_idf : float
        Of a word that is not in `idf`.
    smoothing : (float, float)
        gamma and bins: a count c of n tokens becomes (c + gamma) / (n + gamma * bins * types).
    log_scale, ratio_scale : float
        What natural logarithms are multiplied by, in divergences and in likelihood ratios.
    topic_cutoff : float
    compat : bool
        Give numbers for empty texts, and count an empty token for a line of punctuation alone.
    """

    cdef DivergenceEngine* engine
    cdef readonly tuple names

    def __cinit__(self):
        self.engine = new DivergenceEngine()

    def __dealloc__(self):
        del self.engine

    def __init__(
        self,
        Analyzer analyzer,
        str name,
        dict background,
        dict idf,
        double unknown_idf,
        tuple smoothing,
        double log_scale,
        double ratio_scale,
        double topic_cutoff,
        cbool compat,
    ):
        cdef DivergencePlan* plan = &self.engine.plan
        cdef bytes word
        cdef int64_t count
        cdef double weight
        self.names = (name,)
        self.engine.analyzer = analyzer.cpp
        plan.gamma, plan.bins = smoothing
        plan.log_scale, plan.ratio_scale = log_scale, ratio_scale
        plan.topic_cutoff = topic_cutoff
        plan.compat = compat
        plan.has_background = background is not None
        plan.lexicon.reset(len(idf) + (len(background) if background else 0), unknown_idf)
        if background is not None:
            for word, count in background.items():
                plan.lexicon.add_count(word_key(word, len(word)), count)
        for word, weight in idf.items():
            plan.lexicon.add_weight(word_key(word, len(word)), weight)

    def score_batch(
        self, TextColumn candidates, TextColumn references, double[:, :, ::1] out, int workers=1
    ):
        """Fill out[0, feature, row]; rows without summary or input get NaN."""
        cdef Rows rows = Rows(
            candidates.views, references.views, references.row_offsets, candidates.size
        )
        cdef FirstFailure failed
        if rows.size == 0:
            return
        with nogil:
            score_divergence_rows(self.engine[0], rows, workers, &out[0, 0, 0], failed)
        if failed.any():
            raise failure(failed.status(), f"row {candidates.first + failed.row()}", MESSAGES)

    def score(self, candidate, references) -> dict:
        """Score of one summary with a document or several: {name: Score}."""
        cdef vector[View] views
        cdef View view
        cdef Features features = missing_features()
        cdef int status = 0
        cdef int64_t size
        held = as_tuple(references, "source")
        read_text(candidate, "candidate", &view, self.engine.analyzer.tokenizer == RAW)
        size = view.size
        size += read_references(held, views, self.engine.analyzer.tokenizer == RAW, "source")
        if view.data != NULL and not views.empty():
            if size <= HOLD_GIL_BYTES:
                status = score_divergence(self.engine[0], views, view, &features)
            else:
                with nogil:
                    status = score_divergence(self.engine[0], views, view, &features)
        if status:
            raise failure(status, "candidate or source", MESSAGES)
        return {self.names[0]: record(features)}

    def prepare(self, references) -> PreparedDivergence:
        """Read and count the documents of an input once, for many summaries."""
        cdef PreparedDivergence prepared = PreparedDivergence.__new__(PreparedDivergence)
        cdef vector[View] views
        cdef int status
        held = as_tuple(references, "source")
        read_references(held, views, self.engine.analyzer.tokenizer == RAW, "source")
        prepared.kernel = self
        prepared.present = not views.empty()
        with nogil:
            status = build_divergence(self.engine[0], views, prepared.input)
        if status:
            raise failure(status, "source", MESSAGES)
        return prepared

    def score_counts(self, dict summary not None, dict source not None) -> Score:
        """Score of words that were counted: bytes as the analyzer gives them, to counts."""
        cdef TypeCounts mine, theirs
        cdef DivergenceInput input
        cdef DivergenceScorer scorer
        cdef Features features
        read_counts(summary, mine)
        read_counts(source, theirs)
        input.build(theirs, self.engine.plan)
        features = scorer.compare(mine, input, self.engine.plan)
        return record(features)

    def likelihood_ratios(self, dict source not None) -> list:
        """Of each word of an input that was counted, against the background."""
        cdef bytes word
        cdef int64_t count
        cdef TypeCounts counts
        cdef DivergencePlan* plan = &self.engine.plan
        cdef Key key
        cdef unsigned int place = 0
        read_counts(source, counts)
        ratios = []
        for word, count in source.items():
            key = word_key(word, len(word))
            plan.lexicon.find(&key, 1, &place)
            ratios.append(
                plan.ratio_scale
                * likelihood_ratio(
                    count, counts.total, plan.lexicon.count(place), plan.lexicon.total()
                )
            )
        return ratios


cdef class PreparedDivergence:
    """An input that was read and counted once. Threads may share it."""

    cdef DivergenceKernel kernel
    cdef DivergenceInput input
    cdef bint present

    def score(self, candidate) -> dict:
        """Score of one summary: {name: Score}."""
        cdef View view
        cdef Features features = missing_features()
        cdef int status = 0
        read_text(candidate, "candidate", &view, self.kernel.engine.analyzer.tokenizer == RAW)
        if view.data != NULL and self.present:
            if view.size <= HOLD_GIL_BYTES:
                status = score_prepared_divergence(
                    self.kernel.engine[0], self.input, view, &features
                )
            else:
                with nogil:
                    status = score_prepared_divergence(
                        self.kernel.engine[0], self.input, view, &features
                    )
        if status:
            raise failure(status, "candidate", MESSAGES)
        return {self.kernel.names[0]: record(features)}

    def score_batch(self, TextColumn candidates, double[:, :, ::1] out, int workers=1):
        """Fill out[0, feature, row]; rows without summary get NaN, all if there is no input."""
        cdef FirstFailure failed
        if candidates.size == 0:
            return
        if not self.present:
            out[:, :, :] = float("nan")
            return
        with nogil:
            score_prepared_divergences(
                self.kernel.engine[0], self.input, candidates.views, candidates.size,
                workers, &out[0, 0, 0], failed,
            )
        if failed.any():
            raise failure(failed.status(), f"row {candidates.first + failed.row()}", MESSAGES)
