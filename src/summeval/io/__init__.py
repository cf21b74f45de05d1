"""Read rows and write scores in chunks: JSON Lines and CSV, plain or gzip; Parquet; Arrow.

Memory is bounded by the chunk size (`BLOCK_BYTES` of text, `PIECE_BYTES` for columnar files), not
by the file size. pyarrow is imported only for columnar files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from summeval.io import csv_table, jsonl
from summeval.io.arrow.carried import RowColumns
from summeval.io.arrow.files import check_pyarrow
from summeval.io.arrow.output import SpoolEncoder, check_writable, table_writer
from summeval.io.arrow.rows import PIECE_BYTES, ArrowChunk, TableInput
from summeval.io.column_names import Columns
from summeval.io.errors import BadRow, DataError, SystemFailure, system_error
from summeval.io.input import BLOCK_BYTES, InputFile
from summeval.io.output import Finish, Output, open_output
from summeval.io.rows import (
    Chunk,
    OnError,
    Position,
    Rows,
    RowTaker,
    encode_json,
    join_first,
)
from summeval.io.settling import settle

Format = Literal["jsonl", "csv", "parquet", "arrow"]
IN_ROWS: tuple[Format, ...] = ("jsonl", "csv")
IN_COLUMNS: tuple[Format, ...] = ("parquet", "arrow")
FORMATS: tuple[Format, ...] = IN_ROWS + IN_COLUMNS
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


def format_of(path: str) -> Format | None:
    """The format of a path by its extension, with or without `.gz`; None if unknown.

    >>> format_of("scores.jsonl.gz"), format_of("scores.csv"), format_of("scores.txt")
    ('jsonl', 'csv', None)
    """
    name = path.lower().removesuffix(".gz")
    found = next((form for ending, form in _ENDINGS.items() if name.endswith(ending)), None)
    return None if found in IN_COLUMNS and name != path.lower() else found


def open_input(path: str, form: Format | None) -> InputFile | TableInput:
    """Open a file of rows, or a columnar file or directory; `-` is standard input.

    Raises `DataError` if it cannot be read.
    """
    if form not in IN_COLUMNS:
        return InputFile(path)
    if path == "-":
        raise DataError("standard input", f"{form} cannot be read from a pipe", "pass a file")
    return TableInput(path, form)


def read_chunks(
    file: InputFile,
    form: Format,
    columns: Columns = Columns(),  # noqa: B008 - frozen
    *,
    keep_text: bool = False,
    on_error: OnError = "raise",
    start: Position = Position(),  # noqa: B008 - frozen
    chunk_bytes: int = BLOCK_BYTES,
) -> Iterator[Chunk]:
    """Yield the rows of a JSON Lines or CSV file from `start`, in chunks of about `chunk_bytes`.

    The rows do not depend on `chunk_bytes`. `keep_text` keeps the texts among the carried columns;
    `on_error="skip"` turns a bad row into one without texts, with its error.

    Raises
    ------
    DataError
        The file cannot be read or, under `on_error="raise"`, a row cannot be used.
    """
    taker = RowTaker(file.name, columns, keep_text, on_error)
    reader = jsonl.read if form == "jsonl" else csv_table.read
    return reader(file, taker, start, chunk_bytes)


def encoder(
    form: Format, columns: Sequence[str], *, errors: bool = False
) -> jsonl.Encoder | csv_table.Encoder | SpoolEncoder:
    """Return the writer of chunks and their scores in a format; `columns` are the score columns.

    `errors` says whether a CSV file gets a column with the errors of rows.
    """
    if form in IN_COLUMNS:
        return SpoolEncoder()
    return jsonl.Encoder(columns) if form == "jsonl" else csv_table.Encoder(columns, errors)


__all__ = [
    "BLOCK_BYTES",
    "FORMATS",
    "IN_COLUMNS",
    "IN_ROWS",
    "PIECE_BYTES",
    "ArrowChunk",
    "BadRow",
    "Chunk",
    "Columns",
    "DataError",
    "Finish",
    "Format",
    "InputFile",
    "OnError",
    "Output",
    "Position",
    "RowColumns",
    "Rows",
    "SystemFailure",
    "TableInput",
    "check_pyarrow",
    "check_writable",
    "encode_json",
    "encoder",
    "format_of",
    "join_first",
    "open_input",
    "open_output",
    "read_chunks",
    "settle",
    "system_error",
    "table_writer",
]
