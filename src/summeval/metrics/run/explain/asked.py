"""From a call of `explain` to the texts that a metric explains."""

from __future__ import annotations

from typing import Any, NamedTuple

from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.metrics.run.protocols import Member, compared
from summeval.metrics.run.text_options import one_or_more


class Asked(NamedTuple):
    """The texts of a call of `explain` that the metric reads, none of them None."""

    candidate: str
    references: tuple[str, ...]
    sources: tuple[str, ...]


def asked(metric: Member, candidate: Any, references: Any, source: Any) -> Asked:
    """The texts that a metric explains: a candidate, and at least one text of each kind it reads.

    Raises
    ------
    TypeError
        If a text is neither str nor None.
    ValueError
        If the candidate is None, or there is nothing to compare it with.

    Examples
    --------
    >>> import summeval
    >>> asked(summeval.metric("rouge1"), "a cat", ["the cat", None], None)
    Asked(candidate='a cat', references=('the cat',), sources=())
    >>> asked(summeval.metric("rouge1"), None, "the cat", None)
    Traceback (most recent call last):
    ValueError: there is nothing to explain; give a candidate and a reference
    """
    compared(metric, references, source)
    reads = metric.compared_with
    sides = {"candidate": _texts(() if candidate is None else (candidate,), "candidate")}
    if reads in ("references", "both"):
        sides["reference"] = _texts(one_or_more(references, "references"), "reference")
    if reads in ("source", "both"):
        sides["source"] = _texts(one_or_more(source, "source"), "source")
    if not all(sides.values()):
        raise ValueError(f"there is nothing to explain; give a {' and a '.join(sides)}")
    return Asked(sides["candidate"][0], sides.get("reference", ()), sides.get("source", ()))


def as_one_item(name: str, field: str, value: float, texts: Asked) -> Explanation:
    """The value as one item, for a metric that does not say what it comes from."""
    return Explanation(name, value, (ExplainedItem(field, (), (), value),), *texts)


def _texts(given: Any, name: str) -> tuple[str, ...]:
    found = tuple(given)
    for place, text in enumerate(found):
        if text is not None and not isinstance(text, str):
            number = f" {place + 1}" if len(found) > 1 else ""
            raise TypeError(f"{name}{number} is {type(text).__name__}; pass a str or None")
    return tuple(text for text in found if text is not None)
