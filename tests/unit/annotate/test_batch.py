"""Texts annotated: one call, each distinct text once, whatever the provider."""

from __future__ import annotations

import pytest
from words_provider import Words

from summeval.annotate import annotate, provider


def test_each_distinct_text_is_parsed_once() -> None:
    words = Words()
    first, none, other, again = annotate(["a b", None, "c", "a b"], words, cache=False)
    assert words.asked == ["a b", "c"]
    assert none is None
    assert first is again
    assert [first.text, other.text] == ["a b", "c"]


def test_a_list_is_the_sentences_of_one_text() -> None:
    (document,) = annotate([["a b", "c"]], Words())
    assert document.text == "a b\nc"
    assert [len(sentence.tokens) for sentence in document.sentences] == [2, 1]


def test_progress_counts_distinct_texts() -> None:
    seen: list[tuple[int, int]] = []
    annotate(
        ["a", "b", "a"], Words(), cache=False, progress=lambda done, of: seen.append((done, of))
    )
    assert seen == [(0, 2), (2, 2)]


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        ("a", TypeError, "texts is one str; pass a list of texts"),
        (["a", 3], TypeError, r"texts\[1\] is int; pass a str, a list of str, or None"),
        ([["a", None]], TypeError, r"texts\[0\]\[1\] is NoneType; pass a str"),
        (["a", "\ud800"], ValueError, r"texts\[1\] contains an unpaired surrogate; replace"),
    ],
)
def test_bad_texts_are_named(texts, error, message) -> None:
    with pytest.raises(error, match=message):
        annotate(texts, Words())


def test_unknown_provider_is_named_with_its_neighbours() -> None:
    with pytest.raises(ValueError, match=r"unknown provider 'spacey'; did you mean spacy\?"):
        provider("spacey")
    with pytest.raises(TypeError, match="provider is int; pass a name or a provider"):
        annotate(["a"], 3)
