"""SIMetrix: all features of summaries of about 63 tokens, whose input was prepared once.

The goal is 20,000 summaries a second on one core with an input of 4,000 words. What a summary costs
does not depend on the types of the input, but on how many different counts they have.
"""

from __future__ import annotations

from typing import Any

import pytest
import texts
from definitions import divergence as twin

from summeval import Simetrix

BACKGROUND = {"said": 900, "people": 800, "bridge": 20, "cracks": 5}
IDF = ({"bridg": 4.6, "crack": 5.2, "said": 0.7}, 5000)


@pytest.fixture(scope="module")
def inputs() -> dict[str, list[str]]:
    """Documents of 4,000 words, and of 400,000, with 20 times the types."""
    documents = texts.make_pairs(texts.LONG, 550)[1]
    distinct = [f"{document} extra{n}a extra{n}b" for n, document in enumerate(documents)]
    return {"4k": documents[:6], "400k": distinct}


@pytest.fixture
def metric() -> Simetrix:
    return Simetrix(background=BACKGROUND, idf=IDF)


@pytest.mark.parametrize("size", ["4k", "400k"])
def test_prepared_batch(
    benchmark: Any, short_pairs: Any, inputs: Any, metric: Any, size: str
) -> None:
    prepared = metric.prepare(source=inputs[size])
    benchmark(prepared.score_batch, short_pairs[0])


def test_prepared_single(benchmark: Any, short_pairs: Any, inputs: Any, metric: Any) -> None:
    benchmark(metric.prepare(source=inputs["4k"]).score, short_pairs[0][0])


def test_rows_of_one_input(benchmark: Any, short_pairs: Any, inputs: Any, metric: Any) -> None:
    candidates = short_pairs[0]
    benchmark(metric.score_batch, candidates, sources=[inputs["4k"]] * len(candidates))


def test_input_read_anew(benchmark: Any, short_pairs: Any, inputs: Any, metric: Any) -> None:
    benchmark(metric.score, short_pairs[0][0], source=inputs["4k"])


def test_twin(benchmark: Any, short_pairs: Any, inputs: Any, metric: Any) -> None:
    """One summary of the 1,000, its words counted beforehand."""
    summary, source = metric.counts(short_pairs[0][0]), metric.counts(inputs["4k"])
    benchmark(twin.features, summary, source, background=BACKGROUND, idf=IDF[0], unknown_idf=8.5)
