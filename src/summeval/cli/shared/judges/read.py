"""Reading a file of judgements for `summeval agreement`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from summeval.cli.shared.arguments import names_of
from summeval.cli.shared.errors import UsageError, say
from summeval.cli.shared.judges import shape
from summeval.cli.shared.judges.options import expanded, map_columns, settle_names
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.rows import Row
from summeval.meta.judges.judgements import Judgements
from summeval.meta.tables import long
from summeval.meta.tables.cells import find
from summeval.meta.tables.judgements import read_rows


def read_judgements(arguments: argparse.Namespace, labels: bool) -> dict[str, Judgements]:
    """The judgements of INPUT, by dimension, from rows of any layout.

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
    name = "standard input" if arguments.input == "-" else str(arguments.input)
    humans = names_of("--human", arguments.human, "column")
    rows: Sequence[Row] = read_rows(arguments.input).rows
    map_columns(arguments)
    settle_names(arguments, name, rows)
    keys = [arguments.system, arguments.topic]
    for option, column in zip(("system", "topic"), keys, strict=True):
        shape.check(name, rows, option, [column])
    judges = names_of("--judge", arguments.judge, "column")
    columns = len(judges) > 1 or any("*" in judge for judge in judges)
    if not columns:
        shape.check(name, rows, "judge", judges)
    try:
        rows = _spread(arguments, name, rows, humans, [] if columns else judges)
        if columns:
            return _of_columns(name, rows, humans, judges, keys)
        judges = judges or shape.judge_of(rows, ())
        if not judges:
            say(f"{name}: no column names the judges; to tell them apart, name it with --judge")
        humans = humans or long.differing(rows, keys, {*judges})
        if not humans:
            problem = "no column of numbers differs between the judges of a summary"
            raise DataError(name, problem, "name the columns of judgements with --human")
        shape.check(name, rows, "human", humans)
        return {
            human: Judgements.from_rows(
                rows,
                human,
                system=keys[0],
                topic=keys[1],
                judge=judges[0] if judges else None,
                labels=labels,
            )
            for human in humans
        }
    except (DataError, UsageError):
        raise
    except ValueError as error:
        raise DataError.of(name, error, "correct the row, or remove it") from None


def _spread(
    arguments: argparse.Namespace,
    name: str,
    rows: Sequence[Row],
    humans: list[str],
    judges: list[str],
) -> Sequence[Row]:
    """The rows with a column for each dimension; adds these to `humans` if it is empty."""
    names = names_of("--long", arguments.long, "column")
    if len(names) == 1:
        raise UsageError("--long names one column; pass that of the names and that of the numbers")
    shape.check(name, rows, "long", names)
    if not names:
        names = shape.dimensions_of(name, rows, humans)
    if not names:
        return rows
    before = {key for row in rows for key in row}
    own = judges or shape.judge_of(rows, names)
    made = long.spread(rows, names[:-1], names[-1], [arguments.system, arguments.topic, *own])
    if not humans:
        humans += [
            key for key in dict.fromkeys(k for row in made for k in row) if key not in before
        ]
    return made


def _of_columns(
    name: str,
    rows: Sequence[Row],
    humans: Sequence[str],
    asked: Sequence[str],
    keys: Sequence[str],
) -> dict[str, Judgements]:
    """From rows with a column for each judge."""
    judges = expanded(name, asked, shape.paths(rows, lists=True))
    if len(judges) < 2:
        raise UsageError("--judge names one column for each judge, and there is one; pass more")
    inside = any(isinstance(find(row, judge)[1], dict) for row in rows for judge in judges)
    if not inside:
        shape.check(name, rows, "judge", judges)
        if len(humans) > 1:
            problem = "--judge names columns of numbers; pass one name for them with --human"
            raise UsageError(problem)
    known = shape.inner_columns(rows, judges) if inside else []
    for human in humans if inside else ():
        if human not in known:
            raise DataError(name, not_found(human, known), "choose the column with --human")
    humans = humans or known or ["judgement"]
    return {
        human: long.from_columns(rows, judges, human, inside=inside, system=keys[0], topic=keys[1])
        for human in humans
    }
