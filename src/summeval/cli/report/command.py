"""`summeval report`: a report on metrics and human judgements, in one HTML file."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from typing import Any

import summeval
from summeval._progress import Progress
from summeval.cli.shared.arguments import add_alpha
from summeval.cli.shared.errors import say
from summeval.cli.shared.judged import (
    add_judged,
    check_numbers,
    coefficients_of,
    columns_of_metrics,
    dimensions,
    judged_tables,
    levels_of,
    paths,
    primary_columns,
    read_names,
    read_scores,
    shown,
)
from summeval.cli.shared.layouts import add_layout, show
from summeval.cli.shared.names import add_names
from summeval.cli.shared.printing import write_file
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.rows import Row
from summeval.meta.overview import LENGTH, Overview, overview
from summeval.meta.tables.cells import find
from summeval.report.html_report import drawn, html_report

DESCRIPTION = """\
Show how well the metrics in SCORES agree with people, as one HTML file without scripts or network
access: correlations with intervals, significant differences, metrics by dimension, systems,
correlations between metrics, distributions, signatures and seeds.

The number of words of the candidates is added as a baseline, computed from the texts (summeval
score --keep-text) or read from --length. Signatures are read from Parquet and Arrow files, or from
--signatures. The first coefficient is the one that is tested and plotted. Metrics are negated if
lower is better, with a minus before their names. Without --metrics each of summeval's metrics is
shown by its value (fmeasure for ROUGE), other metrics by all of their fields."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval score rows.jsonl -m rouge1,rouge2,tesla-s -o scores.jsonl --keep-text --means > sums
  summeval report scores.jsonl --human coherence relevance --signatures sums -o report.html"""

LEVELS = ("summary", "system")
LAYOUTS = ("html", "csv", "json", "latex")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_judged(parser, LEVELS, guess=True)
    add = parser.add_argument
    add_names(parser, "-m", "--metrics", help="METRIC or METRIC.FIELD [all]")
    add("--length", metavar="COLUMN", help="column with the lengths of the candidates")
    add(
        "--candidate-column",
        default="candidate",
        metavar="NAME",
        help="column with the texts [candidate]",
    )
    add("--title", metavar="TEXT", help="title of the page [the name of SCORES]")
    add(
        "--bootstrap",
        type=int,
        metavar="N",
        help="number of draws and permutations [as many as the tests need]",
    )
    add_alpha(parser, "the tests")
    add_layout(parser, LAYOUTS)


def run(arguments: argparse.Namespace) -> int:
    """Read, compute and write; return the exit status."""
    check_numbers(arguments, 1)
    read_names(arguments)
    levels, coefficients = levels_of(arguments, LEVELS), coefficients_of(arguments)
    found = read_scores(arguments)
    arguments.human = arguments.human or dimensions(arguments, found)
    columns = columns_of_metrics(arguments, found.rows)
    if not arguments.metrics:
        columns = primary_columns(columns, arguments.lower_is_better)
    lengths = [LENGTH] * _add_lengths(arguments, found.rows)
    scores = judged_tables(arguments, found, list(dict.fromkeys([*columns, *lengths])))
    progress, size = Progress(None), len(found.rows)
    try:
        made = overview(
            scores,
            columns,
            arguments.human,
            coefficients,  # type: ignore[arg-type]
            levels,  # type: ignore[arg-type]
            over=arguments.over,
            resamples=arguments.bootstrap,
            confidence=arguments.confidence,
            alpha=arguments.alpha,
            seed=arguments.seed,
            progress=lambda done, all_: progress.reach(done * size, all_ * size),
        )
    except ValueError as error:
        raise DataError(shown(arguments), str(error), "choose other columns") from None
    finally:
        progress.finish()
    for line in made.cautions:
        say(f"warning: {line}")
    if arguments.format == "html":
        write_file(arguments.output, _page(arguments, made, found.signatures).encode())
    else:
        rows = [row for agreement in made.agreements for row in agreement.rows]
        settings = _settings(made) | {"signatures": dict(found.signatures) or None}
        show(arguments, rows, settings, made.notes, ["over"])
    return 0


def _page(arguments: argparse.Namespace, made: Overview, signatures: Mapping[str, str]) -> str:
    name = shown(arguments)
    settings = {"summeval": summeval.__version__, "scores": name}
    if arguments.judgements:
        settings["judgements"] = arguments.judgements
    title = arguments.title or re.split(r"[/\\]", name)[-1]
    shown_metrics = {metric.rpartition(".")[0] for metric in made.metrics}
    told = {name: signatures[name] for name in signatures if name in shown_metrics}
    return html_report(made, title, settings, told)


def _settings(made: Overview) -> dict[str, Any]:
    return {
        "summeval": summeval.__version__,
        "systems": len(made.scores.systems),
        "topics": len(made.scores.topics),
        "over": made.over,
        "intervals over": drawn(made),
        "resamples": made.resamples,
        "seed": made.seed,
        "confidence": made.confidence,
        "alpha": made.alpha,
        "baseline": LENGTH if LENGTH in made.metrics else "none: no lengths",
    }


def _add_lengths(arguments: argparse.Namespace, rows: Sequence[Row]) -> bool:
    """Add a column of lengths to the rows, if it can be determined."""
    column = arguments.length or arguments.candidate_column
    if not any(find(row, column)[0] for row in rows):
        if arguments.length:
            mend = "name the column with --length"
            raise DataError(shown(arguments), not_found(column, paths(rows)), mend)
        return any(LENGTH in row for row in rows)
    for row in rows:
        value = find(row, column)[1]
        counted = isinstance(value, str) and not arguments.length
        row[LENGTH] = len(value.split()) if counted else value
    return True
