"""Reliability by split halves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, isnan, nan, sqrt
from typing import Any

import numpy as np

from summeval._options import check_whole
from summeval.meta.correlations import value_of
from summeval.meta.judges.judgements import Judgements
from summeval.meta.significance.draws import check_seed
from summeval.meta.tables.arrays import Coefficient, Level, Table, check_measure


def split_half_reliability(
    judgements: Judgements,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    *,
    splits: int = 100,
    seed: int = 0,
) -> float:
    """Return the reliability of the mean judgements, from correlations of halves of the judges.

    The judges are split into two halves, as equal as can be, and the means of the halves are
    correlated as `meta.correlation` does; the mean over splits gives the reliability of all judges
    (Spearman 1910, Brown 1910; for halves of unequal size Horst 1951, "Estimating total test
    reliability from parts of unequal length"). If each judge judged each summary, judges are split,
    and all splits are taken if there are no more than `splits`; otherwise the judgements of each
    summary are.

    Returns
    -------
    float
        NaN if no summary has two judgements, or no split has a correlation.

    Raises
    ------
    ValueError
        The judgements are texts, or an option is invalid.

    Examples
    --------
    >>> ratings = [[[1, 2], [3, 3], [4, 5]], [[2, 2], [3, 1], [5, 5]]]
    >>> round(split_half_reliability(Judgements.from_table(ratings), "global"), 4)
    0.864
    """
    return halves_by_level(judgements, [level], coefficient, splits=splits, seed=seed)[level]


def halves_by_level(
    judgements: Judgements,
    levels: Sequence[Level],
    coefficient: Coefficient = "pearson",
    *,
    splits: int = 100,
    seed: int = 0,
) -> dict[Level, float]:
    """Return `split_half_reliability` at several levels, from the same splits."""
    for level in levels:
        check_measure(coefficient, level)
    check_whole("splits", splits, 1)
    draw = np.random.default_rng(check_seed(seed))
    if judgements.labels:
        raise ValueError("the judgements are texts; reliability needs numbers")
    sizes = judgements.sizes
    found: dict[Level, list[float]] = {level: [] for level in levels}
    for chosen in _splits(judgements, splits, draw):
        tables = _tables(judgements, chosen)
        for level, values in found.items():
            values.append(value_of(*tables, coefficient, level))
    k = float((sizes > 1).sum() / (1.0 / sizes[sizes > 1]).sum()) if (sizes > 1).any() else nan
    return {level: _whole(_mean(values), k) for level, values in found.items()}


def _mean(values: Sequence[float]) -> float:
    there = [value for value in values if not isnan(value)]
    return sum(there) / len(there) if there else nan


def _splits(judgements: Judgements, splits: int, draw: np.random.Generator) -> Iterator[Any]:
    """Which judgements are in the first half, for each split."""
    sizes = judgements.sizes
    if not (sizes > 1).any():
        return
    many = len(judgements.judges)
    if many > 1 and (sizes == many).all():
        half = many // 2
        first: Iterable[Any] = (draw.permutation(many)[:half] for _ in range(splits))
        if comb(many, half) <= 2 * splits:
            whole = list(combinations(range(many), half))
            # With an even number the others exchange the halves.
            first = whole[: len(whole) // 2] if many == 2 * half else whole
        for own in first:
            yield np.isin(np.arange(many), own)[judgements.judge]
        return
    unit = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(unit)) - np.repeat(judgements.starts, sizes)
    for _ in range(splits):
        order = np.argsort(unit + draw.random(len(unit)))
        # Of an odd number the larger half is now the first, now the second.
        extra = (sizes % 2 * (draw.random(len(sizes)) < 0.5))[unit]
        chosen = np.empty(len(unit), dtype=bool)
        chosen[order] = place < (sizes[unit] // 2 + extra)
        yield chosen


def _tables(judgements: Judgements, chosen: Any) -> tuple[Table, Table]:
    """The means of the chosen judgements and of the others, where both have some."""
    shape = judgements.counts.shape
    cell = judgements.system * shape[1] + judgements.topic
    tables = []
    for half in (chosen, ~chosen):
        count = np.bincount(cell[half], minlength=shape[0] * shape[1])
        sums = np.bincount(cell[half], judgements.values[half], shape[0] * shape[1])
        means = np.where(count > 0, sums / np.maximum(count, 1), nan)
        tables.append(means.reshape(shape))
    nowhere = np.isnan(tables[0]) | np.isnan(tables[1])
    for table in tables:
        table[nowhere] = nan
    return tables[0], tables[1]


def _whole(half: float, k: float) -> float:
    """The reliability of k judges from the correlation of halves, as equal as can be.

    >>> _whole(0.5, 2), round(_whole(0.5, 4), 4)
    (0.6666666666666666, 0.6667)
    """
    if isnan(half):
        return nan
    if half <= 0.0:  # as Spearman and Brown have it
        return 2.0 * half / (1.0 + half) if half > -1.0 else nan
    if half >= 1.0:
        return 1.0
    small, large = k // 2, k - k // 2
    if k != int(k):  # a mean number of judges
        small = large = k / 2.0
    # The correlation of the halves is the root of the product of their reliabilities; solved for
    # the variance of the true scores, in units of the noise of one judge.
    square = half * half
    product = small * large
    root = sqrt((square * k) ** 2 + 4.0 * product * (1.0 - square) * square)
    signal = (square * k + root) / (2.0 * product * (1.0 - square))
    return k * signal / (1.0 + k * signal)
