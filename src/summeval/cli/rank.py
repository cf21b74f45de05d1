"""`summeval rank`: rank systems by their scores, and test which of them differ.

Rank the systems in SCORES by the means of their scores, and test which of them differ.

Each row of SCORES holds the scores of one output, as written by `summeval score`, and the name of
its system; in files without that column the system is the name of the file. Systems are compared
on the rows that both have: those of the same topic, or of the same id if there are no topics.
{LAYOUT}

The p-values are those of paired approximate randomisation, two-sided, corrected for the number of
pairs; systems that share a letter do not differ significantly, all others do. With --baseline each
system is compared with that one only. Intervals are those of Student's t. The effect is the mean
of the differences in their standard deviations; "needed" is the number of rows with which such a
difference would be found in 80 of 100 samples. Without --metrics each of summeval's metrics is
ranked by its value (fmeasure for ROUGE), other metrics by all of their fields.

With --by-file the files are the systems, such as the same system in two weeks. --fail-if-worse ends
with status 3 if a system is significantly worse than the baseline by any of the metrics.

[ARGUMENTS]
--bootstrap: draws and permutations [10000; fewer for many rows, more if the tests need them]
--alpha: level of the tests, from 0 to 1 [0.05]
--lower-is-better: columns in which lower is better; summeval's own metrics are known [none]
SCORES: rows with scores, as written by `score`; several files are read as one
--system: names the system [system, or the name of the file]
--topic: pairs the rows [topic, or id, or their order]
--by-file: the files are the systems, called by their names
--baseline: the system to compare the others with; or a file, with --by-file [all pairs]
--fail-if-worse: exit with status 3 if a system is significantly worse than the baseline
--margin: and its mean is worse by more than X, in the metric's unit [0]
--metrics: METRIC or METRIC.FIELD, or another column [all]
--samples: what stands for several rows of a system and a topic [mean]
--correction: of the p-values [holm]
--format: format of the results [by the ending of OUT, or table]
--scale: multiply the scores of tables, as by 100 [1]
--digits: digits of tables after the point [4 or more]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 3 worse than the baseline, 130 interrupted.
Examples:
  summeval score rows.jsonl -m rouge1,rouge2 -o scores.jsonl
  summeval rank scores.jsonl
  summeval rank scores.jsonl --baseline lead3 --scale 100 --digits 2 -o table.tex
  summeval rank this.parquet --baseline last.parquet -m rouge2 --fail-if-worse --margin 0.002
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

import summeval
from summeval.cli.shared import flags, judged
from summeval.cli.shared.errors import UsageError, deliver, refusals, say
from summeval.cli.shared.layout import map_columns, resolve_names, to_wide
from summeval.io import DataError
from summeval.io.formats import format_of
from summeval.io.plain import system_names
from summeval.io.source import shown
from summeval.meta.differences import Ranking, Sums
from summeval.meta.ranking import CORRECTIONS, SAMPLES, rank, usual_resamples
from summeval.report.ranking import DATA, LAYOUTS, ranking_lines
from summeval.table.cells import Array
from summeval.table.table import Table, read_rows

WORSE = 3  # the exit status
_LEAST_SHARED = 0.5  # of the rows: a check of fewer would pass unmade


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("scores", nargs="+", metavar="SCORES")
    flags.add(parser, "system", "topic", default=None)
    flags.add(parser, "judge", "long", "columns")
    add("--by-file", action="store_true")
    add("--baseline", metavar="NAME")
    add("--fail-if-worse", action="store_true")
    add("--margin", type=float, metavar="X")
    flags.add(parser, "metrics", "lower-is-better", "signatures")
    add("--samples", choices=SAMPLES)
    add("--correction", choices=CORRECTIONS, default="holm")
    flags.add(parser, "alpha")
    flags.add(parser, "bootstrap", default=None)
    flags.add(parser, "confidence", "seed")
    flags.add(parser, "format", choices=LAYOUTS)
    add("--scale", type=float, metavar="X")
    add("--digits", type=int, metavar="N")
    flags.add(parser, "output")


def run(arguments: Namespace) -> int:
    """Read, test and print; return the exit status."""
    form = _checked(arguments)
    files = _files(arguments)
    arguments.scores = ", ".join(files)
    read = _read(arguments, files)
    outputs = read.scores, read.systems, read.topics
    how = {"samples": arguments.samples or "mean", "correction": arguments.correction}
    made = ranking(arguments, outputs, arguments.baseline, read.directions, sums=read.sums, **how)
    settings = {
        "summeval": summeval.__version__,
        "systems": len(made.systems),
        "rows": len(read.systems),
        "paired by": read.paired,
        **made.settings,
    }
    notes = [*read.notes, *judged.means_of_sums(list(read.scores), read.sums), *made.notes]
    lines = ranking_lines(made, form, settings, notes, arguments.scale or 1.0, arguments.digits)
    deliver(arguments.output, lines, data=form in DATA)
    return _checked_against_baseline(arguments, made) if arguments.fail_if_worse else 0


def _checked(arguments: Namespace) -> str:
    """Check the options, and read those that name columns; return the format of the results."""
    form: str = flags.output_form(arguments.output, arguments.format, LAYOUTS, "--format")
    judged.check_numbers(arguments, 1)
    if arguments.fail_if_worse and arguments.baseline is None:
        raise UsageError("--fail-if-worse needs --baseline, a system or a file")
    if arguments.margin is not None and not arguments.fail_if_worse:
        raise UsageError("--margin needs --fail-if-worse")
    if arguments.margin is not None and not arguments.margin >= 0:
        raise UsageError(f"--margin is {arguments.margin:g}; give 0 or more")
    if arguments.scale is not None and not 0 < arguments.scale < inf:
        raise UsageError(f"--scale is {arguments.scale:g}; give a number above 0, such as 100")
    if arguments.digits is not None and not 0 <= arguments.digits <= 15:
        raise UsageError(f"--digits is {arguments.digits}; give 0 to 15")
    if form in DATA and (arguments.scale, arguments.digits) != (None, None):
        raise UsageError(f"--scale and --digits are for tables; {form} has all digits")
    arguments.human = []
    judged.read_names(arguments)
    return form


def _files(arguments: Namespace) -> list[str]:
    """The files; a baseline that is a file is one of them, and makes the files the systems."""
    files: list[str] = arguments.scores
    baseline = arguments.baseline
    is_file = baseline is not None and format_of(baseline) is not None
    if baseline in files or (is_file and os.path.exists(baseline)):
        arguments.by_file = True
        return files if baseline in files else [*files, baseline]
    if is_file:
        raise DataError(baseline, "no such file", "give a file of scores, or a system of SCORES")
    return files


class _Read(NamedTuple):
    """The rows of all files: the system and the topic of each, and its scores."""

    systems: list[str]
    topics: list[str] | None
    scores: dict[str, Array]
    directions: dict[str, bool]
    paired: str
    notes: list[str]
    sums: dict[str, Sums]


def _read(arguments: Namespace, files: Sequence[str]) -> _Read:
    """Read the files as one."""
    map_columns(arguments)
    found = Table([], origin=shown(arguments.scores))
    systems: list[str] = []
    topics: list[str] = []
    paired: dict[str, None] = {}
    scored: list[str] = []
    seen: dict[str, tuple[str, set[str]]] = {}
    for path, name in zip(files, system_names(files), strict=True):
        own = Namespace(**vars(arguments))
        one = _shaped(own, path, name)
        named = _named(one, own.system)
        if arguments.by_file:
            several = len(set(named)) > 1
            if several and arguments.baseline == path:
                hint = f"name one of them, such as --baseline {name}/{named[0]}"
                raise DataError(path, f"holds {len(set(named))} systems", hint)
            named = [f"{name}/{system}" if several else name for system in named]
            if arguments.baseline == path:
                arguments.baseline = name
        own_topics = _named(one, own.topic) if own.topic is not None else []
        if len(files) > 1 and arguments.samples is None:
            _check_apart(path, named, own_topics, seen)
        systems += named
        topics += own_topics
        paired[own.topic or "order"] = None
        scored += getattr(own, "scored", [])
        for metric in found.signatures.keys() & one.signatures:
            if found.signatures[metric] != one.signatures[metric]:
                problem = f"{metric} has another signature than in the files before"
                if arguments.fail_if_worse:
                    raise DataError(path, problem, "score again with the same options")
                say(f"warning: {path}: {problem}")
        signatures = {**found.signatures, **one.signatures}
        directions = {**found.directions, **one.directions}
        rows, notes = found.rows + one.rows, found.notes + one.notes
        found = Table(rows, notes, signatures, directions, origin=found.origin)
    arguments.scored = scored
    if "order" in paired and len(paired) > 1:
        problem = "a file has neither 'topic' nor 'id', by which the rows of the others are paired"
        raise DataError(found.origin, problem, "add the column")
    found = judged.signed(arguments, found)
    columns = judged.shown_columns(arguments, found)
    directions = judged.directions(arguments, found, columns)
    with refusals(found.origin, "correct it, or leave it empty", besides=True):
        scores = {column: found.number(column) for column in columns}
    sums = judged.sums_in(found, columns)
    return _Read(systems, topics or None, scores, directions, ", ".join(paired), found.notes, sums)


def _check_apart(
    path: str, systems: Sequence[str], topics: Sequence[str], seen: dict[str, tuple[str, set[str]]]
) -> None:
    """Raise if a system has rows of the same topics in two files, which may be two versions of it.

    `seen` has the file and the topics of each system so far.
    """
    topics_of: dict[str, set[str]] = {}
    for place, system in enumerate(systems):
        topics_of.setdefault(system, set()).add(topics[place] if topics else "")
    for system, own in topics_of.items():
        before, known = seen.setdefault(system, (path, own))
        if before != path and known & own:
            problem = f"system {system} has rows of the same topics in {before}"
            more = "--samples mean if these are more outputs"
            raise DataError(path, problem, f"pass --by-file to compare the files, or {more}")
        known |= own


def _shaped(own: Namespace, path: str, name: str) -> Table:
    """Return the rows of a file, one for each output; sets the columns of the system and the topic.

    The topic is None if the file has neither topics nor ids. Without systems, `name` is the system.
    """
    found = replace(read_rows(path), origin=path)
    for option in ("system", "topic"):
        if (column := getattr(own, option)) is not None:
            found.check(option, column)
    own.system = own.system or "system"
    own.topic = own.topic or ("id" if "id" in found and "topic" not in found else "topic")
    resolve_names(own, found)
    if own.system not in found:
        found = replace(found, rows=[{**row, own.system: name} for row in found.rows])
    found = to_wide(own, found)
    if own.topic not in found:
        own.topic = None
    return found


def _named(table: Table, column: str) -> list[str]:
    """Return the names in a column of all rows."""
    hint = "name it in each row, or choose another column"
    with refusals(table.origin, hint, besides=True):
        return table.name(column)


def ranking(
    arguments: Namespace,
    outputs: tuple[Mapping[str, Array], Sequence[str], Sequence[str] | None],
    baseline: str | None,
    directions: Mapping[str, bool],
    **how: Any,
) -> Ranking:
    """Rank systems, with as many draws as their tests need if the command line does not say.

    `outputs` are the scores of all rows, and their systems and topics.
    """
    systems = outputs[1]
    count = len(set(systems))
    pairs = count - 1 if baseline else count * (count - 1) // 2
    tests = 1 if how.get("correction") == "none" else pairs
    usual = usual_resamples(-(-len(systems) // count), tests, arguments.alpha)
    how |= flags.given(arguments, "alpha", "confidence", "seed")
    how["resamples"] = arguments.bootstrap or usual
    try:
        return rank(*outputs, baseline, higher_is_better=dict(directions), **how)
    except ValueError as error:
        if str(error).startswith("baseline: "):
            raise UsageError(f"--{error}") from None
        raise DataError(shown(arguments.scores), str(error), "choose others") from None


def _checked_against_baseline(arguments: Namespace, made: Ranking) -> int:
    """Report the systems that are significantly worse than the baseline; the exit status.

    Raises `DataError` if a system cannot be compared, so that no check passes unmade.
    """
    if len(made.systems) == 1:
        problem = f"holds no other system than {made.baseline}"
        raise DataError(shown(arguments.scores), problem, "add the scores to compare with it")
    margin, base = arguments.margin or 0.0, made.systems.index(str(made.baseline))
    worse = []
    for row in made.to_rows():
        if row["other"] is None:
            continue
        keys = ("system", "metric", "difference", "p corrected")
        system, metric, difference, p = (row[key] for key in keys)
        if p is None:
            problem = f"{system} and {made.baseline} share no row with a score of {metric}"
            raise DataError(shown(arguments.scores), problem, "compare scores of the same rows")
        fall = -difference if row["higher_is_better"] else difference
        if p <= made.alpha and fall > margin:
            worse.append(f"{system} by {metric} ({difference:+.4g}, p = {p:.2g})")
        elif row["exact"] and 2.0 ** (1 - row["shared"]) > made.alpha:
            few = f"{row['shared']} rows are too few to find any difference by {metric}"
            raise DataError(shown(arguments.scores), f"{system}: {few}", "compare more rows")
        elif row["shared"] < _LEAST_SHARED * (of := int(made[metric].rows[base])):
            some = f"{row['shared']} of {of} rows of {made.baseline}"
            problem = f"{system} has scores of {metric} for {some}"
            raise DataError(shown(arguments.scores), problem, "score the other rows, too")
    if not worse:
        return 0
    more = f" by more than {margin:g}" * bool(margin)
    say(f"significantly worse than {made.baseline}{more}: {', '.join(worse)}")
    return WORSE
