"""How far a combination of metrics agrees with people on what it was not trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from summeval._arrays import Floats
from summeval.learn.regression import NormedModel
from summeval.meta.arrays import Coefficient, Level
from summeval.meta.correlations import value_of
from summeval.meta.jackknife import Model, out_of_fold
from summeval.study.result import Study, StudyTable
from summeval.table.scores import numbered

BY = ("topic", "system", "set")
MOST_FOLDS = 10  # of topics and of systems; each set is a fold of its own
MEAN, LENGTH = "mean of z-scores", "length"


@dataclass(frozen=True)
class JudgedColumns:
    """Columns of metrics and human scores of the same summaries, without gaps.

    Attributes
    ----------
    columns : mapping of str to array [summary]
    higher_is_better : mapping of str to bool
        Whether higher is better, for each column.
    scores : array [summary]
        Human scores; higher is better.
    lengths : array [summary]
        Of the summaries, in words.
    topics : sequence [summary]
    systems, sets : sequence [summary], optional
        The writer, and the set of data that the summary is from. Topics of different sets are
        different.
    """

    columns: Mapping[str, Floats]
    higher_is_better: Mapping[str, bool]
    scores: Floats
    lengths: Floats
    topics: Sequence[Any]
    systems: Sequence[Any] | None = None
    sets: Sequence[Any] | None = None

    @property
    def own_topics(self) -> list[tuple[Any, Any]]:
        """The topic of each summary, told apart from those of other sets."""
        return list(zip(self._sets, self.topics, strict=True))

    @property
    def _sets(self) -> Sequence[Any]:
        return [None] * len(self.topics) if self.sets is None else self.sets

    def labels(self, by: str) -> Sequence[Any] | None:
        """Return what is held out together: topics, systems or sets; None if unknown."""
        return {"topic": self.own_topics, "system": self.systems, "set": self.sets}[by]

    def agreement(self, values: Floats, coefficient: Coefficient, level: Level) -> float:
        """Return the correlation with people, the mean over sets; NaN if it is undefined."""
        found = []
        for name in dict.fromkeys(self._sets):
            here = [row for row, label in enumerate(self._sets) if label == name]
            found.append(value_of(*self._tables(here, values), coefficient, level))
        return float(np.mean(found)) if found else nan

    def _tables(self, rows: Sequence[int], values: Floats) -> tuple[Floats, Floats]:
        """Values and human scores of one set [system, topic]."""
        met = Counter[Any]()
        cells: dict[tuple[Any, Any], int] = {}
        for row in rows:
            topic = self.topics[row]
            met[topic] += 1
            system = met[topic] if self.systems is None else self.systems[row]
            if cells.setdefault((system, topic), row) != row:
                raise ValueError(
                    f"system {system!r} is repeated for topic {topic!r}; keep one row of it"
                )
        (systems, system_of), (topics, topic_of) = map(numbered, zip(*cells, strict=True))
        tables = np.full((2, len(systems), len(topics)), nan)
        tables[:, system_of, topic_of] = values[rows], self.scores[rows]
        return tables[0], tables[1]


def held_out_by(judged: JudgedColumns, by: str) -> list[int]:
    """Return the fold of each summary, where whole topics, systems or sets are held out.

    Raises
    ------
    ValueError
        Unknown labels, or fewer than two.
    """
    labels = judged.labels(by)
    if labels is None:
        raise ValueError(f"no {by} is known; pass the column of {by}s")
    known, numbers = numbered(labels)
    if len(known) < 2:
        raise ValueError(f"1 {by}; to hold {by}s out there must be two or more")
    folds: list[int] = (numbers if by == "set" else numbers % MOST_FOLDS).tolist()
    return folds


def combination(
    judged: JudgedColumns,
    make: Callable[[], Model],
    folds: Sequence[str],
    *,
    kind: str,
    coefficient: Coefficient = "spearman",
    signatures: Mapping[str, str] | None = None,
) -> Study:
    """Cross-validate a combination, beside each part alone, the length and an equal-weight mean.

    Source of the protocol: Louis and Nenkova 2013, who hold out topics and systems.

    Parameters
    ----------
    judged : JudgedColumns
    make : callable
        Returns a new model of all the columns.
    folds : sequence of str
        Of "topic", "system" and "set": what is held out, one after the other.
    kind : str
        Of the combination, for the table.
    coefficient : {"spearman", "pearson", "kendall"}
    signatures : mapping, optional
        Of the metrics.

    Returns
    -------
    Study
        With the table `agreement`: a row for each way of scoring, with the correlation at the
        summary level and, where systems are known, at the system level. A column in which lower is
        better is negated.

    Raises
    ------
    ValueError
        Human scores that are all equal, fewer than two topics, systems or sets where these are held
        out, or a system that is repeated on a topic.
    """
    if len(np.unique(judged.scores)) < 2:
        raise ValueError("all human scores are equal, so there is nothing to learn; choose others")
    x = np.column_stack(list(judged.columns.values()))
    y, topics = judged.scores, [judged.own_topics]
    scored: list[tuple[str, str | None, Floats]] = [
        (kind, by, out_of_fold(make, x, y, held_out_by(judged, by), fit_with=topics))
        for by in folds
    ]
    higher_is_better = [judged.higher_is_better[name] for name in judged.columns]
    mean = NormedModel(list(judged.columns), "mean", higher_is_better).fit(x, y).predict(x)
    scored.append((MEAN, None, mean))
    own = zip(judged.columns.items(), higher_is_better, strict=True)
    scored += [(name, None, column if up else -column) for (name, column), up in own]
    scored.append((LENGTH, None, judged.lengths))
    rows = []
    for name, held, values in scored:
        row: dict[str, Any] = {"scored by": name, "held out": held}
        row["summary"] = judged.agreement(values, coefficient, "summary")
        if judged.systems is not None:
            row["system"] = judged.agreement(values, coefficient, "system")
        rows.append(row)
    title = f"Agreement with people ({coefficient}), by level"
    return Study(
        "combination",
        "A combination of metrics beside its parts, cross-validated",
        [StudyTable("agreement", title, rows)],
        settings=_settings(judged),
        signatures=signatures or {},
        notes=_notes(judged, folds),
    )


def _settings(judged: JudgedColumns) -> dict[str, Any]:
    sides = {"topics": judged.own_topics, "systems": judged.systems, "sets": judged.sets}
    counts = {name: len(set(side)) for name, side in sides.items() if side is not None}
    return {"summaries": len(judged.scores)} | counts


def _notes(judged: JudgedColumns, folds: Sequence[str]) -> list[str]:
    notes = []
    for by in folds:
        count = len(set(judged.labels(by) or ()))
        if by != "set" and count > MOST_FOLDS:
            notes.append(f"{count} {by}s are held out in {MOST_FOLDS} folds")
    if lower_is_better := [name for name in judged.columns if not judged.higher_is_better[name]]:
        notes.append(f"negated, as lower is better: {', '.join(lower_is_better)}")
    if flat := [name for name, column in judged.columns.items() if np.ptp(column) == 0]:
        notes.append(f"the same for all summaries, so it counts nothing: {', '.join(flat)}")
    if judged.sets is not None:
        notes.append("correlations are means over the sets")
    return notes
