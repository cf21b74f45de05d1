"""Explanations of meaning, readability and combined metrics, worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from letter_vectors import Letters

import summeval
from summeval import BertScore, Combination, Cremer, Dicomer
from summeval.annotate import DiscourseDocument
from summeval.learn.regression import NormedModel, divided
from summeval.metrics.discourse.readability import FEATURES
from summeval.metrics.discourse.roles import RolePlaces, table_2
from summeval.metrics.pyramid import LitePyramid
from summeval.metrics.qarla.queen import Queen
from summeval.metrics.run.explain.explanation import Explanation
from summeval.metrics.run.explain.items import rounded, whole

LOOP = "The storm hit the coast. The storm hit a house and the storm hit a house."
TEXTS = ["a cat sat", "a cat", "a dog", "so it goes", "cat"]
HUMAN = [5.0, 3.5, 2.0, 1.0, 3.0]


def test_only_rounding_is_divided() -> None:
    items = [whole("a", 1.0), whole("b", -3.0)]
    assert [item.share for item in rounded(items, -2.0 + 4e-6)] == pytest.approx(
        [1.0 + 1e-6, -3.0 + 3e-6], abs=1e-12
    )
    assert rounded(items, -1.9) == tuple(items)
    assert rounded([whole("a", 0.0)], 0.0)[0].share == 0.0


def total(told: Explanation) -> float:
    return math.fsum(item.share for item in told.items)


def shares(told: Explanation) -> dict[str, float]:
    return {item.text: item.share for item in told.items}


def test_a_linear_combination_by_hand() -> None:
    metric = Combination(
        ["rouge1.recall", "support"], weights={"rouge1.recall": 2.0, "support.explained": -0.5}
    )
    told = metric.explain("a cat", ["a cat sat", None], source="the cat")
    support = summeval.score("a cat", source="the cat", metrics=["support"])["support"].value
    assert shares(told) == {
        "rouge1.recall": pytest.approx(4 / 3),
        "support.explained": pytest.approx(-support / 2),
        "intercept": 0.0,
    }
    assert told.items[0].details == {"value": pytest.approx(2 / 3), "weight": 2.0}
    assert told.value == metric.score("a cat", ["a cat sat"], source="the cat").value
    rouge, copied = told.parts
    assert (rouge.metric, rouge.references, rouge.sources) == ("rouge1", ("a cat sat",), ())
    assert (copied.metric, copied.references, copied.sources) == ("support", (), ("the cat",))
    assert copied.items[1].source_spans == ((0, 4, 7),)


@pytest.mark.parametrize("kind", ["mean", "ridge", "signed-ridge"])
def test_a_share_of_a_normed_column_is_weight_by_distance_from_the_mean(kind: str) -> None:
    names = ["rouge1.recall", "rouge2.precision"]
    metric = Combination(names, kind=kind).fit(TEXTS, HUMAN, references=["a cat sat"] * 5)
    told = metric.explain("a cat slept", "a cat sat")
    for item in told.items[:2]:
        at = item.details
        normed = (at["value"] - at["mean"]) / at["deviation"]
        assert item.share == pytest.approx(normed * at["weight"])
    assert total(told) == pytest.approx(told.value, abs=1e-12)
    assert told.value == metric.score("a cat slept", "a cat sat").value
    empty = metric.explain("", "a cat sat")
    assert [item.text for item in empty.items][-1] == "floor"
    assert total(empty) == pytest.approx(metric.score("", "a cat sat").value, abs=1e-12)


def test_shapleys_shares_by_hand() -> None:
    """Of xyz + x from 0: a third of the product each, and x to the first."""

    def values(rows: Any) -> Any:
        return rows.prod(axis=1) + rows[:, 0]

    intercept, found, rest = divided(values, np.array([2.0, 3.0, 4.0]), np.zeros(3))
    assert (intercept, found, rest) == (0.0, pytest.approx([10.0, 8.0, 8.0]), 0.0)
    many = np.arange(1.0, 14.0)
    intercept, found, rest = divided(values, many, np.zeros(13))
    assert (intercept, found[:2]) == (0.0, [1.0, 0.0])  # none alone but the first
    assert rest == pytest.approx(math.factorial(13))


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_a_regression_with_a_kernel_begins_at_the_mean(kernel: str) -> None:
    rows = [[0.1, 0.5], [0.4, 0.1], [0.6, 0.9], [0.9, 0.6]]
    model = NormedModel(["a", "b"], f"svm-{kernel}", [True, True]).fit(rows, [2, 2.5, 4, 4.5])
    found = model.shares([0.9, 0.1])
    assert found.intercept == pytest.approx(float(model.predict([[0.5, 0.525]])[0]))
    alone = float(model.predict([[0.9, 0.525]])[0]) - found.intercept
    beside = float(model.predict([[0.9, 0.1]])[0]) - float(model.predict([[0.5, 0.1]])[0])
    assert found.features[0] == pytest.approx((alone + beside) / 2)
    assert [each["mean"] for each in found.details] == pytest.approx([0.5, 0.525])


def test_the_parts_of_cremer_are_explained_and_add_up() -> None:
    metric = Cremer(kernel="poly", parts=["rouge1", "readability"])
    metric.fit_texts(TEXTS, HUMAN, references=["a cat sat"] * 5)
    for text in ("a cat sat down", "x", "", "..."):
        told = metric.explain(text, "a cat sat")
        assert told.value == metric.score(text, "a cat sat").value
        assert total(told) == pytest.approx(told.value, abs=1e-9)
        assert [part.metric for part in told.parts] == ["rouge1", "readability"]
        assert told.parts[1].value == summeval.metric("readability").score(text).value
    assert "floor" in shares(told)


def test_readability_is_the_sum_of_its_features() -> None:
    metric = summeval.metric("readability")
    told = metric.explain(LOOP)
    assert told.value == metric.score(LOOP).value
    assert total(told) == pytest.approx(told.value, abs=1e-12)
    assert {item.text for item in told.items} == {
        *(name.replace("_", " ") for name in FEATURES),
        "intercept",
    }
    sizes = [abs(item.share) for item in told.items[:-1]]
    assert sizes == sorted(sizes, reverse=True)
    named = {item.text: item for item in told.items}
    lengths = named["sentence length"].details
    assert lengths["value"] == pytest.approx(math.log1p(16 / 2))
    assert lengths["deviation"] > 0
    again = named["repeated words"]
    assert [LOOP[a:b] for a, b in again.candidate_spans] == (
        "the The storm hit the storm hit a house".split()
    )
    assert again.details["value"] == pytest.approx(9 / 16)
    assert again.share < 0
    pairs = named["repeated bigrams"].candidate_spans
    assert {LOOP[a:b] for a, b in pairs} == {
        "storm hit",
        "The storm",
        "the storm",
        "hit a",
        "a house",
    }
    assert [item.text for item in metric.explain("...").items] == ["floor"]
    assert metric.explain("").value == metric.floor


@pytest.mark.parametrize("transform", ["none", "signed_log1p", "log"])
def test_a_role_model_is_divided_as_its_sum(transform: str) -> None:
    metric = summeval.metric("dicomer")
    if transform != "signed_log1p":
        metric = Dicomer(features="presence", transform=transform).fit(
            [table_2(), DiscourseDocument(table_2().sentences)], [5, 1], ["a", "a"]
        )
    text = "The storm hit the coast, but nobody died. The storm hit a house. It fell."
    told = metric.explain(text)
    assert told.value == metric.score(text).value
    assert total(told) == pytest.approx(told.value, abs=1e-9)
    raw = math.fsum(
        item.details["value"] * item.details["weight"] for item in told.items if item.details
    )
    used = [item for item in told.items if item.details]
    for item in used:
        part = item.details["value"] * item.details["weight"] / raw
        reached = math.log1p(raw) if transform == "log" else told.value
        assert item.share == pytest.approx(part * reached, abs=1e-12)
    assert ("logarithm" in shares(told)) == (transform == "log")
    assert {text[a:b] for item in told.items for a, b in item.candidate_spans} >= {"storm", "house"}


def test_the_words_of_a_role_feature() -> None:
    metric = summeval.metric("coherence-order")
    text = "A dog barked. The dogs ran. Ünal slept."
    (document,) = metric.parser.annotate([text])
    cells = {"dog": [{"any"}, {"any"}, set()], "bark": [{"any"}, set(), set()]}
    places = RolePlaces(document, cells)

    def words(feature: str) -> list[str]:
        return [text[a:b] for a, b in places.of(feature)]

    assert words("any->any") == ["dog", "dogs"]
    assert words("any->nil") == ["barked", "dogs"]
    assert words("any->nil->nil") == ["barked"]
    assert words("any->any->nil") == ["dog", "dogs"]
    assert words("nil->any") == []
    assert words("any<->any") == ["dog", "barked", "dogs"]
    assert words("sal|any->any") == []


def test_bertscore_by_hand() -> None:
    """P is 1, R 3/4, F 6/7: "c" has half of F by a third of P, and half by a third of R."""

    def letters(texts: list[str]) -> Any:
        for text in texts:
            spans = [(k, k + 1) for k, letter in enumerate(text) if letter.isalpha()]
            yield spans, np.eye(26)[[ord(text[k].lower()) - 97 for k, _ in spans]]

    told = BertScore(model=letters, label="own").explain(" cat", ["dog", "co.at"])
    assert told.value == pytest.approx(6 / 7)
    items = {item.text: item for item in told.items}
    assert items["c"].share == pytest.approx(6 / 7 / 3)
    assert items["o = c"].share == 0.0
    assert items["a"].candidate_spans == ((2, 3),)
    assert items["a"].reference_spans == ((1, 3, 4),)
    mean = BertScore(model=letters, aggregate="average", label="own").explain(
        "cat", ["dog", "coat"]
    )
    assert mean.value == pytest.approx(3 / 7)
    assert total(mean) == pytest.approx(3 / 7, abs=1e-12)


def test_bertscore_with_a_baseline_and_weights(tmp_path: Any) -> None:
    table = tmp_path / "baseline.tsv"
    table.write_text("LAYER,P,R,F\n0,0.3,0.2,0.25\n")
    metric = BertScore(model=Letters(), rescale=str(table), idf=["the storm", "a storm hit", "a"])
    candidate, references = "a storm hit the town", ["the storm hit a coast", "trains"]
    told = metric.explain(candidate, references)
    assert told.value == metric.score(candidate, references).value
    assert total(told) == pytest.approx(told.value, abs=1e-12)
    assert shares(told)["baseline"] == pytest.approx(-0.25 / 0.75)
    for empty in ("", "?"):
        told = metric.explain(empty, references)
        assert (total(told), told.value) == (
            pytest.approx(metric.score(empty, references).value),
        ) * 2


def test_lite_pyramid_by_hand() -> None:
    def judge(unit: str, text: str) -> float:
        return 0.9 if unit.split(maxsplit=1)[0] in text else 0.1

    references = ["Die Größe zählt. Dogs bark.", "Cats sleep."]
    told = LitePyramid(judge=judge, label="own").explain("Cats and Dogs", references)
    assert told.value == pytest.approx(0.9)
    (item,) = told.items
    assert (item.share, item.reference_spans) == (pytest.approx(0.9), ((1, 0, 11),))
    mean = LitePyramid(judge=judge, label="own", aggregate="average").explain(
        "Cats and Dogs", references
    )
    assert mean.value == pytest.approx((0.5 + 0.9) / 2)
    assert [item.share for item in mean.items] == pytest.approx([0.025, 0.225, 0.45])
    assert [item.kind for item in mean.items] == ["missing", "match", "match"]
    assert mean.items[1].reference_spans == ((0, 17, 27),)
    assert LitePyramid(judge=judge, label="own").explain("x", "?!").items == ()


@pytest.mark.parametrize("triples", ["pairs", "distinct", "all"])
def test_queen_is_the_sum_over_its_references(triples: str) -> None:
    metric = Queen(metrics=["rouge1", "rouge2.recall", "qarla-vector"], triples=triples)
    references = ["the cat sat down", "the cat sat on a mat", "a cat lay down", "dogs bark"]
    for text in ("the cat sat", "dogs", "", "..."):
        told = metric.explain(text, references)
        assert told.value == metric.score(text, references).value
        assert total(told) == pytest.approx(told.value, abs=1e-12)
        assert len(told.items) == 4
    apart = Queen(metrics="rouge1", triples=triples).explain("...", ["a", "b", "c"])
    assert [item.share for item in apart.items] == [0.0] * 3  # whatever the similarities are
    told = Queen(metrics="rouge1.recall").explain("a b", ["a b", "a c", "d"])
    # beside the first reference it is as close as any two of them are: 6 of 6 pairs
    assert [item.share * 18 for item in told.items] == pytest.approx([6, 6, 4])
    assert told.items[0].details == {"rouge1.recall": 1.0, "rouge1.recall alone": 1.0}
    assert [part.metric for part in told.parts] == ["rouge1"]


def test_places_of_the_features_of_words_are_as_many_as_the_features_say() -> None:
    metric = summeval.metric("readability")
    text = "The storms hit the coast. A storm hit houses of the coast, and hit it for what it was."
    told = {item.text: item for item in metric.explain(text).items}
    again = told["repeated content"]
    assert [text[a:b] for a, b in again.candidate_spans] == ["storm", "hit", "coast", "hit"]
    content = round(len(again.candidate_spans) / again.details["value"])
    assert content == 8
    often = told["commonest content"]
    assert [text[a:b] for a, b in often.candidate_spans] == ["hit"] * 3
    assert often.details["value"] == pytest.approx(3 / content)
    runs = told["function runs"]
    assert runs.details["value"] == pytest.approx(len(runs.candidate_spans) / 17)
    assert "it for what" in {text[a:b] for a, b in runs.candidate_spans}
