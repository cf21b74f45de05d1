"""`summeval qarla`: sets of metrics by how well they separate models from peers; `study qarla`.

# summeval qarla

Score every set of the metrics by QARLA: how well it separates references (models) from candidates.

KING is how often a set of metrics ranks a reference above all candidates. JACK is how often two
candidates are no closer to each other than one of them is to a reference; if it is low, the
candidates are alike and KING is unreliable. QUEEN is how often a candidate is as close to a
reference as references are to each other.

INPUT holds rows as for summeval score, with columns for the system and the topic; all rows of a
topic have the same references, 3 or more. KING and JACK are means over topics; the QUEEN of a
system is its mean over topics. A metric counts by its value, or by the given field: rouge1.recall.
Metrics are negated if lower means more similar. Scores without texts are not enough, because
references are compared with each other. But --metrics may also name columns of judges, beside a
metric of texts, if people have rows of their own (--people). With --human, the QUEEN of the systems
is correlated with human scores. summeval study qarla repeats the paper's experiments.

[ARGUMENTS]
--human: columns with human scores; scores.x means x in the object scores [none]
--option: an option of a metric or a family, as for summeval score
--lower-is-better: columns of judges among --metrics in which lower is better [none]
--json: write all sets as JSON; - is standard output, without the table
INPUT: JSON Lines, CSV, Parquet or Arrow; - is standard input
--system: column with the system [system]
--topic: column with the topic [topic]
--people: systems that are people: their candidates count as references [none]
--queen: metrics for the systems' QUEEN [the best set]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval qarla rows.jsonl -m rouge1,rouge2,rougeL,rougeSU4 --top 5 --json sets.json

# summeval study qarla

Repeat the experiments of QARLA (Amigó, Gonzalo, Peñas and Verdejo 2005): KING of each metric and of
the best sets (figure 5), JACK as systems are added and of subsets of systems (figure 6), the
correlation of QUEEN with people against KING over every set (figure 7, with --human), and the
people among the systems (table 1).

INPUT holds rows with texts as for summeval score, of two systems or more on two topics or more; all
rows of a topic have the same references, 3 or more. summeval qarla prints the sets alone.

[ARGUMENTS]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval study qarla rows.jsonl -m rouge1,rouge2,rougeL,rougeSU4 --human relevance -o qarla
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import summeval
from summeval._progress import Progress
from summeval.cli.shared import flags
from summeval.cli.shared.choice import DEFAULT, choose, usual
from summeval.cli.shared.errors import UsageError, as_usage, put, write_file
from summeval.cli.shared.layout import map_columns
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import read_study
from summeval.io import DataError, RowError
from summeval.io.formats import DELIMITERS, FORMATS, Format, format_of, read_chunks
from summeval.io.source import InputFile, no_rows, shown
from summeval.meta import qarla
from summeval.meta import topics as by_topic
from summeval.meta.qarla import MetricSet
from summeval.metrics.qarla.parts import Parts
from summeval.metrics.registry import split_field, usual_name
from summeval.report.tables import table, text_lines
from summeval.study.qarla import MOST_METRICS, study_qarla

_READINGS = ("triples", "ties", "variant")  # of QARLA, where the paper leaves it open
COEFFICIENTS = ("pearson", "spearman", "kendall")
_LACKS = re.compile(r": no '.*--(candidate|references)-column")  # of an error: without texts


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of `qarla`."""
    _add_topics(parser)
    flags.add(parser, "lower-is-better", "columns")
    parser.add_argument("--json", metavar="OUT")
    flags.add(parser, "format", "separator")


def add_study(parser: ArgumentParser) -> None:
    """Declare the arguments of `study qarla`."""
    _add_topics(parser)
    flags.derive(parser, study_qarla, "subsets", "seed")
    add_output(parser)


def _add_topics(parser: ArgumentParser) -> None:
    """Declare the arguments for the rows, the metrics and the readings of QARLA."""
    add = parser.add_argument
    add("input", metavar="INPUT")
    flags.add(parser, "metrics")
    flags.add(parser, "option", "system", "topic", "human")
    add("--people", default="", metavar="GLOB")
    flags.derive(parser, study_qarla, "triples", "ties", "variant", "top")
    flags.add_names(parser, "--queen")
    flags.add(parser, "workers")
    flags.add_columns(parser, ("candidate", "references"))
    flags.add(parser, "no-progress")


class Result(NamedTuple):
    """Scores, the set for the QUEEN of the systems, these, and their correlations with people."""

    scored: by_topic.ScoredTopics
    best: MetricSet
    queens: dict[str, float]
    correlations: list[dict[str, Any]]


def run(arguments: Namespace) -> None:
    """Score the sets, print and write."""
    workers = flags.workers_of(arguments)
    map_columns(arguments)
    arguments.judged = _judged(arguments)
    parts = _parts(arguments, qarla.MOST_METRICS - len(arguments.judged))
    wanted = _members(arguments, [*parts.names, *arguments.judged])
    topics = _read_topics(arguments, flags.input_format(arguments, FORMATS))
    try:
        topics.check_humans()
        with Progress(len(topics), not arguments.no_progress) as progress:
            how = flags.given(arguments, *_READINGS)
            scored = by_topic.score_topics(
                topics, parts, **how, workers=workers, update=progress.update
            )
    except (by_topic.TopicError, RowError) as error:
        raise _data_error(arguments, error) from None
    best = scored.sets.of(wanted) if wanted else scored.sets.best(1)[0]
    queens = scored.queens(best.metrics)
    correlations = by_topic.correlations_with(queens, topics, COEFFICIENTS)
    result = Result(scored, best, by_topic.system_means(queens, topics.systems), correlations)
    alone = "a score of each text alone, the same beside every other; JACK says nothing of it"
    directions = dict(zip(parts.names, parts.directions, strict=True)) | arguments.judged
    lower_is_better = [name for name, up in directions.items() if not up]
    notes = topics.balance(list(result.queens))
    notes += [f"{name}: {alone}" for name in arguments.judged]
    notes += [f"{name}: lower means more similar, so it was negated" for name in lower_is_better]
    if arguments.json != "-":
        put([*_table(result, arguments.top), *(f"note: {note}" for note in notes)])
    if arguments.json:
        document = _document(parts, result) | {"notes": notes}
        write_file(arguments.json, (json.dumps(document, indent=1) + "\n").encode())


def run_study(arguments: Namespace) -> None:
    """Run the study and print it."""
    check_folder_of(arguments)
    workers = flags.workers_of(arguments)
    chosen = flags.parameters(arguments, "give at least {}")
    parts = _parts(arguments, MOST_METRICS)
    best = _members(arguments, parts.names)
    topics = _read_topics(arguments, format_of(arguments.input) or "jsonl")
    try:
        with Progress(len(topics), not arguments.no_progress) as progress:
            how = {**chosen, "workers": workers, "update": progress.update}
            found = study_qarla(topics, parts, best=best, **how)
    except (by_topic.TopicError, RowError) as error:
        raise _data_error(arguments, error) from None
    show_study(arguments, found)


def _table(result: Result, top: int) -> list[str]:
    topics, sets = result.scored.topics.values(), result.scored.sets
    counts = sorted({len(topic.models) for topic in topics})
    models = f"{counts[0]} to {counts[-1]}" if counts[1:] else f"{counts[0]}"
    shown = sets.best(top)
    rows = [["+".join(one.metrics), f"{one.king:.4f}", f"{one.jack:.4f}"] for one in shown]
    lines = [
        f"{len(topics)} topics with {models} references each, {len(result.queens)} systems;"
        f" the best {len(shown)} of {len(sets)} sets of metrics",
        "",
        *table(["set", "KING", "JACK"], rows),
        "",
        *table(
            [f"system, by {'+'.join(result.best.metrics)}", "QUEEN"],
            [[system, f"{value:.4f}"] for system, value in result.queens.items()],
        ),
    ]
    return [*lines, "", *text_lines(result.correlations)] if result.correlations else lines


def _document(parts: Parts, result: Result) -> dict[str, Any]:
    scored, judged = result.scored, result.scored.topics.judged
    found = {
        "summeval": summeval.__version__,
        "triples": scored.triples,
        "ties": scored.ties,
        "jack": scored.variant,
        "topics": {
            name: {"models": len(topic.models), "peers": len(topic.peers)}
            for name, topic in scored.topics.items()
        },
        "metrics": dict(zip(parts.names, parts.columns, strict=True)) | {n: n for n in judged},
        "higher_is_better": dict(zip(parts.names, parts.directions, strict=True)) | judged,
        "signatures": parts.suite.signature,
        "sets": [
            {"metrics": one.metrics, "king": one.king, "jack": one.jack}
            for one in scored.sets.best()
        ],
        "queen": {"metrics": result.best.metrics, "systems": result.queens},
    }
    return found | ({"correlations": result.correlations} if result.correlations else {})


def _parts(arguments: Namespace, most: int) -> Parts:
    """Return the similarities that the arguments name, with their options, at most so many."""
    names = usual(
        flags.names_of("--metrics", arguments.metrics or [DEFAULT], "metric", blanks=True)
    )
    made = choose(dict.fromkeys(split_field(name)[0] for name in names), arguments.option).metrics
    if len(names) > most:
        raise UsageError(f"{len(names)} metrics; name at most {most}")
    with as_usage():
        return Parts(names, made)


def _judged(arguments: Namespace) -> dict[str, bool]:
    """Take the names that are no metrics from --metrics: columns of judges, and their directions.

    At least one of the names must be a metric.
    """
    names = flags.names_of("--metrics", arguments.metrics, "metric", blanks=True)
    lower = flags.names_of("--lower-is-better", arguments.lower_is_better, "column")
    is_metric = {n: usual_name(split_field(n)[0]) is not None for n in names}  # in any spelling
    found = {name: name not in lower for name in names if not is_metric[name]}
    if len(found) == len(names):
        found = {}  # of which `_parts` says that they are no metrics
    for name in lower:
        if name not in found:
            known = ", ".join(found) or "none"
            problem = f"--lower-is-better names {name!r}, which is no column among --metrics"
            raise UsageError(f"{problem} ({known})")
    arguments.metrics = [name for name in names if name not in found]
    return found


def _members(arguments: Namespace, names: Sequence[str]) -> list[str]:
    """Return the metrics of --queen, which must be among the names."""
    flags.check_least(arguments, top=1)
    members = usual(flags.names_of("--queen", arguments.queen, "metric", blanks=True))
    for name in members:
        if name not in names:
            raise UsageError(f"--queen names {name!r}; choose from {', '.join(names)}")
    return members


def _read_topics(arguments: Namespace, form: Format) -> by_topic.Topics:
    """Return the rows of INPUT, a file of this format, gathered by topic.

    Raises
    ------
    DataError
        Unusable rows, or rows without texts.
    """
    humans = flags.names_of("--human", arguments.human, "column")
    judged = getattr(arguments, "judged", {})
    topics = by_topic.Topics(arguments.system, arguments.topic, humans, arguments.people, judged)
    try:
        for place, row in _rows(arguments, form):
            try:
                topics.add(*row)
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


def _rows(arguments: Namespace, form: Format) -> Iterator[tuple[str, Any]]:
    """Yield the place of each row, and the row with its texts."""
    if form not in DELIMITERS:
        found = read_study(arguments, ("references",))
        texts = zip(found.rows, found.candidates, found.references or (), strict=True)
        for number, row in enumerate(texts, 1):
            yield f"{found.name}: row {number}", row
        return
    with InputFile(arguments.input) as file:  # whose cells may hold a list of references
        number = 0
        named = flags.columns_for(file, form, flags.columns_of(arguments, ("references",)))
        for chunk in read_chunks(file, form, named):
            for row in zip(chunk.rows, chunk.candidates, chunk.references, strict=True):
                number += 1
                yield f"{file.name}: row {number}", row
        if not number:
            raise no_rows(arguments.input)


def _data_error(arguments: Namespace, error: by_topic.TopicError | RowError) -> DataError:
    """Return the error of a topic or of all rows, with the file and what to do."""
    place = shown(arguments.input)
    if isinstance(error, by_topic.TopicError):
        hint = "give every topic enough references"
        return DataError(f"{place}: topic {error.topic!r}", error.message, hint)
    return DataError.of(place, error)
