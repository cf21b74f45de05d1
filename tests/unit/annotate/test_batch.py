"""Texts annotated: one call, each distinct text once, whatever the provider."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from words_provider import Lean, Words

import summeval
from summeval import metric
from summeval.annotate import (
    DiscourseDocument,
    Document,
    Sentence,
    Token,
    annotate,
    provider,
)
from summeval.metrics.run import suite as run_suite


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


def test_a_parse_with_more_serves_who_asks_for_less(tmp_path: Path) -> None:
    lean = Lean()
    annotate(["a"], lean, cache=tmp_path, asking_for=["lemmas"])
    annotate(["a", "b"], lean, cache=tmp_path, asking_for=())
    annotate(["a", "b"], lean, cache=tmp_path, asking_for=["entities"])
    annotate(["a", "b"], lean, cache=tmp_path)
    annotate(["a", "b"], lean, cache=tmp_path, asking_for=["lemmas"])
    assert lean.asked == [
        *("a: lemmas", "b: ", "a: entities", "b: entities"),
        *("a: entities lemmas", "b: entities lemmas"),
    ]


def test_unknown_part_of_a_parse_is_refused() -> None:
    with pytest.raises(ValueError, match="part of a parse 'tags'"):
        annotate(["a"], Lean(), cache=False, asking_for=["tags"])


def test_metrics_of_one_suite_parse_a_text_once(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path))
    asked: list[list[str]] = []

    def parse(self: Lean, texts: Sequence[str]) -> Iterator[Document]:
        asked.append([*self.asked_for])
        for text in texts:
            tokens = tuple(Token(word, "NN", label="dep") for word in text.split())
            yield Document((Sentence(tokens),), text=text, provider=self.signature)

    monkeypatch.setattr(Lean, "parse", parse)
    options = {"parser": Lean()}
    dicomer = [metric("dicomer", **options)]
    summeval.suite(dicomer).score_batch(["one"], ["one"])
    cremer = metric("cremer", **options)
    summeval.suite([cremer]).score_batch(["two"], ["two"])
    summeval.suite([cremer, metric("dicomer", **options)]).score_batch(["three"], ["three"])
    both = [cremer, metric("bewte", **options)]
    summeval.suite(both).score_batch(["four"], ["four"])
    summeval.suite([cremer]).score_batch(["five"], ["five"])
    assert asked == [[], [], [], ["entities", "lemmas"], ["entities", "lemmas"]]
    other = [metric("dicomer", **options), metric("be", parser=Lean())]
    assert other[0].parsers[0].asking_for == set()
    summeval.suite(other)
    assert other[0].parsers[0].asking_for == set()


def test_own_relations_are_given_whole_parses() -> None:
    made = metric("dicomer", relations=DiscourseDocument.of, label="own")
    assert made.parsers[0].asking_for == {"entities", "lemmas"}


class Labelled(Words):
    """`Words` with a label on each word; `sizes` has the number of texts of each call."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        self.sizes.append(len(texts))
        for text in texts:
            tokens = tuple(Token(word, "NN", label="dep") for word in text.split())
            yield Document((Sentence(tokens),), text=text, provider=self.signature)


@pytest.mark.parametrize("column", ["bewte.recall", "dicomer.value"])
def test_many_rows_are_parsed_in_parts(column: str, monkeypatch) -> None:
    texts = [f"word{number} and more" for number in range(8)]
    words = Labelled()
    suite = summeval.suite([metric(column.partition(".")[0], parser=words, cache=False)])
    found = []
    for most in (100, 3):
        monkeypatch.setattr(run_suite, "PARSED_ROWS", most)
        found.append(suite.score_batch(texts, texts)[column].tolist())
    assert words.sizes[0] == 8
    assert max(words.sizes[1:], default=0) <= 3
    assert found[0] == found[1]
