"""Relation files with columns separated by |: 48 in the PDTB 2, 34 in the PDTB 3 and GDTB.

Their spans are character offsets, so reading and writing need the offsets of the tokens.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from summeval._options import shown
from summeval.annotate.discourse.arguments import spans
from summeval.annotate.discourse.document import (
    TYPES,
    WITHOUT_SENSE,
    DiscourseDocument,
    checked,
)
from summeval.annotate.discourse.offsets import Offsets, read_spans
from summeval.annotate.document import Document


@dataclass(frozen=True, slots=True)
class Columns:
    """The column numbers of a format, from 0; -1 for fields it lacks."""

    type: int
    conn_span: int
    conn_text: int
    implicit_text: int
    senses: tuple[int, ...]
    arg1_span: int
    arg1_text: int
    arg2_span: int
    arg2_text: int


COLUMNS = {
    48: Columns(0, 3, 5, 9, (11, 12, 13, 14), 22, 24, 32, 34),
    34: Columns(0, 1, 7, 7, (8, 9, 11, 12), 14, -1, 20, -1),
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
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
    try:
        written = data.decode("utf-8")
    except UnicodeDecodeError:
        written = data.decode("latin-1")
    offsets = Offsets(document)
    sentences = (
        document if isinstance(document, DiscourseDocument) else DiscourseDocument.of(document)
    ).sentences
    relations = []
    for number, line in enumerate(written.split("\n"), 1):
        if line.strip():
            place = f"{name}:{number}"
            try:
                fields = _read(line.rstrip("\r"), offsets)
            except ValueError as error:
                raise ValueError(f"{place}: {error}") from None
            relations.append(checked(fields, place, len(offsets.starts)))
    return DiscourseDocument(sentences, relations)


def _read(line: str, offsets: Offsets) -> dict[str, object]:
    fields = line.split("|")
    places = COLUMNS.get(len(fields))
    if places is None:
        raise ValueError(f"{len(fields)} columns; write 48 (PDTB 2) or 34 (PDTB 3, GDTB)")
    kind = fields[places.type]
    found: dict[str, object] = {"type": kind, "sense": None}
    if kind in TYPES and kind not in WITHOUT_SENSE:
        found["sense"] = [fields[at].strip() for at in places.senses if fields[at].strip()]
    if found["sense"] == ["NoRel"]:
        found.update(type="NoRel", sense=None)
    for argument, at in (("arg1", places.arg1_span), ("arg2", places.arg2_span)):
        tokens = _tokens(fields[at], offsets, argument)
        if not tokens:
            raise ValueError(
                f"{argument}: no token at {shown(fields[at])} in a text of"
                f" {len(offsets.text)} characters; pass the text that the file annotates"
            )
        found[argument] = spans(tokens)
    if kind not in ("Implicit", *WITHOUT_SENSE):
        found["conn_tokens"] = _tokens(fields[places.conn_span], offsets, "connective")
    return found


def _tokens(written: str, offsets: Offsets, part: str) -> list[int]:
    try:
        given = read_spans(written)
    except ValueError as error:
        raise ValueError(f"{part}: {error}") from None
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
            fields[places.conn_text] = _plain(offsets.words(connective))
        for at, sense in zip(places.senses, relation.senses, strict=False):
            fields[at] = sense
        for span, text, argument in (
            (places.arg1_span, places.arg1_text, relation.arg1),
            (places.arg2_span, places.arg2_text, relation.arg2),
        ):
            fields[span] = offsets.characters(argument)
            if text >= 0:
                fields[text] = _plain(offsets.words(argument))
        yield "|".join(fields)


def _plain(text: str) -> str:
    """Replace the separators of columns and lines in a text."""
    return text.replace("|", "/")
