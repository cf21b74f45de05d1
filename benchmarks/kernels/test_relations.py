"""Discourse relations of 200 parsed texts: the kernel, and the parser in Python that defines it.

    python benchmarks/kernels/test_relations.py

prints how many times as fast the kernel is, which has to be at least 15.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from definitions.discourse import parser

from summeval.annotate import Document, annotate
from summeval.annotate.discourse.parser import related
from summeval.annotate.document import packed

GOAL = 15.0


@pytest.fixture(scope="module")
def documents(short_pairs: Any) -> list[Document]:
    """Parses of texts of about 63 tokens."""
    pytest.importorskip("spacy")
    return parsed(short_pairs[0][:200])


def parsed(texts: list[str]) -> list[Document]:
    found = [document for document in annotate(texts) if document is not None]
    for document in found:
        packed(document)
        related([document])
        parser.parse(document)
    return found


def test_kernel(benchmark: Any, documents: list[Document]) -> None:
    benchmark(related, documents)


def test_definition(benchmark: Any, documents: list[Document]) -> None:
    benchmark(lambda: [parser.parse(document) for document in documents])


def least(call: Callable[[], object], rounds: int = 5) -> float:
    """Processor time."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    import sys
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).parents[1]))
    import texts

    found = parsed(texts.make_pairs(texts.SHORT, 200)[0])
    kernel = least(lambda: related(found))
    definition = least(lambda: [parser.parse(document) for document in found])
    ratio = definition / kernel
    print(f"{1e6 * kernel / len(found):.0f} µs a text, {ratio:.1f} times as fast; goal {GOAL:g}")


if __name__ == "__main__":
    main()
