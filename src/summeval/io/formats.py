"""The formats of files of rows, each with what reads and writes it, imported when one is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, overload

from summeval.io.column_names import Columns
from summeval.io.errors import DataError
from summeval.io.input import BLOCK_BYTES, InputFile
from summeval.io.rows import Chunk, OnError, Position, RowTaker

if TYPE_CHECKING:
    from summeval.io import csv_table, jsonl
    from summeval.io.arrow.output import SpoolEncoder
    from summeval.io.arrow.rows import TableInput
    from summeval.io.jsonl import LineChunk

Format = Literal["jsonl", "csv", "tsv", "csv;", "csv|", "parquet", "arrow", "plain"]
IN_ROWS: tuple[Format, ...] = ("jsonl", "csv", "tsv")
IN_COLUMNS: tuple[Format, ...] = ("parquet", "arrow")
FORMATS: tuple[Format, ...] = IN_ROWS + IN_COLUMNS  # of one file; "plain" takes several
DELIMITERS: dict[str, str] = {"csv": ",", "tsv": "\t", "csv;": ";", "csv|": "|"}
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


def format_of(path: str) -> Format | None:
    """The format that the ending of a path tells, with or without `.gz`; None for others.

    >>> format_of("scores.jsonl.gz"), format_of("scores.csv"), format_of("scores.txt")
    ('jsonl', 'csv', None)
    """
    name = path.lower().removesuffix(".gz")
    found = next((form for ending, form in _ENDINGS.items() if name.endswith(ending)), None)
    return None if found in IN_COLUMNS and name != path.lower() else found


def open_input(path: str, form: Format | None) -> InputFile | TableInput:
    """Open a file of rows, or one (or a directory) of rows in columns; `-` is standard input.

    A JSON array of rows is read as JSON Lines.

    Raises `DataError` where it cannot be read.
    """
    if form not in IN_COLUMNS:
        file = InputFile(path)
        if form == "jsonl":
            from summeval.io.jsonl import unfold

            try:
                unfold(file)
            except BaseException:
                file.close()
                raise
        return file
    if path == "-":
        raise DataError("standard input", f"{form} cannot be read from a pipe", "pass a file")
    from summeval.io.arrow.rows import TableInput

    return TableInput(path, form)


@overload
def read_chunks(
    file: InputFile,
    form: Format,
    columns: Columns = ...,
    *,
    keep_text: bool = ...,
    on_error: OnError = ...,
    start: Position = ...,
    chunk_bytes: int = ...,
) -> Iterator[Chunk]: ...


@overload
def read_chunks(
    file: InputFile,
    form: Format,
    columns: Columns = ...,
    *,
    keep_text: bool = ...,
    on_error: OnError = ...,
    start: Position = ...,
    chunk_bytes: int = ...,
    as_columns: bool,
) -> Iterator[Chunk] | Iterator[LineChunk]: ...


def read_chunks(
    file: InputFile,
    form: Format,
    columns: Columns = Columns(),  # noqa: B008 - frozen
    *,
    keep_text: bool = False,
    on_error: OnError = "raise",
    start: Position = Position(),  # noqa: B008 - frozen
    chunk_bytes: int = BLOCK_BYTES,
    as_columns: bool = False,
) -> Iterator[Chunk] | Iterator[LineChunk]:
    """The rows of JSON Lines, CSV, TSV or plain files, by chunks of about `chunk_bytes` of text.

    They begin at `start`, and do not depend on `chunk_bytes`. `keep_text` leaves the texts among
    the columns that are carried through; `on_error="skip"` turns a bad row into one without texts,
    with its error. With `as_columns` the texts of JSON Lines and plain files stay columns, which
    kernels read without Python strings.

    Raises
    ------
    DataError
        The file cannot be read or, under `on_error="raise"`, a row cannot be used.
    """
    taker = RowTaker(file.name, columns, keep_text, on_error)
    if form == "jsonl":
        from summeval.io import jsonl

        read = jsonl.read_lines if as_columns else jsonl.read
        return read(file, taker, start, chunk_bytes)
    if form == "plain":
        from summeval.io import plain

        assert isinstance(file, plain.PlainInput)
        lines = plain.read(file, taker, start, chunk_bytes)
        return lines if as_columns else (chunk.listed() for chunk in lines)
    from summeval.io import csv_table

    return csv_table.read(file, taker, start, chunk_bytes, DELIMITERS[form])


def encoder(
    form: Format, columns: Sequence[str], *, errors: bool = False, safe: bool = False
) -> jsonl.Encoder | csv_table.Encoder | SpoolEncoder:
    """What writes chunks and their scores (`columns` are the score columns) in a format.

    `errors` says whether a CSV or TSV file has a column for the errors of rows, `safe` whether its
    texts are kept from being formulas.
    """
    if form in IN_COLUMNS:
        from summeval.io.arrow.output import SpoolEncoder

        return SpoolEncoder()
    if form == "jsonl":
        from summeval.io import jsonl

        return jsonl.Encoder(columns)
    from summeval.io import csv_table

    return csv_table.Encoder(columns, errors, DELIMITERS[form], safe)
