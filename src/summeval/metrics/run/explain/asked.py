"""From a call of `explain` to the texts that a metric explains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.metrics.run.protocols import compared
from summeval.metrics.run.text_options import one_or_more

if TYPE_CHECKING:
    from summeval.metrics.run.base import Metric


def explained(metric: Metric, candidate: Any, references: Any, source: Any) -> Explanation:
    """The explanation of a score, after a check of the texts.

    A metric is given the texts that it reads; its `explain_texts` may rely on str without None,
    and on a candidate and at least one text of each kind that it compares with.

    Raises
    ------
    TypeError
        If a text is neither str nor None.
    ValueError
        If the candidate is None, or there is nothing to compare it with.

    Examples
    --------
    >>> import summeval
    >>> explained(summeval.metric("rouge1"), None, "the cat", None)
    Traceback (most recent call last):
    ValueError: there is nothing to explain; give a candidate and a reference
    """
    compared(metric, references, source)
    reads = metric.compared_with
    sides = {"candidate": _texts(candidate, "candidate")}
    if reads in ("references", "both"):
        sides["reference"] = _texts(references, "reference")
    if reads in ("source", "both"):
        sides["source"] = _texts(source, "source")
    if not all(sides.values()):
        raise ValueError(f"there is nothing to explain; give a {' and a '.join(sides)}")
    return metric.explain_texts(
        sides["candidate"][0], sides.get("reference", ()), sides.get("source", ())
    )


def unexplained(
    metric: Metric, candidate: str, references: tuple[str, ...], sources: tuple[str, ...]
) -> Explanation:
    """The value as one item."""
    value = float(metric.score(candidate, references or None, source=sources or None).value)
    item = ExplainedItem(metric.primary, (), (), value)
    return Explanation(metric.name, value, (item,), candidate, references, sources)


def _texts(given: Any, name: str) -> tuple[str, ...]:
    found = tuple(one_or_more(given, name))
    for place, text in enumerate(found):
        if text is not None and not isinstance(text, str):
            number = f" {place + 1}" if len(found) > 1 else ""
            raise TypeError(f"{name}{number} is {type(text).__name__}; pass a str or None")
    return tuple(text for text in found if text is not None)
