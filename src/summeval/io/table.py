"""A whole file of rows, in any format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from summeval.io import DataError, RowError
from summeval.io.csv_table import check_header, records
from summeval.io.directions import read_beside, stated
from summeval.io.formats import IN_COLUMNS, Format, format_of
from summeval.io.jsonl import parse_object, unfold
from summeval.io.rows import Row
from summeval.io.source import InputFile, shown

_MAGIC = (b"PAR1", b"ARROW1")


class FileRows(NamedTuple):
    """The rows of a file, and what the file says of them.

    Attributes
    ----------
    rows : list of dict
    notes : list of str
        One line for each kind of data left out.
    signatures : mapping of str to str
        Signatures of metrics, if stored in the file, or in the file beside it (`io.directions`).
    directions : mapping of str to bool
        Whether higher is better in a column of scores, if stored there.
    """

    rows: list[Row]
    notes: list[str]
    signatures: Mapping[str, str] = MappingProxyType({})
    directions: Mapping[str, bool] = MappingProxyType({})


def read_table(path: str, keep: Callable[[Row], Row] = lambda row: row) -> FileRows:
    """Read the rows of a file, or of a directory of Parquet files; `-` is standard input.

    Parquet, Arrow and TSV are recognised by the file extension (see `format_of`), JSON Lines and a
    JSON array by the first character; everything else is read as CSV, separated by semicolons, tabs
    or bars if its header has these and no comma. `keep` gives what is kept of each row, so that
    long texts need not be held.

    Raises
    ------
    DataError
        The file cannot be read, or a line is not a row.
    """
    form = "parquet" if os.path.isdir(path) else format_of(path)
    if form in IN_COLUMNS:
        return _columns(path, form, keep)
    lines = numbered_lines(path, blank=True)
    blank = []
    for first in lines:
        if first[1] and not first[1].isspace():
            break
        blank.append(first)
    else:
        raise no_rows(path)
    place, text = first
    if text.lstrip().startswith("["):
        raise DataError(place, "the line holds a list", "write one JSON object on each line")
    if text.lstrip().startswith("{"):
        given = (line for line in chain([first], lines) if line[1] and not line[1].isspace())
        rows = [keep(object_of(*line)) for line in given]
    else:
        marks = [mark for mark in ";\t|" if mark in text and "," not in text]
        delimiter = "\t" if form == "tsv" else marks[0] if marks else ","
        texts = [text for _, text in chain(blank, [first], lines)]
        rows = [keep(row) for row in _csv_rows(shown(path), texts, delimiter)]
    told, notes = read_beside(path)
    return FileRows(rows, notes, told.signatures, told.directions)


def numbered_lines(path: str, blank: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the lines of a file, each with its place; blank lines only if asked for."""
    with InputFile(path) as file:
        unfold(file)
        number = 0
        for block in file.blocks():
            if number == 0 and block.startswith(_MAGIC):
                mend = "end its name in .parquet or .arrow"
                raise DataError(file.name, "is in Parquet or Arrow", mend)
            try:
                texts = block.decode("utf-8-sig" if number == 0 else "utf-8").split("\n")
            except UnicodeDecodeError as error:
                raise DataError(file.name, f"not UTF-8 ({error.reason})", "convert it") from None
            for text in texts[:-1] if texts[-1] == "" else texts:
                number += 1
                if blank or (text and not text.isspace()):
                    yield f"{file.name}:{number}", text.rstrip("\r")


def object_of(place: str, text: str) -> Row:
    """The JSON object on a line; infinite numbers stay, which who reads them as scores refuses."""
    try:
        return parse_object(text, infinite=True)
    except RowError as error:
        raise DataError.of(place, error) from None


def no_rows(path: str) -> DataError:
    """Return the error of a file without rows."""
    return DataError(shown(path), "holds no rows", "write one row on each line")


def listed(what: str, names: Sequence[str]) -> list[str]:
    """Return a note on these names, the first few of them; none without names."""
    if not names:
        return []
    return [f"{what} ({len(names)}): {', '.join(names[:5])}" + ", …" * (len(names) > 5)]


def _columns(path: str, form: Format, keep: Callable[[Row], Row]) -> FileRows:
    """The rows of a columnar file; columns that JSON cannot hold are left out with a note."""
    from summeval.io.arrow import PIECE_BYTES, TableInput, json_values

    rows: list[Row] = []
    other: dict[str, None] = {}
    with TableInput(path, form) as file:
        names = file.schema.names
        for batch in file.batches(names, 0, PIECE_BYTES):
            values: dict[str, list[Any]] = {}
            for name in names:
                try:
                    values[name] = json_values(batch.column(name), name)
                except DataError:
                    other[name] = None
            lists = zip(*values.values(), strict=True)
            rows += [keep(dict(zip(values, row, strict=True))) for row in lists]
        told, directions = file.schema.metadata or {}, stated(file.schema)
    if not rows:
        raise DataError(path, "holds no rows", "write a row for each summary")
    signatures = {
        key.decode(errors="replace"): text.decode(errors="replace")
        for key, text in told.items()
        if b"|v:" in text
    }
    notes = listed("columns that hold neither text nor numbers", list(other))
    return FileRows(rows, notes, signatures, directions)


def _csv_rows(name: str, lines: Sequence[str], delimiter: str) -> Iterator[Row]:
    header: list[str] = []
    empty = True
    for number, cells in records((line + "\n" for line in lines), delimiter):
        place = f"{name}:{number}"
        if isinstance(cells, RowError):
            raise DataError.of(place, cells)
        if not header:
            check_header(place, cells)
            header = cells
        elif cells and len(cells) != len(header):
            problem = f"{len(cells)} cells, but the header row has {len(header)}"
            raise DataError(place, problem, "write a cell for each column")
        elif cells:
            empty = False
            yield dict(zip(header, cells, strict=True))
    if empty:
        raise no_rows(name)
