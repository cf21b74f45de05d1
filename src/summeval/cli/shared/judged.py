"""Shared by `correlate`, `compare`, `rank` and `report`: reading scores and judgements."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import summeval
from summeval.cli.shared import flags
from summeval.cli.shared.choice import usual
from summeval.cli.shared.errors import UsageError, as_usage, refusals, say
from summeval.cli.shared.layout import CORRECT, map_columns, to_wide
from summeval.io import DataError
from summeval.io.directions import LOWER_IS_BETTER, Stored, read_text
from summeval.io.formats import format_of
from summeval.io.rows import Row, not_found
from summeval.meta.arrays import COEFFICIENTS, LEVELS
from summeval.meta.differences import Sums
from summeval.meta.overview import LENGTH
from summeval.meta.reliability import Reliability
from summeval.metrics.registry import (
    INDEX,
    VALUE,
    Family,
    direction_of,
    directions_of,
    expanded,
    find,
)
from summeval.metrics.run.signature import Signature
from summeval.table.scores import Scores, listed
from summeval.table.table import Table, read_rows, read_score_table

_STATISTIC = re.compile(r"\.sum(\d+)$", re.ASCII)  # a column of `score --sums`
Ceilings = Mapping[tuple[str, Any], Reliability]


def ceiling_notes(known: Ceilings) -> list[str]:
    """Notes on the judges of each dimension, and what a ceiling is."""
    notes = []
    for (human, level), found in known.items():
        reached = f"reliability {found.value:.3f} of the mean of {found.judges:.3g} judges"
        notes += [f"{human}, {level} level: {note}" for note in (reached, *found.notes)]
    end = (
        "ceiling: the correlation expected of a perfect metric with these means; disattenuated:"
        " the metric's own with judgements free of noise"
    )
    return [*notes, end] if notes else []


def add_judged(parser: ArgumentParser, guess: bool = False) -> None:
    """Declare the arguments for the data and the measures.

    With `guess` --human may be omitted (see `dimensions`).
    """
    parser.add_argument("scores", metavar="SCORES")
    flags.add(parser, "human", required=not guess)
    flags.add(parser, "lower-is-better", "signatures")
    parser.add_argument("--judgements", metavar="FILE")
    flags.add(parser, "system", "topic", "judge", "long", "columns")
    flags.add_names(parser, "--level")
    flags.add_names(parser, "--coefficient")
    parser.add_argument("--over", choices=("topics", "systems", "both"))
    flags.add(parser, "confidence", "seed")


def check_numbers(arguments: Namespace, least: int) -> None:
    """Raise for invalid numbers on the command line."""
    flags.check_least(arguments, bootstrap=least)
    flags.check_least(arguments, "give {} or more", seed=0)


def levels_of(arguments: Namespace, default: Sequence[str] = ("summary",)) -> list[str]:
    """Return the levels requested."""
    return flags.chosen_of(arguments, "level", LEVELS, "all") or list(default)


def coefficients_of(arguments: Namespace) -> list[str]:
    """Return the coefficients requested."""
    return flags.chosen_of(arguments, "coefficient", COEFFICIENTS, "all") or list(COEFFICIENTS)


def read_names(arguments: Namespace) -> None:
    """Read the options that name columns; each column once."""
    lower = flags.names_of("--lower-is-better", arguments.lower_is_better, "column")
    arguments.human = flags.names_of("--human", arguments.human, "column")
    with as_usage():
        arguments.metrics = expanded(flags.names_of("--metrics", arguments.metrics, "metric"))
    arguments.lower_is_better = lower
    for name in arguments.metrics:
        if name in arguments.human:
            raise UsageError(f"--metrics names {name!r}, which --human names too; use it once")


def read_judged(arguments: Namespace) -> tuple[Scores, list[str]]:
    """Return the tables of metrics and human scores, and the columns of the metrics.

    Without names every column METRIC.FIELD is a metric.

    Raises
    ------
    DataError
        Unusable rows, missing columns, or no human scores.
    """
    found = read_scores(arguments)
    columns = columns_of_metrics(arguments, found)
    scores = judged_tables(arguments, found, columns)
    for human in arguments.human:
        if human in columns:
            raise UsageError(f"--metrics names {human}, which --human names too; use it once")
        if np.isnan(scores[human]).all():
            place = arguments.judgements or found.origin
            problem = f"no row has a number in {human!r}"
            raise DataError(place, problem, "choose another with --human")
    return scores, columns


def read_scores(arguments: Namespace, keep: Callable[[Row], Row] = lambda row: row) -> Table:
    """Return the rows of SCORES, or what to keep of each; with --signatures and directions.

    Raises
    ------
    DataError
        An unreadable file, unusable rows, or a file without signatures.
    """
    own = arguments
    found = read_rows(arguments.scores, keep)
    if arguments.judgements is not None:  # which are what --human and --judge are about
        map_columns(arguments)
        own = Namespace(**vars(arguments) | {"human": [], "judge": []})
        own.long = _present(arguments.long, found)
    found = to_wide(own, found)
    arguments.system, arguments.topic, arguments.scored = own.system, own.topic, own.scored
    return signed(arguments, found)


def _present(columns: Sequence[str], table: Table) -> Sequence[str]:
    """Return the columns of --long, if this file of two has them."""
    return columns if all(n in table for n in flags.names_of("--long", columns, "column")) else []


def signed(arguments: Namespace, found: Table) -> Table:
    """Return the rows with the signatures and directions of --signatures, too."""
    more = read_signatures(arguments.signatures) if arguments.signatures else Summed()
    summed = Summed({**found.signatures, **more.signatures}, more.lower_is_better)
    directions = {**summed.directions(found.columns), **found.directions}
    return replace(found, signatures=summed.signatures, directions=directions)


def columns_of_metrics(arguments: Namespace, table: Table) -> list[str]:
    """Return the columns of the named metrics.

    Default: all columns METRIC.FIELD, the scores of rows of one score, and those named by
    --lower-is-better; if there are none, all columns of numbers, which a line reports.
    """
    columns = [_column(table, metric) for metric in arguments.metrics]
    if not arguments.metrics:
        scored = getattr(arguments, "scored", ())
        columns = [key for key in table.columns if "." in key or key in scored]
        columns = [key for key in columns if not _STATISTIC.search(key)]
        columns += lower_columns(arguments, table)
        columns = [key for key in columns if key not in arguments.human]
    if not columns and arguments.human:
        columns = [key for key in numeric(arguments, table) if key not in arguments.human]
        if columns:
            taken = f"taken as metrics: {listed(columns)}"
            say(f"{table.origin}: no column is named METRIC.FIELD; {taken}")
    if not columns:
        problem = "no column is named METRIC.FIELD"
        hint = "score the rows first, or name the columns with --metrics"
        raise DataError(table.origin, problem, hint)
    return list(dict.fromkeys(columns))


def shown_columns(arguments: Namespace, table: Table) -> list[str]:
    """Return the columns of the named metrics.

    By default of each known metric that of its value; of others, and if named, all columns.
    """
    columns = columns_of_metrics(arguments, table)
    if arguments.metrics:
        return columns
    kept = []
    for column in columns:
        metric, _, field = column.rpartition(".")
        primary = primary_of(metric) or field
        named = column in arguments.lower_is_better
        if named or field == primary or f"{metric}.{primary}" not in columns:
            kept.append(column)
    return kept


def numeric(arguments: Namespace, table: Table) -> list[str]:
    """Return the columns that hold only numbers, but for ids, names and lengths of texts."""
    others = {"id", LENGTH, arguments.system, arguments.topic, getattr(arguments, "length", None)}
    return [one for one in table.paths() if one not in others and table.holds_numbers(one)]


def dimensions(arguments: Namespace, found: Table) -> list[str]:
    """Return the numeric columns that may hold human scores, if --human is not given.

    They are not METRIC.FIELD, not named as metrics, and not ids or lengths of texts. There may be
    none, unless --judgements names a file for them.
    """
    if arguments.judgements is not None:
        found = _read_judgements(arguments)[0]
    others = {*arguments.metrics, *arguments.lower_is_better}
    others |= {key for key in found.columns if "." in key and key not in found.judgements}
    columns = [column for column in numeric(arguments, found) if column not in others]
    if not columns and arguments.judgements is not None:
        problem = "no column seems to hold human scores"
        raise DataError(arguments.judgements, problem, "name one with --human")
    return columns


def judged_tables(arguments: Namespace, found: Table, columns: Sequence[str]) -> Scores:
    """Return the tables of these columns and of human scores, possibly from a separate file.

    Directions from --lower-is-better override those of names and files.
    """
    if arguments.judgements is None:
        scores = _tables(found, [*columns, *arguments.human], arguments)
    else:
        scores = _tables(found, columns, arguments)
        given, own = _read_judgements(arguments)
        judgements = _tables(given, arguments.human, own)
        hint = "pass --system and --topic, or correct the names"
        with refusals(found.origin, hint, besides=True):
            scores = scores.join(judgements)
    lower = checked_lower(arguments, found, columns, scores.stated)
    return scores.directed(scores.higher_is_better | dict.fromkeys(lower, False))


def directions(arguments: Namespace, table: Table, columns: Sequence[str]) -> dict[str, bool]:
    """Return the directions of the columns for which they are known; warns as `checked_lower`."""
    stored = directions_of(columns, table.directions)
    lower = checked_lower(arguments, table, columns, stored)
    return stored | dict.fromkeys(lower, False)


def checked_lower(
    arguments: Namespace, table: Table, columns: Sequence[str], stored: Mapping[str, bool]
) -> list[str]:
    """Return the columns that --lower-is-better names; warn of directions overridden or guessed.

    `stored` has the directions that are known by names and files.
    """
    lower = lower_columns(arguments, table)
    for column in lower:
        if column not in columns:
            problem = f"--lower-is-better names {column}, which is not selected"
            raise UsageError(f"{problem}; add it to --metrics")
    lower += [name for name in arguments.lower_is_better if name in arguments.human]
    for column in filter(stored.get, lower):
        message = f"warning: by its name or file, higher is better in {column}"
        say(f"{message}; --lower-is-better overrides this, so it is negated")
    if guessed := lower_by_name([name for name in columns if name not in {*stored, *lower}]):
        say(
            f"warning: {listed(guessed)}: assumed that higher is better, though in fields of this"
            " name in summeval's metrics lower is better; add --signatures FILE (from summeval"
            " score --means) or --lower-is-better COLUMN"
        )
    return lower


def lower_columns(arguments: Namespace, table: Table) -> list[str]:
    """Return the columns of metrics that --lower-is-better names."""
    asked = [name for name in arguments.lower_is_better if name not in arguments.human]
    for name in asked:
        start = f"{name.removesuffix(f'.{VALUE}')}."
        if name not in table and not any(key.startswith(start) for key in table.columns):
            hint = "name a column with --lower-is-better"
            raise DataError(table.origin, not_found(name, table.paths()), hint)
    return list(dict.fromkeys(_column(table, name) for name in asked))


def _read_judgements(arguments: Namespace) -> tuple[Table, Namespace]:
    """Return the rows of --judgements, and the arguments with the columns of their names."""
    path = arguments.judgements
    if not (format_of(path) or os.path.isdir(path)):
        named = {"system": "system", "topic": "topic"}
        return read_score_table(path), Namespace(**vars(arguments) | named)
    found = read_rows(path)
    more: dict[str, Any] = {"metrics": [], "lower_is_better": []}
    for key in ("system", "topic"):  # which the two files may call by different names
        if getattr(arguments, key) not in found:
            more[key] = key
    if arguments.scored:
        more["long"] = _present(arguments.long, found)
    own = Namespace(**vars(arguments) | more)
    return to_wide(own, found), own


def _tables(found: Table, columns: Sequence[str], arguments: Namespace) -> Scores:
    for human in arguments.human:
        if human in columns:
            found.check("human", human)
    found.check("system", arguments.system)
    found.check("topic", arguments.topic)
    with refusals(found.origin, CORRECT):
        made = found.pivot(columns, arguments.system, arguments.topic)
    made.notes = (*found.notes, *made.notes)
    made.judgements = {h: found.judgements[h] for h in arguments.human if h in found.judgements}
    return made


def _column(table: Table, metric: str) -> str:
    """Return the column of a metric: METRIC.FIELD; METRIC or METRIC.value means its value."""
    if metric in table:
        return metric
    metric = metric.removesuffix(f".{VALUE}") if direction_of(metric) is not None else metric
    if len(fields := [key for key in table.columns if key.startswith(metric + ".")]) == 1:
        return fields[0]
    if not fields and (other := usual([metric])[0]) != metric:
        return _column(table, other)
    if not fields:
        # A name without a field is more likely a misspelt metric than a column.
        known = [key for key in table.columns if "." in key] or table.columns
        if "." not in metric:
            known = list(dict.fromkeys(key.rpartition(".")[0] or key for key in known))
        hint = "pass columns as METRIC or METRIC.FIELD"
        raise DataError(table.origin, not_found(metric, known), hint)
    primary = f"{metric}.{primary_of(metric)}"
    if primary not in fields:
        problem = f"{metric} has {len(fields)} columns: {', '.join(fields[:5])}"
        raise DataError(table.origin, problem, "choose one of them")
    return primary


def primary_of(metric: str) -> str:
    """Return the main field of a metric of this name; empty if there is none."""
    found = _known(metric)
    return found.primary if found is not None else ""


def sums_in(table: Table, columns: Sequence[str]) -> dict[str, Sums]:
    """Return what makes scores of the corpus, for columns of metrics that `score --sums` wrote.

    Raises `DataError` if the signature of the metric is not known, or does not fit.
    """
    places: dict[str, dict[int, str]] = {}
    for key in table.columns:
        if (found := _STATISTIC.search(key)) is not None:
            places.setdefault(key[: found.start()], {})[int(found[1])] = key
    made: dict[str, Sums] = {}
    for metric, own in places.items():
        shown = [column for column in columns if column.rpartition(".")[0] == metric]
        if not shown:
            continue
        formula = _formula(table, metric, len(own))
        with refusals(table.origin, "score again", besides=True):
            statistics = np.stack([table.number(own[place]) for place in sorted(own)], axis=1)
        made |= {column: Sums(formula, column.rpartition(".")[2], statistics) for column in shown}
    return made


def _formula(table: Table, metric: str, size: int) -> Any:
    """Return the metric of a signature in a file, which must have so many statistics."""
    hint = "pass --signatures, or leave the columns of sums out"
    if (line := table.signatures.get(metric)) is None:
        raise DataError(table.origin, f"has sums of {metric}, but not its signature", hint)
    try:
        signature = Signature.parse(line)
        family: Any = find(signature.name)
        found = family.load().of_signature(signature)
        if found.statistics_size == size:
            return found
    except (ValueError, LookupError, AttributeError):
        pass
    raise DataError(table.origin, f"its {size} sums are not those of {line}", hint)


def means_of_sums(columns: Sequence[str], sums: Iterable[str] = ()) -> list[str]:
    """Return a note on metrics such as BLEU, of which a file of rows gives no score of the corpus.

    Columns of which `sums` are known have one.

    >>> means_of_sums(["rouge1.fmeasure", "chrf.value"])[0].partition(";")[0]
    'chrf: means of rows, not scores of the corpus, which are made of sums'
    """
    known = {*sums}
    metrics = dict.fromkeys(column.rpartition(".")[0] for column in columns if column not in known)
    summed = [name for name in metrics if (found := _known(name)) is not None and found.summed]
    if not summed:
        return []
    return [
        f"{listed(summed)}: means of rows, not scores of the corpus, which are made of sums;"
        " `summeval score --means` prints these; of scores written with --sums, rank tests them"
    ]


def _known(metric: str) -> Family | type[summeval.Metric] | None:
    try:
        return find(metric)
    except ValueError:  # a package that cannot be used
        return None


# Signatures


@dataclass(frozen=True)
class Summed:
    """The signatures of metrics by name, and the columns in which lower is better.

    >>> summed = Summed({"mine": "simetrix|v:0.1.0"})
    >>> summed.directions(["mine.smoothedJSD", "mine.cosineAllWords", "other.smoothedJSD"])
    {'mine.smoothedJSD': False, 'mine.cosineAllWords': True}
    """

    signatures: Mapping[str, str] = field(default_factory=dict)
    lower_is_better: frozenset[str] = frozenset()

    def directions(self, columns: Iterable[str]) -> dict[str, bool]:
        """Return the direction of the columns for which it is known."""
        found = {}
        for column in columns:
            metric, _, name = column.rpartition(".")
            higher_is_better: bool | None = None
            if column in self.lower_is_better:
                higher_is_better = False
            elif metric in self.signatures:
                higher_is_better = direction_of(f"{_named(self.signatures[metric])}.{name}")
            if higher_is_better is not None:
                found[column] = higher_is_better
        return found


def read_signatures(path: str) -> Summed:
    """Read the lines of a summary, or its JSON, or the file beside a file of scores.

    Raises
    ------
    DataError
        A file cannot be read, is not UTF-8 or holds no signature.
    """
    text = read_text(path)
    if (file := Stored.parse(text)) is not None:
        return Summed(file.signatures, frozenset(c for c, up in file.directions.items() if not up))
    found, lower_is_better = {}, set[str]()
    for line in text.splitlines():
        name, colon, signature = line.partition(": ")
        if line.startswith(LOWER_IS_BETTER):
            lower_is_better |= set(line.removeprefix(LOWER_IS_BETTER).split(", "))
        elif colon and "|v:" in signature:
            found[name] = signature
    if not found:
        raise DataError(path, "holds no signature", "write it with summeval score --means")
    return Summed(found, frozenset(lower_is_better))


def lower_by_name(columns: Iterable[str]) -> list[str]:
    """The columns with a field in which lower is better in every registered metric that has it.

    >>> lower_by_name(["mine.smoothedJSD", "mine.recall", "smoothedJSD"])
    ['mine.smoothedJSD']
    """
    known = INDEX
    higher = {
        name for family in known for name in family.fields if name not in family.lower_is_better
    }
    lower_is_better = {name for family in known for name in family.lower_is_better} - higher
    parted = [(column, *column.rpartition(".")) for column in columns]
    return [column for column, metric, _, name in parted if metric and name in lower_is_better]


def _named(signature: str) -> str:
    """Return the metric of a signature; None if the line is not a signature."""
    try:
        return Signature.parse(signature).name
    except ValueError:
        return ""
