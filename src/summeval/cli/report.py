"""`summeval report`: a report on systems, metrics and human judgements, in one HTML file.

Show the scores in SCORES as one HTML page, which needs neither scripts nor network: which system is
better and how sure that is, how scores are spread, how far metrics agree, the rows on which they
part, and how far they follow length. SCORES is a file that `summeval score` has written.

With human scores it also shows how well the metrics agree with people: correlations with intervals,
significant differences, agreement by topic, what each metric adds. Without --human all numeric
columns that are no metrics are taken for human scores; --human none takes none of them.

The number of words of the candidates is added as a baseline, computed from the texts (summeval
score --keep-text) or read from --length. Signatures are read from Parquet and Arrow files, or from
--signatures. The first coefficient is the one that is tested and plotted. For comparisons with
people, metrics are negated if lower is better, with a minus before their names. Without --metrics
each of summeval's metrics is shown by its value (fmeasure for ROUGE), other metrics by all of their
fields. The page has pictures if matplotlib is installed (pip install 'summeval[report]').

[ARGUMENTS]
--human: columns with human scores; scores.x means x in the object scores [all numeric columns that
    are not metrics]
--level: summary, system, global, all [summary,system]
--alpha: level of the tests, from 0 to 1 [0.05]
--format: format of the results [by the ending of OUT, or html]
--metrics: METRIC or METRIC.FIELD [all]
--length: column with the lengths of the candidates
--candidate-column: column with the texts [candidate]
--title: title of the page [the name of SCORES]
--bootstrap: number of draws and permutations [as many as the tests need]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval score --hyp a.txt --hyp b.txt --ref ref.txt -m rouge1,rouge2 -o scores.jsonl
  summeval report scores.jsonl -o report.html
  summeval score rows.jsonl -m rouge1,rouge2,tesla-s -o scores.jsonl --keep-text --means > sums
  summeval report scores.jsonl --human coherence relevance --signatures sums -o report.html
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import isnan
from typing import Any

import summeval
from summeval._progress import Progress
from summeval.cli.rank import ranking
from summeval.cli.report_rows import Columns, Keeper, cautions, chosen, columns_of, full_rows, told
from summeval.cli.shared import flags, judged
from summeval.cli.shared.errors import refusals, say, write_file
from summeval.cli.shared.results import add_layout, settle_layout, show
from summeval.io import DataError
from summeval.io.rows import Row, not_found
from summeval.io.source import shown
from summeval.meta.differences import Ranking
from summeval.meta.overview import LENGTH, Overview, overview, survey
from summeval.report.html import Contents
from summeval.report.page import report
from summeval.report.people import by_level
from summeval.table.cells import find
from summeval.table.table import Table

LEVELS = ("summary", "system")
LAYOUTS = ("html", "csv", "json", "latex")
NONE = "none"  # as a name of --human
MANY = 40  # systems, from which each is compared with the best one only
_NO_LENGTHS = (
    "Lengths are not known: the scores have no column of lengths and no texts."
    " Pass one with --length, or keep the texts (summeval score --keep-text)."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    judged.add_judged(parser, guess=True)
    add = parser.add_argument
    flags.add(parser, "metrics")
    add("--length", metavar="COLUMN")
    add("--candidate-column", default="candidate", metavar="NAME")
    add("--title", metavar="TEXT")
    flags.add(parser, "bootstrap", default=None)
    flags.add(parser, "alpha")
    add_layout(parser, LAYOUTS)


def run(arguments: Namespace) -> None:
    """Read, compute and write."""
    settle_layout(arguments)
    judged.check_numbers(arguments, 1)
    judged.read_names(arguments)
    levels, coefficients = judged.levels_of(arguments, LEVELS), judged.coefficients_of(arguments)
    names = [arguments.system, arguments.topic, "id", arguments.length or LENGTH]
    keep = Keeper(arguments.candidate_column, names, count_words=not arguments.length)
    found = judged.read_scores(arguments, keep)
    guessed = not arguments.human
    arguments.human = [] if arguments.human == [NONE] else arguments.human
    if guessed:
        arguments.human = judged.dimensions(arguments, found)
    columns = judged.shown_columns(arguments, found)
    _set_lengths(arguments, found.rows)
    table = columns_of(arguments, found, columns)
    notes = [*found.notes, *cautions(keep.texts, columns, found.signatures)]
    notes += judged.means_of_sums(columns, table.sums)
    if guessed and arguments.human and (table.systems is None or table.paired in ("order", "")):
        lacks = "system (--system)" if table.systems is None else "topic (--topic)"
        left = f"not taken for human scores, as no row names its {lacks}"
        notes.append(f"{', '.join(arguments.human)}: {left}")
        arguments.human = []
    people: Overview | None = None
    ceilings: judged.Ceilings = {}
    if arguments.human:
        if table.paired == "id":
            arguments.topic = "id"
        people, ceilings = _people(arguments, found, columns, levels, coefficients)
        notes += judged.ceiling_notes(ceilings)
        for line in people.cautions:
            say(f"warning: {line}")
    if people is not None:  # `judged_tables` has read the options, and warned
        rising = {column: column not in people.negated for column in columns}
    else:
        rising = dict.fromkeys(columns, True) | judged.directions(arguments, found, columns)
    if arguments.format == "html":
        again = keep.rows == len(found.rows)
        page = page_of(arguments, found, table, rising, notes, people, ceilings, again)
        write_file(arguments.output, page.encode())
        return
    if people is not None:
        rows = [row for agreement in people.agreements for row in agreement.rows]
        settings = _settings(people) | {"signatures": dict(found.signatures) or None}
        show(arguments, rows, settings, [*people.notes, *judged.means_of_sums(columns)], ["over"])
        return
    ranking = ranked(arguments, table, rising, notes)
    if ranking is None:
        place, hint = shown(arguments.scores), "name its column: --system"
        raise DataError(place, "no row names its system", hint)
    made = {"summeval": summeval.__version__, "systems": len(ranking.systems)}
    show(arguments, ranking.to_rows(), made | ranking.settings, notes)


def _people(
    arguments: Namespace,
    found: Table,
    columns: Sequence[str],
    levels: Sequence[Any],
    coefficients: Sequence[Any],
) -> tuple[Overview, judged.Ceilings]:
    """Return the comparison with human scores, and the ceilings that judges known by name set."""
    lengths = [LENGTH] * any(LENGTH in row for row in found.rows)
    scores = judged.judged_tables(arguments, found, list(dict.fromkeys([*columns, *lengths])))
    size = len(found.rows)
    hint = "choose other columns"
    with refusals(shown(arguments.scores), hint, besides=True), Progress(None) as progress:
        made = overview(
            scores,
            columns,
            arguments.human,
            coefficients,
            levels,
            **flags.given(arguments, "over", "bootstrap", "confidence", "alpha", "seed"),
            progress=lambda done, all_: progress.reach(done * size, all_ * size),
        )
        return made, judged.ceilings_of(scores, made.humans, levels)


def _settings(made: Overview) -> dict[str, Any]:
    return {
        "summeval": summeval.__version__,
        "systems": len(made.scores.systems),
        "topics": len(made.scores.topics),
        "over": by_level(made.permuted),
        "intervals over": by_level(made.drawn),
        "resamples": made.resamples,
        "seed": made.seed,
        "confidence": made.confidence,
        "alpha": made.alpha,
        "baseline": LENGTH if LENGTH in made.metrics else "none: no lengths",
    }


def _set_lengths(arguments: Namespace, rows: list[Row]) -> None:
    """Write the lengths of the named column into each row."""
    if not arguments.length:
        return
    if not any(find(row, arguments.length)[0] for row in rows):
        problem = not_found(arguments.length, Table(rows).paths())
        raise DataError(shown(arguments.scores), problem, "name the column with --length")
    for row in rows:
        row[LENGTH] = find(row, arguments.length)[1]


def page_of(  # noqa: PLR0917 - all that has been read
    arguments: Namespace,
    found: Table,
    table: Columns,
    rising: Mapping[str, bool],
    notes: list[str],
    people: Overview | None,
    ceilings: judged.Ceilings,
    again: bool,
) -> str:
    """Return the page; `again` says whether the file can be read again, row by row, for texts."""
    metrics = tuple(table.scores)
    names, places = table.places()
    surveyed = survey(table.scores, names or [""], places, rising, lengths=table.lengths)
    draws = find_spec("matplotlib") is not None
    if not draws:
        notes.append("without pictures: pip install 'summeval[report]'")
    if table.lengths is None:
        notes.insert(0, _NO_LENGTHS)
    ranking = ranked(arguments, table, rising, notes)
    settings = {"summeval": summeval.__version__, "scores": shown(arguments.scores)}
    if arguments.judgements:
        settings["judgements"] = arguments.judgements
    if ranking is not None:
        settings["rows paired by"] = table.paired or "nothing"
    bare = {metric.rpartition(".")[0] for metric in metrics}
    coefficient = people.coefficients[0] if people is not None else "pearson"
    file = re.split(r"[/\\]", shown(arguments.scores))[-1]
    contents = Contents(
        name=file,
        title=arguments.title or file,
        metrics=metrics,
        labels=labels_of(metrics),
        survey=surveyed if names else replace(surveyed, systems=()),
        ranking=ranking,
        people=people,
        ceilings={key: one.ceiling(coefficient) for key, one in ceilings.items()},
        settings=settings,
        signatures={n: line for n, line in found.signatures.items() if n in bare},
        notes=tuple(dict.fromkeys([*notes, *(people.notes if people is not None else ())])),
    )
    picks: list[tuple[int, str, tuple[str, ...]]] = [(0, "The only row.", (contents.main,))]
    if surveyed.rows > 1:
        picks = chosen(surveyed, table.scores, contents.main, rising, contents.label)
    full = full_rows(arguments.scores, [row for row, _, _ in picks] if again else [])
    shown_rows = told(picks, full, table, contents.label, arguments.candidate_column)
    return report(replace(contents, told=shown_rows), table.scores, draws=draws)


def ranked(
    arguments: Namespace, table: Columns, rising: Mapping[str, bool], notes: list[str]
) -> Ranking | None:
    """Return the ranking of the systems; None if rows name no systems. Adds to the notes."""
    if table.systems is None:
        return None
    count = len(set(table.systems))
    topics, baseline = table.topics, None
    if count > MANY:
        baseline = _best(table, next(iter(table.scores)), rising)
        notes.append(f"{count} systems: each is compared with {baseline} only")
    if not table.paired:
        # nothing pairs the rows: intervals alone, as if each system had topics of its own
        topics = [f"{system} {row}" for row, system in enumerate(table.systems)]
        notes.append(
            "systems cannot be tested, as nothing pairs their rows: they differ in number, and have"
            " neither topics nor ids in common"
        )
    outputs = table.scores, table.systems, topics
    made = ranking(arguments, outputs, baseline, rising, sums=table.sums)
    notes += made.notes if table.paired else []
    return made


def _best(table: Columns, metric: str, rising: Mapping[str, bool]) -> str:
    """Return the system with the best mean."""
    assert table.systems is not None
    known: dict[str, list[float]] = {}
    for system, score in zip(table.systems, table.scores[metric].tolist(), strict=True):
        if not isnan(score):
            known.setdefault(system, []).append(score)
    means = {system: sum(values) / len(values) for system, values in known.items()}
    best = max if rising[metric] else min
    return best(means, key=means.__getitem__, default=table.systems[0])


def labels_of(columns: Sequence[str]) -> dict[str, str]:
    """Names without their field, where that is the value of a metric and no other has the name.

    >>> labels_of(["rouge1.fmeasure", "tesla-s.recall", "mine.score"])
    {'rouge1.fmeasure': 'rouge1', 'tesla-s.recall': 'tesla-s.recall', 'mine.score': 'mine.score'}
    """
    labels = {}
    for column in columns:
        metric, _, field = column.rpartition(".")
        alone = sum(other.rpartition(".")[0] == metric for other in columns) == 1
        try:
            primary = alone and summeval.metric(metric).primary == field
        except (ValueError, ImportError):
            primary = False
        labels[column] = metric if primary else column
    return labels
