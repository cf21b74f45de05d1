"""The one table of the package: rows that are read by column, of any layout."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, product
from math import isfinite
from typing import Any

from summeval._cached import cached_property
from summeval.io import DataError, RowError
from summeval.io.csv_table import check_header, is_number, malformed, records
from summeval.io.directions import read_beside, stored_directions
from summeval.io.formats import IN_COLUMNS, Format, format_of
from summeval.io.jsonl import parse_object, unfold
from summeval.io.rows import Row, not_found
from summeval.io.source import InputFile, no_rows, shown
from summeval.table.cells import Rows, holds_numbers, is_nan, number_of, text_of
from summeval.table.scores import Judgements, Scores, noted


@dataclass(frozen=True)
class Table(Rows):
    """Rows, which are read by column.

    A column is a key of the rows, or a path into objects and lists: `scores.overall`,
    `judges.1.overall`. A row may lack it.

    Attributes
    ----------
    rows : list of dict
    notes : list of str
        One line for each kind of data left out.
    signatures : dict of str to str
        Signatures of metrics, as files of scores hold them or have them beside.
    directions : dict of str to bool
        Whether higher is better in a column of scores, if stated there.
    judgements : dict of str to Judgements
        For columns that are means over judges, the judgements.
    origin : str
        The file, for messages.

    Examples
    --------
    >>> table = Table([{"system": "a", "scores": {"x": 1}}, {"system": 2.0, "y": "0.5"}])
    >>> table.columns, table.paths(), "scores.x" in table
    (['system', 'scores', 'y'], ['system', 'scores.x', 'y'], True)
    >>> table.name("system"), table.number("scores.x").tolist(), table.text("y")
    (['a', '2'], [1.0, nan], [None, '0.5'])
    """

    rows: list[Row]
    notes: list[str] = field(default_factory=list)
    signatures: Mapping[str, str] = field(default_factory=dict)
    directions: Mapping[str, bool] = field(default_factory=dict)
    judgements: Mapping[str, Judgements] = field(default_factory=dict)
    origin: str = ""

    @cached_property
    def columns(self) -> list[str]:
        """The keys of the rows, in order of first appearance."""
        return list(dict.fromkeys(chain.from_iterable(self.rows)))

    def paths(self, lists: bool = False) -> list[str]:
        """The columns, with those in objects as they are asked for; also in `lists` of objects.

        >>> Table([{"judges": [{"x": 1}]}]).paths(lists=True)
        ['judges.0.x']
        """

        def below(start: str, value: Any) -> Iterator[str]:
            if lists and isinstance(value, list) and any(isinstance(one, dict) for one in value):
                value = {str(number): one for number, one in enumerate(value)}
            if not isinstance(value, dict):
                yield start
                return
            for name, inner in value.items():
                yield from below(f"{start}.{name}", inner)

        pairs = chain.from_iterable(row.items() for row in self.rows)
        return list(dict.fromkeys(path for pair in pairs for path in below(*pair)))

    def check(self, option: str, *columns: str) -> None:
        """Raise `DataError` unless a row has each of these columns, which an option names."""
        for column in columns:
            if column not in self:
                hint = f"choose the column with --{option}"
                raise DataError(self.origin, not_found(column, self.paths()), hint)

    def text(self, column: str) -> list[str | None]:
        """Return the texts in a column; None where there is none.

        Raises
        ------
        DataError
            A cell holds something else.
        """
        for number, value in enumerate(found := self.values(column), 1):
            if value is not None and not isinstance(value, str):
                place = f"{self.origin}: row {number}"
                raise DataError(place, f"{column!r} is {str(value)[:40]!r}", "give a text or null")
        return found

    def holds_numbers(self, column: str) -> bool:
        """Return whether the cells of a column are numbers, or texts of numbers as in CSV.

        Cells may be empty, but not all.
        """
        return holds_numbers(self.values(column))

    def pivot(self, columns: Sequence[str], system: str = "system", topic: str = "topic") -> Scores:
        """Return the numbers in these columns as tables [system, topic].

        Raises
        ------
        ValueError
            As `Scores.from_rows`.
        """
        return Scores.from_rows(
            self.rows, columns, system=system, topic=topic, higher_is_better=self.directions
        )


KEYS = ("system", "topic")
JUDGES = ("judge", "annotator", "rater", "assessor", "evaluator", "worker", "coder")
NAMES = ("metric", "dimension", "criterion", "aspect", "quality", *JUDGES)
VALUES = ("score", "value", "rating", "judgement", "judgment")


def spread(table: Table, names: Sequence[str], value: str, keys: Sequence[str]) -> Table:
    """Give each score of rows that hold one score each a column of its own.

    Rows with the same `keys` become one row. It has the columns that they share, and for each of
    them a column with its number, named by the texts in `names`, joined by dots.

    Parameters
    ----------
    table : Table
    names : sequence of str
        Columns that name the score, such as "metric", or "judge" and "dimension".
    value : str
        The column of the number.
    keys : sequence of str
        Columns that tell rows apart: system, topic, judge.

    Raises
    ------
    ValueError
        A row has no name, two rows give the same score, or a score has the name of a column.

    Examples
    --------
    >>> rows = [
    ...     {"system": "a", "topic": "t", "metric": "BLEURT", "score": 0.5},
    ...     {"system": "a", "topic": "t", "metric": "coherence", "score": 4},
    ... ]
    >>> spread(Table(rows), ["metric"], "score", ["system", "topic"]).rows
    [{'system': 'a', 'topic': 't', 'BLEURT': 0.5, 'coherence': 4}]
    """
    made: dict[tuple[str, ...], Row] = {}
    first: dict[tuple[str, ...], int] = {}
    taken = {*table.columns} - {*names, value}
    groups = zip(*map(table.name, keys), strict=True)
    titles = map(".".join, zip(*map(table.name, names), strict=True))
    cells = zip(table.rows, groups, titles, table.values(value), strict=True)
    for number, (row, key, name, cell) in enumerate(cells, 1):
        place = f"row {number}: {name!r}"
        if name in taken:
            raise ValueError(f"{place} names a score and is a column too; rename one")
        if (earlier := first.setdefault((*key, name), number)) != number:
            raise ValueError(f"{place} is given by row {earlier} already; keep one")
        known = made.setdefault(key, {})
        for column, given in row.items():
            if column not in names and column != value:
                known.setdefault(column, given)
        known[name] = cell
    return replace(table, rows=list(made.values()))


def is_repeated(table: Table, keys: Sequence[str]) -> bool:
    """Return whether two rows have the same values in these columns.

    >>> rows = [{"system": "a", "topic": 1}, {"system": "a", "topic": "1"}]
    >>> is_repeated(Table(rows), ["topic"])
    True
    """
    columns = [map(text_of, table.values(column)) for column in keys]
    return len(set(zip(*columns, strict=True))) < len(table)


def merge(
    table: Table, columns: Sequence[str], judge: str | None, keys: Sequence[str] = KEYS
) -> Table:
    """Merge rows that hold one judgement each into a row for each system and topic.

    A column of judgements becomes its mean over judges; the table returned has the judgements.
    Another column is kept where it is the same in all rows of a summary; numbers that differ become
    their mean, which a note says.

    Parameters
    ----------
    table : Table
    columns : sequence of str
        The columns of judgements; if empty, those of numbers that differ between judges.
    judge : str or None
        The column that names the judge; None if they are not known by name.
    keys : (str, str)
        The columns of the system and the topic.

    Raises
    ------
    ValueError
        As `Judgements.from_rows`.

    Examples
    --------
    >>> rows = [
    ...     {"system": "a", "topic": "t", "judge": "Ann", "overall": 4, "rouge1.recall": 0.5},
    ...     {"system": "a", "topic": "t", "judge": "Ben", "overall": 3, "rouge1.recall": 0.5},
    ... ]
    >>> merge(Table(rows), ["overall"], "judge").rows
    [{'system': 'a', 'topic': 't', 'overall': 3.5, 'rouge1.recall': 0.5}]
    """
    judged = list(columns) or differing(table, keys, {judge or ""})
    names: Any = {"system": keys[0], "topic": keys[1], "judge": judge}
    given = {column: Judgements.from_rows(table.rows, column, **names) for column in judged}
    made: list[Row] = []
    meant: dict[str, None] = {}
    for places in _groups(table, keys):
        row = {key: value for key, value in table.rows[places[0]].items() if key != judge}
        if len(places) > 1:
            row |= _shared(table, places, row, judged, meant)
        made.append(row)
    notes = [f"{column}: differs between rows of a summary; its mean counts" for column in meant]
    notes += [f"{column}: {note}" for column, found in given.items() for note in found.notes]
    merged = replace(table, rows=made, notes=[*table.notes, *notes], judgements=given)
    for column in given:
        put(merged, column, keys)
    return merged


def _groups(table: Table, keys: Sequence[str]) -> list[list[int]]:
    """Return the places of the rows of each summary."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, key in enumerate(zip(*map(table.name, keys), strict=True)):
        groups.setdefault(key, []).append(place)
    return list(groups.values())


def _shared(
    table: Table, places: Sequence[int], first: Row, judged: Sequence[str], meant: dict[str, None]
) -> Row:
    """Return what a summary's rows say of columns that the first leaves out or contradicts."""
    found: Row = {}
    rows = [table.rows[place] for place in places]
    for column in dict.fromkeys(chain.from_iterable(rows)):
        values = [row[column] for row in rows if row.get(column) not in (None, "")]
        if not values or (column not in first and column in rows[0]):
            continue  # the judge
        same = all(value == values[0] for value in values)
        if same or column == "id" or column in judged:
            found[column] = values[0]
            continue
        with suppress(ValueError):  # of texts, such as comments, those of the first row stay
            numeric = [number_of(value, column, "") for value in values]
            found[column] = sum(numeric) / len(numeric)
            meant[column] = None
    return found


def differing(table: Table, keys: Sequence[str], others: set[str]) -> list[str]:
    """Return the columns of numbers that differ within a summary, and are not METRIC.FIELD.

    `keys` are the columns of the system and the topic; `others` are left out.

    >>> rows = [{"system": "a", "topic": 1, "x": 1}, {"system": "a", "topic": 1, "x": 2}]
    >>> differing(Table(rows), ["system", "topic"], set())
    ['x']
    """
    taken, found = {*keys, *others, "id"}, []
    for column in dict.fromkeys(
        column
        for first, *rest in _groups(table, keys)
        for column, value in table.rows[first].items()
        if any(table.rows[place].get(column) != value for place in rest)
    ):
        with suppress(ValueError):
            if column not in taken and "." not in column:
                table.number(column)
                found.append(column)
    return found


def put(table: Table, column: str, keys: Sequence[str] = KEYS) -> None:
    """Write the mean judgement of each row's summary into a column; None without any."""
    found = table.judgements[column]
    cells = product(found.systems, found.topics)
    means = dict(zip(cells, found.means.ravel().tolist(), strict=True))
    for row, *cell in zip(table.rows, *map(table.name, keys), strict=True):
        value = means.get((cell[0], cell[1]))
        row[column] = None if is_nan(value) else value


def from_columns(
    table: Table, judges: Sequence[str], column: str, inside: bool, keys: Sequence[str] = KEYS
) -> Judgements:
    """Return the judgements of rows that hold a column for each judge.

    Parameters
    ----------
    table : Table
        A row for each summary.
    judges : sequence of str
        The columns of the judges.
    column : str
        The dimension.
    inside : bool
        Whether a judge's column is an object in which the dimension is found.
    keys : (str, str)
        The columns of the system and the topic.

    Raises
    ------
    ValueError
        As `Judgements.from_rows`.

    Examples
    --------
    >>> rows = [{"system": "a", "topic": "t", "Ann": 4, "Ben": 3}]
    >>> from_columns(Table(rows), ["Ann", "Ben"], "overall", inside=False).means.tolist()
    [[3.5]]
    """
    given = [table.number(f"{judge}.{column}" if inside else judge).tolist() for judge in judges]
    names = zip(*map(table.name, keys), *given, strict=True)
    single = [
        {"system": name, "topic": title, "judge": judge, "value": value}
        for name, title, *values in names
        for judge, value in zip(judges, values, strict=True)
    ]
    try:
        return Judgements.from_rows(single, "value")
    except ValueError:
        raise ValueError(f"no row has a number in {column!r} of the judges") from None


# Topic and set; task type, length, selector of the documents, author of the summary.
SUMMARY_NAME = re.compile(r"(?P<topic>.+)\.[A-Z]\.\d+\.[A-Z]\.(?P<system>[^.]+)")
MISSING = ("", "-", "na", "n/a", "nan")  # as numbers, in tables of plain text
_MAGIC = (b"PAR1", b"ARROW1")
_SPLIT = {"\t": "tabs", ",": "commas", None: "blanks"}


def read_rows(path: str, keep: Callable[[Row], Row] = lambda row: row) -> Table:
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
    for place, text in lines:
        blank.append((place, text))
        if text and not text.isspace():
            break
    else:
        raise no_rows(path)
    if text.lstrip().startswith("["):
        raise DataError(place, "the line holds a list", "write one JSON object on each line")
    if text.lstrip().startswith("{"):
        given = (line for line in chain(blank, lines) if line[1] and not line[1].isspace())
        rows = [keep(object_of(*line)) for line in given]
    else:
        marks = [mark for mark in ";\t|" if mark in text and "," not in text]
        delimiter = "\t" if form == "tsv" else marks[0] if marks else ","
        texts = [text for _, text in chain(blank, lines)]
        rows = [keep(row) for row in _csv_rows(shown(path), texts, delimiter)]
    stored, notes = read_beside(path)
    return Table(rows, notes, stored.signatures, stored.directions, origin=shown(path))


def read_score_table(path: str, names: Sequence[str] = ()) -> Table:
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
    lines = [(place, text) for place, text in numbered_lines(path) if not text.startswith("#")]
    if not lines:
        raise no_rows(path)
    mark = next((mark for mark in ("\t", ",") if mark in lines[0][1]), None)
    cells = [(place, _cut(place, text, mark)) for place, text in lines]
    first = cells[0][1]
    keys = 1 if any(SUMMARY_NAME.fullmatch(row[0]) for _, row in cells[:2]) else 2
    header: list[str] = []
    turned = False
    if len(first) > keys and not any(is_number(x) or x.casefold() in MISSING for x in first[keys:]):
        turned = [cell.casefold() for cell in first[:keys]] == ["system", "topic"]
        header, cells = first[keys:], cells[1:]
    header = list(names) or header or [f"score_{n}" for n in range(1, len(first) - keys + 1)]
    if not header:
        raise DataError(cells[0][0], "no scores", "write them after topic and system")
    if not cells:
        raise no_rows(path)
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
        if keys == 1:
            if not (name := SUMMARY_NAME.fullmatch(row[0])):
                what = f"{row[0]!r} is not named TOPIC.M.100.X.N"
                raise DataError(place, what, "rename the summary")
            key = [name["topic"], name["system"]]
        found: Row = {"topic": key[0], "system": key[1]}
        for column, cell in zip(header, row[keys:], strict=True):
            found[column] = number = plain_number(cell)
            if number is None and cell.casefold() not in MISSING:
                raise DataError(place, f"{column} is {cell!r}", "write a number, or NA for none")
        rows.append(found)
    return Table(rows, origin=shown(path))


def plain_number(cell: str) -> float | None:
    """Return the number that a cell of a table of plain text holds; None if it holds none."""
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if isfinite(number) and "_" not in cell else None


def _cut(place: str, text: str, mark: str | None) -> list[str]:
    """Return the cells of a line, split at the separator, with CSV quoting."""
    if mark is None:
        return text.split()
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=mark, strict=True))]
    except csv.Error as error:
        problem = malformed(error, "correct the quotes in the line")
        raise DataError.of(place, problem) from None


def numbered_lines(path: str, blank: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the lines of a file, each with its place; blank lines only if asked for."""
    with InputFile(path) as file:
        unfold(file)
        number = 0
        for block in file.blocks():
            if number == 0 and block.startswith(_MAGIC):
                hint = "end its name in .parquet or .arrow"
                raise DataError(file.name, "is in Parquet or Arrow", hint)
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


def _columns(path: str, form: Format, keep: Callable[[Row], Row]) -> Table:
    """The rows of a columnar file; columns that JSON cannot hold are left out with a note."""
    from summeval.io.arrow import PIECE_BYTES, TableInput, json_values

    rows: list[Row] = []
    other: dict[str, None] = {}
    with TableInput(path, form) as file:
        names = file.schema.names
        for batch in file.batches(names, 0, PIECE_BYTES):
            values: dict[str, list[Any]] = {}
            for name in names:
                with suppress(DataError):
                    values[name] = json_values(batch.column(name), name)
            other |= dict.fromkeys(name for name in names if name not in values)
            lists = zip(*values.values(), strict=True)
            rows += [keep(dict(zip(values, row, strict=True))) for row in lists]
        metadata, directions = file.schema.metadata or {}, stored_directions(file.schema)
    if not rows:
        raise DataError(path, "holds no rows", "write a row for each summary")
    signatures = {
        key.decode(errors="replace"): text.decode(errors="replace")
        for key, text in metadata.items()
        if b"|v:" in text
    }
    notes = noted("columns that hold neither text nor numbers", list(other))
    return Table(rows, notes, signatures, directions, origin=shown(path))


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
