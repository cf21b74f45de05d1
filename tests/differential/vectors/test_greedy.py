"""Greedy matching of token vectors: the kernel is the textbook, whatever the blocks and workers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from definitions.vectors.greedy import greedy as twin
from hypothesis import given
from hypothesis import strategies as st

from summeval._core.vectors.greedy import greedy

# Sizes around the blocks of the kernel: 4 tokens by 2, 4 numbers at a time.
SIZES = st.integers(0, 9)
LENGTHS = st.lists(st.integers(0, 9), min_size=2, max_size=5)


class Texts:
    """Texts of random vectors."""

    def __init__(self, lengths: list[int], size: int, seed: int, grades: bool = False) -> None:
        draw = np.random.default_rng(seed)
        tokens = sum(lengths)
        self.starts = np.cumsum([0, *lengths])
        vectors = (
            draw.integers(-2, 3, (tokens, size)) if grades else draw.normal(size=(tokens, size))
        )
        self.vectors = (vectors * 10.0 ** draw.integers(-3, 4, (tokens, 1))).astype(np.float32)
        self.weights = draw.choice([0.0, 0.5, 1.0, 3.0], tokens)

    def text(self, number: int) -> tuple[list[list[float]], list[float]]:
        part = slice(self.starts[number], self.starts[number + 1])
        return self.vectors[part].tolist(), self.weights[part].tolist()

    def match(self, left: Any, right: Any, workers: int = 1) -> Any:
        pairs = np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)
        return greedy(self.vectors, self.weights, self.starts, *pairs, workers)


@given(LENGTHS, SIZES, st.integers(0, 2**32), st.booleans(), st.sampled_from([1, 3]))
def test_kernel_equals_twin(
    lengths: list[int], size: int, seed: int, grades: bool, workers: int
) -> None:
    texts = Texts(lengths, size, seed, grades)
    pairs = [(a, b) for a in range(len(lengths)) for b in range(len(lengths))]
    found = texts.match(*zip(*pairs, strict=True), workers)
    wanted = [twin(*texts.text(a), *texts.text(b)) for a, b in pairs]
    # The greatest cosine is looked for in float32.
    np.testing.assert_allclose(found.T, wanted, rtol=0, atol=1e-6)


@given(LENGTHS, st.integers(1, 9), st.integers(0, 2**32))
def test_laws(lengths: list[int], size: int, seed: int) -> None:
    texts = Texts(lengths, size, seed)
    everyone = list(range(len(lengths)))
    same = texts.match(everyone, everyone)
    for number, (precision, recall) in enumerate(same.T):
        weights = texts.text(number)[1]
        if sum(weights):
            assert precision == recall == pytest.approx(1.0, abs=1e-15 * 4)
        else:
            assert math.isnan(precision)
            assert math.isnan(recall)
    pairs = [(a, b) for a in everyone for b in everyone]
    left, right = zip(*pairs, strict=True)
    found, swapped = texts.match(left, right), texts.match(right, left)
    np.testing.assert_allclose(found, swapped[::-1], rtol=0, atol=1e-6)
    assert np.nanmax(np.abs(found), initial=0.0) <= 1.0
    scaled = Texts(lengths, size, seed)
    scaled.vectors *= np.float32(4)  # exact: the length of vectors does not matter
    np.testing.assert_array_equal(scaled.match(left, right), found)


def test_workers_and_order_change_no_bit() -> None:
    texts = Texts([7] * 40, 33, seed=5)
    left, right = np.divmod(np.arange(1600), 40)
    wanted = texts.match(left, right)
    for workers in (2, 3, 16):
        np.testing.assert_array_equal(texts.match(left, right, workers), wanted)
    order = np.random.default_rng(1).permutation(1600)
    np.testing.assert_array_equal(texts.match(left[order], right[order]), wanted[:, order])


def test_zero_vectors_are_like_nothing() -> None:
    vectors = np.array([[0, 0], [1, 0], [0, 1]], dtype=np.float32)
    found = greedy(vectors, np.ones(3), np.array([0, 1, 3]), np.array([0]), np.array([1]))
    assert found.tolist() == [[0.0], [0.0]]


def test_no_pairs_and_no_tokens() -> None:
    none = np.zeros(0, dtype=np.int64)
    vectors = np.zeros((0, 3), dtype=np.float32)
    assert greedy(vectors, np.zeros(0), np.array([0]), none, none).shape == (2, 0)
    found = greedy(vectors, np.zeros(0), np.array([0, 0]), np.array([0]), np.array([0]))
    assert np.isnan(found).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"starts": [0, 2]}, "the starts do not go from 0"),
        ({"starts": [1, 3]}, "the starts do not go from 0"),
        ({"starts": [0, 5, 3]}, "text 1 ends before it starts"),
        ({"weights": [1.0]}, "3 vectors but 1 weights"),
        ({"references": [0, 0]}, "1 candidates but 2 references"),
        ({"candidates": [2]}, "pair 0 names a text"),
        ({"references": [-1]}, "pair 0 names a text"),
    ],
)
def test_arrays_that_do_not_fit(change: dict[str, Any], message: str) -> None:
    given_: dict[str, Any] = {
        "weights": [1.0] * 3,
        "starts": [0, 1, 3],
        "candidates": [0],
        "references": [1],
    } | change
    kinds = {"weights": np.float64}
    arrays = {key: np.array(value, kinds.get(key, np.int64)) for key, value in given_.items()}
    with pytest.raises(ValueError, match=message):
        greedy(np.ones((3, 2), dtype=np.float32), **arrays)
