"""What a score of TESLA-M comes from: the pairs of n-grams between which the plan sends weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Theirs
from summeval.metrics.run.explain.spans import Span
from summeval.metrics.tesla.tagged import Word

if TYPE_CHECKING:
    from summeval.solvers.result import TransportResult

NGram = tuple[Word, ...]


class ReadText(NamedTuple):
    """A text, its words, and where they stand."""

    text: str
    words: Sequence[Word]
    spans: Sequence[Span]


class NGrams(Protocol):
    """The n-grams of one order: the types of words, and n-grams as places among them."""

    @property
    def words(self) -> Sequence[Word]: ...
    @property
    def units(self) -> Sequence[tuple[int, ...]]: ...


class Side(NamedTuple):
    """One order of n-grams beside one reference.

    Attributes
    ----------
    reference, order : int
        Number of the reference, and words of an n-gram less 1.
    own, other : NGrams
        Those of the candidate and of the reference, the rows and columns of the plan.
    plan : TransportResult or None
        None if one of them has no weight.
    part : float
        What F adds to the value.
    """

    reference: int
    order: int
    own: NGrams
    other: NGrams
    plan: TransportResult | None
    part: float


class _Pair(NamedTuple):
    """Two n-grams between which something goes."""

    own: NGram
    other: NGram
    worth: float
    details: dict[str, float]


def explained_items(
    candidate: ReadText, references: Sequence[ReadText], sides: Sequence[Side]
) -> tuple[ExplainedItem, ...]:
    """An item for each pair, order by order, then for the n-grams that get or send nothing."""
    items: list[ExplainedItem] = []
    missing: dict[NGram, tuple[str, list[Theirs]]] = {}
    sending: set[NGram] = set()
    for side in sides:
        mine = _occurrences(candidate, side.order)
        theirs = _occurrences(references[side.reference], side.order)
        pairs = list(_pairs(side))
        total = sum(pair.worth for pair in pairs)
        for own, other, worth, details in pairs:
            name, called = mine[own].name, theirs[other].name
            items.append(
                ExplainedItem(
                    name if name.lower() == called.lower() else f"{name} = {called}",
                    tuple(mine[own].spans),
                    theirs[other].within(side.reference),
                    side.part * worth / total,
                    details,
                )
            )
        sending.update(pair.own for pair in pairs)
        receiving = {pair.other for pair in pairs}
        for unit, found in theirs.items():
            if unit not in receiving:
                name, places = missing.setdefault(unit, (found.name, []))
                places.extend(found.within(side.reference))
    orders = sorted({side.order for side in sides})
    extra = [
        ExplainedItem(found.name, tuple(found.spans), (), 0.0)
        for order in orders
        for unit, found in _occurrences(candidate, order).items()
        if unit not in sending
    ]
    lacking = [ExplainedItem(name, (), tuple(spans), 0.0) for name, spans in missing.values()]
    return (*items, *lacking, *extra)


class _Occurrences(NamedTuple):
    """What an n-gram is called, and where it stands."""

    name: str
    spans: list[Span]

    def within(self, number: int) -> tuple[Theirs, ...]:
        return tuple((number, *span) for span in self.spans)


def _occurrences(text: ReadText, order: int) -> dict[NGram, _Occurrences]:
    """The n-grams of a text."""
    size = order + 1
    places: dict[NGram, list[int]] = {}
    for at in range(len(text.words) - order):
        places.setdefault(tuple(text.words[at : at + size]), []).append(at)
    return {
        unit: _Occurrences(
            " ".join(text.text[begin:end] for begin, end in text.spans[found[0] : found[0] + size]),
            [(text.spans[at][0], text.spans[at + order][1]) for at in found],
        )
        for unit, found in places.items()
    }


def _pairs(side: Side) -> Iterator[_Pair]:
    """The pairs that add to the optimum, in the order of the candidate."""
    import numpy as np

    plan = side.plan
    if plan is None:
        return
    alike = plan.similarity.at(*(places := np.nonzero(plan.flow > 0)))
    prices = plan.prices
    for row, column, similarity in zip(*map(np.ndarray.tolist, (*places, alike)), strict=True):
        flow = float(plan.flow[row, column])
        if flow * similarity <= 0:
            continue
        details = {"flow": flow, "similarity": similarity}
        if prices is not None:
            details["price"] = float(prices[0][row])
            details["reference_price"] = float(prices[1][column])
        own = tuple(side.own.words[word] for word in side.own.units[row])
        other = tuple(side.other.words[word] for word in side.other.units[column])
        yield _Pair(own, other, flow * similarity, details)
