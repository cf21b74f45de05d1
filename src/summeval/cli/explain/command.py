"""`summeval explain`: what the scores of rows come from, as text, JSON or a page."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import summeval
from summeval._problem import printable
from summeval._progress import Progress
from summeval.cli.explain.chosen import apart_of, check_asked, chosen
from summeval.cli.explain.rows import TextRow, read_rows
from summeval.cli.score.settings import check_parsers, parsing
from summeval.cli.shared.arguments import (
    add_flags,
    add_names,
    add_option,
    add_separator,
    output_form,
)
from summeval.cli.shared.choice import DEFAULT, NAMES_HELP, add_shared, choose
from summeval.cli.shared.columns import COLUMNS_HELP, add_columns
from summeval.cli.shared.errors import refusals, whole
from summeval.io import DataError
from summeval.io.formats import FORMATS
from summeval.io.output import open_output

if TYPE_CHECKING:
    from summeval.metrics.run.explain.explanation import Explanation

DESCRIPTION = f"""\
Show what the scores of the rows of INPUT come from: the words that candidate and references (or the
source) share, those that are missing, those that only the candidate has, and what each adds.

INPUT has rows as summeval score reads them, or as it writes them with --keep-text or from --hyp.
{COLUMNS_HELP}
Rows are chosen by --row, --worst, --best or --apart. Without a choice, text has the first few rows;
JSON Lines and a page have all. The page is one HTML file that opens from disk, with a list of the
rows to sort and to filter; it stays fluid with 10,000 rows."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted,
143 terminated.
Examples:
  summeval explain rows.jsonl -m rouge1 --row d31
  summeval explain rows.jsonl -m rouge2,tesla-s --worst 10
  summeval explain scores.jsonl --apart rouge1,tesla-e 20 -o apart.html"""

LAYOUTS = ("text", "json", "html", "jsonl")  # JSON is an object a line in both


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="INPUT", help="rows with texts; - is standard input")
    add_names(parser, "-m", "--metrics", help=NAMES_HELP)
    add("-o", "--output", default="-", metavar="OUT", help="file to write [standard output]")
    add(
        "--row",
        action="append",
        metavar="ID",
        help="the row of this id, or number if no row has one; repeated, or with commas",
    )
    add("--worst", type=int, metavar="N", help="the N rows that the first metric puts last")
    add("--best", type=int, metavar="N", help="the N rows that the first metric puts first")
    add(
        "--apart",
        nargs="+",
        metavar=("A,B", "N"),
        help="the N rows [10] whose ranks by two metrics differ most",
    )
    add(
        "--format",
        dest="layout",
        choices=LAYOUTS[:-1],
        help="text, json (a JSON object a line) or html [by the ending of OUT; text]",
    )
    add("--system", default="system", metavar="COLUMN", help="column with the systems [system]")
    add_option(parser, "such as rouge.stemmer=porter")
    add_shared(parser)
    add_flags(
        parser,
        "on-error",
        help="what to do with bad rows: stop, or say why they are not explained [raise]",
    )
    add(
        "--input-format",
        dest="format",
        choices=FORMATS,
        help="format of INPUT [by its ending; jsonl for -]",
    )
    add_separator(parser)
    add_columns(parser)
    add_flags(parser, "annotations", "no-cache", "no-progress")


def run(arguments: argparse.Namespace) -> int:
    """Explain rows; return the exit status."""
    check_asked(arguments)
    layout = output_form(arguments.output, arguments.layout, LAYOUTS, "--format")
    apart, _ = apart_of(arguments.apart)
    named = arguments.metrics or ([] if apart else [DEFAULT])
    suite = choose([*named, *apart], arguments.option, parsing(arguments))
    check_parsers(suite)
    rows = read_rows(arguments, suite)
    metrics = [metric for metric in suite.metrics if isinstance(metric, summeval.Metric)]
    rows = chosen(arguments, metrics, rows, page=layout != "text")
    told = _explained(arguments, metrics, rows)
    with whole(open_output(arguments.output)) as output:
        if layout == "html":
            from summeval.report.explanation_page import explanation_page

            names = ", ".join(metric.name for metric in metrics)
            title = f"{os.path.basename(arguments.input)}: {names}"
            for piece in explanation_page(told, metrics, title):
                output.write(piece, {})
            return 0
        pieces = _json(told) if layout.startswith("json") else _text(told, arguments.output == "-")
        for line in pieces:
            output.write(line.encode(), {})
    return 0


Told = tuple[TextRow, list["Explanation | str"]]


def _explained(
    arguments: argparse.Namespace, metrics: Sequence[summeval.Metric], rows: Sequence[TextRow]
) -> Iterator[Told]:
    """Each row with its explanations, or why there is none."""
    progress = Progress(len(rows), not arguments.no_progress and arguments.output != "-")
    try:
        for done, row in enumerate(rows, 1):
            yield row, [_of(arguments, metric, row) for metric in metrics]
            progress.update(done, 1)
    finally:
        progress.finish()


def _of(arguments: argparse.Namespace, metric: summeval.Metric, row: TextRow) -> Explanation | str:
    if row.problem:
        return row.problem
    lacks = [
        name
        for name, given in (
            ("candidate", row.candidate is not None),
            ("reference", row.references or metric.compared_with not in ("references", "both")),
            ("source", row.source or metric.compared_with not in ("source", "both")),
        )
        if not given
    ]
    if lacks:
        return f"no {' and no '.join(lacks)}"
    try:
        with refusals(f"{arguments.input}, {row.label}"):
            return metric.explain(row.candidate, **row.texts)
    except DataError as error:
        if arguments.on_error == "raise":
            raise
        return str(error)


def _text(told: Iterator[Told], to_terminal: bool) -> Iterator[str]:
    for row, found in told:
        for one in found:
            body = one if isinstance(one, str) else one.to_text(None if to_terminal else False)
            yield f"{printable(row.label)}\n{body}\n\n"


def _json(told: Iterator[Told]) -> Iterator[str]:
    for row, found in told:
        for one in found:
            record: dict[str, Any] = {"row": row.number, "id": row.id or None}
            record["system"] = row.system or None
            if isinstance(one, str):
                record |= {"explanation": None, "problem": one}
            else:
                record["explanation"] = one.to_dict()
            yield json.dumps(record, ensure_ascii=False) + "\n"
