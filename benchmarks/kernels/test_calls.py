"""One call at a time, as a reward in a training loop makes it: a pair, a group, a small batch.

What is compared: metric objects beside names, which should cost no more than 1.3 times as much; a
batch of 8 rows beside its share of a large one; a prepared reference beside one that is read anew.
"""

from __future__ import annotations

from typing import Any

import pytest

import summeval

NAMES = ["rouge1", "rouge2", "rougeL"]
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "stems": {"stemmer": "porter"},
    "stems of ROUGE-1.5.5": {"stemmer": "rouge155"},
    "stop words and stems": {"stemmer": "rouge155", "stopwords": True},
}


@pytest.fixture(scope="module")
def pair(short_pairs: Any) -> tuple[str, str]:
    """The pair of median length."""
    pairs = sorted(zip(*short_pairs, strict=True), key=lambda pair: len(pair[0]) + len(pair[1]))
    return pairs[len(pairs) // 2]


def objects(**options: Any) -> list[summeval.Metric]:
    return [summeval.metric(name, **options) for name in NAMES]


def test_score(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(summeval.score, pair[0], [pair[1]], NAMES)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_score_by_objects(benchmark: Any, pair: tuple[str, str], options: dict[str, Any]) -> None:
    benchmark(summeval.score, pair[0], [pair[1]], objects(**options))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_score_by_new_objects(
    benchmark: Any, pair: tuple[str, str], options: dict[str, Any]
) -> None:
    benchmark(lambda: summeval.score(pair[0], [pair[1]], objects(**options)))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_suite_score(benchmark: Any, pair: tuple[str, str], options: dict[str, Any]) -> None:
    benchmark(summeval.suite(objects(**options)).score, pair[0], [pair[1]])


@pytest.mark.parametrize("name", [*NAMES, "rougeLsum", "rougeSU4", "tesla-s"])
def test_metric_score(benchmark: Any, pair: tuple[str, str], name: str) -> None:
    benchmark(summeval.metric(name).score, pair[0], [pair[1]])


@pytest.mark.parametrize("rows", [1, 8, 4096])
def test_score_batch(benchmark: Any, short_pairs: Any, rows: int) -> None:
    times = -(-rows // len(short_pairs[0]))
    candidates, references = ((side * times)[:rows] for side in short_pairs)
    benchmark(summeval.suite(NAMES).score_batch, candidates, references)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_metric_score_batch(benchmark: Any, short_pairs: Any, options: dict[str, Any]) -> None:
    candidates, references = (side[:8] for side in short_pairs)
    benchmark(summeval.metric("rouge1", **options).score_batch, candidates, references)


def test_prepared_score(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(summeval.suite(NAMES).prepare([pair[1]]).score, pair[0])


def test_prepared_metric_score(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(summeval.metric("rouge1").prepare([pair[1]]).score, pair[0])


def test_prepared_group(benchmark: Any, short_pairs: Any) -> None:
    prepared = summeval.suite(NAMES).prepare([short_pairs[1][0]])
    benchmark(prepared.score_batch, short_pairs[0][:64])


def test_prepare(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(summeval.suite(NAMES).prepare, [pair[1]])
