"""The options that name columns, for every command that reads rows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from summeval.cli.shared.arguments import add_flags
from summeval.cli.shared.errors import UsageError, say
from summeval.io.column_names import ALIASES, Columns
from summeval.io.formats import resolve_columns

if TYPE_CHECKING:
    from summeval.io.arrow import TableInput
    from summeval.io.source import InputFile

COLUMNS_HELP = """\
Unless an option names its column, a text is also read from a column with a common name:
candidates from summary, prediction, hypothesis or response, references from reference, target,
targets or highlights, sources from document, article or input. A line on standard error reports
this; if two such columns exist, name one of them."""


def add_columns(
    parser: argparse.ArgumentParser, texts: Sequence[str] = ("candidate", "references", "source")
) -> None:
    """Declare the arguments that name the columns of `texts` and the id."""
    for name in texts:
        several = name == "references"
        parser.add_argument(
            f"--{name}-column",
            action="append" if several else "store",
            metavar="NAMES" if several else "NAME",
            help=f"[{name}, or as data sets name it]" + "; several with commas" * several,
        )
    add_flags(parser, "id-column")


def columns_of(
    arguments: argparse.Namespace, needs: tuple[str, ...], wants: tuple[str, ...] = ()
) -> Columns:
    """Return the columns given on the command line; `needs` and `wants` as in `Columns`."""
    given = {what: getattr(arguments, f"{what}_column", None) for what in ALIASES}
    named = {what: name for what, name in given.items() if name is not None}
    if "references" in named:
        listed = ",".join(named["references"]).split(",")
        named["references"] = tuple(dict.fromkeys(filter(None, map(str.strip, listed))))
        if not named["references"]:
            raise UsageError("--references-column is empty; pass a column")
    unnamed = tuple(what for what in ALIASES if what not in named)
    try:
        return Columns(**named, id=arguments.id_column, needs=needs, wants=wants, unnamed=unnamed)
    except ValueError as error:
        raise UsageError(str(error)) from None


def settled(file: InputFile | TableInput, form: str, columns: Columns) -> Columns:
    """Return the columns as named in the file; reports names that differ from the options."""
    found = resolve_columns(file, form, columns)
    if found.notice:
        say(f"{file.name}: {found.notice}")
    return found
