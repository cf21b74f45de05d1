"""Guards, and rewards of presets."""

from __future__ import annotations

import random

from definitions import guards as guards_twin
from targets import target
from text_targets import GAPS, a_text

from summeval.interop.reward import Rewards
from summeval.interop.shaping.guards import kernel_of
from summeval.interop.shaping.presets import PRESETS

PIECES = [
    *"the of and storm Storms nation ously 12 3rd x_y _ . ! ? , ; : ...".split(),
    *"… 。 ， 海 ก Σ ΑΣ İ ſ ½ ｆ".split(),
    *("\u200b", "\u0301", "\x85", "\u2028", "\U0001d400"),
]


def read(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return a_text(rng)
    return "".join(rng.choice(PIECES) + rng.choice(GAPS) for _ in range(rng.randint(0, 60)))


@target
def guards(rng: random.Random) -> int:
    """The guards and the share of repeated words are those of the definition."""
    for _ in range(10):
        references = [read(rng) for _ in range(rng.randint(0, 2))]
        source = [read(rng) * rng.choice([1, 1, 30]) for _ in range(rng.randint(0, 2))]
        run, text = rng.randint(1, 9), rng.choice([read(rng), *references, *source])
        kernel = kernel_of(run)
        ground = kernel.ground((*references,), (*source,))
        usual = guards_twin.ground_of(references, source)
        factors, words = usual.guards(text)
        assert kernel.factors(ground, text) == factors, (references, source, text)
        assert kernel.seams(ground, text) == usual.seams(text), (references, source, text)
        share = guards_twin.repeated_share(words, run)
        assert kernel.repeated(ground, text) == share, (text, run)
    return 10


@target
def rewards(rng: random.Random) -> int:
    """Rewards and parts are from 0 to 1, and those of a text alone."""
    rows = rng.randint(1, 6)
    texts: list[str] = [read(rng) for _ in range(rows)]
    references = [rng.choice([read(rng), [read(rng), None], texts[0]]) for _ in range(rows)]
    sources = [read(rng)] * rows
    made = Rewards.preset(
        rng.choice([*PRESETS]),
        missing=0.5,
        cache_size=rng.choice([0, 2]),
        workers=rng.choice([1, 2]),
    )
    found = made.judge(texts, references, sources)
    assert all(0 <= value <= 1 for column in found.parts.values() for value in column)
    for row, given in enumerate(zip(texts, references, sources, strict=True)):
        assert made(*([one] for one in given)) == [found.rewards[row]], given
    return rows
