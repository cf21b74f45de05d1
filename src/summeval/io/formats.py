"""The formats of files of rows, each with what reads and writes it, imported when one is named."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from summeval.io import DataError, RowError
from summeval.io.remote import is_address
from summeval.io.rows import Chunk, Columns, OnError, Position, RowTaker, not_found
from summeval.io.source import InputFile

if TYPE_CHECKING:
    from summeval.io.arrow import TableInput
    from summeval.io.output import Encoder

_BOM = "\ufeff".encode()

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
    """Return the format that the ending of a path tells, with or without `.gz`; None for others.

    An address that ends in `/` is a folder of Parquet files.

    >>> format_of("scores.jsonl.gz"), format_of("scores.csv"), format_of("scores.txt")
    ('jsonl', 'csv', None)
    """
    if is_address(path):
        path = path.partition("?")[0]
        if path.endswith("/"):
            return "parquet"
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
    from summeval.io.arrow import TableInput

    return TableInput(path, form)


def read_chunks(
    file: InputFile | TableInput,
    form: Format,
    columns: Columns = Columns(),  # noqa: B008 - frozen
    *,
    keep_text: bool = False,
    on_error: OnError = "raise",
    start: Position = Position(),  # noqa: B008 - frozen
    chunk_bytes: int | None = None,
    as_columns: bool = False,
) -> Iterator[Chunk]:
    """Return the rows of a file of any format, by chunks of about `chunk_bytes` of text.

    They begin at `start`, and do not depend on `chunk_bytes`. `keep_text` leaves the texts among
    the columns that are carried through; `on_error="skip"` turns a bad row into one without texts,
    with its error. With `as_columns` the texts may be columns, which kernels read without Python
    strings; else they are lists.

    Raises
    ------
    DataError
        The file cannot be read or, under `on_error="raise"`, a row cannot be used.
    """
    more: Any = {"chunk_bytes": chunk_bytes} if chunk_bytes else {}
    if not isinstance(file, InputFile):
        chunks = file.chunks(columns, file.carried(columns, keep_text), start, **more)
    else:
        taker = RowTaker(file.name, columns, keep_text, on_error)
        if form in DELIMITERS:
            from summeval.io import csv_table

            return csv_table.read(file, taker, start, delimiter=DELIMITERS[form], **more)
        if form == "plain":
            several: Any = file  # a PlainInput
            chunks = several.read(taker, start, **more)
        else:
            from summeval.io import jsonl

            chunks = jsonl.read(file, taker, start, **more)
    return chunks if as_columns else (chunk.listed() for chunk in chunks)


def resolve_columns(file: InputFile | TableInput, form: str, columns: Columns) -> Columns:
    """Return the columns with aliases replaced by the names in the file.

    For JSON Lines, the first row with any of the aliases decides, among the first lines (64 KiB).
    Names that are not found are kept; the reader rejects them.

    Raises `DataError` if two columns could hold the same texts, or if one of several given columns
    of references is in none of these rows.
    """
    if not isinstance(file, InputFile):
        return columns.resolve(file.place, file.schema.names)
    several = columns.references if len(columns.references) > 1 and form == "jsonl" else ()
    if not columns.unnamed and not several:
        return columns
    lines = io.BytesIO(file.head().removeprefix(_BOM))
    if form != "jsonl":
        from summeval.io.csv_table import first_record, numbered

        header = first_record(lines.read().decode(errors="replace"), DELIMITERS[form])
        apart = numbered("references", header)
        if "references" not in header and any(name != "reference" for name in apart):
            named = tuple(what for what in columns.unnamed if what != "references")
            columns = replace(columns, unnamed=named)
        return columns.resolve(f"{file.name}:1", header)
    from summeval.io.jsonl import parse_object

    seen: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        try:
            row = parse_object(line.decode(errors="replace"))
        except RowError:
            continue
        columns = columns.resolve(f"{file.name}:{number}", row)
        seen |= dict.fromkeys(row)
        read = {*columns.needed, *columns.wants}
        if seen.keys() >= {*several} and read.isdisjoint(columns.unnamed):
            break
    for name in several:
        if seen and name not in seen:
            raise DataError(
                file.name,
                not_found(name, seen, "references") + " in the first rows",
                "correct --references-column, or write null in rows without references",
            )
    return columns


def encoder(
    form: Format, columns: Sequence[str], *, errors: bool = False, safe: bool = False
) -> Encoder:
    """Return what writes rows and their scores (`columns` are the score columns) in a format.

    `errors` says whether a CSV or TSV file has a column for the errors of rows, `safe` whether its
    texts are kept from being formulas.
    """
    if form == "jsonl":
        from summeval.io import jsonl

        return jsonl.Encoder(columns)
    from summeval.io import csv_table

    return csv_table.Encoder(columns, errors, DELIMITERS[form], safe)
