"""`support`: summaries of 59 tokens beside sources of 394 and of 800.

The goals are 6 µs for a pair of 394 and 59 tokens, and 50,000 summaries a second on one core beside
a prepared source of 800. `python benchmarks/support_speed.py` prints both.
"""

from __future__ import annotations

from typing import Any

import pytest
import texts
from definitions import support as twin

from summeval import Support
from summeval.metrics.support import function_words, numbers
from summeval.text import sentences

PAIR = texts.Shape(59, 394, (14, 25), 0.6, (2, 12), 1)
REWARD = texts.Shape(59, 800, (14, 25), 0.6, (2, 12), 1000)


@pytest.fixture(scope="module")
def pairs() -> Any:
    return texts.make_pairs(PAIR, 1000)


@pytest.fixture(scope="module")
def rewards() -> Any:
    return texts.make_pairs(REWARD, 1000)


def test_pairs(benchmark: Any, pairs: Any) -> None:
    candidates, sources = pairs
    benchmark(Support().score_batch, candidates, sources=[[source] for source in sources])


def test_prepared_batch(benchmark: Any, rewards: Any) -> None:
    candidates, sources = rewards
    benchmark(Support().prepare(source=sources[0]).score_batch, candidates)


def test_prepared_single(benchmark: Any, rewards: Any) -> None:
    candidates, sources = rewards
    benchmark(Support().prepare(source=sources[0]).score, candidates[0])


def test_source_read_anew(benchmark: Any, pairs: Any) -> None:
    candidates, sources = pairs
    benchmark(Support().score, candidates[0], source=sources[0])


def test_twin(benchmark: Any, pairs: Any) -> None:
    """One pair of the 1,000, its words read beforehand."""
    summary, source = (
        [twin.words(line, function_words(), numbers()) for line in sentences(side[0])]
        for side in pairs
    )
    benchmark(twin.support, summary, [source])
