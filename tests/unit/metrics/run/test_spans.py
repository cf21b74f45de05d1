"""Where tokens stand in a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from summeval.metrics.run.explain.spans import (
    compared,
    lowered,
    original,
    places,
    sentences_of,
    tokens_of,
)
from summeval.metrics.run.text_options import TextOptions
from summeval.text import tokens

LETTERS = [*"aBc ßİΣς.1\n\r東京タไท🙂é\U0001d400ﬁǅ_'-", "ﾞ", "\u0301", "\u200d", "\u0345"]
TEXTS = st.text(st.one_of(st.sampled_from(LETTERS), st.characters(exclude_categories=["Cs"])))


@given(TEXTS)
def test_a_token_stands_where_the_text_has_it(text: str) -> None:
    for name in ("rouge155", "unicode"):
        found = tokens_of(text, name)
        assert [token.form for token in found] == tokens(text, name)
        for form, begin, end in found:
            assert tokens(text[begin:end], name) == [form]


@given(TEXTS)
def test_what_a_function_cuts_out_of_a_text_is_found_there(text: str) -> None:
    for form, begin, end in tokens_of(text, str.split):
        assert text[begin:end] == form
    found = tokens_of(text, lambda given: given.casefold().split())
    assert [text[begin:end].casefold() for _, begin, end in found] == [one.form for one in found]


@given(TEXTS)
def test_places_of_a_text_in_lower_case_are_those_of_what_it_was(text: str) -> None:
    low, origin = lowered(text)
    assert low == text.lower()
    assert len(origin) == len(low)
    for place, letter in enumerate(low):
        begin, end = original((place, place + 1), origin)
        assert letter in text[begin:end].lower() or letter in "σς"
    assert original((0, len(low)), origin) == (0, len(text))


def test_tokens_that_a_function_makes_are_found_whatever_it_did() -> None:
    def cut(text: str) -> list[str]:
        return [word[:4].upper() for word in text.split() if word != "the"]

    text = "the mother saw the MOTH, then there"
    found = [(form, text[begin:end]) for form, begin, end in tokens_of(text, cut)]
    assert [form for form, _ in found] == ["MOTH", "SAW", "MOTH", "THEN", "THER"]
    assert [word for _, word in found] == ["moth", "saw", "MOTH", "then", "ther"]


def test_a_word_is_found_as_a_word_before_it_is_found_within_one() -> None:
    text = "concatenate a cat"
    ((_, begin, end),) = tokens_of(text, lambda _: ["cat"])
    assert (begin, end) == (14, 17)
    ((_, begin, end),) = tokens_of(text, lambda _: ["nate"])
    assert (begin, end) == (7, 11)


def test_runs_of_letters_may_overlap() -> None:
    def runs(text: str) -> list[str]:
        return [text[at : at + 3] for at in range(len(text) - 2)]

    assert places("banana", runs("banana")) == [(0, 3), (1, 4), (2, 5), (3, 6)]
    assert places("banana", ["ana", "ana"]) == [(1, 4), (3, 6)]


def test_what_stands_nowhere_gets_the_words_between_its_neighbours() -> None:
    text = "He was here."
    assert [token[1:] for token in tokens_of(text, lambda _: ["he", "be", "here", "."])] == [
        (0, 2),
        (3, 6),
        (7, 11),
        (11, 12),
    ]
    both = tokens_of("He has been here", lambda _: ["he", "be1", "here"])
    assert both[1][1:] == (3, 11)
    assert tokens_of("", lambda _: ["x"]) == [("x", 0, 0)]


def test_sentences_have_places_in_the_whole_text() -> None:
    text = "Ünd so.  Weiter!\n\n Ende"
    for how in ("rules", "newline", lambda given: given.upper().split(".")):
        options = TextOptions(sentences=how, tokenizer="unicode", named="own")
        found = [token for sentence in sentences_of(options, text) for token in sentence]
        assert [text[t.begin : t.end] for t in found] == ["Ünd", "so", "Weiter", "Ende"]
    options = TextOptions(sentences=lambda given: given.upper().split(". "), named="own")
    (first, second) = sentences_of(options, "Aß b. Strasse")
    assert [token[1:] for token in (*first, *second)] == [(0, 2), (3, 4), (6, 13)]


def test_case_stop_words_and_stems_are_those_of_the_options() -> None:
    options = TextOptions(stemmer="rouge155", stopwords=frozenset(["the"]))
    (sentence,) = sentences_of(options, "The mice ran")
    assert [token.form for token in sentence] == ["the", "mice", "ran"]
    assert compared(options, sentence) == [("mouse", 4, 8), ("ran", 9, 12)]
    (kept,) = sentences_of(TextOptions(lowercase=False), "The mice")
    assert [token.form for token in kept] == ["The", "mice"]
