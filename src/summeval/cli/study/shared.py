"""Shared by all studies: flags of their functions' parameters, rows, printing and files."""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from summeval.cli.shared.arguments import add_flags, add_names, names_file, share
from summeval.cli.shared.columns import add_columns, columns_of
from summeval.cli.shared.errors import UsageError, put, say, write_file
from summeval.cli.train.rows import number_of
from summeval.io import DataError, RowError, system_error
from summeval.io.column_names import not_found
from summeval.io.csv_table import cell_texts
from summeval.io.formats import DELIMITERS, format_of
from summeval.io.rows import Row, finite
from summeval.meta.arrays import COEFFICIENTS
from summeval.report.tables import csv_lines, latex_lines, text_lines
from summeval.table.cells import find, has
from summeval.table.table import Table, read_rows

if TYPE_CHECKING:
    from summeval.study.result import Study

FORMATS = ("table", "json", "csv", "latex")

_HOW: dict[str, dict[str, Any]] = {  # parameters of studies that are no whole numbers
    "coefficient": {"choices": COEFFICIENTS},
    "C": {"metavar": "C"},
    "alpha": {"type": share(0.05), "metavar": "SHARE"},
    "confidence": {"type": share(0.95), "metavar": "SHARE"},
}
_LEAST = {"folds": 2, "draws": 1, "resamples": 1, "subsets": 1, "seed": 0}
_FLAGS = {"resamples": "--bootstrap", "C": "-C"}  # that are called otherwise than the parameter
_HELPS = {"confidence": "confidence level of intervals, 0 to 1", "seed": "random seed"}


def add_parameters(
    parser: argparse.ArgumentParser, study: Callable[..., Any], **helps: str
) -> None:
    """Declare flags for parameters of a study's function, with their help; it has the defaults.

    `confidence` and `seed` need none. `parameters` reads the flags.
    """
    known = inspect.signature(study).parameters
    helps |= {name: told for name, told in _HELPS.items() if name in known and name not in helps}
    for name, told in helps.items():
        default = known[name].default
        parser.add_argument(
            _FLAGS.get(name, f"--{name}"),
            dest=name,
            default=default,
            help=told if default is None else f"{told} [{default}]".strip(),
            **_HOW.get(name, {"type": int, "metavar": "N"}),
        )
    parser.set_defaults(parameters=list(helps))


def parameters(
    arguments: argparse.Namespace, wording: str = "give a number from", **least: int
) -> dict[str, Any]:
    """The values of the flags that `add_parameters` declared; `UsageError` for one below its least.

    `least` has least values that are not the usual ones.
    """
    found = {name: getattr(arguments, name) for name in arguments.parameters}
    for name, low in (_LEAST | least).items():
        value = found.get(name)
        if value is not None and value < low:
            raise UsageError(f"{_FLAGS.get(name, f'--{name}')} is {value}; {wording} {low}")
    return found


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
        if not has(self.rows, column):
            hint = f"choose the column with --{option}"
            raise DataError(self.name, not_found(column, self.rows[0]), hint)
        place = f"{self.name}: row"
        return [
            number_of(row, column, f"{place} {number}", "leave it out", may_be_nan=True)
            for number, row in enumerate(self.rows, 1)
        ]


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
    """Return whether the rows have a column of candidates, under the name given or a common one."""
    return "candidate" not in columns_of(arguments, ()).resolve(name, Table(rows).columns).unnamed


def texts_of(
    arguments: argparse.Namespace,
    name: str,
    rows: list[Row],
    needs: tuple[str, ...],
    wants: tuple[str, ...],
) -> StudyRows:
    """Return the texts of rows that were read; see `read_study`."""
    present = Table(rows).columns
    columns = columns_of(arguments, needs, wants).resolve(name, present)
    if columns.notice:
        say(f"{name}: {columns.notice}")
    for what in columns.needed:
        columns.check(name, present, what)
    if getattr(arguments, "references_column", None):
        columns.check(name, present, "references")
    in_cells = format_of(name) in DELIMITERS

    def texts(what: str, given: Sequence[str]) -> list[list[str] | None] | None:
        known = [column for column in given if column in present]
        if not known or what not in (*needs, *wants):
            return None
        return [
            _texts(row, known, f"{name}: row {number}", in_cells)
            for number, row in enumerate(rows, 1)
        ]

    return StudyRows(
        name,
        rows,
        Table(rows, origin=name).text(columns.candidate),
        texts("references", columns.references),
        texts("source", (columns.source,)),
    )


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


def add_output(parser: argparse.ArgumentParser, *, figures: bool = True) -> None:
    """Declare the arguments of the output: `--format`, `-o FOLDER`, `--no-figures`.

    Without `figures` matplotlib draws none, and the caller may write its own.
    """
    parser.add_argument(
        "--format", choices=FORMATS, default="table", help="format of what is printed [table]"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        help="also write study.json, and each table as CSV and LaTeX, each figure as SVG",
    )
    if not figures:
        parser.set_defaults(no_figures=True)
        return
    parser.add_argument(
        "--no-figures", action="store_true", help="draw no SVG, which needs matplotlib"
    )


def check_output(arguments: argparse.Namespace) -> None:
    """Raise before the study if its files could not be written after it."""
    folder = arguments.output
    if folder is None:
        return
    if names_file(folder) and not os.path.isdir(folder):
        raise UsageError(f"-o {folder}: names a file; pass a folder, for several files")
    if folder in ("", "-") or (os.path.exists(folder) and not os.path.isdir(folder)):
        raise DataError(folder or "''", "is not a folder", "pass a folder with -o")
    above = os.path.dirname(os.path.realpath(folder))
    place = folder if os.path.isdir(folder) else above
    if not os.path.isdir(place):
        raise DataError(folder, f"folder {above} does not exist", "create it, or choose another")
    if not os.access(place, os.W_OK):
        raise DataError(folder, "is not writable", "choose another folder")
    if not arguments.no_figures and importlib.util.find_spec("matplotlib") is None:
        raise UsageError(
            "figures need matplotlib: pip install 'summeval[report]', or add --no-figures"
        )


def show(arguments: argparse.Namespace, found: Study) -> None:
    """Write the files of a study if a folder is given, then print it."""
    if arguments.output is not None:
        _write(arguments.output, found, not arguments.no_figures)
    put(_lines(arguments.format, found), data=arguments.format in ("json", "csv"))


def _lines(form: str, found: Study) -> list[str]:
    if form == "json":
        return _json(found).splitlines()
    parts: list[list[str]] = [[found.title]] * (form == "table")
    for table in found.tables:
        rows = table.rows[: table.shown]
        if form == "csv":
            parts.append(csv_lines(table.rows))
        elif table.shown == 0:
            continue
        elif form == "latex":
            parts.append([f"% {table.title}", *latex_lines(rows, table.hidden)])
        else:
            more = [f"… of {len(table.rows)} rows"] if len(rows) < len(table.rows) else []
            parts.append([table.title, "", *text_lines(rows, table.hidden), *more])
    if form == "latex":
        parts.append([f"% {line}" for line in [found.title, *found.told()]])
    elif form == "table":
        parts.append(found.told())
    return [line for part in parts if part for line in ("", *part)][1:]


def _json(found: Study) -> str:
    return json.dumps(finite(found.to_dict()), indent=1, ensure_ascii=False)


def _write(folder: str, found: Study, figures: bool) -> None:
    """Write the files; each appears only when whole."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise system_error(folder, error) from None

    def write(name: str, lines: Sequence[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode()
        write_file(os.path.join(folder, name), data)

    made = [f"% {line}" for line in [found.title, *found.told()]]
    for table in found.tables:
        write(f"{table.name}.csv", csv_lines(table.rows))
        shown = table.rows[: table.shown or None]
        tex = [f"% {table.title}", *latex_lines(shown, table.hidden), *made]
        write(f"{table.name}.tex", tex)
    if figures:
        from summeval.report.figures import svg_of

        for figure in found.figures:
            write_file(os.path.join(folder, f"{figure.name}.svg"), svg_of(figure, found.told()))
    write("study.json", _json(found).splitlines())
