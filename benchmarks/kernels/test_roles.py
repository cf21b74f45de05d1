"""Role matrices and their features; each figure is for all documents of the fixture."""

from __future__ import annotations

import random
from typing import Any

import pytest

from summeval.annotate import DiscourseDocument
from summeval.metrics.discourse.roles import FEATURES, RoleSpace

DOCUMENTS = 1000
TAGS = ("NN", "NNS", "NNP", "VBD", "VB", "JJ", "RB", "IN", "DT", "CC", "PRP", ".")


@pytest.fixture(scope="module")
def documents() -> list[DiscourseDocument]:
    """Documents of 10 sentences of 22 tokens, with 12 relations each."""
    chance = random.Random(1)
    return [make_document(chance) for _ in range(DOCUMENTS)]


def make_document(chance: random.Random) -> DiscourseDocument:
    """Zipf-like words; each sentence is related to the next, and two have a relation inside."""
    sentences = [
        [(f"w{int(chance.paretovariate(0.6)) % 20000}ing", chance.choice(TAGS)) for _ in range(22)]
        for _ in range(10)
    ]
    spans = [((22 * n, 22 * n + 21), (22 * n + 22, 22 * n + 43)) for n in range(9)]
    spans += [((22 * n, 22 * n + 10), (22 * n + 11, 22 * n + 21)) for n in (2, 5, 7)]
    relations = [
        {
            "type": chance.choice(("Explicit", "Implicit")),
            "sense": chance.choice(("Comparison", "Contingency", "Expansion", "Temporal")),
            "arg1": list(one),
            "arg2": list(two),
        }
        for one, two in spans
    ]
    return DiscourseDocument(sentences, relations)


@pytest.mark.parametrize("features", FEATURES)
def test_batch(benchmark: Any, documents: list[DiscourseDocument], features: str) -> None:
    space = RoleSpace(features)
    rows = benchmark(space.rows, documents)
    assert len(rows.indptr) == DOCUMENTS + 1


def test_one_by_one(benchmark: Any, documents: list[DiscourseDocument]) -> None:
    space = RoleSpace("lin")

    def run() -> int:
        return sum(len(space.rows([document]).indices) for document in documents)

    assert benchmark(run) == len(space.rows(documents).indices)
