"""The text kernels by themselves: tokenisers on long texts, stemmers on their word types."""

from __future__ import annotations

from typing import Any

import pytest

from summeval import text
from summeval._core.text import stemmer


@pytest.mark.parametrize("tokenizer", ["rouge155", "unicode"])
def test_tokens(benchmark: Any, long_pairs: Any, tokenizer: str) -> None:
    whole = "\n".join(long_pairs[1])
    tokens = benchmark(text.tokens, whole, tokenizer=tokenizer)
    assert len(tokens) > 30_000


def test_tokens_of_other_scripts(benchmark: Any) -> None:
    whole = "今天天气很好，我们去公园散步。Straße ΔΗΜΟΚΡΑΤΙΑ правительство สวัสดีครับ\n" * 500
    tokens = benchmark(text.tokens, whole, tokenizer="unicode")
    assert tokens[0] == "今"


@pytest.mark.parametrize("kind", ["rouge155", "porter", "porter-java"])
def test_stemmers(benchmark: Any, long_pairs: Any, kind: str) -> None:
    types = sorted({word.encode() for side in long_pairs for t in side for word in text.tokens(t)})
    assert len(benchmark(stemmer.stem_all, kind, types)) == len(types)


def test_sentences(benchmark: Any, long_pairs: Any) -> None:
    whole = " ".join(long_pairs[1]).replace("\n", " ")
    assert len(benchmark(text.sentences, whole)) > 100
