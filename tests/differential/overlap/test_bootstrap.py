"""The bootstrap kernel makes the same draws as Perl's rand, for any number of workers."""

import doctest

import numpy as np
import pytest
from definitions import rouge as twin
from every import every
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import summeval
from summeval._core.overlap import bootstrap as kernel
from summeval.metrics.rouge import measures as bootstrap

tables = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=12),
    elements=st.floats(-1e6, 1e6, allow_subnormal=False),
)


def test_examples_of_the_docstrings() -> None:
    assert doctest.testmod(twin).failed == 0
    assert doctest.testmod(bootstrap).failed == 0


def test_first_numbers_of_drand48() -> None:
    # printed by perl 5.36: perl -e 'srand(42); printf "%.15f\n", rand for 1..3'
    numbers = twin.drand48(42)
    assert [f"{next(numbers):.15f}" for _ in range(3)] == [
        "0.744525000061007",
        "0.342701478718908",
        "0.111085282444161",
    ]


@given(tables, st.integers(0, 20), st.integers(1, 4))
def test_kernel_equals_twin_to_the_bit(values: np.ndarray, samples: int, workers: int) -> None:
    found = kernel.resample_sums(values, samples, workers)
    assert found.shape == (samples, values.shape[1])
    assert found.tolist() == twin.resample_sums(values.tolist(), samples)


def test_columns_share_the_draw() -> None:
    values = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]])
    sums = kernel.resample_sums(values, 100)
    assert np.array_equal(sums[:, 0] * 10, sums[:, 1])


@given(st.floats(0, 1), st.integers(1, 40))
def test_one_instance_is_its_own_average(value: float, resamples: int) -> None:
    found = bootstrap.bootstrap_means(np.array([[value]]), resamples=resamples)
    assert found.average[0] == pytest.approx(value, abs=1e-12)


def test_one_sample_puts_its_bounds_beyond_the_mean() -> None:
    found = bootstrap.bootstrap_means(np.array([[0.4]]), resamples=1)
    assert found.lower[0] == found.upper[0] == pytest.approx(1.025 * 0.4)


@given(tables, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_bounds_enclose_most_samples(values: np.ndarray, confidence: float) -> None:
    found = bootstrap.bootstrap_means(values, resamples=200, confidence=confidence)
    means = kernel.resample_sums(values, 200) / len(values)
    inside = (means >= found.lower - 1e-6) & (means <= found.upper + 1e-6)
    assert np.all(inside.mean(axis=0) >= confidence - 0.015)


def test_a_table_bootstraps_its_columns() -> None:
    table = summeval.score_batch(["a b", "a", None], ["a b", "a c", "x"], ["rouge1"])
    found = table.bootstrap(resamples=50)
    recall = bootstrap.bootstrap_means(np.array([[1.0], [0.5]]), resamples=50)
    assert found["rouge1.recall"] == tuple(float(bound[0]) for bound in recall)


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (np.zeros((0, 2)), {}, "at least one instance"),
        (np.zeros(3), {}, "at least one instance"),
        (np.zeros((1, 1)), {"resamples": 0}, "resamples must be 1 or more, not 0"),
        (
            np.zeros((1, 1)),
            {"confidence": 95},
            "confidence is 95; give a share from 0 to 1",
        ),
        (np.zeros((1, 1)), {"confidence": -0.1}, "give a share from 0 to 1"),
    ],
)
def test_what_cannot_be_resampled_is_refused(
    values: np.ndarray, options: dict[str, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap.bootstrap_means(values, **options)


@every("percent", range(101))
def test_a_share_is_the_per_cent_that_the_script_takes(percent: int) -> None:
    values = np.array([[0.2], [0.4], [0.9]])
    found = bootstrap.bootstrap_means(values, resamples=200, confidence=percent / 100)
    script = bootstrap.summarise(bootstrap.resampled_means(values, 200), float(percent))
    assert [part.tolist() for part in found] == [part.tolist() for part in script]
