"""Settings of a run of `summeval score`: options of metrics, and the form of its output."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import summeval
from summeval.cli.shared import flags
from summeval.cli.shared.choice import shared
from summeval.cli.shared.errors import UsageError, as_usage, check_folder, open_provider, say
from summeval.io import naming
from summeval.io.formats import DELIMITERS, FORMATS, IN_ROWS, format_of
from summeval.io.remote import is_address
from summeval.io.source import InputFile

_MOST_DIGITS = 15
_COLUMNS = ("candidate_column", "references_column", "source_column", "format")

if TYPE_CHECKING:
    from summeval.io.arrow import TableInput
    from summeval.io.formats import Format
    from summeval.io.plain import PlainInput
    from summeval.io.rows import Columns


def add_plain(parser: argparse.ArgumentParser, instead_of: argparse.Action) -> None:
    """Declare the options that name plain files; with --hyp the other input may be missing."""

    class Hyp(argparse.Action):
        def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
            instead_of.required = False
            setattr(namespace, self.dest, [*getattr(namespace, self.dest), *values])

    add = parser.add_argument
    add("--hyp", action=Hyp, nargs="+", default=[], metavar="FILE")
    add("--ref", action="extend", nargs="+", default=[], metavar="FILE")
    add("--src", metavar="FILE")
    add("--newline", default="", metavar="MARK")


def add_means(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the table of means."""
    add = parser.add_argument
    add("--means", action="store_true")
    add("--sums", action="store_true")
    add("--ci", action="store_true")
    add("-w", "--digits", type=int, metavar="N")
    add("--samples", choices=("mean", "first", "draw"))
    add("--seed", type=int, default=0, metavar="N")
    flags.add(parser, "system", "topic")


def add_cleaning(parser: argparse.ArgumentParser) -> None:
    """Declare the options that clean candidates."""
    parser.add_argument("--extract", metavar="REGEX")
    flags.add_names(parser, "--strip")


def check_usage(arguments: argparse.Namespace) -> None:
    """Check what is asked for together, and settle where the output goes."""
    _settle_means(arguments)
    if arguments.table_only and arguments.resume:
        raise UsageError("--resume needs -o OUT")
    if arguments.output is None:
        arguments.output = os.devnull if arguments.table_only else "-"
    given = [arguments.input, arguments.output, *arguments.hyp, *arguments.ref, arguments.src]
    if arguments.resume and "-" in given:
        raise UsageError("--resume needs files, not pipes: pass INPUT and -o OUT")
    if arguments.resume and any(path is not None and is_address(path) for path in given):
        raise UsageError(
            "--resume needs files of this machine, not addresses: download INPUT first"
        )
    if arguments.max_null is not None and not 0 <= arguments.max_null <= 1:
        raise UsageError("--max-null takes a share of the rows, from 0 to 1")
    if arguments.digits is not None and not 0 <= arguments.digits <= _MOST_DIGITS:
        raise UsageError(f"-w takes a number from 0 to {_MOST_DIGITS}")
    if arguments.hyp:
        if arguments.input is not None:
            raise UsageError(f"pass INPUT ({arguments.input}) or --hyp, not both")
        arguments.keep_text = True
        return
    for name in ("ref", "src", "newline"):
        if getattr(arguments, name):
            raise UsageError(f"--{name} needs --hyp FILE")


def _settle_means(arguments: argparse.Namespace) -> None:
    """Settle whether and where means are told, and check their options."""
    arguments.means_form = arguments.means and _means_form(arguments)
    arguments.means_file = "-"
    if arguments.means_form:
        arguments.means_file, arguments.output = arguments.output or "-", None
        if arguments.means_file != "-":
            check_folder(arguments.means_file)
    elif arguments.output_format == "json":
        raise UsageError("--output-format json has the means: add --means, or write jsonl")
    arguments.table_only = arguments.means and arguments.output is None
    for name in ("ci", "samples", "digits"):
        value = getattr(arguments, name)
        if value in (None, False):
            continue
        if not arguments.means:
            raise UsageError(f"--{name} needs --means")
        if name != "digits" and arguments.resume:
            raise UsageError(f"--{name} needs all rows of one run; omit --resume")


def _means_form(arguments: argparse.Namespace) -> str | None:
    """The format of means that are data, by --output-format or the name of OUT; None for a table.

    A .json has no rows, so it has the means; so has a .csv that is called means, and what
    --output-format csv asks for.
    """
    path, given = arguments.output, arguments.output_format
    if given is not None or path is None:
        return str(given) if given in ("json", "csv") else None
    name = path.lower().removesuffix(".gz")
    return "json" if name.endswith(".json") else "csv" if name.endswith("means.csv") else None


def parsing(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of all metrics that parse texts, and those that metrics share."""
    options = shared(arguments) | ({"cache": False} if arguments.no_cache else {})
    if arguments.annotations is not None:
        options["parser"] = open_provider(f"file:{arguments.annotations}")
    return options


def check_parsers(suite: summeval.Suite) -> None:
    """Raise `UsageError` early if a parser is unknown or not installed."""
    for metric in suite.metrics:
        with naming(), as_usage(), as_usage(ImportError, f"{metric.name}: "):
            _ = metric.signature


def output_format(arguments: argparse.Namespace, form: Format) -> Format:
    """Return the format of OUT; that of INPUT, which is `form`, if nothing tells it."""
    path: str = arguments.output
    if arguments.table_only:
        return "jsonl"
    usual: Format = form if form in IN_ROWS else "csv" if form in DELIMITERS else "jsonl"
    forms = dict.fromkeys([usual, *FORMATS])
    return flags.output_form(path, arguments.output_format, list(forms), "--output-format")


def check_columnar(
    arguments: argparse.Namespace, file: InputFile | TableInput, form: Format, columns: Columns
) -> None:
    """Raise if rows cannot be written in columns, before they are scored."""
    if arguments.output == "-":
        raise UsageError(f"{form} cannot be written to standard output; pass a file with -o")
    from summeval.io.arrow import check_pyarrow
    from summeval.io.arrow_output import check_writable

    check_pyarrow(arguments.output)
    if not isinstance(file, InputFile) and form == "parquet":
        check_writable(file.schema, file.carried(columns, arguments.keep_text))


def open_files(arguments: argparse.Namespace, suite: summeval.Suite) -> PlainInput:
    """Open the plain files that a command line names, for these metrics.

    Raises
    ------
    UsageError
        Options that do not fit, or a metric that lacks its texts.
    DataError
        A file cannot be read, or files do not fit together.
    """
    from summeval.io.plain import Plain, open_plain

    for name in _COLUMNS:
        if getattr(arguments, name):
            raise UsageError(f"--{name.replace('_', '-')} is for rows, not for --hyp; omit it")
    sources = [] if arguments.src is None else [arguments.src]
    sides = (("references", "--ref", arguments.ref), ("source", "--src", sources))
    for what, option, given in sides:
        if what in suite.reads and not given:
            names = [m.name for m in suite.metrics if m.compared_with in (what, "both")]
            raise UsageError(f"{', '.join(names)}: compared with the {what}; add {option} FILE")
    systems = _systems(arguments.hyp)
    plain = Plain(systems, arguments.ref, sources, arguments.newline)
    if plain.paths.count("-") > 1:
        raise UsageError("- (standard input) can stand for one file only")
    for path in plain.paths:
        if format_of(path) and not os.path.isdir(path):
            raise UsageError(f"{path} is a file of rows: pass it as INPUT, without --hyp")
    file = open_plain(plain)
    if file.left_out:
        say(file.left_out)
    return file


def _systems(given: Sequence[str]) -> list[tuple[str, str]]:
    """Return the name and the path of each system."""
    from summeval.io.plain import system_names

    named = []
    for text in given:
        name, equals, path = text.partition("=")
        is_named = equals and path and not (text == "-" or os.path.exists(text))
        named.append((name, path) if is_named else ("", text))
    plain = [path for name, path in named if not name]
    places = [os.path.realpath(path) for path in plain]
    for path, place in zip(plain, places, strict=True):
        if places.count(place) > 1:
            raise UsageError(f"--hyp names {path} twice; name its systems, as in a={path}")
    names = dict(zip(plain, system_names(plain), strict=True))
    found = [(name or names[path], path) for name, path in named]
    own = {name for name, _ in named if name}
    if taken := own & set(names.values()):
        raise UsageError(f"--hyp names two systems {min(taken)}; name both, as in NAME=FILE")
    return found
