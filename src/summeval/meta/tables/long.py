"""From rows of single scores or of single judgements to a row for each summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from summeval.io.rows import Row
from summeval.meta.judges.judgements import Judgements
from summeval.meta.tables.cells import find, is_nan, name_of, number_of, text_of

JUDGES = ("judge", "annotator", "rater", "assessor", "evaluator", "worker", "coder")
NAMES = ("metric", "dimension", "criterion", "aspect", "quality", *JUDGES)
VALUES = ("score", "value", "rating", "judgement", "judgment")


class Merged(NamedTuple):
    """A row for each summary, and what judges said of each.

    Attributes
    ----------
    rows : list of dict
    judgements : dict of str to Judgements
        By column.
    notes : list of str
        Columns whose means are taken though they are not judged.
    """

    rows: list[Row]
    judgements: dict[str, Judgements]
    notes: list[str]


def spread(rows: Sequence[Row], names: Sequence[str], value: str, keys: Sequence[str]) -> list[Row]:
    """Give each score of rows that hold one score each a column of its own.

    Rows with the same `keys` become one row. It has the columns that they share, and for each of
    them a column with its number, named by the texts in `names`, joined by dots.

    Parameters
    ----------
    rows : sequence of dict
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
    >>> spread(rows, ["metric"], "score", ["system", "topic"])
    [{'system': 'a', 'topic': 't', 'BLEURT': 0.5, 'coherence': 4}]
    """
    made: dict[tuple[Any, ...], Row] = {}
    first: dict[tuple[Any, ...], int] = {}
    taken = {key for row in rows for key in row} - {*names, value}
    for number, row in enumerate(rows, 1):
        place = f"row {number}"
        key = tuple(name_of(row, column, place) for column in keys)
        name = ".".join(name_of(row, column, place) for column in names)
        if name in taken:
            raise ValueError(f"{place}: {name!r} names a score and is a column too; rename one")
        if first.setdefault((*key, name), number) != number:
            earlier = first[*key, name]
            raise ValueError(f"{place}: {name!r} is given by row {earlier} already; keep one")
        known = made.setdefault(key, {})
        for column, given in row.items():
            if column not in names and column != value:
                known.setdefault(column, given)
        known[name] = find(row, value)[1]
    return list(made.values())


def is_repeated(rows: Iterable[Row], keys: Sequence[str]) -> bool:
    """Whether two rows have the same values in these columns.

    >>> is_repeated([{"system": "a", "topic": 1}, {"system": "a", "topic": "1"}], ["topic"])
    True
    """
    seen = set()
    for row in rows:
        key = tuple(text_of(find(row, column)[1]) for column in keys)
        if key in seen:
            return True
        seen.add(key)
    return False


def merge(
    rows: Sequence[Row],
    columns: Sequence[str],
    *,
    system: str = "system",
    topic: str = "topic",
    judge: str | None,
) -> Merged:
    """Merge rows that hold one judgement each into a row for each system and topic.

    A column of judgements becomes its mean over judges. Another column is kept where it is the same
    in all rows of a summary; numbers that differ become their mean, which a note says.

    Parameters
    ----------
    rows : sequence of dict
    columns : sequence of str
        The columns of judgements; if empty, those of numbers that differ between judges.
    system, topic : str
    judge : str or None
        The column that names the judge; None if they are not known by name.

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
    >>> merge(rows, ["overall"], judge="judge").rows
    [{'system': 'a', 'topic': 't', 'overall': 3.5, 'rouge1.recall': 0.5}]
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for number, row in enumerate(rows, 1):
        place = f"row {number}"
        key = name_of(row, system, place), name_of(row, topic, place)
        groups.setdefault(key, []).append(number)
    judged = list(columns) or _differing(rows, groups.values(), {system, topic, judge or ""})
    given = {
        column: Judgements.from_rows(rows, column, system=system, topic=topic, judge=judge)
        for column in judged
    }
    made: list[Row] = []
    meant: dict[str, None] = {}
    for numbers in groups.values():
        row = {key: value for key, value in rows[numbers[0] - 1].items() if key != judge}
        if len(numbers) > 1:
            row |= _shared([rows[number - 1] for number in numbers], row, numbers, judged, meant)
        made.append(row)
    for column, found in given.items():
        put(made, found, column, system=system, topic=topic)
    notes = [f"{column}: differs between rows of a summary; its mean counts" for column in meant]
    notes += [f"{column}: {note}" for column, found in given.items() for note in found.notes]
    return Merged(made, given, notes)


def _shared(
    rows: Sequence[Row], first: Row, numbers: Sequence[int], judged: Sequence[str], meant: Any
) -> Row:
    """What the rows of a summary say of the columns that the first leaves out or says otherwise."""
    found: Row = {}
    for column in dict.fromkeys(key for row in rows for key in row):
        if column not in first and column in rows[0]:
            continue  # the judge
        values = [row[column] for row in rows if row.get(column) not in (None, "")]
        same = all(value == values[0] for value in values)
        if not values or same or column == "id" or column in judged:
            if values:
                found[column] = values[0]
            continue
        try:
            pairs = zip(values, numbers, strict=False)
            numeric = [number_of(value, column, f"row {number}") for value, number in pairs]
        except ValueError:
            continue  # texts, such as comments: those of the first row stay
        found[column] = sum(numeric) / len(numeric)
        meant[column] = None
    return found


def differing(rows: Sequence[Row], keys: Sequence[str], others: set[str]) -> list[str]:
    """The columns of numbers that differ within a summary, and are not METRIC.FIELD.

    `keys` are the columns of the system and the topic; `others` are left out.

    >>> rows = [{"system": "a", "topic": 1, "x": 1}, {"system": "a", "topic": 1, "x": 2}]
    >>> differing(rows, ["system", "topic"], set())
    ['x']
    """
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, row in enumerate(rows, 1):
        key = tuple(name_of(row, column, f"row {number}") for column in keys)
        groups.setdefault(key, []).append(number)
    return _differing(rows, groups.values(), {*keys, *others})


def _differing(rows: Sequence[Row], groups: Iterable[Sequence[int]], others: set[str]) -> list[str]:
    """The columns of numbers that differ within a summary, and are not METRIC.FIELD."""
    found: dict[str, None] = {}
    texts = set(others)
    for numbers in groups:
        own = [rows[number - 1] for number in numbers]
        for column, value in own[0].items():
            if column in found or column in texts or "." in column or column == "id":
                continue
            if any(row.get(column) != value for row in own[1:]):
                found[column] = None
    return [column for column in found if _holds_numbers(rows, column)]


def _holds_numbers(rows: Sequence[Row], column: str) -> bool:
    try:
        for number, row in enumerate(rows, 1):
            number_of(row.get(column), column, f"row {number}")
    except ValueError:
        return False
    return True


def put(
    rows: Iterable[Row],
    found: Judgements,
    column: str,
    *,
    system: str = "system",
    topic: str = "topic",
) -> None:
    """Write the mean judgement of each row's summary into a column; None without any."""
    systems = {name: place for place, name in enumerate(found.systems)}
    topics = {name: place for place, name in enumerate(found.topics)}
    means = found.means.tolist()
    for number, row in enumerate(rows, 1):
        place = systems.get(name_of(row, system, f"row {number}"))
        other = topics.get(name_of(row, topic, f"row {number}"))
        value = None if place is None or other is None else means[place][other]
        row[column] = None if is_nan(value) else value


def from_columns(
    rows: Sequence[Row],
    judges: Sequence[str],
    column: str,
    *,
    inside: bool,
    system: str = "system",
    topic: str = "topic",
) -> Judgements:
    """Read the judgements of rows that hold a column for each judge.

    Parameters
    ----------
    rows : sequence of mapping
        A row for each summary.
    judges : sequence of str
        The columns of the judges.
    column : str
        The dimension.
    inside : bool
        Whether a judge's column is an object in which the dimension is found.

    Raises
    ------
    ValueError
        As `Judgements.from_rows`.

    Examples
    --------
    >>> rows = [{"system": "a", "topic": "t", "Ann": 4, "Ben": 3}]
    >>> from_columns(rows, ["Ann", "Ben"], "overall", inside=False).means.tolist()
    [[3.5]]
    """
    single = []
    for number, row in enumerate(rows, 1):
        place = f"row {number}"
        key = {"system": name_of(row, system, place), "topic": name_of(row, topic, place)}
        for judge in judges:
            path = f"{judge}.{column}" if inside else judge
            value = number_of(find(row, path)[1], path, place)
            single.append({**key, "judge": judge, "value": value})
    try:
        return Judgements.from_rows(single, "value")
    except ValueError:
        raise ValueError(f"no row has a number in {column!r} of the judges") from None
