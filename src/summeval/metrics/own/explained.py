"""What an own metric says of a score, as an `Explanation`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from summeval._options import shown
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation

if TYPE_CHECKING:
    from summeval.metrics.run.base import Metric


def explanation_of(
    metric: Metric,
    result: Any,
    value: float,
    texts: tuple[str, tuple[str, ...], tuple[str, ...]],
) -> Explanation:
    """The explanation, of one or of its items; `texts` are candidate, references and sources.

    An item is an `ExplainedItem`, a mapping with its attributes, or a pair of text and share.

    Raises
    ------
    TypeError
        For anything else.
    """
    if isinstance(result, Explanation):
        return result
    items = tuple(_items(metric.name, result))
    return Explanation(metric.name, value, items, *texts)


def _items(name: str, result: Any) -> Iterable[ExplainedItem]:
    if isinstance(result, (str, Mapping)) or not isinstance(result, Iterable):
        raise TypeError(f"explain of {name} gave {shown(result)}; give an Explanation or items")
    for item in result:
        if isinstance(item, ExplainedItem):
            yield item
        elif isinstance(item, Mapping):
            empty: dict[str, Any] = {"candidate_spans": (), "reference_spans": ()}
            try:
                yield ExplainedItem(**(empty | dict(item)))
            except TypeError as error:
                raise TypeError(f"explain of {name} gave {shown(item)}: {error}") from None
        else:
            try:
                text, share = item
                yield ExplainedItem(str(text), (), (), float(share))
            except (TypeError, ValueError):
                raise TypeError(
                    f"explain of {name} gave {shown(item)}; give pairs of a text and its share"
                ) from None
