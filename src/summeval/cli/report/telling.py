"""The rows that a report shows, with what explains their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isclose, isnan
from typing import Any

import numpy as np

import summeval
from summeval.cli.report.reading import texts_of
from summeval.io.rows import Row
from summeval.meta.survey import Survey
from summeval.report.numbers import percent, short
from summeval.report.page.parts import Told
from summeval.table.cells import Array as Table
from summeval.table.cells import find

APART, OUTLIERS, WORST = 3, 3, 2  # rows shown of each kind
EXPLAINED = 2  # metrics explained for each row
LONGEST = 6000  # letters of a text that is explained
MOST = 1_500_000  # letters of all explanations; pages of more are slow to open


def chosen(
    survey: Survey, scores: Mapping[str, Table], main: str, rising: Mapping[str, bool], label: Any
) -> list[tuple[int, str, tuple[str, ...]]]:
    """The rows to show: place, why, and the metrics that this is about; each row once."""
    reasons: list[tuple[int, str, tuple[str, ...]]] = []
    for odd in survey.apart[:APART]:
        why = (
            f"{label(odd.metric)} ranks this row {percent(odd.degree)} of all rows higher than"
            f" {label(odd.other)} does."
        )
        reasons.append((odd.row, why, (odd.metric, odd.other)))
    for odd in survey.outliers[:OUTLIERS]:
        why = (
            f"Its {label(odd.metric)} is {short(odd.degree)} times the interquartile range outside"
            " the middle half of its system."
        )
        reasons.append((odd.row, why, (odd.metric,)))
    values = scores[main] if rising[main] else -scores[main]
    order = [int(row) for row in np.argsort(values, kind="stable") if not isnan(values[row])]
    for row in order[:WORST] if survey.rows > WORST else ():
        reasons.append((row, f"Among the worst of all rows by {label(main)}.", (main,)))
    found: dict[int, tuple[str, tuple[str, ...]]] = {}
    for row, why, about in reasons:
        known, of = found.get(row, ("", ()))
        found[row] = (f"{known} {why}".strip(), tuple(dict.fromkeys((*of, *about))))
    return [(row, why, about) for row, (why, about) in found.items()]


def told(  # noqa: PLR0917 - all that is known of a row
    picks: Sequence[tuple[int, str, tuple[str, ...]]],
    full: Mapping[int, Row],
    scores: Mapping[str, Table],
    systems: Sequence[str] | None,
    label: Any,
    candidate: str,
) -> tuple[Told, ...]:
    """The chosen rows with their texts and explanations."""
    found: list[Told] = []
    made: dict[str, Any] = {}
    size = 0
    for row, why, about in picks:
        values = {name: float(column[row]) for name, column in scores.items()}
        order = [*about, *(name for name in values if name not in about)][:6]
        texts = texts_of(full.get(row, {}), candidate)
        explanations, note = _explained(
            full.get(row, {}), about if size < MOST else (), values, candidate, label, made
        )
        if size >= MOST and about:
            note = "Not explained, as the page is long; summeval explain shows each row."
        size += sum(len(html) for _, html in explanations)
        found.append(
            Told(
                row=row,
                name=_name(full.get(row, {}), row),
                system=systems[row] if systems is not None else "",
                why=why,
                scores={name: values[name] for name in order},
                candidate=texts[0] if texts else "",
                explanations=explanations,
                note=note,
            )
        )
    return tuple(found)


def _name(row: Row, place: int) -> str:
    names = [
        str(value) for key in ("id", "topic") if (value := find(row, key)[1]) not in (None, "")
    ]
    names = [name for name in names if name != str(place + 1)]
    return f"Row {place + 1}" + (f" ({', '.join(dict.fromkeys(names))})" if names else "")


def _explained(  # noqa: PLR0917 - all that is known of a row
    row: Row,
    about: Sequence[str],
    values: Mapping[str, float],
    candidate: str,
    label: Any,
    metrics: dict[str, Any],
) -> tuple[list[tuple[str, str]], str]:
    """What explains the scores, by default options where these give the same value.

    `metrics` keeps the metric objects, whose parsers and models are loaded once.
    """
    made: list[tuple[str, str]] = []
    texts = texts_of(row, candidate)
    references = texts_of(row, "references") or texts_of(row, "reference")
    source = texts_of(row, "source")
    if not texts or max(map(len, (*texts, *references, *source))) > LONGEST:
        return made, "" if not texts else "The texts are too long to be explained here."
    others, lacking = [], []
    for column in about[:EXPLAINED]:
        name = column.rpartition(".")[0] or column
        try:
            if name not in metrics:
                metrics[name] = summeval.metric(name)
            metric = metrics[name]
            if column not in (f"{name}.{metric.primary}", name):
                continue
            explanation = metric.explain(texts[0], list(references) or None, source=source or None)
        except ImportError as error:
            lacking.append(f"{label(column)} ({error})")
            continue
        except (ValueError, TypeError):
            continue  # no such metric, or not the texts that it compares with
        if not isclose(explanation.value, values[column], abs_tol=1e-4):
            others.append(label(column))
            continue
        made.append((label(column), explanation.to_html(style=False)))
    notes = [f"Not explained, as options changed the score: {', '.join(others)}."] if others else []
    notes += [f"Not explained: {one}." for one in lacking]
    return made, " ".join(notes)
