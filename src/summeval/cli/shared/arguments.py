"""Options that mean the same in several commands."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from summeval._options import MOST_WORKERS
from summeval.cli.shared.errors import UsageError, check_folder
from summeval.io.formats import DELIMITERS, IN_ROWS, format_of

if TYPE_CHECKING:
    from summeval.io.formats import Format

_ENDINGS = {  # those of rows are in `io.formats`
    ".txt": ("table", "text"),
    ".json": ("json",),
    ".tex": ("latex",),
    ".md": ("markdown",),
    ".html": ("html",),
    ".htm": ("html",),
    ".bib": ("bibtex",),
    ".conllu": ("conllu",),
}
F = TypeVar("F", bound=str)
_OF_ROWS = ("jsonl", "csv", "tsv", "parquet", "arrow")


_FLAGS: dict[str, dict[str, Any]] = {  # that mean the same in several commands
    "system": {"default": "system", "metavar": "COLUMN", "help": "names the system [system]"},
    "topic": {"default": "topic", "metavar": "COLUMN", "help": "names the topic [topic]"},
    "id-column": {"default": "id", "metavar": "NAME", "help": "[id]"},
    "seed": {"type": int, "default": 0, "metavar": "N", "help": "random seed [0]"},
    "bootstrap": {"type": int, "default": 1000, "metavar": "N"},
    "on-error": {"choices": ("raise", "skip"), "default": "raise"},
    "annotations": {"metavar": "FILE", "help": "parses written by summeval annotate"},
    "no-cache": {"action": "store_true", "help": "do not use the cache of parses"},
    "no-progress": {"action": "store_true", "help": "no progress bar"},
}


def add_flags(parser: argparse.ArgumentParser, *names: str, **own: Any) -> None:
    """Declare flags that several commands have; `own` differs from what they say elsewhere."""
    for name in names:
        parser.add_argument(f"--{name}", **{**_FLAGS[name], **own})


def add_confidence(parser: argparse.ArgumentParser) -> None:
    """Declare `--confidence`."""
    parser.add_argument(
        "--confidence",
        type=share(0.95),
        default=0.95,
        metavar="SHARE",
        help="confidence level of intervals, 0 to 1 [0.95]",
    )


def add_format(
    parser: argparse.ArgumentParser, of: str = "INPUT", choices: Sequence[str] = IN_ROWS
) -> None:
    """Declare `--format`, that of the file which the usage calls `of`."""
    parser.add_argument(
        "--format", choices=choices, help=f"format of {of} [by its ending; jsonl for -]"
    )
    add_separator(parser)


def add_separator(parser: argparse.ArgumentParser) -> None:
    """Declare `--separator`, which `input_format` reads."""
    parser.add_argument(
        "--separator", metavar="CHAR", help="between the cells of a .csv: ';', '|' or tab [,]"
    )


def add_option(parser: argparse.ArgumentParser, more: str) -> None:
    """Declare `--option`, which sets the options of metrics; see `shared.choice`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="METRIC.KEY=VALUE",
        help=f"an option of a metric or a family, {more}",
    )


def add_alpha(parser: argparse.ArgumentParser, of: str) -> None:
    """Declare `--alpha`, the level of these tests."""
    parser.add_argument(
        "--alpha",
        type=share(0.05),
        default=0.05,
        metavar="SHARE",
        help=f"level of {of}, from 0 to 1 [0.05]",
    )


def told_format(arguments: argparse.Namespace) -> Format | None:
    """The format of INPUT that the command line or the ending tells; None if neither does."""
    path: str = arguments.input
    is_json = path == "-" or path.lower().removesuffix(".gz").endswith(".json")
    told: Format | None = arguments.format or ("jsonl" if is_json else format_of(path))
    return "parquet" if told is None and os.path.isdir(path) else told


def input_format(arguments: argparse.Namespace, formats: Sequence[Format] = IN_ROWS) -> Format:
    """Return the format of INPUT, from the command line.

    Raises `UsageError` if it is unknown or not one of `formats`.
    """
    form = told_format(arguments)
    if form is not None and form not in formats:
        raise UsageError(
            f"{arguments.input}: this command does not read {form}; write the rows as .jsonl"
        )
    if form is None:
        raise UsageError(
            f"{arguments.input}: unknown extension; pass --format jsonl or --format csv"
        )
    mark = getattr(arguments, "separator", None)
    if mark is None:
        return form
    if form not in DELIMITERS:
        raise UsageError(f"--separator is for CSV, not for {form}; omit it")
    named: dict[str, Format] = {",": "csv", ";": "csv;", "|": "csv|", "\t": "tsv", "tab": "tsv"}
    if mark not in named:
        raise UsageError(f"--separator is {mark!r}; choose from , ; | tab")
    return named[mark]


def output_form(path: str, given: F | None, forms: Sequence[F], option: str = "") -> F:
    """Return the format of the output at `path`: what `option` gave, or what the ending tells.

    That of `-`, of a device and of a pipe is the first of `forms`.

    Raises
    ------
    UsageError
        The ending is that of no format in `forms`.
    DataError
        The folder of the file is not there.
    """
    is_file = path != "-" and (os.path.isfile(path) or not os.path.exists(path))
    if is_file:
        check_folder(path)
    if given is not None or not is_file:
        return given or forms[0]
    ending = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    told = (format_of(path), *_ENDINGS.get(ending, ()))
    found = next((form for form in forms if form in told), None)
    if found is None:
        *most, last = [
            *(f".{form}" for form in _OF_ROWS if form in forms),
            *(end for end, kinds in _ENDINGS.items() if end != ".htm" and {*kinds} & {*forms}),
        ]
        known = f"{', '.join(most)} or {last}" if most else last
        hint = f"end it in {known}" + f", or pass {option}" * bool(option)
        raise UsageError(f"-o {path}: unknown extension; {hint}")
    return found


def names_file(path: str) -> bool:
    """Return whether a name ends like that of a file, where a folder is asked for."""
    ending = os.path.splitext(path)[1].lower()
    return ending in (*_ENDINGS, ".pdf", ".xlsx", ".svg", ".png") or format_of(path) is not None


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Declare the argument."""
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="number of threads, -1 for all processors [1]",
    )


def workers_of(arguments: argparse.Namespace) -> int:
    """Return the given number of threads; `UsageError` if it is invalid."""
    workers: int = arguments.workers
    if workers != -1 and not 1 <= workers <= MOST_WORKERS:
        raise UsageError(
            f"--workers takes a number from 1 to {MOST_WORKERS}, or -1 for all processors"
        )
    return workers


def add_names(
    parser: argparse.ArgumentParser, *flags: str, metavar: str = "NAME", **more: Any
) -> None:
    """Declare an option that takes commas, blanks and repetition alike; `names_of` reads it."""
    parser.add_argument(*flags, nargs="+", action="extend", default=[], metavar=metavar, **more)


def names_of(option: str, given: Iterable[str], kind: str, blanks: bool = False) -> list[str]:
    """Return the given names, without duplicates, in order.

    With `blanks`, blanks also separate names within an argument; names of columns may contain
    blanks.

    Raises `UsageError` for an argument without names.

    >>> names_of("--human", ["a,b", "b", " c "], "column")
    ['a', 'b', 'c']
    >>> names_of("--level", ["summary system"], "level", blanks=True)
    ['summary', 'system']
    """
    texts = [text.replace(" ", ",") if blanks else text for text in given]
    found = list(dict.fromkeys(filter(None, (n.strip() for t in texts for n in t.split(",")))))
    if texts and not found:
        raise UsageError(f"{option} is empty; pass one or more {kind}s")
    return found


def share(example: float) -> Callable[[str], float]:
    """Return a parser of numbers between 0 and 1 (exclusive), with an example for the error.

    >>> share(0.95)("0.9")
    0.9
    >>> share(0.95)("95%")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: '95%' is not a number between 0 and 1, such as 0.95
    """

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 0.0 < value < 1.0:
            raise argparse.ArgumentTypeError(
                f"{text!r} is not a number between 0 and 1, such as {example}"
            )
        return value

    return read
