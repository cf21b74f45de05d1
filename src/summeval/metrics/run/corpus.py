"""Scores of a corpus: statistics of rows that add up, and what their sums give.

Partitions of a corpus, states of a training loop, bootstrap samples and paired tests all add the
statistics of rows, and make a score of the sums, instead of scoring again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from summeval._core.rows.record import Score
from summeval._options import check_whole

if TYPE_CHECKING:
    from summeval._arrays import Floats, Ints
    from summeval.metrics.run.declared import Declared
SEED = 12345
PART = 1 << 22  # numbers that are drawn at once
NEAR = 3 << 18  # products that are summed at once: few enough for NumPy to use one thread


class Formula(Protocol):
    """What makes scores of sums of statistics."""

    @property
    def fields(self) -> tuple[str, ...]: ...
    @property
    def primary(self) -> str: ...
    def of_sums(self, sums: Floats) -> Floats: ...


class Means(NamedTuple):
    """The mean of each field over the rows that have a score.

    Statistics are the fields, 0 where there is no score, and for each field whether there is one.

    >>> import numpy
    >>> Means(("a", "b"), "a").of_sums(numpy.array([[3.0, 0.0, 2.0, 0.0]])).tolist()
    [[1.5, nan]]
    """

    fields: tuple[str, ...]
    primary: str

    def of_sums(self, sums: Floats) -> Floats:
        total, present = np.hsplit(np.asarray(sums, dtype=np.float64), 2)
        means: Floats = np.full(total.shape, np.nan)
        np.divide(total, present, out=means, where=present > 0)
        return means

    @staticmethod
    def statistics(columns: Sequence[Floats]) -> Floats:
        """Return the statistics [row, statistic] of the columns of the fields."""
        values = np.stack(columns, axis=1)
        present = ~np.isnan(values)
        return np.hstack([np.where(present, values, 0.0), present])


def sums_of(statistics: Floats) -> Floats:
    """Return the sums of the rows that have statistics, [statistic]."""
    return np.asarray(statistics[~np.isnan(statistics).any(axis=1)].sum(axis=0))


def resampled(statistics: Floats, samples: int, seed: int | None) -> Iterator[Floats]:
    """Yield the sums of bootstrap samples of the rows, in parts [sample, statistic].

    The draws are sacrebleu's: `numpy.random.default_rng(seed).choice(rows, (samples, rows))`.
    """
    rows = len(statistics)
    few = max(1, NEAR // max(statistics.size, 1))
    for drawn in draws(rows, samples, seed):
        for chosen in np.split(drawn, range(few, len(drawn), few)):
            counts = np.stack([np.bincount(row, minlength=rows) for row in chosen])
            yield counts.astype(np.float64) @ statistics


def draws(rows: int, samples: int, seed: int | None) -> Iterator[Ints]:
    """Yield the rows of bootstrap samples, in parts [sample, draw]."""
    generator = np.random.default_rng(SEED if seed is None else seed)
    step = max(1, PART // max(rows, 1))
    for begin in range(0, samples, step):
        size = (min(step, samples - begin), rows)
        yield generator.choice(rows, size=size, replace=True)


def half_width(values: Floats) -> Floats:
    """Return half of the width that holds 95 % of values [sample, ...], as sacrebleu rounds it.

    >>> import numpy
    >>> float(half_width(numpy.arange(1000.0)))
    474.5
    """
    ordered, low = np.sort(values, axis=0), len(values) // 40
    return np.asarray((ordered[len(values) - low - 1] - ordered[low]) / 2)


def score_of(formula: Formula, sums: Floats) -> Score:
    """Return the score of sums [statistic]."""
    values = formula.of_sums(sums[None])[0].tolist()
    return Score(tuple(formula.fields), tuple(values), formula.primary)


def corpus_score(
    formula: Formula, statistics: Floats, samples: int = 0, seed: int | None = None
) -> Score:
    """Return the score of the sums, and with samples its bootstrap mean and half width.

    Half of the width of the interval that holds 95 % of the samples (Koehn 2004, "Statistical
    significance tests for machine translation evaluation", section 3.2), as sacrebleu rounds it.
    """
    check_whole("samples", samples)
    kept = statistics[~np.isnan(statistics).any(axis=1)]
    score = score_of(formula, kept.sum(axis=0))
    if not len(kept):
        score = Score(score.keys(), (float("nan"),) * len(score), formula.primary)
    if not samples:
        return score
    values = np.array([np.nan])
    if len(kept):
        place = formula.fields.index(formula.primary)
        parts = resampled(kept, samples, seed)
        values = np.concatenate([formula.of_sums(sums)[:, place] for sums in parts])
    more = {"mean": float(values.mean()), "half_width": float(half_width(values))}
    return Score((*score.keys(), *more), (*score.values(), *more.values()), formula.primary)


class Sums:
    """What adds up over the parts of a corpus: the statistics of several metrics, side by side.

    Parameters
    ----------
    metrics : iterable of Metric

    Attributes
    ----------
    size : int
        The number of all statistics.

    Examples
    --------
    >>> import summeval
    >>> suite = summeval.suite(["chrf", "rouge1"])
    >>> sums = Sums(suite.metrics)
    >>> parts = [suite.score_batch([text], ["a cow"]) for text in ("a cow", "a cat", None)]
    >>> found = sums.scores(sum(sums.of(part) for part in parts))
    >>> found["chrf"].value == suite.metrics[0].corpus(["a cow", "a cat"], ["a cow"] * 2).value
    True
    >>> found["rouge1"].value
    0.75
    """

    def __init__(self, metrics: Iterable[Declared]) -> None:
        self._places: list[tuple[Any, slice]] = []
        self.size = 0
        metric: Any
        for metric in metrics:
            end = self.size + metric.statistics_size
            self._places.append((metric, slice(self.size, end)))
            self.size = end

    def of(self, table: Any) -> Floats:
        """Return the sums over the rows of a table that have scores, [statistic]."""
        return np.concatenate([sums_of(table.statistics(one.name)) for one, _ in self._places])

    def scores(self, sums: Any) -> dict[str, Score]:
        """Return the score of each metric from the sums of all parts."""
        given = np.asarray(sums, dtype=np.float64)
        if given.shape != (self.size,):
            raise ValueError(f"sums have the shape {given.shape}; give {self.size} in a row")
        return {metric.name: score_of(metric, given[place]) for metric, place in self._places}
