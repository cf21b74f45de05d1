"""Basic Elements from the tokens that rules find: units of several tokens, texts, duplicates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from summeval.elements.elements import TYPES, Element, Placed, Span
from summeval.elements.rules import CLOSED, VERBS

Found = tuple[str, tuple[int, ...]]  # the name of a rule, and the tokens that it found


class Words(NamedTuple):
    """The tokens of a sentence, and the number of its first token in the document."""

    forms: Sequence[str]
    tags: Sequence[str]
    start: int


def without_period(text: str) -> str:
    """Remove the last period, unless the last word has another period or is only a period.

    >>> without_period("Acme Inc."), without_period("the U.S.A."), without_period(".")
    ('Acme Inc', 'the U.S.A.', '.')
    """
    if not text.endswith("."):
        return text
    last = text.rsplit(None, 1)[-1]
    return text[:-1] if last.count(".") == 1 and len(last) > 1 else text


def as_written(form: str, tag: str) -> str:
    """Return the text of a part: verbs and closed classes in lower case, others unchanged.

    >>> as_written("He", "PRP"), as_written("Inc.", "NNP"), as_written("Had", "AUX")
    ('he', 'Inc', 'had')
    """
    text = form.lower() if tag in CLOSED or tag.startswith(VERBS) else form
    return without_period(text)


def elements_of(
    words: Words,
    found: Iterable[Found],
    covering: dict[int, Span],
    written: Callable[[Span], str],
) -> list[Placed]:
    """The elements of a sentence; if several cover the same tokens, the one of the smallest rule.

    Rules compare as strings: `r1`, `r10`, `r2`. The tokens of an entity count as one.

    Parameters
    ----------
    words : Words
    found : iterable of (rule, tokens)
        Tokens are positions in the sentence.
    covering : dict of int to Span
        The result of `covering_of`.
    written : callable
        Returns the text of an entity.

    Returns
    -------
    list of Placed
        In the order of `found`.
    """
    forms, tags, start = words
    kept: dict[frozenset[int | Span], tuple[str, int, dict[int | Span, int]]] = {}
    for order, (rule, tokens) in enumerate(found):
        units: dict[int | Span, int] = {}
        for token in tokens:
            units.setdefault(covering.get(start + token, token), token)
        same = frozenset(units)
        before = kept.get(same)
        if before is None or rule < before[0]:
            kept[same] = (rule, order, units)
    elements = []
    for rule, _, units in sorted(kept.values(), key=lambda found: found[1]):
        parts, places = [], []
        for unit, token in units.items():
            if isinstance(unit, Span):
                kind = TYPES.get(unit.label, unit.label)
                parts.append((without_period(written(unit)), kind))
            else:
                parts.append((as_written(forms[unit], tags[unit]), tags[unit]))
            places.append(_around(start + token, covering))
        elements.append(Placed(Element(rule, tuple(parts)), tuple(places)))
    return elements


def _around(token: int, covering: dict[int, Span]) -> tuple[int, int]:
    """Return the first and last of the tokens that are one with a token."""
    first = last = token
    span = covering.get(token)
    if span is not None:
        while covering.get(first - 1) == span:
            first -= 1
        while covering.get(last + 1) == span:
            last += 1
    return first, last
