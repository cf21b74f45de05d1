"""Reading rows with texts, names and human scores, the same for every study of them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf, isnan
from typing import Any

from summeval.cli.shared.arguments import add_confidence, add_flags, add_names
from summeval.cli.shared.columns import add_columns, columns_of
from summeval.cli.shared.errors import UsageError, say
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.csv_table import cell_texts
from summeval.io.errors import RowError
from summeval.io.formats import DELIMITERS, format_of
from summeval.io.rows import Row
from summeval.table.cells import find
from summeval.table.read import read_rows


def add_rows(
    parser: argparse.ArgumentParser, texts: Sequence[str] = ("candidate", "references", "source")
) -> None:
    """Declare the file of rows and its columns; --human is declared by the study."""
    add = parser.add_argument
    add("input", metavar="ROWS", help="JSON Lines, CSV, Parquet or Arrow; - is standard input")
    add_flags(parser, "system", "topic")
    add_columns(parser, texts)


def add_humans(parser: argparse.ArgumentParser) -> None:
    """Declare `--human` of a study that takes several columns."""
    add_names(
        parser,
        "--human",
        required=True,
        metavar="COLUMN",
        help="columns with human scores; scores.x means x in the object scores",
    )


def add_draws(parser: argparse.ArgumentParser, of: str) -> None:
    """Declare the options of the intervals: `--bootstrap`, `--confidence`, `--seed`."""
    add = parser.add_argument
    add("--bootstrap", type=int, default=1000, metavar="N", help=f"draws of {of} [1000]")
    add_confidence(parser)
    add_flags(parser, "seed")


def check_least(arguments: argparse.Namespace, **least: int) -> None:
    """Raise if an option is below its least value."""
    for option, number in least.items():
        given = getattr(arguments, option)
        if given < number:
            raise UsageError(f"--{option} is {given}; give a number from {number}")


@dataclass(frozen=True)
class StudyRows:
    """The rows of a study.

    Attributes
    ----------
    name : str
        The file, for messages.
    rows : list of dict
    candidates : list of str or None
    references, sources : list of (list of str or None), or None
        None if no row has a column of them.
    """

    name: str
    rows: list[Row]
    candidates: list[str | None]
    references: list[list[str] | None] | None
    sources: list[list[str] | None] | None

    def place(self, index: int) -> str:
        """The name of a row for messages."""
        return f"{self.name}: row {index + 1}"

    def names(self, column: str, option: str) -> list[str]:
        """The names in a column: a text or a whole number in each row."""
        found = []
        for index, row in enumerate(self.rows):
            known, value = find(row, column)
            if not known:
                mend = f"choose the column with --{option}"
                raise DataError(self.place(index), not_found(column, row), mend)
            if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
                mend = f"give the {option} of every row as a text"
                raise DataError(self.place(index), f"{column!r} is {value!r}", mend)
            found.append(str(value))
        return found

    def numbers(self, column: str, option: str = "human") -> list[float | None]:
        """The numbers in a column; None where a row has none."""
        if not any(find(row, column)[0] for row in self.rows):
            mend = f"choose the column with --{option}"
            raise DataError(self.name, not_found(column, self.rows[0]), mend)
        return [self._number(index, column) for index in range(len(self.rows))]

    def _number(self, index: int, column: str) -> float | None:
        value = find(self.rows[index], column)[1]
        try:
            number = None if value is None or value == "" else float(value)
        except (TypeError, ValueError):
            number = float("inf")
        if number is not None and (isinstance(value, bool) or isinf(number)):
            mend = "give a number, or null to leave it out"
            raise DataError(self.place(index), f"{column!r} is {value!r}", mend)
        return None if number is None or isnan(number) else number


def read_study(
    arguments: argparse.Namespace, needs: tuple[str, ...] = (), wants: tuple[str, ...] = ()
) -> StudyRows:
    """Read the rows and their texts.

    Parameters
    ----------
    arguments : Namespace
        With those of `add_rows`.
    needs, wants : tuple of str
        Of "references" and "source", those whose column must be there, and those that may be.

    Raises
    ------
    DataError
        The file cannot be read, has no rows or lacks a column, or a text is no text.
    """
    name = "standard input" if arguments.input == "-" else str(arguments.input)
    rows = read_rows(arguments.input).rows
    if not rows:
        raise DataError(name, "holds no rows", "write one row on each line")
    return texts_of(arguments, name, rows, needs, wants)


def has_texts(arguments: argparse.Namespace, name: str, rows: list[Row]) -> bool:
    """Whether the rows have a column of candidates, under the name given or a common one."""
    present = dict.fromkeys(key for row in rows for key in row)
    return "candidate" not in columns_of(arguments, ()).resolve(name, present).unnamed


def texts_of(
    arguments: argparse.Namespace,
    name: str,
    rows: list[Row],
    needs: tuple[str, ...],
    wants: tuple[str, ...],
) -> StudyRows:
    """The texts of rows that were read; see `read_study`."""
    present = list(dict.fromkeys(key for row in rows for key in row))
    columns = columns_of(arguments, needs, wants).resolve(name, present)
    if columns.notice:
        say(f"{name}: {columns.notice}")
    for what in columns.needed:
        columns.check(name, present, what)
    if getattr(arguments, "references_column", None):
        columns.check(name, present, "references")
    places = [f"{name}: row {number}" for number in range(1, len(rows) + 1)]

    in_cells = format_of(name) in DELIMITERS

    def texts(given: Sequence[str]) -> list[list[str] | None] | None:
        known = [column for column in given if column in present]
        if not known:
            return None
        return [
            _texts(row, known, place, in_cells) for row, place in zip(rows, places, strict=True)
        ]

    asked = {*needs, *wants}
    return StudyRows(
        name,
        rows,
        [_text(row, columns.candidate, place) for row, place in zip(rows, places, strict=True)],
        texts(columns.references) if "references" in asked else None,
        texts((columns.source,)) if "source" in asked else None,
    )


def _text(row: Row, column: str, place: str) -> str | None:
    value = row.get(column)
    if value is not None and not isinstance(value, str):
        raise DataError(place, f"{column!r} is {str(value)[:40]!r}", "give a text or null")
    return value


def _texts(row: Row, columns: Sequence[str], place: str, in_cells: bool) -> list[str] | None:
    """The texts in these columns, each a text or a list of texts; None if there is none.

    The cells of CSV hold a list as JSON.
    """
    found: list[str] = []
    for column in columns:
        value: Any = row.get(column)
        if in_cells and isinstance(value, str):
            try:
                value = cell_texts(column, value)
            except RowError as error:
                raise DataError.of(place, error) from None
        texts = [value] if isinstance(value, str) else [] if value is None else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise DataError(place, f"{column!r} holds no texts", "give a text or a list of texts")
        found += texts
    return found or None
