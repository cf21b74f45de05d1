"""`summeval correlate`: how well metrics agree with people."""

from __future__ import annotations

import argparse
from typing import Any

from summeval.cli.errors import UsageError
from summeval.cli.judged import (
    add_judged,
    check_numbers,
    coefficients_of,
    left_out,
    levels_of,
    metrics_of,
    read_judged,
    settings_of,
)
from summeval.cli.layouts import add_layout, show
from summeval.meta import bootstrap_interval, correlate, fisher_interval
from summeval.meta.scores import Scores

DESCRIPTION = """\
Correlate the metrics of SCORES with what people said of the same summaries.

Each row of SCORES holds the scores of one summary, in columns METRIC.FIELD as `summeval score`
writes them, with the names of its system and topic. Levels: summary is the mean over topics of the
correlation over systems, system the correlation of the systems' means, global that of all
summaries. Spearman takes mid ranks, Kendall is tau-b. Intervals are Fisher's or, with --bootstrap,
percentiles of systems and topics drawn anew."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval score rows.jsonl -m rouge1,rouge2 -o scores.jsonl
  summeval correlate scores.jsonl --human coherence --level all --bootstrap 1000"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_judged(parser)
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        default=[],
        metavar="NAME",
        help="METRIC or METRIC.FIELD [every one]",
    )
    parser.add_argument(
        "--bootstrap",
        type=int,
        default=0,
        metavar="N",
        help="draws of an interval; 0: Fisher's [0]",
    )
    add_layout(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, correlate, print. Returns the exit status."""
    check_numbers(arguments, 0)
    levels, coefficients = levels_of(arguments), coefficients_of(arguments)
    if arguments.bootstrap == 0 and arguments.over != "both":
        raise UsageError("--over says what --bootstrap draws; give --bootstrap too")
    scores, columns = read_judged(arguments, metrics_of(arguments))
    rows, notes = [], list(scores.notes)
    for column in columns:
        for level in levels:
            for coefficient in coefficients:
                rows.append(_row(scores, column, coefficient, level, arguments))
        notes += left_out(scores, column, arguments.human, levels)
    drawn = arguments.bootstrap > 0
    settings = settings_of(arguments, scores) | {
        "confidence": arguments.confidence,
        "interval": "bootstrap" if drawn else "Fisher",
        "over": arguments.over if drawn else None,
        "resamples": arguments.bootstrap if drawn else None,
        "seed": arguments.seed if drawn else None,
    }
    show(arguments, rows, settings, list(dict.fromkeys(notes)))
    return 0


def _row(
    scores: Scores, column: str, coefficient: Any, level: Any, arguments: argparse.Namespace
) -> dict[str, Any]:
    found = correlate(scores[column], scores[arguments.human], coefficient, level)
    row = {
        "metric": column,
        "level": level,
        "coefficient": coefficient,
        "value": found.value,
    }
    if arguments.bootstrap:
        drawn = bootstrap_interval(
            scores[column],
            scores[arguments.human],
            coefficient,
            level,
            over=arguments.over,
            resamples=arguments.bootstrap,
            confidence=arguments.confidence,
            seed=arguments.seed,
        )
        row |= {"lower": drawn.lower, "upper": drawn.upper, "undefined": drawn.undefined}
    else:
        bounds = fisher_interval(found.value, found.observations, coefficient, arguments.confidence)
        row |= {"lower": bounds[0], "upper": bounds[1]}
    return row | {"systems": found.systems, "topics": found.topics - len(found.skipped)}
