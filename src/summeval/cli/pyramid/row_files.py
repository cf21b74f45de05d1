"""Rows of a result as a file: JSON Lines, CSV, Parquet or Arrow by the ending of its name."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.printing import check_folder, write_file
from summeval.io import format_of
from summeval.io.formats import DELIMITERS
from summeval.io.rows import finite
from summeval.report.tables import csv_lines

ENDINGS = ".jsonl, .csv, .tsv, .parquet or .arrow"


def check_rows(path: str) -> str:
    """The format of a file of rows, before it is written.

    Raises `UsageError` for another ending, `DataError` if its folder is not there.
    """
    form = "jsonl" if path == "-" else format_of(path)
    if form is None:
        raise UsageError(f"-o {path}: unknown extension; end it in {ENDINGS}")
    if path != "-":
        check_folder(path)
    if form in ("parquet", "arrow"):
        from summeval.io.arrow.files import check_pyarrow

        check_pyarrow(path)
    return form


def write_rows(path: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of equal keys; NaN becomes null, and lists become JSON in CSV."""
    form, plain = check_rows(path), [dict(row) for row in finite(list(rows))]
    if form == "jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in plain)
        data = text.encode()
    elif form in DELIMITERS:
        cells = [
            {k: json.dumps(v) if isinstance(v, (list, dict)) else v for k, v in row.items()}
            for row in plain
        ]
        data = "".join(f"{line}\n" for line in csv_lines(cells, DELIMITERS[form])).encode()
    else:
        data = _table(plain, form)
    write_file(path, data)


def _table(rows: Sequence[dict[str, Any]], form: str) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    table, data = pa.Table.from_pylist(list(rows)), io.BytesIO()
    if form == "parquet":
        parquet.write_table(table, data)
    else:
        with pa.ipc.new_file(data, table.schema) as writer:
            writer.write_table(table)
    return data.getvalue()
