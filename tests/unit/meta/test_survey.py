"""What scores say without people, against SciPy, NumPy and numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from summeval.meta import overview as module
from summeval.meta.overview import FENCE, survey

RANDOM = np.random.default_rng(1)
X, Y = RANDOM.random(60), RANDOM.integers(0, 4, 60) / 4.0
PLACES = np.arange(60) % 3
SYSTEMS = ["a", "b", "c"]


def found(scores, rising=None, places=PLACES, systems=SYSTEMS, **options):
    return survey(scores, systems, places, rising or dict.fromkeys(scores, True), **options)


def test_metrics_are_correlated_by_mid_ranks_over_the_rows_they_share():
    missing = np.where(np.arange(60) % 7 == 0, np.nan, X)
    made = found({"x": missing, "y": Y})
    known = ~np.isnan(missing)
    assert made.between[0, 1] == pytest.approx(spearmanr(X[known], Y[known]).statistic)
    assert made.between[0, 0] == pytest.approx(1.0)
    lower_is_better = found({"x": missing, "y": Y}, {"x": False, "y": True})
    assert lower_is_better.between[0, 1] == pytest.approx(-made.between[0, 1])


def test_what_does_not_vary_has_no_correlation():
    made = found({"x": X, "same": np.full(60, 0.3), "none": np.full(60, np.nan)})
    assert np.isnan(made.between[0, 1:]).all()
    assert made.spreads["same"].constant and not made.spreads["x"].constant
    assert (made.spreads["none"].rows, made.spreads["none"].missing) == (0, 60)
    assert made.spreads["none"].edges[[0, -1]].tolist() == [0, 1]


def test_many_rows_are_sampled(monkeypatch):
    monkeypatch.setattr(module, "SAMPLE", 40)
    some = found({"x": X, "y": X + Y})
    assert some.between[0, 1] == pytest.approx(spearmanr(X, X + Y).statistic, abs=0.3)
    assert found({"x": X, "y": X + Y}).between[0, 1] == some.between[0, 1]


def test_spreads_count_each_row_of_each_system_once():
    made = found({"x": X}).spreads["x"]
    assert made.counts.sum(axis=1).tolist() == [20, 20, 20]
    for place in range(3):
        own = X[place == PLACES]
        assert made.quantiles[place].tolist() == pytest.approx(
            np.quantile(own, module.QUANTILES).tolist()
        )
    assert (made.low, made.high) == (X.min(), X.max())


def test_rows_are_apart_by_the_difference_of_their_ranks():
    up = np.arange(5.0)
    swapped = np.array([4.0, 1.0, 2.0, 3.0, 0.0])
    odd = found({"u": up, "v": swapped}, places=np.zeros(5, int), systems=["s"]).apart
    assert [(one.row, one.metric, one.other, one.degree) for one in odd] == [
        (0, "v", "u", 1.0),
        (4, "u", "v", 1.0),
    ]


def test_an_outlier_is_far_outside_the_middle_half_of_its_own_system():
    values = np.concatenate([np.linspace(0, 1, 21), np.linspace(10, 11, 21)])
    places = np.repeat([0, 1], 21)
    assert found({"x": values}, places=places, systems=["a", "b"]).outliers == ()
    values[3] = 1 + 0.5 * (FENCE + 0.5)
    (odd,) = found({"x": values}, places=places, systems=["a", "b"]).outliers
    low, high = np.quantile(values[:21], [0.25, 0.75])
    assert (odd.row, odd.metric) == (3, "x")
    assert odd.degree == pytest.approx((values[3] - high) / (high - low))


def test_length_is_correlated_with_what_is_better_and_cut_into_equal_parts():
    lengths = np.arange(60.0)
    made = found({"d": -lengths, "x": X}, {"d": False, "x": True}, lengths=lengths)
    assert made.lengths["d"].rho == pytest.approx(1.0)
    assert made.lengths["x"].rho == pytest.approx(spearmanr(X, lengths).statistic)
    parts = np.array_split(np.arange(60), len(made.lengths["x"].means))
    assert made.lengths["x"].means.tolist() == pytest.approx([X[p].mean() for p in parts])
    assert made.words.tolist() == pytest.approx([28.5, 29.5, 30.5])
    assert found({"x": X}).lengths == {}
    assert found({"x": X}, lengths=np.full(60, np.nan)).lengths == {}
