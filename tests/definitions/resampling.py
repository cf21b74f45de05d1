"""Pearson, Spearman, Kendall at three levels, with resampled systems and topics.

Sources: Spearman with mid ranks and Kendall's tau-b (Kendall 1945, "The Treatment of Ties in
Ranking Problems"); levels as in Deutsch, Dror and Roth 2021. A table is rows of systems with a
number for each topic, NaN where one is missing.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import fsum, inf, isnan, nan, sqrt
from sys import float_info

Table = Sequence[Sequence[float]]


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """NaN where either is constant or there are fewer than two.

    >>> pearson([1, 2, 3], [2, 4, 6])
    1.0
    """
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return nan
    x_mean, y_mean = fsum(x) / len(x), fsum(y) / len(y)
    dx, dy = [a - x_mean for a in x], [b - y_mean for b in y]
    xx, yy = (fsum(d * d for d in side) for side in (dx, dy))
    return fsum(a * b for a, b in zip(dx, dy, strict=True)) / sqrt(xx * yy)


def mid_ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs.

    >>> mid_ranks([0.3, 0.1, 0.3])
    [2.5, 1.0, 2.5]
    """
    return [sum(w < v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson of the mid ranks.

    >>> spearman([1, 2, 3], [1, 10, 100])
    1.0
    """
    return pearson(mid_ranks(x), mid_ranks(y))


def kendall(x: Sequence[float], y: Sequence[float]) -> float:
    """tau-b: concordant less discordant pairs, by the pairs that are not tied in x and in y.

    >>> kendall([1, 2, 3, 3], [1, 3, 2, 3])
    0.4
    """
    balance, x_untied, y_untied = 0, 0, 0
    for (a, b), (c, d) in combinations(zip(x, y, strict=True), 2):
        x_sign, y_sign = (a > c) - (a < c), (b > d) - (b < d)
        balance += x_sign * y_sign
        x_untied += x_sign != 0
        y_untied += y_sign != 0
    return balance / sqrt(x_untied * y_untied) if x_untied and y_untied else nan


def merged(values: Sequence[float], tolerance: float) -> list[float]:
    """Make values equal to the smallest of a group if they exceed it by at most the tolerance.

    >>> merged([1.0, 0.5, 1.01], 0.1)
    [1.0, 0.5, 1.0]
    """
    least: dict[float, float] = {}
    group = -inf
    for value in sorted(values):
        if value - group > tolerance:
            group = value
        least[value] = group
    return [least[value] for value in values]


def tolerance(table: Table) -> float:
    """The largest difference of equal means of systems due to rounding.

    Scores, products, sums and quotients are each rounded once.

    >>> 0.1 + 0.2 + 0.3 == 0.3 + 0.2 + 0.1
    False
    >>> 1e-16 < tolerance([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]) < 1e-15
    True
    """
    present = [value for row in table for value in row if not isnan(value)]
    topics = len(table[0])
    if topics < 2 or not present:
        return 0.0
    reach = max(map(abs, present)) + (topics + 2) * (max(present) - min(present))
    return float_info.epsilon * reach


COEFFICIENTS: dict[str, Callable[[Sequence[float], Sequence[float]], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def correlation(
    x: Table,
    y: Table,
    level: str,
    coefficient: str,
    tolerances: tuple[float, float] | None = None,
) -> float:
    """The correlation of two tables at a level; means within the tolerances are tied.

    >>> correlation([[1, 2], [2, 4], [3, 9]], [[1, 1], [2, 3], [3, 2]], "summary", "spearman")
    0.75
    """
    found = COEFFICIENTS[coefficient]
    if level == "system":
        reach = tolerances or (tolerance(x), tolerance(y))
        means = [(_mean(a), _mean(b)) for a, b in zip(x, y, strict=True)]
        return _of_means(coefficient, means, reach)
    columns = list(zip(zip(*x, strict=True), zip(*y, strict=True), strict=True))
    if level == "global":
        return _present(found, [cell for a, b in columns for cell in zip(a, b, strict=True)])
    values = [_present(found, list(zip(a, b, strict=True))) for a, b in columns]
    return _mean(values)


def resampled(  # noqa: PLR0917
    x: Table,
    y: Table,
    systems: Sequence[int],
    topics: Sequence[int],
    level: str,
    coefficient: str,
) -> float:
    """The correlation with system s repeated systems[s] times, and topics likewise."""
    if not sum(systems) or not sum(topics):
        return nan
    drawn_x, drawn_y = (_drawn(table, systems, topics) for table in (x, y))
    return correlation(drawn_x, drawn_y, level, coefficient, (tolerance(x), tolerance(y)))


def permuted(  # noqa: PLR0917
    x: Table,
    y: Table,
    z: Table,
    systems: Sequence[int],
    topics: Sequence[int],
    level: str,
    coefficient: str,
) -> float:
    """Correlation of x with z minus that of y with z, after swapping the given cells of x and y."""
    first, second = (
        [
            [
                own if bool(s) == bool(t) else other
                for own, other, t in zip(*rows, topics, strict=True)
            ]
            for *rows, s in zip(*tables, systems, strict=True)
        ]
        for tables in ((x, y), (y, x))
    )
    return correlation(first, z, level, coefficient) - correlation(second, z, level, coefficient)


def _drawn(table: Table, systems: Sequence[int], topics: Sequence[int]) -> list[list[float]]:
    return [
        [value for value, times in zip(row, topics, strict=True) for _ in range(times)]
        for row, times in zip(table, systems, strict=True)
        for _ in range(times)
    ]


def _of_means(
    coefficient: str, means: Sequence[tuple[float, float]], tolerances: tuple[float, float]
) -> float:
    pairs = [(a, b) for a, b in means if not isnan(a) and not isnan(b)]
    if not pairs:
        return nan
    sides = list(zip(*pairs, strict=True))
    tied = [merged(side, reach) for side, reach in zip(sides, tolerances, strict=True)]
    if any(len(set(side)) == 1 for side in tied):
        return nan
    return COEFFICIENTS[coefficient](*(sides if coefficient == "pearson" else tied))


def _present(
    found: Callable[[Sequence[float], Sequence[float]], float],
    cells: Sequence[tuple[float, float]],
) -> float:
    pairs = [(a, b) for a, b in cells if not isnan(a) and not isnan(b)]
    return found([a for a, _ in pairs], [b for _, b in pairs])


def _mean(values: Sequence[float]) -> float:
    present = [value for value in values if not isnan(value)]
    return fsum(present) / len(present) if present else nan
