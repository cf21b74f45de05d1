"""`summeval study transformations`: what each transformation of BEwT-E adds."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from summeval.cli.shared.arguments import add_option
from summeval.cli.shared.choice import choose
from summeval.cli.shared.columns import add_columns, columns_of, settled
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.names import add_names, names_of, share
from summeval.cli.shared.parsing import open_provider, refusals
from summeval.cli.shared.workers import add_workers, workers_of
from summeval.cli.study.output import add_output, check_output, show
from summeval.io import IN_ROWS, Chunk, DataError, InputFile, format_of, read_chunks, system_error
from summeval.io.column_names import not_found
from summeval.meta.tables.arrays import COEFFICIENTS
from summeval.meta.tables.scores import find

if TYPE_CHECKING:
    from summeval import BEwTE

DESCRIPTION = """\
Score the rows of INPUT by BEwT-E with all its transformations, with none of them, with each one
alone and with all but each one, and correlate the scores with people (Tratz and Hovy 2008). The
texts are parsed once. A second table says how many matched pairs of elements need each
transformation.

A row has a candidate, its references, the names of its system and topic, and human scores."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study transformations rows.jsonl --human relevance
  summeval study transformations rows.jsonl --human relevance --coefficient spearman -o study
Needs a parser: pip install 'summeval[nlp]', or --annotations."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="INPUT", help=".jsonl or .csv, also with .gz; - is standard input")
    add("--input-format", choices=IN_ROWS, help="format of INPUT [by its ending; jsonl for -]")
    add_names(
        parser,
        "--human",
        required=True,
        metavar="COLUMN",
        help="columns with human scores; scores.x means x in the object scores",
    )
    add("--system", default="system", metavar="COLUMN", help="names the system [system]")
    add("--topic", default="topic", metavar="COLUMN", help="names the topic [topic]")
    add("--coefficient", choices=COEFFICIENTS, default="pearson", help="[pearson]")
    add("--bootstrap", type=int, default=1000, metavar="N", help="draws of an interval [1000]")
    add(
        "--confidence",
        type=share(0.95),
        default=0.95,
        metavar="SHARE",
        help="confidence level of intervals, 0 to 1 [0.95]",
    )
    add("--seed", type=int, default=0, metavar="N", help="random seed [0]")
    add_option(parser, "such as bewte.weights=binary")
    add("--annotations", metavar="FILE", help="parses written by summeval annotate")
    add("--no-cache", action="store_true", help="do not use the cache of parses")
    add_workers(parser)
    add_columns(parser, ("candidate", "references"))
    add_output(parser)


@dataclass
class _Data:
    """The columns of the rows."""

    candidates: list[str | None] = field(default_factory=list)
    references: list[list[str] | None] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    human: dict[str, list[float | None]] = field(default_factory=dict)


def run(arguments: argparse.Namespace) -> int:
    """Run the study; return the exit status."""
    from summeval.study.transformations import transformations

    workers = workers_of(arguments)
    arguments.human = names_of("--human", arguments.human, "column")
    if arguments.bootstrap < 1 or arguments.seed < 0:
        flag, least = ("--seed", 0) if arguments.seed < 0 else ("--bootstrap", 1)
        raise UsageError(f"{flag} is below {least}; give at least {least}")
    check_output(arguments)
    metric = _metric(arguments)
    data = _read(arguments)
    with refusals(_name(arguments)):
        found = transformations(
            data.candidates,
            data.references,
            data.systems,
            data.topics,
            data.human,
            metric=metric,
            coefficient=arguments.coefficient,
            resamples=arguments.bootstrap,
            confidence=arguments.confidence,
            seed=arguments.seed,
            workers=workers,
        )
    show(arguments, found)
    return 0


def _name(arguments: argparse.Namespace) -> str:
    return "standard input" if arguments.input == "-" else str(arguments.input)


def _metric(arguments: argparse.Namespace) -> BEwTE:
    """BEwT-E with the options of the command line, and with a parser that is there."""
    common: dict[str, Any] = {}
    if arguments.annotations is not None:
        common["parser"] = open_provider(f"file:{arguments.annotations}")
    if arguments.no_cache:
        common["cache"] = False
    metric: Any = choose(["bewte"], arguments.option, common).metrics[0]
    try:
        _ = metric.signature
    except OSError as error:
        raise system_error(str(error.filename), error) from None
    except (ValueError, ImportError) as error:
        raise UsageError(str(error)) from None
    found: BEwTE = metric
    return found


def _read(arguments: argparse.Namespace) -> _Data:
    form = arguments.input_format or ("jsonl" if arguments.input == "-" else "")
    form = form or format_of(arguments.input)
    if form not in IN_ROWS:
        raise UsageError(f"{arguments.input}: unknown extension; pass --input-format jsonl or csv")
    asked = columns_of(arguments, ("references",))
    data = _Data(human={column: [] for column in arguments.human})
    present: set[str] = set()
    with InputFile(arguments.input) as file:
        for chunk in read_chunks(file, form, settled(file, form, asked)):
            for index in range(len(chunk)):
                _take(data, chunk, index, arguments, f"{file.name}: row {len(data.systems) + 1}")
            for column in arguments.human:
                if any(find(row, column)[0] for row in chunk.rows):
                    present.add(column)
        if not data.systems:
            raise DataError(file.name, "holds no rows", "write one row on each line")
        for column in arguments.human:
            if column not in present:
                raise DataError(
                    file.name, not_found(column, chunk.rows[0]), "choose the column with --human"
                )
    return data


def _take(data: _Data, chunk: Chunk, index: int, arguments: argparse.Namespace, place: str) -> None:
    """Add a row."""
    row, names = chunk.rows[index], []
    for option in ("system", "topic"):
        column = getattr(arguments, option)
        known, value = find(row, column)
        if not known:
            raise DataError(place, not_found(column, row), f"choose the column with --{option}")
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            mend = f"give the {option} of every row as a text"
            raise DataError(place, f"{column!r} is {value!r}", mend)
        names.append(str(value))
    data.systems.append(names[0])
    data.topics.append(names[1])
    data.candidates.append(chunk.candidates[index])
    data.references.append(chunk.references[index])
    for column in arguments.human:
        data.human[column].append(_number(find(row, column)[1], column, place))


def _number(value: Any, column: str, place: str) -> float | None:
    if value is None or value == "":
        return None
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = float("inf")
    if abs(number) == float("inf") or isinstance(value, bool):
        raise DataError(place, f"{column!r} is {value!r}", "give a number, or null to leave it out")
    return number
