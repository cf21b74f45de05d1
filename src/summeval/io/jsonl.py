"""JSON Lines: one JSON object on each line, in UTF-8.

Blank lines and a byte order mark at the start are skipped. `NaN` and infinities, which some
programs write though they are not JSON, are read as null. For duplicate keys the last value is
used. Limits: nesting of some hundred levels (Python's recursion limit), integers of 4,300 digits,
lines of 256 MiB.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from json import JSONDecodeError, JSONDecoder
from typing import Any

from summeval.io.errors import RowError
from summeval.io.input import BLOCK_BYTES, InputFile
from summeval.io.numbers import NumberText, column_texts
from summeval.io.rows import (
    Chunk,
    Position,
    Row,
    Rows,
    RowTaker,
    encode_json,
    finite,
    invalid_utf8,
    lone_surrogate,
)

_BOM = b"\xef\xbb\xbf"
_TOO_DEEP = RowError("JSON nested too deeply", "flatten it")
_decode = JSONDecoder(parse_constant=lambda _: None).raw_decode


def read(
    file: InputFile,
    taker: RowTaker,
    start: Position = Position(),  # noqa: B008 - frozen
    chunk_bytes: int = BLOCK_BYTES,
) -> Iterator[Chunk]:
    """Yield the rows of a JSON Lines file in chunks of about `chunk_bytes` of text.

    A row is an object with the candidate (a string or null) and the references (a list of
    strings, a string, which is one reference, or null) under the names of `taker.columns`. If there
    are several columns of references, a row may lack some of them. An empty file gives one chunk.

    Raises
    ------
    DataError
        The file cannot be read or, unless the taker skips bad rows, a row cannot be used.
    """
    offset, line = start.offset, start.line
    is_empty = start == Position()
    for block in file.blocks(start.offset, chunk_bytes):
        end = Position(offset + len(block), line + block.count(b"\n"))
        yield _chunk(block, taker, offset, line, end)
        offset, line = end.offset, end.line
        is_empty = False
    if is_empty:
        yield Chunk(needs=taker.columns.needs)


def _chunk(block: bytes, taker: RowTaker, offset: int, line: int, end: Position) -> Chunk:
    chunk = Chunk(end=end, needs=taker.columns.needs)
    if offset == 0 and block.startswith(_BOM):
        block, offset = block[len(_BOM) :], len(_BOM)
    lines: Sequence[str | _Undecodable]
    try:
        lines = block.decode().split("\n")
    except UnicodeDecodeError:
        lines = _decode_lines(block, offset)
    # Valid escaped surrogate pairs are common, unpaired ones are rare: check only if there is one.
    has_surrogates = b"\\ud" in block or b"\\uD" in block
    candidate_column, reference_columns = taker.columns.candidate, taker.columns.references
    only = reference_columns[0] if len(reference_columns) == 1 else None
    source_column = taker.columns.source
    left_out = () if taker.keep_text else taker.columns.texts
    may_lack_source = "source" not in taker.columns.needs
    add_row, add_candidate = chunk.rows.append, chunk.candidates.append
    add_references, add_source = chunk.references.append, chunk.sources.append
    for number, text in enumerate(lines, line + 1):
        try:
            row, length = _decode(text)  # type: ignore[arg-type]
            candidate = row[candidate_column]
            references = row[only] if only is not None else _joined(row, reference_columns)
            source = row.get(source_column)
            usual = (
                length == len(text)
                and type(candidate) is str
                and type(references) is list
                and not has_surrogates
                and (type(source) is str or (source is None and may_lack_source))
            )
            if usual:
                for reference in references:
                    if type(reference) is not str:
                        usual = False
        except (ValueError, TypeError, LookupError, RecursionError):
            usual = False
        if usual:  # inlined taker.add, to save calls
            for column in left_out:
                row.pop(column, None)
            add_row(row)
            add_candidate(candidate)
            add_references(references)
            add_source(source)
        elif not isinstance(text, str):
            _refuse_undecodable(chunk, taker, number, text)
        elif text and not text.isspace():
            _take_unusual(chunk, taker, number, text)
    return chunk


def _joined(row: Row, columns: Sequence[str]) -> Any:
    """The references of several columns; None if one needs a closer check."""
    found: list[Any] = []
    for column in columns:
        value = row.get(column)
        if type(value) is list:
            found += value
        elif type(value) is str:
            found.append(value)
        else:
            return None
    return found


_Undecodable = tuple[str, RowError]
"""Decode a line with U+FFFD for invalid UTF-8; return it and the error."""


def _decode_lines(block: bytes, offset: int) -> list[str | _Undecodable]:
    """The lines of a block with at least one line that is not UTF-8."""
    lines: list[str | _Undecodable] = []
    for line in block.split(b"\n"):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError as error:
            lines.append((line.decode(errors="replace"), invalid_utf8(error, offset)))
        offset += len(line) + 1
    return lines


def _refuse_undecodable(chunk: Chunk, taker: RowTaker, number: int, line: _Undecodable) -> None:
    text, error = line
    try:
        row = parse_object(text)
    except RowError:
        row = {}
    taker.refuse(chunk, number, taker.only_id(row), error)


def _take_unusual(chunk: Chunk, taker: RowTaker, number: int, text: str) -> None:
    """Take a row that needs a closer check: it has nulls, a bare string, escapes or an error."""
    row = taker.only_id(None)
    try:
        row = parse_object(text)
        try:
            encode_json(row).encode()
        except UnicodeEncodeError as error:
            row = taker.only_id(row)
            raise lone_surrogate(error.object) from None
        except RecursionError:
            row = taker.only_id(None)
            raise _TOO_DEEP from None
        taker.take(chunk, row)
    except RowError as error:
        taker.refuse(chunk, number, row, error)


def parse_object(text: str, infinite: bool = False) -> Row:
    """The object on a line; raises `RowError` for anything else.

    NaN, Infinity and -Infinity are None; with `infinite`, the last two are infinite numbers.
    """

    def constant(name: str) -> float | None:
        return float(name) if infinite and name != "NaN" else None

    try:
        row = json.loads(text, parse_constant=constant)
    except JSONDecodeError as error:
        raise RowError(
            f"malformed JSON at column {error.colno} ({error.msg})",
            "write one JSON object on the line",
        ) from None
    except RecursionError:
        raise _TOO_DEEP from None
    except ValueError as error:
        raise RowError(f"JSON that cannot be read ({error})", "correct the number") from None
    if not isinstance(row, dict):
        kind = {list: "a list", str: "a string", type(None): "null"}.get(type(row), "a number")
        raise RowError(f"the line holds {kind}, not an object", "write one JSON object on the line")
    return row


class Encoder:
    r"""Writer of rows and scores as JSON Lines.

    A line holds the carried columns, `"error"` if the row could not be used, and the scores under
    their column names; NaN is written as null.

    >>> chunk = Chunk([{"id": "a"}], ["a cat"], [["a cat"]], [None])
    >>> import numpy
    >>> Encoder(["rouge1.recall"]).encode(chunk, [numpy.array([0.5])])
    b'{"id": "a", "rouge1.recall": 0.5}\n'
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = frozenset(columns)
        last = len(columns) - 1
        self._numbers = [
            NumberText(encode_json(name) + ": ", ", " if index < last else "}\n", "null")
            for index, name in enumerate(columns)
        ]
        self.header: list[str] | None = None

    def encode(self, chunk: Rows, scores: Sequence[Any]) -> bytes:
        """The lines of a chunk. `scores` holds one float64 array for each score column."""
        heads = _encode_heads([self._head(chunk, index) for index in range(len(chunk))])
        numbers = column_texts(self._numbers, scores)
        return "".join(chain.from_iterable(zip(heads, *numbers, strict=True))).encode()

    def _head(self, chunk: Rows, index: int) -> Row:
        row = chunk.rows[index]
        if not self._columns.isdisjoint(row):
            row = {name: value for name, value in row.items() if name not in self._columns}
        if index in chunk.errors:
            row = {**row, "error": chunk.errors[index]}
        return row


_SEPARATOR = "\x1f"
_encode_strict = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(_SEPARATOR, ": ")
).encode


def _encode_heads(rows: list[Row]) -> list[str]:
    r"""The start of each line: `{` and the members of the row, each with a comma.

    One call encodes all rows, three times as fast as a call for each. The separator is a control
    character, which JSON escapes in strings, so between two rows, and elsewhere only in lists of
    objects inside a row, stands `}\x1f{`; where that makes more pieces than rows, each row is
    encoded on its own.
    """
    if not rows:
        return []
    try:
        pieces = _encode_strict(rows)[2:-2].split("}" + _SEPARATOR + "{")
        if len(pieces) != len(rows):
            pieces = [_encode_strict(row)[1:-1] for row in rows]
    except ValueError:
        return _encode_heads([finite(row) for row in rows])
    joined = "\x1e".join(pieces).replace(_SEPARATOR, ", ")
    return ["{" + piece + ", " if piece else "{" for piece in joined.split("\x1e")]
