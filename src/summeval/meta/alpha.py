"""Agreement between raters: Krippendorff's alpha.

Krippendorff 2004, "Content Analysis", chapter 11; 2011, "Computing Krippendorff's
Alpha-Reliability".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from math import nan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice, real, shown
from summeval.table.cells import Array
from summeval.table.scores import Judgements, numbered

RatingLevel = Literal["nominal", "ordinal", "interval", "ratio"]
RATING_LEVELS: tuple[RatingLevel, ...] = ("nominal", "ordinal", "interval", "ratio")
MOST_VALUES = 20_000  # different ratings at the ratio level, all pairs of which are compared


def krippendorff_alpha(ratings: Sequence[Iterable[Any]], level: RatingLevel = "nominal") -> float:
    """Return Krippendorff's alpha: 1 minus the observed by the expected disagreement.

    Parameters
    ----------
    ratings : sequence [rater] of sequences [unit], or array [rater, unit]
        What each rater says of each unit; None or NaN where a rater says nothing. Units with fewer
        than two ratings do not count.
    level : {"nominal", "ordinal", "interval", "ratio"}
        Two ratings disagree by 1 if they differ; by the square of the difference of their mid ranks
        among all ratings; by the square of their difference; or by the square of their difference
        divided by their sum. Nominal ratings may be texts; ratio ratings are 0 or more.

    Returns
    -------
    float
        1 for full agreement, 0 for what chance gives, below 0 for less. NaN if no unit has two
        ratings, or all ratings that count are equal.

    Raises
    ------
    ValueError
        Fewer than two raters, raters with different numbers of units, or ratings that are no finite
        numbers where the level needs them.
    TypeError
        A nominal rating that is not hashable.

    Examples
    --------
    >>> ben, gerry = "aabbdcccedda", "babbbccceddd"
    >>> round(krippendorff_alpha([ben, gerry]), 3)
    0.692
    >>> round(krippendorff_alpha([[1, 2, 3, 4], [1, 2, 3, None], [1, 3, 3, 4]], "interval"), 3)
    0.929
    """
    check_choice("level", level, RATING_LEVELS)
    rows = [list(rater) for rater in ratings]
    if len(rows) < 2:
        count = f"{len(rows)} rater{'s' * (len(rows) != 1)}"
        raise ValueError(f"there are the ratings of {count}; give two or more")
    for place, row in enumerate(rows):
        if len(row) != len(rows[0]):
            problem = f"rater {place} has {len(row)} units and rater 0 has {len(rows[0])}"
            raise ValueError(f"{problem}; give as many, None for what is missing")
    units = [[x for x in unit if not _is_missing(x)] for unit in zip(*rows, strict=True)]
    if not (counted := [unit for unit in units if len(unit) > 1]):
        return nan
    sizes = np.array([len(unit) for unit in counted])
    flat = [value for unit in counted for value in unit]
    nominal = level == "nominal"
    values = _codes(flat) if nominal else np.array([_number(value, level) for value in flat])
    if nominal:
        observed, expected = _nominal(values, sizes)
    elif level == "ratio":
        observed, expected = _ratios(values, sizes)
    else:
        # The mean moves the scale, so that squares lose no digits.
        scale = _mid_ranks(values) if level == "ordinal" else values - values.mean()
        observed, expected = _squares(scale, sizes)
    if not expected or values.min() == values.max():
        return nan
    return float(1.0 - (len(values) - 1) * observed / expected)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))


def _number(value: Any, level: str) -> float:
    number = real(value)
    if number is None or not np.isfinite(number):
        raise ValueError(f"a rating is {shown(value)}; give finite numbers for the level {level!r}")
    return number


def _codes(flat: Sequence[Hashable]) -> NDArray[np.float64]:
    """Return a number for each different rating."""
    try:
        return numbered(flat)[1].astype(np.float64)
    except TypeError:
        raise TypeError("ratings hold a list or dict; give numbers or texts") from None


def _nominal(values: NDArray[np.float64], sizes: NDArray[np.int64]) -> tuple[float, float]:
    """The pairs of ratings that differ: within units, each by its size - 1, and among all."""
    codes, totals = np.unique(values, return_inverse=True, return_counts=True)[1:]
    many = len(totals)
    place = np.repeat(np.arange(len(sizes)), sizes)
    owners, counts = np.unique(place * many + codes, return_counts=True)
    same = np.bincount(owners // many, counts.astype(np.float64) ** 2, len(sizes))
    observed = float(((sizes.astype(np.float64) ** 2 - same) / (sizes - 1)).sum())
    return observed, float(len(values) ** 2 - (totals.astype(np.float64) ** 2).sum())


def check_ratios(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the different ratings at the ratio level; raise if they cannot be compared."""
    known = np.unique(values)
    if len(known) and known[0] < 0:
        problem = f"a rating is {known[0]:g}; the level 'ratio' needs numbers from 0"
        raise ValueError(f"{problem}, use 'interval'")
    if len(known) > MOST_VALUES:
        problem = f"{len(known)} different ratings are too many for the level 'ratio'"
        raise ValueError(f"{problem}; round them, or use 'interval'")
    return known


def ratio_distance(first: NDArray[np.float64], second: NDArray[np.float64]) -> Any:
    """Return the squared difference by sum of ratings; 0 for two zeros."""
    total = first + second
    return ((first - second) / np.where(total > 0, total, 1.0)) ** 2


def pairs_within(sizes: NDArray[np.int64]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the places of all pairs of ratings of a unit, each once, in blocks, and the units."""
    unit = np.repeat(np.arange(len(sizes)), sizes)
    for apart in range(1, int(sizes.max(initial=0))):
        first = np.flatnonzero(unit[:-apart] == unit[apart:])
        yield first, first + apart, unit[first]


def _ratios(values: NDArray[np.float64], sizes: NDArray[np.int64]) -> tuple[float, float]:
    """The ratio distances of all pairs: within units, each by its size - 1, and among all."""
    known = check_ratios(values)
    counts = np.bincount(np.searchsorted(known, values)).astype(np.float64)
    observed = 0.0
    for first, second, unit in pairs_within(sizes):
        observed += 2 * (ratio_distance(values[first], values[second]) / (sizes[unit] - 1)).sum()
    expected = sum(
        count * float(counts @ ratio_distance(one, known))
        for one, count in zip(known, counts, strict=True)
    )
    return float(observed), float(expected)


def _squares(scale: NDArray[np.float64], sizes: NDArray[np.int64]) -> tuple[float, float]:
    """The squared differences of all pairs: within units, each by its size - 1, and among all."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    sums = np.add.reduceat(scale, starts)
    within = 2 * (sizes * np.add.reduceat(scale**2, starts) - sums**2)
    # What cancels to less than 0 by rounding is a unit whose ratings are equal.
    observed = float((np.maximum(within, 0.0) / (sizes - 1)).sum())
    expected = float(2 * (len(scale) * (scale**2).sum() - scale.sum() ** 2))
    return observed, expected


def _mid_ranks(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean rank of each number among all, around 0."""
    _, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    above = np.cumsum(counts)
    ranks = (above - counts / 2)[place]
    return np.asarray(ranks - ranks.mean(), dtype=np.float64)


MOST_KEPT = 256  # different values whose coincidences are counted for each topic
_NUMBERS = 1 << 22  # held at a time


class AlphaDraws:
    """Alpha of any draw of topics, from what is counted once for each topic.

    With up to 256 different values these are the coincidences of Krippendorff 2011. With more, at
    the interval level they are sums of squares; at the ordinal level too, of the ranks among all
    judgements, which then are not ranked anew for each draw. At the other levels alpha is NaN.
    """

    def __init__(self, judgements: Judgements, level: RatingLevel) -> None:
        self.level: RatingLevel = level
        self.topics = len(judgements.topics)
        self.judges = len(judgements.judges)
        counted = np.repeat(judgements.sizes > 1, judgements.sizes)
        values = judgements.values[counted]
        self.judge = judgements.judge[counted]
        self.sizes = judgements.sizes[judgements.sizes > 1]
        self.unit = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.topic = judgements.topic[judgements.starts[judgements.sizes > 1]]
        self.known = np.unique(values)
        if level == "ratio":
            check_ratios(self.known)
        self.coincident = len(self.known) <= MOST_KEPT
        self.codes = np.searchsorted(self.known, values)
        if self.coincident:
            self._count_values()
            return
        if level == "ordinal":
            totals = np.bincount(self.codes)
            values = (np.cumsum(totals) - totals / 2)[self.codes]
        self.scale = values - values.mean()
        self.unit_sums = [np.bincount(self.unit, self.scale**power) for power in (1, 2)]
        sums, squares = self.unit_sums
        within = np.maximum(2 * (self.sizes * squares - sums**2), 0.0) / (self.sizes - 1)
        columns = (within, self.sizes, sums, squares)
        self.sums = np.column_stack([np.bincount(self.topic, x, self.topics) for x in columns])

    def _count_values(self) -> None:
        """The pairs of values within each unit, as rows of a sparse table [unit, value pair]."""
        from scipy import sparse

        many, units = len(self.known), len(self.sizes)
        cells = self.unit * many + self.codes
        counts = np.bincount(cells, minlength=units * many)
        self.cells = np.flatnonzero(counts)
        self.weights = counts[self.cells].astype(np.float64)
        unit, code = self.cells // max(many, 1), self.cells % max(many, 1)
        # Of a value said c times there are c (c - 1) ordered pairs.
        rows, places = [unit], [code * many + code]
        numbers = [self.weights * (self.weights - 1.0)]
        for first, second, owner in pairs_within(np.bincount(unit, minlength=units)):
            for one, other in ((first, second), (second, first)):
                rows.append(owner)
                places.append(code[one] * many + code[other])
                numbers.append(self.weights[one] * self.weights[other])
        where = (np.concatenate(rows), np.concatenate(places))
        shape = (units, many * many)
        self.pairs = sparse.csr_array((np.concatenate(numbers), where), shape=shape)
        share = sparse.csr_array(
            (1.0 / (self.sizes - 1.0), (self.topic, np.arange(units))), shape=(self.topics, units)
        )
        self.counts = share @ self.pairs

    def values(self, drawn: Any) -> Array:
        """Alpha of each draw [draw, topic]; NaN if undefined."""
        drawn = np.asarray(drawn, dtype=np.float64)
        if not len(self.known):
            return np.full(len(drawn), nan)
        if self.coincident:
            block = max(1, _NUMBERS // len(self.known) ** 2)
            parts = [
                self._of_counts((self.counts.T @ drawn[start : start + block].T).T)
                for start in range(0, len(drawn), block)
            ]
            return np.concatenate(parts)
        if self.level not in ("interval", "ordinal"):
            return np.full(len(drawn), nan)
        within, size, sums, squares = (drawn @ self.sums).T
        return _alpha(size, within, 2 * (size * squares - sums**2))

    def _of_counts(self, flat: Array) -> Array:
        """Alpha of each table of coincidences [draw, value pair]."""
        many = len(self.known)
        counts = flat.reshape(len(flat), many, many)
        totals = counts.sum(axis=2)
        size = totals.sum(axis=1)
        if self.level == "nominal":
            same = np.trace(counts, axis1=1, axis2=2)
            return _alpha(size, size - same, size**2 - (totals**2).sum(axis=1))
        if self.level == "ordinal":
            scale = np.cumsum(totals, axis=1) - totals / 2
        elif self.level == "interval":
            scale = np.broadcast_to(self.known - self.known.mean(), totals.shape)
        else:
            distance = ratio_distance(self.known[:, None], self.known)
            observed = flat @ distance.ravel()
            return _alpha(size, observed, ((totals @ distance) * totals).sum(axis=1))
        scale = scale - scale.mean(axis=1, keepdims=True)
        squares = (totals * scale**2).sum(axis=1)
        crossed = (np.einsum("dij,dj->di", counts, scale) * scale).sum(axis=1)
        expected = 2 * (size * squares - (totals * scale).sum(axis=1) ** 2)
        return _alpha(size, 2 * (squares - crossed), expected)

    def without_judges(self) -> Array:
        """Alpha without each judge [judge].

        At the ordinal level with more than 256 different values, the ranks stay those among all.

        >>> ratings = [[[1], [2], [3]], [[1], [2], [3]], [[3], [1], [2]]]
        >>> draws = AlphaDraws(Judgements.from_table(ratings), "interval")
        >>> draws.without_judges().round(2).tolist()
        [-0.25, -0.25, 1.0]
        """
        many = len(self.known)
        undefined = np.full(self.judges, nan)
        if not many or self.judges < 3:
            return undefined
        if not self.coincident:
            numeric = self.level in ("interval", "ordinal")
            return self._sums_without() if numeric else undefined
        if self.judges * many**2 > 4 * _NUMBERS:
            return undefined
        return self._of_counts(self._counts_without())

    def _counts_without(self) -> Array:
        """Return the coincidences without each judge [judge, value pair].

        Where a judge says x, and the values of the unit are counted in c, the pairs
        c c' - diag(c) lose x: they become those less e_x c' + c e_x' - 2 e_x e_x', divided by one
        judge less.
        """
        from scipy import sparse

        many, units = len(self.known), len(self.sizes)
        less = np.where(self.sizes > 2, 1.0 / np.maximum(self.sizes - 2.0, 1.0), 0.0)
        change = less - 1.0 / (self.sizes - 1.0)
        own = sparse.csr_array(
            (change[self.unit], (self.judge, self.unit)), shape=(self.judges, units)
        )
        found = np.zeros((self.judges, many * many))
        found += np.asarray(self.counts.sum(axis=0))
        found += (own @ self.pairs).toarray()
        values = sparse.csr_array(
            (self.weights, (self.cells // many, self.cells % many)), shape=(units, many)
        )
        said = sparse.csr_array(
            (less[self.unit], (self.judge * many + self.codes, self.unit)),
            shape=(self.judges * many, units),
        )
        lost = (said @ values).toarray().reshape(self.judges, many, many)
        twice = np.zeros_like(lost)
        weight = np.bincount(
            self.judge * many + self.codes, less[self.unit], self.judges * many
        ).reshape(self.judges, many)
        twice[:, np.arange(many), np.arange(many)] = 2.0 * weight
        found += (twice - lost - lost.transpose(0, 2, 1)).reshape(self.judges, -1)
        return np.maximum(found, 0.0)

    def _sums_without(self) -> Array:
        size = self.sizes[self.unit].astype(np.float64)
        sums, squares = (x[self.unit] for x in self.unit_sums)
        x = self.scale
        pair = size == 2  # of which nothing is left
        before = np.maximum(2 * (size * squares - sums**2), 0.0) / (size - 1.0)
        fewer = np.maximum(2 * ((size - 1.0) * (squares - x**2) - (sums - x) ** 2), 0.0)
        after = np.where(pair, 0.0, fewer / np.maximum(size - 2.0, 1.0))
        lost = (
            before - after,
            np.where(pair, 2.0, 1.0),
            np.where(pair, sums, x),
            np.where(pair, squares, x**2),
        )
        total = self.sums.sum(axis=0)
        parts = zip(total, lost, strict=True)
        within, many, sums, squares = (
            whole - np.bincount(self.judge, own, self.judges) for whole, own in parts
        )
        return _alpha(many, within, 2 * (many * squares - sums**2))


def _alpha(size: Array, observed: Array, expected: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 1.0 - (size - 1.0) * observed / expected
    # What rounding leaves of ratings that are all equal is not expected disagreement.
    return np.where(expected > 1e-12 * size, found, nan)
