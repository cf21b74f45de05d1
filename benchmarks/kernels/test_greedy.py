"""Greedy matching of token vectors: pairs of the size of summaries, and long ones."""

from typing import Any

import numpy as np
import pytest

from summeval._core.vectors.greedy import greedy


@pytest.mark.parametrize(
    ("tokens", "size", "pairs"), [(64, 384, 64), (64, 1024, 64), (512, 768, 2)]
)
def test_pairs(benchmark: Any, tokens: int, size: int, pairs: int) -> None:
    draw = np.random.default_rng(1)
    vectors = draw.normal(size=(2 * tokens, size)).astype(np.float32)
    starts, left = np.array([0, tokens, 2 * tokens]), np.zeros(pairs, dtype=np.int64)
    found = benchmark(greedy, vectors, np.ones(2 * tokens), starts, left, left + 1)
    assert np.isfinite(found).all()
