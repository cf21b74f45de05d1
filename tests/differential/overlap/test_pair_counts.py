"""ROUGE-S* and ROUGE-SU* of long texts: tiles of the table, and counts that 16 bits do not hold."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from every import every
from numpy.typing import NDArray

from summeval._core.overlap.rouge import counts
from summeval._core.text.analyzer import Analyzer
from summeval.metrics.rouge.measures import parse

Ids = NDArray[np.int64]


def textbook(reference: Ids, candidate: Ids) -> int:
    """Every pair of both texts by itself; each kind counts with the smaller of its two counts."""
    width = int(max(reference.max(), candidate.max())) + 1
    kinds, found = [], []
    for ids in (reference, candidate):
        earlier, later = np.triu_indices(len(ids), 1)
        kind, count = np.unique(ids[earlier] * width + ids[later], return_counts=True)
        kinds.append(kind)
        found.append(count)
    _, left, right = np.intersect1d(*kinds, assume_unique=True, return_indices=True)
    return int(np.minimum(found[0][left], found[1][right]).sum())


def kernel(reference: Ids, candidate: Ids) -> int:
    texts = [" ".join(f"w{token}" for token in side) for side in (candidate, reference)]
    _, found = counts(Analyzer(), [parse("rougeS*")], texts[:1], [texts[1:]])
    return int(found[0][0][0])


def test_the_textbook_counts_known_pairs() -> None:
    # pairs of 0 1 0: 01, 00, 10; of 0 0 1: 00, 01 twice
    assert textbook(np.array([0, 1, 0]), np.array([0, 0, 1])) == 2


@every("types", [1, 2, 15, 16, 17, 63, 64, 65, 255, 256, 257, 500])
@every("length", [1, 2, 16, 17, 65, 600])
def test_any_number_of_types(types: int, length: int) -> None:
    rng = np.random.default_rng(types)
    for other in (length, 2 * length + 1):
        sides = rng.integers(0, types, length), rng.integers(0, types + 3, other)
        assert kernel(*sides) == textbook(*sides)
        assert kernel(*sides[::-1]) == textbook(*sides)


def test_tables_of_several_tiles() -> None:
    """More rows than one tile has, in other orders."""
    rng = np.random.default_rng(1)
    for types in (257, 1100, 1600):
        sides = rng.permutation(types), rng.permutation(types)
        assert kernel(*sides) == textbook(*sides)
        assert kernel(sides[0], sides[0]) == comb(types, 2)
        assert kernel(sides[0], sides[0][::-1]) == 0


# Counts of a pair around 2^16 in one text or in both: 255 * 257 = 65535, 256 * 256 = 65536.
BLOCKS = [(255, 257), (256, 256), (257, 255), (257, 256), (1, 65000), (65000, 1), (300, 300)]


@every("mine", BLOCKS)
@every("other", BLOCKS)
def test_counts_around_sixteen_bits(mine: tuple[int, int], other: tuple[int, int]) -> None:
    a, b = (np.repeat([0, 1], block) for block in (mine, other))
    pairs = mine[0] * mine[1], other[0] * other[1]
    same = [min(comb(mine[k], 2), comb(other[k], 2)) for k in (0, 1)]
    assert kernel(a, b) == min(pairs) + sum(same)


@pytest.mark.parametrize("length", [363, 65535, 65536])
def test_one_type_of_as_many_tokens_as_are_taken(length: int) -> None:
    tokens = np.zeros(length, dtype=np.int64)
    assert kernel(tokens, tokens) == comb(length, 2)
    assert kernel(tokens, tokens[:362]) == comb(362, 2)  # 65,341
    assert kernel(tokens, tokens[:363]) == comb(363, 2)  # 65,703


def test_some_tiles_of_sixteen_and_some_of_thirty_two_bits() -> None:
    """The frequent types come first, so the tables of the others need no more than 16 bits."""
    rng = np.random.default_rng(2)
    rare = rng.permutation(np.repeat(np.arange(2, 700), 2))
    sides = [np.concatenate([np.repeat([0, 1], 300), rng.permutation(rare)]) for _ in range(2)]
    assert kernel(sides[0], sides[1]) == textbook(sides[0], sides[1])


def test_measures_of_one_call_share_pairs_but_not_with_other_references() -> None:
    names = ["rougeS*", "rougeS2", "rougeSU*"]
    texts = ["a b c a b", "b a c c", "x y", "a b c a b", ""]
    measures = [parse(name) for name in names]
    _, all_at_once = counts(Analyzer(), measures, texts, [texts] * len(texts))
    for c, candidate in enumerate(texts):
        for r, reference in enumerate(texts):
            for m, measure in enumerate(measures):
                _, one = counts(Analyzer(), [measure], [candidate], [[reference]])
                assert (all_at_once[c * len(texts) + r][m] == one[0][0]).all()
