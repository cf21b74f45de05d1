"""Metrics by name: the index of the families agrees with their classes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from every import every
from shared import ROOT

import summeval
from summeval.metrics.registry import INDEX, families, options_of
from summeval.metrics.rouge.measures import parse

NAMES = [(family, name) for family in INDEX for name in family.names]
ODD = [
    *("", "rouge", "rouge0", "rouge10", "rougel", "rougeS", "rougeSU", "rougeS1234567", "rougeW-"),
    *("rougeW-1.", "rougeW-.5", "rougeS**", "rougeL ", "rouge1\n", "rougeS٣", "tesla", "value"),
    *("qarla-vector-", "qarla-vector-0", "qarla-vector-07", "qarla-vector-1.5", "qarla-nico"),
]
OPEN = ["rougeS0", "rougeS123456", "rougeSU9", "rougeW-2", "rougeW-1.35", "qarla-vector-17"]


@every(("family", "name"), NAMES, ids=[name for _, name in NAMES])
def test_a_listed_name_makes_a_metric_of_its_class(family, name: str) -> None:  # type: ignore[no-untyped-def]
    assert name in summeval.list_metrics()
    assert [other for other in INDEX if other.accepts(name)] == [family]
    made = summeval.metric(name)
    assert type(made) is family.load()
    # the default model of `bertscore` is not the one of published numbers
    assert made.name == {"bertscore": "bertscore-minilm"}.get(name, name)


@pytest.mark.parametrize("name", OPEN)
def test_a_name_with_a_number_makes_a_metric(name: str) -> None:
    assert name not in summeval.list_metrics()
    assert summeval.metric(name).name == name


@every("name", ODD)
def test_what_is_no_name_is_refused(name: str) -> None:
    assert not any(family.accepts(name) for family in INDEX)
    with pytest.raises(ValueError, match="unknown metric"):
        summeval.metric(name)


@every("name", [*ODD, *OPEN, *summeval.list_metrics()])
def test_the_index_knows_the_measures_that_rouge_parses(name: str) -> None:
    assert INDEX[0].accepts(name) == (parse(name) is not None)


def test_no_class_is_listed_twice_and_each_has_options() -> None:
    assert len(set(families())) == len(INDEX)
    assert len(set(summeval.list_metrics())) == len(summeval.list_metrics())
    for name in summeval.list_metrics():
        assert "label" in options_of(name)


def test_the_index_says_what_the_classes_declare() -> None:
    found = subprocess.run(
        [sys.executable, "-c", "import index; print(index.text(), end='')"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "ci"), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    place = ROOT / "src/summeval/metrics/data/index.json"
    assert found.stdout == place.read_text("utf-8"), "run python ci/index.py"
