"""Printing a study and writing its files, the same for every study."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from summeval.cli.shared.arguments import names_file
from summeval.cli.shared.errors import UsageError, put, write_file
from summeval.io import DataError, system_error
from summeval.io.rows import finite
from summeval.report.tables import csv_lines, latex_lines, text_lines

if TYPE_CHECKING:
    from summeval.study.result import Study

FORMATS = ("table", "json", "csv", "latex")


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
    parts: list[list[str]] = []
    for table in found.tables:
        if form == "csv":
            parts.append(csv_lines(table.rows))
        elif table.shown == 0:
            continue
        elif form == "latex":
            parts.append(
                [f"% {table.title}", *latex_lines(table.rows[: table.shown], table.hidden)]
            )
        else:
            rows = table.rows[: table.shown]
            more = [f"… of {len(table.rows)} rows"] if len(rows) < len(table.rows) else []
            parts.append([table.title, "", *text_lines(rows, table.hidden), *more])
    told = [] if form == "csv" else found.told()
    if form == "latex":
        told = [f"% {line}" for line in [found.title, *told]]
    elif form == "table":
        parts.insert(0, [found.title])
    return _joined([*parts, told])


def _joined(parts: Sequence[Sequence[str]]) -> list[str]:
    """The parts with an empty line between them."""
    lines: list[str] = []
    for part in parts:
        if part:
            lines += ["", *part] if lines else part
    return lines


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
