"""Correlations of numbers of any size, and of means that are equal up to rounding."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest
import scipy.stats
from definitions import resampling as twin
from every import every
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from summeval._core.agreement import resampling as kernel
from summeval.meta import (
    correlate,
    koehn_test,
    pairwise_accuracy,
    permutation_test,
    tie_calibrated_accuracy,
)
from summeval.meta.arrays import COEFFICIENTS, LEVELS, system_means

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")

SCIPY = {"spearman": scipy.stats.spearmanr, "kendall": scipy.stats.kendalltau}
# Tenths are no binary fractions: means that are equal in them differ as doubles.
tenths = arrays(
    np.float64, st.tuples(st.integers(2, 6), st.integers(2, 6)), elements=st.integers(-9, 9)
)


def exact_pearson(x: np.ndarray, y: np.ndarray) -> float:
    """Of the doubles as they are, without rounding until the last step."""
    a, b = ([Fraction(float(value)) for value in side] for side in (x, y))
    a_mean, b_mean = sum(a) / len(a), sum(b) / len(b)
    xy = sum((u - a_mean) * (v - b_mean) for u, v in zip(a, b, strict=True))
    xx, yy = (sum((u - m) ** 2 for u in side) for side, m in ((a, a_mean), (b, b_mean)))
    return (1 if xy > 0 else -1) * sqrt(float(xy * xy / (xx * yy)))


@every("level", LEVELS)
@every("size", [2, 3, 50])
@every("scale", [1e-310, 1e-300, 1.0, 1e300, 1.7e308])
def test_the_size_of_numbers_changes_nothing(level: Any, size: int, scale: float) -> None:
    random = np.random.default_rng(size)
    x, y = random.uniform(-1, 1, (2, size, 1))
    for coefficient in COEFFICIENTS:
        wanted = correlate(x, y, coefficient, level).value
        assert correlate(x * scale, y / 7, coefficient, level).value == pytest.approx(
            wanted, abs=1e-12
        )


@every("level", LEVELS)
@every("offset", [0, 1e3, 1e9, 1e15, -1e15])
def test_what_all_numbers_share_costs_no_digits(level: Any, offset: float) -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(40, 1))
    y = x + random.normal(size=(40, 1))
    x, y = x + offset, y - offset
    found = correlate(x, y, "pearson", level).value
    assert found == pytest.approx(exact_pearson(x[:, 0], y[:, 0]), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_one_far_number_hides_no_others(level: Any) -> None:
    # drawn without it, the others correlate as if it were not there
    random = np.random.default_rng(1)
    x, y = random.normal(size=(2, 9, 3))
    far = x.copy()
    far[4, 1] = 1e200
    systems = np.ones((1, 9), dtype=np.int64)
    systems[0, 4] = 0
    topics = np.ones((1, 3), dtype=np.int64)
    for coefficient in COEFFICIENTS if level != "system" else ():
        found = kernel.resampled(far, y, systems, topics, level, coefficient)
        wanted = kernel.resampled(x, y, systems, topics, level, coefficient)
        assert found == pytest.approx(wanted, abs=1e-12)


def test_whole_numbers_are_numbers() -> None:
    x, y = np.random.default_rng(0).integers(-5, 5, (2, 8, 3))
    for level in LEVELS:
        wanted = correlate(x.astype(float), y.astype(float), "kendall", level)
        assert correlate(x, y.tolist(), "kendall", level) == wanted


@given(tenths, st.data())
def test_means_tie_in_tenths_as_in_whole_numbers(whole: np.ndarray, data: Any) -> None:
    human = data.draw(arrays(np.float64, whole.shape, elements=st.integers(0, 4)))
    sums = whole.sum(axis=1), human.sum(axis=1)
    for coefficient, scipys in SCIPY.items():
        found = correlate(whole / 10, human / 3, coefficient, "system").value
        varied = all(np.ptp(side) > 0 for side in sums)
        wanted = scipys(*sums).statistic if varied else np.nan
        assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    signs = (np.sign([a - b for a, b in combinations(side, 2)]) for side in sums)
    assert pairwise_accuracy(whole / 10, human / 3) == np.equal(*signs).mean()


@given(tenths, st.data())
def test_differences_tie_in_tenths_as_in_whole_numbers(whole: np.ndarray, data: Any) -> None:
    human = data.draw(arrays(np.float64, whole.shape, elements=st.integers(0, 4)))
    found, wanted = (tie_calibrated_accuracy(whole / by, human / by) for by in (10, 1))
    assert found.value == pytest.approx(wanted.value)
    assert found.threshold == pytest.approx(wanted.threshold / 10, abs=1e-12)


@given(tenths, st.sampled_from(COEFFICIENTS), st.data())
def test_draws_tie_means_as_the_twin_does(x: np.ndarray, coefficient: str, data: Any) -> None:
    y = data.draw(arrays(np.float64, x.shape, elements=st.integers(0, 4)))
    counts = [
        data.draw(arrays(np.int64, (3, size), elements=st.integers(0, 3))) for size in x.shape
    ]
    found = kernel.resampled(x / 10, y / 3, *counts, "system", coefficient)
    wanted = [
        twin.resampled((x / 10).tolist(), (y / 3).tolist(), *draw, "system", coefficient)
        for draw in zip(*(c.tolist() for c in counts), strict=True)
    ]
    assert found.tolist() == pytest.approx(wanted, abs=1e-9, nan_ok=True)


def test_systems_with_equal_means_are_no_win_for_either_metric() -> None:
    # the two metrics are one, written in hundredths and in whole numbers
    random = np.random.default_rng(4)
    whole = random.integers(0, 100, (12, 20)).astype(float)
    human = random.integers(1, 6, (12, 20)) / 3
    for coefficient in COEFFICIENTS:
        found = koehn_test(whole / 100, whole, human, coefficient, resamples=200)
        assert (found.wins, found.losses) == (0, 0)


@pytest.mark.parametrize("scale", [1e-310, 1e-300, 1e300, 1.7e308])
def test_permutations_hold_for_numbers_of_any_size(scale: float) -> None:
    random = np.random.default_rng(2)
    a, b, human = random.uniform(-1, 1, (3, 8, 6))
    for level in LEVELS:
        wanted = permutation_test(a, b, human, level=level, resamples=50)
        found = permutation_test(a * scale, b, human, level=level, resamples=50)
        assert found.difference == pytest.approx(wanted.difference, abs=1e-9)
        assert found.pvalue == wanted.pvalue


@pytest.mark.parametrize("draws", [1, 2, 7, 8, 9, 17])
def test_a_draw_does_not_depend_on_those_beside_it(draws: int) -> None:
    random = np.random.default_rng(5)
    x, y = np.round(random.random((2, 7, 6)), 1)
    u, v = (random.integers(0, 3, (draws, size)) for size in x.shape)
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            together = kernel.resampled(x, y, u, v, level, coefficient)
            for draw in range(draws):
                rows = u[draw : draw + 1], v[draw : draw + 1]
                alone = kernel.resampled(x, y, *rows, level, coefficient)
                assert np.array_equal(alone, together[draw : draw + 1], equal_nan=True)


def test_the_mean_of_a_system_is_of_the_scores_it_has() -> None:
    means, reach = system_means(np.array([[0.25, np.nan, 0.75], [0.5, 0.5, 0.5], [np.nan] * 3]))
    assert len(means) == 2
    assert abs(means[0] - means[1]) <= reach


def test_equal_means_differ_by_a_rounding_of_each_step() -> None:
    # The largest score, and the span of the scores for each topic, the sum and the quotient.
    eps = float(np.finfo(np.float64).eps)
    assert twin.tolerance([[0.25], [0.5]]) == 0
    assert twin.tolerance([[0.25, 0.5], [0.5, 0.25]]) == eps * (0.5 + 4 * 0.25)
    assert twin.tolerance([[0.25, 0.5, -1.0], [0.5, 0.25, 0.0]]) == eps * (1 + 5 * 1.5)
