"""What a run of `summeval score` is set to: options of metrics, and the form of its output."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

import summeval
from summeval.cli.shared.choice import shared
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.names import add_names
from summeval.cli.shared.parsing import open_provider
from summeval.io import IN_ROWS, InputFile, format_of, system_error

_MOST_DIGITS = 15

if TYPE_CHECKING:
    from summeval.io import Columns, Format, TableInput


def add_plain(parser: argparse.ArgumentParser, instead_of: argparse.Action) -> None:
    """Declare the options that name plain files; with --hyp the other input may be missing."""

    class Hyp(argparse.Action):
        def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
            instead_of.required = False
            setattr(namespace, self.dest, [*getattr(namespace, self.dest), *values])

    add = parser.add_argument
    for option, action, said in (
        ("--hyp", Hyp, "plain files or folders, each a system; NAME=FILE names it"),
        ("--ref", "extend", "references: files or folders"),
    ):
        add(option, action=action, nargs="+", default=[], metavar="FILE", help=said)
    add("--src", metavar="FILE", help="sources: a file or a folder")
    add("--newline", default="", metavar="MARK", help="mark of a line break in --hyp, --ref, --src")


def add_means(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the table of means."""
    add = parser.add_argument
    add(
        "--means",
        action="store_true",
        help="print means by system; without -o nothing else, with -o - on standard error",
    )
    add("--ci", action="store_true", help="with half the width of their 95 %% interval")
    add("-w", "--digits", type=int, metavar="N", help="digits after the point [5]")
    add(
        "--samples",
        choices=("mean", "first", "draw"),
        help="what --means takes of several outputs of one system for one id [all]",
    )
    add("--seed", type=int, default=0, metavar="N", help="of --samples draw [0]")
    add("--system", default="system", metavar="COLUMN", help="names the system [system]")
    add("--topic", default="topic", metavar="COLUMN", help="names the topic [topic]")


def add_cleaning(parser: argparse.ArgumentParser) -> None:
    """Declare the options that clean candidates."""
    parser.add_argument(
        "--extract",
        metavar="REGEX",
        help="score the last match of it, or of its first group; or what stands in a tag: answer",
    )
    add_names(parser, "--strip", help="remove from candidates: think, markdown")


def check_usage(arguments: argparse.Namespace) -> None:
    """Check what is asked for together, and settle where the output goes."""
    arguments.table_only = arguments.means and arguments.output is None
    if arguments.table_only and arguments.resume:
        raise UsageError("--resume needs -o OUT")
    if arguments.output is None:
        arguments.output = os.devnull if arguments.table_only else "-"
    given = [arguments.input, arguments.output, *arguments.hyp, *arguments.ref, arguments.src]
    if arguments.resume and "-" in given:
        raise UsageError("--resume needs files, not pipes: pass INPUT and -o OUT")
    for name in ("ci", "samples", "digits"):
        value = getattr(arguments, name)
        if value in (None, False):
            continue
        if not arguments.means:
            raise UsageError(f"--{name} needs --means")
        if name != "digits" and arguments.resume:
            raise UsageError(f"--{name} needs all rows of one run; omit --resume")
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


def parsing(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of all metrics that parse texts, and those that metrics share."""
    options = shared(arguments)
    if arguments.annotations is not None:
        options["parser"] = open_provider(f"file:{arguments.annotations}")
    if arguments.no_cache:
        options["cache"] = False
    return options


def check_parsers(suite: summeval.Suite) -> None:
    """Raise `UsageError` early if a parser is unknown or not installed."""
    for metric in suite.metrics:
        try:
            _ = metric.signature
        except OSError as error:
            raise system_error(str(error.filename), error) from None
        except ImportError as error:
            raise UsageError(f"{metric.name}: {error}") from None
        except ValueError as error:
            raise UsageError(str(error)) from None


def score_columns(suite: summeval.Suite) -> list[str]:
    """The columns METRIC.FIELD that are written."""
    return [f"{metric.name}.{name}" for metric in suite.metrics for name in metric.fields]


def output_format(arguments: argparse.Namespace, form: Format) -> Format:
    """The format of OUT; that of INPUT, which is `form`, if nothing tells it."""
    path: str = arguments.output
    if arguments.table_only:
        return "jsonl"
    known: Format | None = arguments.output_format or format_of(path)
    there = os.path.exists(path)
    if known is None and path != "-" and (os.path.isfile(path) or not there):
        raise UsageError(f"{path}: unknown extension; pass --output-format jsonl or csv")
    return known or (form if form in IN_ROWS else "jsonl")


def check_columnar(
    arguments: argparse.Namespace, file: InputFile | TableInput, form: Format, columns: Columns
) -> None:
    """Raise if rows cannot be written in columns, before they are scored."""
    if arguments.output == "-":
        raise UsageError(f"{form} cannot be written to standard output; pass a file with -o")
    from summeval.io import check_pyarrow, check_writable

    check_pyarrow(arguments.output)
    if not file.is_kept:
        raise UsageError(f"{form} reads INPUT twice, which a pipe does not allow; pass a file")
    if not isinstance(file, InputFile) and form == "parquet":
        check_writable(file.schema, file.carried(columns, arguments.keep_text))
