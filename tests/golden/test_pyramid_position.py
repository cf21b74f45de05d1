"""The position Pyramid: the worked examples, and laws for any positions."""

import gzip
import json
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyramid_cases import cases
from pytest import approx
from shared import shared

import summeval
from summeval.metrics.pyramid import PositionPyramid, original_score

PLACES = st.integers(0, 15)
MODELS = st.lists(st.lists(PLACES, max_size=10), min_size=1, max_size=5)
PEER = st.lists(PLACES, max_size=10)
LENGTHS = st.none() | st.integers(1, 20)
DOCUMENT = [["a", "b", "c"], ["d", "e"], ["f"], []]


@pytest.mark.parametrize("case", cases("position_pyramid"))
def test_scores_are_those_of_the_paper(case):
    given = case["input"]
    score = PositionPyramid().score_units(given["peer"], given["models"], given["length"])
    found = {name: score[name] for name in case["expected"]}
    assert found == approx(case["expected"], abs=case["tolerance"])
    assert score.value == score.P


@pytest.mark.parametrize("case", cases("position_pyramid_optimal"))
def test_optimal_summary_of_the_worked_example(case):
    found = PositionPyramid().optimal(**{k: v for k, v in case["input"].items() if k != "note"})
    assert {name: found[name] for name in case["expected"]} == case["expected"]


@given(PEER, MODELS, LENGTHS)
def test_pr_by_pr_star_is_p_by_the_share_of_the_length(peer, models, length):
    score = PositionPyramid().score_units(peer, models, length)
    size = len(set(peer)) if length is None else length
    assert score.PR * len(set(peer)) == approx(score.P * size * score.PR_star)
    if length is None:
        assert 0 <= score.P <= 1 and score.PR <= score.PR_star <= 1


def test_a_length_of_0_scores_0():
    score = PositionPyramid().score_units([1], [[1]], length=0)
    assert (score.P, score.D, score.D_star, score.PR, score.PR_star) == (0, 1, 0, 1, 0)


@given(PEER, MODELS, LENGTHS, st.randoms(use_true_random=False))
def test_order_repeats_and_names_of_places_change_nothing(peer, models, length, random):
    score = PositionPyramid().score_units(peer, models, length)
    names = {place: str(place) for place in range(16)}
    again = [[names[place] for place in [*model, *model]] for model in models]
    random.shuffle(again)
    renamed = [names[place] for place in [*reversed(peer), *peer]]
    assert PositionPyramid().score_units(renamed, again, length) == score


@given(PEER, MODELS)
def test_p_is_the_original_pyramid_on_distinct_places(peer, models):
    score = PositionPyramid().score_units(peer, models)
    original = original_score(models, set(peer))
    assert (score.P, score.D, score.D_star) == (original.score, original.D, original.max)


@given(st.lists(PLACES, min_size=1), st.integers(1, 4))
def test_a_peer_equal_to_all_models_scores_1(model, times):
    assert PositionPyramid().score_units(model, [model] * times).values() == approx(
        (1, times * len(set(model)), times * len(set(model)), 1, 1)
    )


@given(st.lists(st.lists(PLACES), min_size=2, max_size=5), PEER, LENGTHS)
def test_leave_one_out_scores_against_all_models_but_one(models, peer, length):
    metric = PositionPyramid()
    found = metric.leave_one_out(models, peer, length)
    rests = [models[:i] + models[i + 1 :] for i in range(len(models))]
    assert found.peer == [metric.score_units(peer, rest, length).P for rest in rests]
    assert found.human == [
        metric.score_units(model, rest, length).P for model, rest in zip(models, rests, strict=True)
    ]
    assert found.peer_mean == approx(sum(found.peer) / len(models))
    alone = metric.leave_one_out(models, length=length)
    assert alone.human == found.human and alone.peer == [] and math.isnan(alone.value)


@given(st.lists(st.lists(st.integers(0, 3)), min_size=1, max_size=4), st.integers(0, 8))
def test_the_optimal_summary_has_the_most_that_its_words_can_weigh(models, budget):
    found = PositionPyramid().optimal(DOCUMENT, models, budget)
    assert found.words <= budget and found.D_star == found.D
    assert sorted(found.ranking) == [0, 1, 2, 3]
    assert found.ranking[: len(found.selected)] == found.selected
    if len(found.selected) < 4:
        assert found.words + len(DOCUMENT[found.ranking[len(found.selected)]]) > budget


def test_the_lead_takes_the_first_utterances_that_fit():
    lead = PositionPyramid().lead(DOCUMENT, [[1, 2], [1]], word_budget=5)
    assert (lead.ranking, lead.selected, lead.words) == ([0, 1, 2, 3], [0, 1], 5)
    assert (lead.D, lead.D_star, lead.P) == (4, 5, 0.8)
    assert PositionPyramid().lead(DOCUMENT, [[1, 2]], word_budget=2).selected == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.score_units([1], []), "models is empty; give the units of one model or"),
        (lambda m: m.score_units("ab", [[1]]), "peer is str; pass a list"),
        (lambda m: m.score_units([1], [1]), r"models\[0\] is int; pass a list"),
        (lambda m: m.score_units([1], [[1]], -1), "length is -1; give 0 or more words"),
        (lambda m: m.score_units([1], [[1]], 2.5), "length is 2.5; give 0 or more words"),
        (lambda m: m.leave_one_out([[1]]), "models holds 1 model; leaving one out needs 2 or more"),
        (lambda m: m.optimal([[1], [1]], [[0]], 2), r"utterances\[1\] has 1, as utterances\[0\]"),
        (lambda m: m.optimal([[1]], [[1]], 2), r"models\[0\] selects utterance 1; there are 1,"),
        (lambda m: m.optimal([[1]], [["a"]], 2), r"models\[0\] holds 'a'; give numbers of utter"),
        (
            lambda m: m.optimal([[1]], [[0]], -1),
            "word_budget is -1; give a whole number of at least 0",
        ),
        (
            lambda m: m.lead([[1]], [[0]], None),
            "word_budget is None; give a whole number of at least 0",
        ),
        (lambda m: PositionPyramid(length=-1), "length is -1; give 0 or more words"),
        (lambda m: PositionPyramid(tokenizer="none"), "tokenizer is 'none'; choose from"),
    ],
)
def test_what_cannot_be_scored_is_named(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call(PositionPyramid())


# Text


def test_lines_of_text_are_utterances_and_share_their_words_whole():
    references = ["It rained.\nThe cat sat.\n", "The cat sat. It slept."]
    score = summeval.metric("pyramid-position").score("the CAT sat\nIt rained today.", references)
    # 3 of 6 words, each in both references; 6 words weigh 2+2+2+1+1+1
    assert (score.D, score.D_star, score.PR) == (6, 9, 0.5)


def test_the_second_of_like_lines_is_another_utterance():
    metric = PositionPyramid()
    assert metric.score("yes\nyes", ["yes\nno"]).PR == 0.5
    assert metric.score("yes\nyes", ["yes\nno\nyes"]).PR == 1


def test_length_and_tokenizer_are_options():
    metric = summeval.metric("pyramid-position", length=1, tokenizer=str.split)
    assert metric.score("a-b c\nd", ["a-b c\ne f"]).values() == (2.0, 2, 1, approx(2 / 3), 1.0)
    assert "|length:1|" in metric.signature and metric.signature != PositionPyramid().signature


def test_empty_text_scores_0_and_none_nan():
    metric = PositionPyramid()
    assert metric.score("", ["a b"]).values() == (0, 0, 0, 0, 0)
    assert metric.score("a b", [""]).P == 0
    assert all(math.isnan(number) for number in metric.score(None, ["a"]).values())
    table = metric.score_batch(["a\nb", None], [["a\nc"], ["a"]])
    assert table["pyramid-position.P"][0] == metric.score("a\nb", ["a\nc"]).P
    assert math.isnan(table["pyramid-position.PR_star"][1])


def test_people_who_chose_from_a_thread_agree_better_than_its_lead():
    with gzip.open(shared("data/bc3_email.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    people, leads = [], []
    metric = PositionPyramid()
    for row in rows:
        models = [row["extract"], *row["other_extracts"]]
        ends = [0]
        for sentence in row["source_sents"]:
            ends.append(ends[-1] + len(sentence.split()))
        document = [range(*span) for span in pairwise(ends)]
        words = [[place for number in model for place in document[number]] for model in models]
        people.append(metric.leave_one_out(words).human[0])
        leads.append(metric.lead(document, models[1:], len(words[0])).P)
        best = metric.optimal(document, models[1:], len(words[0]))
        assert best.P == 1
    assert sum(people) > sum(leads) > 0
