"""Find the text columns of a file before its rows are read."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from summeval.io.column_names import Columns, not_found
from summeval.io.errors import DataError, RowError
from summeval.io.input import InputFile
from summeval.io.jsonl import parse_object
from summeval.io.rows import Row

if TYPE_CHECKING:
    from summeval.io.arrow.rows import TableInput

_BOM = "\ufeff".encode()


def settle(file: InputFile | TableInput, form: str, columns: Columns) -> Columns:
    """Return the columns with aliases replaced by the names in the file.

    For JSON Lines, the first row with any of the aliases decides, among the first lines (64 KiB).
    Names that are not found are kept; the reader rejects them.

    Raises `DataError` if two columns could hold the same texts, or if one of several given columns
    of references is in none of these rows.
    """
    if not isinstance(file, InputFile):
        return columns.settle(file.place, file.schema.names)
    several = len(columns.references) > 1 and form == "jsonl"
    if not columns.unnamed and not several:
        return columns
    head = file.head().removeprefix(_BOM)
    if form != "jsonl":
        from summeval.io.csv_table import numbered
        from summeval.io.formats import DELIMITERS

        header = _header(head.decode(errors="replace"), DELIMITERS[form])
        if "references" not in header and any(
            name != "reference" for name in numbered("references", header)
        ):
            named = tuple(what for what in columns.unnamed if what != "references")
            columns = replace(columns, unnamed=named)
        return columns.settle(f"{file.name}:1", header)
    lacking = dict.fromkeys(columns.references if several else ())
    seen: dict[str, None] = {}
    for number, row in _objects(head):
        columns = columns.settle(f"{file.name}:{number}", row)
        lacking = {name: None for name in lacking if name not in row}
        seen |= dict.fromkeys(row)
        read = {*columns.needed, *columns.wants}
        if not lacking and read.isdisjoint(columns.unnamed):
            break
    if lacking and seen:
        raise DataError(
            file.name,
            not_found(next(iter(lacking)), seen, "references") + " in the first rows",
            "correct --references-column, or write null in rows without references",
        )
    return columns


def _header(text: str, delimiter: str) -> list[str]:
    import csv

    from summeval.io.csv_table import allow_long_cells

    allow_long_cells()
    try:
        return next(csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter), [])
    except csv.Error:
        return []  # the row reader reports the reason


def _objects(head: bytes) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(io.BytesIO(head), 1):
        try:
            yield number, parse_object(line.decode(errors="replace"))
        except RowError:
            continue
