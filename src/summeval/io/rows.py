"""Rows, which are copied through but for their texts; and the names of the columns of texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from json import JSONEncoder, dumps
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from summeval.io import BadRow, DataError, RowError

if TYPE_CHECKING:
    from summeval._core.lines.json_lines import JsonLines

ALIASES = {
    "candidate": ("summary", "prediction", "hypothesis", "candidate", "response"),
    "references": ("reference", "references", "target", "targets", "highlights"),
    "source": ("source", "document", "article", "input"),
}
"""Common column names of data sets, tried if the user names no column."""

_MORE_WORDS = {
    "candidate": ("candidates", "predictions", "generated", "output", "decoded", "hyp", "pred"),
    "references": ("gold", "golden", "ref", "refs", "truth", "label", "labels", "human"),
    "source": ("sources", "documents", "articles", "text", "dialogue", "transcript"),
}
MOST_LISTED = 12


@dataclass(frozen=True)
class Columns:
    """The names of the text and id columns, and which texts a row must have.

    Parameters
    ----------
    candidate, source, id : str
    references : tuple of str
        One column or several, read in this order.
    needs : tuple of str
        Required texts: "references", "source", both or neither. Other columns may be missing.
    wants : tuple of str
        Optional texts, read if present.
    unnamed : tuple of str
        Which of "candidate", "references" and "source" may be found under one of `ALIASES` if the
        table has no column of their name; see `resolve_columns`.

    Raises
    ------
    ValueError
        Two of them have the same name.

    Examples
    --------
    >>> columns = Columns(unnamed=("candidate", "references"))
    >>> found = columns.resolve("rows.csv", ["id", "prediction", "references"])
    >>> found.candidate, found.references, found.aliased
    ('prediction', ('references',), {'candidate': 'prediction'})
    """

    candidate: str = "candidate"
    references: tuple[str, ...] = ("references",)
    source: str = "source"
    id: str = "id"
    needs: tuple[str, ...] = ("references",)
    wants: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    aliased: dict[str, str] = field(default_factory=dict, compare=False, hash=False)
    """The columns that were found under an alias, to inform the user."""

    def __post_init__(self) -> None:
        names = (self.candidate, *self.references, self.id)
        if len(set(names)) < len(names):
            raise ValueError(
                f"candidate, references and id need different columns, not {', '.join(names)}"
            )

    @property
    def texts(self) -> list[str]:
        """All columns that hold texts."""
        return [self.candidate, *self.references, self.source]

    @property
    def needed(self) -> list[str]:
        """The texts that a row must have, the candidate first."""
        return ["candidate", *self.needs]

    def of(self, what: str) -> tuple[str, ...]:
        """Return the columns of the candidate, the references or the source."""
        name = getattr(self, what)
        return (name,) if isinstance(name, str) else name

    def check(self, place: str, present: Collection[str], what: str) -> None:
        """Raise `DataError` if the table at `place` lacks a column for `what`."""
        for column in self.of(what):
            if column not in present:
                hint = f"name the column with --{what}-column"
                raise DataError(place, not_found(column, present, what), hint)

    def resolve(self, place: str, present: Collection[str]) -> Columns:
        """These columns with aliases replaced by the names in the table.

        Raises `DataError` if two columns could hold the same texts.
        """
        found: dict[str, Any] = {}
        unnamed = list(self.unnamed)
        taken = {self.id}.union(*(self.of(what) for what in ALIASES if what not in self.unnamed))
        for what in dict.fromkeys([*self.needed, *self.wants]):
            if what not in self.unnamed:
                continue
            names = [name for name in ALIASES[what] if name in present and name not in taken]
            if self.of(what)[0] in present:
                unnamed.remove(what)
            elif len(names) > 1:
                hint = f"name one of them with --{what}-column"
                raise DataError(place, _ambiguous(what, names), hint)
            elif names:
                found[what] = names[0]
                unnamed.remove(what)
        aliased = self.aliased | found
        if "references" in found:
            found["references"] = (found["references"],)
        return replace(self, **found, unnamed=tuple(unnamed), aliased=aliased)

    @property
    def notice(self) -> str:
        """One line that names the columns found under an alias; empty if there are none."""
        parts = [f"the {_PLURAL[what]} from {name!r}" for what, name in self.aliased.items()]
        return f"reading {' and '.join(parts)}" if parts else ""


_PLURAL = {"candidate": "candidates", "references": "references", "source": "sources"}


def guessed(what: str, name: str, present: Collection[str]) -> str:
    """Return the column of a text in a table: that of `name`; in place of the usual name an alias.

    Raises `KeyError` if the table has none, or two aliases.

    >>> guessed("references", "reference", ["id", "highlights"])
    'highlights'
    """
    if name in present:
        return name
    usual = name in (what, what.removesuffix("s"))
    if not (found := [alias for alias in ALIASES[what] if usual and alias in present]):
        raise KeyError(not_found(name, present, what))
    if len(found) > 1:
        raise KeyError(f"{_ambiguous(what, found)}; name one of them")
    return found[0]


def _ambiguous(what: str, names: Sequence[str]) -> str:
    return f"{' and '.join(map(repr, names))} could each hold the {_PLURAL[what]}"


def not_found(column: str, present: Iterable[str], what: str = "") -> str:
    """Return a message that a column is missing, with the existing ones, nearest first.

    `what` is the text that the column holds; its aliases count as near too, and a column that by
    its name holds another text does not.

    >>> not_found("candidat", ["id", "references", "candidate"])
    "no 'candidat' (did you mean 'candidate'? there is also 'id', 'references')"
    >>> not_found("candidate", ["gold_summary", "my_summary"], "candidate")
    "no 'candidate' (did you mean 'my_summary'? there is also 'gold_summary')"
    """
    import difflib

    wanted = [name.casefold() for name in (column, *ALIASES.get(what, ()))]

    def likeness(name: str) -> float:
        return max(difflib.SequenceMatcher(None, name.casefold(), one).ratio() for one in wanted)

    if not (names := list(present)):
        return f"no {column!r} (there are no columns)"
    # Similar names come first; the others keep their order.
    fits = {"", what} if what in ALIASES else {"", *ALIASES}
    near = [name for name in names if likeness(name) >= 0.6 and _held_by(name) in fits]
    first = sorted(near, key=likeness, reverse=True)
    others = [name for name in names if name not in first]
    parts = [f"did you mean {_some(first)}?"] * bool(first)
    parts += [f"there is {'also ' * bool(first)}{_some(others)}"] * bool(others)
    return f"no {column!r} ({' '.join(parts)})"


def _held_by(name: str) -> str:
    """Return the text that a column holds by the words of its name; empty if they do not tell.

    >>> _held_by("gold_summary"), _held_by("summary"), _held_by("id")
    ('references', 'candidate', '')
    """
    words = set(re.split(r"[\W\d_]+", name.casefold()))
    for what in ("references", "source", "candidate"):
        if words & {*ALIASES[what], *_MORE_WORDS[what]}:
            return what
    return ""


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:MOST_LISTED])) + ", …" * (len(names) > MOST_LISTED)


ERROR = "error"
"""The column with the errors of rows."""

Row = dict[str, Any]
Source = str | list[str] | None
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
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


@dataclass(frozen=True)
class Position:
    """A position between two rows: the bytes and lines of decompressed text before it."""

    offset: int = 0
    line: int = 0


@dataclass
class Chunk:
    """Consecutive rows of a file of any format, as parallel columns.

    Attributes
    ----------
    rows : list of dict
        The carried columns of each row.
    candidates, references, sources
        Lists, with None for rows without them, or columns that kernels read; None if no metric
        needs them.
    errors : dict of int to str
        The messages of unusable rows, by index.
    end : Position
        The position after the last row.
    needs : tuple of str
        That of `Columns`.
    columns : sequence of str
        The carried columns of a table that has them even without rows.
    lines, batch
        The rows of JSON Lines, or the Arrow record batch, that the chunk is made of.
    size : int or None
        The number of rows, where they are made late.
    late : mapping of str to callable
        Makes attributes when they are first asked for.
    names : set of str or None
        All carried columns; None if they are too many to tell.
    empty : int
        The number of candidates that are empty texts.
    json : bytes
        The carried columns as a JSON list of objects, or as an object on each line.
    """

    rows: list[Row] = field(default_factory=list)
    candidates: Any = field(default_factory=list)
    references: Any = field(default_factory=list)
    sources: Any = field(default_factory=list)
    errors: dict[int, str] = field(default_factory=dict)
    end: Position = Position()
    needs: tuple[str, ...] = ("references",)
    columns: Sequence[str] = ()
    lines: JsonLines | None = None
    batch: Any = None
    size: int | None = None
    late: Mapping[str, Callable[[], Any]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in self.late:
            self.__dict__.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        late = self.__dict__.get("late", {})
        if name in late:
            self.__dict__[name] = late[name]()
            return self.__dict__[name]
        if name == "names":
            return {*self.columns}.union(*self.rows)
        if name == "empty":
            return self.candidates.count("")
        if name == "json":
            return dumps(self.rows).encode()
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(self.rows) if self.size is None else self.size

    def append(
        self, row: Row, candidate: str | None, references: list[str] | None, source: Source
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

    def has_any(self, names: Iterable[str]) -> bool:
        """Return whether some row may carry a column of one of these names."""
        return self.names is None or not self.names.isdisjoint(names)

    def listed(self) -> Chunk:
        """Return the same rows with their texts as Python lists, which may be changed."""
        references, sources, lines = self.references, self.sources, self.lines
        if lines is not None:  # which has them even where no metric needs them
            pairs = zip(lines.references().to_list(), lines.reference_kinds(), strict=True)
            references = [texts if kind else None for texts, kind in pairs]
            pairs = zip(lines.sources().to_list(), lines.source_kinds(), strict=True)
            sources = [(None, texts[0] if texts else None, texts)[kind] for texts, kind in pairs]
        sides = self.candidates, references, sources
        one, two, three = (_listed(side, len(self)) for side in sides)
        rest = self.errors, self.end, self.needs, self.columns
        return Chunk(self.rows, one, two, three, *rest)


def _listed(side: Any, size: int) -> list[Any]:
    if side is None:
        return [None] * size
    return list(side if isinstance(side, list) else side.to_list())


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

    def take(self, chunk: Any, row: Row) -> None:
        """Check a row with texts under the names of `columns`, and add it.

        Raises `RowError` and adds nothing if the row lacks the candidate or a text needed for
        comparison, or if a text is not a string.
        """
        columns = self.columns
        for what in columns.needed:
            names = columns.of(what)
            if not any(name in row for name in names):
                hint = f"add the field, or choose another with --{what}-column"
                raise RowError(not_found(names[0], row, what), hint)
        candidate = row.get(columns.candidate)
        if candidate is not None and not isinstance(candidate, str):
            problem = f"{columns.candidate!r} is {_kind(candidate)}, not a string"
            raise RowError(problem, "write a string or null")
        references = join_texts([_texts(name, row.get(name)) for name in columns.references])
        source = row.get(columns.source)
        if not isinstance(source, str):
            source = _texts(columns.source, source)
        chunk.append(self.carried(row), candidate, references, source)

    def carried(self, row: Row) -> Row:
        """Remove the texts from `row` in place and return it; with `keep_text` keep them."""
        if not self.keep_text:
            for column in self.text_columns:
                row.pop(column, None)
        return row

    def only_id(self, row: Row) -> Row:
        """Return a bad row reduced to its id, if that is valid UTF-8."""
        column = self.columns.id
        if column not in row:
            return dict(self.blank)
        try:
            trusted = "\ufffd".encode() not in encode_json(row[column]).encode()
        except UnicodeEncodeError:
            trusted = False
        return self.blank | {column: row[column] if trusted else None}

    def refuse(self, chunk: Any, line: int, row: Row, error: RowError) -> None:
        """Raise `DataError` for a bad row, or add it as a null row, depending on `on_error`."""
        if self.on_error == "raise":
            identity = row.get(self.columns.id)
            label = f" (id {encode_json(identity)[:60]})" if identity is not None else ""
            raise BadRow.of(f"{self.name}:{line}{label}", error)
        chunk.errors[len(chunk)] = str(DataError.of(f"line {line}", error))
        chunk.append(self.carried(row), None, None, None)


def join_texts(parts: Sequence[list[str] | None]) -> list[str] | None:
    """Return the references of all columns in one list; None if there are none.

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
    joined, later = Chunk(), iter(chunks)
    for chunk in later:
        joined.extend(chunk)
        if len(joined.errors) < len(joined):
            break
    yield joined
    yield from later


def invalid_utf8(error: UnicodeDecodeError, line_offset: int) -> RowError:
    """Return the error of a line that is not UTF-8; `line_offset` is its first byte."""
    at = line_offset + error.start
    problem = (
        f"invalid UTF-8 (0x{error.object[error.start]:02x}) at byte {at} of the file,"
        f" {error.start} of the line"
    )
    if at < 2 and error.object[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return RowError(problem, "it looks like UTF-16: convert the file to UTF-8")
    return RowError(problem, "convert the file to UTF-8")


def lone_surrogate(text: str) -> RowError:
    """Return the error of a text that cannot be encoded in UTF-8."""
    found = re.search("[\ud800-\udfff]", text)
    code = f"\\u{ord(found[0]):04x}" if found else "a surrogate"
    problem = f"the escape {code} is an unpaired surrogate"
    return RowError(problem, "write the complete pair, or \\ufffd instead")


def _texts(column: str, value: object) -> list[str] | None:
    if value is None or isinstance(value, str):
        return None if value is None else [value]
    bad: object = value
    place = repr(column)
    if isinstance(value, list):
        wrong = (i for i, text in enumerate(value) if not isinstance(text, str | None))
        index = next(wrong, None)
        if index is None:
            return [text for text in value if text is not None]
        bad, place = value[index], f"{column!r}[{index}]"
    wanted = "a string" if isinstance(value, list) else "a list of strings"
    raise RowError(f"{place} is {_kind(bad)}, not {wanted}", "write a list of strings")


_KINDS = {bool: "true or false", int: "a number", float: "a number", list: "a list"}


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "an object")
