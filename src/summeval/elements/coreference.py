"""Which pronouns and names of a document Basic Elements replace by the name of their chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from summeval.annotate.coreference import Chains, Mention
from summeval.annotate.document import Document, Token
from summeval.elements.assembly import Span

_PRONOUNS = frozenset(("PRP", "PRP$"))
_PROPER = frozenset(("NNP", "NNPS"))
_NOUNS = frozenset(("NN", "NNS"))


def replaced(chains: Chains, document: Document, covering: Mapping[int, Span]) -> dict[int, Span]:
    """The tokens of pronouns and names that a chain replaces, and by which tokens.

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
    heads = _Heads(document, tokens)
    found: dict[int, Span] = {}
    for chain in chains:
        about = [_about(mention, heads.of(mention), tokens, covering) for mention in chain]
        name = _name(about)
        if name is None:
            continue
        for mention, span in zip(chain, about, strict=True):
            first, last = mention
            if first == last and tokens[first].tag in _PRONOUNS:
                found[first] = name
            elif span is not None and span.label not in _NOUNS and name.label not in _NOUNS:
                found |= dict.fromkeys(range(span.first, span.last + 1), name)
    return found


class _Heads:
    """The heads of the tokens of a document, counted over it; -1 for a root."""

    def __init__(self, document: Document, tokens: Sequence[Token]) -> None:
        self._parsed = any(token.label for token in tokens)
        self._tokens = tokens
        self._heads = [
            -1 if token.head < 0 else start + token.head
            for start, sentence in zip(document.starts, document.sentences, strict=False)
            for token in sentence.tokens
        ]

    def of(self, mention: Mention) -> int:
        """The token that a mention is about: whose head is outside, else the last noun."""
        first, last = mention
        if self._parsed:
            for number in range(first, last + 1):
                if not first <= self._heads[number] <= last:
                    return number
        nouns = [k for k in range(first, last + 1) if self._tokens[k].tag in _NOUNS | _PROPER]
        return nouns[-1] if nouns else last


def _about(
    mention: Mention, head: int, tokens: Sequence[Token], covering: Mapping[int, Span]
) -> Span | None:
    """The name or the noun at the head of a mention."""
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
    """The name of a chain, from what its mentions are about."""

    def rank(span: Span) -> tuple[int, int]:
        kind = 0 if span.label in _NOUNS else 1 if span.label in _PROPER else 2
        return kind, (span.last - span.first if kind else 0)

    known = [span for span in about if span is not None]
    return max(known, key=rank) if known else None
