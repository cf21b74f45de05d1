"""Readers of human judgements, in the layouts in which people have them.

``read_rows``
    JSON Lines (also with null, nested objects and no texts), CSV with a header, Parquet or Arrow,
    such as the files that `summeval score` writes.
``read_score_table``
    Manual scores in columns: topic, system, then numbers; tabs, commas or blanks between them.
``read_tac``
    A directory of summaries named TOPIC.M.100.X.N, as TAC and AESOP give them out.
``read_annotations``
    The aligned annotations of SummEval: one summary a line, with several annotators.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from summeval.io import IN_COLUMNS, Format, format_of
from summeval.io.arrow_rows import PIECE_BYTES, TableInput
from summeval.io.arrow_values import json_values
from summeval.io.errors import DataError, RowError, system_error
from summeval.io.input import InputFile
from summeval.io.jsonl import parse_object
from summeval.io.rows import Row

# Topic and set; kind of task, length, who chose the documents, and who wrote the summary.
_TAC_NAME = re.compile(r"(?P<topic>.+)\.[A-Z]\.\d+\.[A-Z]\.(?P<system>[^.]+)")
_MAGIC = (b"PAR1", b"ARROW1")
_SPLIT = {"\t": "tabs", ",": "commas", None: "blanks"}


class Rows(NamedTuple):
    """What a reader found.

    Attributes
    ----------
    rows : list of dict
    notes : list of str
        What was left out, one line each.
    signatures : dict of str to str
        Of metrics, where the file tells them, as Parquet and Arrow files of scores do.
    """

    rows: list[Row]
    notes: list[str]
    signatures: Mapping[str, str] = MappingProxyType({})


def read_rows(path: str) -> Rows:
    """The rows of a file, or of a directory of Parquet files.

    Parquet and Arrow are known by the ending of the name (as `format_of` tells it), JSON Lines by
    the first character; all else is CSV.

    Raises
    ------
    DataError
        The file cannot be read, or a line of it is no row.
    """
    form = "parquet" if os.path.isdir(path) else format_of(path)
    if form in IN_COLUMNS:
        return _columns(path, form)
    lines = list(_lines(path))
    if not lines:
        raise DataError(_shown(path), "holds no rows", "write one row on each line")
    if lines[0][1].lstrip().startswith("{"):
        return Rows([_object(place, text) for place, text in lines], [])
    records = csv.DictReader((text + "\n" for _, text in lines), strict=True)
    try:
        rows = list(records)
    except csv.Error as error:
        raise DataError(_shown(path), f"malformed CSV ({error})", "mend the quotes") from None
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise DataError(
                f"{_shown(path)}: row {number}",
                f"not the {len(records.fieldnames or ())} cells of the first line",
                "write a cell for each column",
            )
    return Rows(rows, [])


def _columns(path: str, form: Format) -> Rows:
    """The rows of a file in columns; those that JSON cannot hold are no scores: a note tells."""
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
            rows += [dict(zip(values, row, strict=True)) for row in lists]
        told = file.schema.metadata or {}
    if not rows:
        raise DataError(path, "holds no rows", "write a row for each summary")
    signatures = {key.decode(): text.decode() for key, text in told.items() if b"|v:" in text}
    return Rows(rows, _note("columns that hold no text and no number", list(other)), signatures)


def read_score_table(path: str, names: Sequence[str] = ()) -> Rows:
    """Rows with "topic", "system" and a number under each further name.

    A line holds the topic, the system and the numbers, or a summary's name in the place of the
    first two (TOPIC.M.100.X.N). Where a cell of the first line that should be a number is none, the
    line gives the names; `names` gives them otherwise, or score_1, score_2, … are taken. Lines that
    start with # are passed over; NA, -, and empty cells are missing numbers.

    Raises
    ------
    DataError
        For a line with other cells than the first, or one that is no number.
    """
    lines = [(place, text) for place, text in _lines(path) if not text.startswith("#")]
    if not lines:
        raise DataError(_shown(path), "holds no rows", "write one row on each line")
    mark = next((mark for mark in ("\t", ",") if mark in lines[0][1]), None)
    cells = [(place, [cell.strip() for cell in text.split(mark)]) for place, text in lines]
    first = cells[0][1]
    keys = 1 if any(_TAC_NAME.fullmatch(row[0]) for _, row in cells[:2]) else 2
    header: list[str] = []
    if any(_number(cell) is _NOT_A_NUMBER for cell in first[keys:]):
        header, cells = first[keys:], cells[1:]
    header = list(names) or header or [f"score_{n}" for n in range(1, len(first) - keys + 1)]
    rows = []
    for place, row in cells:
        if len(row) != keys + len(header):
            raise DataError(
                place,
                f"{len(row)} cells between {_SPLIT[mark]}, not {keys + len(header)}",
                f"write {'the summary' if keys == 1 else 'topic, system'} and {len(header)} scores",
            )
        rows.append({**_key(place, row[:keys]), **_scores(place, header, row[keys:])})
    return Rows(rows, [])


def read_tac(directory: str, encoding: str = "utf-8") -> Rows:
    """The summaries of a directory as rows: id, topic, system, candidate, references.

    Files are named TOPIC.M.100.X.N, N a number for a system and a letter for a person, whose
    summaries are the references of the topic. With folders `peers` and `models` in it both are
    read. Other files are left out, and a note names them.

    Raises
    ------
    DataError
        The directory cannot be read, holds no such file, or a file is not in the encoding.
    """
    folder = Path(directory)
    parts = [folder / name for name in ("peers", "models") if (folder / name).is_dir()] or [folder]
    try:
        paths = sorted(path for part in parts for path in part.iterdir() if path.is_file())
    except OSError as error:
        raise system_error(directory, error) from None
    texts: dict[tuple[str, str], tuple[str, str]] = {}
    other = []
    for path in paths:
        name = _TAC_NAME.fullmatch(path.name)
        if not name:
            other.append(path.name)
            continue
        key = name["topic"], name["system"]
        if key in texts:
            raise DataError(
                str(path), f"{texts[key][0]} is of the same topic and system", "keep one"
            )
        texts[key] = path.name, _text(path, encoding)
    if not texts:
        raise DataError(directory, "no file is named TOPIC.M.100.X.N", "name the right directory")
    models: dict[str, list[str]] = {}
    for (topic, system), (_, text) in texts.items():
        if not system.isdigit():
            models.setdefault(topic, []).append(text)
    rows = [
        {
            "id": name,
            "topic": topic,
            "system": system,
            "candidate": text,
            "references": models.get(topic, []),
        }
        for (topic, system), (name, text) in texts.items()
        if system.isdigit()
    ]
    notes = _note("files not named TOPIC.M.100.X.N", other)
    bare = sorted({str(row["topic"]) for row in rows if not row["references"]})
    alone = sorted(set(models) - {row["topic"] for row in rows})
    notes += _note("topics without a model", bare) + _note("topics without a peer", alone)
    return Rows(rows, notes)


def read_annotations(path: str) -> Rows:
    """SummEval's annotations as rows: id, topic, system, candidate, references, mean scores.

    A line holds "id", "model_id", "decoded", "references" (or "reference") and
    "expert_annotations" and "turker_annotations", lists with an object of scores for each
    annotator. The means of the experts stand under the names of the dimensions, those of the crowd
    under turker_ and the name. (Fabbri et al. 2021, "SummEval: Re-evaluating Summarization
    Evaluation".)

    Raises
    ------
    DataError
        For a line without one of these, or annotators who judge other dimensions.
    """
    rows = []
    for place, text in _lines(path):
        record = _object(place, text)
        for name in ("id", "model_id", "decoded", "expert_annotations"):
            if name not in record:
                raise DataError(place, f"no {name!r}", "give SummEval's aligned annotations")
        references = record.get("references", record.get("reference"))
        rows.append(
            {
                "id": f"{record['id']}/{record['model_id']}",
                "topic": record["id"],
                "system": record["model_id"],
                "candidate": record["decoded"],
                "references": [references] if isinstance(references, str) else references,
                **_means(place, "", record["expert_annotations"]),
                **_means(place, "turker_", record.get("turker_annotations") or []),
            }
        )
    if not rows:
        raise DataError(_shown(path), "holds no rows", "write one row on each line")
    return Rows(rows, [])


def _means(place: str, prefix: str, annotations: Any) -> dict[str, float]:
    if not isinstance(annotations, list) or not all(isinstance(a, dict) for a in annotations):
        raise DataError(place, "annotations are no list of objects", "give one for each annotator")
    if not annotations:
        return {}
    if any(set(one) != set(annotations[0]) for one in annotations):
        raise DataError(place, "annotators judge different dimensions", "give each all dimensions")
    means = {}
    for name in annotations[0]:
        found = [one[name] for one in annotations]
        if not all(isinstance(value, (int, float)) for value in found):
            raise DataError(place, f"{name!r} is not a number for every annotator", "mend it")
        means[prefix + name] = sum(found) / len(found)
    return means


_NOT_A_NUMBER = object()


def _number(cell: str) -> Any:
    if cell in ("", "-", "NA", "NaN", "nan"):
        return None
    try:
        return float(cell)
    except ValueError:
        return _NOT_A_NUMBER


def _scores(place: str, names: Sequence[str], cells: Sequence[str]) -> Row:
    values = {name: _number(cell) for name, cell in zip(names, cells, strict=True)}
    for (name, value), cell in zip(values.items(), cells, strict=True):
        if value is _NOT_A_NUMBER:
            raise DataError(place, f"{name} is {cell!r}", "write a number, or NA for none")
    return values


def _key(place: str, cells: Sequence[str]) -> Row:
    if len(cells) == 2:
        return {"topic": cells[0], "system": cells[1]}
    name = _TAC_NAME.fullmatch(cells[0])
    if not name:
        raise DataError(place, f"{cells[0]!r} is no TOPIC.M.100.X.N", "name the summary so")
    return {"topic": name["topic"], "system": name["system"]}


def _object(place: str, text: str) -> Row:
    try:
        return parse_object(text)
    except RowError as error:
        raise DataError(place, error.problem, error.mend) from None


def _lines(path: str) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, each with its place."""
    with InputFile(path) as file:
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
                if text and not text.isspace():
                    yield f"{file.name}:{number}", text.rstrip("\r")


def _text(path: Path, encoding: str) -> str:
    try:
        return path.read_text(encoding=encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            str(path), f"not {encoding} ({error.reason})", "name its encoding"
        ) from None
    except OSError as error:
        raise system_error(str(path), error) from None


def _note(what: str, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    return [f"{what} ({len(names)}): {', '.join(names[:5])}" + ", …" * (len(names) > 5)]


def _shown(path: str) -> str:
    return "standard input" if path == "-" else os.fspath(path)
