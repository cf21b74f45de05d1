"""`summeval rank`: rank systems by their scores, and test which of them differ."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

import summeval
from summeval.cli.shared import judged
from summeval.cli.shared.arguments import add_alpha
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.judges.shape import paths
from summeval.cli.shared.names import add_names, names_of, share
from summeval.cli.shared.printing import put, write_file
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.rows import Row
from summeval.meta import rank
from summeval.meta.ranking.rank import CORRECTIONS, needed_resamples
from summeval.meta.ranking.result import Ranking
from summeval.meta.tables.cells import find, name_of, number_of
from summeval.meta.tables.judgements import JudgedRows, read_rows
from summeval.metrics.registry import directions_of
from summeval.report.ranking import LAYOUTS, ranking_lines

DESCRIPTION = """\
Rank the systems in SCORES by the means of their scores, and test which of them differ.

Each row of SCORES holds the scores of one output, as written by `summeval score`, and the name of
its system; in files without that column the system is the name of the file. Systems are compared
on the rows that both have: those of the same topic, or of the same id if there are no topics.

The p-values are those of paired approximate randomisation, two-sided, corrected for the number of
pairs; all systems of a cluster differ from all of the next. With --baseline each system is compared
with that one only. Intervals are bootstrap percentiles. The effect is the mean of the differences
in their standard deviations; "needed" is the number of rows with which such a difference would be
found in 80 of 100 samples. Without --metrics each of summeval's metrics is ranked by its value
(fmeasure for ROUGE), other metrics by all of their fields."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval score rows.jsonl -m rouge1,rouge2 -o scores.jsonl
  summeval rank scores.jsonl
  summeval rank scores.jsonl --baseline lead3 --format latex -o table.tex"""

_DRAWS = 10_000
_ENDINGS = {".csv": "csv", ".tex": "latex", ".md": "markdown", ".html": "html", ".json": "json"}
_COMPRESSED = (".gz", ".zst", ".bz2", ".xz")


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
    add("--baseline", metavar="NAME", help="the system to compare the others with [all pairs]")
    add_names(parser, "-m", "--metrics", help="METRIC or METRIC.FIELD, or a judge's column [all]")
    add_names(
        parser,
        "--lower-is-better",
        metavar="COLUMN",
        help="columns in which lower is better; summeval's own metrics are known [none]",
    )
    add(
        "--signatures",
        metavar="FILE",
        help="output of summeval score --summary, which gives the directions of labelled metrics",
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
        help=f"draws and permutations [{_DRAWS}, or more if the correction needs them]",
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
    form = arguments.format or _ENDINGS.get(os.path.splitext(arguments.output)[1], "table")
    arguments.metrics = names_of("--metrics", arguments.metrics, "metric")
    arguments.lower_is_better = names_of("--lower-is-better", arguments.lower_is_better, "column")
    arguments.human = []
    files, arguments.scores = arguments.scores, ", ".join(arguments.scores)
    found, systems = _read(arguments, files)
    rows = found.rows
    columns = judged.columns_of_metrics(arguments, rows)
    if not arguments.metrics:
        columns = judged.primary_columns(columns, arguments.lower_is_better)
    rising = _directions(arguments, found, columns)
    topics, paired = _topics(arguments, rows)
    made = _rank(arguments, _numbers(arguments, rows, columns), systems, topics, rising)
    settings = {
        "summeval": summeval.__version__,
        "systems": len(made.systems),
        "rows": len(rows),
        "paired by": paired,
        "baseline": made.baseline,
        "resamples": made.resamples,
        "seed": made.seed,
        "correction": made.correction,
        "alpha": made.alpha,
        "confidence": made.confidence,
    }
    lines = ranking_lines(made, form, settings, [*found.notes, *made.notes])
    if arguments.output == "-":
        put(lines)
    else:
        write_file(arguments.output, "".join(line + "\n" for line in lines).encode())
    return 0


def _read(arguments: argparse.Namespace, files: Sequence[str]) -> tuple[JudgedRows, list[str]]:
    """The rows of all files, and the system of each."""
    rows: list[Row] = []
    notes: list[str] = []
    systems: list[str] = []
    signatures: dict[str, str] = {}
    directions: dict[str, bool] = {}
    column = arguments.system or "system"
    for path, name in zip(files, _names_of_files(files), strict=True):
        one = read_rows(path)
        if any(find(row, column)[0] for row in one.rows):
            systems += _named(path, one.rows, column)
        elif arguments.system:
            mend = "choose the column with --system"
            raise DataError(path, not_found(column, paths(one.rows)), mend)
        else:
            systems += [name] * len(one.rows)
        rows += one.rows
        notes += one.notes
        signatures |= one.signatures
        directions |= one.directions
    return judged.signed(arguments, JudgedRows(rows, notes, signatures, directions)), systems


def _names_of_files(files: Sequence[str]) -> list[str]:
    """The names of the systems of files: without folder and ending, unless two are then the same.

    >>> _names_of_files(["a/lead.jsonl.gz", "b/tuned.csv"]), _names_of_files(["a/x.csv", "b/x.csv"])
    (['lead', 'tuned'], ['a/x.csv', 'b/x.csv'])
    """
    names = []
    for path in files:
        name = os.path.basename(os.path.normpath(path))
        for ending in _COMPRESSED:
            name = name.removesuffix(ending)
        names.append(os.path.splitext(name)[0])
    return names if len(set(names)) == len(names) else list(files)


def _named(path: str, rows: Sequence[Row], column: str) -> list[str]:
    try:
        return [name_of(row, column, f"row {number}") for number, row in enumerate(rows, 1)]
    except ValueError as error:
        raise DataError(path, str(error), "name the system of each row") from None


def _topics(arguments: argparse.Namespace, rows: Sequence[Row]) -> tuple[list[str] | None, str]:
    """The names by which rows are paired, and what they are."""
    name = judged.shown(arguments)
    for column in [arguments.topic] if arguments.topic else ["topic", "id"]:
        if any(find(row, column)[0] for row in rows):
            try:
                found = [name_of(row, column, f"row {n}") for n, row in enumerate(rows, 1)]
            except ValueError as error:
                mend = "name it in each row, or choose another column with --topic"
                raise DataError(name, str(error), mend) from None
            return found, column
    if arguments.topic:
        mend = "choose the column with --topic"
        raise DataError(name, not_found(arguments.topic, paths(rows)), mend)
    return None, "order"


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
    systems: list[str],
    topics: list[str] | None,
    rising: dict[str, bool],
) -> Ranking:
    count = len(set(systems))
    pairs = count - 1 if arguments.baseline else count * (count - 1) // 2
    tests = pairs if arguments.correction != "none" else 1
    resamples = arguments.bootstrap or max(_DRAWS, needed_resamples(tests, arguments.alpha))
    try:
        return rank(
            table,
            systems,
            topics,
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
