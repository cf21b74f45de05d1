"""Build Basic Elements from the tokens that rules find: entities, text of parts, duplicates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from summeval.annotate.document import ENTITY_LABELS
from summeval.elements.elements import Element
from summeval.elements.rules import Found

TYPES = dict(zip(ENTITY_LABELS, ("Person", "Organization", "Location"), strict=True))
_PREFERENCE = ("ORG", "PER", "LOC")  # among spans of equal length

CLOSED = frozenset("IN TO PRT WRB WDT WP PRP PRP$ EX PDT DT".split())
VERBS = ("VB", "MD", "AUX")


class Span(NamedTuple):
    """Tokens `first` to `last` inclusive of a document, from 0, that count as one.

    The label is that of an entity, or a part of speech.
    """

    label: str
    first: int
    last: int


class Words(NamedTuple):
    """The tokens of a sentence, and the number of its first token in the document."""

    forms: Sequence[str]
    tags: Sequence[str]
    start: int


class Placed(NamedTuple):
    """An element, and of each of its parts the first and last token, from 0 over the document.

    What a chain replaces has the tokens of the pronoun or name that is replaced.
    """

    element: Element
    tokens: tuple[tuple[int, int], ...]


def longest(spans: Iterable[Span]) -> dict[int, Span]:
    """Map each token in an entity to the longest entity that covers it; ties prefer ORG, then PER.

    >>> longest([Span("LOC", 0, 1), Span("ORG", 0, 2), Span("PER", 1, 3)])[1]
    Span(label='ORG', first=0, last=2)
    """
    covering: dict[int, Span] = {}
    best = sorted(spans, key=lambda span: _PREFERENCE.index(span.label))
    for span in sorted(best, key=lambda span: span.first - span.last):
        for token in range(span.first, span.last + 1):
            covering.setdefault(token, span)
    return covering


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
    """The text of a part: verbs and closed classes in lower case, others unchanged.

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
        The result of `longest`, with the tokens that a chain replaces
        (`summeval.elements.coreference`).
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
    """The first and last of the tokens that are one with a token."""
    first = last = token
    span = covering.get(token)
    if span is not None:
        while covering.get(first - 1) == span:
            first -= 1
        while covering.get(last + 1) == span:
            last += 1
    return first, last
