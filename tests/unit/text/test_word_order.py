"""The order of words: sentences beside the same words without order."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval.text import function_words
from summeval.text.word_order import ENDINGS, MARKS, WordOrder, class_of, framed, shipped, split

TEXTS = [
    "The government said on Monday that it would not raise the tax on fuel before the election.",
    "Two men were arrested after a fire in a block of flats, and one of them was later released.",
    "She has written three novels; the last of these was the best, but nobody bought it.",
]


@pytest.mark.parametrize("text", TEXTS)
def test_shuffled_words_and_keywords_stand_in_no_order(text):
    order = shipped()
    good = order.score(split(text))
    words = text.split()
    for seed in range(20):
        shuffled = words[:]
        random.Random(seed).shuffle(shuffled)
        assert order.score(split(" ".join(shuffled))) < good - 0.2
    few = function_words.english()
    keywords = [word for word in split(text) if word not in few and word not in MARKS]
    assert order.score(keywords) < good - 0.1


def test_letters_of_any_bytes_stay_whole():
    assert split("Ŀl Œuvre, ŀ") == ["ŀl", "œuvre", ",", "ŀ"]  # the second byte of Ŀ's is 0x80


def test_the_score_is_the_mean_over_neighbours():
    names = [*MARKS, *ENDINGS, "the"]
    size = len(names)
    pairs = [[0] * size for _ in range(size)]
    the, plain = size - 1, names.index("")
    pairs[0][the], pairs[the][plain], pairs[plain][0] = 20, 40, -10
    order = WordOrder(["the"], pairs)
    assert order.score(["the", "cat"]) == pytest.approx(0.05 * (20 + 40 - 10) / 3)
    assert order.score(["the", "cat", "."]) == pytest.approx(0.05 * (20 + 40 - 10) / 3)
    assert order.ending(["the", "cat", "."]) == order.ending(["cat"]) == pytest.approx(-0.5)
    assert order.score([]) == 0.0


def test_the_end_of_a_phrase_is_no_end_of_a_sentence():
    order = shipped()
    assert order.ending(split("they went to the")) < -0.6 < order.ending(split("they went home"))


def test_classes():
    numbers = {name: number for number, name in enumerate([*MARKS, *ENDINGS, "the"])}
    for word, name in (("the", "the"), ("!", "."), ("1987", "0"), ("running", "ing"), ("cat", "")):
        assert class_of(word, numbers) == numbers[name]
    assert class_of("ing", numbers) == numbers["ing"]


def test_a_text_is_framed_by_marks():
    assert framed("It ran!") == [".", "it", "ran", "!"]
    assert framed("it ran") == [".", "it", "ran", "."]
    assert framed("") == [".", "."]


@given(st.one_of(st.text(max_size=40), st.text("aZ_9 .,!?-'’“…é\x1c\n", max_size=40)))
def test_words_and_marks_are_those_of_the_pattern(text):
    assert split(text) == re.findall(r"\w+|[.,;:!?]", text.lower())


@given(st.text(max_size=60))
def test_every_text_has_a_score(text):
    found = shipped().score(split(text))
    assert -6.4 <= found <= 6.4
    assert found == shipped().score(split(text))
