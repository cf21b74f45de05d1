"""The rows of a report: their columns, and those that it shows with what explains their scores."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import isclose, isnan
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

import summeval
from summeval._core.columns.columns import texts as text_column
from summeval.cli.shared.errors import refusals
from summeval.cli.shared.judged import sums_in
from summeval.io import DataError
from summeval.io.rows import Row, not_found
from summeval.io.source import shown
from summeval.meta.differences import Sums
from summeval.meta.overview import LENGTH, Survey
from summeval.metrics.registry import is_builtin, metric, split_field
from summeval.metrics.run.notices import ASCII_ONLY, Notices
from summeval.report.html import Told
from summeval.report.tables import percent, short
from summeval.table.cells import Array, find
from summeval.table.table import Table, read_rows

APART, OUTLIERS, WORST = 3, 3, 2  # rows shown of each kind
EXPLAINED = 2  # metrics explained for each row
LONGEST = 6000  # letters of a text that is explained
MOST = 1_500_000  # letters of all explanations; pages of more are slow to open
KEPT = 200  # letters of a text that is kept: names and numbers
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
    sums : dict of str to Sums
        What makes scores of the corpus, of the columns for which it is known.
    """

    systems: list[str] | None
    topics: list[str] | None
    paired: str
    scores: dict[str, Array]
    lengths: Array | None
    sums: dict[str, Sums]

    def places(self) -> tuple[list[str], NDArray[np.int64]]:
        """Return the names of the systems, and the system of each row."""
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
        """Return the small row."""
        self.rows += 1
        kept = {}
        for key, value in row.items():
            if key in self.names or key == LENGTH:
                kept[intern(key)] = value
            elif isinstance(value, str) and (key == self.candidate or len(value) > KEPT):
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
    """Return what these candidates tell against the metrics: words that were cut, another language.

    >>> cautions(["Die Bären schlafen, und wir warten."], ["rouge1.recall"], {})
    ['with default options: the tokenizer rouge155 cuts or drops at least 10% of the words, which \
have letters outside a-z; score with --tokenizer unicode']
    """
    made = []
    for name in dict.fromkeys(split_field(column)[0] for column in columns):
        if is_builtin(name):
            cuts = "|tokenizer:rouge155" in signatures.get(name, "|tokenizer:rouge155")
            usual = metric(name)
            other = not cuts and usual.tokenizer == ASCII_ONLY
            made.append(metric(name, tokenizer="unicode") if other else usual)
    notices = Notices(made, command=True)
    notices.add(text_column(texts, "candidates"), [], {})
    known = any(one.name in signatures for one in made)
    return [line if known else f"with default options: {line}" for line in notices.of_texts()]


def words_in(text: str) -> int:
    """Return the number of words; where a script has no blanks between them, of its characters.

    >>> words_in("two words"), words_in("总理会见了部长。 BBC")
    (2, 8)
    """
    return len(text.split()) if text.isascii() else len(_WORDS.findall(text))


def columns_of(arguments: Namespace, rows: Table, metrics: Sequence[str]) -> Columns:
    """Return the rows as columns.

    Raises
    ------
    DataError
        A column that an option names is missing, a name is missing in a row, or a score is no
        number.
    """
    systems = _names(arguments, rows, "system", arguments.system)
    topics, paired = None, ""
    for column in [arguments.topic] if arguments.topic != "topic" else ["topic", "id"]:
        named = _names(arguments, rows, "topic", column)
        # ids name texts, each summarised by several systems, or rows
        repeats = systems is None or len(set(systems)) == 1 or len(set(named or ())) < len(rows)
        if named is not None and (column == "topic" or repeats):
            topics, paired = named, column
            break
    if topics is None and systems is not None:
        sizes = set(np.unique(systems, return_counts=True)[1].tolist())
        paired = "order" if len(sizes) == 1 else ""
    with refusals(shown(arguments.scores), "correct it, or leave it empty", besides=True):
        scores = {name: _numbers(rows, name) for name in metrics}
        known = any(LENGTH in row for row in rows.rows)
        lengths = _numbers(rows, LENGTH) if known else None
    return Columns(systems, topics, paired, scores, lengths, sums_in(rows, metrics))


def _names(arguments: Namespace, rows: Table, option: str, column: str) -> list[str] | None:
    if column in rows:
        hint = f"name it in each row, or choose another column with --{option}"
        with refusals(shown(arguments.scores), hint, besides=True):
            return rows.name(column)
    if getattr(arguments, option) != option:
        hint = f"choose the column with --{option}"
        raise DataError(shown(arguments.scores), not_found(column, rows.paths()), hint)
    return None


def _numbers(rows: Table, column: str) -> Array:
    numbers = rows.number(column)
    far = np.flatnonzero(np.abs(numbers) > _LARGEST)
    if len(far):
        found = f"{column!r} is {numbers[far[0]]:g}, too large for a picture"
        raise ValueError(f"row {far[0] + 1}: {found}")
    return numbers


def full_rows(path: str, wanted: Sequence[int]) -> dict[int, Row]:
    """Return the whole rows at these places, read again; none from standard input."""
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
    """Return the texts in a column: one, or a list of them.

    >>> texts_of({"references": ["a", None, "b"]}, "references"), texts_of({}, "source")
    (('a', 'b'), ())
    """
    value = find(row, column)[1]
    given = value if isinstance(value, list) else [value]
    return tuple(text for text in given if isinstance(text, str) and text)


def chosen(
    survey: Survey, scores: Mapping[str, Array], main: str, rising: Mapping[str, bool], label: Any
) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the rows to show: place, why, and the metrics that this is about; each row once."""
    reasons: list[tuple[int, str, tuple[str, ...]]] = []
    for odd in survey.apart[:APART]:
        far = f"{percent(odd.degree)} of all rows higher than {label(odd.other)} does"
        why = f"{label(odd.metric)} ranks this row {far}."
        reasons.append((odd.row, why, (odd.metric, odd.other)))
    for odd in survey.outliers[:OUTLIERS]:
        far = f"{short(odd.degree)} times the interquartile range outside the middle half"
        why = f"Its {label(odd.metric)} is {far} of its system."
        reasons.append((odd.row, why, (odd.metric,)))
    values = scores[main] if rising[main] else -scores[main]
    order = [int(row) for row in np.argsort(values, kind="stable") if not isnan(values[row])]
    for row in order[:WORST] if survey.rows > WORST else ():
        reasons.append((row, f"Among the worst of all rows by {label(main)}.", (main,)))
    found: dict[int, tuple[str, tuple[str, ...]]] = {}
    for row, why, about in reasons:
        known, of = found.get(row, ("", ()))
        found[row] = (f"{known} {why}".strip(), tuple(dict.fromkeys((*of, *about))))
    return [(row, why, about) for row, (why, about) in found.items()]


def told(
    picks: Sequence[tuple[int, str, tuple[str, ...]]],
    full: Mapping[int, Row],
    columns: Columns,
    label: Callable[[str], str],
    candidate: str,
) -> tuple[Told, ...]:
    """Return the chosen rows with their texts and explanations."""
    found: list[Told] = []
    metrics: dict[str, Any] = {}
    size = 0
    for row, why, about in picks:
        whole = full.get(row, {})
        values = {name: float(column[row]) for name, column in columns.scores.items()}
        order = [*about, *(name for name in values if name not in about)][:6]
        texts = texts_of(whole, candidate)
        asked = about if size < MOST else ()
        made, note = _explained(whole, asked, values, texts, label, metrics)
        if size >= MOST and about:
            note = "Not explained, as the page is long; summeval explain shows each row."
        size += sum(map(len, made))
        system = columns.systems[row] if columns.systems is not None else ""
        scores, text = {name: values[name] for name in order}, texts[0] if texts else ""
        found.append(Told(row, _name(whole, row), system, why, scores, text, made, note))
    return tuple(found)


def _name(row: Row, place: int) -> str:
    found = (find(row, key)[1] for key in ("id", "topic"))
    names = dict.fromkeys(str(value) for value in found if value not in (None, "", place + 1))
    names.pop(str(place + 1), None)
    return f"Row {place + 1}" + (f" ({', '.join(names)})" if names else "")


def _explained(  # noqa: PLR0917 - all that is known of a row
    row: Row,
    about: Sequence[str],
    values: Mapping[str, float],
    texts: Sequence[str],
    label: Callable[[str], str],
    metrics: dict[str, Any],
) -> tuple[list[str], str]:
    """Return what explains the scores, by default options where these give the same value.

    `metrics` keeps the metric objects, whose parsers and models are loaded once.
    """
    made: list[str] = []
    references = texts_of(row, "references") or texts_of(row, "reference")
    source = texts_of(row, "source")
    if not texts or max(map(len, (*texts, *references, *source))) > LONGEST:
        return made, "" if not texts else "The texts are too long to be explained here."
    others, lacking = [], []
    for column in about[:EXPLAINED]:
        name = column.rpartition(".")[0] or column
        try:
            if name not in metrics:
                metrics[name] = summeval.metric(name)
            metric = metrics[name]
            if column not in (f"{name}.{metric.primary}", name):
                continue
            explanation = metric.explain(texts[0], list(references) or None, source=source or None)
        except ImportError as error:
            lacking.append(f"{label(column)} ({error})")
            continue
        except (ValueError, TypeError):
            continue  # no such metric, or not the texts that it compares with
        if isclose(explanation.value, values[column], abs_tol=1e-4):
            made.append(explanation.to_html(style=False))
        else:
            others.append(label(column))
    notes = [f"Not explained, as options changed the score: {', '.join(others)}."] * bool(others)
    notes += [f"Not explained: {one}." for one in lacking]
    return made, " ".join(notes)
