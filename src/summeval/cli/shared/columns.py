"""Which columns of the rows are read, for every command that reads rows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from summeval.cli.shared.errors import UsageError, say
from summeval.io import Columns, settle
from summeval.io.column_names import ALIASES

if TYPE_CHECKING:
    from summeval.io import InputFile, TableInput

COLUMNS_HELP = """\
Where no option names it, a text is also read from a column that is named as data sets do:
candidates from summary, prediction, hypothesis or response, references from reference, target,
targets or highlights, sources from document, article or input. A line on standard error says so;
where two of them are there, none is taken."""


def add_columns(
    parser: argparse.ArgumentParser, texts: Sequence[str] = ("candidate", "references", "source")
) -> None:
    """Declare the arguments that name the columns with `texts`, and the id."""
    for name in texts:
        several = name == "references"
        parser.add_argument(
            f"--{name}-column",
            action="append" if several else "store",
            metavar="NAMES" if several else "NAME",
            help=f"[{name}, or as data sets name it]" + "; several with commas" * several,
        )
    parser.add_argument("--id-column", default="id", metavar="NAME", help="[id]")


def columns_of(
    arguments: argparse.Namespace, needs: tuple[str, ...], wants: tuple[str, ...] = ()
) -> Columns:
    """The columns that the command line names; `needs` and `wants` as `Columns` takes them."""
    given = {what: getattr(arguments, f"{what}_column", None) for what in ALIASES}
    named = {what: name for what, name in given.items() if name is not None}
    if "references" in named:
        listed = ",".join(named["references"]).split(",")
        named["references"] = tuple(dict.fromkeys(filter(None, map(str.strip, listed))))
        if not named["references"]:
            raise UsageError("--references-column names no column")
    unnamed = tuple(what for what in ALIASES if what not in named)
    try:
        return Columns(**named, id=arguments.id_column, needs=needs, wants=wants, unnamed=unnamed)
    except ValueError as error:
        raise UsageError(str(error)) from None


def settled(file: InputFile | TableInput, form: str, columns: Columns) -> Columns:
    """The columns as the file names them; says where that is not as the options do."""
    found = settle(file, form, columns)
    if found.notice:
        say(f"{file.name}: {found.notice}")
    return found
