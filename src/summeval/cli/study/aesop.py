"""`summeval study aesop`: agreement of metrics with people, AllPeers and NoModels."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from summeval.cli.shared import judged
from summeval.cli.shared.arguments import (
    add_flags,
    add_names,
    add_option,
    add_workers,
    names_of,
    workers_of,
)
from summeval.cli.shared.choice import choose, family, usual
from summeval.cli.shared.columns import COLUMNS_HELP, add_columns
from summeval.cli.shared.errors import UsageError, refusals
from summeval.cli.shared.layout import add_shapes
from summeval.cli.study.output import add_output, check_output, show
from summeval.cli.study.rows import StudyRows, check_least, has_texts, texts_of
from summeval.io import DataError
from summeval.io.column_names import not_found
from summeval.meta.arrays import COEFFICIENTS
from summeval.metrics.registry import options_of, split_field
from summeval.study.aesop import AS_IN_TAC, DEFAULT, Peers, aesop, jackknifed
from summeval.table.cells import find, holds_numbers
from summeval.table.scores import listed
from summeval.table.table import Table

if TYPE_CHECKING:
    from summeval import Suite
    from summeval.io.rows import Row
    from summeval.metrics.run.declared import Declared

DESCRIPTION = f"""\
Correlate metrics with people at the system level, with people among the systems (AllPeers) and
without (NoModels), and compare each pair of metrics by Koehn's test, as TAC's task AESOP and Lin,
Liu, Ng and Kan (2012) do.

INPUT holds a row for each summary, with its system, its topic and human scores. The metrics are
its columns METRIC.FIELD, as summeval score writes them. If there are none, or if -m names metrics
that are no columns, the texts of the rows are scored: a person against the references of the other
people, n - 1, and a system against every n - 1 of its n references, averaged. A note says which.
Metrics that are better when lower are negated; the table and a note say so.

People are the systems that --people matches, and those of rows whose is_human is true.
{COLUMNS_HELP}"""

EPILOG = f"""\
Without -m and without scores the metrics are {", ".join(DEFAULT[:3])},
{", ".join(DEFAULT[3:])}; those whose extra is not installed are left out, with a note. This
ROUGE and BE have the stems of ROUGE-1.5.5 and the mean over references, as in TAC.
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study aesop scores.jsonl --human coherence,relevance
  summeval study aesop rows.jsonl -m rouge2,tesla-s --human coherence --people 'human*' -o folder"""

_IS_HUMAN = "is_human"
_TRUE = ("true", "1", "yes")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("scores", metavar="INPUT", help="rows: JSON Lines, CSV, Parquet or Arrow")
    add_names(
        parser,
        "--human",
        required=True,
        metavar="COLUMN",
        help="columns with human scores; scores.x means x in the object scores",
    )
    add_names(parser, "-m", "--metrics", help="columns or metrics to score [all columns]")
    add_flags(parser, "system", "topic")
    add_shapes(parser)
    add("--task", metavar="COLUMN", help="names the task; each has its own tables [one task]")
    add_names(parser, "--people", metavar="GLOB", help="systems that are people, such as 'human*'")
    add_names(
        parser,
        "--lower-is-better",
        metavar="COLUMN",
        help="columns to negate; summeval's own metrics are known [none]",
    )
    add(
        "--signatures",
        metavar="FILE",
        help="output of summeval score --means, which gives the directions of labelled metrics",
    )
    add_option(parser, "such as rouge.stemmer=porter, for metrics that are scored")
    add("--no-jackknife", action="store_true", help="score against all references given, once")
    add("--coefficient", choices=COEFFICIENTS, default="pearson", help="of Koehn's test [pearson]")
    add("--bootstrap", type=int, default=1000, metavar="N", help="draws of topics [1000]")
    add_flags(parser, "seed")
    add_workers(parser)
    add_columns(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, score what is not scored, correlate, and print; return the exit status."""
    workers = workers_of(arguments)
    check_least(arguments, bootstrap=1, seed=0)
    judged.read_names(arguments)
    check_output(arguments)
    name = judged.shown(arguments)
    arguments.judgements = None
    found = judged.read_scores(arguments)
    if not found.rows:
        raise DataError(name, "holds no rows", "write one row on each line")
    keys = _keys(arguments, name, found.rows)
    people = _people(arguments, name, found.rows, keys)
    has = has_texts(arguments, name, found.rows)
    taken, wanted, notes = _metrics(arguments, name, found.rows, has)
    signatures: dict[str, str] = {}
    if wanted:
        texts = texts_of(arguments, name, found.rows, (), ("references", "source"))
        suite, columns, more = _suite(usual(wanted), arguments, bool(arguments.metrics))
        _check_texts(name, suite, texts)
        among = [system in people for system in keys.systems]
        nothing: list[list[str] | None] = [None] * len(among)
        references, sources = texts.references or nothing, texts.sources or nothing
        peers = Peers(texts.candidates, references, keys.topics, among, sources)
        with refusals(name):
            scored, told = jackknifed(
                suite, peers, jackknife=not arguments.no_jackknife, workers=workers
            )
        for column in columns:
            for row, value in zip(found.rows, scored[column].tolist(), strict=True):
                row[column] = value
        found = replace(found, directions={**found.directions, **suite.directions})
        signatures = {one: str(line) for one, line in suite.signature.items()}
        taken += columns
        notes += [*more, *told]
    scores = judged.judged_tables(arguments, found, taken)
    try:
        study = aesop(
            scores,
            taken,
            arguments.human,
            people,
            tasks=keys.tasks,
            coefficient=arguments.coefficient,
            resamples=arguments.bootstrap,
            seed=arguments.seed,
        )
    except ValueError as error:
        raise DataError.of(name, error, "choose other columns") from None
    told_of = [*dict.fromkeys([*notes, *found.notes, *study.notes])]
    show(arguments, replace(study, signatures=signatures, notes=told_of))
    return 0


@dataclass(frozen=True)
class _Keys:
    """The system and the topic of each row, and the task of each topic."""

    systems: list[str]
    topics: list[str]
    tasks: dict[str, str] | None


def _keys(arguments: argparse.Namespace, name: str, rows: list[Row]) -> _Keys:
    """Read them; a topic of two tasks gets their names, also in its row."""
    options = [("human", column) for column in arguments.human]
    options += [(key, getattr(arguments, key)) for key in ("system", "topic", "task")]
    for option, column in options:
        if column is not None and not any(find(row, column)[0] for row in rows):
            mend = f"choose the column with --{option}"
            raise DataError(name, not_found(column, Table(rows).paths()), mend)
    systems, topics = (_column(name, rows, getattr(arguments, k), k) for k in ("system", "topic"))
    of_topic: dict[str, str] | None = None
    if arguments.task is not None:
        tasks = _column(name, rows, arguments.task, "task")
        known: dict[str, set[str]] = {}
        for topic, task in zip(topics, tasks, strict=True):
            known.setdefault(topic, set()).add(task)
        for place, (topic, task) in enumerate(zip(topics, tasks, strict=True)):
            if len(known[topic]) > 1:
                topics[place] = rows[place][arguments.topic] = f"{topic} ({task})"
        of_topic = dict(zip(topics, tasks, strict=True))
    first: dict[tuple[str, str], int] = {}
    for place, key in enumerate(zip(systems, topics, strict=True), 1):
        if first.setdefault(key, place) != place:
            problem = f"row {place} has the system {key[0]!r} and the topic {key[1]!r} of row"
            mend = "keep one, or name the tasks with --task"
            raise DataError(name, f"{problem} {first[key]}", mend)
    return _Keys(systems, topics, of_topic)


def _column(name: str, rows: list[Row], column: str, option: str) -> list[str]:
    """The names in a column."""
    found = []
    for place, row in enumerate(rows, 1):
        value = find(row, column)[1]
        if value is None or value == "" or isinstance(value, (dict, list)):
            problem = f"row {place} has no {option} in {column!r}"
            raise DataError(name, problem, "write a name in each row")
        found.append(str(value))
    return found


def _people(arguments: argparse.Namespace, name: str, rows: list[Row], keys: _Keys) -> list[str]:
    """The systems that are people, in order of appearance."""
    systems = [*dict.fromkeys(keys.systems)]
    found = set[str]()
    for glob in names_of("--people", arguments.people, "pattern"):
        matched = [system for system in systems if fnmatchcase(system, glob)]
        if not matched:
            mend = f"choose from {listed(systems)}"
            raise DataError(name, f"--people {glob!r} matches no system", mend)
        found |= set(matched)
    said: dict[str, set[bool]] = {}
    for system, row in zip(keys.systems, rows, strict=True):
        if _IS_HUMAN in row:
            value = row[_IS_HUMAN]
            true = value.strip().lower() in _TRUE if isinstance(value, str) else bool(value)
            said.setdefault(system, set()).add(true)
    for system, values in said.items():
        if len(values) > 1:
            problem = f"{_IS_HUMAN} differs between the rows of {system!r}"
            raise DataError(name, problem, "give people and systems their own names")
    found |= {system for system, values in said.items() if True in values}
    return [system for system in systems if system in found]


def _metrics(
    arguments: argparse.Namespace, name: str, rows: list[Row], texts: bool
) -> tuple[list[str], list[str], list[str]]:
    """The columns to take, the metrics to score, and notes that say which."""
    if arguments.metrics:
        asked = arguments.metrics
        wanted = [metric for metric in asked if texts and not _is_column(metric, rows)]
        if not texts:
            _check_scored(arguments, name, rows)
        arguments.metrics = [metric for metric in asked if metric not in wanted]
        taken = (
            judged.columns_of_metrics(arguments, Table(rows, origin=name))
            if arguments.metrics
            else []
        )
        arguments.metrics = asked
        return taken, wanted, _told(taken, wanted, arguments)
    taken = _numeric(rows, arguments.human)
    lower = [column for column in arguments.lower_is_better if column not in arguments.human]
    taken += [name for name in lower if name not in taken and _is_column(name, rows)]
    if taken:
        more = ["the texts were not scored; name metrics with -m to score them"] * texts
        return taken, [], [*_told(taken, [], arguments), *more]
    if texts:
        return [], list(DEFAULT), _told([], DEFAULT, arguments)
    problem = "no column METRIC.FIELD holds numbers, and there are no texts to score"
    mend = "score the rows first, or name the columns with -m"
    raise DataError(name, problem, mend)


def _check_scored(arguments: argparse.Namespace, name: str, rows: list[Row]) -> None:
    """Raise for a metric of the package that is no column, where there are no texts to score."""
    for asked in arguments.metrics:
        if not _is_column(asked, rows) and _is_registered(split_field(asked)[0]):
            problem = f"no column {asked!r}, and no texts to score by it"
            missing = not_found("candidate", Table(rows).paths(), "candidate")
            mend = "name the texts with --candidate-column"
            raise DataError(name, f"{problem}: {missing}", mend)


def _is_registered(name: str) -> bool:
    try:
        options_of(name)
    except ValueError:
        return False
    return True


def _told(taken: Sequence[str], wanted: Sequence[str], arguments: argparse.Namespace) -> list[str]:
    how = "without" if arguments.no_jackknife else "with"
    parts = {
        "scores taken from the file": taken,
        f"scored from the texts, {how} the jackknife over references": wanted,
    }
    return [f"{what}: {', '.join(names)}" for what, names in parts.items() if names]


def _is_column(metric: str, rows: list[Row]) -> bool:
    """Whether the rows have scores of a metric, or a column of that name."""
    return any(
        find(row, metric)[0] or any(key.startswith(f"{metric}.") for key in row) for row in rows
    )


def _numeric(rows: list[Row], humans: Sequence[str]) -> list[str]:
    """The columns METRIC.FIELD that hold numbers only, and at least one."""
    keys = dict.fromkeys(key for row in rows for key in row if "." in key and key not in humans)
    return [key for key in keys if holds_numbers(row.get(key) for row in rows)]


def _suite(
    names: Sequence[str], arguments: argparse.Namespace, named: bool
) -> tuple[Suite, list[str], list[str]]:
    """The metrics, their columns, and a note on defaults that are not installed."""
    parts = {name: split_field(name) for name in names}
    lacking: list[str] = []
    for name, (base, _) in parts.items():
        try:
            _ = choose([base], []).signature
        except (ImportError, OSError, ValueError) as error:
            if named:
                raise UsageError(f"{name}: {error}") from None
            lacking.append(name)
    kept = {name: part for name, part in parts.items() if name not in lacking}
    bases = dict.fromkeys(base for base, _ in kept.values())
    options = [*([] if named else _as_in_tac(bases)), *arguments.option]  # the later ones hold
    suite = choose(bases, options)
    made = {metric.name: metric for metric in suite.metrics}
    columns = [_column_of(made[base], field) for base, field in kept.values()]
    notes = [f"left out, because their parser is not installed: {', '.join(lacking)}"]
    return suite, columns, notes if lacking else []


def _as_in_tac(names: Iterable[str]) -> list[str]:
    """The options with which NIST scored, of those of its metrics that are among these."""
    families = dict.fromkeys(one for one in map(family, names) if one in ("rouge", "be"))
    return [f"{one}.{key}={value}" for one in families for key, value in AS_IN_TAC.items()]


def _column_of(metric: Declared, field: str | None) -> str:
    if field is not None and field not in metric.fields:
        raise UsageError(f"{metric.name} has no {field!r}; it has {', '.join(metric.fields)}")
    return f"{metric.name}.{field or metric.primary}"


def _check_texts(name: str, suite: Suite, texts: StudyRows) -> None:
    """Raise if no row has a text that the metrics compare with."""
    for what, given in (("references", texts.references), ("source", texts.sources)):
        if what in suite.reads and not any(given or ()):
            mend = f"name the column with --{what}-column, or choose other metrics"
            raise DataError(name, f"no row has {what}", mend)
