"""Results: as tables of a layout, as the files of a study, as rows in a file of any format."""

from __future__ import annotations

import importlib.util
import io
import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, deliver, put, write_file
from summeval.io import DataError, naming
from summeval.io.directions import score_fields, write_beside
from summeval.io.formats import DELIMITERS, FORMATS, IN_ROWS
from summeval.io.rows import encode_json, finite
from summeval.report.tables import csv_lines, document_lines, json_lines, sheet_of, text_lines

if TYPE_CHECKING:
    from summeval.report.tables import Sheet
    from summeval.study.result import Study, StudyTable

LAYOUTS = ("table", "csv", "json", "latex")
STUDY_LAYOUTS = ("table", "json", "csv", "latex")
MARK = "-"  # before the name of a metric that was negated
NEGATED = f"{MARK} before a name means that lower is better, so the scores were negated"
_NONE: Mapping[str, Any] = MappingProxyType({})
_DIRECTION = ("higher_is_better", "negated")


def add_layout(parser: ArgumentParser, layouts: Sequence[str] = LAYOUTS) -> None:
    """Declare the arguments for the layout of results; the first layout is the default."""
    flags.add(parser, "format", choices=layouts)
    parser.set_defaults(layouts=layouts)
    flags.add(parser, "output")


def settle_layout(arguments: Namespace) -> None:
    """Set the layout by the ending of OUT where `--format` did not, before any work."""
    path, form = arguments.output, arguments.format
    arguments.format = flags.output_form(path, form, arguments.layouts, "--format")


def show(
    arguments: Namespace,
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
    footer = settings_line(settings)
    footer += [NEGATED] * any(row.get("negated") for row in rows)
    footer += [f"note: {note}" for note in notes]
    if arguments.format == "json":
        lines = json_lines({**settings, "notes": list(notes), "results": rows})
    elif arguments.format == "csv":
        lines = csv_lines(rows)
    else:
        lines = document_lines(arguments.format, [sheet_of(plain)], footer)
    deliver(arguments.output, lines, data=arguments.format in ("json", "csv"))


def _for_people(row: dict[str, Any], hidden: Collection[str]) -> dict[str, Any]:
    """Return the row with marks before the names of negated metrics, without the key `negated`."""
    shown = {key: value for key, value in row.items() if key not in {*hidden, *_DIRECTION}}
    negated = row.get("negated")
    if not negated:
        return shown
    if negated is True:
        return shown | {"metric": MARK + row["metric"]}
    return {MARK + key if key in negated else key: value for key, value in shown.items()}


def settings_line(settings: Mapping[str, Any]) -> list[str]:
    """Return the line that tells settings; those that are None are left out."""
    texts = {
        key: ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        for key, value in settings.items()
        if value is not None
    }
    return [", ".join(f"{key} {text}" for key, text in texts.items())]


def check_rows(path: str) -> str:
    """Return the format of a file of rows, before it is written.

    Raises `UsageError` for another ending, `DataError` if its folder is not there.
    """
    form = flags.output_form(path, None, FORMATS)
    if form in ("parquet", "arrow"):
        from summeval.io.arrow import check_pyarrow

        check_pyarrow(path)
    return form


def write_rows(
    path: str,
    rows: Sequence[Mapping[str, Any]],
    signatures: Mapping[str, str] = _NONE,
    directions: Mapping[str, bool] = _NONE,
) -> None:
    """Write rows of equal keys; NaN becomes null, and lists become JSON in CSV.

    Parquet and Arrow files also hold `signatures` by metric and `directions` by column; other files
    have them beside (`io.directions`).
    """
    form, plain = check_rows(path), [dict(row) for row in finite(list(rows))]
    if form not in IN_ROWS:
        write_file(path, _table(plain, form, signatures, directions))
        return
    lines = [json.dumps(row, ensure_ascii=False) for row in plain] if form == "jsonl" else []
    if form in DELIMITERS:
        for row in plain:
            row |= {k: encode_json(v) for k, v in row.items() if isinstance(v, (list, dict))}
        lines = csv_lines(plain, DELIMITERS[form])
    write_file(path, "".join(f"{line}\n" for line in lines).encode())
    if signatures and os.path.isfile(path):
        write_beside(path, signatures, directions)


def _table(
    rows: Sequence[dict[str, Any]],
    form: str,
    signatures: Mapping[str, str],
    directions: Mapping[str, bool],
) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    from summeval.io.arrow_output import array_of

    columns = {name: array_of([row[name] for row in rows]) for name in (rows[0] if rows else ())}
    metadata = {field.name: field.metadata for field in score_fields(directions)}
    fields = [pa.field(n, column.type, metadata=metadata.get(n)) for n, column in columns.items()]
    schema = pa.schema(fields, metadata=dict(signatures) or None)
    table, data = pa.Table.from_arrays(list(columns.values()), schema=schema), io.BytesIO()
    if form == "parquet":
        parquet.write_table(table, data)
    else:
        with pa.ipc.new_file(data, table.schema) as writer:
            writer.write_table(table)
    return data.getvalue()


# Studies


def add_output(parser: ArgumentParser, *, figures: bool = True) -> None:
    """Declare the arguments of the output of a study: `--format`, `-o FOLDER`, `--no-figures`.

    Without `figures` matplotlib draws none, and the caller may write its own.
    """
    text = "format of what is printed [table]"
    flags.add(parser, "format", choices=STUDY_LAYOUTS, default="table", help=text)
    text = "also write study.json, and each table as CSV and LaTeX, each figure as SVG"
    flags.add(parser, "output", default=None, metavar="FOLDER", help=text)
    if not figures:
        parser.set_defaults(no_figures=True)
        return
    parser.add_argument("--no-figures", action="store_true")


def check_folder_of(arguments: Namespace) -> None:
    """Raise before the study if its files could not be written after it."""
    folder = arguments.output
    if folder is None:
        return
    if flags.names_file(folder) and not os.path.isdir(folder):
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
        hint = "pip install 'summeval[report]', or add --no-figures"
        raise UsageError(f"figures need matplotlib: {hint}")


def show_study(arguments: Namespace, found: Study) -> None:
    """Write the files of a study if a folder is given, each when it is whole; then print it."""
    if (folder := arguments.output) is not None:
        with naming(folder):
            os.makedirs(folder, exist_ok=True)
        for name, lines in _study_files(found):
            deliver(os.path.join(folder, name), lines, data=True)
        for figure in () if arguments.no_figures else found.figures:
            from summeval.report.figures import svg_of

            write_file(os.path.join(folder, f"{figure.name}.svg"), svg_of(figure, found.footer()))
    put(_study_lines(arguments.format, found), data=arguments.format in ("json", "csv"))


def _study_lines(form: str, found: Study) -> list[str]:
    if form == "json":
        return json_lines(found.to_dict())
    if form == "latex":
        shown = [table for table in found.tables if table.shown != 0]
        return document_lines(form, map(_sheet, shown), [found.title, *found.footer()])
    parts: list[list[str]] = [[found.title]] * (form == "table")
    for table in found.tables:
        rows = table.rows[: table.shown]
        if form == "csv":
            parts.append(csv_lines(table.rows))
        elif table.shown != 0:
            more = [f"… of {len(table.rows)} rows"] if len(rows) < len(table.rows) else []
            parts.append([table.title, "", *text_lines(rows, table.hidden), *more])
    parts += [found.footer()] * (form == "table")
    return [line for part in parts if part for line in ("", *part)][1:]


def _sheet(table: StudyTable) -> Sheet:
    return sheet_of(table.rows[: table.shown or None], table.hidden, table.title)


def _study_files(found: Study) -> Iterator[tuple[str, list[str]]]:
    """Yield the names and lines of the files of a study but its figures."""
    for table in found.tables:
        yield f"{table.name}.csv", csv_lines(table.rows)
        lines = [found.title, *found.footer()]
        yield f"{table.name}.tex", document_lines("latex", [_sheet(table)], lines)
    yield "study.json", json_lines(found.to_dict())
