"""Reading tables of scores and judgements from files in common layouts.

``read_rows``
    JSON Lines (possibly with null, nested objects or no texts), CSV or TSV with a header row,
    Parquet or Arrow, such as the files that `summeval score` writes.
``read_score_table``
    Manual scores in columns: topic, system, then numbers, separated by tabs, commas or blanks.

`read_tac` (in `tac`) reads the folders of TAC and DUC.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import Any

from summeval.io import IN_COLUMNS, Format, format_of
from summeval.io.arrow.rows import PIECE_BYTES, TableInput
from summeval.io.arrow.values import json_values
from summeval.io.csv_table import allow_long_cells, check_header, malformed
from summeval.io.directions import read_beside, stated
from summeval.io.errors import DataError, RowError
from summeval.io.input import InputFile
from summeval.io.jsonl import parse_object, unfold
from summeval.io.rows import Row
from summeval.metrics.registry import directions_of
from summeval.table.table import Table

# Topic and set; task type, length, selector of the documents, author of the summary.
SUMMARY_NAME = re.compile(r"(?P<topic>.+)\.[A-Z]\.\d+\.[A-Z]\.(?P<system>[^.]+)")
MISSING = ("", "-", "na", "n/a", "nan")  # as numbers, in tables of plain text
_MAGIC = (b"PAR1", b"ARROW1")
_SPLIT = {"\t": "tabs", ",": "commas", None: "blanks"}


def read_rows(path: str, keep: Callable[[Row], Row] = lambda row: row) -> Table:
    """Read the rows of a file, or of a directory of Parquet files.

    Parquet, Arrow and TSV are recognised by the file extension (see `format_of`), JSON Lines and a
    JSON array by the first character; everything else is read as CSV, separated by semicolons, tabs
    or bars if its header has these and no comma. `keep` gives what is kept of each row, so that
    long texts need not be held.

    Raises
    ------
    DataError
        The file cannot be read, or a line is not a row.
    """
    form = "parquet" if os.path.isdir(path) else format_of(path)
    if form in IN_COLUMNS:
        return _columns(path, form, keep)
    lines = _lines(path, blank=True)
    blank = []
    for place, text in lines:
        if not _is_blank(text):
            break
        blank.append(text)
    else:
        raise _empty(path)
    rows: Iterator[Row]
    if text.lstrip().startswith("{"):
        rest = (line for line in lines if not _is_blank(line[1]))
        rows = (_object(*line) for line in chain([(place, text)], rest))
    elif text.lstrip().startswith("["):
        raise DataError(place, "the line holds a list", "write one JSON object on each line")
    else:
        marks = [mark for mark in (*";\t|", ",") if mark in text and "," not in text]
        delimiter = "\t" if form == "tsv" else marks[0] if marks else ","
        rows = _csv_rows(path, chain(blank, [text], (line for _, line in lines)), delimiter)
    found = list(map(keep, rows))
    if not found:
        raise _empty(path)
    told, notes = read_beside(path)
    return Table(found, notes, told.signatures, told.directions, origin=_shown(path))


def read_directions(path: str) -> dict[str, bool]:
    """Return for each column of scores in a file whether a higher number is better.

    Directions stored in the file take precedence over those of registered column names. Columns
    with neither are left out. Accepts the same files and raises the same errors as `read_rows`.
    """
    form = "parquet" if os.path.isdir(path) else format_of(path)
    if form in IN_COLUMNS:
        with TableInput(path, form) as file:
            return directions_of(file.schema.names, stated(file.schema))
    found = read_rows(path)
    return directions_of(found.columns, found.directions)


def _columns(path: str, form: Format, keep: Callable[[Row], Row]) -> Table:
    """The rows of a columnar file; columns that JSON cannot hold are left out with a note."""
    rows: list[Row] = []
    other: dict[str, None] = {}
    with TableInput(path, form) as file:
        names = file.schema.names
        for batch in file.batches(names, 0, PIECE_BYTES):
            values: dict[str, list[Any]] = {}
            for name in names:
                try:
                    values[name] = json_values(batch.column(name), name)
                except DataError:
                    other[name] = None
            lists = zip(*values.values(), strict=True)
            rows += [keep(dict(zip(values, row, strict=True))) for row in lists]
        told, directions = file.schema.metadata or {}, stated(file.schema)
    if not rows:
        raise DataError(path, "holds no rows", "write a row for each summary")
    signatures = {
        key.decode(errors="replace"): text.decode(errors="replace")
        for key, text in told.items()
        if b"|v:" in text
    }
    notes = noted("columns that hold neither text nor numbers", list(other))
    return Table(rows, notes, signatures, directions, origin=_shown(path))


def read_score_table(path: str, names: Sequence[str] = ()) -> Table:
    """Read rows with "topic", "system" and a number under each further name.

    A line holds the topic, the system and the numbers, or a summary's name (TOPIC.M.100.X.N)
    instead of the first two. If no score cell of the first line is a number, that line is the
    header row, which may also put the system before the topic. Otherwise the numbers are called by
    `names`, or score_1, score_2, …. Lines that start with # are skipped; NA, N/A, NaN, - and empty
    cells are missing numbers.

    Raises
    ------
    DataError
        A line has another number of cells than the first, a cell is not a number, or a name is
        repeated.
    """
    lines = [(place, text) for place, text in _lines(path) if not text.startswith("#")]
    if not lines:
        raise _empty(path)
    mark = next((mark for mark in ("\t", ",") if mark in lines[0][1]), None)
    cells = [(place, _cut(place, text, mark)) for place, text in lines]
    first = cells[0][1]
    keys = 1 if any(SUMMARY_NAME.fullmatch(row[0]) for _, row in cells[:2]) else 2
    header: list[str] = []
    turned = False
    if len(first) > keys and all(map(_is_name, first[keys:])):
        turned = [cell.casefold() for cell in first[:keys]] == ["system", "topic"]
        header, cells = first[keys:], cells[1:]
    header = list(names) or header or [f"score_{n}" for n in range(1, len(first) - keys + 1)]
    if not header:
        raise DataError(cells[0][0], "no scores", "write them after topic and system")
    if not cells:
        raise _empty(path)
    check_header(lines[0][0], [*("topic", "system")[:keys], *header])
    rows = []
    for place, row in cells:
        if len(row) != keys + len(header):
            raise DataError(
                place,
                f"{len(row)} cells separated by {_SPLIT[mark]}, not {keys + len(header)}",
                f"write {'the summary' if keys == 1 else 'topic, system'} and {len(header)} scores",
            )
        key = row[:keys][::-1] if turned else row[:keys]
        if keys == 1:
            name = SUMMARY_NAME.fullmatch(row[0])
            if not name:
                mend = "rename the summary"
                raise DataError(place, f"{row[0]!r} is not named TOPIC.M.100.X.N", mend)
            key = [name["topic"], name["system"]]
        found: Row = {"topic": key[0], "system": key[1]}
        for column, cell in zip(header, row[keys:], strict=True):
            found[column] = number = plain_number(cell)
            if number is None and cell.casefold() not in MISSING:
                problem = f"{column} is {cell!r}"
                raise DataError(place, problem, "write a number, or NA for none")
        rows.append(found)
    return Table(rows, origin=_shown(path))


def plain_number(cell: str) -> float | None:
    """Return the number that a cell of a table of plain text holds; None if it holds none."""
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if isfinite(number) and "_" not in cell else None


def _is_name(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell.casefold() not in MISSING
    return False


def _cut(place: str, text: str, mark: str | None) -> list[str]:
    """The cells of a line, split at the separator, with CSV quoting."""
    if mark is None:
        return text.split()
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=mark, strict=True))]
    except csv.Error as error:
        problem = malformed(error, "correct the quotes in the line")
        raise DataError(place, problem.problem, problem.mend) from None


def _csv_rows(path: str, lines: Iterator[str], delimiter: str) -> Iterator[Row]:
    allow_long_cells()
    records = csv.reader((line + "\n" for line in lines), strict=True, delimiter=delimiter)
    header: list[str] = []
    while True:
        place = f"{_shown(path)}:{records.line_num + 1}"
        try:
            cells = next(records, None)
        except csv.Error as error:
            problem = malformed(error, "correct the quotes in the row")
            raise DataError(place, problem.problem, problem.mend) from None
        if cells is None:
            return
        if not header:
            check_header(place, cells)
            header = cells
        elif cells and len(cells) != len(header):
            raise DataError(
                place,
                f"{len(cells)} cells, but the header row has {len(header)}",
                "write a cell for each column",
            )
        elif cells:
            yield dict(zip(header, cells, strict=True))


def _object(place: str, text: str) -> Row:
    try:
        return parse_object(text, infinite=True)  # which is no score: whoever reads it refuses it
    except RowError as error:
        raise DataError(place, error.problem, error.mend) from None


def _empty(path: str) -> DataError:
    return DataError(_shown(path), "holds no rows", "write one row on each line")


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _lines(path: str, blank: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the lines, each with its place; blank lines only if asked for."""
    with InputFile(path) as file:
        unfold(file)
        number = 0
        for block in file.blocks():
            if number == 0 and block.startswith(_MAGIC):
                mend = "end its name in .parquet or .arrow"
                raise DataError(file.name, "is in Parquet or Arrow", mend)
            try:
                texts = block.decode("utf-8-sig" if number == 0 else "utf-8").split("\n")
            except UnicodeDecodeError as error:
                raise DataError(file.name, f"not UTF-8 ({error.reason})", "convert it") from None
            for text in texts[:-1] if texts[-1] == "" else texts:
                number += 1
                if blank or not _is_blank(text):
                    yield f"{file.name}:{number}", text.rstrip("\r")


def noted(what: str, names: Sequence[str]) -> list[str]:
    """A note on these names, the first few of them; none without names."""
    if not names:
        return []
    return [f"{what} ({len(names)}): {', '.join(names[:5])}" + ", …" * (len(names) > 5)]


def _shown(path: str) -> str:
    return "standard input" if path == "-" else os.fspath(path)
