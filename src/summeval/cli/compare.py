"""`summeval compare`: test which metrics agree better with people."""

from __future__ import annotations

import argparse
from itertools import product
from typing import Any

import numpy as np

from summeval.cli.shared import judged
from summeval.cli.shared.arguments import add_alpha, add_names
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.judged import ceiling_notes, ceiling_of, ceilings_of
from summeval.cli.shared.layouts import add_layout, settle_layout, show
from summeval.io import DataError
from summeval.meta import compare, koehn_test, permutation_test, williams_test
from summeval.meta.arrays import pair
from summeval.table.scores import Scores

DESCRIPTION = """\
Test whether metrics in SCORES differ in how well they agree with people.

With two metrics: p is the p-value to report, two-sided, of the permutation test; p Williams is a
check that supposes more (normal scores, independent points). wins is the number of resampled sets
of topics on which A correlates better (Koehn's test: a win rate, not a p-value). With more metrics
all are ranked; two metrics share a letter if and only if they do not differ significantly. All
metrics of a cluster differ from all of the next; those of one cluster may differ too. SCORES is
read as by `summeval correlate`; metrics are negated if lower is better."""

_P = (
    "p is the p-value to report (permutation test); p Williams is a check, which supposes normal"
    " scores and independent points"
)

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval compare scores.jsonl --human coherence --metrics rouge1 rouge2 --level system"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    judged.add_judged(parser)
    add = parser.add_argument
    add_names(
        parser, "-m", "--metrics", required=True, help="two or more, as METRIC or METRIC.FIELD"
    )
    add("--bootstrap", type=int, default=1000, metavar="N", help="draws and permutations [1000]")
    add_alpha(parser, "many tests")
    add(
        "--correction",
        choices=("holm", "bonferroni", "none"),
        default="holm",
        help="correction of the p-values of more than two metrics [holm]",
    )
    add_layout(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, test and print; return the exit status."""
    settle_layout(arguments)
    judged.check_numbers(arguments, 1)
    judged.read_names(arguments)
    if len(arguments.metrics) < 2:
        raise UsageError("--metrics names one metric; pass two or more")
    levels, coefficients = judged.levels_of(arguments), judged.coefficients_of(arguments)
    given, columns = judged.read_judged(arguments)
    if len(columns) < len(arguments.metrics):
        raise UsageError("--metrics names a column twice; pass different ones")
    many, several = len(columns) > 2, len(arguments.human) > 1
    made = _ranked if many else _pair
    known = ceilings_of(given, arguments.human, levels)
    rows: list[dict[str, Any]] = []
    notes = list(given.notes)
    with judged.quiet():
        for human in arguments.human:
            common, more = _common(given, columns, human, several)
            notes += more
            for column in columns:
                notes += judged.left_out(common, column, human, levels, several)
            try:
                for level, coefficient in product(levels, coefficients):
                    found = made(common, columns, human, coefficient, level, arguments)
                    rows += [
                        row | ceiling_of(known, human, level, coefficient, row.get("value"))
                        for row in found
                    ]
            except ValueError as error:
                named = str(error).replace("metric_a", columns[0]).replace("metric_b", columns[1])
                raise DataError(arguments.scores, named, "omit the metric") from None
    notes += [_P] * (not many)
    notes += judged.negated_humans(given, arguments.human)
    notes += ceiling_notes(known)
    judged.caution(given, columns, arguments.human, levels)
    settings = judged.settings_of(arguments, given) | {
        "over": judged.permuted_by(arguments, levels),
        "intervals over": judged.drawn_by(arguments, levels, given) if many else "topics",
        "resamples": arguments.bootstrap,
        "seed": arguments.seed,
        "confidence": arguments.confidence,
        "alpha": arguments.alpha if many else None,
        "correction": arguments.correction if many else None,
    }
    hidden = ["over", *["human"] * (not several)]
    show(arguments, rows, settings, list(dict.fromkeys(notes)), hidden)
    return 0


def _common(
    scores: Scores, metrics: list[str], human: str, several: bool
) -> tuple[Scores, list[str]]:
    """The scores restricted to cells where all columns have one, and notes with their number."""
    columns = [*metrics, human]
    (*tables,), _ = pair(**{column: scores[column] for column in columns})
    kept = int((~np.isnan(tables[0])).sum())
    most = max(int((~np.isnan(scores[column])).sum()) for column in columns)
    notes = []
    if kept < most:
        whose = f"{human}: " if several else ""
        notes.append(f"{whose}compared on the {kept} of {most} cells that all columns have")
    given = dict(zip(columns, tables, strict=True))
    return Scores(scores.systems, scores.topics, given, (), scores.higher_is_better), notes


def _pair(  # noqa: PLR0917 - all that makes a row
    scores: Scores,
    columns: list[str],
    human: str,
    coefficient: Any,
    level: Any,
    arguments: argparse.Namespace,
) -> list[dict[str, Any]]:
    tables = scores[columns[0]], scores[columns[1]], scores.rising()[human]
    rising = {column: scores.higher_is_better[column] for column in columns}
    up = list(rising.values())
    count, seed = arguments.bootstrap, arguments.seed
    koehn = koehn_test(
        *tables,
        coefficient,
        count,
        seed,
        level=level,
        confidence=arguments.confidence,
        higher_is_better=up,
    )
    permuted = permutation_test(
        *tables,
        coefficient,
        level,
        over=arguments.over,
        resamples=count,
        seed=seed,
        higher_is_better=up,
    )
    return [
        {
            "human": human,
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
            "p": permuted.pvalue,
            "p Williams (check)": williams_test(*tables, coefficient, level).pvalue,
            "higher_is_better": rising,
            "negated": [column for column in columns if not rising[column]],
        }
    ]


def _ranked(  # noqa: PLR0917 - all that makes a table
    scores: Scores,
    columns: list[str],
    human: str,
    coefficient: Any,
    level: Any,
    arguments: argparse.Namespace,
) -> list[dict[str, Any]]:
    found = compare(
        {column: scores[column] for column in columns},
        scores.rising()[human],
        coefficient,
        level,
        over=arguments.over,
        correction=arguments.correction,
        alpha=arguments.alpha,
        resamples=arguments.bootstrap,
        confidence=arguments.confidence,
        seed=arguments.seed,
        higher_is_better={column: scores.higher_is_better[column] for column in columns},
    )
    return [
        {
            "human": human,
            "metric": name,
            "level": level,
            "coefficient": coefficient,
            "value": interval.value,
            "lower": interval.lower,
            "upper": interval.upper,
            "letters": found.letters[place],
            "cluster": found.clusters[place],
            "over": interval.over,
            "higher_is_better": found.higher_is_better[place],
            "negated": not found.higher_is_better[place],
        }
        for place, (name, interval) in enumerate(zip(found.names, found.intervals, strict=True))
    ]
