"""Basic Elements: a rule and one to three typed parts; which tokens of a text count as one.

The tokens of an entity count as one; a pronoun or a name that a chain of coreference has counts as
the name of its chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from summeval._cached import cached_property
from summeval.annotate.coreference import Chains, Mention
from summeval.annotate.document import ENTITY_LABELS, Document, Token

MOST_PARTS = 3

_VERB, _ADJECTIVE, _ADVERB, _OTHER = 2, 3, 4, 1
_ADVERBS = frozenset(("RB", "RBR", "RBS", "WRB"))
_AUXILIARIES = frozenset(("MD", "AUX"))

TYPES = dict(zip(ENTITY_LABELS, ("Person", "Organization", "Location"), strict=True))
_PREFERENCE = ("ORG", "PER", "LOC")  # among spans of equal length

_PRONOUNS = frozenset(("PRP", "PRP$"))
_PROPER = frozenset(("NNP", "NNPS"))
_NOUNS = frozenset(("NN", "NNS"))

# The key that equal elements share.
Key = tuple[tuple[str, int], ...]
# The elements of references, by their names.
Given: TypeAlias = Mapping[str, Iterable["str | Element"]]


def class_of(kind: str) -> int:
    """Return the word class used to compare parts: 2 verb, 3 adjective, 4 adverb, 1 other.

    Source: BEwT-E 0.5.1; nouns, numbers, prepositions and entities are one class.

    >>> class_of("NN"), class_of("VBD"), class_of("Person")
    (1, 2, 1)
    """
    if kind.startswith("VB") or kind in _AUXILIARIES:
        return _VERB
    if kind.startswith("JJ"):
        return _ADJECTIVE
    return _ADVERB if kind in _ADVERBS else _OTHER


@dataclass(frozen=True)
class Element:
    """A Basic Element.

    Attributes
    ----------
    rule : str
        The rule that made it, `r1` to `r52`; not part of `key`.
    parts : tuple of (text, type)
        One to three parts; a type is a part of speech or Person, Organization, Location.

    Examples
    --------
    >>> element = parse("r11 cat|NN+drank|VBD")
    >>> element.rule, element.parts
    ('r11', (('cat', 'NN'), ('drank', 'VBD')))
    >>> str(element)
    'r11 cat|NN+drank|VBD'
    >>> element.key == parse("r14 Cat|NNP+drank|VBN").key
    True
    """

    rule: str
    parts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.rule} " + "+".join(f"{text}|{kind}" for text, kind in self.parts)

    @property
    def content(self) -> str:
        """As `str`, without the rule."""
        return str(self).split(" ", 1)[1]

    @cached_property
    def key(self) -> Key:
        """Texts in lower case with their classes; elements with equal keys count as equal."""
        return tuple((text.lower(), class_of(kind)) for text, kind in self.parts)


def parse(written: str, place: str = "element") -> Element:
    """Read an element as `str` writes it.

    Raises
    ------
    TypeError, ValueError
        Not a str, no rule, no part, a part without a type, or more than three parts; the message
        names `place`.

    Examples
    --------
    >>> parse("r26 invasion|NN+of|IN+Iraq|Location").parts[2]
    ('Iraq', 'Location')
    """
    if not isinstance(written, str):
        raise TypeError(f"{place} is {type(written).__name__}; pass a str or an Element")
    rule, _, rest = written.strip().partition(" ")
    parts = []
    # A text may contain + or |; a part ends at the + that follows its type.
    pieces = rest.split("+")
    text = ""
    for position, piece in enumerate(pieces):
        text = f"{text}+{piece}" if text else piece
        form, bar, kind = text.rpartition("|")
        more = position + 1 < len(pieces)
        if bar and form and kind:
            parts.append((form, kind))
            text = ""
        elif not more:
            break
    if not rule or text or not 1 <= len(parts) <= MOST_PARTS:
        raise ValueError(
            f"{place}: {written!r} is not a Basic Element; write the rule, a space and one to three"
            " parts text|type joined by +"
        )
    return Element(rule, tuple(parts))


def read_elements(given: Iterable[str | Element], place: str) -> list[Element]:
    """Elements as they are, or as they are written.

    >>> read_elements(["r1 cat|NN"], "candidate")
    [Element(rule='r1', parts=(('cat', 'NN'),))]
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"{place} is {type(given).__name__}; give a list of Basic Elements")
    elements = list(given)
    if set(map(type, elements)) <= {Element}:
        return elements  # type: ignore[return-value]
    return [
        element if isinstance(element, Element) else parse(element, f"{place}[{number}]")
        for number, element in enumerate(elements)
    ]


def read_documents(given: Given, place: str) -> dict[str, list[Element]]:
    """Return the elements of each reference, as `read_elements`.

    >>> read_documents({"A": []}, "references")
    {'A': []}
    """
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"{place} is {kind}; give a mapping from names to Basic Elements")
    return {name: read_elements(of, f"{place}[{name!r}]") for name, of in given.items()}


def distinct(elements: Iterable[Element]) -> list[Element]:
    """Return the first of equal elements each.

    >>> distinct([parse("r11 cat|NN+drank|VBD"), parse("r14 Cat|NNP+drank|VBN")])
    [Element(rule='r11', parts=(('cat', 'NN'), ('drank', 'VBD')))]
    """
    kept: dict[Key, Element] = {}
    for element in elements:
        kept.setdefault(element.key, element)
    return list(kept.values())


class Span(NamedTuple):
    """Tokens `first` to `last` inclusive of a document, from 0, that count as one.

    The label is that of an entity, or a part of speech.
    """

    label: str
    first: int
    last: int


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
