"""The contents of a report: metrics compared with people, with each other and with length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil
from typing import Any

import numpy as np

from summeval._options import check_inner_share
from summeval.meta import arrays
from summeval.meta.arrays import Coefficient, Level, Over, cautions
from summeval.meta.comparison import Comparison, ranked
from summeval.meta.correlations import value_of
from summeval.meta.reliability import Reliability, judge_reliability
from summeval.meta.resampling import Design, check_seed, swapped_over
from summeval.table.cells import Array
from summeval.table.scores import HigherIsBetter, Scores, directions, listed

LENGTH = "length"  # the column of the baseline


@dataclass(frozen=True)
class Agreement:
    """Metrics compared with one human dimension at one level, best first.

    Attributes
    ----------
    human, level : str
    comparison : Comparison
        Comparison by the first coefficient of the overview.
    values : dict of str to tuple of float
        For each coefficient the values of the metrics, in the order of ``comparison.names``.
    """

    human: str
    level: Level
    comparison: Comparison
    values: dict[Coefficient, tuple[float, ...]]

    @property
    def rows(self) -> Iterator[dict[str, str | float | int]]:
        """One row per metric: names, correlation, bounds, letters, cluster, direction."""
        found = self.comparison
        coefficient = next(iter(self.values))
        for place, name in enumerate(found.names):
            yield {
                "human": self.human,
                "level": self.level,
                "metric": name,
                "coefficient": coefficient,
                "value": found.correlations[place].value,
                "lower": found.intervals[place].lower,
                "upper": found.intervals[place].upper,
                "letters": found.letters[place],
                "cluster": found.clusters[place],
                **{name: values[place] for name, values in self.values.items()},
                "over": found.intervals[place].over,
                "higher_is_better": found.higher_is_better[place],
                "negated": not found.higher_is_better[place],
            }

    def value(self, metric: str) -> float:
        """Return the first coefficient of a metric."""
        return self.comparison.correlations[self.comparison.names.index(metric)].value


@dataclass(frozen=True)
class Overview:
    """The result of `overview`.

    Attributes
    ----------
    scores : Scores
        Scores, with columns negated if lower is better.
    metrics, humans : tuple of str
        Columns of the scores; the baseline, if any, is the last metric.
    negated : tuple of str
        The columns in which lower is better.
    agreements : tuple of Agreement
        Ordered by dimension, then level.
    between : dict of Level to array [metric, metric]
        The first coefficient of each pair of metrics.
    notes : tuple of str
        Data left out and the reasons; no line is repeated.
    cautions : tuple of str
        Reasons to distrust the numbers: few systems, few topics, scores that are all equal.
    coefficients, levels, resamples, confidence, alpha, seed
        The given options.
    permuted, drawn : dict of Level to str
        What the tests permute, and what is resampled for the intervals.
    ceilings : dict of (str, Level) to Reliability
        For dimensions whose judges are known (`Scores.judgements`), how reliable their means are;
        `Reliability.ceiling` and `.disattenuated` give what follows for the metrics.
    """

    scores: Scores
    metrics: tuple[str, ...]
    humans: tuple[str, ...]
    negated: tuple[str, ...]
    agreements: tuple[Agreement, ...]
    between: dict[Level, Array]
    notes: tuple[str, ...]
    cautions: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    levels: tuple[Level, ...]
    permuted: dict[Level, Over]
    drawn: dict[Level, Over]
    resamples: int
    confidence: float
    alpha: float
    seed: int
    ceilings: dict[tuple[str, Level], Reliability] = field(default_factory=dict)


def overview(
    scores: Scores,
    metrics: Sequence[str],
    humans: Sequence[str],
    coefficients: Sequence[Coefficient] = ("pearson", "spearman", "kendall"),
    levels: Sequence[Level] = ("summary", "system"),
    *,
    over: Over | None = None,
    resamples: int | None = None,
    confidence: float = 0.95,
    alpha: float = 0.05,
    seed: int = 0,
    higher_is_better: HigherIsBetter | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Overview:
    """Compare metrics with people, and test them against each other by the first coefficient.

    A metric or dimension without any value is left out, with a note. A column `length` of the
    scores is added to the metrics as the baseline to beat.

    Parameters
    ----------
    scores : Scores
    metrics, humans : sequence of str
        Columns of it.
    coefficients : sequence of {"pearson", "spearman", "kendall"}
    levels : sequence of {"summary", "system", "global"}
    over, confidence, alpha, seed
        As for `compare`.
    resamples : int, optional
        Default 1,000, or more if needed so that the smallest p-value, 1/(resamples + 1), is at most
        alpha after Holm's correction for all pairs of metrics. With fewer no two metrics can
        differ, and a note says so.
    higher_is_better : bool, sequence of bool or mapping of str to bool, optional
        Directions of all metrics or of the named ones; default: as in the scores. Metrics are
        negated if lower is better.
    progress : callable, optional
        Called with the number of comparisons done and their total number.

    Raises
    ------
    ValueError
        No metric or no dimension has a value, or an option is unknown.
    KeyError
        The scores lack a column.

    Examples
    --------
    >>> human = np.arange(40.0).reshape(8, 5)
    >>> tables = {"m.x": human**2, "said": human, "length": human % 3}
    >>> scores = Scores([f"s{n}" for n in range(8)], [f"t{n}" for n in range(5)], tables)
    >>> found = overview(scores, ["m.x"], ["said"], ["kendall"], ["summary"], resamples=99)
    >>> found.metrics, found.agreements[0].value("m.x")
    (('m.x', 'length'), 1.0)
    """
    for level, coefficient in product(levels, coefficients):
        arrays.check_measure(coefficient, level)
    arrays.check_confidence(confidence)
    check_inner_share("alpha", alpha, 0.05)
    given = scores
    up = given.higher_is_better
    if isinstance(higher_is_better, Mapping):
        directions(higher_is_better, list(given))
        up = up | dict(higher_is_better)
    elif higher_is_better is not None:
        up = up | dict(zip(metrics, directions(higher_is_better, metrics), strict=True))
    scores = given.directed(up).rising()
    negated = [one for one in dict.fromkeys([*metrics, *humans]) if not up.get(one, True)]
    asked = [*metrics, *([LENGTH] if LENGTH in scores and LENGTH not in metrics else [])]
    kept, notes = _valued(scores, asked, "metric")
    judged, more = _valued(scores, humans, "dimension")
    resamples, few = _enough(len(kept), alpha, resamples)
    warned = cautions({c: given[c] for c in kept}, {c: given[c] for c in judged}, levels)
    turned = [human for human in judged if human in negated]
    notes = [*scores.notes, *notes, *more, *few]
    notes += [f"{human}: lower is better, so the human scores were negated" for human in turned]
    notes += warned
    agreements: list[Agreement] = []
    rising = {name: name not in negated for name in kept}
    for human in judged:
        tables, people, lacking = arrays.read_metrics({c: scores[c] for c in kept}, scores[human])
        tabled = dict(zip(kept, tables, strict=True))
        for level in levels:
            if progress is not None:
                progress(len(agreements), len(judged) * len(levels))
            design = Design(coefficients[0], level, over, resamples, check_seed(seed), confidence)
            found = ranked(tabled, people, rising, lacking, design, alpha)
            values = {
                c: tuple(value_of(tabled[name], people, c, level) for name in found.names)
                for c in coefficients
            }
            agreements.append(Agreement(human, level, found, values))
            notes += _notes(scores, found, human, level)
    return Overview(
        scores=scores,
        metrics=tuple(kept),
        humans=tuple(judged),
        negated=tuple(negated),
        agreements=tuple(agreements),
        between={level: _between(scores, kept, coefficients[0], level) for level in levels},
        notes=tuple(dict.fromkeys(notes)),
        cautions=tuple(warned),
        coefficients=tuple(coefficients),
        levels=tuple(levels),
        permuted={level: swapped_over(over, level) for level in levels},
        drawn={level: arrays.over_of(over, level, len(scores.topics)) for level in levels},
        resamples=resamples,
        confidence=confidence,
        alpha=alpha,
        seed=seed,
        ceilings={
            (human, level): judge_reliability(said, level, confidence=confidence, seed=seed)
            for human, level in product(judged, levels)
            if (said := scores.judgements.get(human))
        },
    )


def told_by_level(told: Mapping[Any, str]) -> str:
    """Describe the design of each level in words.

    >>> told_by_level({"summary": "topics", "system": "both", "global": "both"})
    'topics at the summary level, both at the system and global levels'
    >>> told_by_level({"summary": "both", "system": "both"})
    'both'
    """
    levels: dict[str, list[str]] = {}
    for level, what in told.items():
        levels.setdefault(what, []).append(level)
    if len(levels) == 1:
        return next(iter(levels))
    return ", ".join(
        f"{what} at the {' and '.join(names)} level{'s' * (len(names) > 1)}"
        for what, names in levels.items()
    )


def means(table: Array) -> Array:
    """Return the mean of each system over the topics where it has a value; NaN without any value.

    >>> means(np.array([[1.0, 2.0], [3.0, np.nan], [np.nan, np.nan]])).tolist()
    [1.5, 3.0, nan]
    """
    present = ~np.isnan(table)
    counts, sums = present.sum(axis=1), np.where(present, table, 0.0).sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _valued(scores: Scores, columns: Sequence[str], kind: str) -> tuple[list[str], list[str]]:
    """Return the columns that have at least one value, and notes on the others."""
    kept, notes = [], []
    for column in dict.fromkeys(columns):
        if np.isnan(scores[column]).all():
            notes.append(f"{column}: left out, no row has a value")
        else:
            kept.append(column)
    if not kept:
        raise ValueError(f"no {kind} has a value: {listed(list(columns))}")
    return kept, notes


def _enough(metrics: int, alpha: float, asked: int | None) -> tuple[int, list[str]]:
    """Return the number of permutations, and a note if it is too small for any difference."""
    needed = ceil(metrics * (metrics - 1) / 2 / alpha)
    if asked is None:
        return max(1000, needed), []
    if asked + 1 >= needed:
        return asked, []
    note = (
        f"no two metrics can differ significantly: {metrics} metrics need {needed}"
        f" permutations for Holm's correction, not {asked}"
    )
    return asked, [note]


def _notes(scores: Scores, found: Comparison, human: str, level: Level) -> list[str]:
    """Notes on the data left out by the correlations, with topics by name."""
    notes = [
        f"{human}: {count} cells left out for every metric because only"
        f" {human if name == 'human' else name} has no value there"
        for name, count in found.lacking.items()
    ]
    passed: dict[tuple[int, ...], list[str]] = {}
    for name, correlation in zip(found.names, found.correlations, strict=True):
        passed.setdefault(correlation.skipped, []).append(name)
    passed.pop((), None)
    for skipped, names in passed.items():
        whose = "every metric" if len(names) == len(found.names) else listed(names)
        notes.append(
            f"{human}, {level} level, {whose}: {len(skipped)} of {found.correlations[0].topics}"
            " topics skipped (constant, or fewer than two systems):"
            f" {listed([scores.topics[place] for place in skipped])}"
        )
    return notes


def _between(scores: Scores, names: Sequence[str], coefficient: Coefficient, level: Level) -> Array:
    table = np.full((len(names), len(names)), np.nan)
    for i, first in enumerate(names):
        for j, second in enumerate(names[: i + 1]):
            (x, y), _ = arrays.pair(first=scores[first], second=scores[second])
            table[i, j] = table[j, i] = value_of(x, y, coefficient, level)
    return table
