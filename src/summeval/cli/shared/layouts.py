"""Layouts of result tables: text, CSV, LaTeX, JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Sequence
from typing import Any

from summeval.cli.shared.arguments import output_form
from summeval.cli.shared.errors import deliver
from summeval.io.rows import finite
from summeval.report.tables import csv_lines, latex_lines, text_lines

LAYOUTS = ("table", "csv", "json", "latex")
MARK = "-"  # before the name of a metric that was negated
NEGATED = f"{MARK} before a name means that lower is better, so the scores were negated"
_DIRECTION = ("higher_is_better", "negated")


def add_layout(parser: argparse.ArgumentParser, layouts: Sequence[str] = LAYOUTS) -> None:
    """Declare the arguments for the layout of results; the first layout is the default."""
    parser.add_argument(
        "--format",
        choices=layouts,
        help=f"format of the results [by the ending of OUT, or {layouts[0]}]",
    )
    parser.set_defaults(layouts=layouts)
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help="[standard output]")


def settle_layout(arguments: argparse.Namespace) -> None:
    """Set the layout by the ending of OUT where `--format` did not, before any work."""
    path, form = arguments.output, arguments.format
    arguments.format = output_form(path, form, arguments.layouts, "--format")


def show(
    arguments: argparse.Namespace,
    rows: Sequence[dict[str, Any]],
    settings: dict[str, Any],
    notes: Sequence[str],
    hidden: Collection[str] = (),
) -> None:
    """Print or write rows of results, their settings, and notes on data left out.

    CSV holds only the rows; LaTeX adds the rest as comments at the end; JSON holds everything. The
    text table and LaTeX omit the `hidden` keys and mark negated metrics. In a row `negated` is true
    for the row's metric, or lists the names of metrics among its keys.
    """
    plain = [_for_people(row, hidden) for row in rows]
    told = [", ".join(f"{key} {_told(v)}" for key, v in settings.items() if v is not None)]
    told += [NEGATED] * any(row.get("negated") for row in rows)
    told += [f"note: {note}" for note in notes]
    if arguments.format == "json":
        document = {**settings, "notes": list(notes), "results": rows}
        lines = json.dumps(finite(document), indent=1, ensure_ascii=False).splitlines()
    elif arguments.format == "csv":
        lines = csv_lines(rows)
    elif arguments.format == "latex":
        lines = [*latex_lines(plain), *(f"% {line}" for line in told)]
    else:
        lines = [*text_lines(plain), "", *told]
    deliver(arguments.output, lines, data=arguments.format in ("json", "csv"))


def _for_people(row: dict[str, Any], hidden: Collection[str]) -> dict[str, Any]:
    """The row with marks before the names of negated metrics, without the key `negated`."""
    shown = {key: value for key, value in row.items() if key not in {*hidden, *_DIRECTION}}
    negated = row.get("negated")
    if not negated:
        return shown
    if negated is True:
        return shown | {"metric": MARK + row["metric"]}
    return {MARK + key if key in negated else key: value for key, value in shown.items()}


def _told(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
