"""`summeval study metrics`: metrics beside people on sets of judgements, with r1s and length.

Score the summaries of each file of ROWS by metrics, correlate them with each human score, and test
whether they agree better with people than r1s does (recall of ROUGE-1 with stems, without stop
words) and than the number of words does. "means" has the mean of the files, its difference to that
of r1s, and the processor time of a summary; "agreement" each file and human score. ROWS may come
from summeval read. Human scores are the numbers in an object "scores", or the columns of --human.

With -o FOLDER the scores are kept in FOLDER/scores.jsonl as soon as a metric is done, and a later
run takes them from there as long as texts and signature are the same.
{COLUMNS}

[ARGUMENTS]
ROWS: files of rows, a set each: JSON Lines, CSV, Parquet or Arrow
--human: columns with human scores, each taken where a file has it; scores.x means x in the object
    scores [all in the object scores]
--own: functions of your own, as summeval.register takes them, in a module here or installed

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study metrics rows.jsonl -m rouge2,tesla-e,consensus --human relevance
  summeval study metrics rows.jsonl -m preset:fast --split tune -o tuned
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

import summeval
from summeval.cli.shared import flags
from summeval.cli.shared.choice import DEFAULT, columns_of, imported, made, usual
from summeval.cli.shared.errors import UsageError, as_usage, refusals
from summeval.cli.shared.layout import resolve_names
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import texts_of
from summeval.io import DataError, naming
from summeval.io.source import shown
from summeval.metrics.registry import split_field
from summeval.study.metrics import JudgedSet, metrics
from summeval.table.table import Table, read_rows

_OBJECT = "scores."


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("input", metavar="ROWS", nargs="+")
    flags.add(parser, "metrics", "human", "system", "topic")
    flags.add_names(parser, "--own", metavar="MODULE:FUNCTION")
    flags.derive(parser, metrics, "split", "coefficient", "resamples", "confidence", "seed")
    flags.add(parser, "option", "workers")
    flags.add_columns(parser)
    add_output(parser)


def run(arguments: Namespace) -> None:
    """Score, correlate and print."""
    workers = flags.workers_of(arguments)
    human = flags.names_of("--human", arguments.human, "column")
    chosen = flags.parameters(arguments)
    check_folder_of(arguments)
    own = [_own(text) for text in flags.names_of("--own", arguments.own, "function")]
    asked = flags.names_of("--metrics", arguments.metrics or [DEFAULT], "metric", blanks=True)
    names = usual([*asked, *own])
    scored = made(dict.fromkeys(split_field(name)[0] for name in names), arguments.option)
    columns = columns_of(scored, names)
    with naming(), as_usage((ValueError, ImportError)):
        _ = [metric.signature for metric in scored]  # raises where an extra is missing
    sets = [
        _read(Namespace(**vars(arguments) | {"input": path}), human) for path in arguments.input
    ]
    titles = [one.name for one in sets]
    for lost in set(human) - {name for one in sets for name in one.human}:
        raise DataError(", ".join(titles), f"no row has a column {lost!r}", "correct --human")
    if len(set(titles)) < len(titles):
        raise UsageError("two files have the same name; a set is called by it, so rename one")
    kept = None
    if arguments.output is not None:
        with naming(arguments.output):
            os.makedirs(arguments.output, exist_ok=True)
        kept = os.path.join(arguments.output, "scores.jsonl")
    with refusals(", ".join(titles), "correct the rows"):
        found = metrics(sets, scored, columns, workers=workers, kept=kept, **chosen)
    show_study(arguments, found)
    if unscored := [name for name in own if name not in found.signatures]:
        what = f"{' and '.join(unscored)} could score no set, as the notes say"
        raise DataError(", ".join(titles), what, "correct what --own names")


def _own(text: str) -> str:
    """Register a function under its name, which is returned."""
    module, colon, name = text.partition(":")
    found = imported("--own", module) if colon and module and name else None
    if not hasattr(found, name):
        why = f"{module} has no {name}" if found else "write MODULE:FUNCTION"
        raise UsageError(f"--own {text}: {why}")
    with as_usage((ValueError, TypeError), f"--own {text}: "):
        summeval.register(name, getattr(found, name), replace=True)
    return name


def _read(arguments: Namespace, human: list[str]) -> JudgedSet:
    """Read a file: its summaries and those of the human scores that it has."""
    table = read_rows(arguments.input)
    name = shown(arguments.input)
    resolve_names(arguments, table)
    read = texts_of(arguments, name, table.rows, (), ("references", "source"))
    taken = {one: column for one in human if (column := _column(one, table))}
    if not human:
        paths = [path for path in table.paths() if path.startswith(_OBJECT)]
        taken = {one.removeprefix(_OBJECT): one for one in paths if table.holds_numbers(one)}
        if not taken:
            hint = "name the columns with --human"
            raise DataError(name, "no row has numbers in an object 'scores'", hint)
    return JudgedSet(
        os.path.basename(name).partition(".")[0],
        read.names(arguments.system, "system"),
        read.names(arguments.topic, "topic"),
        read.candidates,
        read.references,
        read.sources,
        {one: read.numbers(column) for one, column in taken.items()},
    )


def _column(human: str, table: Table) -> str | None:
    """Return the column of a human score, which may be in the object; None if there is none."""
    return next((one for one in (human, f"{_OBJECT}{human}") if one in table), None)
