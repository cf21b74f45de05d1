"""Krippendorff's alpha: his own examples, the definition, and bad ratings."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval.meta import krippendorff_alpha

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", parts A, B and C.
BINARY = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
NAMES = ["aabbdcccedda", "babbbccceddd"]
_ = None
FOUR = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
LEVELS = ["nominal", "ordinal", "interval", "ratio"]


@pytest.mark.parametrize(
    ("ratings", "level", "expected"),
    [
        (BINARY, "nominal", 0.095),
        (NAMES, "nominal", 0.692),
        (FOUR, "nominal", 0.743),
        (FOUR, "ordinal", 0.815),
        (FOUR, "interval", 0.849),
        (FOUR, "ratio", 0.797),
    ],
)
def test_krippendorffs_own_examples(ratings, level, expected):
    assert krippendorff_alpha(ratings, level) == pytest.approx(expected, abs=5e-4)


def by_definition(ratings, level):
    """Sums over all pairs of ratings, as the definition has them."""
    units = [[v for v in unit if v is not None] for unit in zip(*ratings, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    flat = [value for unit in units for value in unit]

    def differ(a, b):
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return float((a - b) ** 2)
        if level == "ratio":
            return ((a - b) / (a + b)) ** 2 if a + b else 0.0
        low, high = sorted((a, b))
        between = sum(low <= v <= high for v in flat)
        return (between - (flat.count(a) + flat.count(b)) / 2) ** 2

    observed = sum(
        differ(a, b) / (len(unit) - 1) for unit in units for a, b in itertools.permutations(unit, 2)
    )
    expected = sum(differ(a, b) for a, b in itertools.permutations(flat, 2)) / (len(flat) - 1 or 1)
    return 1 - observed / expected if expected else math.nan


@pytest.mark.parametrize("level", LEVELS)
@given(st.data())
def test_it_is_its_definition(level, data):
    units = data.draw(st.integers(1, 6))
    rating = st.none() | st.integers(0 if level == "ratio" else -3, 4)
    rater = st.lists(rating, min_size=units, max_size=units)
    ratings = data.draw(st.lists(rater, min_size=2, max_size=4))
    found = krippendorff_alpha(ratings, level)
    assert found == pytest.approx(by_definition(ratings, level), abs=1e-9, nan_ok=True)


@given(st.permutations(range(4)), st.permutations(range(12)))
def test_raters_and_units_have_no_order(raters, units):
    turned = [[FOUR[rater][unit] for unit in units] for rater in raters]
    assert krippendorff_alpha(turned, "ordinal") == pytest.approx(
        krippendorff_alpha(FOUR, "ordinal"), abs=1e-12
    )


def test_an_array_with_nan_is_the_same():
    table = np.array([[math.nan if v is None else v for v in row] for row in FOUR])
    for level in LEVELS:
        assert krippendorff_alpha(table, level) == krippendorff_alpha(FOUR, level)


def test_intervals_far_from_zero_keep_their_digits():
    far = [[None if v is None else v + 1e9 for v in row] for row in FOUR]
    assert krippendorff_alpha(far, "interval") == pytest.approx(
        krippendorff_alpha(FOUR, "interval"), abs=1e-9
    )


def test_ranks_ignore_the_distances_that_intervals_count():
    far = [[v if v != 5 else 50 for v in row] for row in FOUR]
    assert krippendorff_alpha(far, "ordinal") == krippendorff_alpha(FOUR, "ordinal")
    assert krippendorff_alpha(far, "interval") > krippendorff_alpha(FOUR, "interval")


@pytest.mark.parametrize(
    "ratings", [[[1, 1], [1, 1]], [[0.1] * 3] * 2, [[1, None], [None, 2]], [[], []]]
)
def test_no_variation_or_no_pair_is_nan(ratings):
    for level in LEVELS:
        assert math.isnan(krippendorff_alpha(ratings, level))


def test_full_agreement_is_one():
    for level in LEVELS:
        assert krippendorff_alpha([[0.1, 0.7, 3], [0.1, 0.7, 3]], level) == 1


@pytest.mark.parametrize(
    ("ratings", "level", "error", "message"),
    [
        ([[1, 2]], "nominal", ValueError, "ratings of 1 rater; give two or more"),
        ([[1, 2], [1]], "nominal", ValueError, "rater 1 has 1 units and rater 0 has 2; give as"),
        (["ab", "ab"], "interval", ValueError, "a rating is 'a'; give finite numbers"),
        ([[math.inf], [1]], "ordinal", ValueError, "a rating is inf; give finite numbers"),
        ([[[1]], [[1]]], "nominal", TypeError, "hold a list or dict"),
        ([[1], [1]], "cardinal", ValueError, "level is 'cardinal'; choose from"),
        ([[1, 2], [-1, 2]], "ratio", ValueError, "a rating is -1; the level 'ratio' needs"),
        ([range(20001)] * 2, "ratio", ValueError, "20001 different ratings are too many"),
    ],
)
def test_bad_ratings_are_named(ratings, level, error, message):
    with pytest.raises(error, match=message):
        krippendorff_alpha(ratings, level)
