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
from collections.abc import Callable, Sequence
from math import isfinite

from summeval.io import DataError
from summeval.io.arrow import TableInput
from summeval.io.csv_table import check_header, malformed
from summeval.io.directions import stated
from summeval.io.formats import IN_COLUMNS, format_of
from summeval.io.rows import Row
from summeval.io.source import shown
from summeval.io.table import no_rows, numbered_lines, read_table
from summeval.metrics.registry import directions_of
from summeval.table.table import Table

# Topic and set; task type, length, selector of the documents, author of the summary.
SUMMARY_NAME = re.compile(r"(?P<topic>.+)\.[A-Z]\.\d+\.[A-Z]\.(?P<system>[^.]+)")
MISSING = ("", "-", "na", "n/a", "nan")  # as numbers, in tables of plain text
_SPLIT = {"\t": "tabs", ",": "commas", None: "blanks"}


def read_rows(path: str, keep: Callable[[Row], Row] = lambda row: row) -> Table:
    """Read the rows of a file, or of a directory of Parquet files; see `io.table.read_table`."""
    return Table(*read_table(path, keep), origin=shown(path))


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
    lines = [(place, text) for place, text in numbered_lines(path) if not text.startswith("#")]
    if not lines:
        raise no_rows(path)
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
        raise no_rows(path)
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
    return Table(rows, origin=shown(path))


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
    """Return the cells of a line, split at the separator, with CSV quoting."""
    if mark is None:
        return text.split()
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=mark, strict=True))]
    except csv.Error as error:
        problem = malformed(error, "correct the quotes in the line")
        raise DataError.of(place, problem) from None
