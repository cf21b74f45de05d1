"""Items of what both sides have, and of what one side has alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.spans import Span

Unit = TypeVar("Unit", bound=Hashable)
Place = TypeVar("Place")
Theirs = tuple[int, int, int]  # number of the text, first character, character after the last


def by_unit(found: Iterable[tuple[Unit, Iterable[Place]]]) -> dict[Unit, list[Place]]:
    """The places of each unit, in the order in which the units come.

    >>> by_unit([("a", [(0, 1)]), ("b", [(2, 3)]), ("a", [(4, 5)])])
    {'a': [(0, 1), (4, 5)], 'b': [(2, 3)]}
    """
    places: dict[Unit, list[Place]] = {}
    for unit, here in found:
        places.setdefault(unit, []).extend(here)
    return places


def written(
    candidate: str,
    texts: Sequence[str],
    own: Mapping[Unit, Sequence[Span]],
    others: Mapping[Unit, Sequence[Theirs]],
    *,
    joint: str = " ",
    size: Callable[[Unit], int] = lambda unit: 1,
) -> Callable[[Unit], str]:
    """What a unit is called: the words where it stands first, in the candidate if it is there.

    ``size``: how many spans make one occurrence of a unit.

    >>> written("A cat", ["a dog"], {"cat": [(2, 5)]}, {"dog": [(0, 2, 5)]})("dog")
    'dog'
    """

    def name(unit: Unit) -> str:
        mine, theirs = own.get(unit, ())[: size(unit)], others.get(unit, ())[: size(unit)]
        if mine:
            return joint.join(candidate[begin:end] for begin, end in mine)
        return joint.join(texts[number][begin:end] for number, begin, end in theirs)

    return name


def items_of(
    own: Mapping[Unit, Sequence[Span]],
    others: Mapping[Unit, Sequence[Theirs]],
    shares: Mapping[Unit, float],
    *,
    text: Callable[[Unit], str],
    details: Callable[[Unit], Mapping[str, float]] = lambda unit: {},
    in_source: bool = False,
) -> tuple[ExplainedItem, ...]:
    """An item for each unit: those of the candidate, then those that only the others have.

    Parameters
    ----------
    own, others : mapping of unit to places
        Where the candidate and the others have each unit.
    shares : mapping of unit to float
        0 for units that it lacks.
    text, details : callable
        Of a unit: what people call it, and numbers of the metric.
    in_source : bool
        Whether the others are documents of the source.

    Examples
    --------
    >>> found = items_of({"a": [(0, 1)]}, {"b": [(0, 2, 3)]}, {"a": 0.5}, text=str)
    >>> [(item.text, item.kind, item.share) for item in found]
    [('a', 'extra', 0.5), ('b', 'missing', 0.0)]
    """
    made = []
    for unit in dict.fromkeys((*own, *others)):
        theirs = tuple(others.get(unit, ()))
        made.append(
            ExplainedItem(
                text(unit),
                tuple(own.get(unit, ())),
                () if in_source else theirs,
                shares.get(unit, 0.0),
                details(unit),
                source_spans=theirs if in_source else (),
            )
        )
    return tuple(made)
