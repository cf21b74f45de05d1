"""TESLA-E with an encoder, its explanation, and TESLA-M by the same vectors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from every import every

import summeval
from summeval import TeslaE, TeslaM
from summeval.learn.vectors import WordVectors, word_spans

PAIR = "A tempest struck the shore.", "A storm hit the coast, and a storm hit the army."


class Encoder:
    """A word's vector is that of the table, turned by the number of words before it."""

    signature = "turned"

    def __init__(self, turn: float = 0.0) -> None:
        self.table = WordVectors.shipped()
        self.turn = turn
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> Iterator[Any]:
        self.calls.append(list(texts))
        for text in texts:
            spans = word_spans(text)
            rows = self.table._rows([text[begin:end] for begin, end in spans])
            yield spans, np.roll(rows, round(self.turn * len(spans)), axis=1).astype(np.float32)


def test_vectors_of_the_table_in_context_give_the_numbers_of_the_table() -> None:
    plain, encoded = TeslaE().score(*PAIR), TeslaE(encoder=Encoder()).score(*PAIR)
    assert list(encoded.values()) == pytest.approx(list(plain.values()), abs=1e-4)
    alone = TeslaE(encoder=Encoder(), vectors=None, stemmer="porter").score(*PAIR)
    assert alone.value != pytest.approx(plain.value, abs=1e-4)  # without frequencies
    assert TeslaE(encoder=Encoder(1.0)).score(*PAIR).recall < plain.recall


def test_each_distinct_text_is_encoded_once() -> None:
    encoder = Encoder()
    metric = TeslaE(encoder=encoder)
    candidates = [PAIR[0], None, "", PAIR[0]] * 100
    table = metric.score_batch(candidates, [[PAIR[1], PAIR[0], None]] * 400)
    assert [len(call) for call in encoder.calls] == [3]
    assert table["tesla-e.value"][[0, 2, 3]].tolist() == pytest.approx([1.0, 0.0, 1.0])
    assert np.isnan(table["tesla-e.value"][1])
    prepared = metric.prepare([PAIR[1]])
    assert prepared.score(PAIR[0]) == metric.score(*PAIR)
    assert "|encoder:turned|" in metric.signature


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda texts: [], "gave 0 results for 2 texts"),
        (lambda texts: [([(0, 1)], np.zeros((2, 3)))] * 2, r"shape \(2, 3\) for the 1 words"),
        (lambda texts: [([(0, 0)], np.zeros((1, 3)))] * 2, "empty word"),
        (lambda texts: [([(0, 1)], np.full((1, 3), np.nan))] * 2, "NaN or infinity"),
    ],
)
def test_what_an_encoder_may_not_give(result: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TeslaE(encoder=result, label="x").score("a b", "a c")


def test_a_row_that_the_encoder_fails_for_is_skipped_alone() -> None:
    def fails(texts: Sequence[str]) -> Iterator[Any]:
        for text in texts:
            if "bad" in text:
                raise ValueError("cannot read this")
            yield word_spans(text), np.ones((len(word_spans(text)), 2), np.float32)

    metric = TeslaE(encoder=fails, label="x")
    table = metric.score_batch(["good", "bad", "good"], ["good"] * 3, on_error="skip")
    assert list(table.errors) == [1]
    assert table["x.value"][[0, 2]].tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="cannot read this"):
        metric.score_batch(["good", "bad"], ["good"] * 2)


@pytest.mark.parametrize("tokenizer", ["unicode", "rouge155", str.split])
def test_the_shares_of_an_explanation_add_up(tokenizer: Any) -> None:
    metric = TeslaE(tokenizer=tokenizer)
    told = metric.explain(PAIR[0], ["nothing", PAIR[1]])
    assert told.value == pytest.approx(metric.score(*PAIR).value, abs=1e-6)
    assert told.value == pytest.approx(sum(item.share for item in told.items))
    for item in told.items:
        ((number, begin, end),) = item.reference_spans
        assert number == 1
        assert item.text.split(" = ")[0] in PAIR[1][begin:end].lower()
    assert {PAIR[0][b:e] for item in told.items for b, e in item.candidate_spans} <= {
        *("tempest", "struck", "shore", "shore.")
    }


def test_without_vectors_stems_are_compared_by_porters_rules() -> None:
    assert TeslaE(vectors=None).score("storms", "storm").value == 1.0
    assert TeslaE(vectors=None, stemmer="rouge155").signature.options["stemmer"] == "rouge155"
    given = TeslaE(vectors=WordVectors.shipped())
    assert given.signature == TeslaE().signature
    assert given.score("storms hit", "storm") == TeslaE().score("storms hit", "storm")
    with pytest.raises(TypeError, match=r"vectors is array.*; give .english., a file") as caught:
        TeslaE(vectors=np.ones(3))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_explanations_of_texts_without_matches_and_without_texts() -> None:
    assert TeslaE(vectors=None).explain("cat", "dog").value == 0.0
    assert TeslaE().explain("", "dog").items[0].candidate_spans == ()
    assert TeslaE().explain("of the", "the of").value == pytest.approx(1.0)
    for nothing in ((None, "a"), ("a", None), ("a", [])):
        with pytest.raises(ValueError, match="nothing to explain"):
            TeslaE().explain(*nothing)


@every("aggregate", ["max", "average", "best"])
@every(
    "options",
    [
        {},
        {"vectors": None},
        {"encoder": Encoder(0.5)},
        {"encoder": Encoder(), "vectors": None},
        {"tokenizer": "rouge155", "stemmer": "porter"},
    ],
)
def test_shares_are_parts_of_the_value_itself(options: Any, aggregate: str) -> None:
    """They are made to add up to it only where rounding parts them."""
    metric = TeslaE(aggregate=aggregate, **options)
    references = ["nothing", PAIR[1], "Größe of the STORM, 3.5 storms", "...", "of the"]
    told = metric.explain(PAIR[0], references)
    assert told.value == metric.score(PAIR[0], references).value
    assert math.fsum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-12)
    for number, reference in enumerate(references):
        alone = metric.explain(PAIR[0], reference)
        assert alone.value == metric.score(PAIR[0], reference).value
        assert math.fsum(item.share for item in alone.items) == pytest.approx(
            alone.value, abs=1e-12
        )
        if aggregate == "average":
            mine = [item.share for item in told.items if item.reference_spans[0][0] == number]
            wanted = [item.share / len(references) for item in alone.items]
            assert mine == pytest.approx(wanted, abs=1e-6)
    used = {item.reference_spans[0][0] for item in told.items}
    assert used == ({0, 1, 2, 4} if aggregate == "average" else {int(told.value > 0)})


def test_words_of_any_script_are_found_where_they_stand() -> None:
    told = TeslaE(vectors=None).explain("İzmir ﬁne 𝒜 STRASSE", "Die Straße, ﬁne; 𝒜!")
    texts = {
        told.references[n][b:e]: [told.candidate[x:y] for x, y in item.candidate_spans]
        for item in told.items
        for n, b, e in item.reference_spans
    }
    assert texts["Straße"] == ["STRASSE"]
    assert texts["ﬁne"] == ["ﬁne"]


def test_tesla_m_takes_the_same_vectors() -> None:
    own = WordVectors(["cat", "feline"], [[1, 0], [0.8, 0.6]])
    for similarity, wanted in ((own, 0.8), (None, 0.0)):
        metric = TeslaM(similarity=similarity)
        assert pytest.approx(wanted, abs=1e-4) == metric.score("cat", "feline").parts.unigram.S
        assert metric.score("dog", "dog").parts.unigram.S == 1.0
    english = TeslaM(similarity="vectors")
    assert 0.5 < english.score("storm", "hurricane").parts.unigram.S < 0.8
    assert f"|words:{WordVectors.shipped().label}|" in english.signature
    assert f"|words:vectors-{own.label}|" in TeslaM(similarity=own).signature


def test_the_default_stemmer_is_that_of_the_table() -> None:
    own = WordVectors(["storm"], [[1.0]])
    assert TeslaE().score("zzyzxes", "zzyzx").value == 1.0
    assert TeslaE(vectors=own).score("zzyzxes", "zzyzx").value == 0.0
    assert TeslaE(vectors=own, stemmer="porter").score("zzyzxes", "zzyzx").value == 1.0
    assert summeval.metric("tesla-e", vectors=None).score("storms", "storm").value == 1.0
