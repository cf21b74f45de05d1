"""`summeval agreement`: how far judges agree, and how reliable their means are.

Measure how far judges agree on summaries, and how reliable the means of their judgements are.

ROWS holds a row for each judgement, with the system, the topic, the judge and one or more columns
of judgements (--human); or a row for each summary with a column for each judge (--judge Ann Ben,
--judge 'annotations.*'); or a row for each judge and dimension (--long dimension,score).

For each column follow Krippendorff's alpha, the agreement of pairs of judges (share of equal
judgements, Cohen's kappa, plain and with quadratic weights, correlation), intraclass correlations,
and for each level of `summeval correlate` the reliability of the means, the ceiling that follows
for the correlation of any metric, and the judges that a reliability of --target needs. A table
compares each judge with the others. Intervals are bootstrap percentiles over topics.

[ARGUMENTS]
--level: what disagreement is: nominal, ordinal, interval, ratio, all [interval; nominal for texts]
--human: columns of judgements; scores.x means x in the object scores [all columns of numbers that
    differ between judges]
--format: format of the results [by the ending of OUT, or table]
ROWS: JSON Lines, CSV, Parquet or Arrow; - is standard input
--bootstrap: draws for intervals [1000]
--target: the reliability for which judges are counted [0.8]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval agreement judgements.csv --human coherence relevance
  summeval agreement judged.jsonl --human coherence --judge 'experts.*' --level ordinal
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from math import isfinite, isnan
from typing import Any

import summeval
from summeval._problem import Problem
from summeval.cli.shared import flags
from summeval.cli.shared.errors import deliver
from summeval.cli.shared.layout import read_judgements
from summeval.cli.shared.results import add_layout, settings_line, settle_layout
from summeval.io import DataError
from summeval.io.source import shown
from summeval.meta.agreement import Estimate, JudgeAgreement, judge_agreement
from summeval.meta.alpha import RATING_LEVELS
from summeval.meta.reliability import Reliability
from summeval.report.tables import csv_lines, document_lines, json_lines, sheet_of
from summeval.table.cells import is_nan
from summeval.table.scores import Judgements

LAYOUTS = ("table", "csv", "json", "latex", "markdown")
MOST_JUDGES = 20  # in a table for people


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="ROWS")
    flags.add(parser, "human", "system", "topic", "judge", "long", "columns")
    flags.add_names(parser, "--level")
    flags.add(parser, "bootstrap", "confidence")
    add("--target", type=flags.share(0.8), default=0.8, metavar="SHARE")
    flags.add(parser, "seed")
    add_layout(parser, LAYOUTS)


def run(arguments: Namespace) -> None:
    """Read, measure and print."""
    settle_layout(arguments)
    flags.check_least(arguments, "give {} or more", bootstrap=0, seed=0)
    levels: list[Any] = flags.chosen_of(arguments, "level", RATING_LEVELS, "all")
    given = read_judgements(arguments, labels="nominal" in levels or not levels)
    name = shown(arguments.input)
    found: dict[str, list[JudgeAgreement]] = {}
    for human, judgements in given.items():
        own = levels or [None]
        if judgements.labels and "all" in arguments.level:
            own = ["nominal"]
        found[human] = [_measured(arguments, name, human, judgements, level) for level in own]
    settings = {
        "summeval": summeval.__version__,
        "interval": "bootstrap over topics" if arguments.bootstrap else None,
        **flags.given(arguments, "confidence", "bootstrap", "seed", "target"),
    }
    tables: dict[str, list[dict[str, Any]]] = {"agreement": [], "reliability": [], "judges": []}
    for human, each in found.items():
        # the result of the level interval, if it is among them
        main = next((one for one in each if one.level == "interval"), each[0])
        tables["agreement"] += _agreement(human, each, main)
        tables["reliability"] += _reliability(human, each[0], arguments.target)
        tables["judges"] += _judges(human, main)
    notes = {human: _notes(each) for human, each in found.items()}
    if arguments.format == "json":
        lines = json_lines({**settings, **tables, "notes": notes})
    elif arguments.format == "csv":
        rows = [*_flat("agreement", tables["agreement"]), *_flat("", tables["reliability"])]
        lines = csv_lines([*rows, *_flat("judge", tables["judges"])])
    else:
        footer = settings_line(settings)
        for human, own_notes in notes.items():
            whose = "" if len(found) == 1 else f"{human}: "
            footer += [f"note: {whose}{note}" for note in own_notes]
        lines = _for_people(arguments.format, tables, ["human"] * (len(found) == 1), footer)
    deliver(arguments.output, lines, data=arguments.format in ("json", "csv"))


def _for_people(
    form: str, tables: dict[str, list[dict[str, Any]]], hidden: list[str], footer: Sequence[str]
) -> list[str]:
    sheets, more = [], []
    for name, rows in tables.items():
        keys = [key for key in (rows[0] if rows else {}) if key != "value"]
        empty = [k for k in keys if all(row[k] is None or is_nan(row[k]) for row in rows)]
        most = MOST_JUDGES if name == "judges" and form == "table" else len(rows)
        if rows:
            sheets.append(sheet_of(rows[:most], [*hidden, *empty]))
            if most < len(rows):
                more = [f"… of {len(rows)} judges; --format json or csv has all"]
    lines = document_lines(form, sheets, footer)
    end = len(lines) - len(footer) - 1
    return [*lines[:end], *more, *lines[end:]]


def _measured(
    arguments: Namespace, name: str, human: str, judgements: Judgements, level: Any
) -> JudgeAgreement:
    try:
        how = flags.given(arguments, "bootstrap", "confidence", "seed")
        return judge_agreement(judgements, level, **how)
    except ValueError as error:
        what, hint, *_ = Problem.of(error, "choose another --level")
        hint = hint.replace("the level ", "--level ").replace("use '", "use --level '")
        raise DataError(f"{name}: {human}", what, hint) from None


def _agreement(
    human: str, each: Sequence[JudgeAgreement], main: JudgeAgreement
) -> Iterator[dict[str, Any]]:
    """Yield a row for each coefficient of agreement."""
    found = [(f"Krippendorff's alpha, {one.level}", one.alpha) for one in each]
    rank = "Spearman" if main.level == "ordinal" else "Pearson"
    means: dict[str, Any] = {
        "equal judgements": "same",
        "Cohen's kappa": "kappa",
        "Cohen's kappa, quadratic": "weighted",
        f"{rank} correlation": "correlation",
    }
    more = {f"{name}, pairs": Estimate(main.pairs.mean(key)) for name, key in means.items()}
    more |= main.intraclass
    for name, one in [*found, *(pair for pair in more.items() if not isnan(pair[1].value))]:
        yield {"human": human, "agreement": name, "value": one.value, "interval": _bounds(one)}


def _bounds(found: Estimate | Reliability) -> tuple[float, float] | None:
    return None if isnan(found.lower) else (found.lower, found.upper)


def _reliability(human: str, found: JudgeAgreement, target: float) -> Iterator[dict[str, Any]]:
    """Yield a row for each level."""
    for level, one in found.reliabilities.items():
        needed = one.needed(target)
        yield {
            "human": human,
            "level": level,
            "judges": one.judges,
            "reliability": one.value,
            "interval": _bounds(one),
            "one judge": one.single,
            "split halves": found.halves[level],
            "ceiling": one.ceiling(),
            "ceiling spearman": one.ceiling("spearman"),
            "ceiling kendall": one.ceiling("kendall"),
            f"judges for {target:g}": int(needed) if isfinite(needed) else None,
        }


def _judges(human: str, found: JudgeAgreement) -> Iterator[dict[str, Any]]:
    """Yield a row for each judge."""
    for row in found.rows:
        yield {
            "human": human,
            "judge": row.judge,
            "judgements": row.judgements,
            "shared": row.shared,
            "equal": row.same,
            "difference": row.difference,
            "correlation": row.correlation,
            "alpha without": row.alpha_without,
        }


def _notes(each: Sequence[JudgeAgreement]) -> list[str]:
    """Return the size of the data, and what cannot be told."""
    found = each[0]
    people = f"{found.judges} judges" if found.judges else "judges without names"
    of = f"{found.summaries} summaries: {found.systems} systems, {found.topics} topics"
    notes = [f"{found.judgements} judgements by {people} of {of}"]
    for one in each:
        if one.apart:
            (row,) = (row for row in one.rows if row.judge == one.apart)
            values = f"{row.alpha_without:.3f} instead of {one.alpha.value:.3f}"
            without = f"without this one alpha ({one.level}) is {values}"
            notes.append(f"judge {one.apart!r} stands apart: {without}")
    return list(dict.fromkeys([*notes, *(note for one in each for note in one.notes)]))


def _flat(key: str, rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Rows of one number each, the same columns for all tables.

    >>> list(_flat("judge", [{"human": "x", "judge": "Ann", "equal": 0.5}]))[0]["measure"]
    'equal'
    """
    for row in rows:
        known = {"human": row["human"], "level": row.get("level"), "judge": row.get("judge")}
        if key == "agreement":
            yield known | _measure(row["agreement"], row["value"], row["interval"])
            continue
        for name, value in row.items():
            if name not in (*known, "interval"):
                own = row["interval"] if name == "reliability" else None
                yield known | _measure(name, value, own)


def _measure(name: str, value: Any, interval: tuple[float, float] | None) -> dict[str, Any]:
    lower, upper = interval or (None, None)
    return {"measure": name, "value": value, "lower": lower, "upper": upper}
