"""JSON Lines: one JSON object on each line, in UTF-8.

Blank lines and a byte order mark at the start are skipped. `NaN` and infinities, which some
programs write though they are not JSON, are read as null. A duplicate key is an
error. Limits: nesting of some hundred levels (Python's recursion limit), integers of 4,300 digits,
lines of 256 MiB. A JSON array of objects is read whole, as a line for each object.

A compiled reader takes the usual lines. All others are left to the json module, which defines what
a line holds, and says what is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from json import JSONDecodeError, JSONDecoder
from typing import Any

from summeval._core.lines.json_lines import JsonLines, is_utf8, lines_of
from summeval.io import DataError, RowError
from summeval.io.rows import (
    Chunk,
    Columns,
    Position,
    Row,
    RowTaker,
    Source,
    encode_json,
    finite,
    invalid_utf8,
    lone_surrogate,
)
from summeval.io.source import BLOCK_BYTES, InputFile

_BOM = b"\xef\xbb\xbf"
_TOO_DEEP = RowError("JSON nested too deeply", "flatten it")
_MOST_DEPTH = 500  # versions of Python differ in what they read: all read this


def _unique(pairs: list[tuple[str, Any]]) -> Row:
    """Return the object of these keys and values; raises for a duplicate key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RowError(f"duplicate key {twice!r}", "remove or rename one of them")
    return found


# json.loads would make a decoder for each line
_decode = JSONDecoder(parse_constant=lambda _: None, object_pairs_hook=_unique).decode
_decode_infinite = JSONDecoder(
    parse_constant=lambda name: None if name == "NaN" else float(name), object_pairs_hook=_unique
).decode


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
    The texts are columns, which kernels read without Python strings; see `Chunk.listed`.

    Raises
    ------
    DataError
        The file cannot be read or, unless the taker skips bad rows, a row cannot be used.
    """
    for block in file.blocks(start.offset, chunk_bytes):
        chunk = chunk_of(block, taker, start)
        start = chunk.end
        yield chunk
    if start == Position():
        yield chunk_of(b"", taker, start)


class _Lines(JsonLines):
    """The rows of a chunk that grows."""

    def __init__(self, columns: Columns, keep_text: bool) -> None:
        apart = columns.source not in (columns.candidate, *columns.references)
        super().__init__(
            _name(columns.candidate),
            [_name(name) for name in columns.references],
            _name(columns.source) if apart else _NO_NAME,
            "references" in columns.needs,
            "source" in columns.needs,
            keep_text,
        )
        self.errors: dict[int, str] = {}
        self.odd: dict[int, Row] = {}
        """The carried columns of rows that the json module read."""

    def append(
        self, row: Row, candidate: str | None, references: list[str] | None, source: Source
    ) -> None:
        """Add a row by its carried columns and texts, all of which UTF-8 can encode."""
        self.odd[len(self)] = row
        head = encode_json(row)[:-1].encode()
        self.add(head, _coded(candidate), _coded(references), _coded(source))


def _coded(text: Any) -> Any:
    if isinstance(text, list):
        return [one.encode() for one in text]
    return None if text is None else text.encode()


_NO_NAME = b"\n"  # no JSON string has a newline


def _name(name: str) -> bytes:
    """A name as the bytes of a JSON string; where it cannot be one, bytes that match none."""
    try:
        return encode_json(name)[1:-1].encode()
    except UnicodeEncodeError:
        return _NO_NAME


def chunk_of(block: bytes, taker: RowTaker, start: Position) -> Chunk:
    """Return the rows of a block of whole lines, which stands at `start`."""
    needs = taker.columns.needs
    lines = _Lines(taker.columns, taker.keep_text)
    end = Position(start.offset + len(block), _fill(lines, block, taker, start))

    def rows() -> list[Row]:
        found: list[Row] = json.loads(lines.objects())
        for index, row in lines.odd.items():
            found[index] = row
        for index, line in lines.beyond():
            found[index] = taker.carried(_decode(line.decode()))
        return found

    def as_json() -> bytes:
        plain = not lines.odd and not lines.beyond()
        return lines.objects(True) if plain else json.dumps(rows()).encode()

    def names() -> set[str] | None:
        found = lines.names()
        if found is None:
            return None
        return {json.loads(b'"%b"' % name) for name in found}.union(*lines.odd.values())

    return Chunk(
        references=None if "references" not in needs else lines.references(),
        sources=None if "source" not in needs else lines.sources(),
        errors=lines.errors,
        end=end,
        needs=needs,
        lines=lines,
        size=len(lines),
        late={
            "rows": rows,
            "candidates": lines.candidates,
            "names": names,
            "json": as_json,
            "empty": lines.empty,
        },
    )


def _fill(lines: _Lines, block: bytes, taker: RowTaker, start: Position) -> int:
    """Take the rows of a block; return the number of lines of the file up to its end."""
    at = len(_BOM) if start.offset == 0 and block.startswith(_BOM) else 0
    line, offset = start.line, start.offset + at
    if not is_utf8(block):
        for number, data in enumerate(block[at:].split(b"\n"), line + 1):
            try:
                _take_unusual(lines, taker, number, data.decode())
            except UnicodeDecodeError as error:
                row: Row = {}
                with suppress(RowError):
                    row = parse_object(data.decode(errors="replace"))
                taker.refuse(lines, number, taker.only_id(row), invalid_utf8(error, offset))
            offset += len(data) + 1
        return start.line + block.count(b"\n")
    while at < len(block):
        at, passed = lines.take(block, at, True)
        line += passed
        if at < len(block):
            line += 1
            stop = block.find(b"\n", at) % (len(block) + 1)
            _take_unusual(lines, taker, line, block[at:stop].decode())
            at = min(stop + 1, len(block))
    return line - (line > start.line and not block.endswith(b"\n"))  # the last may lack its end


def _take_unusual(lines: _Lines, taker: RowTaker, number: int, text: str) -> None:
    """Take a row that needs a closer check: it has nulls, a bare string, escapes or an error."""
    if not text or text.isspace():
        return
    row = taker.only_id({})
    try:
        row = parse_object(text)
        taker.take(lines, row)
    except UnicodeEncodeError as error:  # half a pair
        taker.refuse(lines, number, taker.only_id(row), lone_surrogate(error.object))
    except RecursionError:
        taker.refuse(lines, number, taker.only_id({}), _TOO_DEEP)
    except RowError as error:
        taker.refuse(lines, number, row, error)


def parse_object(text: str, infinite: bool = False) -> Row:
    """Return the object on a line; raises `RowError` for anything else.

    NaN, Infinity and -Infinity are None; with `infinite`, the last two are infinite numbers.
    """
    try:
        if text.startswith("\ufeff"):
            json.loads(text)  # raises, and says that it is a byte order mark
        row = _value(text, _decode_infinite if infinite else _decode)
    except JSONDecodeError as error:
        problem = f"malformed JSON at column {error.colno} ({error.msg})"
        raise RowError(problem, "write one JSON object on the line") from None
    if text.count("[") + text.count("{") > _MOST_DEPTH and _deeper(row, _MOST_DEPTH):
        raise _TOO_DEEP
    if not isinstance(row, dict):
        kind = {list: "a list", str: "a string", type(None): "null"}.get(type(row), "a number")
        raise RowError(f"the line holds {kind}, not an object", "write one JSON object on the line")
    return row


def _value(text: str, decode: Callable[[str], Any]) -> Any:
    try:
        return decode(text)
    except (JSONDecodeError, RowError):
        raise
    except RecursionError:
        raise _TOO_DEEP from None
    except ValueError as error:
        raise RowError(f"JSON that cannot be read ({error})", "correct the number") from None


def unfold(file: InputFile) -> None:
    """If the file is one JSON array of objects, read it whole, and on as a line for each.

    Raises `DataError` for a malformed array.
    """
    file.replace_array(_lines_of_array)


def _lines_of_array(text: bytes, name: str) -> bytes:
    try:
        items = _value(text.decode("utf-8-sig"), _decode)
    except JSONDecodeError as error:
        if error.msg == "Extra data":  # lines, the first of which is a list
            return text
        problem = f"malformed JSON array at column {error.colno} ({error.msg})"
        raise DataError(f"{name}:{error.lineno}", problem, "correct it") from None
    except UnicodeDecodeError as error:
        raise DataError.of(name, invalid_utf8(error, 0)) from None
    except RowError as error:
        raise DataError.of(name, error) from None
    return b"".join(json.dumps(item).encode() + b"\n" for item in items)


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
        self._befores = [f"{encode_json(name)}: ".encode() for name in columns]
        self.header: list[str] | None = None

    def encode(self, chunk: Chunk, scores: Sequence[Any]) -> bytes:
        """Return the lines of a chunk. `scores` holds one float64 array for each score column."""
        columns = list(scores)
        if chunk.lines is not None and not chunk.errors and not chunk.has_any(self._columns):
            return chunk.lines.write(self._befores, columns)
        heads = _encode_heads([self._head(chunk, index) for index in range(len(chunk))])
        return lines_of([head.encode() for head in heads], self._befores, columns)

    def _head(self, chunk: Chunk, index: int) -> Row:
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
    r"""Return the start of each line: the row as an object without its last brace.

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
    return ["{" + piece for piece in joined.split("\x1e")]


def _deeper(value: object, most: int) -> bool:
    """Return whether lists and objects are nested more than `most` deep.

    >>> _deeper({"a": [[]], "b": 1}, 2), _deeper({"a": [[]]}, 3)
    (True, False)
    """
    level: list[Any] = [value]
    for _ in range(most):
        inner = [one.values() if isinstance(one, dict) else one for one in level]
        if not (level := [v for values in inner for v in values if isinstance(v, (dict, list))]):
            return False
    return True
