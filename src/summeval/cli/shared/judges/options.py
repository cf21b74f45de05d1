"""The options that tell where a file has its systems, topics, judges and scores."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fnmatch import fnmatchcase

from summeval.cli.shared.arguments import add_names, names_of
from summeval.cli.shared.errors import UsageError, say
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.io.rows import Row
from summeval.meta.tables.cells import has

LAYOUT_HELP = """\
A row may hold all scores of a summary, one score (--long), or the judgement of one judge (--judge).
Of several judgements of a summary the mean counts. A column of the system or the topic is also
found under a common name, such as system_id, model, topic_id or doc_id; a line on standard error
reports this."""

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


def add_mapping(parser: argparse.ArgumentParser) -> None:
    """Declare `--columns`, which `map_columns` reads."""
    add_names(
        parser,
        "--columns",
        metavar="WHAT=COLUMN",
        help="the names of columns at once: system=model,topic=doc_id",
    )


def add_shapes(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the layout: `--judge`, `--long`, `--columns`."""
    add_names(
        parser,
        "--judge",
        metavar="COLUMN",
        help="in rows of one judgement, names the judge; or several columns (* stands for any"
        " text), one for each judge [judge, annotator or the like]",
    )
    add_names(
        parser,
        "--long",
        metavar="COLUMN",
        help="in rows of one score, the column that names it and the column of the number:"
        " metric,score",
    )
    add_mapping(parser)


def map_columns(arguments: argparse.Namespace) -> None:
    """Set the options that `--columns` stands for.

    Raises `UsageError` for a name that the command does not have, or an option given twice.
    """
    for pair in names_of("--columns", arguments.columns, "column"):
        what, equals, column = (part.strip() for part in pair.partition("="))
        known = [name for name, option in _KEYS.items() if hasattr(arguments, option)]
        if not equals or not column or what not in known:
            choices = ", ".join(known)
            raise UsageError(f"--columns has {pair!r}; write WHAT=COLUMN with one of {choices}")
        option = _KEYS[what]
        given = getattr(arguments, option)
        if option in _LISTS:
            setattr(arguments, option, [*(given or []), column])
            continue
        usual = what if option in ("system", "topic", "id_column") else None
        if given not in (None, usual, what, column):
            flag = f"--{option.replace('_', '-')}"
            raise UsageError(f"{flag} names {given!r} and --columns names {column!r}; pass one")
        setattr(arguments, option, column)
    arguments.columns = []


def settle_names(
    arguments: argparse.Namespace,
    name: str,
    rows: Sequence[Row],
    names: Sequence[str] = ("system", "topic"),
) -> None:
    """Find the columns of these `names` under a common name; report it.

    Without a column of topics, `id` serves, if rows of different systems share their ids; without
    one of ids, `topic` does.
    """
    for what in names:
        option = _KEYS[what]
        if getattr(arguments, option, None) != what or has(rows, what):
            continue
        found = [one for one in _ALIASES[what] if has(rows, one)]
        if not found and what == "topic" and _shares_ids(rows):
            found = ["id"]
        if what == "id" and has(rows, "topic"):
            found = ["topic"]
        if len(found) == 1:
            setattr(arguments, option, found[0])
            say(f"{name}: reading the {what}s from {found[0]!r}")


def _shares_ids(rows: Sequence[Row]) -> bool:
    ids = [str(row["id"]) for row in rows if row.get("id") is not None]
    return len(ids) == len(rows) and len(set(ids)) < len(ids)


def expanded(name: str, asked: Sequence[str], known: Sequence[str]) -> list[str]:
    """The columns that the names and patterns of `--judge` mean.

    A pattern may end inside an object: `annotations.*` finds `annotations.0.coherence`.

    >>> expanded("f", ["expert_*", "x"], ["expert_1", "expert_2.coherence", "expert_2.fluency"])
    ['expert_1', 'expert_2', 'x']

    Raises
    ------
    DataError
        A pattern finds no column.
    """
    found: dict[str, None] = {}
    for one in asked:
        if "*" not in one:
            found[one] = None
            continue
        depth = one.count(".") + 1
        starts = dict.fromkeys(".".join(path.split(".")[:depth]) for path in known)
        matched = [path for path in starts if fnmatchcase(path, one)]
        if not matched:
            mend = "name the columns of the judges with --judge"
            raise DataError(name, not_found(one, known), mend)
        found |= dict.fromkeys(matched)
    return list(found)
