"""`summeval correlate`: correlate metrics with human scores."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from typing import Any

from summeval.cli.shared import judged
from summeval.cli.shared.arguments import add_names
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.judged import ceiling_notes, ceiling_of, ceilings_of
from summeval.cli.shared.layout import LAYOUT_HELP
from summeval.cli.shared.layouts import add_layout, settle_layout, show
from summeval.meta import bootstrap_interval, correlate, fisher_interval
from summeval.table.scores import Scores

DESCRIPTION = f"""\
Correlate the metrics in SCORES with human scores of the same summaries.

Each row of SCORES holds the scores of one summary, in columns METRIC.FIELD as written by `summeval
score`, and the names of its system and topic. Levels: summary is the mean over topics of the
correlation over systems; system is the correlation of the systems' means; global is the correlation
over all summaries. Spearman uses mid ranks; Kendall is tau-b.

Intervals are bootstrap percentiles over topics at the summary level, and over systems and topics at
the other levels. Metrics are negated if lower is better, so that a good metric correlates above 0.
The direction of summeval's own columns METRIC.FIELD is known; list other columns in which lower is
better with --lower-is-better.

{LAYOUT_HELP}
Where the judges are known, the ceiling is printed beside each correlation: what a perfect metric is
expected to reach, given how far the judges agree; and the disattenuated correlation."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval score rows.jsonl -m rouge1,rouge2 -o scores.jsonl
  summeval correlate scores.jsonl --human coherence --level all"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    judged.add_judged(parser)
    add_names(parser, "-m", "--metrics", help="METRIC or METRIC.FIELD [all]")
    parser.add_argument(
        "--bootstrap",
        type=int,
        default=1000,
        metavar="N",
        help="draws for intervals; 0: Fisher's formula, none at the summary level [1000]",
    )
    add_layout(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, correlate and print; return the exit status."""
    settle_layout(arguments)
    judged.check_numbers(arguments, 0)
    judged.read_names(arguments)
    levels, coefficients = judged.levels_of(arguments), judged.coefficients_of(arguments)
    if arguments.bootstrap == 0 and arguments.over is not None:
        raise UsageError("--over has no effect with --bootstrap 0; omit one of them")
    given, columns = judged.read_judged(arguments)
    scores, rows, notes = given.rising(), [], list(given.notes)
    known = ceilings_of(scores, arguments.human, levels)
    with judged.quiet():
        for human, column in product(arguments.human, columns):
            for level, coefficient in product(levels, coefficients):
                found = _row(scores, column, human, coefficient, level, arguments)
                found |= ceiling_of(known, human, level, coefficient, found["value"])
                rising = given.higher_is_better[column]
                rows.append(found | {"higher_is_better": rising, "negated": not rising})
        several = len(arguments.human) > 1
        for human, column in product(arguments.human, columns):
            notes += judged.left_out(scores, column, human, levels, several)
    notes += [*judged.negated_humans(given, arguments.human), *ceiling_notes(known)]
    judged.caution(given, columns, arguments.human, levels)
    settings = judged.settings_of(arguments, scores) | _interval(arguments, levels, scores)
    show(arguments, rows, settings, list(dict.fromkeys(notes)), _hidden(arguments, rows))
    return 0


def _interval(
    arguments: argparse.Namespace, levels: Sequence[str], scores: Scores
) -> dict[str, Any]:
    """How the intervals were made."""
    drawn = arguments.bootstrap > 0
    return {
        "confidence": arguments.confidence,
        "interval": "bootstrap" if drawn else "Fisher",
        "over": judged.drawn_by(arguments, levels, scores) if drawn else None,
        "resamples": arguments.bootstrap if drawn else None,
        "seed": arguments.seed if drawn else None,
    }


def _hidden(arguments: argparse.Namespace, rows: Sequence[dict[str, Any]]) -> list[str]:
    """The columns hidden in the table for people: the same in all rows, and shown below it."""
    hidden = ["over"]
    if len(arguments.human) == 1:
        hidden.append("human")
    if not any(row["undefined"] for row in rows):
        hidden.append("undefined")
    return hidden


def _row(  # noqa: PLR0917 - all that makes a number
    scores: Scores,
    column: str,
    human: str,
    coefficient: Any,
    level: Any,
    arguments: argparse.Namespace,
) -> dict[str, Any]:
    tables = scores[column], scores[human]
    found = correlate(*tables, coefficient, level)
    row: dict[str, Any] = {
        "human": human,
        "metric": column,
        "level": level,
        "coefficient": coefficient,
        "value": found.value,
    }
    if arguments.bootstrap:
        drawn = bootstrap_interval(
            *tables,
            coefficient,
            level,
            over=arguments.over,
            resamples=arguments.bootstrap,
            confidence=arguments.confidence,
            seed=arguments.seed,
        )
        row |= {"lower": drawn.lower, "upper": drawn.upper}
        more: dict[str, Any] = {"undefined": drawn.undefined, "over": drawn.over}
    else:
        bounds: tuple[float | None, float | None] = (None, None)
        if level != "summary":  # a mean over topics, for which Fisher's formula does not hold
            bounds = fisher_interval(
                found.value, found.observations, coefficient, arguments.confidence
            )
        row |= {"lower": bounds[0], "upper": bounds[1]}
        more = {"undefined": None, "over": None}
    return row | {"systems": found.systems, "topics": found.topics - len(found.skipped)} | more
