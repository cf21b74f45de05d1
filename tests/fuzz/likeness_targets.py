"""Texts compared by the likeness of their words, with tables and vectors of any size."""

from __future__ import annotations

import random
from typing import Any
from zlib import crc32

import numpy as np
from definitions import tesla as twin
from targets import target
from text_targets import FEW, a_text, check_table

import summeval
from summeval.learn.vectors import WordVectors, word_spans
from summeval.solvers import transport


def a_table(rng: random.Random) -> WordVectors:
    """Some of the words that texts have, vectors of any number of dimensions, zeros among them."""
    numbers = np.random.default_rng(rng.randrange(1 << 30))
    words = rng.sample(FEW, rng.randint(1, len(FEW)))
    vectors = numbers.normal(size=(len(words), rng.choice([1, 2, 7, 8, 9, 31, 128])))
    vectors[numbers.random(len(words)) < 0.1] = 0
    counts = rng.choice([None, numbers.integers(1, 10**6, len(words)).tolist()])
    return WordVectors(words, vectors * rng.choice([1e-30, 1, 1e30]), counts)


@target
def likeness(rng: random.Random) -> int:
    metric = summeval.TeslaE(
        vectors=rng.choice(["english", None, a_table(rng)]),
        stemmer=rng.choice([None, "porter"]),
        aggregate=rng.choice(["max", "average", "best"]),
        tokenizer=rng.choice(["rouge155", "unicode"]),
        function_words=rng.choice([None, [], ["a", "the"]]),
    )
    return check_table(rng, [metric], 60)


@target
def likeness_twin(rng: random.Random) -> int:
    """The fields are those of the definition."""
    for _ in range(5):
        table = a_table(rng)
        metric = summeval.TeslaE(vectors=table, function_words=["a", "the"])

        def alike(one: str, other: str, table: WordVectors = table) -> float:
            return 1.0 if one == other else float(table.cosines([one], [other])[0, 0])

        by = twin.Likeness(alike, lambda word, table=table: float(table.weights([word])[0]))
        texts = [a_text(rng, 12) for _ in range(3)]
        read = [
            twin.content_words(
                [twin.Word(w, w in ("a", "the")) for w in summeval.text.tokens(text, "unicode")]
            )
            for text in texts
        ]
        wanted = twin.graded(read[0], read[1:], by, solve)
        assert np.allclose(metric.score(texts[0], texts[1:]).values(), wanted, atol=1e-5), texts
    return 5


def solve(supply: list[float], demand: list[float], worth: list[list[float]]) -> float:
    return transport(supply, demand, np.array(worth)).value


@target
def likeness_in_context(rng: random.Random) -> int:
    dimensions = rng.choice([1, 8, 13, 64])

    def encoder(texts: Any) -> Any:
        for text in texts:
            spans = word_spans(text)
            words = [text[b:e].encode() for b, e in spans]
            rows = [[crc32(w, d) % 201 - 100 for d in range(dimensions)] for w in words]
            yield spans, np.array(rows, dtype=np.float32).reshape(len(spans), dimensions)

    metric = summeval.TeslaE(
        encoder=encoder, vectors=rng.choice(["english", None, a_table(rng)]), label="encoded"
    )
    return check_table(rng, [metric], 20)
