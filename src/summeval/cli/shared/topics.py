"""Rows of systems on topics with several references each, for the commands of QARLA."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from summeval._progress import Progress
from summeval.cli.shared.arguments import add_flags, add_names, add_option, add_workers, names_of
from summeval.cli.shared.choice import DEFAULT, NAMES_HELP, choose, usual
from summeval.cli.shared.columns import add_columns, columns_of, settled
from summeval.cli.shared.errors import UsageError
from summeval.cli.study.shared import read_study
from summeval.io import DataError, RowError
from summeval.io.formats import DELIMITERS, Format, read_chunks
from summeval.io.rows import Row
from summeval.io.source import InputFile
from summeval.meta.topics import ScoredTopics, TopicError, Topics, score_topics
from summeval.metrics.qarla.parts import Parts
from summeval.metrics.registry import split_field, usual_name

_LACKS = re.compile(r": no '.*--(candidate|references)-column")  # of an error: without texts


def add_topics(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments for the rows, the metrics and the readings of QARLA."""
    add = parser.add_argument
    add("input", metavar="INPUT", help="JSON Lines, CSV, Parquet or Arrow; - is standard input")
    add_names(parser, "-m", "--metrics", help=NAMES_HELP)
    add_option(parser, "as for summeval score")
    add("--system", default="system", metavar="COLUMN", help="column with the system [system]")
    add("--topic", default="topic", metavar="COLUMN", help="column with the topic [topic]")
    add_names(
        parser,
        "--human",
        metavar="COLUMN",
        help="columns with human scores; scores.x means x in the object scores [none]",
    )
    add(
        "--people",
        default="",
        metavar="GLOB",
        help="systems that are people: their candidates count as references [none]",
    )
    add(
        "--triples",
        choices=("pairs", "distinct", "all"),
        default="pairs",
        help="triples that QUEEN counts [pairs]",
    )
    add(
        "--ties",
        choices=("lose", "win"),
        default="lose",
        help="result of models on ties in KING [lose]",
    )
    add(
        "--jack",
        choices=("one_sided", "both_sides", "queen_positive"),
        default="one_sided",
        help="variant of JACK [one_sided]",
    )
    add_names(parser, "--queen", help="metrics for the systems' QUEEN [the best set]")
    add("--top", type=int, default=10, metavar="N", help="number of sets in the table [10]")
    add_workers(parser)
    add_columns(parser, ("candidate", "references"))
    add_flags(parser, "no-progress")


def parts_of(arguments: argparse.Namespace, most: int) -> Parts:
    """Return the similarities that the arguments name, with their options, at most so many."""
    names = usual(names_of("--metrics", arguments.metrics or [DEFAULT], "metric", blanks=True))
    made = choose(dict.fromkeys(split_field(name)[0] for name in names), arguments.option).metrics
    if len(names) > most:
        raise UsageError(f"{len(names)} metrics; name at most {most}")
    try:
        return Parts(names, made)
    except ValueError as error:
        raise UsageError(str(error)) from None


def judged_of(arguments: argparse.Namespace) -> dict[str, bool]:
    """Take the names that are no metrics from --metrics: columns of judges, and their directions.

    At least one of the names must be a metric.
    """
    names = names_of("--metrics", arguments.metrics, "metric", blanks=True)
    lower = names_of("--lower-is-better", arguments.lower_is_better, "column")
    found = {name: name not in lower for name in names if not _is_metric(name)}
    if len(found) == len(names):
        found = {}  # of which `parts_of` says that they are no metrics
    for name in lower:
        if name not in found:
            known = ", ".join(found) or "none"
            problem = f"--lower-is-better names {name!r}, which is no column among --metrics"
            raise UsageError(f"{problem} ({known})")
    arguments.metrics = [name for name in names if name not in found]
    return found


def _is_metric(name: str) -> bool:
    """Return whether a metric is called so, also in another spelling."""
    return usual_name(split_field(name)[0]) is not None


def members_of(arguments: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """Return the metrics of --queen, which must be among the names."""
    if arguments.top < 1:
        raise UsageError(f"--top is {arguments.top}; give at least 1")
    members = usual(names_of("--queen", arguments.queen, "metric", blanks=True))
    for name in members:
        if name not in names:
            raise UsageError(f"--queen names {name!r}; choose from {', '.join(names)}")
    return members


def read_topics(arguments: argparse.Namespace, form: Format) -> Topics:
    """Return the rows of INPUT, a file of this format, gathered by topic.

    Raises
    ------
    DataError
        Unusable rows, or rows without texts.
    """
    humans = names_of("--human", arguments.human, "column")
    judged = getattr(arguments, "judged", {})
    topics = Topics(arguments.system, arguments.topic, humans, arguments.people, judged)
    try:
        for place, row, candidate, references in _rows(arguments, form):
            try:
                topics.add(row, candidate, references)
            except RowError as error:
                raise DataError.of(place, error) from None
    except DataError as error:
        if not _LACKS.search(str(error)):
            raise
        # most often a file of scores, as `score` without its texts
        reason = "QARLA compares texts with each other, so scores are not enough"
        error.args = (f"{error}; {reason}",)
        raise
    return topics


def _rows(
    arguments: argparse.Namespace, form: Format
) -> Iterator[tuple[str, Row, str | None, Sequence[str] | None]]:
    """Yield the place of each row, the row, and its texts."""
    if form not in DELIMITERS:
        found = read_study(arguments, ("references",))
        texts = zip(found.rows, found.candidates, found.references or (), strict=True)
        for index, (row, candidate, references) in enumerate(texts):
            yield f"{found.name}: row {index + 1}", row, candidate, references
        return
    with InputFile(arguments.input) as file:  # whose cells may hold a list of references
        number = 0
        named = settled(file, form, columns_of(arguments, ("references",)))
        for chunk in read_chunks(file, form, named):
            for index, row in enumerate(chunk.rows):
                number += 1
                place = f"{file.name}: row {number}"
                yield place, row, chunk.candidates[index], chunk.references[index]
        if not number:
            raise DataError(file.name, "holds no rows", "write one row on each line")


def score_read(
    arguments: argparse.Namespace, topics: Topics, parts: Parts, workers: int
) -> ScoredTopics:
    """Score the topics with a progress bar; `DataError` names the topic that cannot be scored."""
    progress = Progress(len(topics), not arguments.no_progress)
    try:
        return score_topics(
            topics,
            parts,
            triples=arguments.triples,
            ties=arguments.ties,
            variant=arguments.jack,
            workers=workers,
            update=progress.update,
        )
    except TopicError as error:
        raise data_error(arguments, error) from None
    finally:
        progress.finish()


def check_humans(arguments: argparse.Namespace, topics: Topics) -> None:
    """Raise unless a correlation with each column of human scores exists."""
    try:
        topics.check_humans()
    except RowError as error:
        raise data_error(arguments, error) from None


def data_error(arguments: argparse.Namespace, error: TopicError | RowError) -> DataError:
    """Return the error of a topic or of all rows, with the file and what to do."""
    place = "standard input" if arguments.input == "-" else arguments.input
    if isinstance(error, TopicError):
        mend = "give every topic enough references"
        return DataError(f"{place}: topic {error.topic!r}", error.message, mend)
    return DataError.of(place, error)
