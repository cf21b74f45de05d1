"""Ranking of systems: p-values against enumeration, and what is said of data that has gaps."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval.meta import rank
from summeval.meta.ranking.power import rows_needed

SYSTEMS = ["a"] * 4 + ["b"] * 4
TOPICS = ["1", "2", "3", "4"] * 2
SCORES = [0.5, 0.7, 0.9, 0.4, 0.3, 0.6, 0.95, 0.1]


def enumerated(differences: list[Fraction]) -> Fraction:
    """The p-value of the randomisation test by its definition."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return Fraction(sum(value >= observed for value in sums), len(sums))


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=8))
def test_a_p_value_of_few_rows_is_that_of_all_swaps(pairs: list[tuple[int, int]]) -> None:
    # Sevenths are no binary fractions, and their sums tie often.
    scores = [first / 7 + 1000 for first, _ in pairs] + [second / 7 + 1000 for _, second in pairs]
    found = rank({"x": scores}, ["a"] * len(pairs) + ["b"] * len(pairs), resamples=256)["x"]
    expected = enumerated([Fraction(first - second, 7) for first, second in pairs])
    assert found.exact[0, 1]
    assert found.pvalues[0, 1] == found.pvalues[1, 0] == float(expected)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=9, max_size=11))
def test_a_p_value_of_draws_is_near_that_of_all_swaps(pairs: list[tuple[int, int]]) -> None:
    differences = [Fraction(first - second, 7) for first, second in pairs]
    scores = [first / 7 for first, _ in pairs] + [second / 7 for _, second in pairs]
    found = rank({"x": scores}, ["a"] * len(pairs) + ["b"] * len(pairs), resamples=500)["x"]
    if not found.exact[0, 1]:  # else the rows that differ are few
        expected = float(enumerated(differences))
        reach = 4.5 * np.sqrt(expected * (1 - expected) / 500) + 2 / 501
        assert abs(found.pvalues[0, 1] - expected) <= reach


def test_means_intervals_and_counts() -> None:
    found = rank({"x": SCORES}, SYSTEMS, TOPICS, resamples=2000)
    one = found["x"]
    assert found.systems == ("a", "b")
    assert found.means["x"].tolist() == pytest.approx([0.625, 0.4875], abs=1e-15)
    assert (found.intervals["x"][:, 0] < found.means["x"]).all()
    assert (found.means["x"] < found.intervals["x"][:, 1]).all()
    assert one.differences[0, 1] == -one.differences[1, 0] == pytest.approx(0.1375, abs=1e-15)
    assert one.wins.tolist() == [[0, 3], [1, 0]]
    assert one.superiority.tolist()[0][1] == 0.75
    values = np.subtract(SCORES[:4], SCORES[4:])
    assert one.effects[0, 1] == pytest.approx(values.mean() / values.std(ddof=1), abs=1e-14)
    assert one.needed[0, 1] == rows_needed(one.effects[0, 1])


def test_lower_is_better_turns_order_wins_and_effects() -> None:
    up = rank({"x": SCORES}, SYSTEMS, TOPICS)["x"]
    down = rank({"x": SCORES}, SYSTEMS, TOPICS, higher_is_better=False)["x"]
    assert (up.order.tolist(), down.order.tolist()) == ([0, 1], [1, 0])
    assert np.array_equal(up.wins, down.wins.T)
    assert up.effects[0, 1] == -down.effects[0, 1]
    assert up.pvalues[0, 1] == down.pvalues[0, 1]
    assert np.array_equal(up.means, down.means)


def test_the_baseline_alone_is_compared() -> None:
    draw = np.random.default_rng(1)
    scores = np.concatenate([draw.random(30) + level for level in (0.0, 0.9, 0.0, -0.9)])
    systems = np.repeat(["base", "good", "same", "bad"], 30)
    all_pairs = rank({"x": scores}, systems)["x"]
    found = rank({"x": scores}, systems, baseline="base")
    one = found["x"]
    assert np.isnan(one.pvalues[1, 2])
    assert np.array_equal(one.pvalues[0, 1:], all_pairs.pvalues[0, 1:])
    assert (one.corrected[0, 1:] <= all_pairs.corrected[0, 1:]).all()
    assert one.clusters.tolist() == [2, 1, 2, 3]
    assert {row["system"]: row["other"] for row in found.to_rows()} == {
        "base": None,
        "good": "base",
        "same": "base",
        "bad": "base",
    }
    assert len(found.to_pairs()) == 3
    with pytest.raises(ValueError, match="baseline: unknown system 'bse'"):
        rank({"x": scores}, systems, baseline="bse")
