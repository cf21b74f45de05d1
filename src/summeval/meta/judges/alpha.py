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
    units = [
        [value for value in unit if not _is_missing(value)] for unit in zip(*rows, strict=True)
    ]
    counted = [unit for unit in units if len(unit) > 1]
    if not counted:
        return nan
    sizes = np.array([len(unit) for unit in counted])
    flat = [value for unit in counted for value in unit]
    if level == "nominal":
        return alpha_of(_codes(flat), sizes, level)
    return alpha_of(np.array([_number(value, level) for value in flat]), sizes, level)


def alpha_of(values: NDArray[np.float64], sizes: NDArray[np.int64], level: RatingLevel) -> float:
    """Return alpha of ratings [rating] ordered by unit; units of one rating do not count.

    Raises
    ------
    ValueError
        Negative or too many different ratings at the ratio level.

    >>> round(alpha_of(np.array([1.0, 1, 2, 2, 1, 2, 3]), np.array([2, 2, 2, 1]), "nominal"), 4)
    0.4444
    """
    counted = sizes > 1
    values, sizes = values[np.repeat(counted, sizes)], sizes[counted]
    if not len(sizes):
        return nan
    if level == "nominal":
        observed, expected = _nominal(values, sizes)
    elif level == "ratio":
        observed, expected = _ratios(values, sizes)
    else:
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        # The mean moves the scale, so that squares lose no digits.
        scale = _mid_ranks(values) if level == "ordinal" else values - values.mean()
        observed, expected = _squares(scale, sizes, starts)
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
    """A number for each different rating."""
    codes: dict[Hashable, int] = {}
    try:
        found = [codes.setdefault(value, len(codes)) for value in flat]
    except TypeError:
        raise TypeError("ratings hold a list or dict; give numbers or texts") from None
    return np.array(found, dtype=np.float64)


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
    """The different ratings at the ratio level; raise if they cannot be compared."""
    known = np.unique(values)
    if len(known) and known[0] < 0:
        problem = f"a rating is {known[0]:g}; the level 'ratio' needs numbers from 0"
        raise ValueError(f"{problem}, use 'interval'")
    if len(known) > MOST_VALUES:
        problem = f"{len(known)} different ratings are too many for the level 'ratio'"
        raise ValueError(f"{problem}; round them, or use 'interval'")
    return known


def ratio_distance(first: NDArray[np.float64], second: NDArray[np.float64]) -> Any:
    """The squared difference by sum of ratings; 0 for two zeros."""
    total = first + second
    return ((first - second) / np.where(total > 0, total, 1.0)) ** 2


def pairs_within(sizes: NDArray[np.int64]) -> Iterator[tuple[Any, Any, Any]]:
    """The places of all pairs of ratings of a unit, each once, in blocks, and the units."""
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


def _squares(
    scale: NDArray[np.float64], sizes: NDArray[np.int64], starts: NDArray[np.int64]
) -> tuple[float, float]:
    """The squared differences of all pairs: within units, each by its size - 1, and among all."""
    sums = np.add.reduceat(scale, starts)
    within = 2 * (sizes * np.add.reduceat(scale**2, starts) - sums**2)
    # What cancels to less than 0 by rounding is a unit whose ratings are equal.
    observed = float((np.maximum(within, 0.0) / (sizes - 1)).sum())
    expected = float(2 * (len(scale) * (scale**2).sum() - scale.sum() ** 2))
    return observed, expected


def _mid_ranks(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean rank of each number among all, around 0."""
    _, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    above = np.cumsum(counts)
    ranks = (above - counts / 2)[place]
    return np.asarray(ranks - ranks.mean(), dtype=np.float64)
