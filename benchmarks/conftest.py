"""The texts that the benchmarks share; each figure is for all pairs of a fixture."""

from __future__ import annotations

import pytest
import texts

Pairs = tuple[list[str], list[str]]


@pytest.fixture(scope="session")
def short_pairs() -> Pairs:
    """1,000 pairs of about 63 and 48 tokens."""
    return texts.make_pairs(texts.SHORT, 1000)


@pytest.fixture(scope="session")
def long_pairs() -> Pairs:
    """50 pairs of about 730 tokens a side."""
    return texts.make_pairs(texts.LONG, 50)
