"""Explanations of BERTScore: each token and the one that it is most like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import whole

if TYPE_CHECKING:
    from numpy import float32, float64
    from numpy.typing import NDArray

    from summeval.metrics.bertscore.runner import Read, Reader

BASELINE = "baseline"
Place = tuple[str, tuple[int, int] | None]  # what a token is called, and its characters


class Side(NamedTuple):
    """A text that was read, with the places of its tokens."""

    read: Read
    places: Sequence[Place]

    @classmethod
    def of(cls, reader: Reader, text: str) -> Side:
        (read,) = reader.read([text])
        return cls(read, reader.places(text))


def pairs(mine: Side, others: Side, number: int, part: float) -> list[ExplainedItem]:
    """The pairs of tokens of which one is the most like the other, in the order of the reference.

    Half of F is divided among the tokens of the candidate as precision is, half among those of the
    reference as recall is.

    Parameters
    ----------
    mine, others : Side
        Of the candidate and the reference.
    number : int
        Of the reference.
    part : float
        The part of the value that the reference decides.
    """
    import numpy as np

    if mine.read.empty or others.read.empty:
        return []
    cosines = _unit(mine.read.vectors) @ _unit(others.read.vectors).T
    sides = ((mine.read.weights, cosines.max(axis=1)), (others.read.weights, cosines.max(axis=0)))
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = (weights * best / weights.sum() for weights, best in sides)
        p, r = precision.sum(), recall.sum()
        value = 2 * p * r / (p + r)
    if not value or not np.isfinite(value):
        return []
    found: dict[tuple[int, int], float] = {}
    for i, j in enumerate(cosines.argmax(axis=1).tolist()):
        found[i, j] = found.get((i, j), 0.0) + float(precision[i] / p)
    for j, i in enumerate(cosines.argmax(axis=0).tolist()):
        found[i, j] = found.get((i, j), 0.0) + float(recall[j] / r)
    items = []
    for (i, j), share in sorted(found.items(), key=lambda each: each[0][::-1]):
        if not mine.read.weights[i] and not others.read.weights[j]:
            continue  # what begins and ends a text
        (own, span), (other, place) = mine.places[i], others.places[j]
        items.append(
            ExplainedItem(
                own if own == other else f"{other} = {own}",
                () if span is None else (span,),
                () if place is None else ((number, *place),),
                share * float(value) / 2 * part,
                {"cosine": float(cosines[i, j])},
            )
        )
    return items


def rescaled(items: Sequence[ExplainedItem], baseline: float) -> list[ExplainedItem]:
    """The items of a value from which the baseline is subtracted, which is an item of its own.

    >>> [round(item.share, 6) for item in rescaled([whole("a", 0.9)], 0.8)]
    [4.5, -4.0]
    """
    scale = 1 / (1 - baseline)
    found = [
        ExplainedItem(
            one.text, one.candidate_spans, one.reference_spans, one.share * scale, one.details
        )
        for one in items
    ]
    return [*found, whole(BASELINE, -baseline * scale)]


def _unit(vectors: NDArray[float32]) -> NDArray[float64]:
    import numpy as np

    rows = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))
