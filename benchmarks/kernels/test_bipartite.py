"""Bipartite matching of the tokens of 100 pairs, along edges of equality and of a rule."""

from __future__ import annotations

from typing import Any

import pytest

from summeval import BipartiteMatching


def starts_alike(a: str, b: str) -> bool:
    """Whether the first three letters are the same."""
    return a[:3] == b[:3]


@pytest.mark.parametrize("edge", [None, starts_alike], ids=["equality", "rule"])
def test_batch(benchmark: Any, short_pairs: Any, edge: Any) -> None:
    candidates, references = (side[:100] for side in short_pairs)
    benchmark(BipartiteMatching(edge=edge).score_batch, candidates, references)
