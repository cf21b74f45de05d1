"""Documents as JSON: one object per line, its tokens stored as columns."""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn

from summeval.annotate.document import Document, Entity, Sentence, Token, head_problem

_TEXTS = ("forms", "tags", "lemmas", "labels")
_NUMBERS = ("heads", "starts", "ends")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def to_json(document: Document) -> str:
    """Return a document as one line of JSON, which `from_json` reads.

    Examples
    --------
    >>> document = Document((Sentence((Token("Yes", "UH"),)),), text="Yes", provider="hand")
    >>> to_json(document)  # doctest: +NORMALIZE_WHITESPACE
    '{"text":"Yes","provider":"hand","sentences":[{"forms":["Yes"],"tags":["UH"],"lemmas":[""],"labels":[""],"heads":[-1],"starts":[-1],"ends":[-1]}],"entities":[]}'
    >>> from_json(to_json(document)) == document
    True
    """
    return _encode(
        {
            "text": document.text,
            "provider": document.provider,
            "sentences": [_sentence(sentence) for sentence in document.sentences],
            "entities": [[entity.label, entity.first, entity.last] for entity in document.entities],
        }
    )


def from_json(written: str, place: str = "document") -> Document:
    """Read a document that `to_json` wrote.

    Raises
    ------
    ValueError
        Not such a document: invalid JSON, a missing field or one of another type, columns of
        different lengths, heads or entities out of range, or a cycle of heads. The message names
        `place`.
    """
    try:
        value = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{place}: not JSON ({error}); create it with summeval annotate or to_json"
        ) from None
    if not isinstance(value, dict):
        _fail(place, "not a JSON object")
    sentences = tuple(
        _read_sentence(item, f"{place}: sentences[{number}]")
        for number, item in enumerate(_field(value, "sentences", list, place))
    )
    entities = tuple(
        _read_entity(item, f"{place}: entities[{number}]")
        for number, item in enumerate(_field(value, "entities", list, place))
    )
    text = _field(value, "text", str, place)
    try:
        return Document(sentences, entities, text, _field(value, "provider", str, place))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _sentence(sentence: Sentence) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "forms": [token.form for token in sentence.tokens],
        "tags": [token.tag for token in sentence.tokens],
        "lemmas": [token.lemma for token in sentence.tokens],
        "labels": [token.label for token in sentence.tokens],
        "heads": [token.head for token in sentence.tokens],
        "starts": [token.start for token in sentence.tokens],
        "ends": [token.end for token in sentence.tokens],
    }
    return columns if sentence.tree is None else {**columns, "tree": sentence.tree}


def _read_sentence(value: Any, place: str) -> Sentence:
    if not isinstance(value, dict):
        _fail(place, "not a JSON object")
    columns = {name: _column(value, name, str, place) for name in _TEXTS}
    columns |= {name: _column(value, name, int, place) for name in _NUMBERS}
    if len({len(column) for column in columns.values()}) != 1:
        _fail(place, "the columns differ in length")
    found = head_problem(columns["heads"])
    if found:
        _fail(place, f"token {found[0] + 1}: {found[1]}")
    for name in ("tags", "labels"):  # few distinct values: shared
        columns[name] = list(map(sys.intern, columns[name]))
    tree = value.get("tree")
    if tree is not None and not isinstance(tree, str):
        _fail(place, "'tree' is not a string")
    order = ("forms", "tags", "lemmas", "heads", "labels", "starts", "ends")
    return Sentence(tuple(map(Token, *(columns[name] for name in order))), tree)


def _read_entity(value: Any, place: str) -> Entity:
    if not isinstance(value, list) or [type(item) for item in value] != [str, int, int]:
        _fail(place, "not [label, first token, last token]")
    return Entity(*value)


def _column(value: dict[str, Any], name: str, kind: type, place: str) -> list[Any]:
    column: list[Any] = _field(value, name, list, place)
    if not set(map(type, column)) <= {kind}:
        _fail(place, f"{name!r} may hold only {'strings' if kind is str else 'whole numbers'}")
    return column


def _field(value: dict[str, Any], name: str, kind: type, place: str) -> Any:
    if not isinstance(value.get(name), kind):
        _fail(place, f"{name!r} is missing or not a {'list' if kind is list else 'string'}")
    return value[name]


def _fail(place: str, problem: str) -> NoReturn:
    raise ValueError(f"{place}: {problem}; create it with summeval annotate or to_json")
