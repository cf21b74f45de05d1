"""The parts of a text that items of an explanation stand at, each with all items of its place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from summeval.metrics.run.explain.item import ExplainedItem, Kind, Told

Side = Literal["candidate", "reference", "source"]


class Mark(NamedTuple):
    """A part of a text at which the same items stand.

    Attributes
    ----------
    begin, end : int
        First character, and character after the last.
    kind : str
        `match` if any of the items is one, else that of the first.
    weight : float
        The sum of their shares without sign, each divided by the number of places of its item.
    items : tuple of ExplainedItem
    """

    begin: int
    end: int
    kind: Kind
    weight: float
    items: tuple[ExplainedItem, ...]


class Text(NamedTuple):
    """A text of an explanation, with its name and its marks in their order."""

    side: Side
    name: str
    text: str
    marks: list[Mark]


def marked_texts(told: Told) -> list[Text]:
    """The candidate, the references and the documents of the source.

    >>> import summeval
    >>> told = summeval.metric("rouge2").explain("the cat sat", "the cat ran")
    >>> [(mark.begin, mark.end, mark.kind) for mark in marked_texts(told)[0].marks]
    [(0, 4, 'match'), (4, 7, 'match'), (7, 11, 'extra')]
    """
    found = [Text("candidate", "candidate", told.candidate, marks(told, "candidate"))]
    sides: tuple[tuple[Side, Sequence[str]], ...] = (
        ("reference", told.references),
        ("source", told.sources),
    )
    for side, texts in sides:
        for number, text in enumerate(texts):
            name = f"{side} {number + 1}" if len(texts) > 1 else side
            found.append(Text(side, name, text, marks(told, side, number)))
    return found


def marks(told: Told, side: Side, number: int = 0) -> list[Mark]:
    """The marks of one text: parts that do not overlap, in their order."""
    starts: dict[int, list[int]] = {}
    stops: dict[int, list[int]] = {}
    weights = []
    for k, item in enumerate(told.items):
        spans = _spans(item, side, number)
        weights.append(abs(item.share) / len(spans) if spans else 0.0)
        for begin, end in spans:
            starts.setdefault(begin, []).append(k)
            stops.setdefault(end, []).append(k)
    found: list[Mark] = []
    here: dict[int, int] = {}  # items at this place, and how often
    edges = sorted({*starts, *stops})
    for begin, end in pairwise(edges):
        for k in stops.get(begin, ()):
            here[k] -= 1
        for k in starts.get(begin, ()):
            here[k] = here.get(k, 0) + 1
        here = {k: count for k, count in here.items() if count > 0}
        if here:
            items = [told.items[k] for k in here]
            kinds = [item.kind for item in items]
            kind = "match" if "match" in kinds else kinds[0]
            weight = sum(weights[k] * count for k, count in here.items())
            found.append(Mark(begin, end, kind, weight, tuple(items)))
    return found


def _spans(item: ExplainedItem, side: Side, number: int) -> Sequence[tuple[int, int]]:
    if side == "candidate":
        return item.candidate_spans
    spans = item.reference_spans if side == "reference" else item.source_spans
    return [(begin, end) for of, begin, end in spans if of == number]
