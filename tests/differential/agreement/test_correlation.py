"""Correlations equal SciPy's, those of the cases, and the textbook's for any draw."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.stats
from definitions import resampling as twin
from every import every
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from shared import CASE_FILES

from summeval._core.agreement import resampling as kernel
from summeval.meta import correlate, correlation, fisher_interval
from summeval.meta.arrays import COEFFICIENTS, LEVELS, DesignWarning

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")
CASES = json.loads((CASE_FILES / "meta.json").read_text())
# What SacreROUGE calls the levels.
NAMES = {"summary": "summary", "system": "system", "global": "glob"}
SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}
# Eighths: their sums are exact, so that means tie in the kernel where they tie in the twin.
scores = st.integers(-16, 16).map(lambda n: n / 8) | st.just(float("nan"))
coefficients = st.sampled_from(COEFFICIENTS)
levels = st.sampled_from(LEVELS)


@st.composite
def designs(draw: Any, count: int = 2) -> list[np.ndarray]:
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 5)))
    return [draw(arrays(np.float64, shape, elements=scores)) for _ in range(count)]


@every("case", CASES["cases"], ids=lambda case: case["id"])
@every("coefficient", COEFFICIENTS)
@every("level", LEVELS)
def test_numbers_of_sacrerouge(case: Any, coefficient: Any, level: Any) -> None:
    wanted = case["expected"][coefficient][NAMES[level]]
    value, used = wanted if isinstance(wanted, list) else (wanted, None)
    tables = case["input"]["X_system_rows_topic_cols"], case["input"]["Y"]
    found = correlate(*tables, coefficient, level)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert used is None or found.topics - len(found.skipped) == used


@given(arrays(np.float64, st.tuples(st.just(2), st.integers(2, 40)), elements=st.floats(-1e6, 1e6)))
def test_one_vector_is_as_scipy_has_it(vectors: np.ndarray) -> None:
    # SciPy itself warns of vectors that are all but constant: there it is not exact.
    assume(all(np.ptp(v) > 1e-6 * (1e-6 + np.abs(v).max()) for v in vectors))
    for coefficient in COEFFICIENTS:
        wanted = SCIPY[coefficient](*vectors).statistic
        assert correlation(*vectors, coefficient) == pytest.approx(wanted, abs=1e-12)


@given(designs(), coefficients, levels, st.data())
def test_kernel_equals_twin_for_any_draw(
    tables: list[np.ndarray], coefficient: str, level: str, data: Any
) -> None:
    x, y = tables
    counts = [
        data.draw(arrays(np.int64, (2, size), elements=st.integers(0, 3))) for size in x.shape
    ]
    found = kernel.resampled(x, y, *counts, level, coefficient)
    masked = [np.where(np.isnan(x + y), np.nan, table).tolist() for table in tables]
    wanted = [
        twin.resampled(*masked, systems, topics, level, coefficient)
        for systems, topics in zip(*(c.tolist() for c in counts), strict=True)
    ]
    masked_found = kernel.resampled(*map(np.array, masked), *counts, level, coefficient)
    assert masked_found.tolist() == pytest.approx(wanted, abs=1e-9, nan_ok=True)
    assert level == "system" or np.array_equal(found, masked_found, equal_nan=True)


@given(designs(), coefficients, st.data())
def test_systems_given_once_hold_for_every_draw(
    tables: list[np.ndarray], coefficient: str, data: Any
) -> None:
    systems, topics = tables[0].shape
    u = data.draw(arrays(np.int64, (1, systems), elements=st.integers(0, 3)))
    v = data.draw(arrays(np.int64, (4, topics), elements=st.integers(0, 3)))
    for level in LEVELS:
        once = kernel.resampled(*tables, u, v, level, coefficient)
        each = kernel.resampled(*tables, np.repeat(u, 4, axis=0), v, level, coefficient)
        assert np.array_equal(once, each, equal_nan=True)
    alone = np.ones_like(u), np.eye(topics, dtype=np.int64)
    of_topics = kernel.resampled(*tables, *alone, "summary", coefficient)
    assert np.array_equal(kernel.by_topic(*tables, coefficient), of_topics, equal_nan=True)


@given(designs(3), coefficients, levels, st.data())
def test_swaps_of_the_kernel_equal_those_of_the_twin(
    tables: list[np.ndarray], coefficient: str, level: str, data: Any
) -> None:
    missing = np.isnan(sum(tables))
    x, y, z = (np.where(missing, np.nan, table) for table in tables)
    rows, columns = (
        data.draw(arrays(np.uint8, (2, size), elements=st.integers(0, 1))) for size in x.shape
    )
    found = kernel.permuted(x, y, z, rows, columns, level, coefficient)
    wanted = [
        twin.permuted(x.tolist(), y.tolist(), z.tolist(), *coins, level, coefficient)
        for coins in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    assert found.tolist() == pytest.approx(wanted, abs=1e-9, nan_ok=True)


@given(designs(1), coefficients, levels)
def test_a_metric_agrees_with_itself(
    tables: list[np.ndarray], coefficient: Any, level: Any
) -> None:
    value = correlate(tables[0], tables[0], coefficient, level).value
    assert np.isnan(value) or value == pytest.approx(1.0, abs=1e-12)


@given(designs(), coefficients, levels)
def test_order_of_systems_and_topics_changes_nothing(
    tables: list[np.ndarray], coefficient: Any, level: Any
) -> None:
    turned = [table[::-1, ::-1] for table in tables]
    one, other = (correlate(*found, coefficient, level).value for found in (tables, turned))
    assert one == pytest.approx(other, abs=1e-12, nan_ok=True)


@pytest.mark.filterwarnings("ignore:.*topics skipped")
def test_a_constant_metric_has_no_correlation_and_says_so() -> None:
    human = np.arange(12.0).reshape(4, 3)
    for level in LEVELS:
        with pytest.warns(DesignWarning, match="undefined"):
            value = correlation(np.full((4, 3), 0.1), human, "pearson", level=level)
        assert np.isnan(value)


def test_a_constant_metric_with_missing_cells_has_means_that_differ_by_rounding_only() -> None:
    metric = np.full((4, 7), 0.1)
    metric[0, 3:] = metric[1, 6] = np.nan
    human = np.where(np.isnan(metric), np.nan, np.arange(28.0).reshape(4, 7))
    assert len({float(np.nanmean(row)) for row in metric}) > 1
    assert np.isnan(correlate(metric, human, "spearman", "system").value)


def test_what_is_left_out_is_counted() -> None:
    metric = [[1, 2, None, 4], [2, 3, 1, 4], [3, 5, None, 4], [4, 4, None, 4]]
    human = [[1, None, 2, 1], [2, 3, 3, 2], [3, 4, 4, 3], [4, 5, 5, 4]]
    found = correlate(metric, human)
    assert (found.systems, found.topics, found.cells) == (4, 4, 12)
    assert (found.metric_lacks, found.human_lacks, found.empty) == (3, 1, 0)
    assert found.skipped == (2, 3)
    assert found.notes == [
        "3 cells left out: only the metric has no value there",
        "1 cell left out: only the human has no value there",
        "2 of 4 topics skipped (a constant column or fewer than two systems): 2, 3",
    ]


@pytest.mark.parametrize(
    ("metric", "human", "options", "message"),
    [
        ([[1, 2]], [[1, 2], [3, 4]], {}, r"human has the shape \(2, 2\), but metric has \(1, 2\)"),
        ([[1, 2], [3]], [[1, 2]], {}, "metric must be numbers"),
        ([["a", 2]], [[1, 2]], {}, "metric must be numbers"),
        ([], [], {}, r"metric has the shape \(0,\)"),
        ([[1, float("inf")]], [[1, 2]], {}, r"metric\[0, 1\] is infinite \(1 such cells\)"),
        ([1, 2], [1, 2], {"coefficient": "tau"}, "choose from 'pearson'"),
        ([1, 2], [1, 2], {"level": "input"}, "choose from 'summary'"),
    ],
)
def test_what_cannot_be_correlated_is_refused(
    metric: Any, human: Any, options: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        correlation(metric, human, **options)


def test_fisher_bounds_of_the_formula() -> None:
    # z +- 1.959964 c/sqrt(n - b), by hand: specification of meta-evaluation
    z = np.arctanh(0.6)
    reach = 1.959963984540054 / np.sqrt(27)
    assert fisher_interval(0.6, 30) == pytest.approx((np.tanh(z - reach), np.tanh(z + reach)))
    wider = reach * np.sqrt(1 + 0.18)
    bounds = fisher_interval(0.6, 30, "spearman")
    assert bounds == pytest.approx((np.tanh(z - wider), np.tanh(z + wider)))
    other = 1.959963984540054 * np.sqrt(0.437 / 26)
    bounds = fisher_interval(0.6, 30, "kendall")
    assert bounds == pytest.approx((np.tanh(z - other), np.tanh(z + other)))


def test_fisher_has_no_bounds_for_too_few() -> None:
    assert np.isnan(fisher_interval(0.5, 3)).all()
    assert np.isnan(fisher_interval(0.5, 4, "kendall")).all()
    with pytest.raises(ValueError, match="between -1 and 1"):
        fisher_interval(1.5, 10)
