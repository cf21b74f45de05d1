"""TESLA-S by option and entry point; the plain calls stand in test_calls and test_batches."""

from __future__ import annotations

from typing import Any

import pytest

from summeval import TeslaS


@pytest.mark.parametrize(
    "options",
    [{}, {"stemmer": "rouge155"}, {"case": "keep"}, {"gap": None}, {"cross_sentences": False}],
    ids=str,
)
def test_options(benchmark: Any, short_pairs: Any, options: dict[str, Any]) -> None:
    benchmark(TeslaS(**options).score_batch, *short_pairs)


@pytest.mark.parametrize("aggregate", ["max", "max-per-bag", "average"])
def test_several_references(benchmark: Any, short_pairs: Any, aggregate: str) -> None:
    candidates, references = short_pairs
    sets = [references[row : row + 4] for row in range(len(references))]
    benchmark(TeslaS(aggregate=aggregate).score_batch, candidates, sets)


def test_prepared(benchmark: Any, short_pairs: Any) -> None:
    candidates, references = short_pairs
    benchmark(TeslaS().prepare(references[0]).score, candidates[0])


def test_tagged(benchmark: Any, short_pairs: Any) -> None:
    candidate, reference = (
        "\n".join(" ".join(f"{w}/NN" for w in line.split()) for line in side[0].split("\n"))
        for side in short_pairs
    )
    benchmark(TeslaS().score_units, candidate, reference)
