"""Norms of features by the length of a text."""

from __future__ import annotations

import numpy as np
import pytest
from length_norms import fitted

from summeval.learn.signed_ridge import FEWEST, MOST, LengthNorms

CHANCE = np.random.default_rng(1)
WORDS = np.exp(CHANCE.uniform(np.log(FEWEST), np.log(MOST), 4000))
LOGS = np.log(WORDS)
ROWS = np.column_stack([
    1 + 2 * LOGS + 0.5 * LOGS**2 + (0.5 + LOGS) * CHANCE.normal(size=4000),
    (CHANCE.random(4000) < 0.1).astype(float),
])  # fmt: skip
NORMS = fitted([ROWS], [WORDS], [True, False])


def test_deviations_have_no_trend_left() -> None:
    found = NORMS.standard(ROWS, WORDS)[:, 0]
    for low, high in ((6, 12), (12, 30), (30, 70), (70, 140)):
        part = found[(low <= WORDS) & (high >= WORDS)]
        assert abs(part.mean()) < 0.1 and abs(part.std() - 1) < 0.1


def test_a_feature_that_is_not_normed_is_in_units() -> None:
    assert NORMS.standard(ROWS, WORDS)[:, 1].tolist() == (ROWS[:, 1] / 0.5).tolist()


def test_lengths_beyond_the_known_ones_count_as_the_last() -> None:
    def of(words: float) -> list[float]:
        return NORMS.standard(np.array([[9.0, 0.0]]), np.array([words])).tolist()[0]

    assert of(0) == of(1) == of(FEWEST) != of(FEWEST + 1)
    assert of(MOST - 1) != of(MOST) == of(10_000)


def test_families_weigh_the_same() -> None:
    few, many = np.full((10, 1), 4.0), np.full((1000, 1), 2.0)
    words = np.exp(np.linspace(2, 4, 10))
    norms = fitted([few, many], [words, np.tile(words, 100)], [True])
    assert norms.standard(np.array([[3.0]]), np.array([20.0]))[0, 0] == pytest.approx(0, abs=1e-6)


def test_a_deviation_is_never_below_half_its_mean() -> None:
    norms = LengthNorms(np.zeros((1, 3)), np.array([[0.0, 1.0, -np.log(FEWEST)]]), np.array([0.7]))
    found = norms.standard(np.ones((2, 1)), np.array([FEWEST, MOST])).tolist()
    assert found == [[1 / 0.7], [1 / (np.log(MOST) - np.log(FEWEST))]]
    wide = fitted([ROWS[:, :1]], [WORDS], [True])
    deviations = wide.spread @ np.vander(LOGS, 3).T
    assert wide.least[0] == pytest.approx(deviations.mean() / 2)


def test_rows_do_not_depend_on_each_other() -> None:
    whole = NORMS.standard(ROWS[:50], WORDS[:50])
    alone = [NORMS.standard(ROWS[k : k + 1], WORDS[k : k + 1])[0] for k in range(50)]
    np.testing.assert_array_equal(whole, alone)
