"""A model of inference from disk as a judge of presence, beside the numbers of transformers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ecosystem import ecosystem
from tiny_model import tiny_model

import summeval
from summeval.learn.encoders import Entailment

torch = ecosystem("torch")
transformers = ecosystem("transformers")

KIND = "BertForSequenceClassification"
LABELS = ("entailment", "neutral", "contradiction")
PAIRS = [
    ("the storm hit", "The storm hit the coast."),
    ("houses were lost", "A cat sat and the dog came. " * 5),
    ("no", ""),
    ("the storm hit", "The storm hit the coast."),
]


def folder(labels: tuple[str, ...] = LABELS) -> str:
    return tiny_model(KIND, labels)


def logits(path: str) -> Any:
    """The logits of each pair, run alone by transformers: text first, cut as the program does."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    found = []
    for unit, text in PAIRS:
        given = tokenizer(
            text,
            unit,
            truncation=True,
            max_length=24,
            return_token_type_ids=True,
            return_tensors="pt",
        )
        with torch.no_grad():
            found.append(model(**given).logits[0].double().numpy())
    return np.array(found)


def softmax(values: Any) -> Any:
    weights = np.exp(values - values.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("batch_size", [None, 3])
def test_fields_are_those_of_lite2_3pyramid(batch_size: int | None) -> None:
    found = np.array(Entailment(folder(), "cpu", batch_size).judge(PAIRS))
    raw = logits(folder())
    two = np.stack([raw[:, 0], raw[:, 1] + raw[:, 2]], axis=1)
    wanted = [
        softmax(two)[:, 0],
        two.argmax(axis=1) == 0,
        softmax(raw)[:, 0],
        raw.argmax(axis=1) == 0,
    ]
    np.testing.assert_allclose(found, np.array(wanted, dtype=float).T, atol=1e-5)
    assert found[0].tolist() == found[3].tolist()
    assert Entailment(folder()).judge([]) == []


def test_the_class_of_entailment_is_known_by_its_name() -> None:
    turned = ("contradiction", "neutral", "ENTAILMENT")
    found = np.array(Entailment(folder(turned)).judge(PAIRS))
    np.testing.assert_allclose(found[:, 2], softmax(logits(folder(turned)))[:, 2], atol=1e-5)


def test_a_metric_with_a_model_for_a_judge() -> None:
    metric = summeval.metric("lite-pyramid", judge=folder())
    judged = Entailment(folder()).judge([("The storm hit.", "a storm"), ("Help came.", "a storm")])
    score = metric.score("a storm", "The storm hit.\nHelp came.")
    assert list(score) == pytest.approx(np.mean(judged, axis=0).tolist())
    table = metric.score_batch(["a storm", "no"], ["The storm hit.\nHelp came."] * 2)
    assert table["lite-pyramid.p2c"][0] == score.p2c
    units = metric.score_units("a storm", ["The storm hit.", "Help came."], weights=[3, 1])  # type: ignore[attr-defined]
    assert units.p2c == pytest.approx((3 * judged[0].p2c + judged[1].p2c) / 4)
    assert metric.signature.options["judge"] == Entailment(folder()).signature


def test_a_model_of_one_class_is_no_judge() -> None:
    with pytest.raises(ImportError, match="has one class; give one of natural language inference"):
        Entailment(folder(("score",))).judge(PAIRS)


def test_units_are_explained_by_their_probability() -> None:
    metric = summeval.metric("lite-pyramid", judge=folder())
    text, reference = "The storm hit the coast.", "Houses were lost. The storm hit."
    told = metric.explain(text, reference)
    assert told.value == metric.score(text, reference).value
    assert [item.text for item in told.items] == ["Houses were lost.", "The storm hit."]
    found = [item.details["probability"] for item in told.items]
    assert sum(found) / 2 == pytest.approx(told.value)
    assert [item.share for item in told.items] == pytest.approx([one / 2 for one in found])
