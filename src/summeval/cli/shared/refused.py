"""Messages about rows that a metric refuses, with their place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from summeval.io import DataError
from summeval.io.rows import ERROR, Chunk, encode_json

_ROW = re.compile(r"row (\d+)")  # row in kernel messages
_LINE = re.compile(r"line (\d+)(?=: )")  # line in reader messages


def in_file(row: int, problem: str, chunk: Chunk, first: int, id_column: str) -> str:
    """The problem of a row, numbered from `first`, the file row at which the chunk starts."""
    found = _ROW.match(problem)
    told = problem[found.end() :] if found else f": {problem}"
    return f"row {first + row}{_label(row, chunk, id_column)}{told}"


def with_row_of_file(message: str, chunk: Chunk, first: int, id_column: str) -> str:
    """Replace the row number within the chunk by that within the file in a message."""
    found = _ROW.match(message)
    return message if found is None else in_file(int(found[1]), message, chunk, first, id_column)


def told(file: str, chunk: Chunk, id_column: str, row: int) -> str:
    """The message of a refused row as if it ended the run: with file, line or row, and id."""
    message = chunk.errors[row]
    found = _LINE.match(message)
    if found is None:
        return f"{file}: {message}"
    return f"{file}:{found[1]}{_label(row, chunk, id_column)}{message[found.end() :]}"


def check_error_column(
    file: str, names: Iterable[str], row: int | None = None, label: str = ""
) -> None:
    """Raise `DataError` for a column with the name of the error column."""
    if ERROR in names:
        place = "" if row is None else f" in row {row}{label}"
        problem = f"has a column {ERROR!r}{place}, to which --on-error skip writes messages"
        raise DataError(file, problem, "rename it, or use --on-error raise")


def check_error_fields(file: str, chunk: Chunk, first: int, id_column: str) -> None:
    """Raise as `check_error_column` for the first row of a chunk that has such a field."""
    if not chunk.has_any([ERROR]):
        return
    check_error_column(file, chunk.columns)
    for index, row in enumerate(chunk.rows):
        if ERROR in row:
            check_error_column(file, row, first + index, _label(index, chunk, id_column))


def _label(row: int, chunk: Chunk, id_column: str) -> str:
    identity = chunk.rows[row].get(id_column)
    return f" (id {encode_json(identity)[:60]})" if identity is not None else ""
