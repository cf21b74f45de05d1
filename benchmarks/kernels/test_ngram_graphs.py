"""N-gram graphs by metric, references and entry point, and the textbook twin beside them.

A figure is for 1,000 pairs, the twin's and that of a prepared call for one.
"""

from __future__ import annotations

from typing import Any

import pytest
import texts
from definitions import ngram_graph as twin

import summeval

HUNDRED = texts.Shape(100, 100, (11, 23), 0.3, (1, 5), 15)  # tokens, as summaries of DUC and TAC


@pytest.fixture(scope="module")
def pairs() -> tuple[list[str], list[str]]:
    """1,000 pairs of about 100 words, 600 characters."""
    return texts.make_pairs(HUNDRED, 1000)


@pytest.mark.parametrize(
    "metrics", [["autosummeng"], ["memog"], ["autosummeng", "memog", "npower"]]
)
def test_one_reference(benchmark: Any, pairs: Any, metrics: list[str]) -> None:
    benchmark(summeval.suite(metrics).score_batch, *pairs)


@pytest.mark.parametrize("metric", ["autosummeng", "memog", "npower"])
def test_four_references(benchmark: Any, pairs: Any, metric: str) -> None:
    candidates, references = pairs
    sets = [references[row : row + 4] for row in range(len(references))]
    benchmark(summeval.metric(metric).score_batch, candidates, sets)


@pytest.mark.parametrize("options", [{"max_n": 5}, {"window": 8}, {"compat": "npower-1"}], ids=str)
def test_options(benchmark: Any, pairs: Any, options: dict[str, Any]) -> None:
    benchmark(summeval.metric("npower", **options).score_batch, *pairs)


def test_prepared_batch(benchmark: Any, pairs: Any) -> None:
    candidates, references = pairs
    benchmark(summeval.metric("npower").prepare(references[:4]).score_batch, candidates)


def test_prepared_call(benchmark: Any, pairs: Any) -> None:
    candidates, references = pairs
    benchmark(summeval.metric("npower").prepare(references[0]).score, candidates[0])


def test_twin(benchmark: Any, pairs: Any) -> None:
    candidates, references = pairs
    benchmark(twin.score, candidates[0], references[:1])
