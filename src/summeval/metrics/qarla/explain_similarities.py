"""What a similarity of QARLA comes from: words, key concepts or sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from math import fsum, sqrt
from typing import Any

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import INTERCEPT, Span, attribute, whole

Units = Sequence[tuple[Hashable, Span]]  # of a text: words, concepts or sentences, and where
Shares = dict[Hashable, float]


def explained_items(
    candidate: str, references: Sequence[str], units: Sequence[Units], kind: str
) -> tuple[ExplainedItem, ...]:
    """An item for each unit; for vectors also the item "intercept".

    Parameters
    ----------
    candidate, references
        The texts.
    units : sequence of units
        Of the candidate, then of each reference.
    kind : str
        The name of the similarity.
    """
    own, *others = ([unit for unit, _ in of] for of in units)
    shares: Shares = {}
    intercept = 0.0
    for other in others:
        for unit, share in _shares(kind, own, other):
            shares[unit] = shares.get(unit, 0.0) + share / len(others)
        intercept += bool(own and other) / len(others)
    counts: list[Counter[Any]] = [Counter(own), Counter(unit for of in others for unit in of)]
    items = attribute(
        (candidate, references),
        [(unit, [span]) for unit, span in units[0]],
        [(unit, [(k, *span)]) for k, of in enumerate(units[1:]) for unit, span in of],
        shares,
        details=lambda unit: {
            "candidate": float(counts[0][unit]),
            "reference": float(counts[1][unit]),
        },
    )
    if kind.startswith(("qarla-vector", "qarla-nicos")) and intercept:
        return (whole(INTERCEPT, intercept), *items)
    return items


def _shares(
    kind: str, own: Sequence[Hashable], other: Sequence[Hashable]
) -> Iterator[tuple[Hashable, float]]:
    """What each unit adds to the similarity to one reference, the intercept left out."""
    mine: Counter[Hashable] = Counter(own)
    theirs: Counter[Hashable] = Counter(other)
    common = mine & theirs
    if kind == "qarla-rouge":
        yield from ((unit, count / len(other)) for unit, count in common.items())
    elif kind in ("qarla-precision", "qarla-recall"):
        whole = len(theirs if kind == "qarla-precision" else mine)
        yield from ((unit, 1 / whole) for unit in common)
    elif own and other:
        most = kind.removeprefix("qarla-vector-")
        yield from _lost(mine, theirs, int(most) if most.isdecimal() else None)


def _lost(
    mine: Counter[Hashable], theirs: Counter[Hashable], most: int | None
) -> Iterator[tuple[Hashable, float]]:
    """What each word takes off 1: the parts that it has of the square of the distance."""
    words: list[Any] = sorted(theirs, key=lambda word: (-theirs[word], word))[:most]
    if most is None:
        words += [word for word in mine if word not in theirs]
    totals = mine.total(), theirs.total()
    apart = [(mine[word] / totals[0] - theirs[word] / totals[1]) ** 2 for word in words]
    square = fsum(apart)
    if square:
        distance = sqrt(square)
        for word, part in zip(words, apart, strict=True):
            yield word, -distance / (1 + distance) * part / square
