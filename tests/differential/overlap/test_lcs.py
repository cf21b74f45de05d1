"""The longest common subsequence of long texts: blocks of 256 tokens, linked by carries."""

from __future__ import annotations

import numpy as np
import pytest
from every import every
from numpy.typing import NDArray

from summeval._core.overlap.rouge import counts
from summeval._core.text.analyzer import Analyzer
from summeval.metrics.rouge.measures import parse

# Where a word of 64 bits ends, a block of 256 tokens, two of them, and far behind the eighth.
LENGTHS = [63, 64, 65, 128, 255, 256, 257, 511, 512, 513, 1024, 1025, 1536, 2100]


def textbook(reference: NDArray[np.int64], candidate: NDArray[np.int64]) -> int:
    """The last cell of the table, row by row: a match adds 1 to the cell before it."""
    row = np.zeros(len(reference) + 1, dtype=np.int64)
    for token in candidate:
        row[1:] = np.maximum(row[1:], row[:-1] + (reference == token))
        row = np.maximum.accumulate(row)
    return int(row[-1])


def kernel(reference: NDArray[np.int64], candidate: NDArray[np.int64]) -> int:
    texts = [" ".join(f"w{token}" for token in side) for side in (candidate, reference)]
    _, found = counts(Analyzer(), [parse("rougeL")], texts[:1], [texts[1:]])
    return int(found[0][0][0])


def test_the_textbook_finds_known_lengths() -> None:
    sides = np.array([0, 1, 2, 1, 3, 0, 1]), np.array([1, 3, 2, 0, 1, 0])
    assert textbook(*sides) == 4


@every("length", LENGTHS)
@every("types", [2, 30, 2000])
def test_random_texts_of_any_length(length: int, types: int) -> None:
    rng = np.random.default_rng(length)
    for other in (length, length // 3, 2 * length + 1):
        sides = rng.integers(0, types, length), rng.integers(0, types, other)
        assert kernel(*sides) == textbook(*sides)
        assert kernel(*sides[::-1]) == textbook(*sides)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_carry_across_each_boundary(length: int) -> None:
    same = np.zeros(length, dtype=np.int64)
    for other in (1, 63, 64, 65, 256, 257, 512, 513, 1025, 3000):
        assert kernel(same, np.zeros(other, dtype=np.int64)) == min(length, other)
    # In the opposite order, but for one token on each side of each boundary. (The kernel leaves out
    # tokens that one side lacks.)
    reference = np.arange(10, 10 + length)
    turned = reference[::-1]
    assert kernel(reference, turned) == 1
    for boundary in range(64, length, 64):
        here, kept = length - 1 - boundary, turned.copy()
        kept[here : here + 2] = reference[boundary - 1 : boundary + 1]
        assert kernel(reference, kept) == 2


def test_one_text_leaves_nothing_behind_for_the_next() -> None:
    rng = np.random.default_rng(5)
    texts = [rng.integers(0, 5, length) for length in (2100, 700, 1025, 64, 600, 2000, 513)]
    written = [" ".join(f"w{token}" for token in text) for text in texts]
    expected = [textbook(other, text) for text in texts for other in texts]
    _, found = counts(Analyzer(), [parse("rougeL")], written, [written] * len(written))
    assert found[:, 0, 0].tolist() == expected
