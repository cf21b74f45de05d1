"""Falling metrics count like rising ones, wherever metrics are ranked or correlated."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from summeval import meta
from summeval.meta import Scores, qarla
from summeval.meta.arrays import LEVELS, cautions
from summeval.meta.jackknife import jackknife_scores
from summeval.meta.overview import overview
from summeval.metrics.rouge.metric import Rouge
from summeval.table.scores import directions

QUIET = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")


def tables() -> tuple[np.ndarray, ...]:
    """A good metric, a poor one and people, in whole numbers: their negations are exact."""
    random = np.random.default_rng(4)
    human = random.integers(0, 9, (12, 7)).astype(float)
    good, poor = (human + random.integers(0, reach, (12, 7)) for reach in (4, 20))
    return good, poor, human


GOOD, POOR, HUMAN = tables()
TEXTS = np.random.default_rng(5).integers(0, 9, (3, 9, 9)).astype(float)

# Each with one metric, or the first of two, that may point either way.
ONE: dict[str, Callable[..., Any]] = {
    "correlation": lambda x, up: meta.correlation(x, HUMAN, higher_is_better=up),
    "correlate": lambda x, up: meta.correlate(x, HUMAN, level="system", higher_is_better=up),
    "bootstrap_interval": lambda x, up: meta.bootstrap_interval(
        x, HUMAN, "kendall", resamples=20, higher_is_better=up
    ),
    "koehn_test": lambda x, up: meta.koehn_test(
        x, POOR, HUMAN, resamples=20, higher_is_better=[up, True]
    ),
    "permutation_test": lambda x, up: meta.permutation_test(
        x, POOR, HUMAN, resamples=20, higher_is_better=[up, True]
    ),
    "williams_test": lambda x, up: meta.williams_test(
        x, POOR, HUMAN, higher_is_better=np.array([up, True])
    ),
    "pairwise_accuracy": lambda x, up: meta.pairwise_accuracy(x, HUMAN, higher_is_better=up),
    "tie_calibrated_accuracy": lambda x, up: meta.tie_calibrated_accuracy(
        x, HUMAN, higher_is_better=up
    ),
    "orange": lambda x, up: meta.orange(x[:, :4], x[:, 4:5], higher_is_better=up),
    "queen": lambda x, up: qarla.queen(x[:1, :3], x[None, 1:4, :3], higher_is_better=up),
}
ONE |= {
    name: lambda x, up, call=call, models=models: call(
        np.stack([np.resize(x, (9, 9)), TEXTS[1]]), models, higher_is_better=[up, True]
    )
    for name, models, call in (
        ("queens", 4, lambda *a, **k: qarla.queens(*a, **k).tolist()),
        ("king", 4, qarla.king),
        ("jack", 7, qarla.jack),
        ("orange_share", 4, qarla.orange_share),
        ("metric_sets", 4, lambda *a, **k: list(qarla.metric_sets(*a, **k))),
    )
}


@QUIET
@pytest.mark.parametrize("name", ONE)
def test_a_falling_metric_counts_as_its_negation(name: str) -> None:
    call = ONE[name]
    assert call(-GOOD, False) == call(GOOD, True)
    assert call(GOOD, np.False_) == call(-GOOD, np.True_) != call(GOOD, True)


@QUIET
def test_a_comparison_takes_directions_by_name_by_order_and_by_registered_names() -> None:
    wanted = meta.compare({"m": GOOD, "n": POOR}, HUMAN, resamples=20)
    assert wanted.names == ("m", "n")
    for name, given in (
        ("m", [False, True]),
        ("m", {"m": False}),
        ("simetrix.smoothedJSD", None),
        ("simetrix.smoothedJSD", {"n": True}),
    ):
        found = meta.compare({name: -GOOD, "n": POOR}, HUMAN, resamples=20, higher_is_better=given)
        assert found.names == (name, "n")
        assert found.correlations == wanted.correlations
        assert found.intervals == wanted.intervals
        assert np.array_equal(found.pvalues, wanted.pvalues, equal_nan=True)
        assert found.higher_is_better == (False, True)
    # The user's word counts more than a name.
    given = {"simetrix.smoothedJSD": GOOD, "n": POOR}
    found = meta.compare(given, HUMAN, resamples=20, higher_is_better=True)
    assert found.correlations == wanted.correlations
    assert wanted.higher_is_better == (True, True)


def test_scores_know_the_directions_of_registered_columns() -> None:
    cells = {"simetrix.KLInputSummary": GOOD, "rouge1.recall": POOR, "cost": -GOOD}
    systems, topics = [f"s{n}" for n in range(12)], [f"t{n}" for n in range(7)]
    scores = Scores(systems, topics, cells)
    rising = {"simetrix.KLInputSummary": False, "rouge1.recall": True, "cost": True}
    assert scores.higher_is_better == rising
    # A file counts more than a name, and choosing and joining keep what is known.
    told = {"cost": False, "simetrix.KLInputSummary": True, "elsewhere": False}
    scores = Scores(systems, topics, cells, higher_is_better=told)
    people = Scores(systems, topics, {"rank": HUMAN}, higher_is_better={"rank": False})
    kept = scores.choose(systems=systems[:3]).join(people)
    wanted = {"simetrix.KLInputSummary": True, "rouge1.recall": True, "cost": False, "rank": False}
    assert kept.higher_is_better == wanted
    risen = kept.rising()
    assert np.array_equal(risen["cost"], GOOD[:3])
    assert np.array_equal(risen["rouge1.recall"], POOR[:3])
    assert np.array_equal(risen["rank"], -HUMAN[:3])
    rows = [{"system": "a", "topic": "b", "cost": 1}]
    assert not Scores.from_rows(rows, ["cost"], higher_is_better=told).higher_is_better["cost"]


def test_an_overview_negates_what_falls() -> None:
    systems, topics = [f"s{n}" for n in range(12)], [f"t{n}" for n in range(7)]
    both = {"good": GOOD, "poor": POOR, "said": HUMAN}
    plain = overview(Scores(systems, topics, both), ["good", "poor"], ["said"], resamples=20)
    turned = Scores(systems, topics, both | {"good": -GOOD})
    found = overview(
        turned, ["good", "poor"], ["said"], resamples=20, higher_is_better=[False, True]
    )
    assert [a.comparison.intervals for a in found.agreements] == [
        a.comparison.intervals for a in plain.agreements
    ]
    assert (plain.negated, found.negated) == ((), ("good",))
    assert np.array_equal(found.scores["good"], GOOD)
    rows = [
        {key: row[key] for key in ("metric", "higher_is_better", "negated")}
        for row in found.agreements[0].rows
    ]
    assert {"metric": "good", "higher_is_better": False, "negated": True} in rows
    assert {"metric": "poor", "higher_is_better": True, "negated": False} in rows
    known = Scores(systems, topics, both | {"good": -GOOD}, higher_is_better={"good": False})
    assert overview(known, ["good"], ["said"], resamples=20).negated == ("good",)


def test_scores_of_a_jackknife_keep_the_direction_of_the_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    topics = {"t": ({"1": "the cat"}, {"A": "the cat sat", "B": "a cat sat"})}
    assert jackknife_scores("rouge1", topics).higher_is_better == {"rouge1.fmeasure": True}
    monkeypatch.setattr(Rouge, "lower_is_better", frozenset({"recall"}))
    found = jackknife_scores("rouge1", topics, field="recall")
    assert found.higher_is_better == {"rouge1.recall": False}


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ([True], ValueError, "has 1 for 2 metrics; give one for each"),
        ({"c": True}, ValueError, "higher_is_better: unknown metric 'c'"),
        ("no", TypeError, "'no'; give True or False"),
        (1, TypeError, "is 1; give True or False"),
        ([True, 0], TypeError, "of b is 0; give True or False"),
        ({"b": "yes"}, TypeError, "of b is 'yes'"),
    ],
)
def test_what_is_no_direction_is_refused(given: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        directions(given, ["a", "b"])


def test_one_bool_stands_for_one_metric() -> None:
    with pytest.raises(ValueError, match="has 2 for 1 metrics"):
        meta.correlation(GOOD, HUMAN, higher_is_better=[True, False])  # type: ignore[arg-type]


# What a design is too small for


def test_each_caution_has_its_number_and_comes_once() -> None:
    few = {"m": GOOD[:9, :4], "n": np.full((9, 4), 2.0)}
    tied = HUMAN[:9, :4].copy()
    tied[:, 1] = 3.0
    wanted = [
        "9 systems: fewer than 10 are too few at the system level",
        "4 topics: fewer than 5 are too few",
        "n: 2 in all 36 cells; no correlation",
        "h: people tie all systems on 1 of 4 topics",
        "g: 1 in all 36 cells; no correlation",
    ]
    people = {"h": tied, "g": np.ones((9, 4))}
    assert cautions(few, people, ["summary", "system"]) == wanted
    assert cautions(few, people, ["summary"]) == wanted[1:]
    assert cautions(few, people, ["global"], topics=False) == [wanted[2], wanted[4]]
    enough = {"m": GOOD[:10, :5]}
    assert cautions(enough, {"h": HUMAN[:10, :5]}, LEVELS) == []


def test_a_caution_names_the_dimension_or_the_metric_with_the_fewest_systems() -> None:
    few = GOOD.copy()
    few[4:] = np.nan
    told = "4 systems: fewer than 10 are too few at the system level"
    both, one = {"m": GOOD, "n": GOOD}, {"h": HUMAN}
    assert cautions(both, one | {"g": few}, ["system"]) == [f"g: {told}"]
    assert cautions(both | {"o": few}, one, ["system"]) == [f"o: {told}"]
    assert cautions({"o": few}, {"g": few}, ["system"]) == [told]


def test_a_cell_counts_for_a_design_where_both_have_a_value() -> None:
    some, few = GOOD.copy(), HUMAN.copy()
    some[9:] = np.nan
    few[:, 4:] = np.nan
    wanted = [
        "9 systems: fewer than 10 are too few at the system level",
        "4 topics: fewer than 5 are too few",
    ]
    assert cautions({"m": some}, {"h": few}, ["system"]) == wanted
    # The least of all pairs is told, wherever it stands, and whose it is.
    whose = [f"m: {wanted[0]}", f"h: {wanted[1]}"]
    assert cautions({"m": some, "n": POOR}, {"g": HUMAN, "h": few}, ["system"]) == whose
    assert cautions({"n": POOR, "m": some}, {"h": few, "g": HUMAN}, ["system"]) == whose


def test_one_system_alone_on_a_topic_is_no_tie() -> None:
    people = HUMAN.copy()
    people[1:, 0] = np.nan
    assert cautions({"m": GOOD}, {"h": people}, ["summary"]) == []


def test_equal_means_are_told_where_they_count() -> None:
    metric = np.array([[1.0, 2.0], [2.0, 1.0]] * 6)
    people = np.arange(24.0).reshape(12, 2)
    told = "m: equal means for all 12 systems; no correlation of systems"
    assert told in cautions({"m": metric}, {"h": people}, ["system"])
    assert told not in cautions({"m": metric}, {"h": people}, ["summary", "global"])


def warned(call: Callable[[], Any]) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    assert all(one.category is meta.DesignWarning and one.filename == __file__ for one in found)
    return [str(one.message) for one in found]


@pytest.mark.parametrize(
    "call",
    [
        lambda a, b, z: meta.correlation(a, z, level="system"),
        lambda a, b, z: meta.correlate(a, z, level="system"),
        lambda a, b, z: meta.bootstrap_interval(a, z, level="system", resamples=9),
        lambda a, b, z: meta.koehn_test(a, b, z, resamples=9),
        lambda a, b, z: meta.permutation_test(a, b, z, level="system", resamples=9),
        meta.williams_test,
        lambda a, b, z: meta.compare({"a": a, "b": b, "c": a + b}, z, level="system", resamples=9),
    ],
)
def test_a_function_warns_of_a_small_design_once(call: Any) -> None:
    found = warned(lambda: call(GOOD[:6, :3], POOR[:6, :3], HUMAN[:6, :3]))
    assert found == [
        "6 systems: fewer than 10 are too few at the system level",
        "3 topics: fewer than 5 are too few",
    ]
    assert warned(lambda: call(GOOD, POOR, HUMAN)) == []


def test_one_score_a_system_says_nothing_of_topics() -> None:
    assert warned(lambda: meta.correlation(GOOD[:, 0], HUMAN[:, 0])) == []
    assert warned(lambda: meta.correlation(GOOD[:, :1], HUMAN[:, :1])) == [
        "1 topic: fewer than 5 are too few"
    ]


@pytest.mark.parametrize("level", LEVELS)
def test_an_interval_draws_what_suits_the_level(level: Any) -> None:
    over = "topics" if level == "summary" else "both"
    found = meta.bootstrap_interval(GOOD, HUMAN, level=level, resamples=50)
    assert found.over == over
    assert found == meta.bootstrap_interval(GOOD, HUMAN, level=level, over=over, resamples=50)
    one = meta.bootstrap_interval(GOOD[:, 0], HUMAN[:, 0], level=level, resamples=50)
    assert one.over == "both"  # one topic drawn anew is always itself
    assert one.lower < one.upper
    many = meta.compare({"a": GOOD, "b": POOR}, HUMAN, level=level, resamples=50)
    assert {interval.over for interval in many.intervals} == {over}


# Degenerate data


@pytest.mark.parametrize("share", [95, 0, 1, float("nan"), "0.95", True])
def test_shares_are_between_0_and_1(share: Any) -> None:
    for call in (
        lambda: meta.bootstrap_interval(GOOD, HUMAN, confidence=share),
        lambda: meta.koehn_test(GOOD, POOR, HUMAN, confidence=share),
        lambda: meta.compare({"a": GOOD}, HUMAN, confidence=share),
        lambda: meta.fisher_interval(0.5, 20, confidence=share),
    ):
        with pytest.raises(ValueError, match=r"confidence is .*between 0 and 1, such as 0\.95"):
            call()
    with pytest.raises(ValueError, match=r"alpha is .*such as 0\.05"):
        meta.compare({"a": GOOD}, HUMAN, alpha=share)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: meta.pairwise_accuracy([], []), ValueError, r"metric has the shape \(0,\)"),
        (lambda: meta.tie_calibrated_accuracy([[]], [[]]), ValueError, r"the shape \(1, 0\)"),
        (lambda: meta.pairwise_accuracy("ab", "ab"), ValueError, "metric must be numbers"),
        (lambda: meta.holm(["x"]), ValueError, "pvalues must be numbers"),
        (lambda: meta.bonferroni([[0.1], [0.1, 0.2]]), ValueError, "pvalues must be numbers"),
        (lambda: meta.letters([[True]]), ValueError, r"different\[0, 0\] is true"),
        (lambda: meta.clusters(np.eye(2)), ValueError, "no metric differs from itself"),
        (lambda: meta.compare([GOOD], HUMAN), TypeError, "metrics is list; give a dict"),
        (lambda: meta.compare({}, HUMAN), ValueError, "no metrics; give one or more"),
        (lambda: meta.out_of_fold(dict, [], [], []), ValueError, "y must be a non-empty array"),
        (
            lambda: meta.out_of_fold(dict, [1], ["x"], ["a"]),
            ValueError,
            "y must be a non-empty array",
        ),
        (
            lambda: meta.out_of_fold(dict, [1], [1], [["a"]]),
            TypeError,
            r"row 0 has the label \['a'",
        ),
    ],
)
def test_what_cannot_be_measured_is_one_line(call: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message) as found:
        call()
    assert "\n" not in str(found.value)


def test_what_has_no_values_is_told_and_not_counted() -> None:
    none = np.full_like(GOOD, np.nan)
    assert cautions({"m": GOOD, "n": none}, {"h": HUMAN}, LEVELS) == [
        "n: no cell has a value, so no correlation"
    ]
    assert cautions({"m": GOOD}, {"h": none}, LEVELS) == [
        "h: no cell has a value, so no correlation"
    ]
    left, right = GOOD.copy(), HUMAN.copy()
    left[:, :3], right[:, 3:] = np.nan, np.nan
    told = "m and h: no cell has both values, so no correlation"
    assert cautions({"m": left, "n": GOOD}, {"h": right, "g": HUMAN}, LEVELS)[0] == told
