"""What is said of rows that a metric refuses: where they stand in the file."""

from __future__ import annotations

import re

from summeval.io import ArrowChunk, Chunk, encode_json

_ROW = re.compile(r"row (\d+)")  # how kernels name one


def in_file(row: int, problem: str, chunk: Chunk | ArrowChunk, first: int, id_column: str) -> str:
    """The problem of a row, counted from `first`, the row of the file that begins the chunk."""
    identity = chunk.rows[row].get(id_column)
    label = f" (id {encode_json(identity)[:60]})" if identity is not None else ""
    found = _ROW.match(problem)
    told = problem[found.end() :] if found else f": {problem}"
    return f"row {first + row}{label}{told}"


def with_row_of_file(message: str, chunk: Chunk | ArrowChunk, first: int, id_column: str) -> str:
    """A message that names a row of the chunk, so that it names that of the file."""
    found = _ROW.match(message)
    return message if found is None else in_file(int(found[1]), message, chunk, first, id_column)
