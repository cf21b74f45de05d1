"""Models over normed columns: what they predict, their floor, and what a file may hold of them."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval.learn.regression import MACHINES, WEIGHTED, NormedModel

pytest.importorskip("sklearn")

KINDS = (*WEIGHTED, *MACHINES)
X = np.array([[0.1, 9.0, 3.0], [0.4, 7.0, 3.0], [0.6, 8.0, 3.0], [0.9, 1.0, 3.0], [0.3, 8.5, 3.0]])
Y = [1.0, 2.0, 3.0, 5.0, 1.5]
TOPICS = ["a", "a", "b", "b", "b"]


@cache
def fitted(kind: str) -> NormedModel:
    return NormedModel(["up", "down", "flat"], kind, [True, False, True]).fit(X, Y, TOPICS)


def test_the_mean_is_that_of_z_scores_in_their_directions() -> None:
    up, down = ((X[:, k] - X[:, k].mean()) / X[:, k].std() for k in (0, 1))
    expected = (up - down + 0.0) / 3  # a column that is constant in training counts nothing
    np.testing.assert_allclose(fitted("mean").predict(X), expected, atol=1e-15)


@pytest.mark.parametrize("kind", KINDS)
def test_better_rows_are_told_more_and_none_less_than_the_floor(kind: str) -> None:
    model = fitted(kind)
    found = model.predict(X)
    assert found[3] > found[0]
    wild = np.array([[-1e9, 1e9, 0.0], [math.inf, -math.inf, 3.0], [0.0, math.inf, -math.inf]])
    assert (model.predict(wild) >= model.floor).all() and math.isfinite(model.floor)
    assert (
        model.least([[0.0, math.nan, 0.0], [0.0, 0.0, 0.0]], [1.0] * 3).tolist()[1] == model.floor
    )


@pytest.mark.parametrize("kind", KINDS)
@given(st.lists(st.lists(st.floats(-9, 9), min_size=3, max_size=3), min_size=1, max_size=9))
def test_a_row_is_told_alone_what_it_is_told_among_others(
    kind: str, rows: list[list[float]]
) -> None:
    model = fitted(kind)
    alone = [float(model.predict([row])[0]) for row in rows]
    assert model.predict(rows).tolist() == alone


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_was_constant_in_training_counts_nothing(kind: str) -> None:
    model, moved = fitted(kind), X + np.array([0.0, 0.0, 2.0])
    np.testing.assert_array_equal(model.predict(moved), model.predict(X))


@pytest.mark.parametrize("kind", KINDS)
def test_a_gap_stays_a_gap(kind: str) -> None:
    found = fitted(kind).predict([[math.nan, 1.0, 3.0], [0.5, 5.0, 3.0]])
    assert np.isnan(found).tolist() == [True, False]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_kept_is_the_model(kind: str) -> None:
    model = fitted(kind)
    again = NormedModel.restored(*model.kept())
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert (again.trained, again.directions) == (model.trained, model.directions)


def test_a_signed_column_counts_in_its_direction_or_not_at_all() -> None:
    wrong = NormedModel(["up", "down", "flat"], "signed-ridge", [False, True, True])
    free = NormedModel(["up", "down", "flat"], "ridge", [False, True, True])
    assert np.ptp(wrong.fit(X, Y, TOPICS).predict(X)) == 0
    assert np.ptp(free.fit(X, Y, TOPICS).predict(X)) > 0


def test_a_held_out_row_is_told_by_a_model_of_the_others() -> None:
    model = NormedModel(["up", "down", "flat"], "svm-rbf", [True, False, True])
    found = model.cross_predict(X, Y, [TOPICS])
    alone = model.new().fit(X[2:], Y[2:], TOPICS[2:]).predict(X[:2])
    assert found[:2].tolist() == alone.tolist() and not model.is_fitted


def broken(kind: str, content: dict[str, Any], arrays: dict[str, Any]) -> tuple[Any, Any]:
    told, numbers = fitted(kind).kept()
    return told | content, numbers | {name: np.array(array) for name, array in arrays.items()}


@pytest.mark.parametrize(
    ("content", "arrays", "message"),
    [
        ({"kind": "svm"}, {}, "kind is 'svm'"),
        ({"rising": [True]}, {}, "3 features and 1 directions"),
        ({"features": [1, 2, 3]}, {}, "not named"),
        ({"features": ["up", "down", 3]}, {}, "not named"),
        ({"trained": 5}, {}, "no object"),
        ({}, {"scale": [1.0]}, "its scale do not match"),
        ({}, {"scale": [-1.0, 1.0, 1.0]}, "below 0"),
        ({}, {"floor": [math.nan]}, "its floor do not match or are not finite"),
        ({}, {"vectors": [[1.0, 2.0]]}, "its vectors do not match"),
    ],
)
def test_a_model_that_is_none_is_refused(
    content: dict[str, Any], arrays: dict[str, Any], message: str
) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        NormedModel.restored(*broken("svm-linear", content, arrays))


def test_bad_rows_are_named() -> None:
    model = NormedModel(["a"], "mean", [True])
    with pytest.raises(ValueError, match="fit or load it first"):
        model.predict([[1.0]])
    with pytest.raises(ValueError, match="row 1: a is not finite"):
        model.fit([[1.0], [math.nan]], [1, 2])
    with pytest.raises(ValueError, match=r"shape \(1, 2\); give \[row, feature\]"):
        model.fit([[1.0, 2.0]], [1])
    with pytest.raises(ValueError, match="1 labels for 2 rows"):
        model.fit([[1.0], [2.0]], [1, 2], ["a"])
