"""Paired tests of two systems by the sums of their rows, as sacrebleu draws them.

Koehn 2004, "Statistical significance tests for machine translation evaluation", section 3.3 (the
bootstrap); Riezler and Maxwell 2005, "On some pitfalls in automatic evaluation and significance
testing for MT", section 3 (approximate randomization).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from summeval._core.rows.record import Score
from summeval._options import check_choice, check_whole
from summeval.metrics.run.base import Metric
from summeval.metrics.run.corpus import PART, SEED, Formula, resampled
from summeval.table.cells import Array

TESTS = ("bootstrap", "randomization")


def paired_test(
    metric: Metric,
    baseline: Any,
    candidates: Any,
    references: Any = None,
    *,
    test: str = "bootstrap",
    samples: int = 1000,
    seed: int | None = None,
    sources: Any = None,
    workers: int = 1,
) -> Score:
    """Test whether two systems differ in the score of a corpus; each row is scored once.

    Parameters
    ----------
    metric : Metric
        Of sums, such as BLEU, or of the mean of rows.
    baseline, candidates : sequences of str
        The texts of two systems, row by row.
    references, sources
        As for `score_batch`. Rows that have no score on one side are left out.
    test : {"bootstrap", "randomization"}
        Rows are drawn again with replacement, or exchanged between the systems by chance.
    samples : int
    seed : int, optional
        12345 by default, as in sacrebleu; the draws and p are its own.

    Returns
    -------
    Score
        `value` of the candidates, `baseline`, `difference`, and the two-sided `p_value`, of which
        1 / (samples + 1) is the least.

    Raises
    ------
    ValueError
        An unknown test, no samples, sides of other lengths, or no row with scores on both sides.

    Examples
    --------
    >>> import summeval
    >>> metric = summeval.metric("chrf")
    >>> references = ["rain falls", "a cat sat", "dogs bark"] * 9
    >>> found = paired_test(metric, ["rain", "a cat", "dogs"] * 9, references, references)
    >>> found.value, round(found.difference, 3), round(found.p_value, 3)
    (1.0, 0.581, 0.001)
    """
    check_choice("test", test, TESTS)
    check_whole("samples", samples, 1)
    sides = [
        metric.statistics(texts, references, sources=sources, workers=workers)
        for texts in (candidates, baseline)
    ]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"candidates have {len(sides[0])} rows and baseline {len(sides[1])}; give the same rows"
        )
    kept = ~np.isnan(np.hstack(sides)).any(axis=1)
    if not kept.any():
        raise ValueError("no row has scores of both systems; give texts and references")
    own, other = (side[kept] for side in sides)
    return tested(metric, (own, other), test, samples, seed)


def tested(
    metric: Formula, sides: tuple[Array, Array], test: str, samples: int, seed: int | None
) -> Score:
    """Return the test of a system and a baseline from their statistics, [row, statistic]."""
    own, other = sides
    place = metric.fields.index(metric.primary)

    def values(sums: Array) -> Array:
        return metric.of_sums(sums)[:, place]

    first, second = (float(values(side.sum(axis=0)[None])[0]) for side in (own, other))
    size = abs(first - second)
    width, bootstrap = own.shape[1], test == "bootstrap"
    if bootstrap:
        parts = resampled(np.hstack([own, other]), samples, seed)
        pairs: Iterable[tuple[Array, Array]] = (
            (sums[:, :width], sums[:, width:]) for sums in parts
        )
    else:
        pairs = _exchanged(own, other, samples, seed)
    drawn = np.concatenate([abs(values(a) - values(b)) for a, b in pairs])
    drawn -= drawn.mean() if bootstrap else 0.0
    p_value = (int((drawn > size).sum()) + 1) / (samples + 1)
    fields = ("value", "baseline", "difference", "p_value")
    return Score(fields, (first, second, first - second, p_value), "value")


def _exchanged(
    own: Array, other: Array, samples: int, seed: int | None
) -> Iterator[tuple[Array, Array]]:
    """Yield the sums of both sides with some rows exchanged, in parts [sample, statistic]."""
    generator = np.random.default_rng(SEED if seed is None else seed)
    # The generator takes 32 draws of a number; so the parts have the draws of a single call.
    step = max(1, PART // len(own) // 32) * 32
    every = own.sum(axis=0) + other.sum(axis=0)
    for begin in range(0, samples, step):
        size = (min(step, samples - begin), len(own))
        chosen = generator.integers(2, size=size, dtype=bool).astype(np.float64)
        sums = own.sum(axis=0) + chosen @ (other - own)
        yield sums, every - sums
