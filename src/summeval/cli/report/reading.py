"""What a report needs of its rows, as columns; the texts only of rows that are shown."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summeval._core.columns.columns import texts as text_column
from summeval.cli.shared.judged import shown
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.rows import Row
from summeval.meta.overview import LENGTH
from summeval.metrics.registry import is_builtin, metric, options_of, split_field
from summeval.metrics.run.notices import Notices
from summeval.table.cells import Array as Table
from summeval.table.cells import find, name_of, number_of
from summeval.table.read import read_rows
from summeval.table.table import Table as Rows

LONGEST = 200  # letters of a text that is kept: names and numbers
_SOME = 256  # candidates that are kept, to tell their language
# Scripts without blanks between words: from Thai and Lao to Chinese.
_BARE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = re.compile(rf"[{_BARE}][^\w\s]*|[^\s{_BARE}]+")

_LARGEST = 1e150  # whose square is finite


@dataclass(frozen=True)
class Columns:
    """The rows of a report.

    Attributes
    ----------
    systems : list of str or None
        The system of each row; None if the rows do not name any.
    topics : list of str or None
        What pairs the rows of two systems; None for their order.
    paired : str
        "topic", "id", "order", or "" if rows cannot be paired.
    scores : dict of str to array [row]
        NaN where there is none.
    lengths : array [row] or None
    """

    systems: list[str] | None
    topics: list[str] | None
    paired: str
    scores: dict[str, Table]
    lengths: Table | None

    def places(self) -> tuple[list[str], NDArray[np.int64]]:
        """The names of the systems, and the system of each row."""
        if self.systems is None:
            size = len(next(iter(self.scores.values())))
            return [], np.zeros(size, dtype=np.int64)
        names = {name: place for place, name in enumerate(dict.fromkeys(self.systems))}
        places = [names[name] for name in self.systems]
        return list(names), np.array(places, dtype=np.int64)


class Keeper:
    """Keeps of each row what a report needs; texts become numbers of words.

    >>> keep = Keeper("candidate", ["system"])
    >>> keep({"candidate": "two words", "system": "s", "references": ["x" * 400], "a.b": 1.0})
    {'system': 's', 'a.b': 1.0, 'length': 2}
    """

    def __init__(self, candidate: str, names: Sequence[str], *, count_words: bool = True) -> None:
        self.candidate, self.names, self.count_words = candidate, frozenset(names), count_words
        self.rows = 0
        self.texts: list[str] = []

    def __call__(self, row: Row) -> Row:
        """The small row."""
        self.rows += 1
        kept = {}
        for key, value in row.items():
            if key in self.names or key == LENGTH:
                kept[intern(key)] = value
            elif isinstance(value, str) and (key == self.candidate or len(value) > LONGEST):
                continue
            elif not isinstance(value, list) or not any(isinstance(v, str) for v in value):
                kept[intern(key)] = value
        present, text = find(row, self.candidate)
        if isinstance(text, str) and len(self.texts) < _SOME:
            self.texts.append(text)
        if present and self.count_words and LENGTH not in row:
            kept[LENGTH] = words_in(text) if isinstance(text, str) else text
        return kept


def cautions(
    texts: Sequence[str], columns: Sequence[str], signatures: Mapping[str, str]
) -> list[str]:
    """What these candidates tell against the metrics: words that were cut, another language.

    >>> cautions(["Die Bären schlafen, und wir warten."], ["rouge1.recall"], {})
    ['with default options: the tokenizer rouge155 cuts or drops at least 10% of the words, which \
have letters outside a-z; score with --tokenizer unicode']
    """
    made = []
    for name in dict.fromkeys(split_field(column)[0] for column in columns):
        if is_builtin(name):
            cuts = "|tokenizer:rouge155" in signatures.get(name, "|tokenizer:rouge155")
            other = not cuts and "tokenizer" in options_of(name)
            made.append(metric(name, tokenizer="unicode") if other else metric(name))
    notices = Notices(made, command=True)
    notices.add(text_column(texts, "candidates"), [], {})
    known = any(one.name in signatures for one in made)
    return [line if known else f"with default options: {line}" for line in notices.of_texts()]


def words_in(text: str) -> int:
    """The number of words; where a script has no blanks between them, of its characters.

    >>> words_in("two words"), words_in("总理会见了部长。 BBC")
    (2, 8)
    """
    return len(text.split()) if text.isascii() else len(_WORDS.findall(text))


def columns_of(
    arguments: argparse.Namespace, rows: Sequence[Row], metrics: Sequence[str]
) -> Columns:
    """The rows as columns.

    Raises
    ------
    DataError
        A column that an option names is missing, a name is missing in a row, or a score is no
        number.
    """
    systems = _names(arguments, rows, "system", [arguments.system], arguments.system != "system")
    wanted = [arguments.topic] if arguments.topic != "topic" else ["topic", "id"]
    topics, paired = None, ""
    for column in wanted:
        topics = _names(arguments, rows, "topic", [column], arguments.topic != "topic")
        if topics is not None and (column == "topic" or _repeats(systems, topics)):
            paired = column
            break
        topics = None
    if topics is None and systems is not None:
        sizes = set(np.unique(systems, return_counts=True)[1].tolist())
        paired = "order" if len(sizes) == 1 else ""
    try:
        scores = {name: _numbers(rows, name) for name in metrics}
        known = any(LENGTH in row for row in rows)
        lengths = _numbers(rows, LENGTH) if known else None
    except ValueError as error:
        raise DataError(shown(arguments), str(error), "correct it, or leave it empty") from None
    return Columns(systems, topics, paired, scores, lengths)


def _repeats(systems: Sequence[str] | None, ids: Sequence[str]) -> bool:
    """Whether ids name texts, each summarised by several systems, rather than rows."""
    return systems is None or len(set(systems)) == 1 or len(set(ids)) < len(ids)


def _names(
    arguments: argparse.Namespace,
    rows: Sequence[Row],
    option: str,
    wanted: Sequence[str],
    asked: bool,
) -> list[str] | None:
    for column in wanted:
        if any(find(row, column)[0] for row in rows):
            try:
                return [name_of(row, column, f"row {number}") for number, row in enumerate(rows, 1)]
            except ValueError as error:
                mend = f"name it in each row, or choose another column with --{option}"
                raise DataError(shown(arguments), str(error), mend) from None
        if asked:
            mend = f"choose the column with --{option}"
            raise DataError(shown(arguments), not_found(column, Rows(list(rows)).paths()), mend)
    return None


def _numbers(rows: Sequence[Row], column: str) -> Table:
    given = [
        number_of(find(row, column)[1], column, f"row {number}")
        for number, row in enumerate(rows, 1)
    ]
    numbers = np.array(given, dtype=np.float64)
    far = np.flatnonzero(np.abs(numbers) > _LARGEST)
    if len(far):
        raise ValueError(
            f"row {far[0] + 1}: {column!r} is {given[far[0]]:g}, too large for a picture"
        )
    return numbers


def full_rows(path: str, wanted: Sequence[int]) -> dict[int, Row]:
    """The whole rows at these places, read again; none from standard input."""
    if path == "-" or not wanted:
        return {}
    places, chosen = count(), frozenset(wanted)
    found: dict[int, Row] = {}

    def keep(row: Row) -> Row:
        place = next(places)
        if place in chosen:
            found[place] = row
        return {}

    read_rows(path, keep)
    return found


def texts_of(row: Mapping[str, Any], column: str) -> tuple[str, ...]:
    """The texts in a column: one, or a list of them.

    >>> texts_of({"references": ["a", None, "b"]}, "references"), texts_of({}, "source")
    (('a', 'b'), ())
    """
    value = find(row, column)[1]
    given = value if isinstance(value, list) else [value]
    return tuple(text for text in given if isinstance(text, str) and text)
