"""The values of the shipped models, on stored parses and, if there is a parser, on texts."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from shared import CASE_FILES

import summeval
from summeval.annotate import DiscourseDocument, Document, from_json
from summeval.annotate.discourse import parse
from summeval.metrics.discourse.dicomer import SHIPPED
from summeval.metrics.discourse.trained import FOLDER

GIVEN = json.loads((CASE_FILES / "shipped_models.json").read_text(encoding="utf-8"))
TEXTS = [row["text"] for row in GIVEN["rows"]]
REFERENCES = [row["references"] for row in GIVEN["rows"]]
MODELS = pytest.mark.parametrize(
    "case",
    GIVEN["models"],
    ids=lambda case: " ".join([case["metric"], *map(str, case["options"].values())]),
)


@cache
def documents() -> list[Document]:
    return [from_json(json.dumps(row["document"])) for row in GIVEN["rows"]]


@cache
def related() -> list[DiscourseDocument]:
    return [parse(document) for document in documents()]


def predicted(metric: Any, options: dict[str, Any]) -> list[float]:
    """The values of the kept parses."""
    if "parts" in options:
        parts = options["parts"]
        table = summeval.score_batch(TEXTS, REFERENCES, metrics=parts, sources=REFERENCES)
        found = metric.predict(np.column_stack([table[name] for name in metric.columns_used]))
    elif metric.name == "cremer":
        content = metric.tesla.score_batch(TEXTS, REFERENCES)["tesla-s.fmeasure"]
        rows = zip(content, metric.dicomer.predict(related()), strict=True)
        found = metric.predict(list(rows))
    elif metric.name == "readability":
        found = metric.predict(TEXTS)
    elif options.get("features") == "grid":
        found = metric.predict(documents())
    else:
        found = metric.predict(related())
    return [float(value) for value in found]


@MODELS
def test_a_shipped_model_has_these_values(case: dict[str, Any]) -> None:
    metric = summeval.metric(case["metric"], **case["options"])
    assert predicted(metric, case["options"]) == pytest.approx(case["values"], rel=1e-9, abs=1e-9)


@MODELS
def test_texts_have_the_values_of_their_parses(case: dict[str, Any]) -> None:
    metric = summeval.metric(case["metric"], **case["options"])
    table = summeval.score_batch(TEXTS, REFERENCES, metrics=[metric], sources=REFERENCES)
    assert table[metric.name].tolist() == pytest.approx(case["values"], rel=1e-9, abs=1e-9)


def test_every_shipped_model_has_values_here() -> None:
    kept = [(case["metric"], tuple(case["options"].items())) for case in GIVEN["models"]]
    orders = [
        case["options"]["features"] for case in GIVEN["models"] if "features" in case["options"]
    ]
    assert len(set(kept)) == len(kept) == len(list(FOLDER.glob("*.model")))
    assert sorted(orders) == sorted(SHIPPED["coherence-order"])


def test_values_of_different_texts_differ() -> None:
    for case in GIVEN["models"]:
        assert len(set(case["values"])) == len(TEXTS)
