"""The Pyramid on SCUs: the numbers of DucView and SacreROUGE, and laws for any SCUs."""

import math
from itertools import count

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyramid_cases import cases
from pytest import approx

from summeval.metrics.pyramid import ducview_score, jackknife, modified_score, original_score

SCUS = st.integers(0, 12)
MODELS = st.lists(st.lists(SCUS, max_size=8), min_size=1, max_size=5)
SEVERAL = st.lists(st.lists(SCUS, max_size=8), min_size=2, max_size=5)
PEER = st.lists(SCUS, max_size=8)
ROUNDINGS = st.sampled_from(["floor", "ceil"])


@pytest.mark.parametrize("case", cases("pyramid_modified"))
def test_modified_scores_are_those_of_sacrerouge_and_of_ducviews_rounding(case):
    models, peer = case["input"]["model_scu_ids"], case["input"]["peer_scu_ids"]
    for rounding, expected in case["expected"].items():
        score = modified_score(models, peer, rounding=rounding)
        assert score.value == approx(expected, abs=case["tolerance"])


@pytest.mark.parametrize("case", cases("pyramid_original"))
def test_original_score_of_the_worked_example(case):
    ids = count()
    sizes = {int(weight): size for weight, size in case["input"]["tier_sizes"].items()}
    tiers = {weight: [next(ids) for _ in range(size)] for weight, size in sizes.items()}
    models = [[i for w, tier in tiers.items() if w > m for i in tier] for m in range(max(tiers))]
    tiers[0] = [next(ids) for _ in case["input"]["peer_weights"]]
    score = original_score(models, [tiers[w].pop() for w in case["input"]["peer_weights"]])
    assert {name: score[name] for name in case["expected"]} == approx(case["expected"])
    assert case["input"]["x"] == score.X


@pytest.mark.parametrize("case", cases("ducview_score"))
def test_numbers_alone_score_as_ducview_scores_them(case):
    score = ducview_score(case["input"], case["input"])
    found = {name: score[name] for name in case["expected"]}
    assert found == (
        approx(case["expected"], abs=case["tolerance"]) if "quality" in found else case["expected"]
    )


def test_without_scus_there_is_a_message_in_place_of_scores():
    nothing = {"peer_contributors": {}, "non_matching": 0}
    score = ducview_score({"n_models": 2, "scu_weights": {1: 2}}, nothing)
    assert score.message == "No SCUs were annotated"
    assert math.isnan(score.quality) and math.isnan(score.coverage) and math.isnan(score.value)
    something = {"peer_contributors": {1: 1}, "non_matching": 0}
    few = ducview_score({"n_models": 2, "scu_weights": {1: 1}}, something)
    assert few.message == "The models have no SCU on average" and math.isnan(few.value)


def test_a_peer_that_matches_nothing_scores_0():
    peer = {"peer_contributors": {}, "non_matching": 3}
    score = ducview_score({"n_models": 2, "scu_weights": {1: 2}}, peer)
    assert (score.quality, score.coverage, score.comprehensive, score.message) == (0, 0, 0, "")


def test_ducview_caps_and_counts_contributors_where_sacrerouge_does_not():
    models, peer = [["a", "a", "b"], ["b"]], ["a", "b", "c"]
    floor, ceil = (modified_score(models, peer, rounding=r) for r in ("floor", "ceil"))
    assert (floor.D, floor.max, floor.X, floor.score) == (4, 4, 2, 1.0)
    assert (ceil.D, ceil.max, ceil.X, ceil.score) == (3, 3, 2, 1.0)
    models = [["a", "b"], ["b"], ["c"]]
    floor, ceil = (modified_score(models, ["a", "b", "c"], rounding=r) for r in ("floor", "ceil"))
    assert (floor.D, floor.max, floor.X, floor.score) == (4, 2, 1, 1.0)
    assert (ceil.D, ceil.max, ceil.X, ceil.score) == (4, 3, 2, approx(4 / 3))
    for unlimited in (None, False):
        assert modified_score(models, ["a", "b", "c"], cap=unlimited).score == 2.0
    for one in (1.0, True, np.float32(1)):
        assert modified_score(models, ["a", "b", "c"], rounding="ceil", cap=one).score == 1.0


def test_an_scu_may_have_more_contributors_than_there_are_models():
    pyramid = {"n_models": 2, "scu_weights": {"a": 3, "b": 1}}
    score = ducview_score(pyramid, {"peer_contributors": {"a": 1}, "non_matching": 0})
    assert (score.quality, score.coverage) == (1.0, 3 / 4)


@given(MODELS, PEER, ROUNDINGS)
def test_repeats_and_order_of_the_peer_change_no_modified_score(models, peer, rounding):
    score = modified_score(models, peer, rounding=rounding)
    assert modified_score(models, [*reversed(peer), *peer, "?"], rounding=rounding) == score
    assert modified_score(models[::-1], peer, rounding=rounding) == score


@given(MODELS, PEER)
def test_original_score_is_a_share_and_each_unmatched_scu_lowers_it(models, peer):
    score = original_score(models, peer)
    assert 0 <= score.score <= 1
    assert score.score == (score.D / score.max if score.max else 0)
    more = original_score(models, [*peer, "?"])
    assert more.D == score.D and more.max >= score.max and more.score <= score.score


@given(MODELS)
def test_a_peer_of_the_heaviest_scus_scores_1(models):
    weight = {scu: sum(scu in model for model in models) for model in models for scu in model}
    assume(weight)
    best = sorted(weight, key=lambda scu: -weight[scu])
    assert all(original_score(models, best[:n]).score == 1 for n in range(1, len(best) + 1))


@given(SEVERAL, PEER, ROUNDINGS)
def test_jackknife_scores_against_all_models_but_one(models, peer, rounding):
    found = jackknife(models, peer, rounding=rounding)
    rests = [models[:i] + models[i + 1 :] for i in range(len(models))]
    assert found.peer == [modified_score(rest, peer, rounding=rounding).score for rest in rests]
    assert found.human == [
        modified_score(rest, model, rounding=rounding).score
        for rest, model in zip(rests, models, strict=True)
    ]
    assert found.value == found.peer_mean == approx(sum(found.peer) / len(models))
    assert found.human_mean == approx(sum(found.human) / len(models))


@given(st.dictionaries(SCUS, st.integers(1, 4), min_size=1), st.data())
def test_ducview_coverage_is_the_modified_score_and_quality_the_original(weights, data):
    models = [[scu for scu, weight in weights.items() if weight > m] for m in range(4)]
    has = data.draw(st.dictionaries(st.sampled_from(sorted(weights)), st.integers(1, 3)))
    missing = data.draw(st.integers(0, 3))
    pyramid = {"n_models": 4, "scu_weights": weights}
    score = ducview_score(pyramid, {"peer_contributors": has, "non_matching": missing})
    assume(not score.message)
    peer = [scu for scu, number in has.items() for _ in range(number)] + ["?"] * missing
    assert score.quality == original_score(models, peer).score
    assert score.coverage == modified_score(models, peer).score
    both = score.quality + score.coverage
    assert score.value == approx(2 * score.quality * score.coverage / both if both else 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: modified_score([], [1]), "model_scus is empty; give the units of one model"),
        (lambda: original_score("ab", [1]), "model_scus is str; pass a list"),
        (lambda: original_score(["ab"], [1]), r"model_scus\[0\] is str; pass a list"),
        (lambda: original_score([[1]], 1), "peer_scus is int; pass a list"),
        (lambda: original_score([[1], [[2]]], []), r"model_scus\[1\] holds \[2\]; units are"),
        (lambda: original_score([[math.nan]], []), r"model_scus\[0\] holds nan; units are"),
        (lambda: modified_score([[1]], [1], rounding="round"), "rounding is 'round'; choose from"),
        (lambda: modified_score([[1]], [1], cap=0.0), "cap is 0.0; give a number over 0"),
        (lambda: modified_score([[1]], [1], cap="none"), "cap is 'none'; give a number over 0"),
        (lambda: modified_score([[1]], [1], cap=[1]), r"cap is \[1\]; give a number over 0"),
        (lambda: jackknife([[1]], [1]), "model_scus holds 1 model; leaving one out needs 2"),
    ],
)
def test_what_cannot_be_scored_is_named(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n_models": 0}, "n_models is 0; give a whole number of at least 1"),
        ({"scu_weights": {}}, "scu_weights is empty; give"),
        ({"scu_weights": {"a": 0}}, r"scu_weights\['a'\] is 0; give a whole number of at least 1"),
        ({"scu_weights": {"a": 1.5}}, r"scu_weights\['a'\] is 1.5; give a whole number"),
        ({"peer_contributors": {"b": 1}}, "annotation: SCU b is not in the pyramid; score it with"),
        ({"peer_contributors": {"a": -1}}, r"peer_contributors\['a'\] is -1; give"),
        ({"non_matching": None}, "non_matching is None; give a whole number of at least 0"),
    ],
)
def test_numbers_that_cannot_be_are_named(changed, message):
    sound = {"n_models": 2, "scu_weights": {"a": 2}, "peer_contributors": {}, "non_matching": 0}
    numbers = {**sound, **changed}
    with pytest.raises(ValueError, match=message):
        ducview_score(numbers, numbers)


def test_what_is_no_pyramid_is_named():
    with pytest.raises(TypeError, match="list has no scu_weights; pass what was read, or a map"):
        ducview_score([], {})
    with pytest.raises(TypeError, match="scu_weights is list; give a number for each name of an"):
        ducview_score({"n_models": 2, "scu_weights": [1]}, {})
    with pytest.raises(ValueError, match="no 'scu_weights' in the mapping; add it"):
        ducview_score({}, {})
