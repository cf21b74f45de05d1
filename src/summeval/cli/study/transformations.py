"""`summeval study transformations`: what each transformation of BEwT-E adds.

Score the rows of ROWS by BEwT-E with all its transformations, with none of them, with each one
alone and with all but each one, and correlate the scores with people (Tratz and Hovy 2008). The
texts are parsed once. A second table says how many matched pairs of elements need each
transformation.

A row has a candidate, its references, the names of its system and topic, and human scores.

[ARGUMENTS]
--option: an option of a metric or a family, such as bewte.weights=binary

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study transformations rows.jsonl --human relevance
  summeval study transformations rows.jsonl --human relevance --coefficient spearman -o study
Needs a parser: pip install 'summeval[nlp]', or --annotations.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from summeval.cli.shared import flags
from summeval.cli.shared.choice import choose
from summeval.cli.shared.errors import as_usage, open_provider, refusals
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.study.rows import add_rows, read_study
from summeval.io import naming
from summeval.study.transformations import transformations

if TYPE_CHECKING:
    from summeval import BEwTE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_rows(parser, ("candidate", "references"))
    flags.add(parser, "human", required=True)
    flags.add_parameters(parser, transformations, coefficient="", resamples="draws of an interval")
    flags.add(parser, "option", "annotations", "no-cache", "workers")
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the study; return the exit status."""
    workers = flags.workers_of(arguments)
    human = flags.names_of("--human", arguments.human, "column")
    chosen = flags.parameters(arguments)
    check_folder_of(arguments)
    metric = _metric(arguments)
    rows = read_study(arguments, ("references",))
    with refusals(rows.name):
        found = transformations(
            rows.candidates,
            rows.references or [],
            rows.names(arguments.system, "system"),
            rows.names(arguments.topic, "topic"),
            {column: rows.numbers(column) for column in human},
            metric=metric,
            workers=workers,
            **chosen,
        )
    show_study(arguments, found)
    return 0


def _metric(arguments: argparse.Namespace) -> BEwTE:
    """BEwT-E with the options of the command line, and with a parser that is there."""
    common: dict[str, Any] = {}
    if arguments.annotations is not None:
        common["parser"] = open_provider(f"file:{arguments.annotations}")
    if arguments.no_cache:
        common["cache"] = False
    metric: Any = choose(["bewte"], arguments.option, common).metrics[0]
    with naming(), as_usage((ValueError, ImportError)):
        _ = metric.signature
    found: BEwTE = metric
    return found
