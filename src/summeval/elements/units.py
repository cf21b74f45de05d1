"""Basic Elements from the tokens that rules find: units of several tokens, texts, duplicates.

The tokens of an entity count as one; a pronoun or a name that a chain of coreference has counts as
the name of its chain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from summeval.annotate.coreference import Chains, Mention
from summeval.annotate.document import ENTITY_LABELS, Document, Token
from summeval.elements.dependencies import CLOSED, VERBS
from summeval.elements.elements import Element
from summeval.elements.trees import Found

TYPES = dict(zip(ENTITY_LABELS, ("Person", "Organization", "Location"), strict=True))
_PREFERENCE = ("ORG", "PER", "LOC")  # among spans of equal length

_PRONOUNS = frozenset(("PRP", "PRP$"))
_PROPER = frozenset(("NNP", "NNPS"))
_NOUNS = frozenset(("NN", "NNS"))


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


def covering_of(document: Document, chains: Chains = ()) -> dict[int, Span]:
    """Return the entity of each token, and what chains replace it by."""
    spans = [Span(entity.label, entity.first, entity.last) for entity in document.entities]
    covering = longest(spans)
    if chains:
        covering |= replaced(chains, document, covering)
    return covering


def replaced(chains: Chains, document: Document, covering: Mapping[int, Span]) -> dict[int, Span]:
    """Return the tokens of pronouns and names that a chain replaces, and by which tokens.

    A chain is called by its name: the longest entity that one of its mentions is about, else the
    longest run of proper nouns at the head of a mention, else the first noun at the head of one; a
    chain without any replaces nothing. Its mentions that are pronouns and those that are about a
    name are replaced; "the president" stays.

    Parameters
    ----------
    chains : sequence of sequence of (first, last)
        Tokens are counted from 0 over the document.
    document : Document
    covering : mapping of int to Span
        The entity of each token, as `longest` returns it.

    Returns
    -------
    dict of int to Span
        The label of a span is that of an entity, or a part of speech.

    Examples
    --------
    >>> from summeval.annotate import Entity, Sentence
    >>> tokens = Token("Ann", "NNP", head=1), Token("left", "VBD"), Token("She", "PRP", head=1)
    >>> ann = Span("PER", 0, 0)
    >>> document = Document((Sentence(tokens),), (Entity("PER", 0, 0),))
    >>> replaced([[(0, 0), (2, 2)]], document, {0: ann})
    {0: Span(label='PER', first=0, last=0), 2: Span(label='PER', first=0, last=0)}
    """
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    heads = [
        -1 if token.head < 0 else start + token.head
        for start, sentence in zip(document.starts, document.sentences, strict=False)
        for token in sentence.tokens
    ]
    is_parsed = any(token.label for token in tokens)
    found: dict[int, Span] = {}
    for chain in chains:
        about = [
            _about(mention, _head(mention, tokens, heads if is_parsed else None), tokens, covering)
            for mention in chain
        ]
        name = _name(about)
        if name is None:
            continue
        for mention, span in zip(chain, about, strict=True):
            first, last = mention
            if first == last and tokens[first].tag in _PRONOUNS:
                found[first] = name
            elif span is not None and span.label not in _NOUNS:
                found |= dict.fromkeys(range(span.first, span.last + 1), name)
    return found


def _head(mention: Mention, tokens: Sequence[Token], heads: Sequence[int] | None) -> int:
    """Return the token that a mention is about: whose head is outside, else the last noun."""
    first, last = mention
    inside = range(first, last + 1)
    for number in inside if heads else ():
        if heads and heads[number] not in inside:
            return number
    return max((k for k in inside if tokens[k].tag in _NOUNS | _PROPER), default=last)


def _about(
    mention: Mention, head: int, tokens: Sequence[Token], covering: Mapping[int, Span]
) -> Span | None:
    """Return the name or the noun at the head of a mention."""
    first, last = mention
    entity = covering.get(head)
    if entity is not None:
        return entity if first <= entity.first and entity.last <= last else None
    tag = tokens[head].tag
    if tag not in _PROPER:
        return Span(tag, head, head) if tag in _NOUNS else None
    begin = end = head
    while begin > first and tokens[begin - 1].tag in _PROPER and begin - 1 not in covering:
        begin -= 1
    while end < last and tokens[end + 1].tag in _PROPER and end + 1 not in covering:
        end += 1
    return Span(tag, begin, end)


def _name(about: Sequence[Span | None]) -> Span | None:
    """Return the name of a chain, from what its mentions are about."""

    def rank(span: Span) -> tuple[int, int]:
        kind = 0 if span.label in _NOUNS else 1 if span.label in _PROPER else 2
        return kind, (span.last - span.first if kind else 0)

    known = [span for span in about if span is not None]
    return max(known, key=rank) if known else None
