"""N-gram graphs as their papers define them, compared edge by edge.

Giannakopoulos, Karkaletsis, Vouros and Stamatopoulos 2008, "Summarization System Evaluation
Revisited: N-Gram Graphs" (AutoSummENG); Giannakopoulos and Karkaletsis 2011 (MeMoG) and 2013,
"Summary Evaluation: Together We Stand NPowER-ed".
"""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from summeval.metrics.explained import (
    Graph,
    Levels,
    levels,
    merge,
    shares,
    utf16_units,
)


class Likeness(NamedTuple):
    """Value, containment and size similarity (VS, CS, SS)."""

    value: float
    containment: float
    size: float


class Scores(NamedTuple):
    """The results of the two graph metrics and their combination."""

    autosummeng: Likeness
    memog: Likeness
    npower: float


def similarity(left: Graph, right: Graph) -> Likeness:
    """The similarity of two graphs; 0 if one is empty.

    >>> (mine,), (other,) = levels("abcdef", 3, 3, 3), levels("abcdeg", 3, 3, 3)
    >>> similarity(mine, other)
    Likeness(value=0.5, containment=0.5, size=1.0)
    """
    if not left or not right:
        return Likeness(0.0, 0.0, 0.0)
    common = left.keys() & right.keys()
    ratios = fsum(min(left[e], right[e]) / max(left[e], right[e]) for e in common)
    less, more = sorted((len(left), len(right)))
    return Likeness(ratios / more, len(common) / less, less / max(1, more))


def compare(left: Levels, right: Levels, weights: Sequence[float]) -> Likeness:
    """The similarity over all lengths of n-grams."""
    found = [similarity(*pair) for pair in zip(left, right, strict=True)]
    return Likeness(*(_dot(weights, of) for of in zip(*found, strict=True)))


def score(
    candidate: str,
    references: Sequence[str],
    *,
    min_n: int = 3,
    max_n: int = 3,
    window: int = 3,
    released: bool = False,
) -> Scores:
    """AutoSummENG, MeMoG and NPowER of a candidate; `released` reproduces the program's defects.

    >>> score("abcdef", ["abcdeg"]).npower
    0.47345
    """
    texts = [candidate, *references]
    if released:
        texts = [utf16_units(text) for text in texts]
    peer, *models = [levels(text, min_n, max_n, window) for text in texts]
    weights = shares(min_n, max_n)
    together = [merge(same, enter_as_one=released) for same in zip(*models, strict=True)]
    merged = compare(peer, together, weights)
    each = [compare(peer, model, weights) for model in models]
    if released:
        each[0], last = merged, each[-1]
        merged = last if len(each) > 1 else merged
    mean = Likeness(*(fsum(of) / len(each) for of in zip(*each, strict=True)))
    return Scores(mean, merged, (5.2905 * mean.value + 3.0053 * merged.value + 0.5866) / 10)


def _dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return fsum(weight * value for weight, value in zip(weights, values, strict=True))
