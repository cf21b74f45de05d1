"""The rows of a study, and their texts."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from summeval.cli.shared import flags
from summeval.cli.shared.errors import say
from summeval.cli.train.rows import number_of
from summeval.io import DataError, RowError
from summeval.io.column_names import not_found
from summeval.io.csv_table import cell_texts
from summeval.io.formats import DELIMITERS, format_of
from summeval.io.rows import Row
from summeval.io.source import shown
from summeval.table.cells import Rows, find
from summeval.table.table import Table, read_rows


def add_rows(
    parser: ArgumentParser,
    texts: Sequence[str] = ("candidate", "references", "source"),
    *,
    nargs: str | None = None,
) -> None:
    """Declare the file of rows and its columns; --human is declared by the study."""
    parser.add_argument("input", metavar="ROWS", nargs=nargs)
    flags.add(parser, "system", "topic")
    flags.add_columns(parser, texts)


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

    def names(self, column: str, option: str) -> list[str]:
        """Return the names in a column: a text or a whole number in each row."""
        found = []
        for number, row in enumerate(self.rows, 1):
            place = f"{self.name}: row {number}"
            known, value = find(row, column)
            if not known:
                hint = f"choose the column with --{option}"
                raise DataError(place, not_found(column, row), hint)
            if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
                hint = f"give the {option} of every row as a text"
                raise DataError(place, f"{column!r} is {value!r}", hint)
            found.append(str(value))
        return found

    def numbers(self, column: str, option: str = "human") -> list[float | None]:
        """Return the numbers in a column; None where a row has none."""
        if column not in Rows(self.rows):
            hint = f"choose the column with --{option}"
            raise DataError(self.name, not_found(column, self.rows[0]), hint)
        place = f"{self.name}: row"
        return [
            number_of(row, column, f"{place} {number}", "leave it out", may_be_nan=True)
            for number, row in enumerate(self.rows, 1)
        ]


def read_study(
    arguments: Namespace, needs: tuple[str, ...] = (), wants: tuple[str, ...] = ()
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
    rows = read_rows(arguments.input).rows
    return texts_of(arguments, shown(arguments.input), rows, needs, wants)


def has_texts(arguments: Namespace, name: str, rows: list[Row]) -> bool:
    """Return whether the rows have a column of candidates, under the name given or a common one."""
    columns = flags.columns_of(arguments, ()).resolve(name, Table(rows).columns)
    return "candidate" not in columns.unnamed


def texts_of(
    arguments: Namespace, name: str, rows: list[Row], needs: tuple[str, ...], wants: tuple[str, ...]
) -> StudyRows:
    """Return the texts of rows that were read; see `read_study`."""
    present = Table(rows).columns
    columns = flags.columns_of(arguments, needs, wants).resolve(name, present)
    if columns.notice:
        say(f"{name}: {columns.notice}")
    for what in columns.needed:
        columns.check(name, present, what)
    if getattr(arguments, "references_column", None):
        columns.check(name, present, "references")
    in_cells = format_of(name) in DELIMITERS

    sides: list[list[list[str] | None] | None] = []
    for what, given in (("references", columns.references), ("source", (columns.source,))):
        known = [column for column in given if column in present] * (what in (*needs, *wants))
        places = enumerate(rows, 1)
        found = [_texts(row, known, f"{name}: row {n}", in_cells) for n, row in places if known]
        sides.append(found if known else None)
    return StudyRows(name, rows, Table(rows, origin=name).text(columns.candidate), *sides)


def _texts(row: Row, columns: Sequence[str], place: str, in_cells: bool) -> list[str] | None:
    """Return the texts in these columns, each a text or a list of texts; None if there is none.

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
