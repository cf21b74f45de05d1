"""The features of `readability`: how each is counted, and its direction.

The direction fixes the effect of a feature: more of it makes a text read better (1) or worse (-1),
even if some judgements disagree. Directions keep a model from learning the habits of the systems
that wrote its training texts; see `Readability`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from summeval._core.columns import columns
from summeval._core.readability.text_features import NAMES, TextFeatures
from summeval.metrics.discourse import word_classes
from summeval.text.sentence_splitter import known_words

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.learn.vectors import WordVectors


class Feature(NamedTuple):
    """A feature: its direction and its description."""

    direction: int
    meaning: str


# Counted in the kernel, and normed by the length of the text.
NORMED = {
    "sentence_length": Feature(1, "log of 1 + words by sentences"),
    "shortest_sentence": Feature(1, "log of 1 + words of the shortest sentence"),
    "sentence_length_spread": Feature(-1, "standard deviation by mean of the words of sentences"),
    "distinct_words": Feature(1, "distinct words by the square root of all"),
    "distinct_content": Feature(1, "the same of stems of content words"),
    "repeated_words": Feature(-1, "share of words that came before"),
    "repeated_bigrams": Feature(-1, "the same of pairs of words, across sentences"),
    "repeated_content": Feature(-1, "the same of stems of content words"),
    "words_within": Feature(-1, "mean over sentences of the share of words repeated within one"),
    "most_words_within": Feature(-1, "the greatest such share of a sentence"),
    "near_content": Feature(
        -1, "by stems of content words, the sum over repeated ones of 1 / words since the last"
    ),
    "commonest_content": Feature(-1, "share of the commonest stem of content words"),
    "shared_content": Feature(-1, "most that two sentences share, by the smaller set of stems"),
    "alike_sentences": Feature(-1, "greatest Jaccard likeness of the words of two sentences"),
    "new_content": Feature(1, "mean share of new stems in sentences after the first"),
    "least_new_content": Feature(1, "the least share of new stems of a sentence"),
    "function_runs": Feature(-1, "share of runs of three words that are all function words"),
    "worst_pairs": Feature(
        1, "mean of the lowest tenth of the mutual information of neighbouring word classes"
    ),
}
# In most texts 0, so that length says nothing of it.
SPARSE = {
    "errors": Feature(
        -1,
        "the sum of: no final mark; a quotation mark or bracket left open; share of sentences of at"
        " most 4 words; share whose last word wants another (the, of, and); blanks before marks",
    )
}
FEATURES: dict[str, Feature] = {**NORMED, **SPARSE}
_FIRST = NAMES.index("sentence_length")  # the kernel has the normed ones in this order
_COLUMNS = slice(_FIRST, _FIRST + len(NORMED))
_ERRORS = [
    NAMES.index(name) for name in ("no_final_mark", "unbalanced", "short_sentences", "broken_off")
]
_SPACED, _WORDS = NAMES.index("spaced_marks"), NAMES.index("words")
_CONTINUITY = NAMES.index("continuity")
_MANY_SPACED = 0.1  # blanks before marks, by words, that count as one error


class FeatureReader:
    """Counts the features of texts.

    Parameters
    ----------
    pairs : array [class, class]
        What `word_classes.likeliness` found.
    vectors : WordVectors, optional
        For the likeness of neighbouring sentences, which is 0 without it.
    """

    def __init__(self, pairs: NDArray[float64], vectors: WordVectors | None = None) -> None:
        words = {word.encode(): traits for word, traits in word_classes.words().items()}
        suffixes = [(end.encode(), number) for end, number in word_classes.suffixes()]
        never, number, maybe, starters = (
            {word.encode() for word in known} for known in known_words()
        )
        rules, table = (never, number, maybe, starters), vectors.kernel if vectors else None
        self._kernel = TextFeatures(words, suffixes, pairs, rules, table)

    def read(
        self, texts: Sequence[str], workers: int = 1
    ) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """The features [text, feature] as in FEATURES, the numbers of words, and continuity."""
        import numpy as np

        found = self._kernel.rows(columns.texts(texts, "texts"), workers)
        rows = np.empty((len(texts), len(FEATURES)))
        rows[:, :-1] = found[:, _COLUMNS]
        rows[:, -1] = found[:, _ERRORS[0]]
        for column in _ERRORS[1:]:
            rows[:, -1] += found[:, column]
        rows[:, -1] += np.minimum(1.0, found[:, _SPACED] / _MANY_SPACED)
        return rows, found[:, _WORDS], found[:, _CONTINUITY]
