"""Files of discourse relations: PDTB columns, and the CoNLL shared tasks of 2015 and 2016.

Relation files with columns separated by | have 48 of them in the PDTB 2, 34 in the PDTB 3 and GDTB.
The shared tasks have `relations.json` and `parses.json`. All of them count characters, so reading
and writing need the offsets of the tokens.
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from summeval._options import shown
from summeval.annotate.discourse import document as discourse
from summeval.annotate.discourse.document import DiscourseDocument, Relation, Span, spans
from summeval.annotate.document import Document

_SPAN = re.compile(r"([0-9]{1,15})\.\.([0-9]{1,15})")


class Offsets:
    r"""The character offsets of a document's tokens.

    If the tokens have no offsets, the text is built from them, with one space between tokens and
    one newline between sentences.

    Examples
    --------
    >>> offsets = Offsets(DiscourseDocument([[("It", ""), ("rained", "")], [("Yes", "")]]))
    >>> offsets.text
    'It rained\nYes'
    >>> offsets.tokens([(3, 9), (10, 13)])
    [1, 2]
    >>> offsets.characters(((0, 2),)), offsets.words(((0, 2),))
    ('0..9', 'It rained')
    """

    def __init__(self, document: Document | DiscourseDocument) -> None:
        if isinstance(document, Document):
            given = [token for sentence in document.sentences for token in sentence.tokens]
            if document.text and all(token.start >= 0 for token in given):
                self.text = document.text
                self.starts = [token.start for token in given]
                self.ends = [token.end for token in given]
                return
            document = DiscourseDocument.of(document)
        lines = [[form for form, _ in sentence] for sentence in document.sentences]
        self.text = "\n".join(map(" ".join, lines))
        self.starts, self.ends = [], []
        at = 0
        for forms in lines:
            for form in forms:
                self.starts.append(at)
                self.ends.append(at + len(form))
                at += len(form) + 1
            at += not forms

    def tokens(self, spans: Iterable[Span]) -> list[int]:
        """Ascending numbers of the tokens that overlap one of the spans."""
        found: set[int] = set()
        for first, end in spans:
            found.update(range(bisect_right(self.ends, first), bisect_left(self.starts, end)))
        return sorted(found)

    def characters(self, spans: Sequence[Span]) -> str:
        """Format token spans as character spans, as the treebanks write them."""
        return ";".join(f"{self.starts[first]}..{self.ends[end - 1]}" for first, end in spans)

    def words(self, spans: Sequence[Span]) -> str:
        """Return the text of token spans, with runs of whitespace collapsed."""
        pieces = (self.text[self.starts[first] : self.ends[end - 1]] for first, end in spans)
        return " ".join(" ".join(pieces).split())


class Columns(NamedTuple):
    """The column numbers of a format, from 0; -1 for fields it lacks."""

    type: int
    conn_span: int
    conn_text: int
    senses: tuple[int, ...]
    arg1_span: int
    arg1_text: int
    arg2_span: int
    arg2_text: int


COLUMNS = {
    48: Columns(0, 3, 5, (11, 12, 13, 14), 22, 24, 32, 34),
    34: Columns(0, 1, 7, (8, 9, 11, 12), 14, -1, 20, -1),
}


def read_pipe(
    path: str | os.PathLike[str], document: Document | DiscourseDocument
) -> DiscourseDocument:
    """Read the relations of a document from a file of 48 or 34 columns.

    Parameters
    ----------
    path : path
        One relation per line; blank lines are skipped. A file that is not UTF-8 is read as Latin-1,
        as in the PDTB.
    document : Document or DiscourseDocument
        The tokens to which spans refer. If they have no offsets, the text is the tokens joined by
        spaces, with newlines between sentences. A token belongs to a span if they share a
        character.

    Raises
    ------
    ValueError
        Another number of columns, an unknown type or sense, or a span that is malformed or holds no
        token. The message names file and line.
    OSError
    """
    data = Path(path).read_bytes()
    try:
        written = data.decode("utf-8")
    except UnicodeDecodeError:
        written = data.decode("latin-1")
    offsets = Offsets(document)
    if isinstance(document, Document):
        document = DiscourseDocument.of(document)
    relations = []
    for number, line in enumerate(written.split("\n"), 1):
        if line.strip():
            place = f"{os.fspath(path)}:{number}"
            try:
                fields = _pipe_fields(line.rstrip("\r"), offsets)
            except ValueError as error:
                raise ValueError(f"{place}: {error}") from None
            relations.append(discourse.checked(fields, place, len(offsets.starts)))
    return DiscourseDocument(document.sentences, relations)


def _pipe_fields(line: str, offsets: Offsets) -> dict[str, object]:
    fields = line.split("|")
    places = COLUMNS.get(len(fields))
    if places is None:
        raise ValueError(f"{len(fields)} columns; write 48 (PDTB 2) or 34 (PDTB 3, GDTB)")
    kind = fields[places.type]
    found: dict[str, object] = {"type": kind, "sense": None}
    if kind in discourse.WITH_SENSE:
        found["sense"] = [fields[at].strip() for at in places.senses if fields[at].strip()]
    if found["sense"] == ["NoRel"]:
        found.update(type="NoRel", sense=None)
    for argument, at in (("arg1", places.arg1_span), ("arg2", places.arg2_span)):
        tokens = _overlapped(fields[at], offsets, argument)
        if not tokens:
            raise ValueError(
                f"{argument}: no token at {shown(fields[at])} in a text of"
                f" {len(offsets.text)} characters; pass the text that the file annotates"
            )
        found[argument] = spans(tokens)
    if kind not in ("Implicit", *discourse.WITHOUT_SENSE):
        found["conn_tokens"] = _overlapped(fields[places.conn_span], offsets, "connective")
    return found


def _overlapped(written: str, offsets: Offsets, part: str) -> list[int]:
    """Return the tokens that overlap character spans, written as in 9..35;40..52."""
    given = []
    for piece in filter(None, written.split(";")):
        match = _SPAN.fullmatch(piece.strip())
        if match is None or int(match[1]) >= int(match[2]):
            raise ValueError(f"{part}: {shown(written)} is not a list of spans; write 9..35;40..52")
        given.append((int(match[1]), int(match[2])))
    end = len(offsets.text)
    if given and given[-1][1] > end:
        raise ValueError(
            f"{part}: characters {given[-1][0]} to {given[-1][1]} exceed the text of {end}; pass"
            " the text that the file annotates"
        )
    return offsets.tokens(given)


def write_pipe(
    document: DiscourseDocument, columns: int = 48, parsed: Document | None = None
) -> Iterator[str]:
    """Return the lines of a relation file, which `read_pipe` reads.

    Parameters
    ----------
    document : DiscourseDocument
    columns : int
        48 or 34.
    parsed : Document, optional
        The document with the offsets of the same tokens. Default: the offsets in the tokens joined
        by spaces, with newlines between sentences.

    Examples
    --------
    >>> document = DiscourseDocument(
    ...     [[("It", ""), ("rained", "")], [("So", ""), ("we", ""), ("left", "")]],
    ...     [{"type": "Explicit", "sense": "Contingency.Cause", "conn_tokens": [2],
    ...       "arg1": [0, 2], "arg2": [3, 5]}],
    ... )
    >>> next(write_pipe(document, 34))
    'Explicit|10..12||||||So|Contingency.Cause||||||0..9||||||13..20|||||||||||||'
    """
    if columns not in COLUMNS:
        raise ValueError(f"columns is {columns}; write 48 (PDTB 2) or 34 (PDTB 3, GDTB)")
    places = COLUMNS[columns]
    offsets = Offsets(document if parsed is None else parsed)
    if len(offsets.starts) != document.starts[-1]:
        raise ValueError(
            f"parsed has {len(offsets.starts)} tokens, document {document.starts[-1]}; pass the"
            " parsed document of the same text"
        )
    for relation in document.relations:
        fields = [""] * columns
        fields[places.type] = relation.type
        if relation.conn_tokens:
            connective = spans(relation.conn_tokens)
            fields[places.conn_span] = offsets.characters(connective)
            fields[places.conn_text] = offsets.words(connective).replace("|", "/")
        for at, sense in zip(places.senses, relation.senses, strict=False):
            fields[at] = sense
        for span, text, argument in (
            (places.arg1_span, places.arg1_text, relation.arg1),
            (places.arg2_span, places.arg2_text, relation.arg2),
        ):
            fields[span] = offsets.characters(argument)
            if text >= 0:
                fields[text] = offsets.words(argument).replace("|", "/")
        yield "|".join(fields)


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
                found[name].append(discourse.checked(fields, home, sizes[name]))
            except TypeError as error:
                raise ValueError(str(error)) from None
    return {name: DiscourseDocument(sentences[name], found[name]) for name in sentences}


def _json(written: bytes, place: str, hint: str) -> Any:
    try:
        return json.loads(written.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{place}: not UTF-8 at byte {error.start}; convert it") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place}: not JSON ({error}); {hint}") from None


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
        "sense": None if kind in discourse.WITHOUT_SENSE else value["Sense"],
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
    """Yield the lines of `relations.json`; character offsets match `write_parses`.

    Examples
    --------
    >>> document = DiscourseDocument(
    ...     [[("Yes", "UH")], [("No", "UH")]], [{"type": "NoRel", "arg1": [0, 1], "arg2": [1, 2]}]
    ... )
    >>> line, = write_relations({"a": document})
    >>> json.loads(line)["Arg2"]
    {'CharacterSpanList': [[4, 6]], 'RawText': 'No', 'TokenList': [[4, 6, 1, 1, 0]]}
    """
    numbers = count()
    for name, document in documents.items():
        offsets = Offsets(document)
        sizes = enumerate(map(len, document.sentences))
        homes = [(sentence, token) for sentence, size in sizes for token in range(size)]
        for relation in document.relations:
            known = {"DocID": name, "ID": next(numbers), "Type": relation.type}
            known["Sense"] = list(relation.senses or (relation.type,))
            parts = ("Connective", spans(relation.conn_tokens)), *relation.arguments
            known |= {part: _part(stretch, offsets, homes) for part, stretch in parts}
            yield discourse.encode(known)


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
    """Return the text of `parses.json`: words and tags, no trees.

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
        places = zip(offsets.starts, offsets.ends, strict=True)
        sentences = []
        for sentence in document.sentences:
            words = []
            for (form, tag), (start, end) in zip(sentence, places, strict=False):
                place = {"CharacterOffsetBegin": start, "CharacterOffsetEnd": end}
                words.append([form, {**place, "PartOfSpeech": tag, "Linkers": []}])
            sentences.append({"words": words, "parsetree": "", "dependencies": []})
        found[name] = {"sentences": sentences}
    return discourse.encode(found)
