"""A label chain of order 1 has the weights and marginals of CRFsuite (Okazaki 2007)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from summeval.learn import LabelChain

pytestmark = pytest.mark.filterwarnings("ignore")


def rows(table: Any) -> list[dict[str, float]]:
    """With a bias of the value 100, which a penalty hardly reaches."""
    return [{"a": a, "b": b, "bias": 100.0} for a, b in table.tolist()]


def test_weights_and_marginals() -> None:
    """Its c2 is our l2: it has a weight for each label of a feature, ours is their difference."""
    crfsuite = pytest.importorskip("sklearn_crfsuite", reason="sklearn-crfsuite is not installed")
    draw = np.random.default_rng(3)
    features = [draw.normal(size=(size, 2)) for size in (8, 12, 5, 9, 30, 1)]
    labels: list[list[Any]] = [
        [(table[:, 0] + np.roll(draw.random(len(table)), 1) > 0.8).astype(int) for _ in range(2)]
        for table in features
    ]
    every = np.concatenate(features)
    standard = [(table - every.mean(axis=0)) / every.std(axis=0) for table in features]
    options = {"all_possible_states": True, "all_possible_transitions": True, "min_freq": -1e9}
    search = {"max_iterations": 3000, "epsilon": 1e-12, "delta": 1e-14, "period": 1000}
    theirs = crfsuite.CRF(algorithm="lbfgs", c1=0.0, c2=0.7, **options, **search)
    theirs.fit(
        [rows(table) for table, each in zip(standard, labels, strict=True) for _ in each],
        [[str(label) for label in one] for each in labels for one in each],
    )
    ours = LabelChain(1, l2=0.7).fit(features, labels)
    states, pairs = theirs.state_features_, theirs.transition_features_
    wanted = [2 * states[name, "1"] for name in "ab"]
    np.testing.assert_allclose(ours.weights.features, wanted, atol=1e-4)
    wanted = [pairs[one, two] for one in "01" for two in "01"]
    np.testing.assert_allclose(ours.weights.contexts, wanted, atol=1e-3)
    for table, given in zip(features, standard, strict=True):
        wanted = [each["1"] for each in theirs.predict_marginals_single(rows(given))]
        np.testing.assert_allclose(ours.rank(table), wanted, atol=1e-4)
