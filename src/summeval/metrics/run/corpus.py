"""Scores of a corpus: statistics of rows that add up, and what their sums give.

Partitions of a corpus, states of a training loop, bootstrap samples and paired tests all add the
statistics of rows, and make a score of the sums, instead of scoring again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from summeval._core.rows.record import Score
from summeval._options import check_whole

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray
SEED = 12345
PART = 1 << 22  # numbers that are drawn at once
NEAR = 3 << 18  # products that are summed at once: few enough for NumPy to use one thread


class Formula(Protocol):
    """What makes scores of sums of statistics."""

    @property
    def fields(self) -> tuple[str, ...]: ...
    @property
    def primary(self) -> str: ...
    def of_sums(self, sums: NDArray[float64]) -> NDArray[float64]: ...


class Means(NamedTuple):
    """The mean of each field over the rows that have a score.

    Statistics are the fields, 0 where there is no score, and for each field whether there is one.

    >>> import numpy
    >>> Means(("a", "b"), "a").of_sums(numpy.array([[3.0, 0.0, 2.0, 0.0]])).tolist()
    [[1.5, nan]]
    """

    fields: tuple[str, ...]
    primary: str

    def of_sums(self, sums: NDArray[float64]) -> NDArray[float64]:
        import numpy as np

        total, present = np.hsplit(np.asarray(sums, dtype=np.float64), 2)
        means: NDArray[float64] = np.full(total.shape, np.nan)
        np.divide(total, present, out=means, where=present > 0)
        return means

    @staticmethod
    def statistics(columns: Sequence[NDArray[float64]]) -> NDArray[float64]:
        """Return the statistics [row, statistic] of the columns of the fields."""
        import numpy as np

        values = np.stack(columns, axis=1)
        present = ~np.isnan(values)
        return np.hstack([np.where(present, values, 0.0), present])


def sums_of(statistics: NDArray[float64]) -> NDArray[float64]:
    """Return the sums of the rows that have statistics, [statistic]."""
    import numpy as np

    return np.asarray(statistics[~np.isnan(statistics).any(axis=1)].sum(axis=0))


def resampled(
    statistics: NDArray[float64], samples: int, seed: int | None
) -> Iterator[NDArray[float64]]:
    """Yield the sums of bootstrap samples of the rows, in parts [sample, statistic].

    The draws are sacrebleu's: `numpy.random.default_rng(seed).choice(rows, (samples, rows))`.
    """
    import numpy as np

    rows = len(statistics)
    few = max(1, NEAR // max(statistics.size, 1))
    for drawn in draws(rows, samples, seed):
        for chosen in np.split(drawn, range(few, len(drawn), few)):
            counts = np.stack([np.bincount(row, minlength=rows) for row in chosen])
            yield counts.astype(np.float64) @ statistics


def draws(rows: int, samples: int, seed: int | None) -> Iterator[NDArray[int64]]:
    """Yield the rows of bootstrap samples, in parts [sample, draw]."""
    import numpy as np

    generator = np.random.default_rng(SEED if seed is None else seed)
    step = max(1, PART // max(rows, 1))
    for begin in range(0, samples, step):
        size = (min(step, samples - begin), rows)
        yield generator.choice(rows, size=size, replace=True)


def half_width(values: NDArray[float64]) -> NDArray[float64]:
    """Return half of the width that holds 95 % of values [sample, ...], as sacrebleu rounds it.

    >>> import numpy
    >>> float(half_width(numpy.arange(1000.0)))
    474.5
    """
    import numpy as np

    ordered, low = np.sort(values, axis=0), len(values) // 40
    return np.asarray((ordered[len(values) - low - 1] - ordered[low]) / 2)


def score_of(formula: Formula, sums: NDArray[float64]) -> Score:
    """Return the score of sums [statistic]."""
    values = formula.of_sums(sums[None])[0].tolist()
    return Score(tuple(formula.fields), tuple(values), formula.primary)


def corpus_score(
    formula: Formula, statistics: NDArray[float64], samples: int = 0, seed: int | None = None
) -> Score:
    """Return the score of the sums, and with samples its bootstrap mean and half width.

    Half of the width of the interval that holds 95 % of the samples (Koehn 2004, "Statistical
    significance tests for machine translation evaluation", section 3.2), as sacrebleu rounds it.
    """
    check_whole("samples", samples)
    import numpy as np

    kept = statistics[~np.isnan(statistics).any(axis=1)]
    score = score_of(formula, kept.sum(axis=0))
    if not len(kept):
        score = Score(score.keys(), (float("nan"),) * len(score), formula.primary)
    if not samples:
        return score
    place = formula.fields.index(formula.primary)
    if len(kept):
        values = np.concatenate(
            [formula.of_sums(sums)[:, place] for sums in resampled(kept, samples, seed)]
        )
        mean, half = float(values.mean()), float(half_width(values))
    else:
        mean = half = float("nan")
    return Score(
        (*score.keys(), "mean", "half_width"), (*score.values(), mean, half), formula.primary
    )
