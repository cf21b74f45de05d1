"""Annotation: what it adds to spaCy's own time, and what the cache saves."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from summeval.annotate import annotate, from_json, provider, to_json
from summeval.annotate.clean import clean

pytest.importorskip("spacy")


@pytest.fixture(scope="module")
def some(short_pairs: Any) -> list[str]:
    """200 texts of about 63 tokens."""
    return short_pairs[0][:200]


@pytest.fixture(scope="module")
def spacy() -> Any:
    found = provider("spacy")
    list(found.parse(["The model is loaded."]))
    return found


def test_spacy_alone(benchmark: Any, some: list[str], spacy: Any) -> None:
    """What `test_spacy_provider` is to be held to, within 10 %."""
    benchmark(lambda: list(spacy.pipeline().pipe(some, batch_size=64)))


def test_spacy_provider(benchmark: Any, some: list[str], spacy: Any) -> None:
    benchmark(lambda: list(spacy.parse(some)))


def test_from_the_cache(benchmark: Any, some: list[str], spacy: Any, tmp_path: Path) -> None:
    annotate(some, spacy, cache=tmp_path)
    benchmark(annotate, some, spacy, cache=tmp_path)


def test_clean(benchmark: Any, some: list[str]) -> None:
    benchmark(lambda: [clean(line) for text in some for line in text.split("\n")])


def test_json(benchmark: Any, some: list[str], spacy: Any) -> None:
    documents = annotate(some, spacy)
    benchmark(lambda: [from_json(to_json(document)) for document in documents])


@pytest.mark.parametrize("workers", [1, 2])
def test_workers(benchmark: Any, short_pairs: Any, spacy: Any, workers: int) -> None:
    """All 2,000 texts of the pairs; it needs two processors that are idle."""
    if (os.cpu_count() or 1) < workers:
        pytest.skip("needs two processors")
    texts = [*short_pairs[0], *short_pairs[1]]
    benchmark.pedantic(
        annotate, (texts, spacy), {"workers": workers, "cache": False}, rounds=1, iterations=1
    )
