"""Resampling gives what enumeration, theory and simulation say it must."""

from __future__ import annotations

import tracemalloc
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest
import scipy.stats

from summeval.meta import (
    bootstrap_interval,
    compare,
    correlate,
    fisher_interval,
    koehn_test,
    permutation_test,
    williams_test,
)
from summeval.meta.arrays import LEVELS

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")

SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}
OVERS = ("systems", "topics", "both")


def tables(seed: int = 0, systems: int = 5, topics: int = 4) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(seed)
    quality = random.random((systems, 1)) + 0.5 * random.random((systems, topics))
    a, b = (quality + noise * random.random((systems, topics)) for noise in (0.5, 2.0))
    return a, b, np.round(4 * quality)


def textbook(x: np.ndarray, y: np.ndarray, coefficient: str, level: str) -> float:
    found = SCIPY[coefficient]
    if level == "system":
        return float(found(x.mean(axis=1), y.mean(axis=1)).statistic)
    if level == "global":
        return float(found(x.ravel(), y.ravel()).statistic)
    return float(np.nanmean([found(*column).statistic for column in zip(x.T, y.T, strict=True)]))


def every_swap(a: np.ndarray, b: np.ndarray, z: np.ndarray, measure: Any, over: str) -> np.ndarray:
    """The differences under all ways to swap, the first being none."""
    a, b = ((table - table.mean()) / table.std() for table in (a, b))
    systems, topics = a.shape
    rows = product((0, 1), repeat=systems) if over != "topics" else [(0,) * systems]
    columns = list(product((0, 1), repeat=topics)) if over != "systems" else [(0,) * topics]
    found = []
    for row in rows:
        for column in columns:
            swap = np.logical_xor.outer(np.array(row, bool), np.array(column, bool))
            first, second = np.where(swap, b, a), np.where(swap, a, b)
            found.append(textbook(first, z, *measure) - textbook(second, z, *measure))
    return np.array(found)


@pytest.mark.filterwarnings("ignore:.*constant")
@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize(
    "measure",
    [("pearson", "system"), ("kendall", "summary"), ("spearman", "global")],
    ids="-".join,
)
def test_permutation_finds_the_share_of_all_swaps(measure: Any, over: Any) -> None:
    resamples = 4000
    a, b, z = tables(systems=4, topics=3)
    every = every_swap(a, b, z, measure, over)
    for alternative, extreme in (
        ("two-sided", np.abs(every) >= abs(every[0]) - 1e-12),
        ("greater", every >= every[0] - 1e-12),
        ("less", every <= every[0] + 1e-12),
    ):
        share = float(extreme.mean())
        found = permutation_test(
            a, b, z, *measure, over=over, alternative=alternative, resamples=resamples
        )
        assert found.difference == pytest.approx(every[0], abs=1e-12)
        # four standard errors of a share
        assert abs(found.pvalue - share) <= 4 * sqrt(share * (1 - share) / resamples) + 1e-3
        assert found.pvalue == (found.count + 1) / (resamples + 1)


def every_draw(x: np.ndarray, z: np.ndarray, measure: Any) -> np.ndarray:
    """The correlations over all ways to draw topics, each as likely as another."""
    topics = range(x.shape[1])
    draws = product(topics, repeat=len(topics))
    return np.array([textbook(x[:, draw], z[:, draw], *measure) for draw in map(list, draws)])


@pytest.mark.parametrize("coefficient", ["pearson", "kendall"])
def test_bootstrap_finds_the_shares_of_all_draws(coefficient: Any) -> None:
    a, b, z = tables(3, systems=6, topics=4)
    own, other = (every_draw(x, z, (coefficient, "system")) for x in (a, b))
    koehn = koehn_test(a, b, z, coefficient, resamples=4000)
    for count, share in (
        (koehn.wins, (own - other > 1e-12).mean()),
        (koehn.ties, (np.abs(own - other) <= 1e-12).mean()),
    ):
        assert abs(count / 4000 - share) <= 4 * sqrt(share * (1 - share) / 4000) + 1e-9
    found = bootstrap_interval(a, z, coefficient, "system", over="topics", resamples=4000)
    for bound, tail in ((found.lower, 0.025), (found.upper, 0.975)):
        below, upto = (own < bound - 1e-12).mean(), (own <= bound + 1e-12).mean()
        assert below - 0.01 <= tail <= upto + 0.01


def test_bounds_hold_the_truth_as_often_as_they_say() -> None:
    # 40 independent topics of one system each time: the global level is a plain correlation
    random = np.random.default_rng(0)
    truth, held, trials = 0.6, {"bootstrap": 0, "Fisher": 0}, 300
    for trial in range(trials):
        x = random.normal(size=(1, 40))
        y = truth * x + sqrt(1 - truth**2) * random.normal(size=(1, 40))
        drawn = bootstrap_interval(
            x, y, "pearson", "global", over="topics", resamples=400, seed=trial
        )
        held["bootstrap"] += drawn.lower <= truth <= drawn.upper
        lower, upper = fisher_interval(drawn.value, 40)
        held["Fisher"] += lower <= truth <= upper
    # 0.95 less what percentiles are known to lack at this size, within 3.5 standard errors
    assert 0.87 <= held["bootstrap"] / trials <= 0.99
    assert 0.90 <= held["Fisher"] / trials <= 0.99


def test_pvalues_are_uniform_where_metrics_do_not_differ() -> None:
    random = np.random.default_rng(1)
    pvalues = []
    for trial in range(200):
        z = random.random((10, 5))
        a, b = (z + 0.5 * random.random((10, 5)) for _ in range(2))
        found = permutation_test(a, b, z, "pearson", "system", resamples=99, seed=trial)
        pvalues.append(found.pvalue)
    assert scipy.stats.kstest(pvalues, "uniform").pvalue > 0.001


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_williams_is_the_formula_of_steiger(coefficient: Any) -> None:
    # Steiger 1980, equation 7, with the determinant of the matrix of correlations
    a, b, z = tables(7, systems=9, topics=5)
    means = [table.mean(axis=1) for table in (a, b, z)]
    r = np.eye(3)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        r[i, j] = r[j, i] = abs(SCIPY[coefficient](means[i], means[j]).statistic)
    n, mean = 9, (r[0, 2] + r[1, 2]) / 2
    t = (r[0, 2] - r[1, 2]) * sqrt(
        (n - 1)
        * (1 + r[0, 1])
        / (2 * (n - 1) / (n - 3) * np.linalg.det(r) + mean**2 * (1 - r[0, 1]) ** 3)
    )
    found = williams_test(a, b, z, coefficient)
    assert found.statistic == pytest.approx(t, abs=1e-9)
    assert found.pvalue == pytest.approx(2 * scipy.stats.t.sf(abs(t), n - 3), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_memory_does_not_grow_with_the_draws(level: Any) -> None:
    # a number is kept for each draw, or none; the draws themselves would be 60 numbers each
    a, b, z = tables(systems=30, topics=30)
    peaks = {}
    for resamples in (2000, 12000):
        tracemalloc.start()
        bootstrap_interval(a, z, "pearson", level, resamples=resamples)
        permutation_test(a, b, z, "pearson", level, resamples=2048 + resamples // 10)
        koehn_test(a, b, z, level=level, resamples=resamples)
        peaks[resamples] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peaks[12000] - peaks[2000] < 10000 * 8 * 6


@pytest.mark.parametrize("coefficient", SCIPY)
def test_memory_grows_with_the_cells_not_with_pairs_of_topics(coefficient: Any) -> None:
    random = np.random.default_rng(0)
    peaks = {}
    for topics in (1000, 4000):
        tables = random.random((2, 2, topics))
        tracemalloc.start()
        found = correlate(*tables, coefficient, "summary")
        peaks[topics] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found.topics == topics
    assert peaks[4000] < 6 * peaks[1000]


def test_the_seed_of_a_comparison_is_that_of_its_parts() -> None:
    a, b, z = tables()
    found = compare({"a": a, "b": b}, z, resamples=50, seed=None)
    again = compare({"a": a, "b": b}, z, resamples=50, seed=found.seed)
    assert np.array_equal(found.pvalues, again.pvalues, equal_nan=True)
    assert {interval.seed for interval in found.intervals} == {found.seed}
