"""Scores of judged units: hand cases, the numbers that RoSE publishes, bad input."""

from __future__ import annotations

import gzip
import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import shared

from summeval.metrics.pyramid import normalised_acu, unit_score


def test_the_share_of_units_and_of_their_weight():
    assert unit_score([1, 0, 0, 1]) == 0.5
    assert unit_score([True, False, 0.25]) == pytest.approx(1.25 / 3)
    assert unit_score([1, 0, 0], weights=[4, 3, 1]) == 0.5
    assert unit_score(np.array([1, 0]), weights=np.array([3, 1])) == 0.75


# Units found, of 8, words of summary and reference with punctuation marks, and the score that RoSE
# publishes: github.com/Yale-LILY/ROSE, demo.ipynb, the first item of cnndm_test.
ROSE = [
    (3, 58, 48, 0.3379031717777252),
    (3, 53, 48, 0.3559686541557312),
    (2, 53, 48, 0.2373124361038208),
    (3, 59, 48, 0.33440160751342773),
    (5, 74, 48, 0.47671476006507874),
    (2, 40, 48, 0.25),
]


@pytest.mark.parametrize(("found", "candidate", "reference", "expected"), ROSE)
def test_normalised_acu_is_that_of_rose(found, candidate, reference, expected):
    judgements = [1] * found + [0] * (8 - found)
    assert normalised_acu(judgements, candidate, reference) == pytest.approx(expected, abs=1e-7)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=9),
    st.integers(0, 99),
    st.integers(1, 99),
    st.floats(0.1, 9),
)
def test_length_only_takes_away(judgements, candidate, reference, alpha):
    score = unit_score(judgements)
    found = normalised_acu(judgements, candidate, reference, alpha=alpha)
    assert found == score if candidate <= reference else found <= score
    assert found == score * min(1.0, math.exp((1 - candidate / reference) / alpha))
    assert normalised_acu(judgements, candidate + 1, reference, alpha=alpha) <= found


@pytest.mark.parametrize("name", ["realsumm", "pyrxsum"])
def test_litepyramid_recall_of_published_labels(name):
    with gzip.open(shared(f"data/{name}.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = list(map(json.loads, itertools.islice(file, 200)))
    for row in rows:
        assert unit_score(row["scu_labels"]) == row["scores"]["litepyramid_recall"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([],), ValueError, "judgements is empty; give one for each unit"),
        (([0, 1.5],), ValueError, r"judgements\[1\] is 1.5; give a number from 0 to 1"),
        (([-0.1],), ValueError, r"judgements\[0\] is -0.1"),
        (([math.nan],), ValueError, r"judgements\[0\] is nan"),
        ((["1"],), TypeError, r"judgements\[0\] is '1'; give a number"),
        (([None],), TypeError, r"judgements\[0\] is None"),
        (("101",), TypeError, "judgements is str; give a list of numbers"),
        (([1, 0], [1]), ValueError, "there are 1 weights and 2 judgements; give as many"),
        (([1, 0], [1, 0]), ValueError, r"weights\[1\] is 0; give a finite number above 0"),
        (([1], [math.inf]), ValueError, r"weights\[0\] is inf"),
    ],
)
def test_bad_judgements_and_weights_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        unit_score(*arguments)


@pytest.mark.parametrize(
    ("lengths", "options", "message"),
    [
        ((-1, 5), {}, "candidate_length is -1"),
        ((5, 0), {}, "reference_length is 0"),
        ((5, 5), {"alpha": 0}, "alpha is 0"),
        ((math.nan, 5), {}, "candidate_length is nan"),
    ],
)
def test_bad_lengths_are_named(lengths, options, message):
    with pytest.raises(ValueError, match=message):
        normalised_acu([1], *lengths, **options)
