"""Unusual texts for the metrics whose numbers are those of other packages."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from definitions.field import edits as edits_twin
from definitions.field import ter as ter_twin
from targets import target
from text_targets import BOUNDARIES, a_text, check_table

import summeval

# What tercom parts, replaces and leaves out.
PIECES = [
    *("a", "b", "w1", "w2", " ", " ", "\n", "\t", "\xa0", "\u3000", "\x1c", "5", ".", ",", "-"),
    *("'s ", "\n-", "&amp;lt;", "&quot;", "市", "㿿", "。", "Σ", "İ", "(", "!"),
]


@target
def edit_rates(rng: random.Random) -> int:
    metrics: list[Any] = [
        summeval.Wer(case=rng.choice(["keep", "lower"])),
        summeval.Wer(tokenizer=str.split, label="split"),
        summeval.Cer(),
        summeval.EditSimilarity(case=rng.choice(["keep", "auto"])),
        summeval.Ter(
            normalized=rng.random() < 0.5,
            punctuation=rng.random() < 0.5,
            asian=rng.random() < 0.5,
            case=rng.choice(["keep", "lower"]),
        ),
    ]
    return check_table(rng, metrics, 40)


def edited(rng: random.Random, text: str) -> str:
    """The text with stretches shifted, and characters changed, left out, added, swapped."""
    made = [*text]
    for _ in range(rng.randint(0, 6)):
        begin, size = rng.randint(0, len(made)), rng.randint(1, 9)
        stretch = made[begin : begin + size]
        del made[begin : begin + size]
        place = rng.randint(0, len(made))
        made[place:place] = rng.choice([stretch, stretch[::-1], [rng.choice(PIECES)]])
    return "".join(made)


@target
def edits_twin_of_kernels(rng: random.Random) -> int:
    """Fields and alignments are those of the definitions, with blocks of rows half full."""
    for _ in range(6):
        size = rng.choice(BOUNDARIES[:12])
        few = PIECES[: rng.choice([2, 3, 6, len(PIECES)])]
        other = "".join(rng.choice(few) for _ in range(size))
        own = edited(rng, other) if rng.random() < 0.6 else a_text(rng)
        wanted = edits_twin.rates(edits_twin.counts(edits_twin.words(other), edits_twin.words(own)))
        assert np.allclose([*summeval.Wer().score(own, other)], wanted, atol=1e-14), (own, other)
        steps = summeval.Cer()._kernel().align(own, other)
        assert steps == edits_twin.alignment(other.strip(), own.strip()), (own, other)
        likeness = edits_twin.similarities(own, other)
        found = [*summeval.EditSimilarity().score(own, other)]
        assert np.allclose(found, likeness, atol=1e-14), (own, other)
    return 6


@target
def ter_twin_of_the_kernel(rng: random.Random) -> int:
    """Edits and lengths are those of the definition, for any tokens and lengths of both sides."""
    for _ in range(4):
        options = {name: rng.random() < 0.5 for name in ("normalized", "punctuation", "asian")}
        few = PIECES[: rng.choice([6, len(PIECES)])]
        sizes = rng.choice([(30, 30), (60, 60), (2, 120), (90, 6)])
        own, other = ("".join(rng.choices(few, k=rng.randint(0, size))) for size in sizes)
        if rng.random() < 0.4:
            own = edited(rng, other)
        wanted = ter_twin.statistics(
            ter_twin.tokens(own, **options), [ter_twin.reference_tokens(other, **options)]
        )
        score = summeval.Ter(**options, case="keep").score(own, other)
        assert (score.edits, score.reference_length) == wanted, (own, other, options)
        assert math.isclose(score.value, ter_twin.rate(*wanted)), (own, other, options)
    return 4
