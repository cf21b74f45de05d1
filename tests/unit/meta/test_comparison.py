"""Many metrics: corrections, letters, clusters, pairwise accuracy."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from summeval.meta import (
    bonferroni,
    clusters,
    compare,
    correlations,
    holm,
    letters,
    pairwise_accuracy,
    permutation_test,
    tie_calibrated_accuracy,
)

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")
pvalues = arrays(np.float64, st.integers(0, 8), elements=st.floats(0, 1))
tables = arrays(
    np.float64, st.tuples(st.integers(2, 5), st.integers(1, 4)), elements=st.integers(0, 6)
)


@st.composite
def differences(draw: Any) -> np.ndarray:
    size = draw(st.integers(0, 7))
    upper = np.triu(draw(arrays(np.bool_, (size, size))), 1)
    return upper | upper.T


@given(pvalues)
def test_holm_rejects_step_by_step(values: np.ndarray) -> None:
    corrected = holm(values)
    order = np.argsort(values)
    for level in (0.01, 0.05, 0.3):
        rejected = 0
        for place, index in enumerate(order):
            if values[index] * (len(values) - place) > level:
                break
            rejected += 1
        assert (corrected <= level).sum() == rejected
    assert (corrected <= bonferroni(values)).all()


@given(pvalues)
def test_a_test_that_was_not_made_does_not_count(values: np.ndarray) -> None:
    more = np.append(values, np.nan)
    for correct in (holm, bonferroni):
        assert np.array_equal(correct(more)[:-1], correct(values))
        assert np.isnan(correct(more)[-1])


@given(differences())
def test_metrics_share_a_letter_where_they_do_not_differ(different: np.ndarray) -> None:
    found = letters(different)
    assert all(found)
    for i, j in combinations(range(len(different)), 2):
        assert bool(set(found[i]) & set(found[j])) != bool(different[i, j])


@given(differences())
def test_a_cluster_differs_from_all_below_it(different: np.ndarray) -> None:
    found = np.array(clusters(different))
    for i, j in combinations(range(len(found)), 2):
        assert found[j] - found[i] >= 0
        assert found[i] == found[j] or different[i, j]
    for line in range(1, len(found)):
        parted = different[:line, line:].all()
        assert (found[line] > found[line - 1]) == parted


def test_tables_that_are_not_symmetric_are_refused() -> None:
    for call in (letters, clusters):
        with pytest.raises(ValueError, match="square and symmetric"):
            call([[False, True], [False, False]])
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([1.5])


def judged() -> tuple[dict[str, np.ndarray], np.ndarray]:
    random = np.random.default_rng(2)
    human = random.random((14, 1)) + 0.2 * random.random((14, 10))
    noise = random.random((3, 14, 10))
    metrics = {"noise": noise[0], "good": human + 0.1 * noise[1], "fair": human + 0.5 * noise[2]}
    return metrics, human


@pytest.mark.parametrize("test", ["permutation", "williams"])
def test_comparison_ranks_and_parts(test: Any) -> None:
    metrics, human = judged()
    found = compare(metrics, human, level="system", test=test, resamples=199)
    assert found.names == ("good", "fair", "noise")
    assert found.clusters[-1] > found.clusters[0]
    values = [interval.value for interval in found.intervals]
    assert values == sorted(values, reverse=True)
    assert np.array_equal(found.pvalues, found.pvalues.T, equal_nan=True)
    assert found.different[0, 2]


def test_comparison_makes_the_tests_of_each_pair() -> None:
    metrics, human = judged()
    found = compare(metrics, human, "kendall", resamples=99, seed=4, correction="none")
    own = permutation_test(
        metrics["good"], metrics["noise"], human, "kendall", resamples=99, seed=4
    )
    assert found.pvalues[0, 2] == found.corrected[2, 0] == own.pvalue


def test_comparison_takes_the_cells_that_all_have() -> None:
    metrics, human = judged()
    metrics["fair"][0, :3] = np.nan
    human[1, 0] = np.nan
    found = compare(metrics, human, resamples=20)
    assert found.lacking == {"fair": 3, "human": 1}
    assert {correlation.cells for correlation in found.correlations} == {136}


def test_a_constant_metric_is_last_and_differs_from_none() -> None:
    metrics, human = judged()
    found = compare({"flat": np.ones((14, 10)), **metrics}, human, resamples=20)
    assert found.names[-1] == "flat"
    assert not found.different[-1].any()


@given(tables)
def test_agreement_with_oneself_is_complete(table: np.ndarray) -> None:
    assert pairwise_accuracy(table, table) == 1.0
    assert tie_calibrated_accuracy(table, table).value == pytest.approx(1.0)


@given(tables, st.data())
def test_calibrated_accuracy_is_the_best_of_all_thresholds(human: np.ndarray, data: Any) -> None:
    metric = data.draw(arrays(np.float64, human.shape, elements=st.integers(0, 6)))
    found = tie_calibrated_accuracy(metric, human)

    def at(threshold: float) -> float:
        means = []
        for own, people in zip(metric.T, human.T, strict=True):
            right = [
                (abs(a - b) <= threshold)
                if c == d
                else abs(a - b) > threshold and (a > b) == (c > d)
                for (a, c), (b, d) in combinations(zip(own, people, strict=True), 2)
            ]
            means.append(np.mean(right))
        return float(np.mean(means))

    accuracies = [at(threshold) for threshold in range(7)]
    assert found.value == pytest.approx(max(accuracies))
    assert accuracies[int(found.threshold)] == pytest.approx(max(accuracies))


@given(tables, st.data())
def test_pairs_are_compared_in_any_portions(human: np.ndarray, data: Any) -> None:
    metric = data.draw(arrays(np.float64, human.shape, elements=st.integers(0, 6)))
    own, people = metric.mean(axis=1), human.mean(axis=1)
    pairs = list(combinations(range(len(human)), 2))
    order = [np.sign(own[i] - own[j]) == np.sign(people[i] - people[j]) for i, j in pairs]
    for most in (1, 7, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(correlations, "_MOST_PAIRS", most)
            assert pairwise_accuracy(metric, human) == np.mean(order)


def test_no_pair_has_no_accuracy() -> None:
    assert np.isnan(pairwise_accuracy([[1, 2]], [[1, 2]]))
    assert np.isnan(tie_calibrated_accuracy([[1, 2]], [[1, 2]]).value)
