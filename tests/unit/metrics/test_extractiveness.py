"""Extractiveness by hand: the fields, their edges, and the explanation by fragment."""

from __future__ import annotations

import math

import pytest

import summeval
from summeval import Extractiveness

METRIC = Extractiveness()
SOURCE = "The storm hit the coast on Monday. Houses were lost, and the army came to help."


def test_the_fields_by_hand() -> None:
    """Of 8 words "the storm hit" (3), "houses" (1) and "the army" (2) are copied."""
    score = METRIC.score("The storm hit houses. Then the army left", source=SOURCE)
    assert score.coverage == score.value == pytest.approx(6 / 8)
    assert score.density == pytest.approx((9 + 1 + 4) / 8)
    assert score.compression == pytest.approx(16 / 8)
    assert score.length_ratio == pytest.approx(8 / 16)
    assert score.novel1 == pytest.approx(2 / 7)  # then, left; "the" counts once
    assert score.novel2 == pytest.approx(4 / 7)  # all but the storm, storm hit, the army
    assert score.novel3 == pytest.approx(5 / 6)  # all but the storm hit
    assert score.repetition == 0.0


def test_repetition_is_the_share_of_triples_that_came_before() -> None:
    score = METRIC.score("a b c a b c a", source="x")
    assert score.repetition == pytest.approx(2 / 5)  # abc bca cab abc bca
    assert METRIC.score("a a", source="x").repetition == 0.0


def test_a_copy_and_a_text_that_shares_nothing() -> None:
    copied = METRIC.score(SOURCE, source=SOURCE)
    assert (copied.coverage, copied.density, copied.compression) == (1.0, 16.0, 1.0)
    assert (copied.novel1, copied.novel2, copied.novel3, copied.length_ratio) == (0, 0, 0, 1)
    other = METRIC.score("Nobody knows", source=SOURCE)
    assert (other.coverage, other.density, other.novel1, other.novel2) == (0, 0, 1, 1)
    assert other.novel3 == 0.0  # it has no three words


def test_texts_without_words() -> None:
    for empty in ("", "...", "\n"):
        score = METRIC.score(empty, source=SOURCE)
        assert [*score] == [0, 0, 0, 1, 1, 1, 1, 0]
    beside = METRIC.score("a cat", source=["", "?!"])
    assert [*beside][:7] == [0, 0, 0, 1, 1, 0, 0]
    assert math.isnan(beside.length_ratio)
    assert all(math.isnan(number) for number in METRIC.score(None, source=SOURCE))


def test_documents_are_apart_and_in_any_order() -> None:
    apart = METRIC.score("one two three", source=["one two", "three four"])
    assert (apart.density, apart.novel2) == (pytest.approx(5 / 3), 0.5)
    joined = METRIC.score("one two three", source="one two three four")
    assert (joined.density, joined.novel2) == (3.0, 0.0)
    assert METRIC.score("one two three", source=["three four", "one two"]) == apart


def test_a_longer_match_that_begins_within_another_is_passed_over() -> None:
    """As in figure 2 of the paper: "a a b" is not found, since "a a" is, one word before."""
    assert METRIC.score("a a b", source="a a a b").density == pytest.approx((4 + 1) / 3)
    assert METRIC.score("a c b", source="a a c b").density == 3.0


def test_stems_scripts_and_tokenizers() -> None:
    assert METRIC.score("storms", source="storm").coverage == 0.0
    assert Extractiveness(stemmer="porter").score("storms", source="storm").coverage == 1.0
    assert METRIC.score("ГРОЗА Straße", source="гроза strasse").density == 2.0
    assert Extractiveness(tokenizer="rouge155").score("Straße", source="stra").novel1 == 0.5
    own = Extractiveness(tokenizer=str.split, label="mine")
    assert own.score("A cat.", source="A cat").coverage == 0.5
    assert own.signature.startswith("extractiveness|tokenizer:") or own.name == "mine"


def test_its_directions() -> None:
    assert METRIC.higher_is_better
    lower_is_better = {"novel1", "novel2", "novel3", "repetition"}
    assert {field for field, up in METRIC.directions.items() if not up} == lower_is_better
    unbounded = [field for field, best in METRIC.best.items() if best == math.inf]
    assert unbounded == ["density", "compression", "length_ratio"]


def test_the_fragments_of_an_explanation() -> None:
    candidate = "🦊 The stórm HIT houses — Then the army left"
    sources = ("Zuerst: the army, 🏚 came.", "The stórm\nhit the coast. Houses fell")
    told = METRIC.explain(candidate, source=sources)
    assert told.value == METRIC.score(candidate, source=sources).value
    assert math.fsum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-12)
    found = {
        item.text: [sources[n][begin:end] for n, begin, end in item.source_spans]
        for item in told.items
    }
    assert found == {
        "The stórm HIT": ["The stórm\nhit"],
        "houses": ["Houses"],
        "Then": [],
        "the army": ["the army"],
        "left": [],
    }
    for item in told.items:
        assert [candidate[slice(*span)] for span in item.candidate_spans] == [item.text]
        assert item.kind == ("match" if item.share else "extra")
        assert item.share == (item.details["words"] / 8 if item.source_spans else 0.0)


def test_explanations_with_options_and_without_words() -> None:
    stems = Extractiveness(stemmer="porter").explain("Storms hit", source="A storm hits.")
    assert [(item.text, item.share) for item in stems.items] == [("Storms hit", 1.0)]
    split = Extractiveness(tokenizer=lambda text: text.lower().split("/"), label="x")
    told = split.explain("A cat/ran", source="It/a cat/ran off")
    assert [(item.text, item.source_spans) for item in told.items] == [
        ("A cat", ((0, 3, 8),)),
        ("ran", ()),
    ]
    assert [item.text for item in METRIC.explain("...", source="a").items] == ["floor"]


def test_it_is_a_reward_and_a_column() -> None:
    from summeval.interop.reward import Rewards

    found = Rewards("extractiveness")(["a cat sat", "dogs"], [None] * 2, ["a cat sat"] * 2)
    assert found[0] > found[1]
    with pytest.raises(ValueError, match="extractiveness compares a candidate with its input"):
        summeval.score("a cat", ["a cat"], metrics=["extractiveness"])
