"""Resampled sums, as the averages and intervals of ROUGE-1.5.5 need them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from summeval._core.overlap import bootstrap


@pytest.mark.parametrize("workers", [1, 2])
def test_resample_sums(benchmark: Any, workers: int) -> None:
    values = np.random.default_rng(0).random((500, 9))
    sums = benchmark(bootstrap.resample_sums, values, 1000, workers)
    assert sums.shape == (1000, 9)
