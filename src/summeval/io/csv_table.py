"""CSV and TSV: separated by commas or tabs, UTF-8, with a header row.

The references of a row are either in one cell of the references column or in separate columns. A
cell that starts with `[` is a JSON list of strings; any other cell is one reference. Separate
columns are named like that column without its final s, with or without a number: `reference`,
`reference_1`, `reference2`, …. An empty reference cell is no reference; an empty candidate is an
empty text. A cell may hold 256 MiB; an unclosed quote extends to the end of the file.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO, StringIO
from itertools import chain
from math import isfinite
from typing import Any

from summeval.io import DataError, RowError
from summeval.io.rows import (
    Chunk,
    Position,
    Row,
    RowTaker,
    Source,
    encode_json,
    invalid_utf8,
    join_texts,
    lone_surrogate,
    not_found,
)
from summeval.io.source import BLOCK_BYTES, MAX_LINE_BYTES, InputFile

_BOM = "\ufeff"
_needs_quotes = re.compile('["\r\n]').search
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_SEPARATORS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
_OTHERS = (";", "\t", "|", ",")
_MOST_KEPT = 1 << 13  # numbers of a column whose texts are kept


def read(
    file: InputFile,
    taker: RowTaker,
    start: Position = Position(),  # noqa: B008 - frozen
    chunk_bytes: int = BLOCK_BYTES,
    delimiter: str = ",",
) -> Iterator[Chunk]:
    """Yield the rows of a CSV or TSV file in chunks of about `chunk_bytes` of text.

    Raises
    ------
    DataError
        The file cannot be read, its header lacks a column or, unless the taker skips bad rows,
        a row cannot be used.
    """
    at = _Reached(Position())
    lines = _lines(file, at, chunk_bytes)
    table = _Table(taker, _header(lines, at, file.name, delimiter), delimiter)
    if start.line:
        at = _Reached(start)
        lines = _lines(file, at, chunk_bytes)
    chunk, limit = table.chunk(), start.offset + chunk_bytes
    before, is_empty = at.position.line, not start.line
    for number, cells in records(lines, delimiter):
        table.take(chunk, before + number, cells, at.error)
        at.error, chunk.end = None, at.position
        if chunk.end.offset >= limit:
            limit = chunk.end.offset + chunk_bytes
            yield chunk
            chunk, is_empty = table.chunk(), False
    if len(chunk) or is_empty:
        chunk.end = at.position
        yield chunk


def records(
    lines: Iterable[str], delimiter: str, hint: str = "correct the quotes in the row"
) -> Iterator[tuple[int, list[str] | RowError]]:
    """Yield the cells of each record, or why it is malformed, with the number of its first line."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_LINE_BYTES))  # else 128 KiB for a cell
    found = csv.reader(lines, strict=True, delimiter=delimiter)
    while True:
        number = found.line_num + 1
        try:
            yield number, next(found)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, malformed(error, hint)


def check_header(place: str, header: Sequence[str]) -> None:
    """Raise for a duplicate column, and for one that has other separators in its name."""
    if len(header) == 1 and (others := [mark for mark in _OTHERS if mark in header[0]]):
        shown = "tab" if others[0] == "\t" else repr(others[0])
        hint = f"read it with --separator {shown}, or write commas"
        raise DataError(place, f"looks separated by {shown}", hint)
    if twice := sorted({name for name in header if header.count(name) > 1}):
        raise DataError(place, f"duplicate column {twice[0]!r}", "rename one of them")


def first_record(text: str, delimiter: str) -> list[str]:
    """The cells of the first record; none if it is malformed, of which the row reader tells."""
    _, cells = next(records(StringIO(text, newline=""), delimiter), (1, []))
    return [] if isinstance(cells, RowError) else cells


@dataclass
class _Reached:
    """How far lines were read, and what is wrong with those of the last record."""

    position: Position
    error: RowError | None = None


def _lines(file: InputFile, at: _Reached, chunk_bytes: int) -> Iterator[str]:
    """Yield the decoded lines of a file from a position, which moves on."""
    for block in file.blocks(at.position.offset, chunk_bytes):
        for line in BytesIO(block):
            offset, number = at.position.offset, at.position.line
            try:
                text = line.decode()
            except UnicodeDecodeError as error:
                at.error = at.error or invalid_utf8(error, offset)
                text = line.decode(errors="replace")
            at.position = Position(offset + len(line), number + 1)
            yield text.removeprefix(_BOM) if offset == 0 else text


def _header(lines: Iterator[str], at: _Reached, name: str, delimiter: str) -> list[str]:
    """Read the header row; the lines that follow stay unread."""
    _, cells = next(records(lines, delimiter, "correct the header row"), (1, []))
    place = f"{name}:1"
    if at.error:
        raise DataError.of(place, at.error)
    if isinstance(cells, RowError):
        raise DataError.of(place, cells)
    if not cells:
        raise DataError(place, "no column names", "write a header row")
    check_header(place, cells)
    return cells


def malformed(error: csv.Error, hint: str) -> RowError:
    """Return a csv error in words for users."""
    if "new-line character" in str(error):
        return RowError(
            "a carriage return without a line feed, outside quotes",
            "end lines with a line feed, or quote the cell",
        )
    return RowError(f"malformed CSV ({error})", hint)


class _Table:
    """The columns of a CSV file; converts records to rows."""

    def __init__(self, taker: RowTaker, header: list[str], delimiter: str) -> None:
        self.taker = taker
        self.header = header
        self._delimiter = delimiter
        taker.blank = dict.fromkeys(header)
        columns = taker.columns
        place = f"{taker.name}:1"
        for what in columns.needed:
            if what != "references":
                columns.check(place, header, what)
        is_alias = columns.aliased.get("references") == "reference"
        self.references = {
            name: None
            if name in header and not (is_alias and name == "reference")
            else numbered(name, header)
            for name in columns.references
        }
        """The columns with one reference each of each name; None where cells may hold lists."""
        for name, found in self.references.items():
            if found == [] and "references" in columns.needs:
                hint = "name the column with --references-column"
                raise DataError(place, not_found(name, header, "references"), hint)
        apart = [self.references[name] or [name] for name in columns.references]
        taker.text_columns = [columns.candidate, *chain.from_iterable(apart), columns.source]

    def chunk(self) -> Chunk:
        """Return an empty chunk that knows the carried columns."""
        known = self.taker.carried(dict.fromkeys(self.header))
        return Chunk(needs=self.taker.columns.needs, columns=list(known))

    def take(
        self, chunk: Chunk, line: int, cells: list[str] | RowError, error: RowError | None
    ) -> None:
        """Add the record that starts on `line` to the chunk."""
        if not cells:
            return
        taker, columns = self.taker, self.taker.columns
        row: Row = {}
        try:
            if isinstance(cells, RowError):
                raise error or cells
            if len(cells) != len(self.header):
                raise error or RowError(
                    f"{len(cells)} cells, but the header row has {len(self.header)}",
                    f"correct the {_SEPARATORS[self._delimiter]} and quotes in the row",
                )
            row = dict(zip(self.header, cells, strict=True))
            if error:
                row = taker.only_id(row)
                raise error
            source: Source = row.get(columns.source) or None
            if isinstance(source, str) and "source" in columns.needs:
                source = cell_texts(columns.source, source)
            candidate, references = row[columns.candidate], self._references(row)
            chunk.append(taker.carried(row), candidate, references, source)
        except RowError as problem:
            taker.refuse(chunk, line, row or taker.only_id({}), problem)

    def _references(self, row: Row) -> list[str] | None:
        parts: list[list[str] | None] = []
        for name, apart in self.references.items():
            if apart is None:
                parts.append(cell_texts(name, row[name]))
            elif apart:
                parts.append([row[one] for one in apart if row[one]])
        return join_texts(parts) if parts else []


def numbered(name: str, header: Sequence[str]) -> list[str]:
    """Return the columns with one reference each: those named like `name` without its s, in order.

    >>> numbered("references", ["id", "reference_2", "reference_1", "reference"])
    ['reference', 'reference_1', 'reference_2']
    """
    singular = re.escape(name.removesuffix("s"))
    found = [re.fullmatch(singular + r"(?:_?(\d{1,9}))?", name) for name in header]
    ordered = sorted((int(match[1] or 0), match[0]) for match in found if match)
    return [name for _, name in ordered]


def cell_texts(column: str, cell: str) -> list[str] | None:
    """Return the texts of a cell: a JSON list or one text; None if it is empty.

    >>> cell_texts("references", '["a", "b"]'), cell_texts("references", "a")
    (['a', 'b'], ['a'])
    """
    if not cell:
        return None
    if not cell.startswith("["):
        return [cell]
    texts: Any = None
    with suppress(ValueError, RecursionError):
        texts = [text for text in json.loads(cell) if text is not None]
    if texts is None or not all(isinstance(text, str) for text in texts):
        raise RowError(
            f"the cell {column!r} starts with [ but is not a JSON list of strings",
            'write ["…", "…"], or one text in each of the columns reference_1, reference_2',
        )
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        raise lone_surrogate(error.object) from None
    return list(texts)


class Encoder:
    r"""Writer of rows and scores as CSV or TSV, with lines ending in a line feed.

    The columns are those of the usable rows of the first chunk (of all its rows if none is usable),
    `"error"` if `errors` is true, and the scores. Other columns of unusable rows are left out.
    null, NaN and infinities are written as empty cells, other values that are not strings as JSON.
    With `safe`, an apostrophe stands before a text that a spreadsheet would take for a formula.

    >>> chunk = Chunk([{"id": "a", "n": 3}], ["a cat"], [["a cat"]], [None])
    >>> import numpy
    >>> Encoder(["rouge1.recall"]).encode(chunk, [numpy.array([0.5])])
    b'id,n,rouge1.recall\na,3,0.5\n'
    """

    def __init__(
        self, columns: Sequence[str], errors: bool = False, delimiter: str = ",", safe: bool = False
    ) -> None:
        self._safe = safe
        self._columns = columns
        self._errors = errors
        self._delimiter = delimiter
        self._texts = [_NumberTexts() for _ in columns]
        self.header: list[str] | None = None
        """The carried columns; None before the first chunk."""

    def encode(self, chunk: Chunk, scores: Sequence[Any]) -> bytes:
        """Return the lines of a chunk. `scores` holds one float64 array for each score column.

        Raises
        ------
        DataError
            A usable row has a column that no usable row of the first chunk has.
        """
        lines: list[str] = []
        own = [*(["error"] if self._errors else []), *self._columns]
        if self.header is None:
            usable = [row for index, row in enumerate(chunk.rows) if index not in chunk.errors]
            found = dict.fromkeys(chain.from_iterable(usable or chunk.rows or [chunk.columns]))
            self.header = [name for name in found if name not in own]
            lines.append(self._delimiter.join(map(self._cell, (*self.header, *own))))
        known = {*self.header, *own}
        numbers = [
            map(texts.__getitem__, (column + 0.0).tolist())  # which takes the sign of a zero
            for texts, column in zip(self._texts, scores, strict=True)
        ]
        for index, (row, *values) in enumerate(zip(chunk.rows, *numbers, strict=True)):
            if not known.issuperset(row) and index not in chunk.errors:
                late = next(name for name in row if name not in known)
                raise DataError(
                    "the output",
                    f"the column {late!r} first appears after the header was written",
                    "write .jsonl, or give every row the same columns",
                )
            cells = [self._cell(row.get(name)) for name in self.header]
            if self._errors:
                cells.append(self._cell(chunk.errors.get(index, row.get("error"))))
            lines.append(self._delimiter.join(cells + values) or '""')
        return "".join(f"{line}\n" for line in lines).encode()

    def _cell(self, value: object) -> str:
        if value is None:
            return ""
        text = value if isinstance(value, str) else encode_json(value)
        if text == "null" and text is not value:
            return ""
        if self._safe and text is value and text.startswith(_FORMULA) and not is_number(text):
            text = "'" + text
        # The csv module of Python 3.11 leaves a bare carriage return unquoted.
        quoted = self._delimiter in text or _needs_quotes(text)
        return '"' + text.replace('"', '""') + '"' if quoted else text


class _NumberTexts(dict[float, str]):
    """The texts of one column's numbers, kept because scores (ratios of small counts) repeat.

    The shortest digits that read back as the same float64; empty for NaN and infinities. Zeros must
    have no sign, because 0.0 and -0.0 are the same key.
    """

    def __missing__(self, number: float) -> str:
        if not isfinite(number):
            return ""
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[number] = repr(number)
        return self[number]


def is_number(text: str) -> bool:
    """Return whether a text is a number as Python reads it."""
    try:
        float(text)
    except ValueError:
        return False
    return True
