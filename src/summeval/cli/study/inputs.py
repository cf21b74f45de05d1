"""`summeval study inputs`: summaries judged by their input alone."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import isinf, isnan
from typing import Any

from summeval.cli.shared.arguments import add_alpha, add_option
from summeval.cli.shared.choice import choose
from summeval.cli.shared.columns import add_columns, columns_of
from summeval.cli.shared.errors import UsageError, say
from summeval.cli.shared.names import add_names, names_of, share
from summeval.cli.shared.parsing import refusals
from summeval.cli.shared.workers import add_workers, workers_of
from summeval.cli.study.output import add_output, check_output, show
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.rows import Row
from summeval.meta.tables.arrays import COEFFICIENTS
from summeval.meta.tables.judgements import read_rows
from summeval.meta.tables.scores import find

DESCRIPTION = """\
Compare summaries with their input and correlate each feature of SIMetrix, the regression of all of
them, and ROUGE-1 and ROUGE-2 with people (Louis and Nenkova 2009). "macro" correlates the means of
systems over inputs; "micro" correlates the systems of each input, and gives the share of inputs
with a significant correlation. The regression predicts a row from other topics and other systems,
and "regression, topics" from other topics. Features in which lower is better are negated.

A row has a candidate, its source (a text or a list of documents), the names of its system and
topic, and human scores; with references it is also scored by ROUGE."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study inputs rows.jsonl --human relevance
  summeval study inputs rows.jsonl --human pyramid,responsiveness --task set -o study"""

_USUAL = {"idf": "wordfreq"}  # the cosine of the paper is weighted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="INPUT", help="rows: JSON Lines, CSV, Parquet or Arrow")
    add_names(
        parser,
        "--human",
        required=True,
        metavar="COLUMN",
        help="columns with human scores; scores.x means x in the object scores",
    )
    add("--system", default="system", metavar="COLUMN", help="names the system [system]")
    add("--topic", default="topic", metavar="COLUMN", help="names the topic, or input [topic]")
    add(
        "--task",
        metavar="COLUMN",
        help="names the set of a row, such as query-focused or update; sets are kept apart [one]",
    )
    add(
        "--coefficient",
        choices=COEFFICIENTS,
        default="spearman",
        help="coefficient of correlation [spearman]",
    )
    add_alpha(parser, "the test of an input's correlation")
    add(
        "--bootstrap",
        type=int,
        default=1000,
        metavar="N",
        help="draws of each interval, of topics and systems [1000]",
    )
    add(
        "--confidence",
        type=share(0.95),
        default=0.95,
        metavar="SHARE",
        help="confidence level of intervals, 0 to 1 [0.95]",
    )
    add("--seed", type=int, default=0, metavar="N", help="random seed [0]")
    add_option(parser, "such as simetrix.background=FILE")
    add_workers(parser)
    add_columns(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the study; return the exit status."""
    from summeval.study.inputs import inputs

    workers = workers_of(arguments)
    human = names_of("--human", arguments.human, "column")
    for option, number, least in (
        ("--bootstrap", arguments.bootstrap, 1),
        ("--seed", arguments.seed, 0),
    ):
        if number < least:
            raise UsageError(f"{option} is {number}; give at least {least}")
    check_output(arguments)
    usual = {} if any("simetrix.idf=" in option for option in arguments.option) else _USUAL
    simetrix: Any = choose(["simetrix"], arguments.option, usual).metrics[0]
    name = "standard input" if arguments.input == "-" else str(arguments.input)
    rows = read_rows(arguments.input).rows
    texts = _texts(arguments, name, rows)
    systems, topics = (_named(arguments, name, rows, option) for option in ("system", "topic"))
    tasks = _named(arguments, name, rows, "task") if arguments.task else None
    scores = {column: _numbers(name, rows, column) for column in human}
    with refusals(name):
        found = inputs(
            texts["candidate"] or [],
            texts["source"] or [],
            systems,
            topics,
            scores,
            references=texts["references"],
            tasks=tasks,
            simetrix=simetrix,
            coefficient=arguments.coefficient,
            alpha=arguments.alpha,
            resamples=arguments.bootstrap,
            confidence=arguments.confidence,
            seed=arguments.seed,
            workers=workers,
        )
    show(arguments, found)
    return 0


def _texts(
    arguments: argparse.Namespace, name: str, rows: Sequence[Row]
) -> dict[str, list[Any] | None]:
    """The candidates, sources and references; None for references that no row has."""
    present = list(dict.fromkeys(key for row in rows for key in row))
    columns = columns_of(arguments, ("source",), ("references",)).settle(name, present)
    if columns.notice:
        say(f"{name}: {columns.notice}")
    for what in columns.needed:
        columns.check(name, present, what)
    given = [column for column in columns.references if column in present]
    if arguments.references_column:
        columns.check(name, present, "references")
    return {
        "candidate": [_text(row, columns.candidate, f"{name}: row {n}") for n, row in _each(rows)],
        "source": [_listed(row, (columns.source,), f"{name}: row {n}") for n, row in _each(rows)],
        "references": [_listed(row, given, f"{name}: row {n}") for n, row in _each(rows)]
        if given
        else None,
    }


def _each(rows: Sequence[Row]) -> list[tuple[int, Row]]:
    return list(enumerate(rows, 1))


def _text(row: Row, column: str, place: str) -> str | None:
    value = row.get(column)
    if value is not None and not isinstance(value, str):
        raise DataError(place, f"{column!r} is {str(value)[:40]!r}", "give a text or null")
    return value


def _listed(row: Row, columns: Sequence[str], place: str) -> list[str] | None:
    """The texts in these columns, each a text or a list of texts; None if there is none."""
    found: list[str] = []
    for column in columns:
        value = row.get(column)
        texts = [value] if isinstance(value, str) else [] if value is None else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise DataError(place, f"{column!r} holds no texts", "give a text or a list of texts")
        found += texts
    return found or None


def _named(arguments: argparse.Namespace, name: str, rows: Sequence[Row], option: str) -> list[str]:
    """The names that a column holds."""
    column, found = getattr(arguments, option), []
    for number, row in _each(rows):
        known, value = find(row, column)
        if not known:
            mend = f"choose the column with --{option}"
            raise DataError(f"{name}: row {number}", not_found(column, row), mend)
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            mend = f"give the {option} of every row as a text"
            raise DataError(f"{name}: row {number}", f"{column!r} is {value!r}", mend)
        found.append(str(value))
    return found


def _numbers(name: str, rows: Sequence[Row], column: str) -> list[float | None]:
    """The human scores in a column."""
    if not any(find(row, column)[0] for row in rows):
        raise DataError(name, not_found(column, rows[0]), "choose the column with --human")
    found = []
    for number, row in _each(rows):
        value = find(row, column)[1]
        try:
            score = None if value is None or value == "" else float(value)
        except (TypeError, ValueError):
            score = float("inf")
        if score is not None and (isinstance(value, bool) or isinf(score)):
            mend = "give a number, or null to leave it out"
            raise DataError(f"{name}: row {number}", f"{column!r} is {value!r}", mend)
        found.append(None if score is None or isnan(score) else score)
    return found
