"""The features of texts without a parse: the kernel counts what its twin counts."""

from __future__ import annotations

import numpy as np
from definitions.text import features as twin
from hypothesis import example, given
from hypothesis import strategies as st
from word_pairs import class_of

from summeval._core.columns import columns
from summeval._core.likeness.likeness import WordTable
from summeval._core.readability.text_features import NAMES, TextFeatures
from summeval.metrics.discourse.readability import end_classes, known_classes
from summeval.text.sentence_splitter import known_words, sentences

PIECES = [
    "cat", "cats", "dog", "the", "of", "it", "walking", "king", "2nd", "is", "café", "naïve",
    "東京", "É", "x" * 40, "ﬁt", " ", "  ", "\t", "\r", "\n", "\n\n", ".", ",", "!", "?", "…", "'",
    '"', "(", ")", "]", "’", "”", "“", "-", "\x00", "\u00ad", "́", "😀", " , ", " . ", ";", ":",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"], max_codepoint=0x52F), max_size=30
)
WORDS = {"the": (3, True, True), "of": (4, True, True), "it": (2, True, False), "café": (5, 0, 0)}
SUFFIXES = [("ing", 6), ("é", 7), ("s", 8)]
PAIRS = np.random.default_rng(1).normal(size=(9, 9)).round(2)
VECTORS = {"cat": (8, 0, 1), "cats": (9, 1, 0), "dog": (0, -7, 0), "é": (1, 1, 1), "of": (5, 5, 5)}
WEIGHTS = [1.5, 2.0, 0.25, 3.0, 1.0]
TABLE = WordTable(
    "".join(f"{word}\n" for word in VECTORS).encode(),
    np.array(list(VECTORS.values()), dtype=np.int8),
    np.array(WEIGHTS),
    7.0,
)
WEIGHED = {
    word: (np.array(vector) * weight / np.linalg.norm(vector)).tolist()
    for (word, vector), weight in zip(VECTORS.items(), WEIGHTS, strict=True)
}
KERNEL = TextFeatures(
    {word.encode(): traits for word, traits in WORDS.items()},
    [(end.encode(), number) for end, number in SUFFIXES],
    PAIRS,
    tuple({word.encode() for word in known} for known in known_words()),
    TABLE,
)


def counted(texts: list[str], workers: int = 1) -> np.ndarray:
    return KERNEL.rows(columns.texts(texts, "texts"), workers)


@given(st.lists(TEXTS, min_size=1, max_size=4))
@example([" .\n"])
@example(["cat the cat\ncat of dog\n\nof of of"])
@example(["a" + "\x00" * 3 + "b\n" * 40])
def test_the_kernel_counts_what_its_twin_counts(texts: list[str]) -> None:
    for text, row in zip(texts, counted(texts), strict=True):
        wanted = twin.features("\n".join(sentences(text)), WORDS, SUFFIXES, PAIRS.tolist(), WEIGHED)
        assert set(wanted) == set(NAMES)
        for name, value in zip(NAMES, row, strict=True):
            close = 1e-6 if name == "continuity" else 1e-12  # lengths of vectors are 32-bit floats
            assert abs(value - wanted[name]) <= close * max(1, abs(wanted[name])), name


@given(st.lists(TEXTS, max_size=200), st.integers(2, 4))
def test_neither_workers_nor_other_texts_change_a_row(texts: list[str], workers: int) -> None:
    alone = [counted([text])[0] for text in texts]
    several = counted(texts * 2, workers)
    np.testing.assert_array_equal(several, np.array(alone * 2).reshape(-1, len(NAMES)))


def test_long_texts_agree_too() -> None:
    chance = np.random.default_rng(2)
    words = chance.choice(["cat", "the", "of", "dog", "walking", "2", "it", "\n", "."], 90_000)
    text = " ".join(words)
    (row,) = counted([text])
    wanted = twin.features("\n".join(sentences(text)), WORDS, SUFFIXES, PAIRS.tolist(), WEIGHED)
    np.testing.assert_allclose(row, [wanted[name] for name in NAMES], rtol=1e-6)


@given(st.text(alphabet="abcdegiklnostuy09é", min_size=1, max_size=9))
def test_classes_are_those_of_the_twin(word: str) -> None:
    """The script that makes the table of classes reads words as kernel and twin do."""
    found = twin.class_of(word, known_classes(), end_classes())
    assert class_of(word) == found
