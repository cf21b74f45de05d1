"""Scores of many pairs at once: text kernel and ROUGE kernel together, by measure and option."""

from __future__ import annotations

from typing import Any

import pytest
from metric_cases import NEEDED
from registered import OF_ONE_KERNEL

import summeval

ROUGE = ("rouge1", "rouge2", "rougeL")
OTHERS = ("rougeLsum", "rougeW", "rougeS*", "rougeSU*", "rougeSU4", "tesla-s")


def suite(names: tuple[str, ...], **options: Any) -> summeval.Suite:
    """Metrics with the same options, scored in one pass."""
    return summeval.suite([summeval.metric(name, **options) for name in names])


@pytest.mark.parametrize("stemmer", [None, "porter", "rouge155"])
def test_rouge_short(benchmark: Any, short_pairs: Any, stemmer: str | None) -> None:
    table = benchmark(suite(ROUGE, stemmer=stemmer).score_batch, *short_pairs)
    assert table.rows == len(short_pairs[0])


@pytest.mark.parametrize("tokenizer", ["rouge155", "unicode", str.split])
def test_tokenizers(benchmark: Any, short_pairs: Any, tokenizer: Any) -> None:
    benchmark(suite(("rouge1",), tokenizer=tokenizer).score_batch, *short_pairs)


@pytest.mark.parametrize("name", OTHERS)
def test_measure_short(benchmark: Any, short_pairs: Any, name: str) -> None:
    benchmark(suite((name,)).score_batch, *short_pairs)


@pytest.mark.parametrize("name", [*ROUGE, *OTHERS])
def test_measure_long(benchmark: Any, long_pairs: Any, name: str) -> None:
    benchmark(suite((name,)).score_batch, *long_pairs)


@pytest.mark.parametrize("name", OF_ONE_KERNEL)
def test_metric_of_one_kernel(benchmark: Any, short_pairs: Any, name: str) -> None:
    metric, (candidates, others) = summeval.metric(name, **NEEDED.get(name, {})), short_pairs
    side = "sources" if metric.compared_with == "source" else "references"
    benchmark(metric.score_batch, candidates, **{side: others})


@pytest.mark.parametrize("workers", [1, 2])
def test_workers(benchmark: Any, short_pairs: Any, workers: int) -> None:
    candidates, references = (side * 20 for side in short_pairs)
    benchmark(suite(ROUGE).score_batch, candidates, references, workers=workers)


def test_rouge_arrow(benchmark: Any, short_pairs: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    candidates, references = (pyarrow.array(side) for side in short_pairs)
    benchmark(suite(ROUGE).score_batch, candidates, references)


@pytest.mark.parametrize("aggregate", ["average", "best", "max"])
def test_several_references(benchmark: Any, short_pairs: Any, aggregate: str) -> None:
    candidates, references = short_pairs
    sets = [references[row : row + 4] for row in range(len(references))]
    benchmark(suite(ROUGE, aggregate=aggregate).score_batch, candidates, sets)
