"""Shared by the commands of `summeval study` and `summeval train`: rows with texts and scores."""

from __future__ import annotations

import math
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, check_folder, put, refusals, say
from summeval.io import DataError, RowError, naming
from summeval.io.csv_table import cell_texts
from summeval.io.formats import DELIMITERS, format_of, read_chunks
from summeval.io.jsonl import unfold
from summeval.io.rows import Chunk, Row, not_found
from summeval.io.source import InputFile, no_rows, shown
from summeval.table.cells import Rows, find
from summeval.table.table import Table, read_rows

if TYPE_CHECKING:
    from summeval import Dicomer
    from summeval.annotate.discourse import DiscourseDocument
    from summeval.learn.model_file import Saved


def add_rows(
    parser: ArgumentParser,
    texts: Sequence[str] = ("candidate", "references", "source"),
    *,
    nargs: str | None = None,
) -> None:
    """Declare the file of rows and its columns; --human is declared by the study."""
    parser.add_argument("input", metavar="ROWS", nargs=nargs)
    flags.add(parser, "system", "topic")
    flags.add_columns(parser, texts)


@dataclass(frozen=True)
class StudyRows:
    """The rows of a study.

    Attributes
    ----------
    name : str
        The file, for messages.
    rows : list of dict
    candidates : list of str or None
    references, sources : list of (list of str or None), or None
        None if no row has a column of them.
    """

    name: str
    rows: list[Row]
    candidates: list[str | None]
    references: list[list[str] | None] | None
    sources: list[list[str] | None] | None

    def names(self, column: str, option: str) -> list[str]:
        """Return the names in a column: a text or a whole number in each row."""
        found = []
        for number, row in enumerate(self.rows, 1):
            place = f"{self.name}: row {number}"
            known, value = find(row, column)
            if not known:
                hint = f"choose the column with --{option}"
                raise DataError(place, not_found(column, row), hint)
            if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
                hint = f"give the {option} of every row as a text"
                raise DataError(place, f"{column!r} is {value!r}", hint)
            found.append(str(value))
        return found

    def numbers(self, column: str, option: str = "human") -> list[float | None]:
        """Return the numbers in a column; None where a row has none."""
        if column not in Rows(self.rows):
            hint = f"choose the column with --{option}"
            raise DataError(self.name, not_found(column, self.rows[0]), hint)
        place = f"{self.name}: row"
        return [
            number_of(row, column, f"{place} {number}", "leave it out", may_be_nan=True)
            for number, row in enumerate(self.rows, 1)
        ]


def read_study(
    arguments: Namespace, needs: tuple[str, ...] = (), wants: tuple[str, ...] = ()
) -> StudyRows:
    """Read the rows and their texts.

    Parameters
    ----------
    arguments : Namespace
        With those of `add_rows`.
    needs, wants : tuple of str
        Of "references" and "source", those whose column must be there, and those that may be.

    Raises
    ------
    DataError
        The file cannot be read, has no rows or lacks a column, or a text is no text.
    """
    rows = read_rows(arguments.input).rows
    return texts_of(arguments, shown(arguments.input), rows, needs, wants)


def has_texts(arguments: Namespace, name: str, rows: list[Row]) -> bool:
    """Return whether the rows have a column of candidates, under the name given or a common one."""
    columns = flags.columns_of(arguments, ()).resolve(name, Table(rows).columns)
    return "candidate" not in columns.unnamed


def texts_of(
    arguments: Namespace, name: str, rows: list[Row], needs: tuple[str, ...], wants: tuple[str, ...]
) -> StudyRows:
    """Return the texts of rows that were read; see `read_study`."""
    present = Table(rows).columns
    if len(present) == 1 and format_of(name) is None and "candidate" not in present:
        hint = "make rows of such files: summeval score --hyp FILE --ref FILE -m rouge1 -o ROWS"
        raise DataError(name, "holds lines of text, no rows", hint)
    columns = flags.columns_of(arguments, needs, wants).resolve(name, present)
    if columns.notice:
        say(f"{name}: {columns.notice}")
    for what in columns.needed:
        columns.check(name, present, what)
    if getattr(arguments, "references_column", None):
        columns.check(name, present, "references")
    in_cells = format_of(name) in DELIMITERS

    sides: list[list[list[str] | None] | None] = []
    for what, given in (("references", columns.references), ("source", (columns.source,))):
        known = [column for column in given if column in present] * (what in (*needs, *wants))
        places = enumerate(rows, 1)
        found = [_texts(row, known, f"{name}: row {n}", in_cells) for n, row in places if known]
        sides.append(found if known else None)
    return StudyRows(name, rows, Table(rows, origin=name).text(columns.candidate), *sides)


def _texts(row: Row, columns: Sequence[str], place: str, in_cells: bool) -> list[str] | None:
    """Return the texts in these columns, each a text or a list of texts; None if there is none.

    The cells of CSV hold a list as JSON.
    """
    found: list[str] = []
    for column in columns:
        value: Any = row.get(column)
        if in_cells and isinstance(value, str):
            try:
                value = cell_texts(column, value)
            except RowError as error:
                raise DataError.of(place, error) from None
        texts = [value] if isinstance(value, str) else [] if value is None else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise DataError(place, f"{column!r} holds no texts", "give a text or a list of texts")
        found += texts
    return found or None


# Training


@dataclass
class Data:
    """The rows that have scores."""

    candidates: list[str | None] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    sources: list[list[str]] = field(default_factory=list)
    parses: list[DiscourseDocument | None] = field(default_factory=list)
    topics: list[Any] = field(default_factory=list)
    systems: list[Any] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    groups: list[Any] = field(default_factory=list)
    readability: list[float] = field(default_factory=list)
    left_out: int = 0

    def add(self, **row: Any) -> None:
        """Add a row: of each list that it has, an item."""
        for name, value in row.items():
            getattr(self, name).append(value)

    def where(self, kept: Sequence[int]) -> Data:
        """Some of the rows."""
        chosen: dict[str, Any] = {
            name: [given[row] for row in kept if given]
            for name, given in vars(self).items()
            if isinstance(given, list)
        }
        return replace(self, **chosen)


def check_output(path: str) -> None:
    """Raise early if the model cannot be written there."""
    if path == "-":
        raise UsageError("a model cannot be written to standard output; pass a file with -o")
    if not path or os.path.isdir(path):
        raise DataError(path or "''", "is not a file", "pass a file with -o")
    check_folder(path)


@contextmanager
def train(arguments: Namespace, path: str) -> Iterator[Callable[[Saved, Sequence[str]], None]]:
    """Yield what takes a metric that was fitted to rows of `path`, and the lines on it.

    What the metric refuses is told of the rows; then its model is written, and the lines printed.
    """
    found: list[tuple[Saved, Sequence[str]]] = []
    with refusals(shown(path)):
        yield lambda metric, lines: found.append((metric, lines))
    (metric, lines), *_ = found
    with naming(arguments.output):
        metric.save(arguments.output, note=arguments.note)
    put(lines)


def add_data(parser: ArgumentParser) -> None:
    """Declare the arguments that all have: DATA and what is written."""
    parser.add_argument("input", metavar="DATA")
    flags.add(parser, "output", required=True, default=None, metavar="MODEL")


def read_data(
    arguments: Namespace,
    needs: Sequence[str] = (),
    *,
    readability: str | None = None,
    group: str | None = None,
    parses: bool = False,
) -> Data:
    """Return the rows that have the texts of `needs`, a score, and what the named columns hold.

    Parameters
    ----------
    needs : sequence of str
        "references", "source", both or neither.
    readability, group : str, optional
        Columns.
    parses : bool
        Whether a row may hold the parse of its candidate.

    Raises
    ------
    DataError
        A row without a topic, a score that is no number, or no rows.
    """
    asked = flags.columns_of(arguments, tuple(needs))
    data, seen, first = Data(), 0, dict[str, Any]()
    columns = {"score": arguments.score}
    columns |= {} if readability is None else {"readability": readability}
    known, numbered = set[str](), set[str]()

    def take(chunk: Chunk, number: int, place: str) -> None:
        row = chunk.rows[number]
        texts: dict[str, Any] = {"candidates": chunk.candidates[number]}
        if "references" in needs:
            texts["references"] = chunk.references[number] or None
        if "source" in needs:
            source = chunk.sources[number]
            texts["sources"] = [source] if isinstance(source, str) else list(source or ()) or None
        numbers = {name: number_of(row, column, place) for name, column in columns.items()}
        known.update(name for name, column in columns.items() if find(row, column)[0])
        numbered.update(name for name, found in numbers.items() if found is not None)
        if None in (*texts.values(), *numbers.values()):
            data.left_out += 1
            return
        named = {"topic": arguments.topic, "system": arguments.system, "group": group}
        labels = {
            f"{option}s": _label(row, column, option, place)
            for option, column in named.items()
            if column is not None
        }
        numbers["scores"] = numbers.pop("score")
        parse = parse_of(row, place) if parses else None
        data.add(**texts, **numbers, **labels, parses=parse)

    with InputFile(arguments.input) as file:
        if file.same_file(arguments.output):
            raise UsageError("MODEL is the same file as DATA; pass another one with -o")
        form = flags.input_format(arguments)
        if form == "jsonl":
            unfold(file)
        for chunk in read_chunks(file, form, flags.columns_for(file, form, asked)):
            for number in range(len(chunk)):
                seen += 1
                first = first or chunk.rows[number]
                take(chunk, number, f"{file.name}: row {seen}")
        if not seen:
            raise no_rows(arguments.input)
        for option, column in columns.items():
            if option not in numbered:
                why = "" if option in known else f": {not_found(column, first)}"
                what = "scores" if option == "score" else option
                hint = f"choose the column of {what} with --{option}{why}"
                raise DataError(file.name, f"no row has a number in {column!r}", hint)
        if not data.scores:
            problem = f"no row with a score has a candidate{''.join(f' and {n}' for n in needs)}"
            raise DataError(file.name, problem, "give what the metrics compare with")
    return data


def _label(row: dict[str, Any], column: str, option: str, place: str) -> str | int:
    label = find(row, column)[1]
    if not isinstance(label, (str, int)):
        hint = f"choose its column with --{option}"
        raise DataError(place, f"no {option} in {column!r}", hint)
    return label


def parse_of(row: dict[str, Any], place: str) -> DiscourseDocument | None:
    """Return the parse in the column `document`; None without one."""
    from summeval.annotate.discourse import DiscourseDocument

    given = row.get("document")
    if not isinstance(given, dict):
        return None
    hint = "correct it, or remove it"
    if "sentences" not in given:
        raise DataError(place, "document: no 'sentences'", hint)
    try:
        return DiscourseDocument(given["sentences"], given.get("relations", ()))
    except (TypeError, ValueError) as error:
        raise DataError(place, f"document: {error}", hint) from None


def left_out(count: int, missing: str) -> list[str]:
    """Return a note on rows that were left out, if any was."""
    were = "row was" if count == 1 else "rows were"
    return [f"{count} {were} left out: no {missing}"] * bool(count)


def number_of(
    row: dict[str, Any],
    column: str,
    place: str,
    purpose: str = "skip the row",
    may_be_nan: bool = False,
) -> float | None:
    """Return the number in a column; None without one."""
    value = find(row, column)[1]
    if value is None or value == "":
        return None
    try:
        number = math.inf if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.inf
    if may_be_nan and math.isnan(number):
        return None
    if not math.isfinite(number):
        raise DataError(place, f"{column!r} is {value!r}", f"give a number, or null to {purpose}")
    return number


def documents_of(
    candidates: Sequence[str | None],
    parses: Sequence[DiscourseDocument | None],
    dicomer: Dicomer,
    workers: int,
) -> list[DiscourseDocument]:
    """Return the parses given, and those of the other candidates."""
    pairs = zip(candidates, parses, strict=True)
    texts = [text for text, parse in pairs if parse is None and text is not None]
    parsed = iter(dicomer.parser.parse(texts, workers) if texts else ())
    return [next(parsed) if parse is None else parse for parse in parses]
