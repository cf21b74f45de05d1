"""Agreement between raters: Krippendorff's alpha.

Krippendorff 2004, "Content Analysis", chapter 11; 2011, "Computing Krippendorff's
Alpha-Reliability".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import nan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice, real, shown

RatingLevel = Literal["nominal", "ordinal", "interval"]
RATING_LEVELS: tuple[RatingLevel, ...] = ("nominal", "ordinal", "interval")


def krippendorff_alpha(ratings: Sequence[Iterable[Any]], level: RatingLevel = "nominal") -> float:
    """Return Krippendorff's alpha: 1 minus the observed by the expected disagreement.

    Parameters
    ----------
    ratings : sequence [rater] of sequences [unit], or array [rater, unit]
        What each rater says of each unit; None or NaN where a rater says nothing. Units with fewer
        than two ratings do not count.
    level : {"nominal", "ordinal", "interval"}
        Two ratings disagree by 1 if they differ, by the square of the difference of their mid ranks
        among all ratings, or by the square of their difference. Nominal ratings may be texts.

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
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    flat = [value for unit in counted for value in unit]
    if level == "nominal":
        observed, expected = _nominal(flat, sizes)
    else:
        numbers = np.array([_number(value, level) for value in flat])
        scale = _mid_ranks(numbers) if level == "ordinal" else numbers - numbers.mean()
        observed, expected = _squares(scale, sizes, starts)
    if not expected:
        return nan
    return float(1.0 - (len(flat) - 1) * observed / expected)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))


def _number(value: Any, level: str) -> float:
    number = real(value)
    if number is None or not np.isfinite(number):
        raise ValueError(f"a rating is {shown(value)}; give finite numbers for the level {level!r}")
    return number


def _nominal(flat: Sequence[Hashable], sizes: NDArray[np.int64]) -> tuple[float, float]:
    """The pairs of ratings that differ: within units, each by its size - 1, and among all."""
    codes: dict[Hashable, int] = {}
    try:
        values = np.array([codes.setdefault(value, len(codes)) for value in flat])
    except TypeError:
        raise TypeError("ratings hold a list or dict; give numbers or texts") from None
    place = np.repeat(np.arange(len(sizes)), sizes)
    _, counts = np.unique(place * len(codes) + values, return_counts=True)
    owners = np.unique(place * len(codes) + values) // len(codes)
    same = np.bincount(owners, counts.astype(np.float64) ** 2, len(sizes))
    observed = float(((sizes.astype(np.float64) ** 2 - same) / (sizes - 1)).sum())
    totals = np.bincount(values).astype(np.float64)
    return observed, float(len(flat) ** 2 - (totals**2).sum())


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
