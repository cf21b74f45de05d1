"""Bringing rows of any layout to a row for each summary."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from summeval.cli.shared.arguments import names_of
from summeval.cli.shared.errors import UsageError, say
from summeval.cli.shared.judges.options import expanded, map_columns, settle_names
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.rows import Row
from summeval.meta.tables import long
from summeval.meta.tables.cells import find, has, keys_of
from summeval.meta.tables.judgements import JudgedRows


def shaped(arguments: argparse.Namespace, name: str, found: JudgedRows) -> JudgedRows:
    """The rows, one for each summary, and the judgements whose means they hold.

    Reads `--judge`, `--long` and `--columns`, and recognises rows of one score or one judgement by
    their columns if systems and topics repeat. Sets the names of the system and the topic, and
    `scored`, the columns that come from rows of one score.

    Raises
    ------
    DataError
        A column is missing, or a value cannot be used.
    """
    map_columns(arguments)
    arguments.scored = []
    rows = found.rows
    settle_names(arguments, name, rows)
    keys = [arguments.system, arguments.topic]
    judges = names_of("--judge", arguments.judge, "column")
    names = names_of("--long", arguments.long, "column")
    if len(names) == 1:
        raise UsageError("--long names one column; pass that of the names and that of the numbers")
    check(name, rows, "long", names)
    several = len(judges) > 1 or any("*" in judge for judge in judges)
    if not several:
        check(name, rows, "judge", judges)
    if not all(has(rows, key) for key in keys):
        return found  # the caller says so
    try:
        known = names or _guessed(arguments, name, rows, keys, judges)
        if known:
            own = judges if not several else []
            own = own or judge_of(rows, known)
            before = set(keys_of(rows))
            rows = long.spread(rows, known[:-1], known[-1], [*keys, *own])
            arguments.scored = [key for key in keys_of(rows) if key not in before]
        if several:
            return _from_columns(arguments, name, found, rows, judges)
        judges = judges or judge_of(rows, ())
        if not arguments.judge and judges and not long.is_repeated(rows, keys):
            judges = []
        if not judges:
            return found._replace(rows=rows)
        own_columns = [h for h in arguments.human if has(rows, h)]
        if arguments.human and not own_columns:
            return found._replace(rows=rows)
        made = long.merge(rows, own_columns, system=keys[0], topic=keys[1], judge=judges[0])
    except (DataError, UsageError):
        raise
    except ValueError as error:
        raise DataError.of(name, error, "correct the row, or remove it") from None
    if not arguments.judge:
        say(f"{name}: a row for each judgement; {judges[0]!r} names the judge")
    notes = [*found.notes, *made.notes]
    return found._replace(rows=made.rows, notes=notes, judgements=made.judgements)


def check(name: str, rows: Sequence[Row], option: str, columns: Iterable[str]) -> None:
    """Raise `DataError` unless a row has each of these columns, which an option names."""
    for column in columns:
        if not has(rows, column):
            mend = f"choose the column with --{option}"
            raise DataError(name, not_found(column, paths(rows)), mend)


def judge_of(rows: Sequence[Row], taken: Sequence[str]) -> list[str]:
    """The column that names the judge, by a common name; none if there are two."""
    present = [key for key in keys_of(rows) if key not in taken]
    found = [key for key in present if key.casefold().removesuffix("_id") in long.JUDGES]
    return found if len(found) == 1 else []


def _guessed(
    arguments: argparse.Namespace,
    name: str,
    rows: Sequence[Row],
    keys: Sequence[str],
    judges: Sequence[str],
) -> list[str]:
    """The columns of names and numbers, if the rows hold one score each; a line reports them.

    So they do if a column that is asked for is missing, and is a value in a column such as
    "metric" beside one such as "score".
    """
    present = keys_of(rows)
    values = [key for key in present if key.casefold() in long.VALUES]
    if len(values) != 1 or not long.is_repeated(rows, keys):
        return []
    asked = [*arguments.human, *getattr(arguments, "metrics", []), *arguments.lower_is_better]
    missing = {one for one in asked if not has(rows, one)}
    if asked and not missing:
        return []
    for column in present:
        if column in judges or column.casefold().removesuffix("_id") not in long.NAMES:
            continue
        said = {str(row.get(column)) for row in rows}
        if missing and not said & missing:
            continue
        if not missing and column.casefold().removesuffix("_id") in long.JUDGES:
            continue  # one judgement in each row
        say(f"{name}: a row for each score; {column!r} names it, {values[0]!r} is the number")
        return [column, values[0]]
    return []


def dimensions_of(name: str, rows: Sequence[Row], humans: Sequence[str]) -> list[str]:
    """The columns of dimensions and their judgements, if rows hold one each; a line reports them.

    So they do if a dimension that is asked for is no column, or is not asked for, and one column
    is called "dimension" or the like and one "score" or the like.
    """
    present = keys_of(rows)
    if any(has(rows, human) for human in humans):
        return []
    judges = (*long.JUDGES, *(f"{one}_id" for one in long.JUDGES))
    names = [k for k in present if k.casefold() in long.NAMES and k.casefold() not in judges]
    values = [key for key in present if key.casefold() in long.VALUES]
    if len(names) != 1 or len(values) != 1:
        return []
    say(f"{name}: a row for each dimension; {names[0]!r} names it, {values[0]!r} is the judgement")
    return [names[0], values[0]]


def _from_columns(
    arguments: argparse.Namespace,
    name: str,
    found: JudgedRows,
    rows: Sequence[Row],
    asked: Sequence[str],
) -> JudgedRows:
    """The rows with the means of the columns that hold a judge each."""
    judges = expanded(name, asked, paths(rows, lists=True))
    if len(judges) < 2:
        raise UsageError("--judge names one column for each judge, and there is one; pass more")
    inside = any(isinstance(find(row, judge)[1], dict) for row in rows for judge in judges)
    if not inside:
        check(name, rows, "judge", judges)
        if len(arguments.human) != 1:
            problem = "--judge names columns of numbers; pass one name for their mean with --human"
            raise UsageError(problem)
    humans = arguments.human or inner_columns(rows, judges)
    judgements = {}
    made = [dict(row) for row in rows]
    for human in humans:
        judgements[human] = long.from_columns(
            rows, judges, human, inside=inside, system=arguments.system, topic=arguments.topic
        )
        long.put(made, judgements[human], human, system=arguments.system, topic=arguments.topic)
    if not inside:
        made = [{key: row[key] for key in row if key not in judges} for row in made]
    return found._replace(rows=made, judgements=judgements)


def inner_columns(rows: Sequence[Row], judges: Sequence[str]) -> list[str]:
    """The names that the objects of judges have inside."""
    given = (find(row, judge)[1] for row in rows for judge in judges)
    return list(dict.fromkeys(key for one in given if isinstance(one, dict) for key in one))


def paths(rows: Iterable[Row], lists: bool = False) -> list[str]:
    """The columns of rows, and those in objects, as they can be asked for; also in `lists` of them.

    >>> rows = [{"system": "1", "scores": {"overall": 3}, "judges": [{"x": 1}]}]
    >>> paths(rows), paths(rows, lists=True)[-1]
    (['system', 'scores.overall', 'judges'], 'judges.0.x')
    """
    found: dict[str, None] = {}

    def add(start: str, value: Any) -> None:
        if lists and isinstance(value, list) and any(isinstance(one, dict) for one in value):
            value = {str(number): one for number, one in enumerate(value)}
        if not isinstance(value, dict):
            found[start] = None
            return
        for name, inner in value.items():
            add(f"{start}.{name}", inner)

    for row in rows:
        for key, value in row.items():
            add(key, value)
    return list(found)
