"""The similarity metrics of the QARLA paper, by hand and on texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import CASE_FILES

import summeval
from summeval.metrics.qarla import similarities as overlaps
from summeval.metrics.qarla.similarities import QarlaSimilarity

CASES = json.loads((CASE_FILES / "qarla.json").read_text())["cases"]
HAND = next(case for case in CASES if case["kind"] == "qarla_similarities")

words = st.lists(st.sampled_from("abcdef"), max_size=12)


def test_numbers_by_hand() -> None:
    case, expected = HAND["input"], HAND["expected"]
    reference, candidate = (
        [tuple(fragment.split(":")) for fragment in case[f"{side}_fragments"]]
        for side in ("reference", "contrastive")
    )
    own, other = case["con_words"], case["ref_words"]
    found = {
        "SentencePrecision": overlaps.sentence_precision(candidate, reference),
        "SentenceRecall": overlaps.sentence_recall(candidate, reference),
        "DocSim": overlaps.document_similarity(candidate, reference),
        "VectModelSim": overlaps.vector_similarity(own, other),
        "euclidean": 1 / overlaps.vector_similarity(own, other) - 1,
        "TVM1_ref_is_ref": overlaps.vector_similarity(own, other, most=1),
        "TVM1_roles_swapped": overlaps.vector_similarity(other, own, most=1),
    }
    assert found == pytest.approx(expected, abs=HAND["tolerance"])


@given(words, words)
def test_a_long_truncation_of_a_text_with_all_words_cuts_nothing(
    candidate: list[str], reference: list[str]
) -> None:
    whole = [*candidate, *reference]
    found = overlaps.vector_similarity(candidate, whole, most=512)
    assert found == overlaps.vector_similarity(candidate, whole)


@given(words)
def test_a_text_is_wholly_like_itself(text: list[str]) -> None:
    wanted = 1.0 if text else 0.0
    for measure in (
        overlaps.word_recall,
        overlaps.vector_similarity,
        overlaps.sentence_precision,
        overlaps.sentence_recall,
    ):
        assert measure(text, text) == wanted


def test_equally_frequent_words_go_by_alphabet() -> None:
    assert overlaps.vector_similarity(["a"], ["b", "a"], most=1) == 1 / 1.5
    assert overlaps.vector_similarity(["b"], ["b", "a"], most=1) == 1 / 1.5
    assert overlaps.vector_similarity(["b"], ["b", "a", "a"], most=1) == 1 / (1 + 2 / 3)


@pytest.mark.parametrize(
    ("name", "candidate", "reference", "value"),
    [
        ("qarla-rouge", "the cats slept", "A cat slept.", 0.5),
        ("qarla-vector", "The cat!", "a CAT", 1.0),
        ("qarla-vector-1", "dog", "cat cat dog", 1 / (1 + 2 / 3)),
        ("qarla-precision", "One two.\nThree.", "one two\nfour\nfive\nsix", 0.25),
        ("qarla-recall", "One two.\nThree.", "one two\nfour\nfive\nsix", 0.5),
        ("qarla-rouge", "", "a cat slept", 0.0),
        ("qarla-vector", "cat", "the", 0.0),
        ("qarla-recall", "", "cat", 0.0),
    ],
)
def test_texts(name: str, candidate: str, reference: str, value: float) -> None:
    metric = summeval.metric(name)
    assert metric.score(candidate, reference).similarity == pytest.approx(value)
    table = metric.score_batch([candidate, None], [reference, reference])
    assert table[name].tolist() == pytest.approx([value, float("nan")], nan_ok=True)


def test_lemmas_stop_words_and_sentences_can_be_chosen() -> None:
    stemmed = QarlaSimilarity("qarla-rouge", lemma=summeval.text.stemmer("porter"))
    named = QarlaSimilarity("qarla-rouge", stemmer="porter")
    assert named.score("the cats slept", "A cat slept.") == stemmed.score(
        "the cats slept", "A cat slept."
    )
    assert stemmed.score("the cats slept", "A cat slept.").value == 1.0
    plain = QarlaSimilarity("qarla-rouge", stopwords=False)
    assert plain.score("the cat", "a cat").value == 0.5
    split = QarlaSimilarity("qarla-recall", sentences="rules")
    assert split.score("A cat slept. It rained.", "It rained.").value == 0.5
    assert len({metric.signature for metric in (stemmed, named, plain, split)}) == 4


def test_nicos_counts_key_concepts_and_nothing_else() -> None:
    metric = summeval.metric("qarla-nicos", concepts=["Flood wall", "river"])
    assert metric.score("The flood wall by a river", "River, then flood wall!").value == 1.0
    assert metric.score("A wall in the flood", "A flood wall").value == 0.0
    assert "concepts:2-" in metric.signature


def test_words_that_can_be_read_once_are_kept() -> None:
    texts = "The flood wall held.", "A flood wall for the river."
    once, kept = (
        [
            summeval.metric("qarla-nicos", concepts=given(["flood wall", "river"])),
            summeval.metric("qarla-rouge", stopwords=given(["the", "a"])),
        ]
        for given in (iter, list)
    )
    assert [one.signature for one in once] == [one.signature for one in kept]
    assert [one.score(*texts) for one in once] == [one.score(*texts) for one in kept]


def test_several_references_are_averaged() -> None:
    assert summeval.metric("qarla-rouge").score("cat", ["cat", "dog"]).value == 0.5


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("qarla-nicos", {}, "qarla-nicos needs concepts="),
        ("qarla-nicos", {"concepts": ["..."]}, "concepts holds no words"),
        ("qarla-rouge", {"concepts": ["a"]}, "qarla-rouge takes no concepts"),
        ("qarla-vector-0", {}, "unknown metric 'qarla-vector-0'"),
        ("qarla-rouge", {"stemmer": "snowball"}, "stemmer is 'snowball'; choose from"),
        ("qarla-rouge", {"tokenizer": "words"}, "tokenizer is 'words'"),
    ],
)
def test_what_is_not_taken_is_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        summeval.metric(name, **options)


def test_the_class_refuses_other_names() -> None:
    with pytest.raises(ValueError, match="no similarity of QARLA is called 'rouge1'"):
        QarlaSimilarity("rouge1")
