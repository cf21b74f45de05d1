"""Agreement of pairs of judges on the summaries that both judged."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, nan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice
from summeval.meta.judges.alpha import RatingLevel, pairs_within
from summeval.meta.judges.judgements import Judgements
from summeval.meta.tables.arrays import Table

_MOST = 1 << 24  # counts of values by pair, and codes of pairs, that are held
_PAIRS = 1 << 22  # pairs of judgements compared at a time
_DISTANCES = 1 << 20  # between values, computed at a time

KappaWeights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True, eq=False)
class JudgePairs:
    """Pairs of judges who judged a summary in common.

    Attributes
    ----------
    first, second : array of int [pair]
        The judges.
    cells : array of int [pair]
        Summaries that both judged.
    same : array of float [pair]
        The share of them with equal judgements.
    kappa : array of float [pair]
        Cohen's kappa of the equal judgements (Cohen 1960). NaN if both always say the same, or
        there are too many different judgements to count.
    weighted : array of float [pair]
        Kappa with quadratic weights (Cohen 1968); NaN for texts.
    correlation : array of float [pair]
        Pearson's; Spearman's at the ordinal level; NaN for texts.
    possible : int
        Pairs of judges, also those who never meet.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    cells: NDArray[np.int64]
    same: Table
    kappa: Table
    weighted: Table
    correlation: Table
    possible: int

    def mean(self, what: Literal["same", "kappa", "weighted", "correlation"]) -> float:
        """The mean over pairs, each counted by the number of its summaries; NaN without any."""
        values: Table = getattr(self, what)
        there = ~np.isnan(values)
        return float(np.average(values[there], weights=self.cells[there])) if there.any() else nan


def judge_pairs(judgements: Judgements, level: RatingLevel = "interval") -> JudgePairs:
    """Return the agreement of all pairs of judges.

    Examples
    --------
    >>> ratings = [[[1], [2], [3], [3]], [[1], [2], [2], [3]]]
    >>> found = judge_pairs(Judgements.from_table(ratings))
    >>> found.same.tolist(), found.kappa.round(4).tolist(), found.weighted.round(4).tolist()
    ([0.75], [0.6364], [0.8])
    """
    many = len(judgements.judges)
    sizes = judgements.sizes
    blocks = ceil(int((sizes * (sizes - 1) // 2).sum()) / _PAIRS) if many else 0
    limits = np.linspace(0, many, blocks + 1).astype(np.int64).tolist()
    parts = [_block(judgements, level, low, high) for low, high in pairwise(limits)]
    columns = zip(*parts, strict=True) if parts else [(np.zeros(0),)] * 6
    codes, cells, same, kappa, weighted, correlation = (np.concatenate(c) for c in columns)
    return JudgePairs(
        first=codes.astype(np.int64) // max(many, 1),
        second=codes.astype(np.int64) % max(many, 1),
        cells=cells.astype(np.int64),
        same=same,
        kappa=kappa,
        weighted=weighted,
        correlation=correlation,
        possible=many * (many - 1) // 2,
    )


def _block(
    judgements: Judgements, level: RatingLevel, low: int, high: int
) -> tuple[Any, Any, Table, Table, Table, Table]:
    """The codes of the pairs whose first judge is in a range, and what `JudgePairs` says."""
    many = len(judgements.judges)
    ones, others = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for first, second, _ in pairs_within(judgements.sizes):
        # Judges of a summary are in ascending order, so that the first has the lower number.
        own = judgements.judge[first]
        kept = (own >= low) & (own < high)
        ones.append(first[kept])
        others.append(second[kept])
    one, other = np.concatenate(ones), np.concatenate(others)
    codes, pair = _grouped(judgements.judge[one] * many + judgements.judge[other], many * many)
    size = len(codes)
    x, y = judgements.values[one], judgements.values[other]
    cells = np.bincount(pair, minlength=size)
    same = np.bincount(pair, x == y, size) / cells
    undefined = np.full(size, nan)
    weighted, correlation = undefined, undefined
    if size and level != "nominal" and not judgements.labels:
        means = [np.bincount(pair, z, size) / cells for z in (x, y)]
        left, right = (z - mean[pair] for z, mean in zip((x, y), means, strict=True))
        apart = np.bincount(pair, (x - y) ** 2, size) / cells
        squares = np.bincount(pair, left**2 + right**2, size) / cells
        weighted = _without_chance(apart, squares + (means[0] - means[1]) ** 2)
        if level == "ordinal":
            left, right = (_ranks(z, pair, cells) for z in (x, y))
        correlation = _correlations(left, right, pair, size)
    kappa = _kappas(x, y, pair, cells, same) if size else undefined
    return codes, cells, same, kappa, weighted, correlation


def _grouped(codes: Any, most: int) -> tuple[Any, Any]:
    """The different codes, and the place of each among them; counting is faster than sorting."""
    if most > _MOST:
        return np.unique(codes, return_inverse=True)
    there = np.flatnonzero(np.bincount(codes, minlength=1))
    places = np.zeros(most, dtype=np.int64)
    places[there] = np.arange(len(there))
    return there, places[codes]


def _without_chance(disagreement: Table, chance: Table) -> Table:
    """Kappa from the disagreement, and that by chance."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 1.0 - disagreement / chance
    return np.where(chance > 1e-12, found, nan)


def _kappas(x: Table, y: Table, pair: Any, cells: Any, same: Table) -> Table:
    known, codes = np.unique(np.concatenate([x, y]), return_inverse=True)
    many = len(known)
    if len(cells) * many > _MOST:
        return np.full(len(cells), nan)
    left, right = codes[: len(x)], codes[len(x) :]
    shares = [
        np.bincount(pair * many + z, minlength=len(cells) * many).reshape(-1, many) / cells[:, None]
        for z in (left, right)
    ]
    expected = (shares[0] * shares[1]).sum(axis=1)
    return _without_chance(1.0 - same, 1.0 - expected)


def _correlations(x: Table, y: Table, pair: Any, size: int) -> Table:
    """Pearson's correlation of each group of values that are centred by group."""
    xx, yy, xy = (np.bincount(pair, z, size) for z in (x * x, y * y, x * y))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = xy / np.sqrt(xx * yy)
    return np.where(np.minimum(xx, yy) > 1e-20, np.clip(found, -1.0, 1.0), nan)


def _ranks(values: Table, group: Any, sizes: Any) -> Table:
    """Mid ranks within each group, around 0."""
    order = np.lexsort((values, group))
    group, values = group[order], values[order]
    first = np.append(True, (np.diff(group) != 0) | (np.diff(values) != 0))
    starts = np.flatnonzero(first)
    lengths = np.diff(np.append(starts, len(values)))
    middle = np.repeat(starts + (lengths - 1) / 2, lengths)
    before = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    ranks = np.empty(len(values))
    ranks[order] = middle - before[group] - (sizes[group] - 1) / 2
    return ranks


def cohen_kappa(first: Any, second: Any, weights: KappaWeights = "none") -> float:
    """Return Cohen's kappa of two judges: agreement beyond what their own habits give by chance.

    Cohen 1960, "A coefficient of agreement for nominal scales"; weighted: Cohen 1968.

    Parameters
    ----------
    first, second : sequence [item]
        What they say; None or NaN where one says nothing, which leaves the item out.
    weights : {"none", "linear", "quadratic"}
        Two judgements disagree by 1 if they differ, by their distance, or by its square. The last
        two need numbers.

    Returns
    -------
    float
        1 for full agreement, 0 for chance. NaN if both always say the same, or without items.

    Raises
    ------
    ValueError
        Unequal lengths, an unknown weight, or texts with weights.

    Examples
    --------
    >>> cohen_kappa("yyynny", "ynynny")
    0.6666666666666667
    >>> round(cohen_kappa([1, 2, 3, 3], [1, 2, 2, 3], "quadratic"), 4)
    0.8
    """
    check_choice("weights", weights, ("none", "linear", "quadratic"))
    if len(first) != len(second):
        raise ValueError(f"one judges {len(first)} items and the other {len(second)}; give as many")
    codes: dict[Any, int] = {}
    told = (
        float(x) if weights != "none" else x
        for a, b in zip(first, second, strict=True)
        if not (a is None or b is None or a != a or b != b)  # noqa: PLR0124
        for x in (a, b)
    )
    try:
        numbers = np.fromiter((codes.setdefault(x, len(codes)) for x in told), np.int64)
    except ValueError:
        raise ValueError(f"texts have no distance; use weights='none', not {weights!r}") from None
    if not codes:
        return nan
    if weights == "none":
        return _kappa(np.not_equal, np.arange(len(codes)), *numbers.reshape(-1, 2).T)
    known, places = np.unique(np.array(list(codes)), return_inverse=True)
    x, y = places[numbers].reshape(-1, 2).T
    if weights == "linear":
        return _kappa(lambda a, b: np.abs(a - b), known, x, y)
    return _kappa(lambda a, b: (a - b) ** 2, known, x, y)


def _kappa(distance: Any, known: Any, x: Any, y: Any) -> float:
    """The kappa of two judges who say ``known[x]`` and ``known[y]``."""
    size = len(known)
    left, right = (np.bincount(z, minlength=size) for z in (x, y))
    expected, step = 0.0, max(1, _DISTANCES // size)
    for first in range(0, size, step):
        here = slice(first, first + step)
        table = distance(known[here, None], known).astype(np.float64)
        expected += float(left[here] @ table @ right)
    expected /= len(x)
    return 1.0 - float(distance(known[x], known[y]).sum()) / expected if expected else nan
