"""`summeval qarla`: score every set of metrics by how well it separates models from peers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

import summeval
from summeval._progress import Progress
from summeval.cli.score import input_format
from summeval.cli.shared.arguments import add_format, add_option
from summeval.cli.shared.choice import DEFAULT, NAMES_HELP, choose, split_field
from summeval.cli.shared.columns import add_columns, columns_of, settled
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.names import add_names, names_of
from summeval.cli.shared.printing import put, write_file
from summeval.cli.shared.workers import add_workers, workers_of
from summeval.io import Chunk, DataError, InputFile, read_chunks
from summeval.io.column_names import not_found
from summeval.meta import qarla
from summeval.meta.metric_sets import MetricSet, MetricSets, mean_sets
from summeval.meta.tables.scores import balance
from summeval.metrics.run.protocols import Member
from summeval.report.tables import table

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

DESCRIPTION = """\
Score every set of the metrics by QARLA: how well it separates references (models) from candidates.

KING is how often a set of metrics ranks a reference above all candidates. JACK is how often two
candidates are no closer to each other than one of them is to a reference; if it is low, the
candidates are alike and KING is unreliable. QUEEN is how often a candidate is as close to a
reference as references are to each other.

INPUT holds rows as for summeval score, with columns for the system and the topic; all rows of a
topic have the same references, 3 or more. KING and JACK are means over topics; the QUEEN of a
system is its mean over topics. A metric counts by its value, or by the given field: rouge1.recall.
Metrics are negated if lower means more similar."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval qarla rows.jsonl -m rouge1,rouge2,rougeL,rougeSU4 --top 5 --json sets.json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="INPUT", help=".jsonl or .csv, also with .gz; - is standard input")
    add_names(parser, "-m", "--metrics", help=NAMES_HELP)
    add_option(parser, "as for summeval score")
    add("--system", default="system", metavar="COLUMN", help="column with the system [system]")
    add("--topic", default="topic", metavar="COLUMN", help="column with the topic [topic]")
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
    add(
        "--json",
        metavar="OUT",
        help="write all sets as JSON; - is standard output, without the table",
    )
    add_workers(parser)
    add_format(parser)
    add_columns(parser, ("candidate", "references"))
    add("--no-progress", action="store_true", help="no progress bar")


@dataclass
class Topic:
    """The summaries of one topic.

    Attributes
    ----------
    models : list of str
        The references.
    peers : dict of str to str
        The candidate of each system.
    """

    models: list[str]
    peers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """The results to print and write.

    Attributes
    ----------
    topics : dict of str to Topic
    sets : MetricSets
        Means over the topics.
    best : MetricSet
        The set used for the QUEEN of the systems.
    queens : dict of str to float
        QUEEN of each system, in descending order.
    """

    topics: dict[str, Topic]
    sets: MetricSets
    best: MetricSet
    queens: dict[str, float]


class Choice:
    """The requested metrics: a suite, and the columns of its tables to use.

    `rising` says for each whether higher means more similar; distances are negated.
    """

    def __init__(self, names: Sequence[str], options: Sequence[str]) -> None:
        self.names = names_of("--metrics", names, "metric", blanks=True)
        parts = {name: split_field(name) for name in self.names}
        bases = list(dict.fromkeys(base for base, _ in parts.values()))
        self.suite = choose(bases, options)
        made = dict(zip(bases, self.suite.metrics, strict=True))
        self.columns = [_column(made[base], wanted) for base, wanted in parts.values()]
        self.rising = [
            made[base].directions[wanted or made[base].primary] for base, wanted in parts.values()
        ]
        if len(self.names) > qarla.MOST_METRICS:
            raise UsageError(f"{len(self.names)} metrics; name at most {qarla.MOST_METRICS}")

    def similarities(self, texts: Sequence[str], workers: int) -> NDArray[float64]:
        """Score every text against every text: [metric, candidate, reference]."""
        count = len(texts)
        found = self.suite.score_batch(
            [text for text in texts for _ in texts], list(texts) * count, workers=workers
        )
        return np.stack([found[column].reshape(count, count) for column in self.columns])


def run(arguments: argparse.Namespace) -> int:
    """Score the sets, print and write; return the exit status."""
    workers = workers_of(arguments)
    if arguments.top < 1:
        raise UsageError(f"--top is {arguments.top}; give at least 1")
    choice = Choice(arguments.metrics or [DEFAULT], arguments.option)
    wanted = _members(arguments.queen, choice.names)
    topics = _read(arguments)
    sets, similarities = _score(arguments, choice, topics, workers)
    best = sets.of(wanted) if wanted else sets.best(1)[0]
    queens = _queens(best, choice, topics, similarities, arguments.triples)
    result = Result(topics, sets, best, queens)
    cells = [(system, name) for name, topic in topics.items() for system in topic.peers]
    notes = balance(list(queens), list(topics), cells)
    falling = [name for name, up in zip(choice.names, choice.rising, strict=True) if not up]
    notes += [f"{name}: lower means more similar, so it was negated" for name in falling]
    if arguments.json != "-":
        put([*_table(result, arguments.top), *(f"note: {note}" for note in notes)])
    if arguments.json:
        document = _document(arguments, choice, result) | {"notes": notes}
        write_file(arguments.json, (json.dumps(document, indent=1) + "\n").encode())
    return 0


def _column(metric: Member, wanted: str | None) -> str:
    if metric.compared_with != "references":
        raise UsageError(f"{metric.name} does not use references; QARLA needs metrics that do")
    if wanted is not None and wanted not in metric.fields:
        raise UsageError(f"{metric.name} has no {wanted!r}; it has {', '.join(metric.fields)}")
    return f"{metric.name}.{wanted or metric.primary}"


def _members(given: Sequence[str], names: Sequence[str]) -> list[str]:
    members = names_of("--queen", given, "metric", blanks=True)
    for name in members:
        if name not in names:
            raise UsageError(f"--queen names {name!r}; choose from {', '.join(names)}")
    return members


def _read(arguments: argparse.Namespace) -> dict[str, Topic]:
    asked = columns_of(arguments, ("references",))
    topics: dict[str, Topic] = {}
    with InputFile(arguments.input) as file:
        number = 0
        form = input_format(arguments)
        for chunk in read_chunks(file, form, settled(file, form, asked)):
            for index in range(len(chunk)):
                number += 1
                _add(topics, chunk, index, f"{file.name}: row {number}", arguments)
        if not topics:
            raise DataError(file.name, "holds no rows", "write one row on each line")
    return topics


def _add(
    topics: dict[str, Topic], chunk: Chunk, index: int, place: str, arguments: argparse.Namespace
) -> None:
    """Add a row to its topic."""
    row, names = chunk.rows[index], []
    for option in ("topic", "system"):
        column = getattr(arguments, option)
        if column not in row:
            raise DataError(place, not_found(column, row), f"choose the column with --{option}")
        if row[column] in (None, ""):
            raise DataError(place, f"{column!r} is empty", f"give the {option} of every row")
        if isinstance(row[column], (dict, list)):
            raise DataError(place, f"{column!r} is not a name", f"give the {option} as a text")
        names.append(str(row[column]))
    topic, system = names
    candidate, references = chunk.candidates[index], chunk.references[index]
    if candidate is None or not references:
        what = "candidate" if candidate is None else "references"
        raise DataError(place, f"has no {what}", "add the text, or remove the row")
    known = topics.setdefault(topic, Topic(references))
    if known.models != references:
        raise DataError(
            place,
            f"its references differ from those of earlier rows of topic {topic!r}",
            "give every row of a topic the same references in the same order",
        )
    if system in known.peers:
        raise DataError(
            place, f"system {system!r} is repeated in topic {topic!r}", "remove one of them"
        )
    known.peers[system] = candidate


def _score(
    arguments: argparse.Namespace, choice: Choice, topics: dict[str, Topic], workers: int
) -> tuple[MetricSets, list[NDArray[float64]]]:
    """The mean over topics, and the similarities of each topic."""
    progress = Progress(len(topics), not arguments.no_progress)
    sets, similarities = [], []
    try:
        for done, (name, topic) in enumerate(topics.items(), 1):
            found = choice.similarities([*topic.models, *topic.peers.values()], workers)
            try:
                scored = qarla.metric_sets(
                    found,
                    len(topic.models),
                    names=choice.names,
                    triples=arguments.triples,
                    ties=arguments.ties,
                    variant=arguments.jack,
                    higher_is_better=choice.rising,
                    workers=workers,
                )
            except ValueError as error:
                place = f"{arguments.input}: topic {name!r}"
                raise DataError(place, str(error), "give every topic enough references") from None
            sets.append(scored)
            similarities.append(found)
            progress.update(done, found[0].size)
    finally:
        progress.finish()
    return mean_sets(sets), similarities


def _queens(
    best: MetricSet,
    choice: Choice,
    topics: dict[str, Topic],
    similarities: Sequence[NDArray[float64]],
    triples: Any,
) -> dict[str, float]:
    """QUEEN of each system in descending order: the mean over its topics."""
    members = [choice.names.index(name) for name in best.metrics]
    rising = [choice.rising[member] for member in members]
    found: dict[str, list[float]] = {}
    for topic, x in zip(topics.values(), similarities, strict=True):
        queens = qarla.queens(x[members], len(topic.models), triples, higher_is_better=rising)
        for system, value in zip(topic.peers, queens.tolist(), strict=True):
            found.setdefault(system, []).append(value)
    means = {system: sum(values) / len(values) for system, values in found.items()}
    return dict(sorted(means.items(), key=lambda item: -item[1]))


def _table(result: Result, top: int) -> list[str]:
    topics, sets = result.topics.values(), result.sets
    counts = sorted({len(topic.models) for topic in topics})
    models = f"{counts[0]} to {counts[-1]}" if counts[1:] else f"{counts[0]}"
    shown = sets.best(top)
    rows = [["+".join(one.metrics), f"{one.king:.4f}", f"{one.jack:.4f}"] for one in shown]
    return [
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


def _document(arguments: argparse.Namespace, choice: Choice, result: Result) -> dict[str, Any]:
    return {
        "summeval": summeval.__version__,
        "triples": arguments.triples,
        "ties": arguments.ties,
        "jack": arguments.jack,
        "topics": {
            name: {"models": len(topic.models), "peers": len(topic.peers)}
            for name, topic in result.topics.items()
        },
        "metrics": dict(zip(choice.names, choice.columns, strict=True)),
        "higher_is_better": dict(zip(choice.names, choice.rising, strict=True)),
        "signatures": choice.suite.signature,
        "sets": [
            {"metrics": one.metrics, "king": one.king, "jack": one.jack}
            for one in result.sets.best()
        ],
        "queen": {"metrics": result.best.metrics, "systems": result.queens},
    }
