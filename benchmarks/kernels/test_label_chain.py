"""Chains of labels: 10,000 utterances of 100 documents trained and ranked, beside crfsuite.

Goals: trained in 10 s at order 2 with links, 3 annotators; ranked at order 0 at 200,000 utterances
a second. Each figure is for all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from summeval.learn import LabelChain

DOCUMENTS, SIZE, FEATURES, ANNOTATORS = 100, 100, 20, 3
MODELS = [(0, False), (1, False), (2, False), (2, True), (3, True)]


def made() -> tuple[list[Any], list[Any], list[Any]]:
    draw = np.random.default_rng(0)
    features = draw.normal(size=(DOCUMENTS, SIZE, FEATURES))
    chance = 1 / (1 + np.exp(1 - features[:, None, :, 0]))
    labels = draw.random((DOCUMENTS, ANNOTATORS, SIZE)) < chance
    back = np.where(draw.random((DOCUMENTS, SIZE)) < 0.4, draw.integers(1, 9, (DOCUMENTS, SIZE)), 0)
    links = [[[t, t - int(b)] for t, b in enumerate(row) if 0 < b <= t] for row in back]
    return list(features), list(labels), links


@pytest.mark.parametrize("normalisation", ["global", "local"])
@pytest.mark.parametrize("model", MODELS)
def test_training(benchmark: Any, model: tuple[int, bool], normalisation: str) -> None:
    fitted = LabelChain(*model, normalisation)
    found = benchmark.pedantic(fitted.fit, made(), rounds=2, iterations=1)
    assert found.inference == "exact"


@pytest.mark.parametrize("by", ["posterior", "cost"])
@pytest.mark.parametrize("model", MODELS)
def test_ranking(benchmark: Any, model: tuple[int, bool], by: str) -> None:
    features, labels, links = made()
    fitted = LabelChain(*model).fit(features, labels, links)

    def rank() -> int:
        pairs = zip(features, links, strict=True)
        return sum(len(fitted.rank(table, some, by)) for table, some in pairs)

    assert benchmark(rank) == DOCUMENTS * SIZE


@pytest.mark.filterwarnings("ignore")
def test_training_by_crfsuite(benchmark: Any) -> None:
    crfsuite = pytest.importorskip("sklearn_crfsuite")
    features, labels, _ = made()
    rows = [
        [{str(f): value for f, value in enumerate(row)} for row in table.tolist()]
        for table in features
    ]
    every = [rows[d] for d in range(DOCUMENTS) for _ in range(ANNOTATORS)]
    told = [[str(int(label)) for label in one] for extracts in labels for one in extracts]
    options = {"all_possible_states": True, "all_possible_transitions": True, "min_freq": -1e9}
    crf = crfsuite.CRF(algorithm="lbfgs", c1=0.0, c2=1.0, **options)
    benchmark.pedantic(lambda: crf.fit(every, told), rounds=2, iterations=1)
