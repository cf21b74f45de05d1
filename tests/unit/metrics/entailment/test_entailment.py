"""Entailment by a model of words: claims, parts of the source, windows, what is asked once."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from metric_cases import CASES
from pair_models import BEGIN, END, NLI, Loaded, folder_of

import summeval
from summeval.metrics.entailment.pieces import CHUNK_WORDS, claims, pieces, spans
from summeval.metrics.own.contract import CHECKS, check

SOURCE = "The storm hit the coast. Houses were lost. Help came on Monday."
SUMMARY = "The storm hit Houses. Help came."


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Loaded:
    return Loaded(monkeypatch)


@pytest.fixture
def model(tmp_path: Path) -> str:
    return folder_of(tmp_path / "words")


def made(model: str, **options: Any) -> summeval.Metric:
    return summeval.metric("entailment", model=model, **options)


def test_each_claim_has_the_sentence_that_entails_it_most(loaded: Loaded, model: str) -> None:
    # of "the storm hit houses ." 4 in the first sentence, of "help came ." 3 in the last
    wanted = {"value": 0.9, "mean": 0.9, "least": 0.8, "contradiction": (0.2 + 1 / 6) / 2}
    score = made(model).score(SUMMARY, source=SOURCE)
    assert dict(score) == pytest.approx(wanted, abs=1e-6)
    assert made(model, aggregate="min").score(SUMMARY, source=SOURCE).value == score.least


def test_all_of_both_texts_or_chunks_of_the_source(loaded: Loaded, model: str) -> None:
    chunk = made(model, granularity="chunk").score(SUMMARY, source=SOURCE)
    assert (chunk.mean, chunk.contradiction) == pytest.approx((1.0, 0.0), abs=1e-6)
    loaded.model.batches.clear()
    made(model, granularity="document").score(SUMMARY, source="Houses were lost. Help came.")
    ((ids,),) = loaded.model.batches
    assert ids.count(END) == 2
    assert len(ids) == 3 + 7 + 8


def test_what_a_claim_has_beside_several_documents_is_the_most(loaded: Loaded, model: str) -> None:
    parts = SOURCE.replace(". ", ".\n").splitlines()
    alone = made(model).score(SUMMARY, source=SOURCE)
    assert made(model).score(SUMMARY, source=parts) == alone
    table = made(model).score_batch([SUMMARY] * 2, sources=[parts[::-1], [*parts, None]])
    assert table["entailment.value"].tolist() == [alone.value] * 2


def test_a_side_without_words_has_the_worst_values(loaded: Loaded, model: str) -> None:
    rows = [("", SOURCE), ("?!", SOURCE), (SUMMARY, " . "), (None, SOURCE), (SUMMARY, None)]
    candidates, sources = map(list, zip(*rows, strict=True))
    table = made(model).score_batch(candidates, sources=sources)
    for field, worst in (("value", 0.0), ("least", 0.0), ("contradiction", 1.0)):
        found = table[f"entailment.{field}"].tolist()
        assert found[:3] == [worst] * 3
        assert all(map(math.isnan, found[3:]))
    assert loaded.model.batches == []


def test_equal_pairs_are_judged_once_and_texts_read_once(loaded: Loaded, model: str) -> None:
    metric = made(model)
    systems = [SUMMARY, "Help came. The storm hit Houses.", "Help came."]
    metric.score_batch(systems, sources=[SOURCE] * 3)
    assert len(loaded.model.batches) == 3 * 2  # sentences of the source, claims
    assert len(loaded.tokenizer.asked) == 3 + 2 + 1  # and what a pair is made of
    metric.score("Help came.", source=SOURCE)
    assert len(loaded.model.batches) == 6
    sizes = [len(ids) for (ids,) in loaded.model.batches]
    assert sizes == sorted(sizes, reverse=True)


def test_batches_are_as_large_as_asked_and_change_nothing(loaded: Loaded, model: str) -> None:
    alone = made(model).score(SUMMARY, source=SOURCE)
    loaded.model.batches.clear()
    assert made(model, batch_size=4).score(SUMMARY, source=SOURCE) == alone
    assert list(map(len, loaded.model.batches)) == [4, 2]


def test_a_long_source_is_read_in_windows_that_overlap(loaded: Loaded, model: str) -> None:
    words = [f"w{number}" for number in range(60)]
    source = " ".join(words)
    seen: set[int] = set()
    for claim in ("w0 w1", "w57 w58 w59", "w30 w31 w32"):
        assert made(model).score(claim, source=source).value == pytest.approx(1.0)
    for (ids,) in loaded.model.batches:
        assert len(ids) <= 24
        assert (ids[0], ids[-1], ids.count(END)) == (BEGIN, END, 2)
        seen |= set(ids)
    assert len(seen) == 60 + 2
    assert made(model).score("w0 w59", source=source).value == pytest.approx(0.5)
    long_claim = made(model).score(source, source=source)  # is cut at half of the room
    assert 0 < long_claim.value <= 1


def test_a_prompt_is_one_text(loaded: Loaded, model: str) -> None:
    metric = made(model, prompt="text: {source} claim: {claim}", granularity="chunk")
    metric.score("Help came.", source="Houses were lost.")
    assert loaded.tokenizer.asked[-1] == "text: Houses were lost. claim: Help came."
    loaded.tokenizer.asked.clear()
    metric.score("Help came.", source=SOURCE)
    first, *_, last = [one for one in loaded.tokenizer.asked if one.startswith("text")]
    assert first.startswith("text: The storm hit the coast.")
    assert last.endswith(" on Monday. claim: Help came.")
    assert metric.signature != made(model, granularity="chunk").signature


def test_the_part_that_supports_a_claim_is_told(loaded: Loaded, model: str) -> None:
    told = made(model).explain("Help came. Dogs bark.", source=["Nothing.", SOURCE])
    first, second = told.items
    ((number, begin, end),) = first.source_spans
    assert (number, SOURCE[begin:end]) == (1, "Help came on Monday.")
    assert second.source_spans == ()
    assert (first.kind, second.kind) == ("match", "extra")
    assert first.details["probability"] == pytest.approx(1.0)
    assert second.details["contradiction"] == pytest.approx(2 / 3 / 4)
    assert first.share + second.share == pytest.approx(told.value)
    least = made(model, aggregate="min").explain("Help came. Dogs bark.", source=SOURCE)
    assert [item.share for item in least.items] == [0.0, least.value]


@pytest.mark.parametrize("labels", [NLI, ("refuted", "supported")])
@pytest.mark.parametrize("granularity", ["sentence", "chunk", "document"])
def test_the_contract_of_metrics(
    loaded: Loaded, tmp_path: Path, labels: tuple[str, ...], granularity: str
) -> None:
    folder = folder_of(tmp_path / "model", labels)
    options = {} if labels == NLI else {"entailed": 0, "refuted": 1}
    found = check(lambda: made(folder, granularity=granularity, **options))
    assert [one for one in found if one.result != "ok"] == []
    assert len(found) == len(CHECKS)


def test_a_model_without_contradiction_has_no_such_field(loaded: Loaded, tmp_path: Path) -> None:
    metric = made(folder_of(tmp_path / "model", ("entailment", "not_entailment", "other")))
    assert metric.fields == ("value", "mean", "least")
    score = metric.score("Help came.", source=SOURCE)
    assert list(score.keys()) == ["value", "mean", "least"]
    assert "contradiction" not in metric.explain("Help came.", source=SOURCE).items[0].details


def test_it_has_its_name_among_others_and_is_not_listed(loaded: Loaded, model: str) -> None:
    assert "entailment" not in summeval.list_metrics()
    assert "entailment" not in {name for name, _ in CASES}
    suite = summeval.suite([made(model), "support"])
    assert list(suite.score(SUMMARY, source=SOURCE)) == ["entailment", "support"]
    assert made(model, label="nli").score_batch([SUMMARY], sources=[SOURCE]).columns[0] == (
        "nli.value"
    )


def test_chunks_have_as_many_sentences_as_those_of_alignscore() -> None:
    text = "One two three four five six seven. " * 120  # 840 words
    found = pieces(text, "chunk")
    size = 120 // (840 // CHUNK_WORDS + 1)
    assert [one.last - one.first for one in found] == [size] * 3
    assert found[0].text == " ".join(["One two three four five six seven."] * size)
    long = pieces("word " * 1200, "chunk")
    assert [(one.first, one.last) for one in long] == [(0, 1)]


def test_parts_without_words_are_left_out_and_others_keep_their_places() -> None:
    text = "It rained. *** !\nWe left."
    parts = claims(text, "sentence")
    assert [text[a:b] for a, b in spans(text, parts)] == [one.text for one in parts]
    assert [one.text for one in parts] == ["It rained.", "We left."]
    (whole,) = claims(text, "document")
    assert spans(text, [whole]) == [(0, len(text))]
