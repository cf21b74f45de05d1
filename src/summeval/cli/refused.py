"""Rows that a metric refuses: their errors, and the scores of the others."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import summeval
from summeval.io import ArrowChunk, Chunk, encode_json

_ROW = re.compile(r"row (\d+)")  # how kernels name one


def score_skipping(
    suite: summeval.Suite, chunk: Chunk | ArrowChunk, workers: int
) -> tuple[dict[str, Any], dict[int, str]]:
    """The scores of a chunk by column, NaN for refused rows, and the message of each of these.

    Raises `ValueError` for what is no fault of one row.
    """
    sides = (chunk.candidates, chunk.references, chunk.sources)
    names = [f"{metric.name}.{name}" for metric in suite.metrics for name in metric.fields]
    scores = {name: np.full(len(chunk), np.nan) for name in names}
    errors: dict[int, str] = {}
    waiting = [(0, len(chunk))] if len(chunk) else []
    while waiting:
        begin, end = waiting.pop()
        left, right, sources = (_part(side, begin, end) for side in sides)
        try:
            table = suite.score_batch(left, right, sources=sources, workers=workers)
        except ValueError as error:
            found = _ROW.match(str(error))
            row = begin + int(found[1]) if found else end
            if found is None or not begin <= row < end:
                raise
            if end - begin == 1:
                errors[row] = str(error)[found.end() :]
            else:  # the row by itself, and those on both sides of it
                parts = [(row + 1, end), (row, row + 1), (begin, row)]
                waiting += [part for part in parts if part[0] < part[1]]
            continue
        for name in names:
            scores[name][begin:end] = table[name]
    return scores, dict(sorted(errors.items()))


def _part(side: Any, begin: int, end: int) -> Any:
    if side is None or (begin == 0 and end == len(side)):
        return side
    # `take`, for messages about a `part` of a column count its rows as the whole column does.
    return side.take(np.arange(begin, end)) if hasattr(side, "take") else side[begin:end]


def in_file(row: int, problem: str, chunk: Chunk | ArrowChunk, first: int, id_column: str) -> str:
    """The message about a row, counted from `first`, the row of the file that begins the chunk."""
    identity = chunk.rows[row].get(id_column)
    label = f" (id {encode_json(identity)[:60]})" if identity is not None else ""
    return f"row {first + row}{label}{problem}"


def with_row_of_file(message: str, chunk: Chunk | ArrowChunk, first: int, id_column: str) -> str:
    """A message that names a row of the chunk, so that it names that of the file."""
    found = _ROW.match(message)
    if found is None:
        return message
    return in_file(int(found[1]), message[found.end() :], chunk, first, id_column)
