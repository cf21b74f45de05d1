"""KING and JACK of all sets of metrics by the kernel, and one set by the textbook twin.

9 models, 30 peers and 10 metrics make 1,023 sets; similarities of models are a little higher, so
that neither everything nor nothing can be pruned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from definitions import dominance as twin

from summeval.meta import qarla

MODELS, PEERS, METRICS = 9, 30, 10


def similarities() -> np.ndarray:
    texts = MODELS + PEERS
    random = np.random.default_rng(0)
    common = random.random((1, texts, texts))
    x = 0.7 * common + 0.3 * random.random((METRICS, texts, texts))
    x[:, :MODELS, :MODELS] += 0.1
    return np.round(x, 2)


@pytest.mark.parametrize("triples", ["pairs", "distinct", "all"])
def test_all_sets(benchmark: Any, triples: Any) -> None:
    x = similarities()
    sets = benchmark(qarla.metric_sets, x, MODELS, triples=triples)
    assert len(sets) == 1023
    assert 0 < sets.king.max() < 1


@pytest.mark.parametrize("variant", ["one_sided", "both_sides", "queen_positive"])
def test_jack(benchmark: Any, variant: Any) -> None:
    assert benchmark(qarla.jack, similarities(), MODELS, variant) <= 1


def test_king(benchmark: Any) -> None:
    x = similarities()[:2]
    assert benchmark(qarla.king, x, MODELS) == float(twin.king(x.tolist(), MODELS))


def test_king_by_the_twin(benchmark: Any) -> None:
    x = similarities()[:2].tolist()
    assert benchmark.pedantic(twin.king, (x, MODELS), rounds=3) <= 1
