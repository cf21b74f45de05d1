"""The position Pyramid: the worked examples, and what holds for any positions."""

import json
from pathlib import Path

import pytest
from pytest import approx

from summeval.metrics.pyramid import PositionPyramid

CASES = json.loads((Path(__file__).parent / "cases" / "pyramid.json").read_text("utf-8"))["cases"]


def cases(kind):
    return [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == kind]


@pytest.mark.parametrize("case", cases("position_pyramid"))
def test_scores_are_those_of_the_paper(case):
    given = case["input"]
    score = PositionPyramid().score_positions(given["peer"], given["models"], given["length"])
    found = {name: score[name] for name in case["expected"]}
    assert found == approx(case["expected"], abs=case["tolerance"])


@pytest.mark.parametrize("case", cases("position_pyramid_optimal"))
def test_optimal_summary_of_the_worked_example(case):
    found = PositionPyramid().optimal(**{k: v for k, v in case["input"].items() if k != "note"})
    assert {name: found[name] for name in case["expected"]} == case["expected"]
