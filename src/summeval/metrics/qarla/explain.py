"""Explanations of QARLA: triples of references; words, key concepts or sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from math import fsum, isnan, sqrt
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval.metrics.explained import part_of
from summeval.metrics.qarla import count_triples
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.metrics.run.explain.items import INTERCEPT, Span, attribute, whole
from summeval.metrics.run.runner import has_words

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from summeval.metrics.qarla.parts import Parts

Units = Sequence[tuple[Hashable, Span]]  # of a text: words, concepts or sentences, and where
Shares = dict[Hashable, float]


def by_reference(
    name: str,
    value: float,
    similarities: Parts,
    triples: str,
    *,
    texts: tuple[str, tuple[str, ...]],
) -> Explanation:
    """Return the share of the triples of each reference m in which the candidate is as close to m.

    The details of a reference have the similarity of the candidate by each metric, and the share of
    its triples that this metric alone allows. `texts` are the candidate and the references, `value`
    is their QUEEN by the metric of this name.
    """
    import numpy as np

    candidate, references = texts
    count, names = len(references), similarities.names
    others = columns.texts(list(references), "references")
    sets = columns.references([list(references)], "references")
    own = columns.texts([candidate], "candidate")
    cells = similarities.beside(others, sets.take(np.zeros(count, np.int64)), 1)
    peers = similarities.beside(own, sets, 1)
    hits = peers[:, :, None, None] >= cells.reshape(len(names), 1, count, count)
    counted = _counted(count, triples)
    close = (hits.all(axis=0) & counted).sum(axis=(1, 2)).tolist()
    alone = ((hits & counted).sum(axis=(2, 3)) / counted.sum(axis=(1, 2))).tolist()
    worded = has_words((candidate,))
    span = ((0, len(candidate)),) if worded else ()
    items = []
    for m in range(count):
        details: dict[str, float] = {}
        for k, (similarity, up) in enumerate(zip(names, similarities.rising, strict=True)):
            details[similarity] = float(peers[k, m]) * (1 if up else -1)
            details[f"{similarity} alone"] = alone[k][m]
        share = close[m] / count_triples(count, triples) if worded else 0.0
        share = value if isnan(value) else share
        place = ((m, 0, len(references[m])),) if references[m] else ()
        items.append(ExplainedItem(f"reference {m + 1}", span, place, share, details))
    members = [one for one in similarities.suite.metrics if isinstance(one, Metric)]
    parts = tuple(part_of(one, candidate, references, ()) for one in members)
    return Explanation(name, value, tuple(items), candidate, references, (), parts)


def _counted(count: int, triples: str) -> NDArray[bool_]:
    """Return which triples [m, m', m''] count.

    >>> [int(_counted(4, triples).sum()) for triples in ("pairs", "distinct", "all")]
    [48, 24, 64]
    """
    import numpy as np

    m, one, two = np.indices((count, count, count))
    if triples == "all":
        return np.ones((count, count, count), bool)
    apart = [one != two, *([m != one, m != two] if triples == "distinct" else [])]
    return np.asarray(np.logical_and.reduce(apart))


def explained_items(
    candidate: str, references: Sequence[str], units: Sequence[Units], kind: str
) -> tuple[ExplainedItem, ...]:
    """Return an item for each unit; for vectors also the item "intercept".

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
    """Yield what each unit adds to the similarity to one reference, the intercept left out."""
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
    """Yield what each word takes off 1: the parts that it has of the square of the distance."""
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
