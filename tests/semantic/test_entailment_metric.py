"""The metric `entailment` beside the formulas of SummaC-ZS, AlignScore and MiniCheck.

The definitions here run transformers alone, pair by pair, as those programs do.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ecosystem import ecosystem
from tiny_model import tiny_model
from tiny_pairs import tiny_roberta, tiny_writer, with_onnx

import summeval
from summeval.metrics.own.contract import CHECKS, check
from summeval.text import sentences

torch = ecosystem("torch")
transformers = ecosystem("transformers")

NLI = ("contradiction", "neutral", "entailment")
SOURCE = "The storm hit the coast. Houses were lost. The army came to help people on Monday."
SUMMARIES = ["The storm hit houses. Help came.", "No storm. A cat sat.", "The army came."]
LONG = " ".join(f"The {a} hit the {b} and the {c} came." for a in ("storm", "dog", "cat")
                for b in ("coast", "town", "houses", "army") for c in ("army", "people", "storm")
                for _ in range(3))  # fmt: skip


def bert(labels: tuple[str, ...] = NLI) -> str:
    return tiny_model("BertForSequenceClassification", labels)


def logits(folder: str, *texts: str) -> Any:
    """The logits of a text or a pair, run alone; the first is cut where both are too long."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    cut = "only_first" if len(texts) > 1 else True
    given = tokenizer(*texts, truncation=cut, return_token_type_ids=True, return_tensors="pt")
    if getattr(model.config, "type_vocab_size", 0) < 2:
        given.pop("token_type_ids", None)
    with torch.no_grad():
        return model(**given).logits[0].double().numpy()


def softmax(values: Any) -> Any:
    weights = np.exp(values - values.max())
    return weights / weights.sum()


def image(folder: str, parts: list[str], claims: list[str]) -> Any:
    """The probabilities [part, claim, class], as SummaC calls it."""
    return np.array([[softmax(logits(folder, part, one)) for one in claims] for part in parts])


@pytest.mark.parametrize("batch_size", [None, 3])
def test_numbers_of_summac_zs(batch_size: int | None) -> None:
    """`SummaCZS.image2score` with op1="max": of entailment less contradiction, and of the first."""
    metric = summeval.metric("entailment", model=bert(), batch_size=batch_size)
    least = summeval.metric("entailment", model=bert(), aggregate="min")
    for summary in SUMMARIES:
        found = image(bert(), sentences(SOURCE), sentences(summary))
        entailed, refuted = found[:, :, 2].max(axis=0), found[:, :, 0].max(axis=0)
        score = metric.score(summary, source=SOURCE)
        assert score.value == score.mean == pytest.approx(entailed.mean(), abs=1e-5)
        assert score.mean - score.contradiction == pytest.approx(
            (entailed - refuted).mean(), abs=1e-5
        )
        assert least.score(summary, source=SOURCE).value == pytest.approx(entailed.min(), abs=1e-5)
    table = metric.score_batch(SUMMARIES, sources=[SOURCE] * 3)
    wanted = [metric.score(summary, source=SOURCE).value for summary in SUMMARIES]
    np.testing.assert_allclose(table["entailment.value"], wanted, rtol=0, atol=1e-6)


def test_numbers_of_alignscore() -> None:
    """`Inferencer.inference_per_example`: sentences in chunks of about 350 words."""
    folder = tiny_roberta(("ALIGNED", "NEUTRAL", "CONTRADICT"))
    found = sentences(LONG)
    size = max(len(found) // (len(LONG.strip().split()) // 350 + 1), 1)
    chunks = [" ".join(found[k : k + size]) for k in range(0, len(found), size)]
    assert len(chunks) == 3
    metric = summeval.metric("entailment", model=folder, granularity="chunk")
    for summary in SUMMARIES:
        wanted = image(folder, chunks, sentences(summary))[:, :, 0].max(axis=0).mean()
        assert metric.score(summary, source=LONG).value == pytest.approx(wanted, abs=1e-5)


def test_numbers_of_minicheck() -> None:
    """`Inferencer.inference`: one text, parted by the mark for an end; class 1 is supported."""
    folder = tiny_roberta(("LABEL_0", "LABEL_1"))
    with pytest.raises(ValueError, match="set entailed= to its number or name"):
        summeval.metric("entailment", model=folder)
    metric = summeval.metric(
        "entailment", model=folder, granularity="chunk", entailed=1, prompt="{source}</s>{claim}"
    )
    assert metric.fields == ("value", "mean", "least")
    for summary in SUMMARIES:
        chances = [
            softmax(logits(folder, f"{SOURCE}</s>{claim}"))[1] for claim in sentences(summary)
        ]
        score = metric.score(summary, source=SOURCE)
        assert (score.mean, score.least) == pytest.approx(
            (np.mean(chances), min(chances)), abs=1e-5
        )


def test_a_model_that_writes_its_answer() -> None:
    """As MiniCheck-Flan-T5: the logits of the first tokens of the answers."""
    folder = tiny_writer()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    answers = tokenizer.convert_tokens_to_ids(["1", "0"])
    options: dict[str, Any] = {"prompt": "predict: {source}</s>{claim}", "granularity": "chunk"}
    metric = summeval.metric("entailment", model=folder, entailed=1, refuted="0", **options)
    for summary in SUMMARIES:
        chances = []
        for claim in sentences(summary):
            given = tokenizer(f"predict: {SOURCE}</s>{claim}", return_tensors="pt")
            with torch.no_grad():
                told = model(
                    input_ids=given["input_ids"],
                    attention_mask=given["attention_mask"],
                    decoder_input_ids=torch.ones(1, 1, dtype=torch.long),
                )
            chances.append(softmax(told.logits[0, 0, answers].double().numpy())[0])
        assert metric.score(summary, source=SOURCE).value == pytest.approx(
            np.mean(chances), abs=1e-5
        )
    same = summeval.metric("entailment", model=folder, entailed="xyz", refuted="0", **options)
    with pytest.raises(ImportError, match="no token of its own for the answers 'xyz' and '0'"):
        same.score_batch(["a"], sources=["a"], on_error="skip")


def test_a_single_logit_is_that_of_entailment() -> None:
    folder = bert(("LABEL_0",))
    metric = summeval.metric("entailment", model=folder, granularity="document")
    source, claim = "The storm hit the coast.", "A storm came."
    (found,) = logits(folder, source, claim)
    assert metric.score(claim, source=source).value == pytest.approx(
        1 / (1 + np.exp(-found)), abs=1e-5
    )


def test_windows_of_a_long_source() -> None:
    """The highest of windows of the tokens that are left beside the claim and three marks."""
    metric = summeval.metric("entailment", model=bert(), granularity="document")
    words = [*"the storm hit the coast and houses were lost on monday".split()] * 4
    source = " ".join(words)
    claim = "help came"
    asked = metric._runner_model._windows(source, 24 - 3 - 2)  # type: ignore[attr-defined]
    assert len(asked) > 1 and asked[0].startswith("the storm") and asked[-1].endswith("on monday")
    wanted = [softmax(logits(bert(), one, claim)) for one in asked]
    score = metric.score(claim, source=source)
    assert score.value == pytest.approx(max(one[2] for one in wanted), abs=1e-5)
    assert score.contradiction == pytest.approx(max(one[0] for one in wanted), abs=1e-5)


@pytest.mark.parametrize("granularity", ["sentence", "document"])
def test_the_contract_of_metrics(granularity: str) -> None:
    model = bert()
    found = check(lambda: summeval.metric("entailment", model=model, granularity=granularity))
    # The weights are random, so that a text need not entail itself.
    assert {one.name for one in found if one.result == "failed"} <= {"identity"}
    assert len(found) == len(CHECKS)


def test_weights_of_half_the_size() -> None:
    plain = summeval.metric("entailment", model=bert()).score(SUMMARIES[0], source=SOURCE)
    half = summeval.metric("entailment", model=bert(), dtype="bfloat16")
    assert half.score(SUMMARIES[0], source=SOURCE).value == pytest.approx(plain.value, abs=0.1)
    assert half.score(SUMMARIES[0], source=SOURCE).value != plain.value


def test_what_is_wrong_with_a_model_is_told_in_a_line(tmp_path: Path) -> None:
    headless = shutil.copytree(tiny_model("BertModel"), tmp_path / "headless")
    config = json.loads((headless / "config.json").read_text())
    labels = {"id2label": {"0": "entailment", "1": "other"}, "label2id": {}}
    (headless / "config.json").write_text(
        json.dumps(config | labels | {"architectures": ["BertForSequenceClassification"]})
    )
    for options, told in (
        ({"model": headless}, r"lacks weights \(classifier\.bias\); give the folder of one that"),
        ({"model": bert(), "device": "abacus"}, "device is 'abacus', which cannot be used here"),
    ):
        metric = summeval.metric("entailment", **options)
        with pytest.raises(ImportError, match=told) as caught:
            metric.score_batch(["a"], sources=["a storm"], on_error="skip")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_onnx_runtime_gives_the_same_numbers(kind: str) -> None:
    ecosystem("onnxruntime")
    ecosystem("onnx")
    folder = with_onnx(bert() if kind == "bert" else tiny_roberta(NLI))
    for batch_size in (None, 4):
        scores = [
            summeval.metric("entailment", model=folder, backend=one, batch_size=batch_size)
            .score_batch(SUMMARIES, sources=[SOURCE] * 3)
            for one in ("torch", "onnx", None)
        ]  # fmt: skip
        for column in scores[0].columns:
            np.testing.assert_allclose(scores[1][column], scores[0][column], rtol=0, atol=1e-5)
            np.testing.assert_array_equal(scores[1][column], scores[2][column])
    assert len({str(one.signature) for one in scores}) == 2
    other = shutil.copytree(folder, f"{folder}-broken")
    Path(other, "model.onnx").write_bytes(b"no model")
    broken = summeval.metric("entailment", model=other)
    with pytest.raises(ImportError, match=r"model\.onnx cannot be loaded .*; export the model ag"):
        broken.score("a", source="a")
    with pytest.raises(ImportError, match="device is 'abacus', which ONNX Runtime cannot use here"):
        summeval.metric("entailment", model=folder, device="abacus").score("a", source="a")
