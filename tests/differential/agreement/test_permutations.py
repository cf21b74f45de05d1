"""Tests of all pairs of metrics from shared draws give what single tests and the textbook give."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from definitions import resampling as twin
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from summeval._core.agreement import resampling as kernel
from summeval.meta import compare, permutation_test, permutation_tests, significance
from summeval.meta.arrays import COEFFICIENTS, LEVELS
from summeval.meta.resampling import swaps

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")
MEASURES = [(coefficient, level) for coefficient in COEFFICIENTS for level in LEVELS]
OVERS = ("both", "systems", "topics")
PAIRS = np.array(list(combinations(range(3), 2)), dtype=np.int64)


def scored(seed: int, systems: int, topics: int, grades: int = 0, share: float = 0.0) -> Any:
    """Three metrics and people; `grades` make ties, `share` of the cells are missing."""
    random = np.random.default_rng(seed)
    tables = random.random((4, systems, topics)) + random.random((systems, 1))
    tables = np.round(tables * grades) if grades else tables
    tables[:, random.random((systems, topics)) < share] = np.nan
    return np.ascontiguousarray(tables)


@every("measure", MEASURES, ids="-".join)
@every(
    ("systems", "topics", "grades", "share"),
    [
        (5, 4, 0, 0.0),
        (9, 3, 2, 0.0),
        (17, 3, 1, 0.2),
        (8, 1, 3, 0.1),
        (70, 2, 9, 0.1),
        (1, 3, 0, 0),
    ],
)
def test_a_pair_is_as_if_alone(
    measure: Any, systems: int, topics: int, grades: int, share: float
) -> None:
    *metrics, human = scored(systems, systems, topics, grades, share)
    stacked = np.ascontiguousarray(metrics)
    coefficient, level = measure
    for over in OVERS:
        rows, columns = next(swaps(human.shape, over, 21, 0))
        found = kernel.permuted_pairs(stacked, human, PAIRS, rows, columns, level, coefficient)
        alone = [
            kernel.permuted(stacked[i], stacked[j], human, rows, columns, level, coefficient)
            for i, j in PAIRS
        ]
        np.testing.assert_allclose(found, alone, rtol=0, atol=1e-12)
        if measure == ("spearman", "summary"):
            np.testing.assert_array_equal(found, alone)


# Eighths: their sums are exact, so that means tie in the kernel where they tie in the twin.
values = st.integers(-6, 6).map(lambda n: n / 8) | st.just(float("nan"))
shapes = st.tuples(st.integers(1, 10), st.integers(1, 3))


@settings(deadline=None)
@given(st.data(), shapes, st.sampled_from(MEASURES))
def test_pairs_are_those_of_the_textbook(data: Any, shape: Any, measure: Any) -> None:
    tables = np.array([data.draw(arrays(np.float64, shape, elements=values)) for _ in range(4)])
    tables[:, np.isnan(tables).any(axis=0)] = np.nan
    *metrics, human = tables
    rows = data.draw(arrays(np.uint8, (3, shape[0]), elements=st.integers(0, 1)))
    columns = data.draw(arrays(np.uint8, (3, shape[1]), elements=st.integers(0, 1)))
    coefficient, level = measure
    found = kernel.permuted_pairs(
        np.ascontiguousarray(metrics), human, PAIRS, rows, columns, level, coefficient
    )
    for (i, j), sample in zip(PAIRS, found, strict=True):
        for row, column, value in zip(rows, columns, sample, strict=True):
            wanted = twin.permuted(
                *(table.tolist() for table in (metrics[i], metrics[j], human)),
                row.tolist(),
                column.tolist(),
                level,
                coefficient,
            )
            assert value == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@every("alternative", ["two-sided", "greater", "less"])
@every("over", OVERS)
@every("measure", MEASURES[:6], ids="-".join)
def test_all_pairs_have_the_p_values_of_single_tests(
    measure: Any, over: Any, alternative: Any
) -> None:
    *metrics, human = scored(3, 8, 5, grades=6)
    named = dict(zip("abc", metrics, strict=True))
    options = {"over": over, "alternative": alternative, "resamples": 120, "seed": 5}
    found = permutation_tests(named, human, *measure, **options)
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    for names in permutations(named, 2):
        alone = permutation_test(named[names[0]], named[names[1]], human, *measure, **options)
        assert found[names].pvalue == alone.pvalue
        assert (found[names].count, found[names].undefined) == (alone.count, alone.undefined)
        assert found[names].difference == pytest.approx(alone.difference, abs=1e-12)


def test_blocks_of_pairs_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    *metrics, human = scored(1, 9, 4)
    named = dict(zip("abc", metrics, strict=True))
    whole = permutation_tests(named, human, resamples=30)
    monkeypatch.setattr(significance, "_MOST_NUMBERS", 31)  # a pair at a time
    np.testing.assert_array_equal(
        permutation_tests(named, human, resamples=30).counts, whole.counts
    )


def test_compare_has_the_same_p_values() -> None:
    *metrics, human = scored(2, 8, 6)
    named = dict(zip("abc", metrics, strict=True))
    found = permutation_tests(named, human, resamples=99)
    compared = compare(named, human, resamples=99)
    for i, j in permutations(range(3), 2):
        names = compared.names[i], compared.names[j]
        assert compared.pvalues[i, j] == found[names].pvalue


def test_a_constant_metric_has_no_p_value() -> None:
    *metrics, human = scored(4, 8, 3)
    named = {"a": metrics[0], "flat": np.zeros_like(human), "c": metrics[2]}
    found = permutation_tests(named, human, resamples=50)
    assert np.isnan(found["a", "flat"].pvalue)
    assert (
        found["a", "c"].pvalue
        == permutation_test(metrics[0], metrics[2], human, resamples=50).pvalue
    )


def test_falling_metrics_are_negated() -> None:
    *metrics, human = scored(4, 8, 3)
    named = dict(zip(("a", "b", "simetrix.smoothedJSD"), metrics, strict=True))
    found = permutation_tests(named, human, resamples=9)
    given = {"a": True, "b": True, "simetrix.smoothedJSD": False}
    told = permutation_tests(named, human, resamples=9, higher_is_better=given)
    np.testing.assert_array_equal(found.differences, told.differences)
    raw = permutation_tests(named, human, resamples=9, higher_is_better=True)
    assert raw.differences[0, 2] != found.differences[0, 2]


def test_wrong_input_is_named() -> None:
    *metrics, human = scored(4, 8, 3)
    with pytest.raises(ValueError, match="give two or more"):
        permutation_tests({"a": metrics[0]}, human)
    with pytest.raises(TypeError, match="dict of names"):
        permutation_tests(metrics, human)
    found = permutation_tests({"a": metrics[0], "b": metrics[1]}, human, resamples=9)
    for wrong in (("a", "a"), ("a", "z"), "a"):
        with pytest.raises(KeyError, match="is not a pair of a, b"):
            found[wrong]
