"""Which class of a model means entailment, and what is said of a folder of another kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pair_models import NLI, folder_of

import summeval
from summeval.learn.encoders import PairModel
from summeval.learn.encoders.outputs import Output, class_names


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        (NLI, (0, 2)),
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), (2, 0)),  # roberta-large-mnli
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), (0, 1)),  # albert-xlarge-vitaminc
        (("entailment", "not_entailment"), (0, None)),
        (("hallucinated", "consistent"), (1, None)),
        (("LABEL_0",), (0, None)),  # one number for a pair
    ],
)
def test_classes_are_known_by_their_names(
    tmp_path: Path, labels: tuple[str, ...], wanted: tuple[int, int | None]
) -> None:
    found = Output.of(folder_of(tmp_path / "model", labels))
    assert (found.entailed, found.refuted) == wanted
    assert found.classes == len(labels)


@pytest.mark.parametrize(
    ("labels", "more", "told"),
    [
        (("LABEL_0", "LABEL_1"), {}, r"0: label_0, 1: label_1"),
        ((), {}, r"0: label_0, 1: label_1"),
        (
            ("entailment", "other"),
            {"label2id": {"other": 0, "entailment": 1}},
            "0: entailment/other",
        ),
        (("entailment", "entailment_too"), {}, "0: entailment, 1: entailment_too"),
    ],
)
def test_an_unclear_config_is_told_with_the_option_to_set(
    tmp_path: Path, labels: tuple[str, ...], more: dict[str, Any], told: str
) -> None:
    folder = folder_of(tmp_path / "model", labels, **more)
    with pytest.raises(ValueError, match=f"does not say which class .*{told}.*; set entailed= to"):
        summeval.metric("entailment", model=folder)
    for given in (1, "1"):
        metric = summeval.metric("entailment", model=folder, entailed=given)
        assert metric.signature.options["classes"] == "1-none"


def test_classes_by_name_or_number(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "model", ("no", "yes", "2"))
    assert Output.of(folder, "Yes", "no")[:2] == (1, 0)
    assert Output.of(folder, 2)[:2] == (2, None)
    assert Output.of(folder, "2")[:2] == (2, None)
    for given, told in (
        ("maybe", r"entailed is 'maybe'; choose from 0 \(no\), 1 \(yes\), 2 \(2\)"),
        (3, "entailed is 3; choose from 0"),
        (True, "entailed is True; choose from"),
    ):
        with pytest.raises(ValueError, match=told):
            Output.of(folder, given)
    with pytest.raises(ValueError, match="entailed and refuted are both class 1; give two"):
        Output.of(folder, "yes", 1)


def test_what_stands_in_a_config() -> None:
    assert class_names({"num_labels": 3, "label2id": {}}) == {
        number: [f"label_{number}"] for number in range(3)
    }
    assert class_names({"label2id": {"Yes": 1, "No": 0}}) == {0: ["no"], 1: ["yes"]}


def test_probabilities_are_those_of_a_softmax_or_of_a_single_logit() -> None:
    logits = np.array([[1.0, -2.0, 0.5], [800.0, 0.0, -800.0]])
    weights = np.exp(logits[0])
    found = Output(2, 0, 3).probabilities(logits)
    np.testing.assert_allclose(found[0], weights[[2, 0]] / weights.sum())
    np.testing.assert_allclose(found[1], [0.0, 1.0])
    found = Output(0, None, 1).probabilities(np.array([[2.0], [-2.0]]))
    np.testing.assert_allclose(found[:, 0], 1 / (1 + np.exp([-2.0, 2.0])))
    assert np.isnan(found[:, 1]).all()
    found = Output("1", "0", 0).probabilities(np.array([[3.0, 1.0]]))
    np.testing.assert_allclose(found[0, 0], 1 / (1 + np.exp(-2)))
    assert np.isnan(found[0, 1])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "entailed is None, and the model writes its answer; set entailed= and refuted="),
        ({"entailed": "1"}, "refuted is None, and the model writes its answer"),
        ({"entailed": "1", "refuted": 0}, r"prompt is None, .*'predict: \{source\}</s>\{claim\}'"),
        ({"entailed": 1, "refuted": 0, "prompt": "{source}"}, "give a text with {source} and {cl"),
        (
            {"entailed": "1", "refuted": "0", "backend": "onnx", "prompt": "{source}{claim}"},
            "no mo",
        ),
    ],
)
def test_a_model_that_writes_is_asked_as_the_user_says(
    tmp_path: Path, options: dict[str, Any], told: str
) -> None:
    folder = folder_of(tmp_path / "model", (), "T5ForConditionalGeneration")
    with pytest.raises(ValueError, match=told):
        summeval.metric("entailment", model=folder, **options)


def test_a_folder_of_another_kind_is_told_in_a_line(tmp_path: Path) -> None:
    other = folder_of(tmp_path / "other", (), "BertModel")
    (tmp_path / "bare").mkdir()
    broken = Path(folder_of(tmp_path / "broken"))
    (broken / "config.json").write_text("[1, ")
    speechless = Path(folder_of(tmp_path / "speechless"))
    (speechless / "tokenizer.json").unlink()
    for model, told in (
        (None, "model is None; entailment needs the folder of a model"),
        ("roberta-large-mnli", "there is no such folder; give that of a model .hf download rob"),
        (tmp_path / "none", "there is no such folder; give that of a model"),
        (tmp_path / "bare", "a folder without config.json; give that of a transformers model"),
        (other, "which classifies no texts .it is BertModel.; give the folder of a model of nat"),
        (broken, "whose config.json is no JSON; give the folder of a model of natural language"),
        (speechless, r"a folder without a tokenizer; save it there \(tokenizer.save_pretrained"),
    ):
        with pytest.raises(ValueError, match=told) as caught:
            summeval.metric("entailment", model=model)
        assert "\n" not in str(caught.value)


def test_onnx_runs_where_the_folder_has_such_a_model(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "model")
    torch = PairModel(folder).signature
    with pytest.raises(
        ValueError, match=r"has no model\.onnx that classifies; export the model, or"
    ):
        PairModel(folder, backend="onnx")
    Path(folder, "model.onnx").write_bytes(b"1")
    assert PairModel(folder, backend="torch").signature == torch  # which does not read it
    first = PairModel(folder).signature
    assert first.endswith("-onnx") and first != torch
    Path(folder, "model.onnx").write_bytes(b"2")
    assert PairModel(folder).signature != first
    with pytest.raises(ValueError, match=r"dtype is 'float16', and model\.onnx has its own; leave"):
        PairModel(folder, dtype="float16")


def test_what_is_missing_is_told_when_it_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = summeval.metric("entailment", model=folder_of(tmp_path / "model"))
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    for call in (
        lambda: metric.score("a", source="a"),
        lambda: metric.score_batch(["a"], sources=["a"], on_error="skip"),
    ):
        with pytest.raises(ImportError) as caught:
            call()
        assert str(caught.value) == (
            "A model of transformers needs transformers: pip install 'summeval[semantic]'"
        )
