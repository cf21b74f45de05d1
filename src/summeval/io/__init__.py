"""Rows in and scores out: JSON Lines and CSV, plain or gzip, a chunk at a time.

Memory is bounded by the chunk (`BLOCK_BYTES` of text), whatever the size of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from summeval.io import csv_table, jsonl
from summeval.io.errors import BadRow, DataError, SystemFailure, system_error
from summeval.io.input import BLOCK_BYTES, InputFile
from summeval.io.output import Output, open_output
from summeval.io.rows import Chunk, Columns, OnError, Position, RowTaker, join_first

Format = Literal["jsonl", "csv"]
FORMATS: tuple[Format, ...] = ("jsonl", "csv")
_ENDINGS: dict[str, Format] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv"}


def format_of(path: str) -> Format | None:
    """The format that the ending of a path tells, with or without `.gz`; None for others.

    >>> format_of("scores.jsonl.gz"), format_of("scores.csv"), format_of("scores.txt")
    ('jsonl', 'csv', None)
    """
    name = path.lower().removesuffix(".gz")
    return next((form for ending, form in _ENDINGS.items() if name.endswith(ending)), None)


def read_chunks(
    file: InputFile,
    form: Format,
    columns: Columns = Columns(),  # noqa: B008 - frozen
    *,
    keep_text: bool = False,
    on_error: OnError = "fail",
    start: Position = Position(),  # noqa: B008 - frozen
    chunk_bytes: int = BLOCK_BYTES,
) -> Iterator[Chunk]:
    """The rows of a file, by chunks of about `chunk_bytes` of text, from `start`.

    The rows do not depend on `chunk_bytes`. `keep_text` leaves the texts among the columns that
    are carried through; `on_error="skip"` turns a bad row into one without texts, with its error.

    Raises
    ------
    DataError
        The file cannot be read or, under `on_error="fail"`, a row cannot be used.
    """
    taker = RowTaker(file.name, columns, keep_text, on_error)
    reader = jsonl.read if form == "jsonl" else csv_table.read
    return reader(file, taker, start, chunk_bytes)


def encoder(
    form: Format, columns: Sequence[str], *, errors: bool = False
) -> jsonl.Encoder | csv_table.Encoder:
    """What writes chunks and their scores (`columns` are the score columns) in a format.

    `errors` says whether a CSV file has a column for the errors of rows.
    """
    return jsonl.Encoder(columns) if form == "jsonl" else csv_table.Encoder(columns, errors)


__all__ = [
    "BLOCK_BYTES",
    "FORMATS",
    "BadRow",
    "Chunk",
    "Columns",
    "DataError",
    "Format",
    "InputFile",
    "OnError",
    "Output",
    "Position",
    "SystemFailure",
    "encoder",
    "format_of",
    "join_first",
    "open_output",
    "read_chunks",
    "system_error",
]
