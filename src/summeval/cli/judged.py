"""What `correlate`, `compare` and `report` share: scores and judgements out of files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import Any

import summeval
from summeval.cli.errors import UsageError
from summeval.io import DataError, format_of
from summeval.io.column_names import not_found
from summeval.io.judgements import Rows, read_rows, read_score_table
from summeval.io.rows import Row
from summeval.meta import correlate
from summeval.meta.overview import LENGTH
from summeval.meta.scores import Scores, find, listed
from summeval.meta.tables import COEFFICIENTS, LEVELS


def add_judged(
    parser: argparse.ArgumentParser, levels: Sequence[str] = ("summary",), several: bool = False
) -> None:
    """Declare the arguments that name the data and the measures.

    `levels` are those that are taken where none is named; `several` lets --human name more columns
    than one, or none (see `dimensions`).
    """
    add = parser.add_argument
    add("scores", metavar="SCORES", help="rows with scores, as `score` writes them")
    add(
        "--human",
        required=not several,
        nargs="+" if several else None,
        default=[] if several else None,
        metavar="COLUMN",
        help="what people said; scores.x goes into x"
        + " [all numbers that no metric gave]" * several,
    )
    add("--judgements", metavar="FILE", help="where --human is, if not in SCORES; rows or a table")
    add("--system", default="system", metavar="COLUMN", help="names the system [system]")
    add("--topic", default="topic", metavar="COLUMN", help="names the topic [topic]")
    add(
        "--level",
        action="append",
        metavar="NAMES",
        help=f"summary, system, global, all [{','.join(levels)}]",
    )
    add("--coefficient", action="append", metavar="NAMES", help=", ".join(COEFFICIENTS) + " [all]")
    add(
        "--over",
        choices=("topics", "systems", "both"),
        default="both",
        help="what is drawn or permuted [both]",
    )
    add("--confidence", type=float, default=0.95, metavar="SHARE", help="of intervals [0.95]")
    add("--seed", type=int, default=0, metavar="N", help="of everything that is drawn [0]")


def settings_of(arguments: argparse.Namespace, scores: Scores) -> dict[str, Any]:
    """What results are printed with, whatever was measured."""
    return {
        "summeval": summeval.__version__,
        "human": arguments.human,
        "systems": len(scores.systems),
        "topics": len(scores.topics),
    }


def check_numbers(arguments: argparse.Namespace, least: int) -> None:
    """Raise for numbers on the command line that cannot be."""
    if arguments.bootstrap is not None and arguments.bootstrap < least:
        raise UsageError(f"--bootstrap is {arguments.bootstrap}; give at least {least}")
    if arguments.seed < 0:
        raise UsageError(f"--seed is {arguments.seed}; give 0 or more")
    if not 0.0 < arguments.confidence < 1.0:
        raise UsageError(f"--confidence is {arguments.confidence}; give a share such as 0.95")


def chosen(
    option: str, asked: Sequence[str] | None, known: Sequence[str], default: Sequence[str]
) -> list[str]:
    """The names of an option that can be given more than once, with commas, or as all."""
    names = [part.strip() for text in asked or () for part in text.split(",") if part.strip()]
    for name in names:
        if name not in (*known, "all"):
            raise UsageError(f"--{option} names {name!r}; choose from {', '.join(known)}, all")
    if "all" in names:
        return list(known)
    return list(dict.fromkeys(names)) or list(default)


def levels_of(arguments: argparse.Namespace, default: Sequence[str] = ("summary",)) -> list[str]:
    """The levels that were asked for."""
    return chosen("level", arguments.level, LEVELS, default)


def coefficients_of(arguments: argparse.Namespace) -> list[str]:
    """The coefficients that were asked for."""
    return chosen("coefficient", arguments.coefficient, COEFFICIENTS, COEFFICIENTS)


def metrics_of(arguments: argparse.Namespace) -> list[str]:
    """The metrics that were asked for, each once; commas or blanks between them."""
    names = [name.strip() for text in arguments.metrics for name in text.split(",")]
    found = list(dict.fromkeys(filter(None, names)))
    if arguments.metrics and not found:
        raise UsageError("--metrics names no metric; name METRIC or METRIC.FIELD")
    if arguments.human in found:
        raise UsageError(f"--metrics names {arguments.human!r}, which is what --human names")
    return found


def read_judged(arguments: argparse.Namespace, metrics: Sequence[str]) -> tuple[Scores, list[str]]:
    """The tables of metrics and people, and the columns of the metrics.

    Without names every column METRIC.FIELD is a metric.

    Raises
    ------
    DataError
        For rows that cannot be used, or columns that are not there.
    """
    found = read_rows(arguments.scores)
    columns = columns_of_metrics(arguments, found.rows, metrics)
    return judged_tables(arguments, found, columns), columns


def columns_of_metrics(
    arguments: argparse.Namespace, rows: Sequence[Row], metrics: Sequence[str]
) -> list[str]:
    """The columns that names of metrics stand for; without names, all METRIC.FIELD."""
    name = shown(arguments)
    columns = list(dict.fromkeys(_column(name, metric, rows) for metric in metrics))
    if not metrics:
        columns = [key for key in _keys(rows) if "." in key and key not in _humans(arguments)]
    if not columns:
        raise DataError(name, "no column is named METRIC.FIELD", "score the rows first")
    return columns


def dimensions(arguments: argparse.Namespace, found: Rows) -> list[str]:
    """The columns that hold numbers and can be what people said, where --human names none.

    They are not METRIC.FIELD, and not what names or measures a text.
    """
    rows = found.rows
    if arguments.judgements is not None:
        rows = _judgement_rows(arguments.judgements).rows
    others = {"id", LENGTH, arguments.system, arguments.topic, arguments.length}
    scored = {key for key in _keys(rows) if "." in key}
    columns = [
        column
        for column in paths(rows)
        if column not in others | scored and _holds_numbers(find(row, column)[1] for row in rows)
    ]
    if not columns:
        raise DataError(
            arguments.judgements or shown(arguments),
            "no column holds numbers that people can have given",
            "name --human, or --judgements",
        )
    return columns


def _holds_numbers(values: Iterable[Any]) -> bool:
    """Whether all values that are there are numbers, or texts of CSV that stand for numbers."""
    given = [value for value in values if value is not None and value != ""]
    for value in given:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            return False
        try:
            float(value)
        except ValueError:
            return False
    return bool(given)


def judged_tables(arguments: argparse.Namespace, found: Rows, columns: Sequence[str]) -> Scores:
    """The tables of these columns and of what people said, which may lie in a file of its own."""
    name = shown(arguments)
    if arguments.judgements is None:
        return _tables(name, found, [*columns, *_humans(arguments)], arguments)
    scores = _tables(name, found, columns, arguments)
    judgements = _judgements(arguments)
    try:
        return scores.join(judgements)
    except ValueError as error:
        raise DataError(name, str(error), "name --system and --topic, or mend the names") from None


def left_out(scores: Scores, column: str, human: str, levels: Sequence[str]) -> list[str]:
    """What the correlations of a metric leave out, topics by their names."""
    notes = []
    for level in levels:
        found = correlate(scores[column], scores[human], "kendall", level)  # type: ignore[arg-type]
        for note in found.notes:
            # Names say more than the numbers of topics, and cells are told of with the scores.
            if found.skipped and "passed over" in note:
                names = [scores.topics[place] for place in found.skipped]
                notes.append(f"{note.rpartition(': ')[0]}: {listed(names)}")
            elif not note.startswith("unbalanced"):
                notes.append(note)
    return [f"{column}: {note}" for note in dict.fromkeys(notes)]


def _judgements(arguments: argparse.Namespace) -> Scores:
    path = arguments.judgements
    found = _judgement_rows(path)
    if _holds_rows(path):
        return _tables(path, found, _humans(arguments), arguments)
    own = argparse.Namespace(system="system", topic="topic", human=arguments.human)
    return _tables(path, found, _humans(arguments), own)


def _judgement_rows(path: str) -> Rows:
    return read_rows(path) if _holds_rows(path) else read_score_table(path)


def _holds_rows(path: str) -> bool:
    return bool(format_of(path)) or os.path.isdir(path)


def _tables(
    name: str, found: Rows, columns: Sequence[str], arguments: argparse.Namespace
) -> Scores:
    named = [("human", column) for column in _humans(arguments) if column in columns]
    for option, column in (*named, ("system", arguments.system), ("topic", arguments.topic)):
        if not any(find(row, column)[0] for row in found.rows):
            mend = f"name the column with --{option}"
            raise DataError(name, not_found(column, paths(found.rows)), mend)
    try:
        return Scores.from_rows(found.rows, columns, system=arguments.system, topic=arguments.topic)
    except ValueError as error:
        raise DataError(name, str(error), "mend the row, or leave it out") from None


def _column(name: str, metric: str, rows: Sequence[Row]) -> str:
    """The column of a metric: METRIC.FIELD, or by METRIC alone its value."""
    present = _keys(rows)
    if metric in present or any(find(row, metric)[0] for row in rows[:1]):
        return metric
    fields = [key for key in present if key.startswith(metric + ".")]
    if len(fields) == 1:
        return fields[0]
    if not fields:
        # What was named without a field is likelier a metric misspelt than a column.
        known = [key for key in present if "." in key] or present
        if "." not in metric:
            known = list(dict.fromkeys(key.rpartition(".")[0] or key for key in known))
        raise DataError(name, not_found(metric, known), "name columns as METRIC or METRIC.FIELD")
    try:
        primary = f"{metric}.{summeval.metric(metric).primary}"
    except (ValueError, ImportError):
        primary = ""
    if primary not in fields:
        raise DataError(
            name, f"{metric} has {len(fields)} columns: {', '.join(fields[:5])}", "name one of them"
        )
    return primary


def paths(rows: Iterable[Row]) -> list[str]:
    """The columns of rows, and those in objects, as they can be asked for.

    >>> paths([{"system": "1", "scores": {"overall": 3}}])
    ['system', 'scores.overall']
    """
    found: dict[str, None] = {}
    for row in rows:
        for key, value in row.items():
            inner = [f"{key}.{name}" for name in value] if isinstance(value, dict) else [key]
            found |= dict.fromkeys(inner)
    return list(found)


def _humans(arguments: argparse.Namespace) -> list[str]:
    return [arguments.human] if isinstance(arguments.human, str) else arguments.human


def shown(arguments: argparse.Namespace) -> str:
    """What messages call SCORES."""
    return "standard input" if arguments.scores == "-" else arguments.scores


def _keys(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))
