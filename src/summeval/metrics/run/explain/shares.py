"""Shares that add up to a value: for what rounding, bounds and texts without words do to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import fsum, inf

from summeval.metrics.run.explain.explanation import ExplainedItem

INTERCEPT, FLOOR = "intercept", "floor"
_ROUNDING, _MOST = 1e-12, 1e-4  # of the size of the shares: what is none, and what is no rounding

Items = tuple[ExplainedItem, ...]


def rounded(items: Iterable[ExplainedItem], value: float) -> Items:
    """The items with shares that add up to `value`, which a kernel rounded in another way.

    The difference is divided by the sizes of the shares. One too large for rounding is left.

    >>> items = [ExplainedItem("a", (), (), 0.25), ExplainedItem("b", (), (), 0.5)]
    >>> [item.share for item in rounded(items, 0.75000003)]
    [0.25000001, 0.50000002]
    """
    found = tuple(items)
    rest = value - fsum(item.share for item in found)
    size = fsum(abs(item.share) for item in found)
    if not _ROUNDING * size < abs(rest) < _MOST * size or size == inf:
        return found
    return tuple(replace(one, share=one.share + rest * (abs(one.share) / size)) for one in found)


def bounded(items: Iterable[ExplainedItem], value: float) -> Items:
    """The items, and one called "floor" with what a lower bound of the metric adds to their sum.

    >>> [(item.text, item.share) for item in bounded([ExplainedItem("a", (), (), -2.0)], -0.5)]
    [('a', -2.0), ('floor', 1.5)]
    """
    found = tuple(items)
    rest = value - fsum(item.share for item in found)
    if not abs(rest) > _ROUNDING * max(1.0, abs(value)):
        return found
    return (*found, whole(FLOOR, rest))


def whole(text: str, share: float, details: dict[str, float] | None = None) -> ExplainedItem:
    """An item that stands nowhere in the texts.

    >>> whole("intercept", 1.5).kind
    'part'
    """
    return ExplainedItem(text, (), (), share, details or {})


def largest_first(items: Iterable[ExplainedItem]) -> Items:
    """The items by the size of their shares; equal ones in the order in which they came.

    >>> items = [whole("a", 0.1), whole("b", -0.3), whole("c", 0.2)]
    >>> [item.text for item in largest_first(items)]
    ['b', 'c', 'a']
    """
    return tuple(sorted(items, key=lambda item: -abs(item.share)))
