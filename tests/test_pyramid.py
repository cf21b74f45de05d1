"""The Pyramid on SCUs: the numbers of DucView and SacreROUGE, and what holds for any SCUs."""

import json
from itertools import count
from pathlib import Path

import pytest
from pytest import approx

from summeval.metrics.pyramid import modified_score, original_score

CASES = json.loads((Path(__file__).parent / "cases" / "pyramid.json").read_text("utf-8"))["cases"]


def cases(kind):
    return [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == kind]


@pytest.mark.parametrize("case", cases("pyramid_modified"))
def test_modified_scores_are_those_of_sacrerouge_and_of_ducviews_rounding(case):
    given = case["input"]
    for rounding, expected in case["expected"].items():
        score = modified_score(given["model_scu_ids"], given["peer_scu_ids"], rounding=rounding)
        assert score.value == approx(expected, abs=case["tolerance"])


@pytest.mark.parametrize("case", cases("pyramid_original"))
def test_original_score_of_the_worked_example(case):
    ids = count()
    tiers = {int(w): [next(ids) for _ in range(n)] for w, n in case["input"]["tier_sizes"].items()}
    models = [[i for w, tier in tiers.items() if w > m for i in tier] for m in range(max(tiers))]
    tiers[0] = [next(ids) for _ in range(9)]
    peer = [tiers[w].pop() for w in case["input"]["peer_weights"]]
    score = original_score(models, peer)
    assert {name: score[name] for name in case["expected"]} == approx(case["expected"])
    assert case["input"]["x"] == score.X
