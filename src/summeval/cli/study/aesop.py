"""`summeval study aesop`: agreement of metrics with people, AllPeers and NoModels.

Correlate metrics with people at the system level, with people among the systems (AllPeers) and
without (NoModels), and compare each pair of metrics by Koehn's test, as TAC's task AESOP and Lin,
Liu, Ng and Kan (2012) do.

INPUT holds a row for each summary, with its system, its topic and human scores. The metrics are
its columns METRIC.FIELD, as summeval score writes them. If there are none, or if -m names metrics
that are no columns, the texts of the rows are scored: a person against the references of the other
people, n - 1, and a system against every n - 1 of its n references, averaged. A note says which.
Metrics that are better when lower are negated; the table and a note say so.

People are the systems that --people matches, and those of rows whose is_human is true.
{COLUMNS}

[ARGUMENTS]
--option: an option of a metric or a family, such as rouge.stemmer=porter, for metrics that are
    scored
INPUT: rows: JSON Lines, CSV, Parquet or Arrow
--metrics: columns or metrics to score [all columns]
--task: names the task; each has its own tables [one task]
--people: systems that are people, such as 'human*'
--no-jackknife: score against all references given, once

Without -m and without scores the metrics are rouge2.recall, rougeSU4.recall, be,
tesla-s, dicomer, cremer; those whose extra is not installed are left out, with a note. This
ROUGE and BE have the stems of ROUGE-1.5.5 and the mean over references, as in TAC.
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study aesop scores.jsonl --human coherence,relevance
  summeval study aesop rows.jsonl -m rouge2,tesla-s --human coherence --people 'human*' -o folder
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from summeval.cli.shared import flags, judged
from summeval.cli.shared.choice import choose, columns_of, family, usual
from summeval.cli.shared.errors import UsageError, refusals
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import has_texts, texts_of
from summeval.io import DataError
from summeval.io.rows import not_found
from summeval.io.source import shown
from summeval.metrics.registry import options_of, split_field
from summeval.study.aesop import AS_IN_TAC, DEFAULT, Peers, aesop, jackknifed
from summeval.table.cells import holds_numbers
from summeval.table.scores import listed
from summeval.table.table import Table

if TYPE_CHECKING:
    from summeval import Suite


_IS_HUMAN = "is_human"
_TRUE = ("true", "1", "yes")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("scores", metavar="INPUT")
    flags.add(parser, "human", required=True)
    flags.add(parser, "metrics", "system", "topic", "judge", "long", "columns")
    add("--task", metavar="COLUMN")
    flags.add_names(parser, "--people", metavar="GLOB")
    flags.add(parser, "lower-is-better", "signatures", "option")
    add("--no-jackknife", action="store_true")
    flags.derive(parser, aesop, "coefficient", "resamples", "seed")
    flags.add(parser, "workers")
    flags.add_columns(parser)
    add_output(parser)


def run(arguments: Namespace) -> None:
    """Read, score what is not scored, correlate, and print."""
    workers = flags.workers_of(arguments)
    chosen = flags.parameters(arguments)
    judged.read_names(arguments)
    check_folder_of(arguments)
    name = shown(arguments.scores)
    arguments.judgements = None
    found = judged.read_scores(arguments)
    systems, topics, tasks = _names(arguments, found)
    people = _people(arguments, found, systems)
    texts = has_texts(arguments, name, found.rows)
    taken, wanted, notes = _metrics(arguments, found, texts)
    signatures: dict[str, str] = {}
    if wanted:
        read = texts_of(arguments, name, found.rows, (), ("references", "source"))
        suite, columns, more = _suite(usual(wanted), arguments)
        for what, given in (("references", read.references), ("source", read.sources)):
            if what in suite.reads and not any(given or ()):
                hint = f"name the column with --{what}-column, or choose other metrics"
                raise DataError(name, f"no row has {what}", hint)
        among = [system in people for system in systems]
        nothing: list[list[str] | None] = [None] * len(among)
        references, sources = read.references or nothing, read.sources or nothing
        peers = Peers(read.candidates, references, topics, among, sources)
        jackknife = not arguments.no_jackknife
        with refusals(name):
            scored, told = jackknifed(suite, peers, jackknife=jackknife, workers=workers)
        for column in columns:
            for row, value in zip(found.rows, scored[column].tolist(), strict=True):
                row[column] = value
        found = replace(found, directions={**found.directions, **suite.directions})
        signatures = {one: str(line) for one, line in suite.signature.items()}
        taken += columns
        notes += [*more, *told]
    scores = judged.judged_tables(arguments, found, taken)
    with refusals(name, "choose other columns"):
        study = aesop(scores, taken, arguments.human, people, tasks=tasks, **chosen)
    notes = [*dict.fromkeys([*notes, *found.notes, *study.notes])]
    show_study(arguments, replace(study, signatures=signatures, notes=notes))


def _names(
    arguments: Namespace, table: Table
) -> tuple[list[str], list[str], dict[str, str] | None]:
    """Return the system and the topic of each row, and the task of each topic.

    A topic of two tasks gets their names, also in its row.
    """
    table.check("human", *arguments.human)
    columns = flags.given(arguments, "system", "topic", *["task"] * (arguments.task is not None))
    for option, column in columns.items():
        table.check(option, column)
    names = {option: _column(table, column, option) for option, column in columns.items()}
    systems, topics, of_topic = names["system"], names["topic"], None
    if tasks := names.get("task"):
        several = Counter(topic for topic, _ in {*zip(topics, tasks, strict=True)})
        for place, (topic, task) in enumerate(zip(topics, tasks, strict=True)):
            if several[topic] > 1:
                topics[place] = table.rows[place][arguments.topic] = f"{topic} ({task})"
        of_topic = dict(zip(topics, tasks, strict=True))
    first: dict[tuple[str, str], int] = {}
    for place, key in enumerate(zip(systems, topics, strict=True), 1):
        if first.setdefault(key, place) != place:
            problem = f"row {place} has the system {key[0]!r} and the topic {key[1]!r} of row"
            hint = "keep one, or name the tasks with --task"
            raise DataError(table.origin, f"{problem} {first[key]}", hint)
    return systems, topics, of_topic


def _column(table: Table, column: str, option: str) -> list[str]:
    """Return the names in a column."""
    values = table.values(column)
    for place, value in enumerate(values, 1):
        if value is None or value == "" or isinstance(value, (dict, list)):
            problem = f"row {place} has no {option} in {column!r}"
            raise DataError(table.origin, problem, "write a name in each row")
    return list(map(str, values))


def _people(arguments: Namespace, table: Table, names: Sequence[str]) -> list[str]:
    """Return the systems that are people, in order of appearance."""
    systems = [*dict.fromkeys(names)]
    found = set[str]()
    for glob in flags.names_of("--people", arguments.people, "pattern"):
        matched = [system for system in systems if fnmatchcase(system, glob)]
        if not matched:
            hint = f"choose from {listed(systems)}"
            raise DataError(table.origin, f"--people {glob!r} matches no system", hint)
        found |= set(matched)
    said: dict[str, bool] = {}
    for system, row in zip(names, table.rows, strict=True):
        if _IS_HUMAN in row:
            value = row[_IS_HUMAN]
            true = value.strip().lower() in _TRUE if isinstance(value, str) else bool(value)
            if said.setdefault(system, true) != true:
                problem = f"{_IS_HUMAN} differs between the rows of {system!r}"
                raise DataError(table.origin, problem, "give people and systems their own names")
    return [system for system in systems if system in found or said.get(system)]


def _metrics(
    arguments: Namespace, table: Table, texts: bool
) -> tuple[list[str], list[str], list[str]]:
    """Return the columns to take, the metrics to score, and notes that say which."""
    asked, taken, wanted, notes = arguments.metrics, list[str](), list[str](), list[str]()
    if asked:
        others = [metric for metric in asked if not _is_column(metric, table)]
        if texts:
            wanted = others
        elif registered := [one for one in others if _is_registered(split_field(one)[0])]:
            problem = f"no column {registered[0]!r}, and no texts to score by it"
            missing = not_found("candidate", table.paths(), "candidate")
            hint = "name the texts with --candidate-column"
            raise DataError(table.origin, f"{problem}: {missing}", hint)
        if columns := [metric for metric in asked if metric not in wanted]:
            own = Namespace(**vars(arguments) | {"metrics": columns})
            taken = judged.columns_of_metrics(own, table)
    else:
        taken = [one for one in table.columns if "." in one and one not in arguments.human]
        taken = [one for one in taken if holds_numbers(row.get(one) for row in table.rows)]
        lower = [one for one in arguments.lower_is_better if one not in arguments.human]
        taken += [one for one in lower if one not in taken and _is_column(one, table)]
        if taken and texts:
            notes = ["the texts were not scored; name metrics with -m to score them"]
        elif texts:
            wanted = list(DEFAULT)
        elif not taken:
            problem = "no column METRIC.FIELD holds numbers, and there are no texts to score"
            hint = "score the rows first, or name the columns with -m"
            raise DataError(table.origin, problem, hint)
    how = "without" if arguments.no_jackknife else "with"
    texts_told = f"scored from the texts, {how} the jackknife over references"
    parts = (("scores taken from the file", taken), (texts_told, wanted))
    told = [f"{what}: {', '.join(names)}" for what, names in parts if names]
    return taken, wanted, [*told, *notes]


def _is_registered(name: str) -> bool:
    try:
        options_of(name)
    except ValueError:
        return False
    return True


def _is_column(metric: str, table: Table) -> bool:
    """Return whether the rows have scores of a metric, or a column of that name."""
    return metric in table or any(key.startswith(f"{metric}.") for key in table.columns)


def _suite(names: Sequence[str], arguments: Namespace) -> tuple[Suite, list[str], list[str]]:
    """Return the metrics, their columns, and a note on defaults that are not installed."""
    lacking: list[str] = []
    for name in names:
        base = split_field(name)[0]
        try:
            _ = choose([base], []).signature
        except (ImportError, OSError, ValueError) as error:
            if arguments.metrics:
                raise UsageError(f"{name}: {error}") from None
            lacking.append(name)
    kept = [name for name in names if name not in lacking]
    bases = dict.fromkeys(split_field(name)[0] for name in kept)
    options = arguments.option
    if not arguments.metrics:  # the later ones hold
        families = dict.fromkeys(one for one in map(family, bases) if one in ("rouge", "be"))
        in_tac = [f"{one}.{key}={value}" for one in families for key, value in AS_IN_TAC.items()]
        options = [*in_tac, *options]
    suite = choose(bases, options)
    columns = columns_of(suite.metrics, kept)
    notes = [f"left out, because their parser is not installed: {', '.join(lacking)}"]
    return suite, columns, notes if lacking else []
