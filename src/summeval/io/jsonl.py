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
from collections.abc import Collection, Iterator, Sequence
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Any

from summeval._cached import cached_property
from summeval._core.lines.json_lines import JsonLines, is_utf8, lines_of
from summeval.io.errors import DataError, RowError
from summeval.io.input import BLOCK_BYTES, InputFile
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

if TYPE_CHECKING:
    from summeval._core.columns.columns import TextColumn

_BOM = b"\xef\xbb\xbf"
_TOO_DEEP = RowError("JSON nested too deeply", "flatten it")
_SAFE_DEPTH = 50  # far from Python's recursion limit
_MOST_DEPTH = 500  # versions of Python differ in what they read: all read this


def _unique(pairs: list[tuple[str, Any]]) -> Row:
    """The object of these keys and values; raises for a duplicate key."""
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

    Raises
    ------
    DataError
        The file cannot be read or, unless the taker skips bad rows, a row cannot be used.
    """
    return (lines.listed() for lines in read_lines(file, taker, start, chunk_bytes))


def read_lines(
    file: InputFile,
    taker: RowTaker,
    start: Position = Position(),  # noqa: B008 - frozen
    chunk_bytes: int = BLOCK_BYTES,
) -> Iterator[LineChunk]:
    """As `read`, but the texts stay columns, which kernels read without Python strings."""
    offset, line = start.offset, start.line
    is_empty = start == Position()
    for block in file.blocks(start.offset, chunk_bytes):
        end = Position(offset + len(block), line + block.count(b"\n"))
        yield chunk_of(block, taker, offset, line, end)
        offset, line = end.offset, end.line
        is_empty = False
    if is_empty:
        yield LineChunk(taker, Position())


class LineChunk:
    """Consecutive rows, with the attributes of `ArrowChunk`."""

    columns: Sequence[str] = ()

    def __init__(self, taker: RowTaker, end: Position) -> None:
        columns = taker.columns
        self._taker = taker
        self.end = end
        self.errors: dict[int, str] = {}
        self._needs = columns.needs
        apart = columns.source not in (columns.candidate, *columns.references)
        self.lines = JsonLines(
            _name(columns.candidate, apart),
            [_name(name, apart) for name in columns.references],
            _name(columns.source, apart),
            "references" in columns.needs,
            "source" in columns.needs,
            taker.keep_text,
        )
        self._odd: dict[int, Row] = {}
        """The carried columns of rows that the json module read."""

    def __len__(self) -> int:
        return len(self.lines)

    def append(
        self,
        row: Row,
        candidate: str | None,
        references: list[str] | None,
        source: str | list[str] | None,
    ) -> None:
        """Add a row by its carried columns and texts, all of which UTF-8 can encode."""
        self._odd[len(self)] = row
        self.lines.add(
            encode_json(row)[:-1].encode(),
            None if candidate is None else candidate.encode(),
            None if references is None else [text.encode() for text in references],
            [text.encode() for text in source]
            if isinstance(source, list)
            else (None if source is None else source.encode()),
        )

    @cached_property
    def candidates(self) -> TextColumn:
        """The candidates."""
        return self.lines.candidates()

    @cached_property
    def references(self) -> TextColumn | None:
        """The references; None if no metric needs them."""
        return self.lines.references() if "references" in self._needs else None

    @cached_property
    def sources(self) -> TextColumn | None:
        """The source of each row; None if no metric needs it."""
        return self.lines.sources() if "source" in self._needs else None

    @cached_property
    def rows(self) -> list[Row]:
        """The carried columns, one dict per row."""
        rows: list[Row] = json.loads(self.lines.objects())
        for index, row in self._odd.items():
            rows[index] = row
        for index, line in self.lines.beyond():
            rows[index] = self._taker.carried(_decode(line.decode()))
        return rows

    @property
    def empty(self) -> int:
        """The number of candidates that are empty texts."""
        return self.lines.empty()

    def has_any(self, names: Collection[str]) -> bool:
        """Whether some row carries a column of one of these names."""
        found = self.lines.names()
        if found is None or any(not row.keys().isdisjoint(names) for row in self._odd.values()):
            return True
        return not {_name(name, True) for name in names}.isdisjoint(found)

    def listed(self) -> Chunk:
        """The same rows as Python lists."""
        references = zip(
            self.lines.references().to_list(), self.lines.reference_kinds(), strict=True
        )
        sources = zip(self.lines.sources().to_list(), self.lines.source_kinds(), strict=True)
        return Chunk(
            self.rows,
            self.candidates.to_list(),
            [texts if kind else None for texts, kind in references],
            [(None, texts[0] if texts else None, texts)[kind] for texts, kind in sources],
            self.errors,
            self.end,
            self._needs,
        )


_NO_NAME = b"\n"  # no JSON string has a newline


def _name(name: str, usable: bool) -> bytes:
    """A name as the bytes of a JSON string; where it cannot be one, bytes that match none."""
    try:
        return encode_json(name)[1:-1].encode() if usable else _NO_NAME
    except UnicodeEncodeError:
        return _NO_NAME


def chunk_of(block: bytes, taker: RowTaker, offset: int, line: int, end: Position) -> LineChunk:
    """The rows of a block of whole lines, before which are `offset` bytes and `line` lines."""
    chunk = LineChunk(taker, end)
    at = len(_BOM) if offset == 0 and block.startswith(_BOM) else 0
    if not is_utf8(block):
        for number, text in enumerate(_decode_lines(block[at:], offset + at), line + 1):
            if not isinstance(text, str):
                _refuse_undecodable(chunk, taker, number, text)
            elif text and not text.isspace():
                _take_unusual(chunk, taker, number, text)
        return chunk
    while True:
        at, passed = chunk.lines.take(block, at, True)
        if at == len(block):
            return chunk
        line += passed + 1
        stop = block.find(b"\n", at) % (len(block) + 1)
        text = block[at:stop].decode()
        if not text.isspace():
            _take_unusual(chunk, taker, line, text)
        at = min(stop + 1, len(block))


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


def _refuse_undecodable(chunk: LineChunk, taker: RowTaker, number: int, line: _Undecodable) -> None:
    text, error = line
    try:
        row = parse_object(text)
    except RowError:
        row = {}
    taker.refuse(chunk, number, taker.only_id(row), error)


def _take_unusual(chunk: LineChunk, taker: RowTaker, number: int, text: str) -> None:
    """Take a row that needs a closer check: it has nulls, a bare string, escapes or an error."""
    row = taker.only_id(None)
    try:
        row = parse_object(text)
        if _may_not_encode(text):
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


def _may_not_encode(text: str) -> bool:
    """Whether an object may hold half a surrogate pair, or be nested too deeply to be written."""
    if "\\ud" in text or "\\uD" in text:
        return True
    return text.count("[") + text.count("{") > _SAFE_DEPTH


def parse_object(text: str, infinite: bool = False) -> Row:
    """The object on a line; raises `RowError` for anything else.

    NaN, Infinity and -Infinity are None; with `infinite`, the last two are infinite numbers.
    """
    try:
        if text.startswith("\ufeff"):
            json.loads(text)  # raises, and says that it is a byte order mark
        row = (_decode_infinite if infinite else _decode)(text)
    except JSONDecodeError as error:
        raise RowError(
            f"malformed JSON at column {error.colno} ({error.msg})",
            "write one JSON object on the line",
        ) from None
    except RecursionError:
        raise _TOO_DEEP from None
    except RowError:
        raise
    except ValueError as error:
        raise RowError(f"JSON that cannot be read ({error})", "correct the number") from None
    if text.count("[") + text.count("{") > _MOST_DEPTH and _deeper(row, _MOST_DEPTH):
        raise _TOO_DEEP
    if not isinstance(row, dict):
        kind = {list: "a list", str: "a string", type(None): "null"}.get(type(row), "a number")
        raise RowError(f"the line holds {kind}, not an object", "write one JSON object on the line")
    return row


def unfold(file: InputFile) -> None:
    """If the file is one JSON array of objects, read it whole, and on as a line for each.

    Raises `DataError` for a malformed array.
    """
    file.replace_array(_lines_of_array)


def _lines_of_array(text: bytes, name: str) -> bytes:
    try:
        items = _decode(text.decode("utf-8-sig"))
    except JSONDecodeError as error:
        if error.msg == "Extra data":  # lines, the first of which is a list
            return text
        problem = f"malformed JSON array at column {error.colno} ({error.msg})"
        raise DataError(f"{name}:{error.lineno}", problem, "correct it") from None
    except UnicodeDecodeError as error:
        bad = invalid_utf8(error, 0)
        raise DataError.of(name, bad) from None
    except RecursionError:
        raise DataError.of(name, _TOO_DEEP) from None
    except RowError as error:
        raise DataError.of(name, error) from None
    except ValueError as error:
        raise DataError(name, f"JSON that cannot be read ({error})", "correct the number") from None
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

    def encode(self, chunk: Rows, scores: Sequence[Any]) -> bytes:
        """The lines of a chunk. `scores` holds one float64 array for each score column."""
        columns = list(scores)
        if isinstance(chunk, LineChunk) and not chunk.errors and not chunk.has_any(self._columns):
            return chunk.lines.write(self._befores, columns)
        heads = _encode_heads([self._head(chunk, index) for index in range(len(chunk))])
        return lines_of([head.encode() for head in heads], self._befores, columns)

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
    r"""The start of each line: the row as an object without its last brace.

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
    """Whether lists and objects are nested more than `most` deep.

    >>> _deeper({"a": [[]], "b": 1}, 2), _deeper({"a": [[]]}, 3)
    (True, False)
    """
    level: list[Any] = [value]
    for _ in range(most):
        inner = [one.values() if isinstance(one, dict) else one for one in level]
        level = [v for values in inner for v in values if isinstance(v, (dict, list))]
        if not level:
            return False
    return True
