"""`summeval join`: put files of scores side by side, or one after the other.

Put files of scores together. Rows with the same system and id become one row with the columns of
all files (more metrics for the same texts); other rows follow each other (more systems). Files
without a column of systems that have the same scores are systems, called by the names of the files.
As in `summeval rank`, systems are also found under a name such as model, and ids under topic or a
name such as doc_id; where files have different names for them, they become system and id.
One line on standard error says what was done and how many rows lack columns.

A column in which two files differ for a row, and a row that occurs twice in a file, are errors;
several outputs of a system for one id are told apart by a column sample. Directions and signatures,
which Parquet and Arrow files hold, are carried through to such files.

[ARGUMENTS]
FILE: two files of scores or more
--output: file to write [standard output]

Formats, by extension: .jsonl .csv .tsv .parquet .arrow; the first three also read with .gz
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval join rouge.jsonl tesla.jsonl -o scores.jsonl
  summeval join bart.csv t5.csv pegasus.csv -o systems.parquet
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, say
from summeval.cli.shared.layout import resolve_names
from summeval.cli.shared.results import check_rows, write_rows
from summeval.io import DataError, RowError
from summeval.io.csv_table import cell_texts
from summeval.io.plain import system_names
from summeval.io.rows import ALIASES, Row, encode_json, not_found
from summeval.table.table import Table, read_rows

_SAMPLE = "sample"
_CELLS = ("references", "source")  # whose texts may be lists
_Key = tuple[str | None, str, str | None]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+")
    flags.add(parser, "output", "system", "id-column")


def run(arguments: Namespace) -> None:
    """Join the files."""
    paths: list[str] = arguments.files
    if len(paths) < 2:
        raise UsageError("join takes two files or more")
    if paths.count("-") > 1:
        raise UsageError("- (standard input) can stand for one file only")
    check_rows(arguments.output)
    for path in paths:
        if flags.same_file(path, arguments.output):
            raise UsageError("OUT is one of the files; pass another with -o")
    files = [_typed(read_rows(path)) for path in paths]
    for file in files:
        for note in file.notes:
            say(f"{file.origin}: {note}")
    files, system, identity = _renamed(arguments, files)
    same_scores = len({frozenset(filter(_is_score, file.columns)) for file in files}) == 1
    if same_scores and not any(system in file for file in files):  # the files are systems
        for place, name in enumerate(system_names(paths)):
            rows = [{**row, system: name} for row in files[place].rows]
            files[place] = replace(files[place], rows=rows)
    joined = _Joined(system, identity)
    for file in files:
        joined.add(file)
    write_rows(arguments.output, joined.filled(), joined.signatures, joined.directions)
    say(joined.summary(len(files)))


def _renamed(arguments: Namespace, files: Sequence[Table]) -> tuple[list[Table], str, str]:
    """The files, and the columns of systems and ids; files with other names for them get these."""
    made, keys = list(files), []
    for what, option in (("system", "system"), ("id", "id_column")):
        named = []
        for file in made:
            own = Namespace(**vars(arguments))
            resolve_names(own, file, [what])
            named.append(getattr(own, option))
        there = {name for name, file in zip(named, made, strict=True) if name in file}
        key = there.pop() if len(there) == 1 else getattr(arguments, option)
        keys.append(key)
        for place, (name, file) in enumerate(zip(named, made, strict=True)):
            if name in file.columns and name != key:
                rows = [{key if n == name else n: row[n] for n in row} for row in file.rows]
                made[place] = replace(file, rows=rows)
    return made, keys[0], keys[1]


def _typed(file: Table) -> Table:
    """Return a table of cells alone with numbers for scores, and lists for lists of texts."""
    if not all(isinstance(value, str) for row in file.rows for value in row.values()):
        return file
    numeric = {
        name
        for name in file.columns
        if _is_score(name) and all(_is_number(row.get(name)) for row in file.rows)
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
                raise DataError.of(f"{file.origin}: row {number}", error) from None
        return cell

    rows = [
        {name: value(number, name, cell) for name, cell in row.items()}
        for number, row in enumerate(file.rows, 1)
    ]
    return replace(file, rows=rows)


def _is_number(cell: str | None) -> bool:
    try:
        float(cell or 0)
    except ValueError:
        return False
    return True


@dataclass
class _Joined:
    """The rows so far, by system, id and sample."""

    system: str
    identity: str
    rows: dict[_Key, Row] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    directions: dict[str, bool] = field(default_factory=dict)
    found: list[tuple[int, int]] = field(default_factory=list)
    """How many rows of each file were there before, and how many were not."""
    home: dict[str, str] = field(default_factory=dict)
    """The columns, and the file from which each came first."""

    def add(self, file: Table) -> None:
        """Add a file.

        Raises `DataError` for a row without id, a row that occurs twice, or another value.
        """
        if self.identity not in file.columns:
            problem = not_found(self.identity, file.columns)
            raise DataError(file.origin, problem, "name the column with --id-column")
        self._carry(file)
        seen: set[_Key] = set()
        known = 0
        for number, row in enumerate(file.rows, 1):
            key = self._key(file, number, row)
            if key in seen:
                hint = f"remove one, or number several outputs in a column {_SAMPLE!r}"
                raise DataError(f"{file.origin}: row {number}", f"{_shown(key)} comes twice", hint)
            seen.add(key)
            if key in self.rows:
                known += 1
                self._merge(self.rows[key], row, f"{file.origin}: {_shown(key)}")
            else:
                self.rows[key] = dict(row)
        self.found.append((known, len(seen) - known))
        for name in file.columns:
            self.home.setdefault(name, file.origin)

    def _carry(self, file: Table) -> None:
        """Take the signatures and directions of a file; raises if one differs."""
        kept: list[tuple[str, dict[str, Any], Any, str]] = [
            ("signature", self.signatures, file.signatures, "score again with the same options"),
            ("direction", self.directions, file.directions, "rename the column"),
        ]
        for what, known, own, hint in kept:
            for name, value in own.items():
                if known.setdefault(name, value) != value:
                    problem = f"{name} has another {what} than in the files before"
                    raise DataError(file.origin, problem, hint)

    def _key(self, file: Table, number: int, row: Row) -> _Key:
        system, identity, sample = (row.get(n) for n in (self.system, self.identity, _SAMPLE))
        if identity is None or identity == "":
            place = f"{file.origin}: row {number}"
            raise DataError(place, f"no {self.identity!r}", "give each row an id")
        return _text(system), str(_text(identity)), _text(sample)

    def _merge(self, own: Row, row: Row, place: str) -> None:
        for name, value in row.items():
            before = own.get(name)
            if before is None or (isinstance(before, str) and self._equal(name, before, value)):
                own[name] = before if value is None else value  # a number rather than its text
            elif value is not None and not self._equal(name, before, value):
                now, then = encode_json(value)[:60], encode_json(before)[:60]
                problem = f"{name!r} is {now}, but {then} in {self.home[name]}"
                raise DataError(place, problem, "drop or rename the column in one of the files")

    def _equal(self, name: str, one: Any, other: Any) -> bool:
        if name in (self.system, self.identity, _SAMPLE):
            return True  # equal as texts: 1 and "1" are one id
        if isinstance(one, str) != isinstance(other, str):
            text, value = (one, other) if isinstance(one, str) else (other, one)
            return bool([text] == value or _cell_of(text) == value)
        return bool(one == other)

    def filled(self) -> list[Row]:
        """Return the rows, all with the same columns."""
        blank = dict.fromkeys(sorted(self.home, key=_is_score))
        return [blank | row for row in self.rows.values()]

    def summary(self, files: int) -> str:
        """Return what was done, in one line."""
        met = sum(known for known, _ in self.found)
        new = sum(new for _, new in self.found[1:])
        how = "side by side" if not new else "one after the other" if not met else "by rows"
        parts = [f"{files} files {how}: {len(self.rows):,} rows, {len(self.home):,} columns"]
        if systems := {key[0] for key in self.rows} - {None}:
            parts[0] += f", {len(systems):,} systems"
        parts += [f"{met:,} rows met another, {new:,} were new"] * bool(met and new)
        scores = [name for name in self.home if _is_score(name)]
        missing = sum(any(row.get(name) is None for name in scores) for row in self.rows.values())
        parts += [f"rows that lack a score: {missing:,}"] * bool(missing)
        return "; ".join(parts)


def _is_score(name: str) -> bool:
    return "." in name


def _text(value: object) -> str | None:
    """Return a value of a key as a text, equal for 1 and 1.0; None for none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return None if value is None else value if isinstance(value, str) else encode_json(value)


def _cell_of(text: str) -> Any:
    """Return the value that a cell of CSV means, if it is a number, a list or an object."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _shown(key: _Key) -> str:
    names = zip(("system", "id", _SAMPLE), key, strict=True)
    return ", ".join(f"{name} {text}" for name, text in names if text is not None)
