"""Features of texts that need no parse; the definition is tests/definitions/text/features.py."""

from libc.stdint cimport int64_t, uint16_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from summeval._core.columns.columns cimport TextColumn
from summeval._core.likeness.likeness cimport CppWordTable, WordTable
from summeval._core.rows.parallel cimport FirstFailure
from summeval._core.text.analyzer cimport Analyzer, CppAnalyzer
from summeval._core.text.views cimport View


cdef extern from "readability/text_features.hpp" namespace "summeval" nogil:
    int TEXT_FEATURES, FEATURES_TEXT_TOO_LONG

    cdef struct WordTraits:
        uint16_t word_class
        cbool is_function, wants_more

    cdef struct WordSuffix:
        string letters
        uint16_t word_class

    cdef cppclass SentenceWords:
        unordered_set[string] never_last, before_number, maybe_last, starters

    cdef cppclass TextFeaturePlan:
        CppAnalyzer analyzer
        SentenceWords sentence_words
        unordered_map[string, WordTraits] words
        vector[WordSuffix] suffixes
        vector[double] pairs
        size_t classes
        shared_ptr[const CppWordTable] vectors

    cdef cppclass TextFeatureCounter:
        TextFeaturePlan plan
        void count(
            const View* texts, int64_t rows, int workers, double* out, FirstFailure& failed
        ) except +


NAMES = (
    "words", "sentences", "sentence_length", "shortest_sentence", "sentence_length_spread",
    "distinct_words", "distinct_content", "repeated_words", "repeated_bigrams", "repeated_content",
    "words_within", "most_words_within", "near_content", "commonest_content", "shared_content",
    "alike_sentences", "new_content", "least_new_content", "function_runs", "worst_pairs",
    "short_sentences", "broken_off", "spaced_marks", "unbalanced", "no_final_mark", "continuity",
)


cdef class TextFeatures:
    """Counts the features of texts.

    Parameters
    ----------
    words : dict of bytes to (int, bool, bool)
        What is known of words, in lower case: the class; whether it is a function word; whether it
        wants another word after it.
    suffixes : list of (bytes, int)
        The classes of other words, by their ends; the first one that a word has decides. A word
        must have 3 bytes more. Class 0 is the boundary of a sentence, 1 a word that begins with a
        digit, 2 any other word.
    pairs : array [class, class]
        A number for each pair of neighbouring classes.
    sentence_words : (set of bytes, set of bytes, set of bytes, set of bytes)
        As `SupportKernel` takes them.
    vectors : WordTable, optional
        For `continuity`, which is 0 without it.
    """

    cdef TextFeatureCounter counter
    cdef WordTable vectors  # whose arrays the counter reads

    def __init__(
        self, dict words not None, list suffixes not None, const double[:, ::1] pairs not None,
        tuple sentence_words not None, WordTable vectors=None
    ):
        cdef Analyzer analyzer = Analyzer(tokenizer="unicode", stemmer="porter")
        cdef TextFeaturePlan* plan = &self.counter.plan
        cdef WordTraits traits
        cdef WordSuffix suffix
        cdef bytes word
        cdef Py_ssize_t i, j
        plan.analyzer = analyzer.cpp
        self.vectors = vectors
        if vectors is not None:
            plan.vectors = vectors.table
        plan.sentence_words.never_last = sentence_words[0]
        plan.sentence_words.before_number = sentence_words[1]
        plan.sentence_words.maybe_last = sentence_words[2]
        plan.sentence_words.starters = sentence_words[3]
        plan.classes = <size_t>pairs.shape[0]
        if pairs.shape[0] != pairs.shape[1] or pairs.shape[0] < 3 or pairs.shape[0] > 65535:
            raise ValueError("pairs is no square of 3 to 65,535 classes")
        for word, (traits.word_class, traits.is_function, traits.wants_more) in words.items():
            plan.words[word] = traits
            if traits.word_class >= plan.classes:
                raise ValueError(f"a word has the class {traits.word_class} of {plan.classes}")
        for suffix.letters, suffix.word_class in suffixes:
            plan.suffixes.push_back(suffix)
            if suffix.word_class >= plan.classes:
                raise ValueError(f"a suffix has the class {suffix.word_class} of {plan.classes}")
        for i in range(pairs.shape[0]):
            for j in range(pairs.shape[1]):
                plan.pairs.push_back(pairs[i, j])

    def rows(self, TextColumn texts not None, int workers=1):
        """The features of each text [text, feature] in the order of NAMES; NaN where there is none.

        Sentences end at newlines and by rules.

        Raises
        ------
        ValueError
            A text is longer than 512 MiB.
        """
        import numpy as np

        cdef FirstFailure failed
        found = np.empty((texts.size, TEXT_FEATURES), dtype=np.float64)
        cdef double[:, ::1] out = found
        if texts.size:
            with nogil:
                self.counter.count(texts.views, texts.size, workers, &out[0, 0], failed)
        if failed.any():
            if failed.status() == FEATURES_TEXT_TOO_LONG:
                raise ValueError(f"texts[{failed.row()}] is longer than 512 MiB; shorten it")
            raise MemoryError(f"no memory for texts[{failed.row()}]")
        return found
