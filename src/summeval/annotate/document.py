"""Parsed documents: what providers produce and file readers return; their packed blocks.

A block of bytes, which kernels read and the cache stores, holds the sentences and entities of a
document, not its text or its provider. The layout is that of `_core/documents/packed.hpp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import attrgetter
from typing import Any

from summeval._core.documents.packed import is_packed, pack, unpack
from summeval._options import shown

ENTITY_LABELS = ("PER", "ORG", "LOC")
# What the classes of OntoNotes are; others are no entities here.
ONTONOTES_LABELS = {"PERSON": "PER", "ORG": "ORG", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a sentence.

    Attributes
    ----------
    form : str
        As written.
    tag : str
        Part-of-speech tag of the Penn Treebank; empty if unknown.
    lemma : str
        Empty if unknown.
    head : int
        Position of the head in the sentence; -1 for a root or without a parse.
    label : str
        Label of the dependency on the head, in lower case; empty without a parse.
    start, end : int
        Character offsets in the document's text; -1 if the document has no text.
    """

    form: str
    tag: str = ""
    lemma: str = ""
    head: int = -1
    label: str = ""
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity: tokens `first` to `last` inclusive, counted from 0 over the document."""

    label: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens, and their bracketed tree if there is one."""

    tokens: tuple[Token, ...]
    tree: str | None = None


class _Block:
    """The packed block of a document, kept once there is one."""

    __slots__ = ("_block",)


@dataclass(frozen=True, slots=True)
class Document(_Block):
    """An annotated text; immutable, so that it can be cached and shared.

    A document from the cache keeps its packed block (`packed`), and makes its
    sentences and entities when they are first asked for.

    Attributes
    ----------
    sentences : tuple of Sentence
    entities : tuple of Entity
        Persons (PER), organisations (ORG) and locations (LOC), in the order of their first token.
    text : str
        The text that the token offsets refer to; empty for documents read from files without text.
    provider : str
        Signature of the provider: program, model, versions.
    """

    sentences: tuple[Sentence, ...] = ()
    entities: tuple[Entity, ...] = ()
    text: str = ""
    provider: str = ""
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = tuple(accumulate((len(one.tokens) for one in self.sentences), initial=0))
        object.__setattr__(self, "_starts", starts)
        for number, entity in enumerate(self.entities):
            place = f"entities[{number}]"
            if entity.label not in ENTITY_LABELS:
                known = ", ".join(ENTITY_LABELS)
                raise ValueError(f"{place}: label {shown(entity.label)} is unknown; use {known}")
            if not 0 <= entity.first <= entity.last < starts[-1]:
                raise ValueError(
                    f"{place}: tokens {entity.first} to {entity.last} are outside the document of"
                    f" {starts[-1]} tokens; count from 0, `last` included"
                )

    @classmethod
    def of_block(cls, block: bytes, text: str, provider: str) -> Document:
        """Return the document of a packed block that was checked."""
        made = object.__new__(cls)
        object.__setattr__(made, "text", text)
        object.__setattr__(made, "provider", provider)
        made.keep(block)
        return made

    @property
    def block(self) -> bytes | None:
        """The packed block, if it was made already; `packed` makes it."""
        return getattr(self, "_block", None)

    def keep(self, block: bytes) -> None:
        """Keep the packed block of this document."""
        object.__setattr__(self, "_block", block)

    def __getattr__(self, name: str) -> Any:
        # Python asks here for a field that is not set: the document came as a block.
        block = self.block if name in _MADE_LATER else None
        if block is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        sentences, entities = unpack(block, Token)
        made = Document(
            tuple(Sentence(tokens, tree) for tokens, tree in sentences),
            tuple(Entity(*entity) for entity in entities),
        )
        for field_name in _MADE_LATER:
            object.__setattr__(self, field_name, getattr(made, field_name))
        return getattr(made, name)

    def __reduce__(self) -> tuple[Any, ...]:
        block = self.block
        if block is not None:
            return Document.of_block, (block, self.text, self.provider)
        return Document, (self.sentences, self.entities, self.text, self.provider)

    @property
    def starts(self) -> tuple[int, ...]:
        """The number of the first token of each sentence, and the number of all tokens.

        >>> Document((Sentence((Token("A"), Token("cat"))), Sentence((Token("Yes"),)))).starts
        (0, 2, 3)
        """
        return self._starts


_MADE_LATER = ("sentences", "entities", "_starts")


def head_problem(heads: Sequence[int]) -> tuple[int, str] | None:
    """Return the position (from 0) and problem of the first token with an invalid head, or None.

    Parameters
    ----------
    heads : sequence of int
        The position of each token's head, -1 for roots; any number of roots.

    Examples
    --------
    >>> head_problem([1, -1, 1])
    >>> head_problem([1, 5])
    (1, 'its head is token 6, but the sentence has 2')
    >>> head_problem([1, 2, 1, -1])
    (1, 'its heads form a cycle')
    """
    length = len(heads)
    for position, head in enumerate(heads):
        if not -1 <= head < length:
            return position, f"its head is token {head + 1}, but the sentence has {length}"
    # For each token the number of the walk that visited it, 0 if none has.
    walks = [0] * length
    for start in range(length):
        at = start
        while at >= 0 and not walks[at]:
            walks[at] = start + 1
            at = heads[at]
        if at >= 0 and walks[at] == start + 1:
            return at, "its heads form a cycle"
    return None


def packed(document: Document) -> bytes:
    """Return the block of a document; it is made once and kept on the document.

    Raises
    ------
    ValueError
        A head lies outside its sentence, heads form a cycle, or an offset does not fit into 32
        bits. Documents from providers and files have no such heads.

    Examples
    --------
    >>> from summeval.annotate import Sentence, Token
    >>> document = Document((Sentence((Token("Yes", "UH"),)),), text="Yes", provider="hand")
    >>> from_packed(packed(document), "Yes", "hand") == document
    True
    """
    block = document.block
    if block is None:
        block = _pack(document)
        document.keep(block)
    return block


def from_packed(block: bytes, text: str = "", provider: str = "") -> Document:
    """Return the document of a block; its sentences are made when they are first asked for.

    Raises
    ------
    ValueError
        The block is damaged.
    """
    if not is_packed(block, ENTITY_LABELS):
        raise ValueError("the packed document is damaged; parse the text again")
    return Document.of_block(block, text, provider)


def _pack(document: Document) -> bytes:
    sentences = document.sentences
    tokens = [token for sentence in sentences for token in sentence.tokens]
    texts, numbers = (
        tuple([*map(attrgetter(name), tokens)] for name in names)
        for names in (("form", "tag", "lemma", "label"), ("head", "start", "end"))
    )
    sizes, trees = [len(one.tokens) for one in sentences], [one.tree for one in sentences]
    entities = [(entity.label, entity.first, entity.last) for entity in document.entities]
    try:
        block = pack(sizes, trees, texts, numbers, entities)
    except OverflowError as error:
        raise ValueError(f"document: {error}") from None
    if not is_packed(block, ENTITY_LABELS):
        for number, sentence in enumerate(sentences):
            found = head_problem([token.head for token in sentence.tokens])
            if found:
                place = f"document: sentences[{number}]: token {found[0] + 1}"
                raise ValueError(f"{place}: {found[1]}")
        raise ValueError("document: it cannot be packed; check its entities")
    return block
