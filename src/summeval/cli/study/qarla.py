"""`summeval study qarla`: KING, JACK and QUEEN of sets of metrics, and people."""

from __future__ import annotations

import argparse

from summeval._progress import Progress
from summeval.cli.shared.arguments import workers_of
from summeval.cli.shared.topics import add_topics, data_error, members_of, parts_of, read_topics
from summeval.cli.study.shared import add_output, add_parameters, check_output, parameters, show
from summeval.io import RowError
from summeval.io.formats import format_of
from summeval.meta.topics import TopicError
from summeval.study.qarla import MOST_METRICS, study_qarla

DESCRIPTION = """\
Repeat the experiments of QARLA (Amigó, Gonzalo, Peñas and Verdejo 2005): KING of each metric and of
the best sets (figure 5), JACK as systems are added and of subsets of systems (figure 6), the
correlation of QUEEN with people against KING over every set (figure 7, with --human), and the
people among the systems (table 1).

INPUT holds rows with texts as for summeval score, of two systems or more on two topics or more; all
rows of a topic have the same references, 3 or more. summeval qarla prints the sets alone."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval study qarla rows.jsonl -m rouge1,rouge2,rougeL,rougeSU4 --human relevance -o qarla"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_topics(parser)
    add_parameters(
        parser,
        study_qarla,
        subsets="subsets of systems of each size, drawn where there are more",
        seed="of these draws",
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the study and print it; return the exit status."""
    check_output(arguments)
    workers = workers_of(arguments)
    chosen = parameters(arguments, "give at least")
    parts = parts_of(arguments, MOST_METRICS)
    best = members_of(arguments, parts.names)
    topics = read_topics(arguments, format_of(arguments.input) or "jsonl")
    progress = Progress(len(topics), not arguments.no_progress)
    try:
        found = study_qarla(
            topics,
            parts,
            triples=arguments.triples,
            ties=arguments.ties,
            variant=arguments.jack,
            best=best,
            top=arguments.top,
            workers=workers,
            update=progress.update,
            **chosen,
        )
    except (TopicError, RowError) as error:
        raise data_error(arguments, error) from None
    finally:
        progress.finish()
    show(arguments, found)
    return 0
