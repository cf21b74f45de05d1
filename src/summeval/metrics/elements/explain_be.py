"""What a score of BE comes from, element by element."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from summeval.metrics.elements import be_counts
from summeval.metrics.elements.placed import PlacedElement
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import by_unit, items_of
from summeval.metrics.run.explain.spans import Span

Unit = TypeVar("Unit", bound=Hashable)
NIL = "NIL"
Triple = tuple[str, str, str]  # head, modifier, relation
PlacedUnit = tuple[be_counts.Triple, str, list[Span]]  # as it is compared, as it is written, where


def units_of(
    elements: Sequence[PlacedElement],
    triple_of: Callable[[PlacedElement], Triple],
    count: Callable[[list[Triple]], be_counts.Units],
) -> list[PlacedUnit]:
    """The units that a metric counts of a text.

    Parameters
    ----------
    elements : sequence of PlacedElement
    triple_of : callable
        Head, modifier and relation of an element.
    count : callable
        The units of some triples.
    """
    found = []
    for one in elements:
        triple = triple_of(one)
        for unit in count([triple]):
            # the parts that are compared: a relation between two others may not be
            both = zip(triple, unit, strict=True)
            written = "|".join(text for text, kept in both if kept and text != NIL)
            spans = list(one.spans)
            if len(spans) == 3 and not unit[2]:
                del spans[1]
            found.append((unit, written, spans))
    return found


def explained_items(
    own: Sequence[PlacedUnit],
    others: Sequence[Sequence[PlacedUnit]],
    sets: Sequence[tuple[Sequence[int], float]],
) -> tuple[ExplainedItem, ...]:
    """An item for each unit.

    Parameters
    ----------
    own, others
        The units of the candidate and of each reference.
    sets : sequence of (sequence of int, float)
        References that are summed, and the value that they give. A unit's share is the mean over
        the sets of this value times the unit's part of the hits. The details `hits` and
        `reference` are its counts over all references that are summed in some set.
    """
    mine = Counter(unit for unit, _, _ in own)
    theirs = [Counter(unit for unit, _, _ in of) for of in others]
    shared = [(mine & of) for of in theirs]
    used = sorted({number for numbers, _ in sets for number in numbers})
    shares: Counter[be_counts.Triple] = Counter()
    for numbers, value in sets:
        total = sum(shared[number].total() for number in numbers)
        for number in numbers:
            for unit, hits in shared[number].items():
                shares[unit] += value * hits / total / len(sets)  # type: ignore[assignment]

    def details(unit: be_counts.Triple) -> dict[str, float]:
        return {
            "hits": float(sum(shared[number][unit] for number in used)),
            "reference": float(sum(theirs[number][unit] for number in used)),
        }

    told = {unit: written for of in (*others, own) for unit, written, _ in of}
    return items_of(
        by_unit((unit, spans) for unit, _, spans in own),
        by_unit(
            (unit, [(number, *span) for span in spans])
            for number in used
            for unit, _, spans in others[number]
        ),
        shares,
        text=told.__getitem__,
        details=details,
    )
