"""The features of SIMetrix over rows of summaries and the documents of their inputs."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from summeval._core.rows.arguments cimport RAW, TEXT_TOO_LONG
from summeval._core.rows.kernel cimport TextEngine, TextKernel
from summeval._core.rows.record cimport Score
from summeval._core.text.analyzer cimport Analyzer, CppAnalyzer


cdef extern from "divergence/divergence_rows.hpp" namespace "summeval" nogil:
    cdef cppclass Key:
        pass

    cdef cppclass Features:
        const double* data()

    cdef cppclass TypeCounts:
        int64_t total
        void clear() noexcept
        void add(Key, int64_t) except +

    cdef cppclass WordTables:
        void reset(size_t, double) except +
        void add_count(Key, int64_t) except +
        void add_weight(Key, double) except +
        void find(const Key*, size_t, unsigned int*) noexcept
        int64_t count(unsigned int) noexcept
        int64_t total() noexcept

    cdef cppclass DivergencePlan:
        double gamma, bins, log_scale, ratio_scale, topic_cutoff
        cbool has_background, compat
        WordTables tables

    cdef cppclass DivergenceInput:
        void build(const TypeCounts&, const DivergencePlan&) except +

    cdef cppclass DivergenceScorer:
        Features compare(const TypeCounts&, const DivergenceInput&, const DivergencePlan&) except +

    cdef cppclass DivergenceEngine(TextEngine):
        CppAnalyzer analyzer
        DivergencePlan plan

    Key word_key(const char*, size_t) except +
    double likelihood_ratio(int64_t, int64_t, int64_t, int64_t) noexcept


FIELDS = (
    "KLInputSummary", "KLSummaryInput", "unsmoothedJSD", "smoothedJSD", "cosineAllWords",
    "percentTopicTokens", "fractionTopicWords", "topicWordOverlap", "unigramProb",
    "multinomialProb",
)
cdef dict MESSAGES = {TEXT_TOO_LONG: "a text is longer than 1 GiB or 2^31 words; shorten it"}


cdef int read_counts(dict counts, TypeCounts& out) except -1:
    """Types, as bytes, with their counts."""
    cdef bytes word
    cdef int64_t count
    out.clear()
    for word, count in counts.items():
        PyErr_CheckSignals()
        out.add(word_key(word, len(word)), count)
    return 0


cdef class DivergenceKernel(TextKernel):
    """The features of one set of options, ready to score.

    Parameters
    ----------
    analyzer : Analyzer
    background : dict of bytes to int, or None
        Words as the analyzer returns them; None for no background.
    idf : dict of bytes to float
    unknown_idf : float
        For a word that is not in `idf`.
    smoothing : (float, float)
        gamma and bins: a count c of n tokens becomes (c + gamma) / (n + gamma * bins * types).
    log_scale, ratio_scale : float
        Factors of natural logarithms, in divergences and in likelihood ratios.
    topic_cutoff : float
    compat : bool
        Give numbers for empty texts, and count a line of punctuation alone as an empty token.
    """

    cdef DivergenceEngine* divergence

    def __cinit__(self):
        self.divergence = new DivergenceEngine()
        self.engine.reset(self.divergence)

    def __init__(
        self, Analyzer analyzer, str name, dict background, dict idf, double unknown_idf,
        tuple smoothing, double log_scale, double ratio_scale, double topic_cutoff, cbool compat
    ):
        cdef DivergencePlan* plan = &self.divergence.plan
        cdef bytes word
        cdef int64_t count
        cdef double weight
        self.fields, self.primary = FIELDS, 2
        self.describe((name,), MESSAGES, analyzer.cpp.tokenizer == RAW, "source")
        self.divergence.analyzer = analyzer.cpp
        plan.gamma, plan.bins = smoothing
        plan.log_scale, plan.ratio_scale = log_scale, ratio_scale
        plan.topic_cutoff = topic_cutoff
        plan.compat = compat
        plan.has_background = background is not None
        plan.tables.reset(len(idf) + (len(background) if background else 0), unknown_idf)
        if background is not None:
            for word, count in background.items():
                plan.tables.add_count(word_key(word, len(word)), count)
        for word, weight in idf.items():
            plan.tables.add_weight(word_key(word, len(word)), weight)

    def score_counts(self, dict summary not None, dict source not None) -> Score:
        """Score of counted words: from words, as bytes that the analyzer returned, to counts."""
        cdef TypeCounts own, others
        cdef DivergenceInput input
        cdef DivergenceScorer scorer
        cdef Features features
        cdef vector[double] values
        read_counts(summary, own)
        read_counts(source, others)
        input.build(others, self.divergence.plan)
        features = scorer.compare(own, input, self.divergence.plan)
        values.assign(features.data(), features.data() + len(FIELDS))
        return self.collect(values)[self.names[0]]

    def likelihood_ratios(self, dict source not None) -> list:
        """Of each word of an input that was counted, against the background."""
        cdef bytes word
        cdef int64_t count
        cdef TypeCounts counts
        cdef DivergencePlan* plan = &self.divergence.plan
        cdef Key key
        cdef unsigned int place = 0
        read_counts(source, counts)
        ratios = []
        for word, count in source.items():
            key = word_key(word, len(word))
            plan.tables.find(&key, 1, &place)
            ratios.append(
                plan.ratio_scale
                * likelihood_ratio(
                    count, counts.total, plan.tables.count(place), plan.tables.total()
                )
            )
        return ratios
