"""`summeval compare`: which of some metrics agrees better with people."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

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
from summeval.io import DataError
from summeval.meta import compare, koehn_test, permutation_test, williams_test
from summeval.meta.scores import Scores
from summeval.meta.tables import pair

DESCRIPTION = """\
Test whether metrics of SCORES differ in how well they agree with people.

Two metrics: wins is the number of draws of topics in which A correlates better (Koehn's test; a win
rate, no p-value), then the two-sided p-values of the permutation test and of Williams' test. More
metrics: all are ranked; those that share a letter do not differ, those above a cluster differ from
all in it. SCORES is what `summeval correlate` reads."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval compare scores.jsonl --human coherence --metrics rouge1 rouge2 --level system"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_judged(parser)
    add = parser.add_argument
    add(
        "-m",
        "--metrics",
        nargs="+",
        required=True,
        metavar="NAME",
        help="two or more; METRIC.FIELD",
    )
    add("--bootstrap", type=int, default=1000, metavar="N", help="draws and permutations [1000]")
    add("--alpha", type=float, default=0.05, metavar="P", help="level of many tests [0.05]")
    add(
        "--correction",
        choices=("holm", "bonferroni", "none"),
        default="holm",
        help="of the p-values of many metrics [holm]",
    )
    add_layout(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, test, print. Returns the exit status."""
    check_numbers(arguments, 1)
    if not 0.0 < arguments.alpha < 1.0:
        raise UsageError(f"--alpha is {arguments.alpha}; give a share such as 0.05")
    metrics = metrics_of(arguments)
    if len(metrics) < 2:
        raise UsageError("--metrics names one metric; name two or more")
    levels, coefficients = levels_of(arguments), coefficients_of(arguments)
    scores, columns = read_judged(arguments, metrics)
    if len(columns) < len(metrics):
        raise UsageError("--metrics names one column twice; name different ones")
    many = len(columns) > 2
    rows: list[dict[str, Any]] = []
    scores, notes = _common(scores, [*columns, arguments.human])
    for column in columns:
        notes += left_out(scores, column, arguments.human, levels)
    try:
        for level in levels:
            for coefficient in coefficients:
                made = _ranked if many else _pair
                rows += made(scores, columns, coefficient, level, arguments)
    except ValueError as error:
        named = str(error).replace("metric_a", columns[0]).replace("metric_b", columns[1])
        raise DataError(arguments.scores, named, "leave the metric out") from None
    settings = settings_of(arguments, scores) | {
        "over": arguments.over,
        "resamples": arguments.bootstrap,
        "seed": arguments.seed,
        "confidence": arguments.confidence,
        "alpha": arguments.alpha if many else None,
        "correction": arguments.correction if many else None,
    }
    show(arguments, rows, settings, notes)
    return 0


def _common(scores: Scores, columns: list[str]) -> tuple[Scores, list[str]]:
    """The scores in the cells where all columns have one, and notes with how many these are."""
    (*tables,), _ = pair(**{column: scores[column] for column in columns})
    kept = int((~np.isnan(tables[0])).sum())
    most = max(int((~np.isnan(scores[column])).sum()) for column in columns)
    notes = list(scores.notes)
    if kept < most:
        notes.append(f"compared on the {kept} cells that all have, of {most}")
    found = Scores(scores.systems, scores.topics, dict(zip(columns, tables, strict=True)))
    return found, notes


def _pair(
    scores: Scores,
    columns: list[str],
    coefficient: Any,
    level: Any,
    arguments: argparse.Namespace,
) -> list[dict[str, Any]]:
    tables = scores[columns[0]], scores[columns[1]], scores[arguments.human]
    count, seed = arguments.bootstrap, arguments.seed
    koehn = koehn_test(
        *tables, coefficient, count, seed, level=level, confidence=arguments.confidence
    )
    permuted = permutation_test(
        *tables, coefficient, level, over=arguments.over, resamples=count, seed=seed
    )
    return [
        {
            "level": level,
            "coefficient": coefficient,
            columns[0]: koehn.full_a,
            columns[1]: koehn.full_b,
            "wins": koehn.wins,
            "ties": koehn.ties,
            "losses": koehn.losses,
            "undefined": koehn.undefined,
            "win rate": koehn.significance,
            "lower": koehn.lower,
            "upper": koehn.upper,
            "p permutation": permuted.pvalue,
            "p Williams": williams_test(*tables, coefficient, level).pvalue,
        }
    ]


def _ranked(
    scores: Scores,
    columns: list[str],
    coefficient: Any,
    level: Any,
    arguments: argparse.Namespace,
) -> list[dict[str, Any]]:
    found = compare(
        {column: scores[column] for column in columns},
        scores[arguments.human],
        coefficient,
        level,
        over=arguments.over,
        correction=arguments.correction,
        alpha=arguments.alpha,
        resamples=arguments.bootstrap,
        confidence=arguments.confidence,
        seed=arguments.seed,
    )
    return [
        {
            "metric": name,
            "level": level,
            "coefficient": coefficient,
            "value": interval.value,
            "lower": interval.lower,
            "upper": interval.upper,
            "letters": found.letters[place],
            "cluster": found.clusters[place],
        }
        for place, (name, interval) in enumerate(zip(found.names, found.intervals, strict=True))
    ]
