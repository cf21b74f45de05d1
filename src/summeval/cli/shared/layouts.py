"""Results as tables of a layout, and as rows in a file of any format."""

from __future__ import annotations

import argparse
import io
import json
import os
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from summeval.cli.shared.arguments import output_form
from summeval.cli.shared.errors import deliver, write_file
from summeval.io.directions import score_fields, write_beside
from summeval.io.formats import DELIMITERS, FORMATS, IN_ROWS
from summeval.io.rows import encode_json, finite
from summeval.report.tables import csv_lines, latex_lines, text_lines

LAYOUTS = ("table", "csv", "json", "latex")
MARK = "-"  # before the name of a metric that was negated
NEGATED = f"{MARK} before a name means that lower is better, so the scores were negated"
ENDINGS = ".jsonl, .csv, .tsv, .parquet or .arrow"
_NONE: Mapping[str, Any] = MappingProxyType({})
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
    """Return the row with marks before the names of negated metrics, without the key `negated`."""
    shown = {key: value for key, value in row.items() if key not in {*hidden, *_DIRECTION}}
    negated = row.get("negated")
    if not negated:
        return shown
    if negated is True:
        return shown | {"metric": MARK + row["metric"]}
    return {MARK + key if key in negated else key: value for key, value in shown.items()}


def _told(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def check_rows(path: str) -> str:
    """Return the format of a file of rows, before it is written.

    Raises `UsageError` for another ending, `DataError` if its folder is not there.
    """
    form = output_form(path, None, FORMATS)
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
    if form == "jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in plain)
        data = text.encode()
    elif form in DELIMITERS:
        cells = [
            {k: encode_json(v) if isinstance(v, (list, dict)) else v for k, v in row.items()}
            for row in plain
        ]
        data = "".join(f"{line}\n" for line in csv_lines(cells, DELIMITERS[form])).encode()
    else:
        data = _table(plain, form, signatures, directions)
    write_file(path, data)
    if signatures and form in IN_ROWS and os.path.isfile(path):
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

    names = list(rows[0]) if rows else []
    columns = [array_of([row[name] for row in rows]) for name in names]
    stated = {field.name: field.metadata for field in score_fields(directions)}
    fields = [
        pa.field(name, column.type, metadata=stated.get(name))
        for name, column in zip(names, columns, strict=True)
    ]
    schema = pa.schema(fields, metadata=dict(signatures) or None)
    table, data = pa.Table.from_arrays(columns, schema=schema), io.BytesIO()
    if form == "parquet":
        parquet.write_table(table, data)
    else:
        with pa.ipc.new_file(data, table.schema) as writer:
            writer.write_table(table)
    return data.getvalue()
