"""Rows: a candidate, its references and the columns that are only carried through."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from json import JSONEncoder
from typing import Any, Literal, Protocol

from summeval.io.errors import BadRow, DataError, RowError

Row = dict[str, Any]
OnError = Literal["fail", "skip"]

_encode: Callable[[Any], str] = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def encode_json(value: Any) -> str:
    """The value as JSON, with null for the numbers that JSON has no word for."""
    try:
        return _encode(value)
    except ValueError:
        return _encode(finite(value))


def finite(value: Any) -> Any:
    """The value with null for the numbers that JSON has no word for (1e999 reads as infinity)."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and value - value != 0 else value


@dataclass(frozen=True)
class Columns:
    """The names under which a row holds its texts and its id, and which texts it must hold.

    `needs` names what candidates are compared with: "references", "source", both or neither. A
    column that is not needed may be missing.
    """

    candidate: str = "candidate"
    references: str = "references"
    source: str = "source"
    id: str = "id"
    needs: tuple[str, ...] = ("references",)

    def __post_init__(self) -> None:
        names = (self.candidate, self.references, self.id)
        if len(set(names)) < len(names):
            raise ValueError(
                f"candidate, references and id need columns of their own, not {', '.join(names)}"
            )

    @property
    def needed(self) -> dict[str, str]:
        """What a row must have, and the columns that hold it: the candidate first."""
        return {what: getattr(self, what) for what in ("candidate", *self.needs)}

    def check(self, place: str, present: Collection[str], what: str) -> None:
        """Raise `DataError` where the table at `place` has no column for `what`."""
        column = self.needed[what]
        if column not in present:
            mend = f"name the column with --{what}-column"
            raise DataError(place, not_found(column, present), mend)


@dataclass(frozen=True)
class Position:
    """A place between two rows: bytes and lines of the unpacked text that lie before it."""

    offset: int = 0
    line: int = 0


class Rows(Protocol):
    """Rows that have been read, as those see them who write them."""

    @property
    def rows(self) -> list[Row]:
        """The columns that are carried through, a dict for each row."""

    @property
    def errors(self) -> dict[int, str]:
        """The message of each row, by its index, that could not be used."""

    @property
    def unscored(self) -> int:
        """How many rows lack the candidate or what it is compared with."""

    def __len__(self) -> int: ...


@dataclass
class Chunk:
    """Some rows that follow each other; the lists run in step.

    `rows` holds the columns that are carried through, `candidates` and `references` None where
    a row has none, `errors` the message of each row (by its index) that could not be used, and
    `end` the position after the last row.
    """

    rows: list[Row] = field(default_factory=list)
    candidates: list[str | None] = field(default_factory=list)
    references: list[list[str] | None] = field(default_factory=list)
    sources: list[str | list[str] | None] = field(default_factory=list)
    errors: dict[int, str] = field(default_factory=dict)
    end: Position = field(default_factory=Position)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def unscored(self) -> int:
        """How many rows have no candidate or no references."""
        texts = zip(self.candidates, self.references, strict=True)
        return sum(candidate is None or not references for candidate, references in texts)

    def extend(self, later: Chunk) -> None:
        """Add the rows of the chunk that follows."""
        self.errors |= {len(self) + index: error for index, error in later.errors.items()}
        self.rows += later.rows
        self.candidates += later.candidates
        self.references += later.references
        self.sources += later.sources
        self.end = later.end


class RowTaker:
    """Moves rows into a chunk: checks the texts, takes them out, and deals with bad rows.

    Parameters
    ----------
    name
        The file, for messages.
    keep_text
        Whether the texts stay among the carried columns.
    on_error
        "fail" raises a `DataError` at the first bad row; "skip" keeps it as a row without texts.
    """

    def __init__(self, name: str, columns: Columns, keep_text: bool, on_error: OnError) -> None:
        self.name = name
        self.columns = columns
        self.text_columns = [columns.candidate, columns.references, columns.source]
        self.keep_text = keep_text
        self.on_error = on_error
        self.blank: Row = {columns.id: None}
        """What is kept of a row that cannot be read; a table with a header sets its columns."""

    def take(self, chunk: Chunk, row: Row) -> None:
        """Check a row whose texts stand under the names of `columns`, and add it.

        Raises `RowError`, with nothing added, where the row has no candidate or none of what it is
        compared with, or where one of the texts is not a text.
        """
        columns = self.columns
        for what, column in columns.needed.items():
            if column not in row:
                mend = f"add the field, or name the one that holds it with --{what}-column"
                raise RowError(not_found(column, row), mend)
        candidate = _text(columns.candidate, row[columns.candidate])
        references = _texts(columns.references, row.get(columns.references))
        source = row.get(columns.source)
        if not isinstance(source, str):
            source = _texts(columns.source, source)
        self.add(chunk, row, candidate, references, source)

    def add(
        self,
        chunk: Chunk,
        row: Row,
        candidate: str | None,
        references: list[str] | None,
        source: str | list[str] | None = None,
    ) -> None:
        """Add a row with its texts, which are known to be right."""
        chunk.rows.append(self.carried(row))
        chunk.candidates.append(candidate)
        chunk.references.append(references)
        chunk.sources.append(source)

    def carried(self, row: Row) -> Row:
        """The row without its texts (`row` itself, changed), or whole under `keep_text`."""
        if not self.keep_text:
            for column in self.text_columns:
                row.pop(column, None)
        return row

    def only_id(self, row: Row | None) -> Row:
        """A row of which nothing but the id can be trusted, and that only if UTF-8 can hold it."""
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

    def refuse(self, chunk: Chunk, line: int, row: Row, error: RowError) -> None:
        """Raise a `DataError` for a bad row, or add it as a null row, by `on_error`."""
        if self.on_error == "fail":
            identity = row.get(self.columns.id)
            label = f" (id {encode_json(identity)[:60]})" if identity is not None else ""
            raise BadRow(f"{self.name}:{line}{label}", error.problem, error.mend)
        chunk.errors[len(chunk)] = str(DataError(f"line {line}", error.problem, error.mend))
        self.add(chunk, row, None, None)


def join_first(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The chunks, where those at the start without a usable row are joined to the next.

    A CSV file names its columns in its first line, and only usable rows tell which there are.
    """
    joined: Chunk | None = Chunk()
    for chunk in chunks:
        if joined is None:
            yield chunk
            continue
        joined.extend(chunk)
        if len(joined.errors) < len(joined):
            yield joined
            joined = None
    if joined:
        yield joined


def invalid_utf8(error: UnicodeDecodeError, line_offset: int) -> RowError:
    """The error of a line that is not UTF-8; `line_offset` is the byte at which it starts."""
    byte = error.object[error.start]
    at = line_offset + error.start
    problem = f"invalid UTF-8 (0x{byte:02x}) at byte {at} of the file, {error.start} of the line"
    if at < 2 and error.object[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return RowError(problem, "it looks like UTF-16: convert the file to UTF-8")
    return RowError(problem, "convert the file to UTF-8")


def lone_surrogate(text: str) -> RowError:
    """The error of a text that UTF-8 cannot hold."""
    found = re.search("[\ud800-\udfff]", text)
    code = f"\\u{ord(found[0]):04x}" if found else "a surrogate"
    return RowError(
        f"the escape {code} is half of a surrogate pair and stands alone",
        "write the whole pair or \\ufffd in its place",
    )


def not_found(column: str, present: Iterable[str]) -> str:
    """Words that say that a column is missing, with the nearest or all names that are there."""
    names = list(present)
    near = difflib.get_close_matches(column, names, 3, 0.6)
    if near:
        listed = "did you mean " + ", ".join(map(repr, near)) + "?"
    elif names:
        more = ", …" if len(names) > 8 else ""
        listed = "there is " + ", ".join(map(repr, names[:8])) + more
    else:
        listed = "there is none at all"
    return f"no {column!r} ({listed})"


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
        if not isinstance(text, str):
            raise RowError(
                f"{column!r}[{index}] is {_kind(text)}, not a string", "write a list of strings"
            )
    return value


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    return "a list" if isinstance(value, list) else "an object"
