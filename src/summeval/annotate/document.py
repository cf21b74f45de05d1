"""Parsed documents: what providers produce and file readers return."""

from __future__ import annotations

from dataclasses import dataclass, field

from summeval._options import shown

ENTITY_LABELS = ("PER", "ORG", "LOC")


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


@dataclass(frozen=True, slots=True)
class Document:
    """An annotated text; immutable, so that it can be cached and shared.

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
        starts = [0]
        for sentence in self.sentences:
            starts.append(starts[-1] + len(sentence.tokens))
        object.__setattr__(self, "_starts", tuple(starts))
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

    @property
    def starts(self) -> tuple[int, ...]:
        """The number of the first token of each sentence, and the number of all tokens.

        >>> Document((Sentence((Token("A"), Token("cat"))), Sentence((Token("Yes"),)))).starts
        (0, 2, 3)
        """
        return self._starts
