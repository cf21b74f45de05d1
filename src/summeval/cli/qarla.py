"""`summeval qarla`: score every set of metrics by how well it separates models from peers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import summeval
from summeval.cli.shared.arguments import add_format, add_names, input_format, workers_of
from summeval.cli.shared.errors import put, write_file
from summeval.cli.shared.layout import add_mapping, map_columns
from summeval.cli.shared.topics import (
    add_topics,
    check_humans,
    judged_of,
    members_of,
    parts_of,
    read_topics,
    score_read,
)
from summeval.io.formats import FORMATS
from summeval.meta import qarla
from summeval.meta.qarla import MetricSet
from summeval.meta.topics import ScoredTopics, correlations_with, system_means
from summeval.metrics.qarla.parts import Parts
from summeval.report.tables import table, text_lines

DESCRIPTION = """\
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
is correlated with human scores. summeval study qarla repeats the paper's experiments."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval qarla rows.jsonl -m rouge1,rouge2,rougeL,rougeSU4 --top 5 --json sets.json"""

COEFFICIENTS = ("pearson", "spearman", "kendall")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_topics(parser)
    add_names(
        parser,
        "--lower-is-better",
        metavar="COLUMN",
        help="columns of judges among --metrics in which lower is better [none]",
    )
    add_mapping(parser)
    parser.add_argument(
        "--json",
        metavar="OUT",
        help="write all sets as JSON; - is standard output, without the table",
    )
    add_format(parser)


@dataclass(frozen=True)
class Result:
    """The results to print and write.

    Attributes
    ----------
    scored : ScoredTopics
    best : MetricSet
        The set used for the QUEEN of the systems.
    queens : dict of str to float
        QUEEN of each system, in descending order.
    correlations : list of dict
        Of these with each human score.
    """

    scored: ScoredTopics
    best: MetricSet
    queens: dict[str, float]
    correlations: list[dict[str, Any]]


def run(arguments: argparse.Namespace) -> int:
    """Score the sets, print and write; return the exit status."""
    workers = workers_of(arguments)
    map_columns(arguments)
    arguments.judged = judged_of(arguments)
    parts = parts_of(arguments, qarla.MOST_METRICS - len(arguments.judged))
    wanted = members_of(arguments, [*parts.names, *arguments.judged])
    topics = read_topics(arguments, input_format(arguments, FORMATS))
    check_humans(arguments, topics)
    scored = score_read(arguments, topics, parts, workers)
    best = scored.sets.of(wanted) if wanted else scored.sets.best(1)[0]
    queens = scored.queens(best.metrics)
    result = Result(
        scored,
        best,
        system_means(queens, topics.systems),
        correlations_with(queens, topics, COEFFICIENTS),
    )
    notes = topics.balance(list(result.queens))
    falling = [name for name, up in zip(parts.names, parts.rising, strict=True) if not up]
    notes += [
        f"{name}: a score of each text alone, the same beside every other; JACK says nothing of it"
        for name in arguments.judged
    ]
    falling += [name for name, up in arguments.judged.items() if not up]
    notes += [f"{name}: lower means more similar, so it was negated" for name in falling]
    if arguments.json != "-":
        put([*_table(result, arguments.top), *(f"note: {note}" for note in notes)])
    if arguments.json:
        document = _document(parts, result) | {"notes": notes}
        write_file(arguments.json, (json.dumps(document, indent=1) + "\n").encode())
    return 0


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
    agreement: Sequence[str] = text_lines(result.correlations) if result.correlations else ()
    return [*lines, "", *agreement] if agreement else lines


def _document(parts: Parts, result: Result) -> dict[str, Any]:
    scored = result.scored
    judged = scored.topics.judged
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
        "higher_is_better": dict(zip(parts.names, parts.rising, strict=True)) | judged,
        "signatures": parts.suite.signature,
        "sets": [
            {"metrics": one.metrics, "king": one.king, "jack": one.jack}
            for one in scored.sets.best()
        ],
        "queen": {"metrics": result.best.metrics, "systems": result.queens},
    }
    return found | ({"correlations": result.correlations} if result.correlations else {})
