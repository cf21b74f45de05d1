"""Relations in files of columns with | between: 48 as in the PDTB 2, 34 as in the PDTB 3 and GDTB.

Their spans count characters of the text, so reading and writing need the tokens' offsets.
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
    """Where a file of columns has what, counted from 0; -1 for what it has not."""

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
        One relation a line; blank lines are passed over. The PDTB's files are in Latin-1 where they
        are not UTF-8.
    document : Document or DiscourseDocument
        Its tokens; spans are looked up by their offsets in its text, or, where they have none, in
        the tokens joined by blanks, and newlines between sentences. A token belongs to a span that
        has one of its characters.

    Raises
    ------
    ValueError
        Naming file and line, for another number of columns, an unknown type or sense, spans that
        are none or that hold no token.
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
                f"{argument}: no token stands at {shown(fields[at])} of a text that has"
                f" {len(offsets.text)} characters; give the text that the file is about"
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
            f"{part}: characters {given[-1][0]} to {given[-1][1]} of a text that has {end}; give"
            " the text that the file is about"
        )
    return offsets.tokens(given)


def write_pipe(
    document: DiscourseDocument, columns: int = 48, parsed: Document | None = None
) -> Iterator[str]:
    """The lines of a file of columns; `read_pipe` reads them.

    Parameters
    ----------
    document : DiscourseDocument
    columns : int
        48 or 34.
    parsed : Document, optional
        The document with the offsets of the same tokens; without it they are those of the tokens
        joined by blanks, and newlines between sentences.

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
            f"parsed has {len(offsets.starts)} tokens, the document {document.starts[-1]}; pass the"
            " document that was parsed"
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
    """Text without what parts columns."""
    return text.replace("|", "/")
