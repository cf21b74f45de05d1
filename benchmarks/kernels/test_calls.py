"""One pair at a time, as a reward in a training loop calls it."""

from __future__ import annotations

from typing import Any

import pytest

import summeval

NAMES = ["rouge1", "rouge2", "rougeL"]


@pytest.fixture(scope="module")
def pair(short_pairs: Any) -> tuple[str, str]:
    """The pair of median length."""
    pairs = sorted(zip(*short_pairs, strict=True), key=lambda pair: len(pair[0]) + len(pair[1]))
    return pairs[len(pairs) // 2]


def test_score(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(summeval.score, pair[0], [pair[1]], NAMES)


def test_suite_score(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(summeval.suite(NAMES).score, pair[0], [pair[1]])


@pytest.mark.parametrize("name", [*NAMES, "rougeLsum", "rougeSU4", "tesla-s"])
def test_metric_score(benchmark: Any, pair: tuple[str, str], name: str) -> None:
    benchmark(summeval.metric(name).score, pair[0], [pair[1]])


def test_prepared_score(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(summeval.suite(NAMES).prepare([pair[1]]).score, pair[0])


def test_prepared_group(benchmark: Any, short_pairs: Any) -> None:
    prepared = summeval.suite(NAMES).prepare([short_pairs[1][0]])
    benchmark(prepared.score_batch, short_pairs[0][:64])


def test_prepare(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(summeval.suite(NAMES).prepare, [pair[1]])
