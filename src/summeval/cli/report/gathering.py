"""From the rows of a report to what its page shows."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from math import isnan

import summeval
from summeval.cli.report.reading import Columns, full_rows
from summeval.cli.report.telling import chosen, told
from summeval.cli.shared.judged import Ceilings, shown
from summeval.io import DataError
from summeval.meta.overview import Overview
from summeval.meta.ranking.rank import rank, usual_resamples
from summeval.meta.ranking.result import Ranking
from summeval.meta.survey import survey
from summeval.report.page.parts import Contents, Told
from summeval.report.page.report import report

MANY = 40  # systems, from which each is compared with the best one only


@dataclass(frozen=True)
class Given:
    """What has been read.

    Attributes
    ----------
    table : Columns
    rising : dict of str to bool
        Whether higher is better, for each metric.
    signatures : dict of str to str
    notes : list of str
    people : Overview or None
    ceilings : Ceilings
    again : bool
        Whether the file can be read again, row by row, for the texts.
    """

    table: Columns
    rising: Mapping[str, bool]
    signatures: Mapping[str, str]
    notes: list[str]
    people: Overview | None
    ceilings: Ceilings
    again: bool


def page_of(arguments: argparse.Namespace, given: Given) -> str:
    """The page."""
    table, people, notes = given.table, given.people, given.notes
    metrics = tuple(table.scores)
    names, places = table.places()
    surveyed = survey(table.scores, names or [""], places, given.rising, lengths=table.lengths)
    draws = find_spec("matplotlib") is not None
    if not draws:
        notes.append("without pictures: pip install 'summeval[report]'")
    if table.lengths is None:
        notes.insert(0, _NO_LENGTHS)
    ranking = ranked(arguments, table, given.rising, notes)
    bare = {metric.rpartition(".")[0] for metric in metrics}
    coefficient = people.coefficients[0] if people is not None else "pearson"
    contents = Contents(
        name=re.split(r"[/\\]", shown(arguments))[-1],
        title=arguments.title or re.split(r"[/\\]", shown(arguments))[-1],
        metrics=metrics,
        labels=labels_of(metrics),
        survey=surveyed if names else replace(surveyed, systems=()),
        ranking=ranking,
        people=people,
        ceilings={key: found.ceiling(coefficient) for key, found in given.ceilings.items()},
        settings=_settings(arguments, table, ranking),
        signatures={n: line for n, line in given.signatures.items() if n in bare},
        notes=tuple(dict.fromkeys([*notes, *(people.notes if people is not None else ())])),
    )
    contents = replace(contents, told=_told(arguments, contents, given))
    return report(contents, table.scores, draws=draws)


_NO_LENGTHS = (
    "Lengths are not known: the scores have no column of lengths and no texts."
    " Pass one with --length, or keep the texts (summeval score --keep-text)."
)


def _settings(
    arguments: argparse.Namespace, table: Columns, ranking: Ranking | None
) -> dict[str, str]:
    settings = {"summeval": summeval.__version__, "scores": shown(arguments)}
    if arguments.judgements:
        settings["judgements"] = arguments.judgements
    if ranking is not None:
        settings["rows paired by"] = table.paired or "nothing"
    return settings


def _told(arguments: argparse.Namespace, contents: Contents, given: Given) -> tuple[Told, ...]:
    """The rows that the page shows."""
    table = given.table
    if contents.survey.rows < 2:
        picks: list[tuple[int, str, tuple[str, ...]]] = [(0, "The only row.", (contents.main,))]
    else:
        picks = chosen(contents.survey, table.scores, contents.main, given.rising, contents.label)
    wanted = [row for row, _, _ in picks] if given.again else []
    full = full_rows(arguments.scores, wanted)
    column = arguments.candidate_column
    return told(picks, full, table.scores, table.systems, contents.label, column)


def ranked(
    arguments: argparse.Namespace, table: Columns, rising: Mapping[str, bool], notes: list[str]
) -> Ranking | None:
    """The ranking of the systems; None if rows name no systems. Adds to the notes."""
    if table.systems is None:
        return None
    count = len(set(table.systems))
    topics, baseline = table.topics, None
    if count > MANY:
        baseline = _best(table, next(iter(table.scores)), rising)
        notes.append(f"{count} systems: each is compared with {baseline} only")
    pairs = count - 1 if baseline else count * (count - 1) // 2
    rows = -(-len(table.systems) // count)
    draws = arguments.bootstrap or usual_resamples(rows, pairs, arguments.alpha)
    if not table.paired:
        # nothing pairs the rows: intervals alone, as if each system had topics of its own
        topics = [f"{system} {row}" for row, system in enumerate(table.systems)]
        notes.append(
            "systems cannot be tested, as nothing pairs their rows: they differ in number, and have"
            " neither topics nor ids in common"
        )
    try:
        made = rank(
            table.scores,
            table.systems,
            topics,
            baseline,
            draws,
            arguments.seed,
            higher_is_better=dict(rising),
            alpha=arguments.alpha,
            confidence=arguments.confidence,
        )
    except ValueError as error:
        raise DataError(shown(arguments), str(error), "choose others") from None
    notes += made.notes if table.paired else []
    return made


def _best(table: Columns, metric: str, rising: Mapping[str, bool]) -> str:
    """The system with the best mean."""
    assert table.systems is not None
    sums: dict[str, list[float]] = {}
    for system, score in zip(table.systems, table.scores[metric].tolist(), strict=True):
        if not isnan(score):
            sums.setdefault(system, []).append(score)
    means = {system: sum(values) / len(values) for system, values in sums.items()}
    turned = 1.0 if rising[metric] else -1.0
    return max(means, key=lambda system: turned * means[system], default=table.systems[0])


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
