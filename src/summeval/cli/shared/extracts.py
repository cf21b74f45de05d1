"""Reading rows with people's extracts, for `study extracts` and `train extracts`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from summeval.cli.shared.errors import as_usage, refusals
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.learn.label_chain import RANKED_BY
from summeval.metrics.pyramid.extracts.documents import RowColumns, read_extracts
from summeval.metrics.pyramid.extracts.ranker import OPTIONS

if TYPE_CHECKING:
    from summeval.metrics.pyramid.extracts.documents import Extracted

ROWS_HELP = """\
A row of ROWS has a topic, an annotator, the utterances of the document (a list of texts) and the
extract: a list of the utterances that the annotator selected, numbered from 0. All rows of a topic
have the same utterances. A row may also have speakers (a name for each utterance), links (lists
[from, to], from an utterance to the earlier one that it answers, at most one from each) and a
title."""
_HELP = {
    "utterances": "texts of the document",
    "extract": "numbers of the selected utterances",
    "speakers": "name of each utterance's speaker, if there",
    "links": "[from, to] of answers, if there",
    "title": "title of the document, if there",
}


def add_rows(parser: argparse.ArgumentParser) -> None:
    """Declare ROWS and the options that name its columns."""
    add = parser.add_argument
    add("rows", metavar="ROWS", help=".jsonl, also with .gz, or .parquet; - is standard input")
    add("--topic", default="topic", metavar="COLUMN", help="names the document [topic]")
    add("--annotator", default="annotator", metavar="COLUMN", help="names the person [annotator]")
    for name, text in _HELP.items():
        add(f"--{name}-column", default=name, metavar="NAME", help=f"{text} [{name}]")


def add_ranker(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a ranker that a study compares no values of."""
    add = parser.add_argument
    add(
        "--rank-by",
        choices=RANKED_BY,
        default="posterior",
        help="what utterances are ranked by [posterior]",
    )
    add("--l2", type=float, default=1.0, metavar="X", help="penalty on squared weights [1]")


def check_ranker(name: str, value: object) -> None:
    """Raise `UsageError` for a value that an option of a ranker does not take.

    >>> check_ranker("order", 4)
    Traceback (most recent call last):
    summeval.cli.shared.errors.UsageError: --order is 4; give a whole number from 1 to 3
    """
    option = next(option for option in OPTIONS if option.name == name)
    with as_usage(prefix="--"):
        option.check(value)


def read_documents(arguments: argparse.Namespace) -> list[Extracted]:
    """Return the documents and extracts of ROWS, with the columns that the command line names."""
    columns = RowColumns(
        arguments.topic,
        arguments.annotator,
        *(getattr(arguments, f"{name}_column") for name in _HELP),
    )
    return documents_of(arguments.rows, columns)


def documents_of(path: str, columns: RowColumns) -> list[Extracted]:
    """Return the documents and extracts of a file of rows.

    Raises
    ------
    DataError
        An unreadable file, or rows that `read_extracts` refuses.
    """
    from summeval.table.table import read_rows

    rows = read_rows(path).rows
    _check_columns(place_of(path), rows, columns)
    with refusals(place_of(path)):
        return read_extracts(rows, columns)


def _check_columns(place: str, rows: Sequence[Mapping[str, Any]], columns: RowColumns) -> None:
    """Raise if no row has a column that is needed, or if the columns cannot hold lists."""
    present = dict.fromkeys(key for row in rows for key in row)
    for name in ("topic", "annotator", "utterances", "extract"):
        column = getattr(columns, name)
        if rows and column not in present:
            option = f"--{name}-column" if name in _HELP else f"--{name}"
            raise DataError(place, not_found(column, present), f"choose the column with {option}")
    if rows and all(isinstance(value, str) for row in rows for value in row.values()):
        problem = f"{columns.utterances!r} and {columns.extract!r} are lists, which CSV cannot hold"
        raise DataError(place, problem, "give JSON Lines or Parquet")


def place_of(path: str) -> str:
    """Return the name of a file of rows in messages."""
    return "standard input" if path == "-" else path
