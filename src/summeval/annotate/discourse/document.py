"""Texts with discourse relations in the style of the Penn Discourse Treebank."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import index
from typing import Any

from summeval._options import shown, unknown
from summeval.annotate.document import Document

LEVEL_1 = ("Comparison", "Contingency", "Expansion", "Temporal")
"""The senses of level 1."""

WITH_SENSE = ("Explicit", "Implicit", "AltLex", "AltLexC")
WITHOUT_SENSE = ("EntRel", "NoRel", "Hypophora")
TYPES = (*WITH_SENSE, *WITHOUT_SENSE)
"""The relation types of the PDTB 3. The PDTB 2 lacks AltLexC and Hypophora."""

Span = tuple[int, int]
_SEVERAL = "pass [first, last + 1] or several such spans"
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Relation:
    """A validated discourse relation of a `DiscourseDocument`.

    Attributes
    ----------
    type : str
        One of `TYPES`.
    senses : tuple of str
        Levels separated by dots, the first one of `LEVEL_1`: `Contingency.Cause.Reason`. Empty for
        types without a sense: EntRel, NoRel, Hypophora.
    conn_tokens : tuple of int
        Ascending token numbers of the connective over the document; empty if there is none.
    arg1, arg2 : tuple of (int, int)
        The spans of each argument, in order: [first, last + 1], as token numbers over the document.
    """

    type: str
    senses: tuple[str, ...]
    conn_tokens: tuple[int, ...]
    arg1: tuple[Span, ...]
    arg2: tuple[Span, ...]

    @property
    def sense(self) -> str:
        """The first sense, or the type if there is no sense.

        >>> Relation("EntRel", (), (), ((0, 1),), ((1, 2),)).sense
        'EntRel'
        """
        return self.senses[0] if self.senses else self.type

    @property
    def level_1(self) -> str:
        """The first level of the first sense, or the type if there is no sense.

        >>> Relation("Implicit", ("Temporal.Synchronous",), (), ((0, 1),), ((1, 2),)).level_1
        'Temporal'
        """
        return self.sense.partition(".")[0]

    @property
    def arguments(self) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """Both arguments with their names Arg1 and Arg2."""
        return ("Arg1", self.arg1), ("Arg2", self.arg2)


@dataclass(frozen=True, slots=True, init=False)
class DiscourseDocument:
    """Sentences of tagged tokens with discourse relations.

    Parameters
    ----------
    sentences : sequence of sequences of (token, tag)
        Tags of the Penn Treebank; empty if unknown.
    relations : iterable of mapping or Relation
        Mappings have `type`, `sense` (one or a sequence; none for EntRel, NoRel and Hypophora),
        `conn_tokens` (token numbers; optional), `arg1` and `arg2` (each a span `[first, last + 1]`
        or a sequence of spans); other keys are ignored. Tokens are counted from 0 over the
        document. Relations may overlap and cross, and so may the two arguments of a relation; the
        spans of one argument may not overlap. Relations of any type may lack connective tokens.

    Attributes
    ----------
    sentences : tuple of tuples of (str, str)
    relations : tuple of Relation
        In the given order.
    starts : tuple of int
        Number of the first token of each sentence, followed by the total number of tokens.

    Raises
    ------
    TypeError, ValueError
        An unknown type or sense (only the first level is checked), tokens out of range, or an
        argument without tokens; the message names the sentence or relation.

    Examples
    --------
    >>> document = DiscourseDocument(
    ...     [[("It", "PRP"), ("rained", "VBD")], [("So", "RB"), ("we", "PRP"), ("left", "VBD")]],
    ...     [{"type": "Explicit", "sense": "Contingency.Cause.Result", "conn_tokens": [2],
    ...       "arg1": [0, 2], "arg2": [3, 5]}],
    ... )
    >>> document.relations[0].level_1, document.relations[0].arg2
    ('Contingency', ((3, 5),))
    >>> document.starts
    (0, 2, 5)
    """

    sentences: tuple[tuple[tuple[str, str], ...], ...]
    relations: tuple[Relation, ...]
    starts: tuple[int, ...]

    def __init__(
        self,
        sentences: Iterable[Sequence[Sequence[str]]] = (),
        relations: Iterable[Mapping[str, Any] | Relation] = (),
    ) -> None:
        read = tuple(_sentence(given, number) for number, given in enumerate(sentences))
        starts = tuple(accumulate(map(len, read), initial=0))
        object.__setattr__(self, "sentences", read)
        object.__setattr__(self, "starts", starts)
        found = tuple(
            checked(given, f"relations[{number}]", starts[-1])
            for number, given in enumerate(relations)
        )
        object.__setattr__(self, "relations", found)

    @classmethod
    def of(
        cls, document: Document, relations: Iterable[Mapping[str, Any] | Relation] = ()
    ) -> DiscourseDocument:
        """Combine the sentences of an annotated document with relations.

        Examples
        --------
        >>> from summeval.annotate import Sentence, Token
        >>> document = Document((Sentence((Token("Yes", "UH"),)),))
        >>> DiscourseDocument.of(document).sentences
        ((('Yes', 'UH'),),)
        """
        return cls(_tagged(document), relations)

    @classmethod
    def known(cls, document: Document, relations: Iterable[Relation]) -> DiscourseDocument:
        """Combine an annotated document with relations that are sound, without checking them."""
        made = object.__new__(cls)
        object.__setattr__(made, "sentences", _tagged(document))
        object.__setattr__(made, "relations", tuple(relations))
        object.__setattr__(made, "starts", document.starts)
        return made


def _tagged(document: Document) -> tuple[tuple[tuple[str, str], ...], ...]:
    return tuple(
        tuple([(token.form, token.tag) for token in sentence.tokens])
        for sentence in document.sentences
    )


def _sentence(given: Sequence[Sequence[str]], number: int) -> tuple[tuple[str, str], ...]:
    if isinstance(given, str):
        raise TypeError(f"sentences[{number}] is str; pass a list of (token, tag)")
    tokens: list[tuple[str, str]] = []
    for position, pair in enumerate(given):
        fields = () if isinstance(pair, str) else tuple(pair)
        if len(fields) != 2 or not all(isinstance(field, str) for field in fields):
            raise TypeError(f"sentences[{number}][{position}] is {shown(pair)}; pass (token, tag)")
        tokens.append((fields[0], fields[1]))
    return tuple(tokens)


def checked(given: Mapping[str, Any] | Relation, place: str, tokens: int) -> Relation:
    """Check a relation of a document with `tokens` tokens, as given to `DiscourseDocument`.

    Raises
    ------
    TypeError, ValueError
        The relation is invalid; the message names `place`.
    """
    fields = _fields(given) if isinstance(given, Relation) else given
    if not isinstance(fields, Mapping):
        raise TypeError(f"{place} is {type(given).__name__}; pass a mapping with type, arg1, arg2")
    missing = [name for name in ("type", "arg1", "arg2") if fields.get(name) is None]
    if missing:
        raise ValueError(f"{place} has no {shown(missing[0])}; give type, sense, arg1 and arg2")
    kind = fields["type"]
    if kind not in TYPES:
        raise ValueError(f"{place}: {unknown('type', kind, TYPES)}")
    return Relation(
        kind,
        _senses(kind, fields.get("sense"), place),
        _connective(fields.get("conn_tokens"), f"{place}: conn_tokens", tokens),
        _spans(fields["arg1"], f"{place}: arg1", tokens),
        _spans(fields["arg2"], f"{place}: arg2", tokens),
    )


def _fields(relation: Relation) -> dict[str, Any]:
    """Return a relation as it is given to a `DiscourseDocument`."""
    own = ("type", "senses", "conn_tokens", "arg1", "arg2")
    return {name.replace("senses", "sense"): getattr(relation, name) for name in own}


def _senses(kind: str, given: object, place: str) -> tuple[str, ...]:
    if given is None or isinstance(given, str):
        found: tuple[Any, ...] = (given,) if given else ()
    elif isinstance(given, Sequence):
        found = tuple(given)
    else:
        raise TypeError(f"{place}: sense is {type(given).__name__}; pass a str or several")
    if kind in WITHOUT_SENSE:
        if found not in ((), (kind,)):
            raise ValueError(f"{place}: {kind} with sense {shown(given)}; remove the sense")
        return ()
    if not found:
        raise ValueError(f"{place}: {kind} without sense; give one of {', '.join(LEVEL_1)}")
    for sense in found:
        if not isinstance(sense, str) or sense.partition(".")[0] not in LEVEL_1:
            raise ValueError(f"{place}: {unknown('sense', sense, LEVEL_1)}")
    return found


def _connective(given: object, place: str, tokens: int) -> tuple[int, ...]:
    numbers = sorted(set(_numbers(() if given is None else given, place)))
    for number in numbers:
        if not 0 <= number < tokens:
            raise ValueError(f"{place}: token {number} is outside the document of {tokens} tokens")
    return tuple(numbers)


def _spans(given: object, place: str, tokens: int) -> tuple[Span, ...]:
    """Return the spans in order; raise if one is empty or out of range or two overlap."""
    given = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise TypeError(f"{place} is {shown(given)}; {_SEVERAL}")
    several = [given] if given and not isinstance(given[0], Sequence) else given
    spans: list[Span] = []
    for each in several:
        numbers = _numbers(each, place)
        if len(numbers) != 2:
            raise ValueError(f"{place} is {shown(given)}; {_SEVERAL}")
        first, end = numbers
        if not 0 <= first < end <= tokens:
            raise ValueError(
                f"{place}: tokens {first} to {end} exceed the document of {tokens}; a span is"
                " [first, last + 1], counted from 0 over the document"
            )
        spans.append((first, end))
    if not spans:
        raise ValueError(f"{place} has no tokens")
    spans.sort()
    for before, after in pairwise(spans):
        if after[0] < before[1]:
            raise ValueError(f"{place}: spans {list(before)} and {list(after)} overlap; merge them")
    return tuple(spans)


def _numbers(given: object, place: str) -> list[int]:
    try:
        return [index(number) for number in given]  # type: ignore[attr-defined]
    except TypeError:
        raise TypeError(f"{place} is {shown(given)}; pass token numbers") from None


def spans(numbers: Sequence[int]) -> tuple[Span, ...]:
    """Convert ascending token numbers to spans.

    >>> spans([3, 4, 5, 8])
    ((3, 6), (8, 9))
    """
    found: list[Span] = []
    for number in numbers:
        if found and found[-1][1] == number:
            found[-1] = (found[-1][0], number + 1)
        else:
            found.append((number, number + 1))
    return tuple(found)


def to_json(document: DiscourseDocument, text: str = "") -> str:
    r"""Return a document and its text as one line of JSON, which `from_json` reads.

    Examples
    --------
    >>> document = DiscourseDocument(
    ...     [[("Yes", "UH")], [("No", "UH")]], [{"type": "NoRel", "arg1": [0, 1], "arg2": [1, 2]}]
    ... )
    >>> to_json(document, "Yes\nNo")  # doctest: +NORMALIZE_WHITESPACE
    '{"text":"Yes\\nNo","sentences":[[["Yes","UH"]],[["No","UH"]]],"relations":[{"type":"NoRel","sense":[],"conn_tokens":[],"arg1":[[0,1]],"arg2":[[1,2]]}]}'
    >>> from_json(to_json(document)) == document
    True
    """
    relations = [_fields(relation) for relation in document.relations]
    return encode({"text": text, "sentences": document.sentences, "relations": relations})


def from_json(written: str, place: str = "document") -> DiscourseDocument:
    """Read a document that `to_json` wrote.

    Raises
    ------
    ValueError
        Not such a document; the message names `place`.
    """
    try:
        value = json.loads(written)
        return DiscourseDocument(value["sentences"], value["relations"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"{place}: not a discourse document ({error}); write it with to_json"
        ) from None
