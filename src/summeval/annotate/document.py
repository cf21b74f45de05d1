"""Parsed documents: what every provider makes and every reader of a file returns."""

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
        Part of speech of the Penn Treebank; empty if it is not known.
    lemma : str
        Empty if it is not known.
    head : int
        Position in the sentence of the token it depends on; -1 for a root, or without a parse.
    label : str
        Of the dependency on the head, in lower case; empty without a parse.
    start, end : int
        Characters `start` to `end` of the document's text; -1 if there is no text to point into.
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
    """A named entity: tokens `first` to `last`, both of it, counted from 0 over the document."""

    label: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens, and the bracketed tree over them if there is one."""

    tokens: tuple[Token, ...]
    tree: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """An annotated text; immutable, so that it can be kept and shared.

    Attributes
    ----------
    sentences : tuple of Sentence
    entities : tuple of Entity
        Persons (PER), organisations (ORG) and locations (LOC), in the order of their first token.
    text : str
        What the offsets of the tokens point into; empty for documents read from files without it.
    provider : str
        Signature of what annotated it: program, model, versions.
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
                raise ValueError(f"{place}: label {shown(entity.label)}; use one of {known}")
            if not 0 <= entity.first <= entity.last < starts[-1]:
                raise ValueError(
                    f"{place}: tokens {entity.first} to {entity.last} of a document that has"
                    f" {starts[-1]}; count from 0, the last one included"
                )

    @property
    def starts(self) -> tuple[int, ...]:
        """Number of the first token of each sentence over the document, and that of all tokens.

        >>> Document((Sentence((Token("A"), Token("cat"))), Sentence((Token("Yes"),)))).starts
        (0, 2, 3)
        """
        return self._starts
