"""`summeval study inputs`: summaries judged by their input alone.

Compare summaries with their input and correlate each feature of SIMetrix, the regression of all of
them, and ROUGE-1 and ROUGE-2 with people (Louis and Nenkova 2009). "macro" correlates the means of
systems over inputs; "micro" correlates the systems of each input, and gives the share of inputs
with a significant correlation. The regression predicts a row from other topics and other systems,
and "regression, topics" from other topics. Features in which lower is better are negated.

A row has a candidate, its source (a text or a list of documents), the names of its system and
topic, and human scores; with references it is also scored by ROUGE.

[ARGUMENTS]
--option: an option of a metric or a family, such as simetrix.background=FILE
--task: names the set of a row, such as query-focused or update; sets are kept apart [one]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study inputs rows.jsonl --human relevance
  summeval study inputs rows.jsonl --human pyramid,responsiveness --task set -o study
"""

from __future__ import annotations

import argparse
from typing import Any

from summeval.cli.shared import flags
from summeval.cli.shared.choice import choose
from summeval.cli.shared.errors import refusals
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.study.rows import add_rows, read_study
from summeval.study.inputs import inputs

_USUAL = {"idf": "wordfreq"}  # the cosine of the paper is weighted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_rows(parser)
    flags.add(parser, "human", required=True)
    parser.add_argument("--task", metavar="COLUMN")
    flags.add_parameters(
        parser,
        inputs,
        coefficient="coefficient of correlation",
        alpha="level of the test of an input's correlation, from 0 to 1",
        resamples="draws of each interval, of topics and systems",
    )
    flags.add(parser, "option", "workers")
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the study; return the exit status."""
    workers = flags.workers_of(arguments)
    human = flags.names_of("--human", arguments.human, "column")
    chosen = flags.parameters(arguments)
    check_folder_of(arguments)
    usual = {} if any("simetrix.idf=" in option for option in arguments.option) else _USUAL
    simetrix: Any = choose(["simetrix"], arguments.option, usual).metrics[0]
    rows = read_study(arguments, ("source",), ("references",))
    with refusals(rows.name):
        found = inputs(
            rows.candidates,
            rows.sources or [],
            rows.names(arguments.system, "system"),
            rows.names(arguments.topic, "topic"),
            {column: rows.numbers(column) for column in human},
            references=rows.references,
            tasks=rows.names(arguments.task, "task") if arguments.task else None,
            simetrix=simetrix,
            workers=workers,
            **chosen,
        )
    show_study(arguments, found)
    return 0
