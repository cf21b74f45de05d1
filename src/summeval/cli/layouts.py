"""A table of results as people and programs want it: text, CSV, LaTeX."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Sequence
from math import isnan
from typing import Any

from summeval.cli.printing import put, write_file
from summeval.cli.summary import table
from summeval.io.rows import finite

LAYOUTS = ("table", "csv", "json", "latex")
_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_LATEX["^"] = r"\textasciicircum{}"


def add_layout(parser: argparse.ArgumentParser, layouts: Sequence[str] = LAYOUTS) -> None:
    """Declare the arguments that say how results are printed; the first layout is the default."""
    parser.add_argument(
        "--format", choices=layouts, default=layouts[0], help=f"of the results [{layouts[0]}]"
    )
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help="[standard output]")


def show(
    arguments: argparse.Namespace,
    rows: Sequence[dict[str, Any]],
    settings: dict[str, Any],
    notes: Sequence[str],
) -> None:
    """Print or write rows of results, what they were made with, and what was left out.

    CSV and LaTeX hold the rows, and the rest as comments at the end in LaTeX; JSON holds all.
    """
    told = [", ".join(f"{key} {value}" for key, value in settings.items() if value is not None)]
    told += [f"note: {note}" for note in notes]
    if arguments.format == "json":
        document = {**settings, "notes": list(notes), "results": rows}
        lines = json.dumps(finite(document), indent=1, ensure_ascii=False).splitlines()
    elif arguments.format == "csv":
        lines = _csv(rows)
    elif arguments.format == "latex":
        lines = [*_latex(rows), *(f"% {line}" for line in told)]
    else:
        lines = [*table(list(rows[0]), [_cells(row) for row in rows]), "", *told]
    if arguments.output == "-":
        put(lines)
    else:
        write_file(arguments.output, "".join(line + "\n" for line in lines).encode())


def _cells(row: dict[str, Any]) -> list[str]:
    """The row for people: four digits, a dash where there is no number."""
    return [_cell(value) for value in row.values()]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return "nan" if isnan(value) else f"{value:.4f}"
    return str(value)


def _csv(rows: Sequence[dict[str, Any]]) -> list[str]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow(
            "" if value is None or (isinstance(value, float) and isnan(value)) else value
            for value in row.values()
        )
    return text.getvalue().splitlines()


def _latex(rows: Sequence[dict[str, Any]]) -> list[str]:
    def line(cells: Sequence[str]) -> str:
        escaped = ("".join(_LATEX.get(char, char) for char in cell) for cell in cells)
        return " & ".join(escaped) + r" \\"

    kinds = "".join("l" if isinstance(value, str) else "r" for value in rows[0].values())
    return [
        rf"\begin{{tabular}}{{{kinds}}}",
        r"\hline",
        line(list(rows[0])),
        r"\hline",
        *(line(_cells(row)) for row in rows),
        r"\hline",
        r"\end{tabular}",
    ]
