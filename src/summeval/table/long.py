"""From rows of single scores or of single judgements to a row for each summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from summeval.io.rows import Row
from summeval.table.cells import is_nan, number_of, text_of
from summeval.table.scores import Judgements
from summeval.table.table import Table

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
        if name in taken:
            problem = f"{name!r} names a score and is a column too; rename one"
            raise ValueError(f"row {number}: {problem}")
        if (earlier := first.setdefault((*key, name), number)) != number:
            problem = f"{name!r} is given by row {earlier} already; keep one"
            raise ValueError(f"row {number}: {problem}")
        known = made.setdefault(key, {})
        for column, given in row.items():
            if column not in names and column != value:
                known.setdefault(column, given)
        known[name] = cell
    return replace(table, rows=list(made.values()))


def is_repeated(table: Table, keys: Sequence[str]) -> bool:
    """Whether two rows have the same values in these columns.

    >>> rows = [{"system": "a", "topic": 1}, {"system": "a", "topic": "1"}]
    >>> is_repeated(Table(rows), ["topic"])
    True
    """
    columns = [map(text_of, table.values(column)) for column in keys]
    return len(set(zip(*columns, strict=True))) < len(table)


def merge(
    table: Table,
    columns: Sequence[str],
    *,
    system: str = "system",
    topic: str = "topic",
    judge: str | None,
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
    >>> merge(Table(rows), ["overall"], judge="judge").rows
    [{'system': 'a', 'topic': 't', 'overall': 3.5, 'rouge1.recall': 0.5}]
    """
    groups = _groups(table, [system, topic])
    judged = list(columns) or differing(table, [system, topic], {judge or ""})
    given = {
        column: Judgements.from_rows(table.rows, column, system=system, topic=topic, judge=judge)
        for column in judged
    }
    made: list[Row] = []
    meant: dict[str, None] = {}
    for places in groups:
        row = {key: value for key, value in table.rows[places[0]].items() if key != judge}
        if len(places) > 1:
            row |= _shared(table, places, row, judged, meant)
        made.append(row)
    notes = [f"{column}: differs between rows of a summary; its mean counts" for column in meant]
    notes += [f"{column}: {note}" for column, found in given.items() for note in found.notes]
    merged = replace(table, rows=made, notes=[*table.notes, *notes], judgements=given)
    for column in given:
        put(merged, column, system=system, topic=topic)
    return merged


def _groups(table: Table, keys: Sequence[str]) -> list[list[int]]:
    """The places of the rows of each summary."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, key in enumerate(zip(*map(table.name, keys), strict=True)):
        groups.setdefault(key, []).append(place)
    return list(groups.values())


def _shared(
    table: Table, places: Sequence[int], first: Row, judged: Sequence[str], meant: dict[str, None]
) -> Row:
    """What the rows of a summary say of the columns that the first leaves out or says otherwise."""
    found: Row = {}
    rows = [table.rows[place] for place in places]
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
            numeric = [number_of(value, column, "") for value in values]
        except ValueError:
            continue  # texts, such as comments: those of the first row stay
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
    found: dict[str, None] = {}
    for places in _groups(table, keys):
        first, *rest = (table.rows[place] for place in places)
        for column, value in first.items():
            if column in {*keys, *others, "id"} or "." in column:
                continue
            if any(row.get(column) != value for row in rest):
                found[column] = None
    return [column for column in found if _all_numbers(table, column)]


def _all_numbers(table: Table, column: str) -> bool:
    try:
        table.number(column)
    except ValueError:
        return False
    return True


def put(table: Table, column: str, *, system: str = "system", topic: str = "topic") -> None:
    """Write the mean judgement of each row's summary into a column; None without any."""
    found = table.judgements[column]
    systems = {name: place for place, name in enumerate(found.systems)}
    topics = {name: place for place, name in enumerate(found.topics)}
    means = found.means.tolist()
    for row, name, title in zip(table.rows, table.name(system), table.name(topic), strict=True):
        known = name in systems and title in topics
        value = means[systems[name]][topics[title]] if known else None
        row[column] = None if is_nan(value) else value


def from_columns(
    table: Table,
    judges: Sequence[str],
    column: str,
    *,
    inside: bool,
    system: str = "system",
    topic: str = "topic",
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
    names = zip(table.name(system), table.name(topic), *given, strict=True)
    single = [
        {"system": name, "topic": title, "judge": judge, "value": value}
        for name, title, *values in names
        for judge, value in zip(judges, values, strict=True)
    ]
    try:
        return Judgements.from_rows(single, "value")
    except ValueError:
        raise ValueError(f"no row has a number in {column!r} of the judges") from None
