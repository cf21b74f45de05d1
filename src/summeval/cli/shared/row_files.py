"""Rows of a result as a file: JSON Lines, CSV, Parquet or Arrow by the ending of its name."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from summeval.cli.shared.arguments import output_form
from summeval.cli.shared.errors import write_file
from summeval.io.directions import score_fields, write_beside
from summeval.io.formats import DELIMITERS, FORMATS, IN_ROWS
from summeval.io.rows import encode_json, finite
from summeval.report.tables import csv_lines

ENDINGS = ".jsonl, .csv, .tsv, .parquet or .arrow"


def check_rows(path: str) -> str:
    """The format of a file of rows, before it is written.

    Raises `UsageError` for another ending, `DataError` if its folder is not there.
    """
    form = output_form(path, None, FORMATS)
    if form in ("parquet", "arrow"):
        from summeval.io.arrow import check_pyarrow

        check_pyarrow(path)
    return form


_NONE: Mapping[str, Any] = MappingProxyType({})


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

    names = list(rows[0]) if rows else []
    columns = [_column([row[name] for row in rows]) for name in names]
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


def _column(values: list[Any]) -> Any:
    """An Arrow column; of texts, with others as JSON, if the values have several types."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, OverflowError):
        return pa.array([v if v is None or isinstance(v, str) else encode_json(v) for v in values])
