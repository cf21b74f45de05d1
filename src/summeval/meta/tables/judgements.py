"""Readers of human judgements in common file layouts.

``read_rows``
    JSON Lines (possibly with null, nested objects or no texts), CSV or TSV with a header row,
    Parquet or Arrow, such as the files that `summeval score` writes.
``read_score_table``
    Manual scores in columns: topic, system, then numbers, separated by tabs, commas or blanks.
``read_annotations``
    The aligned annotations of SummEval: one summary per line, with several annotators.

`read_tac` (in `tac`) reads the folders of TAC and DUC.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from math import isfinite
from types import MappingProxyType
from typing import Any, NamedTuple

from summeval._options import real
from summeval.io import IN_COLUMNS, Format, format_of
from summeval.io.arrow import PIECE_BYTES, TableInput
from summeval.io.arrow_values import json_values
from summeval.io.csv_table import allow_long_cells, check_header, malformed
from summeval.io.directions import read_beside, stated
from summeval.io.errors import DataError, RowError
from summeval.io.jsonl import parse_object, unfold
from summeval.io.rows import Row
from summeval.io.source import InputFile
from summeval.meta.judges.judgements import Judgements
from summeval.metrics.registry import directions_of

# Topic and set; task type, length, selector of the documents, author of the summary.
SUMMARY_NAME = re.compile(r"(?P<topic>.+)\.[A-Z]\.\d+\.[A-Z]\.(?P<system>[^.]+)")
_MAGIC = (b"PAR1", b"ARROW1")
_SPLIT = {"\t": "tabs", ",": "commas", None: "blanks"}


class JudgedRows(NamedTuple):
    """The result of a reader.

    Attributes
    ----------
    rows : list of dict
    notes : list of str
        One line for each kind of data left out.
    signatures : dict of str to str
        Signatures of metrics, if stored in the file, as in Parquet and Arrow files of scores, or in
        the file beside it (`io.directions`).
    directions : dict of str to bool
        Whether higher is better in a column of scores, if stored there; see
        `read_directions`.
    judgements : dict of str to Judgements
        For columns that are means over judges, the judgements.
    """

    rows: list[Row]
    notes: list[str]
    signatures: Mapping[str, str] = MappingProxyType({})
    directions: Mapping[str, bool] = MappingProxyType({})
    judgements: Mapping[str, Judgements] = MappingProxyType({})


def read_rows(path: str, keep: Callable[[Row], Row] = lambda row: row) -> JudgedRows:
    """Read the rows of a file, or of a directory of Parquet files.

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
    lines = _lines(path, blank=True)
    blank = []
    for first in lines:
        if not _is_blank(first[1]):
            break
        blank.append(first)
    else:
        raise _empty(path)
    place, text = first
    if text.lstrip().startswith("{"):
        rest = (line for line in chain([first], lines) if not _is_blank(line[1]))
        return _told(path, [keep(_object(*line)) for line in rest])
    if text.lstrip().startswith("["):
        raise DataError(place, "the line holds a list", "write one JSON object on each line")
    marks = [mark for mark in (*";\t|", ",") if mark in text and "," not in text]
    delimiter = "\t" if form == "tsv" else marks[0] if marks else ","
    texts = [text for _, text in chain(blank, [first], lines)]
    return _told(path, [keep(row) for row in _csv_rows(path, texts, delimiter)])


def _told(path: str, rows: list[Row]) -> JudgedRows:
    """The rows with what the file beside theirs tells of their scores."""
    told, notes = read_beside(path)
    return JudgedRows(rows, notes, told.signatures, told.directions)


def read_directions(path: str) -> dict[str, bool]:
    """Return for each column of scores in a file whether a higher number is better.

    Directions stored in the file take precedence over those of registered column names. Columns
    with neither are left out. Accepts the same files and raises the same errors as `read_rows`.
    """
    form = "parquet" if os.path.isdir(path) else format_of(path)
    if form in IN_COLUMNS:
        with TableInput(path, form) as file:
            return directions_of(file.schema.names, stated(file.schema))
    found = read_rows(path)
    return directions_of(dict.fromkeys(n for row in found.rows for n in row), found.directions)


def _columns(path: str, form: Format, keep: Callable[[Row], Row]) -> JudgedRows:
    """The rows of a columnar file; columns that JSON cannot hold are left out with a note."""
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
    notes = noted("columns that hold neither text nor numbers", list(other))
    return JudgedRows(rows, notes, signatures, directions)


def read_score_table(path: str, names: Sequence[str] = ()) -> JudgedRows:
    """Read rows with "topic", "system" and a number under each further name.

    A line holds the topic, the system and the numbers, or a summary's name (TOPIC.M.100.X.N)
    instead of the first two. If no score cell of the first line is a number, that line is the
    header row, which may also put the system before the topic. Otherwise the numbers are called by
    `names`, or score_1, score_2, …. Lines that start with # are skipped; NA, N/A, NaN, - and empty
    cells are missing numbers.

    Raises
    ------
    DataError
        A line has another number of cells than the first, a cell is not a number, or a name is
        repeated.
    """
    lines = [(place, text) for place, text in _lines(path) if not text.startswith("#")]
    if not lines:
        raise _empty(path)
    mark = next((mark for mark in ("\t", ",") if mark in lines[0][1]), None)
    cells = [(place, _cut(place, text, mark)) for place, text in lines]
    first = cells[0][1]
    keys = 1 if any(SUMMARY_NAME.fullmatch(row[0]) for _, row in cells[:2]) else 2
    header: list[str] = []
    turned = False
    if len(first) > keys and all(map(_is_name, first[keys:])):
        turned = [cell.casefold() for cell in first[:keys]] == ["system", "topic"]
        header, cells = first[keys:], cells[1:]
    header = list(names) or header or [f"score_{n}" for n in range(1, len(first) - keys + 1)]
    if not header:
        raise DataError(cells[0][0], "no scores", "write them after topic and system")
    if not cells:
        raise _empty(path)
    check_header(lines[0][0], [*("topic", "system")[:keys], *header])
    rows = []
    for place, row in cells:
        if len(row) != keys + len(header):
            raise DataError(
                place,
                f"{len(row)} cells separated by {_SPLIT[mark]}, not {keys + len(header)}",
                f"write {'the summary' if keys == 1 else 'topic, system'} and {len(header)} scores",
            )
        key = row[:keys][::-1] if turned else row[:keys]
        rows.append({**_key(place, key), **_scores(place, header, row[keys:])})
    return JudgedRows(rows, [])


def read_annotations(path: str) -> JudgedRows:
    """Read SummEval's annotations as rows: id, topic, system, candidate, references, mean scores.

    A line holds "id", "model_id", "decoded", "references" (or "reference") and
    "expert_annotations" and "turker_annotations", lists with an object of scores for each
    annotator. Expert means are stored under the name of the dimension, crowd means under turker_
    plus the name. (Fabbri et al. 2021, "SummEval: Re-evaluating Summarization Evaluation".)

    Raises
    ------
    DataError
        A line lacks one of these, or annotators judge different dimensions.
    """
    rows = []
    for place, text in _lines(path):
        record = _object(place, text)
        for name in ("id", "model_id", "decoded", "expert_annotations"):
            if name not in record:
                raise DataError(place, f"no {name!r}", "give SummEval's aligned annotations")
        row: Row = {
            "id": f"{record['id']}/{record['model_id']}",
            "topic": record["id"],
            "system": record["model_id"],
            "candidate": record["decoded"],
            "references": _references(place, record),
        }
        for name in ("topic", "system", "candidate"):
            if not isinstance(row[name], str):
                problem = f"{_RAW[name]!r} is {row[name]!r}, not a text"
                raise DataError(place, problem, "give SummEval's aligned annotations")
        means = {
            **_means(place, "", record["expert_annotations"]),
            **_means(place, "turker_", record.get("turker_annotations") or []),
        }
        if taken := [name for name in means if name in row]:
            raise DataError(place, f"the dimension name {taken[0]!r} is reserved", "rename it")
        rows.append(row | means)
    if not rows:
        raise _empty(path)
    return JudgedRows(rows, [])


_RAW = {"topic": "id", "system": "model_id", "candidate": "decoded"}


def _references(place: str, record: Row) -> list[str]:
    found = record.get("references", record.get("reference"))
    texts = [found] if isinstance(found, str) else found or []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise DataError(place, "references are not a list of texts", "give one text for each")
    return texts


def _means(place: str, prefix: str, annotations: Any) -> dict[str, float]:
    if not isinstance(annotations, list) or not all(isinstance(a, dict) for a in annotations):
        raise DataError(place, "annotations are not a list of objects", "give one per annotator")
    if not annotations:
        return {}
    if any(set(one) != set(annotations[0]) for one in annotations):
        raise DataError(place, "annotators judge different dimensions", "give each all dimensions")
    means = {}
    for name in annotations[0]:
        given = [real(one[name]) for one in annotations]
        found = [number for number in given if number is not None and isfinite(number)]
        if len(found) < len(given):
            raise DataError(place, f"{name!r} is not a number for every annotator", "write numbers")
        means[prefix + name] = sum(found) / len(found)
    return means


_NOT_A_NUMBER = object()
_MISSING = ("", "-", "na", "n/a", "nan")


def _is_name(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell.casefold() not in _MISSING
    return False


def _number(cell: str) -> Any:
    if cell.casefold() in _MISSING:
        return None
    try:
        number = float(cell)
    except ValueError:
        return _NOT_A_NUMBER
    return number if isfinite(number) and "_" not in cell else _NOT_A_NUMBER


def _cut(place: str, text: str, mark: str | None) -> list[str]:
    """The cells of a line, split at the separator, with CSV quoting."""
    if mark is None:
        return text.split()
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=mark, strict=True))]
    except csv.Error as error:
        problem = malformed(error, "correct the quotes in the line")
        raise DataError.of(place, problem) from None


def _csv_rows(path: str, lines: Sequence[str], delimiter: str) -> list[Row]:
    allow_long_cells()
    records = csv.reader((line + "\n" for line in lines), strict=True, delimiter=delimiter)
    header: list[str] = []
    rows: list[Row] = []
    while True:
        place = f"{_shown(path)}:{records.line_num + 1}"
        try:
            cells = next(records, None)
        except csv.Error as error:
            problem = malformed(error, "correct the quotes in the row")
            raise DataError.of(place, problem) from None
        if cells is None:
            break
        if not header:
            check_header(place, cells)
            header = cells
        elif cells and len(cells) != len(header):
            raise DataError(
                place,
                f"{len(cells)} cells, but the header row has {len(header)}",
                "write a cell for each column",
            )
        elif cells:
            rows.append(dict(zip(header, cells, strict=True)))
    if not rows:
        raise _empty(path)
    return rows


def _scores(place: str, names: Sequence[str], cells: Sequence[str]) -> Row:
    values = {name: _number(cell) for name, cell in zip(names, cells, strict=True)}
    for (name, value), cell in zip(values.items(), cells, strict=True):
        if value is _NOT_A_NUMBER:
            raise DataError(place, f"{name} is {cell!r}", "write a number, or NA for none")
    return values


def _key(place: str, cells: Sequence[str]) -> Row:
    if len(cells) == 2:
        return {"topic": cells[0], "system": cells[1]}
    name = SUMMARY_NAME.fullmatch(cells[0])
    if not name:
        raise DataError(place, f"{cells[0]!r} is not named TOPIC.M.100.X.N", "rename the summary")
    return {"topic": name["topic"], "system": name["system"]}


def _object(place: str, text: str) -> Row:
    try:
        return parse_object(text, infinite=True)  # which is no score: whoever reads it refuses it
    except RowError as error:
        raise DataError.of(place, error) from None


def _empty(path: str) -> DataError:
    return DataError(_shown(path), "holds no rows", "write one row on each line")


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _lines(path: str, blank: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the lines, each with its place; blank lines only if asked for."""
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
                if blank or not _is_blank(text):
                    yield f"{file.name}:{number}", text.rstrip("\r")


def noted(what: str, names: Sequence[str]) -> list[str]:
    """A note on these names, the first few of them; none without names."""
    if not names:
        return []
    return [f"{what} ({len(names)}): {', '.join(names[:5])}" + ", …" * (len(names) > 5)]


def _shown(path: str) -> str:
    return "standard input" if path == "-" else os.fspath(path)
