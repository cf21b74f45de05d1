"""`readability`: texts of 59 tokens. The goal is 20,000 texts a second on one core."""

from __future__ import annotations

from typing import Any

import pytest
import texts
from definitions.text import features as twin

import summeval
from summeval.metrics.discourse.readability import class_numbers, end_classes, known_classes
from summeval.text import sentences

SHAPE = texts.Shape(59, 59, (14, 25), 0.6, (2, 12), 1)


@pytest.fixture(scope="module")
def candidates() -> list[str]:
    return texts.make_pairs(SHAPE, 1000)[0]


def test_batch(benchmark: Any, candidates: list[str]) -> None:
    benchmark(summeval.metric("readability").score_batch, candidates)


def test_single(benchmark: Any, candidates: list[str]) -> None:
    benchmark(summeval.metric("readability").score, candidates[0])


def test_twin(benchmark: Any, candidates: list[str]) -> None:
    """One text of the 1,000."""
    table = [[0.0] * len(class_numbers())] * len(class_numbers())
    known, ends = known_classes(), end_classes()
    benchmark(twin.features, "\n".join(sentences(candidates[0])), known, ends, table)
