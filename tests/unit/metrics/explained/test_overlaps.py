"""What scores of bipartite, ParaEval, the position Pyramid and QARLA come from, by hand."""

from __future__ import annotations

from math import fsum, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import summeval
from summeval import BipartiteMatching, ParaEval
from summeval.metrics.pyramid.position import PositionPyramid
from summeval.metrics.qarla.similarities import QarlaSimilarity
from summeval.metrics.run.explain.explanation import Explanation


def found(told: Explanation, kind: str) -> list[tuple[str, float]]:
    """The items of a kind: what they are called, and their shares."""
    return [(item.text, item.share) for item in told.items if item.kind == kind]


def total(told: Explanation) -> float:
    return fsum(item.share for item in told.items)


def test_each_matched_pair_of_nodes_has_the_same_share() -> None:
    metric = BipartiteMatching(edge=lambda one, other: one[:3] == other[:3], label="own")
    told = metric.explain("Cats slept, cats ran", "a cat sleeps; cats")
    # 3 of 4 and of 4: F is 3/4
    assert found(told, "match") == [("Cats = cat", 0.25), ("slept = sleeps", 0.25), ("cats", 0.25)]
    assert found(told, "missing") == [("a", 0.0)]
    assert found(told, "extra") == [("ran", 0.0)]
    assert told.items[0].reference_spans == ((0, 2, 5),)


def test_the_first_of_the_best_references_of_a_matching_counts() -> None:
    references = ["x", "a b", "b a"]
    told = BipartiteMatching().explain("a b", references)
    assert {number for item in told.items for number, _, _ in item.reference_spans} == {1}
    told = BipartiteMatching(aggregate="average").explain("a b", references)
    assert found(told, "match") == [(word, pytest.approx(1 / 6)) for word in "abab"]
    assert total(told) == pytest.approx(told.value)


def test_the_tiers_of_paraeval_share_the_words_of_the_reference() -> None:
    metric = ParaEval(paraphrases=[("passed away", "died"), ("monarch", "king")])
    told = metric.explain("The king died, they say", "the monarch passed away today")
    assert [(item.text, item.details) for item in told.items if item.kind == "match"] == [
        ("died = passed away", {"tier": 1.0, "words": 2.0}),
        ("king = monarch", {"tier": 2.0, "words": 1.0}),
        ("The", {"tier": 3.0, "words": 1.0}),
    ]
    assert [share for _, share in found(told, "match")] == [2 / 5, 1 / 5, 1 / 5]
    assert found(told, "missing") == [("today", 0.0)]
    assert found(told, "extra") == [("they", 0.0), ("say", 0.0)]
    assert told.items[0].reference_spans == ((0, 12, 23),)


def test_an_utterance_has_the_weight_of_its_words() -> None:
    metric = PositionPyramid()
    told = metric.explain("It rained.\nWe left.", ["We left.", "It stopped. We left."])
    # D* of 4 words: 2 + 2 + 1 + 1
    assert found(told, "extra") == [("It rained.", 0.0)]
    assert found(told, "match") == [("We left.", 4 / 6)]
    assert found(told, "missing") == [("It stopped.", 0.0)]
    assert told.items[1].details == {"words": 2.0, "weight": 2.0}
    assert told.items[1].reference_spans == ((0, 0, 8), (1, 12, 20))
    # the second of equal utterances is another one
    told = metric.explain("Yes.\n Yes.\r\nYes.", ["Yes.\nYes."])
    assert found(told, "match") == [("Yes.", 0.5), ("Yes.", 0.5)]
    assert found(told, "extra") == [("Yes.", 0.0)]
    assert told.items[1].candidate_spans == ((6, 10),)


def similarity(name: str, **options: Any) -> QarlaSimilarity:
    return QarlaSimilarity(name, stopwords=False, **options)


def test_words_of_the_recall_of_qarla_share_it() -> None:
    told = similarity("qarla-rouge").explain("b b b a", ["b b c d", "a"])
    assert found(told, "match") == [("b", pytest.approx(0.5 / 2)), ("a", pytest.approx(0.5))]
    assert told.items[0].details == {"candidate": 3.0, "reference": 2.0}


def test_sentences_of_qarla_have_equal_parts() -> None:
    texts = "It rained. We left. Why?", "WE LEFT! It rained."
    for name, share in (("qarla-precision", 1 / 2), ("qarla-recall", 1 / 3)):
        told = similarity(name, sentences="rules").explain(*texts)
        assert found(told, "match") == [("It rained.", share), ("We left.", share)]
        assert found(told, "extra") == [("Why?", 0.0)]


def test_words_take_their_part_of_the_distance_off_1() -> None:
    told = similarity("qarla-vector").explain("b b c", "a a a b")
    distance = sqrt((3 / 4) ** 2 + (2 / 3 - 1 / 4) ** 2 + (1 / 3) ** 2)
    lost = -distance / (1 + distance) / distance**2
    shares = dict(found(told, "match") + found(told, "extra") + found(told, "missing"))
    assert shares == pytest.approx(
        {"b": lost * (2 / 3 - 1 / 4) ** 2, "c": lost / 9, "a": lost * 9 / 16}
    )
    assert found(told, "part") == [("intercept", 1.0)]
    assert total(told) == pytest.approx(1 / (1 + distance))
    told = similarity("qarla-vector-1").explain("b b c", "a a a b")
    assert [text for text, share in found(told, "missing") if share] == ["a"]
    assert not any(share for _, share in found(told, "extra") + found(told, "match"))


def test_a_text_without_words_has_no_intercept() -> None:
    told = similarity("qarla-vector").explain("b", ["b", "..."])
    assert found(told, "part") == [("intercept", 0.5)]
    assert total(told) == told.value == 0.5
    told = similarity("qarla-vector").explain("", ["b"])
    assert (told.value, total(told), found(told, "part")) == (0.0, 0.0, [])


def test_key_concepts_stand_where_their_words_do() -> None:
    nicos = QarlaSimilarity("qarla-nicos", concepts=["flood wall", "river"])
    candidate = "The Flood  wall held."
    told = nicos.explain(candidate, "A flood wall for the river.")
    assert found(told, "match")[0][0] == "Flood  wall"
    assert told.items[1].candidate_spans == ((4, 15),)
    assert total(told) == pytest.approx(told.value)


LETTERS = st.text(st.sampled_from("aabAB İßσς.\n\r東🦊ﬁ"), max_size=14)
METRICS = [
    BipartiteMatching(tokenizer="unicode"),
    ParaEval(tokenizer="unicode", paraphrases=[("a b", "ß"), ("東", "a")], aggregate="average"),
    PositionPyramid(tokenizer="unicode"),
    summeval.metric("simetrix", tokenizer="unicode", stopwords=False),
    *(similarity(name, tokenizer="unicode") for name in ("qarla-rouge", "qarla-vector")),
    similarity("qarla-precision", tokenizer="unicode", sentences="rules"),
]


@settings(max_examples=60, deadline=None)
@given(LETTERS, st.lists(LETTERS, min_size=1, max_size=3))
def test_spans_are_those_of_the_texts_as_given(candidate: str, texts: list[str]) -> None:
    for metric in METRICS:
        side = {"source" if metric.name == "simetrix" else "references": texts}
        told = metric.explain(candidate, **side)  # type: ignore[arg-type]
        if told.value == told.value:
            assert total(told) == pytest.approx(told.value, abs=1e-9)
        for item in told.items:
            places = [candidate[begin:end] for begin, end in item.candidate_spans]
            others = (*item.reference_spans, *item.source_spans)
            places += [texts[number][begin:end] for number, begin, end in others]
            assert all(places)
            named = {part.casefold() for part in item.text.split(" = ")}
            if metric.name not in ("qarla-precision", "pyramid-position"):
                assert {place.casefold() for place in places} <= named
