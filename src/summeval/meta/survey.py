"""Scores without people: spread, agreement of metrics, odd rows, dependence on length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import nan

import numpy as np
from numpy.typing import NDArray

from summeval.table.cells import Array

BINS = 32  # of a histogram, at most; fewer for few rows
SAMPLE = 100_000  # rows that correlate metrics, at most: the standard error is 0.003
PARTS = 10  # of the rows, by length, at most
PART = 8  # rows in each of them, at least
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FENCE = 3.0  # interquartile ranges: beyond it a score is "far out" (Tukey 1977)


@dataclass(frozen=True)
class Spread:
    """How the scores of a metric are distributed.

    Attributes
    ----------
    rows, missing : int
        Rows with a score, and without.
    edges : array [bin + 1]
    counts : array [system, bin]
    quantiles : array [system, quantile]
        At `QUANTILES`; NaN for a system without a score.
    low, high : float
    """

    rows: int
    missing: int
    edges: Array
    counts: NDArray[np.int64]
    quantiles: Array
    low: float
    high: float

    @property
    def constant(self) -> bool:
        """Whether all scores are equal."""
        return self.low == self.high


@dataclass(frozen=True)
class ByLength:
    """How the scores of a metric depend on the length of the candidates.

    Attributes
    ----------
    rho : float
        Spearman's correlation of score and length over all rows; above 0 if longer is better.
    lengths, means : arrays [part]
        Mean length and mean score of the shortest part of the rows, of the next, and so on.
    """

    rho: float
    lengths: Array
    means: Array


@dataclass(frozen=True)
class Odd:
    """A row that stands out.

    Attributes
    ----------
    row : int
        From 0.
    metric, other : str
        The metric that rates it high, and the one that rates it low; or the metric of an outlier,
        and ""
    degree : float
        Difference of the two ranks, as a share of the rows; or how many interquartile ranges the
        score is outside the middle half of its system.
    """

    row: int
    metric: str
    other: str
    degree: float


@dataclass(frozen=True)
class Survey:
    """The result of `survey`.

    Attributes
    ----------
    rows : int
    systems : tuple of str
    sizes : array [system]
        Rows of each.
    spreads : dict of str to Spread
    between : array [metric, metric]
        Spearman's correlation over rows, or over `SAMPLE` drawn ones; metrics in which lower is
        better are turned around.
    lengths : dict of str to ByLength
        Empty without lengths.
    words : array [system]
        Mean length of each system's candidates; NaN if unknown.
    apart : tuple of Odd
        The rows on which two metrics differ most in rank, the most first; each row once.
    outliers : tuple of Odd
        The rows far outside the middle half of their system, the farthest first; each row once.
    far_out : int
        How many scores there are in all beyond `FENCE`.
    """

    rows: int
    systems: tuple[str, ...]
    sizes: NDArray[np.int64]
    spreads: dict[str, Spread]
    between: Array
    lengths: dict[str, ByLength]
    words: Array
    apart: tuple[Odd, ...]
    outliers: tuple[Odd, ...]
    far_out: int


def survey(
    scores: Mapping[str, Array],
    systems: Sequence[str],
    places: NDArray[np.int64],
    higher_is_better: Mapping[str, bool],
    *,
    lengths: Array | None = None,
    most: int = 8,
) -> Survey:
    """Describe scores without the help of people.

    Parameters
    ----------
    scores : mapping of str to array [row]
        NaN for rows without a score.
    systems : sequence of str
    places : array [row] of int
        The system of each row, as a place in `systems`.
    higher_is_better : mapping of str to bool
    lengths : array [row], optional
        Lengths of the candidates in words; NaN where unknown.
    most : int
        Rows listed as apart, and as outliers.

    Examples
    --------
    >>> scores = {"a": np.array([0.1, 0.2, 0.3, 0.4]), "b": np.array([0.1, 0.9, 0.3, 0.4])}
    >>> found = survey(scores, ["s"], np.zeros(4, int), {"a": True, "b": True})
    >>> found.apart[0].row, found.apart[0].metric, round(found.apart[0].degree, 2)
    (1, 'b', 0.67)
    >>> found.between[0, 1].round(2).item()
    0.4
    """
    ranks = {
        name: _shares(values if higher_is_better[name] else -values)
        for name, values in scores.items()
    }
    sizes = np.bincount(places, minlength=len(systems))
    groups = np.split(np.argsort(places, kind="stable"), np.cumsum(sizes)[:-1])
    words, by_length = np.full(len(systems), np.nan), {}
    if lengths is not None and not np.isnan(lengths).all():
        own = [lengths[rows][~np.isnan(lengths[rows])] for rows in groups]
        words = np.array([some.mean() if len(some) else np.nan for some in own])
        by_length = {name: _by_length(ranks[name], scores[name], lengths) for name in scores}
    outliers, far_out = _outliers(scores, groups, most)
    return Survey(
        rows=len(places),
        systems=tuple(systems),
        sizes=sizes,
        spreads={name: _spread(values, groups) for name, values in scores.items()},
        between=_between(list(ranks.values())),
        lengths=by_length,
        words=words,
        apart=_apart(ranks, most),
        outliers=outliers,
        far_out=far_out,
    )


def _shares(values: Array) -> Array:
    """Mid ranks as shares of the rows with a value, from 0 to 1; NaN stays."""
    present = ~np.isnan(values)
    known = values[present]
    found = np.full(len(values), np.nan)
    if len(known):
        order, place, counts = np.unique(known, return_inverse=True, return_counts=True)
        middle = np.cumsum(counts) - (counts + 1) / 2
        found[present] = (middle / max(1, len(known) - 1))[place] if len(order) > 1 else 0.5
    return found


def _between(ranks: Sequence[Array]) -> Array:
    """Pearson's correlation of ranks: over the rows that two metrics share, or a sample of them."""
    size = len(ranks)
    if size and len(ranks[0]) > SAMPLE:
        drawn = np.random.default_rng(0).choice(len(ranks[0]), SAMPLE, replace=False)
        ranks = [_shares(values[np.sort(drawn)]) for values in ranks]
    table = np.full((size, size), np.nan)
    for i, first in enumerate(ranks):
        for j in range(i + 1):
            table[i, j] = table[j, i] = _correlation(first, ranks[j])
    return table


def _correlation(first: Array, second: Array) -> float:
    both = ~(np.isnan(first) | np.isnan(second))
    if not both.all():
        # ranks among the rows that both have
        first, second = _shares(first[both]), _shares(second[both])
    if len(first) < 2:
        return nan
    x, y = first - first.mean(), second - second.mean()
    scale = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float(np.clip((x * y).sum() / scale, -1.0, 1.0)) if scale > 1e-12 else nan


def _spread(values: Array, groups: Sequence[NDArray[np.int64]]) -> Spread:
    known = values[~np.isnan(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (nan, nan)
    reach = (low, high) if high > low else (low - 0.5, low + 0.5) if len(known) else (0.0, 1.0)
    edges = np.linspace(*reach, _bins(len(known), len(groups)) + 1)
    parts = [values[rows][~np.isnan(values[rows])] for rows in groups]
    counts = np.array([np.histogram(own, edges)[0] for own in parts])
    nothing = np.full(len(QUANTILES), np.nan)
    quantiles = [np.quantile(own, QUANTILES) if len(own) else nothing for own in parts]
    missing = len(values) - len(known)
    return Spread(len(known), missing, edges, counts, np.array(quantiles), low, high)


def _bins(rows: int, systems: int) -> int:
    """Return the bins of a histogram of each system, by Rice's rule.

    >>> _bins(24, 4), _bins(100_000, 4)
    (5, 32)
    """
    return int(np.clip(round(2 * (rows / max(1, systems)) ** (1 / 3)), 5, BINS))


def _by_length(ranks: Array, values: Array, lengths: Array) -> ByLength:
    both = ~(np.isnan(values) | np.isnan(lengths))
    rho = _correlation(ranks, _shares(lengths))
    order = np.argsort(lengths[both], kind="stable")
    parts = np.array_split(order, int(np.clip(len(order) // PART, 1, PARTS)))
    means = [
        [float(x[both][part].mean()) for part in parts if len(part)] for x in (lengths, values)
    ]
    return ByLength(rho, *map(np.array, means))


def _apart(ranks: Mapping[str, Array], most: int) -> tuple[Odd, ...]:
    """Return the rows with the greatest difference between the highest and the lowest rank."""
    names = [name for name, values in ranks.items() if (values != 0.5).any()]
    if len(names) < 2 or not len(ranks[names[0]]):
        return ()
    size = len(ranks[names[0]])
    high, low = np.full(size, -np.inf), np.full(size, np.inf)
    top, bottom = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for place, name in enumerate(names):
        values = ranks[name]
        above, below = values > high, values < low  # False for NaN
        high[above], top[above] = values[above], place
        low[below], bottom[below] = values[below], place
    degree = np.where(high > low, high - low, 0.0)
    order = np.argsort(-degree, kind="stable")[:most]
    return tuple(
        Odd(int(row), names[top[row]], names[bottom[row]], float(degree[row]))
        for row in order
        if degree[row] > 0
    )


def _outliers(
    scores: Mapping[str, Array], groups: Sequence[NDArray[np.int64]], most: int
) -> tuple[tuple[Odd, ...], int]:
    """Return the rows beyond the outer fences of their system, and the number of such scores."""
    found: dict[int, Odd] = {}
    far = 0
    for (name, values), rows in product(scores.items(), groups):
        known = rows[~np.isnan(values[rows])]
        low, high = np.quantile(values[known], [0.25, 0.75]) if len(known) > 3 else (0.0, 0.0)
        if not high > low:
            continue  # too few, or half of the scores are equal
        degrees = np.maximum(low - values[known], values[known] - high) / (high - low)
        far += int((degrees > FENCE).sum())
        for at in np.argsort(-degrees, kind="stable")[:most]:
            row, degree = int(known[at]), float(degrees[at])
            if degree > FENCE and (row not in found or found[row].degree < degree):
                found[row] = Odd(row, name, "", degree)
    order = sorted(found.values(), key=lambda odd: (-odd.degree, odd.row))
    return tuple(order[:most]), far
