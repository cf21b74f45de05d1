"""`summeval rank`: rank systems by their scores, and test which of them differ."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import summeval
from summeval.cli.shared import judged
from summeval.cli.shared.arguments import add_alpha, output_form
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.judges.options import LAYOUT_HELP, add_shapes, map_columns, settle_names
from summeval.cli.shared.judges.shape import paths, shaped
from summeval.cli.shared.names import add_names, share
from summeval.cli.shared.printing import deliver
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.plain import system_names
from summeval.io.rows import Row
from summeval.meta import rank
from summeval.meta.ranking.rank import CORRECTIONS, USUAL_DRAWS, usual_resamples
from summeval.meta.ranking.result import Ranking
from summeval.meta.tables.cells import find, name_of, number_of
from summeval.meta.tables.judgements import JudgedRows, read_rows
from summeval.metrics.registry import directions_of
from summeval.report.ranking import LAYOUTS, ranking_lines

DESCRIPTION = f"""\
Rank the systems in SCORES by the means of their scores, and test which of them differ.

Each row of SCORES holds the scores of one output, as written by `summeval score`, and the name of
its system; in files without that column the system is the name of the file. Systems are compared
on the rows that both have: those of the same topic, or of the same id if there are no topics.
{LAYOUT_HELP}

The p-values are those of paired approximate randomisation, two-sided, corrected for the number of
pairs; all systems of a cluster differ from all of the next. With --baseline each system is compared
with that one only. Intervals are those of Student's t. The effect is the mean of the differences
in their standard deviations; "needed" is the number of rows with which such a difference would be
found in 80 of 100 samples. Without --metrics each of summeval's metrics is ranked by its value
(fmeasure for ROUGE), other metrics by all of their fields."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval score rows.jsonl -m rouge1,rouge2 -o scores.jsonl
  summeval rank scores.jsonl
  summeval rank scores.jsonl --baseline lead3 --format latex -o table.tex"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add(
        "scores",
        nargs="+",
        metavar="SCORES",
        help="rows with scores, as written by `score`; several files are read as one",
    )
    add("--system", metavar="COLUMN", help="names the system [system, or the name of the file]")
    add("--topic", metavar="COLUMN", help="pairs the rows [topic, or id, or their order]")
    add_shapes(parser)
    add("--baseline", metavar="NAME", help="the system to compare the others with [all pairs]")
    add_names(parser, "-m", "--metrics", help="METRIC or METRIC.FIELD, or another column [all]")
    add_names(
        parser,
        "--lower-is-better",
        metavar="COLUMN",
        help="columns in which lower is better; summeval's own metrics are known [none]",
    )
    add(
        "--signatures",
        metavar="FILE",
        help="output of summeval score --means, which gives the directions of labelled metrics",
    )
    add(
        "--samples",
        choices=("mean", "first", "draw"),
        default="mean",
        help="what stands for several rows of a system and a topic [mean]",
    )
    add("--correction", choices=CORRECTIONS, default="holm", help="of the p-values [holm]")
    add_alpha(parser, "the tests")
    add(
        "--bootstrap",
        type=int,
        metavar="N",
        help=f"draws and permutations [{USUAL_DRAWS}; fewer for many rows, more if the tests need"
        " them]",
    )
    add(
        "--confidence",
        type=share(0.95),
        default=0.95,
        metavar="SHARE",
        help="confidence level of intervals, 0 to 1 [0.95]",
    )
    add("--seed", type=int, default=0, metavar="N", help="random seed [0]")
    add("--format", choices=LAYOUTS, help="format of the results [by the ending of OUT, or table]")
    add("-o", "--output", default="-", metavar="OUT", help="[standard output]")


def run(arguments: argparse.Namespace) -> int:
    """Read, test and print; return the exit status."""
    if arguments.bootstrap is not None and arguments.bootstrap < 1:
        raise UsageError(f"--bootstrap is {arguments.bootstrap}; give at least 1")
    if arguments.seed < 0:
        raise UsageError(f"--seed is {arguments.seed}; give 0 or more")
    form = output_form(arguments.output, arguments.format, LAYOUTS, "--format")
    arguments.human = []
    judged.read_names(arguments)
    files, arguments.scores = arguments.scores, ", ".join(arguments.scores)
    read = _read(arguments, files)
    found, rows = read.found, read.found.rows
    columns = judged.columns_of_metrics(arguments, rows)
    if not arguments.metrics:
        columns = judged.primary_columns(columns, arguments.lower_is_better)
    rising = _directions(arguments, found, columns)
    made = _rank(arguments, _numbers(arguments, rows, columns), read, rising)
    settings = {
        "summeval": summeval.__version__,
        "systems": len(made.systems),
        "rows": len(rows),
        "paired by": read.paired,
        **made.settings,
    }
    lines = ranking_lines(made, form, settings, [*found.notes, *made.notes])
    deliver(arguments.output, lines, data=form in ("json", "csv"))
    return 0


class _Read(NamedTuple):
    """The rows of all files; the system and the topic of each, and the columns of the topics."""

    found: JudgedRows
    systems: list[str]
    topics: list[str] | None
    paired: str


def _read(arguments: argparse.Namespace, files: Sequence[str]) -> _Read:
    """Read the files as one."""
    map_columns(arguments)
    found = JudgedRows([], [])
    systems: list[str] = []
    topics: list[str] = []
    paired: dict[str, None] = {}
    scored: list[str] = []
    for path, name in zip(files, system_names(files), strict=True):
        own = argparse.Namespace(**vars(arguments))
        one = _shaped(own, path, name)
        systems += _named(path, one.rows, own.system)
        if own.topic is not None:
            topics += _named(path, one.rows, own.topic)
        paired[own.topic or "order"] = None
        scored += getattr(own, "scored", [])
        found = found._replace(
            rows=found.rows + one.rows,
            notes=found.notes + one.notes,
            signatures={**found.signatures, **one.signatures},
            directions={**found.directions, **one.directions},
        )
    arguments.scored = scored
    if "order" in paired and len(paired) > 1:
        problem = "a file has neither 'topic' nor 'id', by which the rows of the others are paired"
        raise DataError(arguments.scores, problem, "add the column")
    told = ", ".join(paired)
    return _Read(judged.signed(arguments, found), systems, topics or None, told)


def _shaped(own: argparse.Namespace, path: str, name: str) -> JudgedRows:
    """The rows of a file, one for each output; sets the columns of the system and the topic.

    The topic is None if the file has neither topics nor ids. Without systems, `name` is the system.
    """
    found = read_rows(path)
    asked = own.system, own.topic
    for option, column in zip(("system", "topic"), asked, strict=True):
        if column is not None and not _has(found.rows, column):
            mend = f"choose the column with --{option}"
            raise DataError(path, not_found(column, paths(found.rows)), mend)
    own.system = own.system or "system"
    own.topic = own.topic or ("id" if _has(found.rows, "id") else "topic")
    if asked[1] is None and _has(found.rows, "topic"):
        own.topic = "topic"
    settle_names(own, path, found.rows)
    if not _has(found.rows, own.system):
        found = found._replace(rows=[{**row, own.system: name} for row in found.rows])
    found = shaped(own, path, found)
    if not _has(found.rows, own.topic):
        own.topic = None
    return found


def _has(rows: Sequence[Row], column: str) -> bool:
    return any(find(row, column)[0] for row in rows)


def _named(path: str, rows: Sequence[Row], column: str) -> list[str]:
    """The names in a column of all rows."""
    try:
        return [name_of(row, column, f"row {number}") for number, row in enumerate(rows, 1)]
    except ValueError as error:
        raise DataError(path, str(error), "name it in each row, or choose another column") from None


def _numbers(
    arguments: argparse.Namespace, rows: Sequence[Row], columns: Sequence[str]
) -> dict[str, list[float]]:
    try:
        return {
            column: [
                number_of(find(row, column)[1], column, f"row {number}")
                for number, row in enumerate(rows, 1)
            ]
            for column in columns
        }
    except ValueError as error:
        raise DataError(
            judged.shown(arguments), str(error), "correct it, or leave it empty"
        ) from None


def _directions(
    arguments: argparse.Namespace, found: JudgedRows, columns: Sequence[str]
) -> dict[str, bool]:
    """The directions that the file and the arguments state."""
    stated = directions_of(columns, found.directions)
    lower = judged.told_lower(arguments, found.rows, columns, stated)
    return stated | dict.fromkeys(lower, False)


def _rank(
    arguments: argparse.Namespace,
    table: dict[str, list[float]],
    read: _Read,
    rising: dict[str, bool],
) -> Ranking:
    count = len(set(read.systems))
    pairs = count - 1 if arguments.baseline else count * (count - 1) // 2
    tests = pairs if arguments.correction != "none" else 1
    rows = -(-len(read.systems) // count)
    resamples = arguments.bootstrap or usual_resamples(rows, tests, arguments.alpha)
    try:
        return rank(
            table,
            read.systems,
            read.topics,
            arguments.baseline,
            resamples,
            arguments.seed,
            higher_is_better=rising,
            samples=arguments.samples,
            correction=arguments.correction,
            alpha=arguments.alpha,
            confidence=arguments.confidence,
        )
    except ValueError as error:
        if str(error).startswith("baseline: "):
            raise UsageError(f"--{error}") from None
        raise DataError(judged.shown(arguments), str(error), "choose others") from None
