"""Rows of any layout: columns under other names, a row for each score or each judgement."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, refusals, say
from summeval.io import DataError
from summeval.io.rows import not_found
from summeval.table import table as tables
from summeval.table.scores import Judgements
from summeval.table.table import Table, read_rows

_ALIASES = {
    "system": ("system_id", "system_name", "model", "model_id", "model_name", "summarizer"),
    "topic": ("topic_id", "doc_id", "document_id", "article_id", "input_id", "docid"),
}
_ALIASES["id"] = _ALIASES["topic"]
_KEYS = {  # the names of --columns, and the arguments that they set
    "system": "system",
    "topic": "topic",
    "judge": "judge",
    "task": "task",
    "id": "id_column",
    "candidate": "candidate_column",
    "references": "references_column",
    "source": "source_column",
}
_LISTS = ("judge", "references_column")


def map_columns(arguments: Namespace) -> None:
    """Set the options that `--columns` stands for.

    Raises `UsageError` for a name that the command does not have, or an option given twice.
    """
    for pair in flags.names_of("--columns", arguments.columns, "column"):
        what, equals, column = (part.strip() for part in pair.partition("="))
        known = [name for name, option in _KEYS.items() if hasattr(arguments, option)]
        if not equals or not column or what not in known:
            hint = f"write WHAT=COLUMN with one of {', '.join(known)}"
            raise UsageError(f"--columns has {pair!r}; {hint}")
        option = _KEYS[what]
        given = getattr(arguments, option)
        if option in _LISTS:
            setattr(arguments, option, [*(given or []), column])
            continue
        if given not in (None, what, column):
            flag = f"--{option.replace('_', '-')}"
            raise UsageError(f"{flag} names {given!r} and --columns names {column!r}; pass one")
        setattr(arguments, option, column)
    arguments.columns = []


def resolve_names(
    arguments: Namespace, table: Table, names: Sequence[str] = ("system", "topic")
) -> None:
    """Find the columns of these `names` under a common name; report it.

    Without a column of topics, `id` serves, if rows of different systems share their ids; without
    one of ids, `topic` does.
    """
    for what in names:
        option = _KEYS[what]
        if getattr(arguments, option, None) != what or what in table:
            continue
        found = [one for one in _ALIASES[what] if one in table]
        if not found and what == "topic":
            ids = [str(one) for one in table.values("id") if one is not None]
            found = ["id"] * (len(set(ids)) < len(ids) == len(table))
        if what == "id" and "topic" in table:
            found = ["topic"]
        if len(found) == 1:
            setattr(arguments, option, found[0])
            say(f"{table.origin}: reading the {what}s from {found[0]!r}")


CORRECT = "correct the row, or remove it"


def to_wide(arguments: Namespace, table: Table) -> Table:
    """Return the rows, one for each summary, and the judgements whose means they hold.

    Reads `--judge`, `--long` and `--columns`, and recognises rows of one score or one judgement by
    their columns if systems and topics repeat. Sets the names of the system and the topic, and
    `scored`, the columns that come from rows of one score.

    Raises
    ------
    DataError
        A column is missing, or a value cannot be used.
    """
    judges, names, several = _asked(arguments, table)
    arguments.scored = []
    keys = [arguments.system, arguments.topic]
    if not all(key in table for key in keys):
        return table  # the caller says so
    with refusals(table.origin, CORRECT):
        if known := names or _guessed(arguments, table, keys, judges):
            table, arguments.scored = _spread(table, known, keys, [] if several else judges)
        if several:
            return _with_means(arguments, table, judges)
        judges = judges or _judge_of(table, ())
        if not arguments.judge and judges and not tables.is_repeated(table, keys):
            judges = []
        humans = [human for human in arguments.human if human in table]
        if not judges or (arguments.human and not humans):
            return table
        made = tables.merge(table, humans, judges[0], keys)
    if not arguments.judge:
        say(f"{table.origin}: a row for each judgement; {judges[0]!r} names the judge")
    return made


def read_judgements(arguments: Namespace, labels: bool) -> dict[str, Judgements]:
    """Return the judgements of INPUT, by dimension, from rows of any layout.

    Parameters
    ----------
    arguments : Namespace
        With `input`, `human`, `system`, `topic` and those of `add_shapes`.
    labels : bool
        Whether the judgements may be texts.

    Raises
    ------
    DataError
        A column is missing, or a value cannot be used.
    """
    humans = flags.names_of("--human", arguments.human, "column")
    table = read_rows(arguments.input)
    judges, names, several = _asked(arguments, table)
    keys = [arguments.system, arguments.topic]
    for option, column in zip(("system", "topic"), keys, strict=True):
        table.check(option, column)
    with refusals(table.origin, CORRECT):
        if known := names or _dimensions_of(table, humans):
            table, made = _spread(table, known, keys, [] if several else judges)
            humans = humans or made
        if several:
            return _of_columns(table, judges, humans, keys, "judgement")
        judges = judges or _judge_of(table, ())
        if not judges:
            hint = "to tell them apart, name it with --judge"
            say(f"{table.origin}: no column names the judges; {hint}")
        humans = humans or tables.differing(table, keys, {*judges})
        if not humans:
            problem = "no column of numbers differs between the judges of a summary"
            raise DataError(table.origin, problem, "name the columns of judgements with --human")
        table.check("human", *humans)
        columns = {"system": keys[0], "topic": keys[1], "judge": judges[0] if judges else None}
        return {
            human: Judgements.from_rows(table.rows, human, **columns, labels=labels)
            for human in humans
        }


def _asked(arguments: Namespace, table: Table) -> tuple[list[str], list[str], bool]:
    """The names of --judge and --long, and whether the former are a column for each judge."""
    map_columns(arguments)
    resolve_names(arguments, table)
    judges = flags.names_of("--judge", arguments.judge, "column")
    names = flags.names_of("--long", arguments.long, "column")
    if len(names) == 1:
        raise UsageError("--long names one column; pass that of the names and that of the numbers")
    table.check("long", *names)
    several = len(judges) > 1 or any("*" in judge for judge in judges)
    if not several:
        table.check("judge", *judges)
    return judges, names, several


def _spread(
    table: Table, known: Sequence[str], keys: Sequence[str], judges: Sequence[str]
) -> tuple[Table, list[str]]:
    """Return rows of one number each as rows of many, and the columns that this makes."""
    own = list(judges) or _judge_of(table, known)
    made = tables.spread(table, known[:-1], known[-1], [*keys, *own])
    return made, [key for key in made.columns if key not in table.columns]


def _named_so(column: str, names: Sequence[str]) -> bool:
    return column.casefold().removesuffix("_id") in names


def _judge_of(table: Table, taken: Sequence[str]) -> list[str]:
    """Return the column that names the judge, by a common name; none if there are two."""
    found = [key for key in table.columns if key not in taken and _named_so(key, tables.JUDGES)]
    return found if len(found) == 1 else []


def _guessed(
    arguments: Namespace, table: Table, keys: Sequence[str], judges: Sequence[str]
) -> list[str]:
    """The columns of names and numbers, if the rows hold one score each; a line reports them.

    So they do if a column that is asked for is missing, and is a value in a column such as
    "metric" beside one such as "score".
    """
    values = [key for key in table.columns if key.casefold() in tables.VALUES]
    if len(values) != 1 or not tables.is_repeated(table, keys):
        return []
    asked = [*arguments.human, *getattr(arguments, "metrics", []), *arguments.lower_is_better]
    missing = {one for one in asked if one not in table}
    if asked and not missing:
        return []
    for column in table.columns:
        if column in judges or not _named_so(column, tables.NAMES):
            continue
        if missing:
            if not {str(row.get(column)) for row in table.rows} & missing:
                continue
        elif _named_so(column, tables.JUDGES):
            continue  # one judgement in each row
        what = f"{column!r} names it, {values[0]!r} is the number"
        say(f"{table.origin}: a row for each score; {what}")
        return [column, values[0]]
    return []


def _dimensions_of(table: Table, humans: Sequence[str]) -> list[str]:
    """The columns of dimensions and their judgements, if rows hold one each; a line reports them.

    So they do if a dimension that is asked for is no column, or is not asked for, and one column
    is called "dimension" or the like and one "score" or the like.
    """
    if any(human in table for human in humans):
        return []
    names = [key for key in table.columns if key.casefold() in tables.NAMES]
    names = [key for key in names if not _named_so(key, tables.JUDGES)]
    values = [key for key in table.columns if key.casefold() in tables.VALUES]
    if len(names) != 1 or len(values) != 1:
        return []
    what = f"{names[0]!r} names it, {values[0]!r} is the judgement"
    say(f"{table.origin}: a row for each dimension; {what}")
    return [names[0], values[0]]


def _with_means(arguments: Namespace, table: Table, asked: Sequence[str]) -> Table:
    """Return the rows with the means of the columns that hold a judge each."""
    keys = [arguments.system, arguments.topic]
    judgements = _of_columns(table, asked, arguments.human, keys)
    judges = expanded(table.origin, asked, table.paths(lists=True))
    left = () if _are_objects(table, judges) else judges
    rows = [{key: row[key] for key in row if key not in left} for row in table.rows]
    made = replace(table, rows=rows, judgements=judgements)
    for human in judgements:
        tables.put(made, human, keys)
    return made


def _of_columns(
    table: Table,
    asked: Sequence[str],
    humans: Sequence[str],
    keys: Sequence[str],
    default: str = "",
) -> dict[str, Judgements]:
    """The judgements of rows with a column for each judge; `default` names that of numbers."""
    judges = expanded(table.origin, asked, table.paths(lists=True))
    if len(judges) < 2:
        raise UsageError("--judge names one column for each judge, and there is one; pass more")
    known: list[str] = []
    if inside := _are_objects(table, judges):
        cells = [cell for row in zip(*map(table.values, judges), strict=True) for cell in row]
        known = list(dict.fromkeys(key for one in cells if isinstance(one, dict) for key in one))
        for human in humans if default else ():
            if human not in known:
                hint = "choose the column with --human"
                raise DataError(table.origin, not_found(human, known), hint)
    else:
        table.check("judge", *judges)
        if len(humans) != 1 and (humans or not default):
            what = "them" if default else "their mean"
            hint = f"pass one name for {what} with --human"
            raise UsageError(f"--judge names columns of numbers; {hint}")
    names = humans or known or [default]
    return {human: tables.from_columns(table, judges, human, inside, keys) for human in names}


def _are_objects(table: Table, judges: Sequence[str]) -> bool:
    return any(isinstance(cell, dict) for judge in judges for cell in table.values(judge))


def expanded(name: str, asked: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the columns that the names and patterns of `--judge` mean.

    A pattern may end inside an object: `annotations.*` finds `annotations.0.coherence`.

    >>> expanded("f", ["expert_*", "x"], ["expert_1", "expert_2.coherence", "expert_2.fluency"])
    ['expert_1', 'expert_2', 'x']

    Raises
    ------
    DataError
        A pattern finds no column.
    """
    found: list[str] = []
    for one in asked:
        depth = one.count(".") + 1
        starts = (".".join(path.split(".")[:depth]) for path in known)
        matched = [path for path in starts if fnmatchcase(path, one)] if "*" in one else [one]
        if not matched:
            hint = "name the columns of the judges with --judge"
            raise DataError(name, not_found(one, known), hint)
        found += matched
    return list(dict.fromkeys(found))
