"""`summeval correlate` and `summeval compare`: how well metrics agree with human scores.

# summeval correlate

Correlate the metrics in SCORES with human scores of the same summaries.

Each row of SCORES holds the scores of one summary, in columns METRIC.FIELD as written by `summeval
score`, and the names of its system and topic. Levels: summary is the mean over topics of the
correlation over systems; system is the correlation of the systems' means; global is the correlation
over all summaries. Spearman uses mid ranks; Kendall is tau-b.

Intervals are bootstrap percentiles over topics at the summary level, and over systems and topics at
the other levels. Metrics are negated if lower is better, so that a good metric correlates above 0.
The direction of summeval's own columns METRIC.FIELD is known; list other columns in which lower is
better with --lower-is-better.

{LAYOUT}
Where the judges are known, the ceiling is printed beside each correlation: what a perfect metric is
expected to reach, given how far the judges agree; and the disattenuated correlation.

[ARGUMENTS]
--format: format of the results [by the ending of OUT, or table]
--metrics: METRIC or METRIC.FIELD [all]
--bootstrap: draws for intervals; 0: Fisher's formula, none at the summary level [1000]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval score rows.jsonl -m rouge1,rouge2 -o scores.jsonl
  summeval correlate scores.jsonl --human coherence --level all

# summeval compare

Test whether metrics in SCORES differ in how well they agree with people.

With two metrics: p is the p-value to report, two-sided, of the permutation test; p Williams is a
check that supposes more (normal scores, independent points). wins is the number of resampled sets
of topics on which A correlates better (Koehn's test: a win rate, not a p-value). With more metrics
all are ranked; two metrics share a letter if and only if they do not differ significantly. All
metrics of a cluster differ from all of the next; those of one cluster may differ too. SCORES is
read as by `summeval correlate`; metrics are negated if lower is better.

[ARGUMENTS]
--alpha: level of many tests, from 0 to 1 [0.05]
--metrics: two or more, as METRIC or METRIC.FIELD
--bootstrap: draws and permutations [1000]
--correction: correction of the p-values of more than two metrics [holm]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval compare scores.jsonl --human coherence --metrics rouge1 rouge2 --level system
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

import summeval
from summeval.cli.shared import flags, judged
from summeval.cli.shared.errors import UsageError, say
from summeval.cli.shared.results import add_layout, settle_layout, show
from summeval.io import DataError
from summeval.meta import significance
from summeval.meta.arrays import DesignWarning, cautions, over_of, pair
from summeval.meta.comparison import compare
from summeval.meta.correlations import correlate, fisher_interval
from summeval.meta.overview import levels_in_words
from summeval.meta.reliability import judge_reliability
from summeval.meta.resampling import swapped_over
from summeval.table.scores import Scores, listed

_P = (
    "p is the p-value to report (permutation test); p Williams is a check, which supposes normal"
    " scores and independent points"
)
_Row = dict[str, Any]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of `correlate`."""
    judged.add_judged(parser)
    flags.add(parser, "metrics", "bootstrap")
    add_layout(parser)


def add_compare(parser: ArgumentParser) -> None:
    """Declare the arguments of `compare`."""
    judged.add_judged(parser)
    flags.add(parser, "metrics", required=True)
    flags.add(parser, "bootstrap", "alpha")
    corrections = ("holm", "bonferroni", "none")
    parser.add_argument("--correction", choices=corrections, default="holm")
    add_layout(parser)


def run(arguments: Namespace) -> None:
    """Read, correlate and print."""
    levels, coefficients = _checked(arguments, 0)
    drawn = arguments.bootstrap > 0
    if not drawn and arguments.over is not None:
        raise UsageError("--over has no effect with --bootstrap 0; omit one of them")
    given, columns = judged.read_judged(arguments)
    scores, rows, notes = given.rising(), [], []
    with warnings.catch_warnings(action="ignore", category=DesignWarning):  # told in the end
        for human, column in product(arguments.human, columns):
            for key in product([human], levels, coefficients):
                rows.append(_row(scores, column, key, arguments) | _direction(given, column))
            notes += _left_out(scores, column, human, levels, len(arguments.human) > 1)
    settings = {
        "confidence": arguments.confidence,
        "interval": "bootstrap" if drawn else "Fisher",
        "over": _drawn(arguments, levels, scores) if drawn else None,
        "resamples": arguments.bootstrap if drawn else None,
        "seed": arguments.seed if drawn else None,
    }
    # what is the same in all rows is shown below the table
    hidden = [] if any(row["undefined"] for row in rows) else ["undefined"]
    _show(arguments, given, columns, levels, (rows, notes, settings), hidden=hidden)


def run_compare(arguments: Namespace) -> None:
    """Read, test and print."""
    levels, coefficients = _checked(arguments, 1)
    if len(arguments.metrics) < 2:
        raise UsageError("--metrics names one metric; pass two or more")
    given, columns = judged.read_judged(arguments)
    if len(columns) < len(arguments.metrics):
        raise UsageError("--metrics names a column twice; pass different ones")
    many, several = len(columns) > 2, len(arguments.human) > 1
    made = _ranked if many else _pair
    rows: list[_Row] = []
    notes: list[str] = []
    with warnings.catch_warnings(action="ignore", category=DesignWarning):  # told in the end
        for human in arguments.human:
            common, more = _common(given, columns, human, several)
            notes += more
            for column in columns:
                notes += _left_out(common, column, human, levels, several)
            try:
                for key in product([human], levels, coefficients):
                    rows += made(common, columns, key, arguments)
            except ValueError as error:
                named = str(error).replace("metric_a", columns[0]).replace("metric_b", columns[1])
                raise DataError(arguments.scores, named, "omit the metric") from None
    settings = {
        "over": levels_in_words({level: swapped_over(arguments.over, level) for level in levels}),
        "intervals over": _drawn(arguments, levels, given) if many else "topics",
        "resamples": arguments.bootstrap,
        "seed": arguments.seed,
        "confidence": arguments.confidence,
    }
    settings |= flags.given(arguments, "alpha", "correction") if many else {}
    _show(arguments, given, columns, levels, (rows, [*notes, *[_P] * (not many)], settings))


def _checked(arguments: Namespace, least: int) -> tuple[list[Any], list[Any]]:
    """Return the levels and coefficients, once the options are checked; at least so many draws."""
    settle_layout(arguments)
    judged.check_numbers(arguments, least)
    judged.read_names(arguments)
    return judged.levels_of(arguments), judged.coefficients_of(arguments)


def _direction(scores: Scores, column: str) -> _Row:
    higher_is_better = scores.higher_is_better[column]
    return {"higher_is_better": higher_is_better, "negated": not higher_is_better}


def _show(
    arguments: Namespace,
    given: Scores,
    columns: Sequence[str],
    levels: Sequence[Any],
    found: tuple[Sequence[_Row], Sequence[str], _Row],
    *,
    hidden: Sequence[str] = (),
) -> None:
    """Print rows, notes and settings, with the ceilings of known judges; warn of weak designs."""
    rows, notes, settings = found
    humans = arguments.human
    known = {
        (human, level): judge_reliability(given.judgements[human], level, resamples=0)
        for human, level in product(humans, levels)
        if human in given.judgements
    }
    shown = []
    for row in rows:
        key = row["human"], row["level"], row["coefficient"]
        shown.append(row | ceiling_of(known, *key, row.get("value")))
        if "systems" in row:  # of `correlate`, which has the directions last
            shown[-1] |= {key: shown[-1].pop(key) for key in ("higher_is_better", "negated")}
    footer = [*given.notes, *notes]
    negated = [human for human in humans if not given.higher_is_better[human]]
    footer += [f"{human}: lower is better, so the human scores were negated" for human in negated]
    footer += [*judged.means_of_sums(columns), *judged.ceiling_notes(known)]
    metrics, people = ({name: given[name] for name in names} for names in (columns, humans))
    for line in cautions(metrics, people, levels):
        say(f"warning: {line}")
    settings = {
        "summeval": summeval.__version__,
        "human": humans[0] if len(humans) == 1 else humans,
        "systems": len(given.systems),
        "topics": len(given.topics),
        **settings,
    }
    hidden = ["over", *hidden, *["human"] * (len(humans) == 1)]
    show(arguments, shown, settings, list(dict.fromkeys(footer)), hidden)


def ceiling_of(
    known: judged.Ceilings, human: str, level: str, coefficient: Any, value: float | None
) -> dict[str, float | None]:
    """Return what a row of a table says of the ceiling; nothing if no judges are known.

    Without a value, which is the metric's correlation, it says the ceiling alone.

    >>> ceiling_of({}, "overall", "summary", "pearson", 0.5)
    {}
    """
    if not known:
        return {}
    found = known.get((human, level))
    row = {"ceiling": None if found is None else found.ceiling(coefficient)}
    if value is not None:
        row["disattenuated"] = None if found is None else found.disattenuated(value, coefficient)
    return row


def _drawn(arguments: Namespace, levels: Sequence[Any], scores: Scores) -> str:
    """Return what intervals resample, for each level if it differs."""
    size = len(scores.topics)
    return levels_in_words({level: over_of(arguments.over, level, size) for level in levels})


def _row(scores: Scores, column: str, key: tuple[str, Any, Any], arguments: Namespace) -> _Row:
    """Return the correlation of a column with the dimension, level and coefficient of `key`."""
    human, level, coefficient = key
    tables = scores[column], scores[human]
    found = correlate(*tables, coefficient, level)
    bounds: tuple[float | None, float | None] = (None, None)
    undefined = over = None
    if arguments.bootstrap:
        how = flags.given(arguments, "over", "bootstrap", "confidence", "seed")
        drawn = significance.bootstrap_interval(*tables, coefficient, level, **how)
        bounds, undefined, over = (drawn.lower, drawn.upper), drawn.undefined, drawn.over
    elif level != "summary":  # a mean over topics, for which Fisher's formula does not hold
        bounds = fisher_interval(found.value, found.observations, coefficient, arguments.confidence)
    return {
        "human": human,
        "metric": column,
        "level": level,
        "coefficient": coefficient,
        "value": found.value,
        "lower": bounds[0],
        "upper": bounds[1],
        "systems": found.systems,
        "topics": found.topics - len(found.skipped),
        "undefined": undefined,
        "over": over,
    }


def _left_out(
    scores: Scores, column: str, human: str, levels: Sequence[Any], several: bool
) -> list[str]:
    """Notes on data left out by the correlations of a metric, with topics by name.

    If there are `several` dimensions, a note names its dimension.
    """
    notes = []
    for level in levels:
        found = correlate(scores[column], scores[human], "kendall", level)
        for note in found.notes:
            # Topic names replace topic numbers; missing cells are reported with the scores.
            if found.skipped and " skipped (" in note:
                names = [scores.topics[place] for place in found.skipped]
                notes.append(f"{note.rpartition(': ')[0]}: {listed(names)}")
            elif not note.startswith("unbalanced"):
                notes.append(note)
    whose = f"{human}, {column}" if several else column
    return [f"{whose}: {note}" for note in dict.fromkeys(notes)]


def _common(
    scores: Scores, metrics: list[str], human: str, several: bool
) -> tuple[Scores, list[str]]:
    """The scores restricted to cells where all columns have one, and notes with their number."""
    columns = [*metrics, human]
    (*tables,), _ = pair(**{column: scores[column] for column in columns})
    kept = int((~np.isnan(tables[0])).sum())
    most = max(int((~np.isnan(scores[column])).sum()) for column in columns)
    whose = f"{human}: " if several else ""
    note = f"{whose}compared on the {kept} of {most} cells that all columns have"
    given = dict(zip(columns, tables, strict=True))
    made = Scores(scores.systems, scores.topics, given, (), scores.higher_is_better)
    return made, [note] * (kept < most)


def _pair(
    scores: Scores, columns: list[str], key: tuple[str, Any, Any], arguments: Namespace
) -> list[_Row]:
    """Return the row of two metrics for the dimension, level and coefficient of `key`."""
    human, level, coefficient = key
    tables = scores[columns[0]], scores[columns[1]], scores.rising()[human]
    higher_is_better = {column: scores.higher_is_better[column] for column in columns}
    how = {"level": level, "higher_is_better": list(higher_is_better.values())}
    how |= flags.given(arguments, "bootstrap", "seed")
    koehn = significance.koehn_test(*tables, coefficient, confidence=arguments.confidence, **how)
    permuted = significance.permutation_test(*tables, coefficient, over=arguments.over, **how)
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
            "p Williams (check)": significance.williams_test(*tables, coefficient, level).pvalue,
            "higher_is_better": higher_is_better,
            "negated": [column for column in columns if not higher_is_better[column]],
        }
    ]


def _ranked(
    scores: Scores, columns: list[str], key: tuple[str, Any, Any], arguments: Namespace
) -> list[_Row]:
    """Return a row for each metric for the dimension, level and coefficient of `key`."""
    human, level, coefficient = key
    found = compare(
        {column: scores[column] for column in columns},
        scores.rising()[human],
        coefficient,
        level,
        higher_is_better={column: scores.higher_is_better[column] for column in columns},
        **flags.given(arguments, "over", "correction", "alpha", "bootstrap", "confidence", "seed"),
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
            **_direction(scores, name),
        }
        for place, (name, interval) in enumerate(zip(found.names, found.intervals, strict=True))
    ]
