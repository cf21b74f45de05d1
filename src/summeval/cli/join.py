"""`summeval join`: put files of scores side by side, or one after the other."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from summeval.cli.shared.arguments import add_flags
from summeval.cli.shared.errors import UsageError, say
from summeval.cli.shared.layout import resolve_names
from summeval.cli.shared.row_files import check_rows, write_rows
from summeval.io import DataError
from summeval.io.column_names import ALIASES, not_found
from summeval.io.csv_table import cell_texts
from summeval.io.errors import RowError
from summeval.io.plain import system_names
from summeval.io.rows import Row, encode_json
from summeval.table.read import read_rows
from summeval.table.table import Table

DESCRIPTION = """\
Put files of scores together. Rows with the same system and id become one row with the columns of
all files (more metrics for the same texts); other rows follow each other (more systems). Files
without a column of systems that have the same scores are systems, called by the names of the files.
As in `summeval rank`, systems are also found under a name such as model, and ids under topic or a
name such as doc_id; where files have different names for them, they become system and id.
One line on standard error says what was done and how many rows lack columns.

A column in which two files differ for a row, and a row that occurs twice in a file, are errors;
several outputs of a system for one id are told apart by a column sample. Directions and signatures,
which Parquet and Arrow files hold, are carried through to such files."""

EPILOG = """\
Formats, by extension: .jsonl .csv .tsv .parquet .arrow; the first three also read with .gz
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval join rouge.jsonl tesla.jsonl -o scores.jsonl
  summeval join bart.csv t5.csv pegasus.csv -o systems.parquet"""

_SAMPLE = "sample"
_CELLS = ("references", "source")  # whose texts may be lists
_Key = tuple[str | None, str, str | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", help="two files of scores or more")
    add("-o", "--output", default="-", metavar="OUT", help="file to write [standard output]")
    add_flags(parser, "system", "id-column")


def run(arguments: argparse.Namespace) -> int:
    """Join the files; return the exit status."""
    paths: list[str] = arguments.files
    if len(paths) < 2:
        raise UsageError("join takes two files or more")
    if paths.count("-") > 1:
        raise UsageError("- (standard input) can stand for one file only")
    check_rows(arguments.output)
    for path in paths:
        if "-" not in (path, arguments.output) and _same(path, arguments.output):
            raise UsageError("OUT is one of the files; pass another with -o")
    files = [_File(path, read_rows(path)) for path in paths]
    for file in files:
        for note in file.read.notes:
            say(f"{file.name}: {note}")
    system, identity = _keys(arguments, files)
    if not any(system in Table(file.rows) for file in files):
        _name_systems(files, system)
    joined = _Joined(system, identity)
    for file in files:
        joined.add(file)
    write_rows(arguments.output, joined.filled(), joined.signatures, joined.directions)
    say(joined.told(len(files)))
    return 0


def _same(path: str, other: str) -> bool:
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)


def _keys(arguments: argparse.Namespace, files: Sequence[_File]) -> list[str]:
    """The columns of the systems and of the ids; files with other names for them get these."""
    keys = []
    for what, option in (("system", "system"), ("id", "id_column")):
        named = []
        for file in files:
            own = argparse.Namespace(**vars(arguments))
            resolve_names(own, Table(file.rows, origin=file.name), [what])
            named.append(getattr(own, option))
        there = {name for name, file in zip(named, files, strict=True) if name in Table(file.rows)}
        keys.append(there.pop() if len(there) == 1 else getattr(arguments, option))
        for name, file in zip(named, files, strict=True):
            file.rename(name, keys[-1])
    return keys


class _File:
    """The rows of a file."""

    def __init__(self, path: str, read: Table) -> None:
        self.path = path
        self.name = "standard input" if path == "-" else path
        self.read = read
        self.rows = read.rows
        self.columns = Table(self.rows).columns
        if all(isinstance(value, str) for row in self.rows for value in row.values()):
            self.rows = _typed(self.name, self.rows, self.columns)

    def rename(self, column: str, name: str) -> None:
        """Call a column by another name."""
        if column in self.columns and column != name:
            self.columns = [name if one == column else one for one in self.columns]
            self.rows = [
                {name if key == column else key: value for key, value in row.items()}
                for row in self.rows
            ]

    @property
    def scores(self) -> set[str]:
        """The columns METRIC.FIELD."""
        return {name for name in self.columns if "." in name}


def _typed(place: str, rows: Sequence[Row], columns: Sequence[str]) -> list[Row]:
    """The rows of a table of cells with numbers for scores, and lists for lists of texts."""
    numeric = {
        name for name in columns if "." in name and all(_is_number(row.get(name)) for row in rows)
    }

    def value(number: int, name: str, cell: str) -> Any:
        if not cell and name not in ALIASES["candidate"]:  # an empty candidate is a text
            return None
        if name in numeric:
            return float(cell)
        if name in _CELLS and cell.startswith("["):
            try:
                return cell_texts(name, cell)
            except RowError as error:
                raise DataError.of(f"{place}: row {number}", error) from None
        return cell

    return [
        {name: value(number, name, cell) for name, cell in row.items()}
        for number, row in enumerate(rows, 1)
    ]


def _is_number(cell: str | None) -> bool:
    try:
        float(cell or 0)
    except ValueError:
        return False
    return True


def _name_systems(files: Sequence[_File], column: str) -> None:
    """Call the systems by the files, if all files have the same scores."""
    if any(file.scores != files[0].scores for file in files):
        return
    for file, name in zip(files, system_names([file.path for file in files]), strict=True):
        file.rows = [{**row, column: name} for row in file.rows]
        file.columns.append(column)


@dataclass
class _Joined:
    """The rows so far, by system, id and sample."""

    system: str
    identity: str
    rows: dict[_Key, Row] = field(default_factory=dict)
    columns: dict[str, None] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    directions: dict[str, bool] = field(default_factory=dict)
    found: list[tuple[str, int, int]] = field(default_factory=list)
    """Of each file its name and how many of its rows were there before, and how many were not."""
    home: dict[str, str] = field(default_factory=dict)
    """The file from which each column came first."""

    def add(self, file: _File) -> None:
        """Add a file.

        Raises `DataError` for a row without id, a row that occurs twice, or another value.
        """
        if self.identity not in file.columns:
            mend = "name the column with --id-column"
            raise DataError(file.name, not_found(self.identity, file.columns), mend)
        self._carry(file)
        seen: set[_Key] = set()
        known = 0
        for number, row in enumerate(file.rows, 1):
            key = self._key(file, number, row)
            if key in seen:
                mend = f"remove one, or number several outputs in a column {_SAMPLE!r}"
                raise DataError(f"{file.name}: row {number}", f"{_shown(key)} comes twice", mend)
            seen.add(key)
            mine = self.rows.get(key)
            known += mine is not None
            if mine is None:
                self.rows[key] = dict(row)
            else:
                self._merge(mine, row, f"{file.name}: {_shown(key)}")
        self.found.append((file.name, known, len(seen) - known))
        for name in file.columns:
            self.home.setdefault(name, file.name)
        self.columns |= dict.fromkeys(file.columns)

    def _carry(self, file: _File) -> None:
        """Take the signatures and directions of a file; raises if one differs."""
        for name, line in file.read.signatures.items():
            if self.signatures.setdefault(name, line) != line:
                problem = f"{name} has another signature than in the files before"
                raise DataError(file.name, problem, "score again with the same options")
        for name, rising in file.read.directions.items():
            if self.directions.setdefault(name, rising) != rising:
                problem = f"{name} has another direction than in the files before"
                raise DataError(file.name, problem, "rename the column")

    def _key(self, file: _File, number: int, row: Row) -> _Key:
        system, identity, sample = (row.get(n) for n in (self.system, self.identity, _SAMPLE))
        if identity is None or identity == "":
            problem, mend = f"no {self.identity!r}", "give each row an id"
            raise DataError(f"{file.name}: row {number}", problem, mend)
        return _text(system), str(_text(identity)), _text(sample)

    def _merge(self, mine: Row, row: Row, place: str) -> None:
        for name, value in row.items():
            before = mine.get(name)
            if before is None or (isinstance(before, str) and self._equal(name, before, value)):
                mine[name] = before if value is None else value  # a number rather than its text
            elif value is not None and not self._equal(name, before, value):
                problem = (
                    f"{name!r} is {encode_json(value)[:60]}, but {encode_json(before)[:60]} in"
                    f" {self.home[name]}"
                )
                raise DataError(place, problem, "drop or rename the column in one of the files")

    def _equal(self, name: str, one: Any, other: Any) -> bool:
        if name in (self.system, self.identity, _SAMPLE):
            return True  # equal as texts: 1 and "1" are one id
        if isinstance(one, str) != isinstance(other, str):
            text, value = (one, other) if isinstance(one, str) else (other, one)
            return bool([text] == value or _cell_of(text) == value)
        return bool(one == other)

    def filled(self) -> list[Row]:
        """The rows, all with the same columns."""
        blank = dict.fromkeys(sorted(self.columns, key=_is_score))
        return [blank | row for row in self.rows.values()]

    def told(self, files: int) -> str:
        """What was done, in one line."""
        met = sum(known for _, known, _ in self.found)
        new = sum(new for _, _, new in self.found[1:])
        how = "side by side" if not new else "one after the other" if not met else "by rows"
        parts = [f"{files} files {how}: {len(self.rows):,} rows, {len(self.columns):,} columns"]
        systems = {key[0] for key in self.rows} - {None}
        if systems:
            parts[0] += f", {len(systems):,} systems"
        if met and new:
            parts.append(f"{met:,} rows met another, {new:,} were new")
        scores = [name for name in self.columns if _is_score(name)]
        lacking = sum(any(row.get(name) is None for name in scores) for row in self.rows.values())
        if lacking:
            parts.append(f"rows that lack a score: {lacking:,}")
        return "; ".join(parts)


def _is_score(name: str) -> bool:
    return "." in name


def _text(value: object) -> str | None:
    """A value of a key as a text, equal for 1 and 1.0; None for none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return None if value is None else value if isinstance(value, str) else encode_json(value)


def _cell_of(text: str) -> Any:
    """The value that a cell of CSV means, if it is a number, a list or an object."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _shown(key: _Key) -> str:
    names: Mapping[str, str | None] = dict(zip(("system", "id", _SAMPLE), key, strict=True))
    return ", ".join(f"{name} {text}" for name, text in names.items() if text is not None)
