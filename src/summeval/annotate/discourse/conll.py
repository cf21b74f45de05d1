"""The files of the CoNLL shared tasks of 2015 and 2016: `relations.json` and `parses.json`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from summeval._options import shown
from summeval.annotate.discourse.arguments import spans
from summeval.annotate.discourse.document import (
    WITHOUT_SENSE,
    DiscourseDocument,
    Relation,
    Span,
    checked,
)
from summeval.annotate.discourse.offsets import Offsets

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def read_conll(
    relations: str | os.PathLike[str], parses: str | os.PathLike[str]
) -> dict[str, DiscourseDocument]:
    """Read documents by DocID, in the order of `parses`.

    Parameters
    ----------
    relations : path
        One relation per line: either a gold annotation (each token a list of five numbers) or
        system output (each token a number over the document).
    parses : path
        One JSON object that maps each DocID to its sentences with words and tags.

    Raises
    ------
    ValueError
        A file is malformed; the message names the file and the line (of `relations`) or document
        (of `parses`).
    OSError
    """
    sentences = _read_parses(os.fspath(parses))
    found: dict[str, list[Relation]] = {name: [] for name in sentences}
    sizes = {name: sum(map(len, each)) for name, each in sentences.items()}
    place = os.fspath(relations)
    with open(relations, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            home = f"{place}:{number}"
            name, fields = _relation(_json(line, home, "write one relation on each line"), home)
            if name not in sentences:
                raise ValueError(
                    f"{home}: DocID {shown(name)} is not in {os.fspath(parses)}; add it"
                )
            try:
                found[name].append(checked(fields, home, sizes[name]))
            except TypeError as error:
                raise ValueError(str(error)) from None
    return {name: DiscourseDocument(sentences[name], found[name]) for name in sentences}


def _json(written: bytes, place: str, mend: str) -> Any:
    try:
        return json.loads(written.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{place}: not UTF-8 at byte {error.start}; convert it") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place}: not JSON ({error}); {mend}") from None


def _read_parses(path: str) -> dict[str, list[list[tuple[str, str]]]]:
    with open(path, "rb") as file:
        value = _json(file.read(), path, "write one object")
    if not isinstance(value, dict):
        raise ValueError(f"{path}: not a JSON object; write documents by their DocID")
    found = {}
    for name, document in value.items():
        try:
            found[name] = [
                [(str(word[0]), str(word[1].get("PartOfSpeech", ""))) for word in each["words"]]
                for each in document["sentences"]
            ]
        except (AttributeError, KeyError, IndexError, TypeError, ValueError, RecursionError):
            raise ValueError(
                f"{path}: {shown(name)}: no sentences with words; write"
                ' {"sentences": [{"words": [[word, {"PartOfSpeech": tag}], …]}, …]}'
            ) from None
    return found


def _relation(value: Any, place: str) -> tuple[str, dict[str, object]]:
    if not isinstance(value, dict):
        raise ValueError(f"{place}: not a JSON object; write one relation on each line")
    for name in ("Type", "Sense", "DocID", "Arg1", "Arg2"):
        if name not in value:
            raise ValueError(
                f"{place}: no {name!r}; write DocID, Type, Sense, Connective, Arg1 and Arg2"
            )
    kind = value["Type"]
    if not isinstance(value["DocID"], str):
        raise ValueError(f"{place}: DocID is {shown(value['DocID'])}; write it as a string")
    return value["DocID"], {
        "type": kind,
        "sense": None if kind in WITHOUT_SENSE else value["Sense"],
        "conn_tokens": _tokens(value, "Connective", place) if kind != "Implicit" else [],
        "arg1": spans(_tokens(value, "Arg1", place)),
        "arg2": spans(_tokens(value, "Arg2", place)),
    }


def _tokens(value: Mapping[str, Any], name: str, place: str) -> list[int]:
    """Ascending token numbers over the document: the third of five numbers, or plain numbers."""
    part = value.get(name)
    if part is None and name == "Connective":
        return []
    given = part.get("TokenList") if isinstance(part, dict) else part
    try:
        if not isinstance(part, dict) or not isinstance(given, (list, type(None))):
            raise TypeError
        numbers = {int(token[2] if isinstance(token, list) else token) for token in given or []}
    except (IndexError, TypeError, ValueError, OverflowError):
        raise ValueError(
            f'{place}: {name} is {shown(part)}; write {{"TokenList": [number, …]}}'
        ) from None
    return sorted(numbers)


def write_relations(documents: Mapping[str, DiscourseDocument]) -> Iterator[str]:
    """The lines of `relations.json`; character offsets match `write_parses`.

    Examples
    --------
    >>> document = DiscourseDocument(
    ...     [[("Yes", "UH")], [("No", "UH")]], [{"type": "NoRel", "arg1": [0, 1], "arg2": [1, 2]}]
    ... )
    >>> line, = write_relations({"a": document})
    >>> json.loads(line)["Arg2"]
    {'CharacterSpanList': [[4, 6]], 'RawText': 'No', 'TokenList': [[4, 6, 1, 1, 0]]}
    """
    number = 0
    for name, document in documents.items():
        offsets = Offsets(document)
        homes = [
            (sentence, token)
            for sentence, tokens in enumerate(document.sentences)
            for token in range(len(tokens))
        ]
        for relation in document.relations:
            yield _encode(
                {
                    "DocID": name,
                    "ID": number,
                    "Type": relation.type,
                    "Sense": list(relation.senses or (relation.type,)),
                    "Connective": _part(spans(relation.conn_tokens), offsets, homes),
                    "Arg1": _part(relation.arg1, offsets, homes),
                    "Arg2": _part(relation.arg2, offsets, homes),
                }
            )
            number += 1


def _part(
    stretch: tuple[Span, ...], offsets: Offsets, homes: list[tuple[int, int]]
) -> dict[str, object]:
    """A part of a relation; `homes` gives each token's sentence and its number in that sentence."""
    starts, ends = offsets.starts, offsets.ends
    return {
        "CharacterSpanList": [[starts[first], ends[end - 1]] for first, end in stretch],
        "RawText": offsets.words(stretch),
        "TokenList": [
            [starts[token], ends[token], token, *homes[token]]
            for first, end in stretch
            for token in range(first, end)
        ],
    }


def write_parses(documents: Mapping[str, DiscourseDocument]) -> str:
    """The text of `parses.json`: words and tags, no trees.

    Examples
    --------
    >>> written = write_parses({"a": DiscourseDocument([[("Yes", "UH")]])})
    >>> json.loads(written)["a"]["sentences"][0]["words"]  # doctest: +NORMALIZE_WHITESPACE
    [['Yes', {'CharacterOffsetBegin': 0, 'CharacterOffsetEnd': 3, 'PartOfSpeech': 'UH',
      'Linkers': []}]]
    """
    found = {}
    for name, document in documents.items():
        offsets = Offsets(document)
        sentences = []
        for start, sentence in zip(document.starts, document.sentences, strict=False):
            words = [
                [
                    form,
                    {
                        "CharacterOffsetBegin": offsets.starts[number],
                        "CharacterOffsetEnd": offsets.ends[number],
                        "PartOfSpeech": tag,
                        "Linkers": [],
                    },
                ]
                for number, (form, tag) in enumerate(sentence, start)
            ]
            sentences.append({"words": words, "parsetree": "", "dependencies": []})
        found[name] = {"sentences": sentences}
    return _encode(found)
