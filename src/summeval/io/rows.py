"""Rows: a candidate, its references and the carried columns, which are only copied through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from json import JSONEncoder
from math import isfinite
from typing import Any, Literal, Protocol

from summeval.io.column_names import Columns, not_found
from summeval.io.errors import BadRow, DataError, RowError

Row = dict[str, Any]
OnError = Literal["raise", "skip"]

_encode: Callable[[Any], str] = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def encode_json(value: Any) -> str:
    """Encode a value as JSON, with null for NaN and infinities."""
    try:
        return _encode(value)
    except ValueError:
        return _encode(finite(value))


def finite(value: Any) -> Any:
    """Replace NaN and infinities by null (1e999 is read as infinity)."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


@dataclass(frozen=True)
class Position:
    """A position between two rows: the bytes and lines of decompressed text before it."""

    offset: int = 0
    line: int = 0


class Rows(Protocol):
    """The interface of chunks of rows for writers."""

    @property
    def rows(self) -> list[Row]:
        """The carried columns, one dict per row."""

    @property
    def errors(self) -> dict[int, str]:
        """The messages of unusable rows, by index."""

    @property
    def empty(self) -> int:
        """The number of candidates that are empty texts."""

    @property
    def columns(self) -> Sequence[str]:
        """The carried columns that are known even without rows."""

    def __len__(self) -> int: ...


@dataclass
class Chunk:
    """Consecutive rows, stored as parallel lists.

    `rows` holds the carried columns; `candidates` and `references` are None for rows without them;
    `errors` holds the messages of unusable rows by index; `end` is the position after the last row;
    `needs` is that of `Columns`; `columns` are the carried columns of a table with a header.
    """

    rows: list[Row] = field(default_factory=list)
    candidates: list[str | None] = field(default_factory=list)
    references: list[list[str] | None] = field(default_factory=list)
    sources: list[str | list[str] | None] = field(default_factory=list)
    errors: dict[int, str] = field(default_factory=dict)
    end: Position = field(default_factory=Position)
    needs: tuple[str, ...] = ("references",)
    columns: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def empty(self) -> int:
        """The number of candidates that are empty texts."""
        return self.candidates.count("")

    def append(
        self,
        row: Row,
        candidate: str | None,
        references: list[str] | None,
        source: str | list[str] | None,
    ) -> None:
        """Add a row by its carried columns and texts."""
        self.rows.append(row)
        self.candidates.append(candidate)
        self.references.append(references)
        self.sources.append(source)

    def extend(self, later: Chunk) -> None:
        """Append the rows of the next chunk."""
        self.errors |= {len(self) + index: error for index, error in later.errors.items()}
        self.rows += later.rows
        self.candidates += later.candidates
        self.references += later.references
        self.sources += later.sources
        self.end, self.needs, self.columns = later.end, later.needs, later.columns


class Encoder(Protocol):
    """The interface of writers of chunks with their scores."""

    header: list[str] | None
    """The columns of a CSV file, once they are known."""

    def encode(self, chunk: Rows, scores: Sequence[Any]) -> bytes:
        """The bytes of a chunk. `scores` holds one float64 array for each score column."""


class Growing(Protocol):
    """A chunk to which rows are added."""

    errors: dict[int, str]

    def __len__(self) -> int: ...

    def append(
        self,
        row: Row,
        candidate: str | None,
        references: list[str] | None,
        source: str | list[str] | None,
    ) -> None: ...


class RowTaker:
    """Adds rows to a chunk: checks and extracts the texts, and handles bad rows.

    Parameters
    ----------
    name
        The file, for messages.
    keep_text
        Whether to keep the texts among the carried columns.
    on_error
        "raise" raises a `DataError` at the first bad row; "skip" keeps it as a row without texts.
    """

    def __init__(self, name: str, columns: Columns, keep_text: bool, on_error: OnError) -> None:
        self.name = name
        self.columns = columns
        self.text_columns = columns.texts
        self.keep_text = keep_text
        self.on_error = on_error
        self.blank: Row = {columns.id: None}
        """The part of an unreadable row that is kept; tables with a header set its columns."""

    def take(self, chunk: Growing, row: Row) -> None:
        """Check a row with texts under the names of `columns`, and add it.

        Raises `RowError` and adds nothing if the row lacks the candidate or a text needed for
        comparison, or if a text is not a string.
        """
        columns = self.columns
        for what in columns.needed:
            names = columns.of(what)
            if not any(name in row for name in names):
                mend = f"add the field, or choose another with --{what}-column"
                raise RowError(not_found(names[0], row, what), mend)
        candidate = _text(columns.candidate, row.get(columns.candidate))
        references = join_texts([_texts(name, row.get(name)) for name in columns.references])
        source = row.get(columns.source)
        if not isinstance(source, str):
            source = _texts(columns.source, source)
        self.add(chunk, row, candidate, references, source)

    def add(
        self,
        chunk: Growing,
        row: Row,
        candidate: str | None,
        references: list[str] | None,
        source: str | list[str] | None = None,
    ) -> None:
        """Add a row with its texts, which were checked before."""
        chunk.append(self.carried(row), candidate, references, source)

    def carried(self, row: Row) -> Row:
        """Remove the texts from `row` in place and return it; with `keep_text` keep them."""
        if not self.keep_text:
            for column in self.text_columns:
                row.pop(column, None)
        return row

    def only_id(self, row: Row | None) -> Row:
        """A bad row reduced to its id, if that is valid UTF-8."""
        column = self.columns.id
        kept = dict(self.blank)
        if not row or column not in row:
            return kept
        try:
            trusted = "\ufffd".encode() not in encode_json(row[column]).encode()
        except UnicodeEncodeError:
            trusted = False
        kept[column] = row[column] if trusted else None
        return kept

    def refuse(self, chunk: Growing, line: int, row: Row, error: RowError) -> None:
        """Raise `DataError` for a bad row, or add it as a null row, depending on `on_error`."""
        if self.on_error == "raise":
            identity = row.get(self.columns.id)
            label = f" (id {encode_json(identity)[:60]})" if identity is not None else ""
            raise BadRow.of(f"{self.name}:{line}{label}", error)
        chunk.errors[len(chunk)] = str(DataError.of(f"line {line}", error))
        self.add(chunk, row, None, None)


def join_texts(parts: Sequence[list[str] | None]) -> list[str] | None:
    """The references of all columns in one list; None if there are none.

    >>> join_texts([["a"], None, ["b", "c"]]), join_texts([None, None])
    (['a', 'b', 'c'], None)
    """
    if len(parts) == 1:
        return parts[0]
    there = [part for part in parts if part is not None]
    return [text for part in there for text in part] if there else None


def join_first(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Yield chunks, with leading chunks that have no usable row merged into the next.

    A CSV output needs its header first, and only usable rows determine the columns.
    """
    joined, is_joined = Chunk(), False
    for chunk in chunks:
        if is_joined:
            yield chunk
            continue
        joined.extend(chunk)
        is_joined = len(joined.errors) < len(joined)
        if is_joined:
            yield joined
    if not is_joined:
        yield joined


def invalid_utf8(error: UnicodeDecodeError, line_offset: int) -> RowError:
    """The error of a line that is not UTF-8; `line_offset` is its first byte."""
    byte = error.object[error.start]
    at = line_offset + error.start
    problem = f"invalid UTF-8 (0x{byte:02x}) at byte {at} of the file, {error.start} of the line"
    if at < 2 and error.object[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return RowError(problem, "it looks like UTF-16: convert the file to UTF-8")
    return RowError(problem, "convert the file to UTF-8")


def lone_surrogate(text: str) -> RowError:
    """The error of a text that cannot be encoded in UTF-8."""
    found = re.search("[\ud800-\udfff]", text)
    code = f"\\u{ord(found[0]):04x}" if found else "a surrogate"
    return RowError(
        f"the escape {code} is an unpaired surrogate",
        "write the complete pair, or \\ufffd instead",
    )


def _text(column: str, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise RowError(f"{column!r} is {_kind(value)}, not a string", "write a string or null")


def _texts(column: str, value: object) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    if value is None:
        return None
    if not isinstance(value, list):
        raise RowError(
            f"{column!r} is {_kind(value)}, not a list of strings", "write a list of strings"
        )
    for index, text in enumerate(value):
        if text is not None and not isinstance(text, str):
            raise RowError(
                f"{column!r}[{index}] is {_kind(text)}, not a string", "write a list of strings"
            )
    return [text for text in value if text is not None]


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    return "a list" if isinstance(value, list) else "an object"
