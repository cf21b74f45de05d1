"""Lite2Pyramid and Lite3Pyramid by a judge that is a function."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

import summeval
from summeval.metrics.pyramid import LitePyramid


class Words:
    """The share of the unit's words that the text has; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def __call__(self, unit: str, text: str) -> float:
        self.asked.append((unit, text))
        words = unit.lower().strip(".").split()
        return sum(word in text.lower().split() for word in words) / len(words)


def share(unit: str, text: str) -> float:
    return Words()(unit, text)


ROWS: list[tuple[str | None, list[str | None]]] = [
    ("the storm hit the coast", ["The storm hit. Houses fell.", "A storm"]),
    ("houses fell", ["The storm hit.\nHouses fell.", None]),
    (None, ["The storm"]),
    ("", ["The storm hit."]),
    ("the storm", []),
    ("the storm", ["?!", "..."]),
]


def test_units_are_sentences_and_of_several_references_the_best_counts() -> None:
    metric = LitePyramid(judge=share)
    score = metric.score(*ROWS[0])
    assert score.value == score.p2c == pytest.approx(max((1 + 0) / 2, 0.5))
    assert score.l2c == 0.5
    assert math.isnan(score.p3c)
    assert math.isnan(score.l3c)
    mean = LitePyramid(judge=share, aggregate="average").score(*ROWS[0])
    assert mean.p2c == pytest.approx((0.5 + 0.5) / 2)
    assert mean.l2c == pytest.approx((0.5 + 0.0) / 2)


def test_rows_are_single_calls() -> None:
    metric = LitePyramid(judge=share)
    table = metric.score_batch([row[0] for row in ROWS], [row[1] for row in ROWS], workers=2)
    for number, row in enumerate(ROWS):
        single, prepared = metric.score(*row), metric.prepare(row[1]).score(row[0])
        again = metric.prepare(row[1]).score_batch([row[0]])
        for field in metric.fields:
            np.testing.assert_equal(table[f"lite-pyramid.{field}"][number], single[field])
            np.testing.assert_equal(prepared[field], single[field])
            np.testing.assert_equal(again[f"lite-pyramid.{field}"][0], single[field])
    assert table["lite-pyramid.p2c"].tolist()[3] == 0.0
    assert np.isnan(table["lite-pyramid.p2c"][[2, 4]]).all()
    assert table["lite-pyramid.p2c"][5] == 0.0  # references without units


def test_a_unit_is_judged_once_beside_a_text() -> None:
    judge = Words()
    LitePyramid(judge=judge, label="mine").score_batch(
        ["a b", "a b", "c"], [["A b.\nC d.", "A b."], ["C d."], ["A b."]]
    )
    assert sorted(judge.asked) == [("A b.", "a b"), ("A b.", "c"), ("C d.", "a b")]


def test_given_units_are_weighed() -> None:
    metric = LitePyramid(judge=share)
    units = ["storm hit", "houses fell", "storm fell"]
    score = metric.score_units("the storm hit", units, weights=[3, 2, 1])
    assert score.p2c == pytest.approx((3 + 0 + 0.5) / 6)
    assert score.l2c == pytest.approx(3 / 6)
    assert metric.score_units("the storm hit", units).p2c == pytest.approx(1.5 / 3)


def test_units_may_come_from_a_function() -> None:
    metric = LitePyramid(judge=share, units=lambda text: text.split(", "), label="mine")
    assert metric.score("a", "a, b, c, d").p2c == 0.25


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "^judge is None; give the folder of a model"),
        ({"judge": 3}, "^judge is int; give a name or a folder"),
        ({"judge": "./nowhere"}, "^judge is './nowhere', and there is no such folder"),
        ({"judge": share, "units": "words"}, "^units is 'words'; "),
        ({"judge": share, "aggregate": "best"}, "^aggregate is 'best'"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        LitePyramid(**options)


@pytest.mark.parametrize("given", [1.5, -0.1, float("nan"), None, "yes"])
def test_a_judge_that_gives_no_probability(given: Any) -> None:
    metric = LitePyramid(judge=lambda unit, text: given, label="mine")
    with pytest.raises(ValueError, match=r"for the unit 'A b\.'; give a number from 0 to 1"):
        metric.score("x", "A b.")
    table = metric.score_batch(["x", None], ["A b.", "A b."], on_error="skip")
    assert list(table.errors) == [0]


def test_texts_that_are_none() -> None:
    metric = LitePyramid(judge=share)
    with pytest.raises(ValueError, match="there is no candidate or no unit; give both"):
        metric.score_units("a", [])
    with pytest.raises(TypeError, match=r"units\[1\] is int; give a str"):
        metric.score_units("a", ["b", 5])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="units is str; give a list of str"):
        metric.score_units("a", "b")


def test_it_is_a_metric_like_others() -> None:
    metric = summeval.metric("lite-pyramid", judge=share)
    assert metric.signature == LitePyramid(judge=share).signature
    assert pickle.loads(pickle.dumps(metric)).signature == metric.signature
    suite = summeval.suite([metric, "rouge1"])
    assert list(suite.score("a b", "a b")) == ["lite-pyramid", "rouge1"]
    assert "lite-pyramid" not in summeval.list_metrics()
