"""METEOR and CIDEr of unusual texts beside their definitions."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
from definitions.elements.wordnet import WordNet
from definitions.field import cider as cider_twin
from definitions.field import meteor as meteor_twin
from targets import target
from text_targets import a_text

import summeval
from summeval.elements.resources import wordnet


@cache
def net() -> WordNet:
    return WordNet(wordnet().data)


@target
def meteor(rng: random.Random) -> int:
    weights = rng.random(), 4 * rng.random(), rng.random()
    named = dict(zip(("alpha", "beta", "gamma"), weights, strict=True))
    metric = summeval.Meteor(tokenizer="whitespace", **named)
    for _ in range(20):
        own, *others = (a_text(rng, 20) for _ in range(rng.randint(2, 4)))
        read = [[word.lower() for word in text.split()] for text in (own, *others)]
        found = [meteor_twin.fields(read[0], other, net(), weights) for other in read[1:]]
        wanted = max(found, key=lambda fields: fields[0])
        assert np.allclose(metric.score(own, others).values(), wanted, atol=1e-12), (own, others)
    return 20


@target
def cider(rng: random.Random) -> int:
    rows = rng.randint(1, 20)
    own = [a_text(rng, 20) for _ in range(rows)]
    others = [[a_text(rng, 20) for _ in range(rng.randint(1, 3))] for _ in range(rows)]
    read = [[text.split() for text in texts] for texts in others]
    counted = cider_twin.frequencies(read)
    found = summeval.metric("cider-d").corpus(own, others, workers=rng.choice([1, 2])).rows
    wanted = [
        cider_twin.score(text.split(), texts, counted, rows)
        for text, texts in zip(own, read, strict=True)
    ]
    assert np.allclose(found, wanted, atol=1e-9), (own, others)
    return rows
