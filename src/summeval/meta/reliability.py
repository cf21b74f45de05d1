"""Reliability of the mean of several judges, and the ceiling that follows for metrics.

The judgement of a summary is taken as a true score and noise, which differs between judges
(classical test theory: Spearman 1910, Brown 1910; Lord and Novick 1968, chapter 3). The reliability
is the share of the variance of the means that is not noise, if other judges judged the same
summaries. What varies depends on the level, as in `meta.correlation`:

``summary``
    the means of the systems of each topic, around the mean of the topic.
``system``
    the means of the systems over topics.
``global``
    the means of all cells.

Where all judges judge the same summaries (at the summary level: of a topic), a judge's own mean is
no noise, because it changes no order: for the global level that is ICC(3,k) of Shrout and Fleiss
1979. Elsewhere it is: ICC(1,k).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import asin, ceil, comb, inf, isnan, nan, pi, sin, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice, check_inner_share, check_whole
from summeval.meta import arrays
from summeval.meta.arrays import Coefficient, Level
from summeval.meta.correlations import value_of
from summeval.meta.resampling import check_seed, drawn_topics, percentiles
from summeval.table.cells import Array
from summeval.table.scores import Judgements

KINDS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")


class IntraclassDraws:
    """The six coefficients for any draw of topics, from sums for each topic.

    ICC(1) takes the judges of each summary as drawn anew: summaries with two judgements or more
    count, and k is the mean number, as in an unbalanced analysis of variance. ICC(2) and ICC(3)
    count the summaries that all judges judged; ICC(2) generalises to other judges, whose means
    differ, and ICC(3) leaves out the means of judges.

    Attributes
    ----------
    complete : int
        Summaries that all judges judged; 0 if judges are not known by name.
    """

    def __init__(self, judgements: Judgements) -> None:
        sizes = judgements.sizes
        values = judgements.values - (judgements.values.mean() if len(judgements) else 0.0)
        unit = np.repeat(np.arange(len(sizes)), sizes)
        sums, squares = (np.bincount(unit, x, len(sizes)) for x in (values, values**2))
        size = sizes.astype(np.float64)
        mean = sums / size
        within = np.bincount(unit, (values - mean[unit]) ** 2, len(size))
        within[within < 1e-24 * squares] = 0.0
        topic, one = judgements.topic[judgements.starts], np.ones(len(size))
        self.topics, self.judges = len(judgements.topics), len(judgements.judges)

        def by_topic(kept: NDArray[np.bool_], *columns: Any) -> Array:
            return np.column_stack(
                [np.bincount(topic[kept], x[kept], self.topics) for x in columns]
            )

        self.one_way = by_topic(sizes > 1, one, size, size**2, sums, size * mean**2, within)
        whole = size == self.judges
        self.complete = int(whole.sum()) if self.judges > 1 else 0
        if self.complete:
            self.two_way = by_topic(whole, one, sums, size * mean**2, within)
            kept = whole[unit]
            codes = judgements.topic[kept] * self.judges + judgements.judge[kept]
            flat = np.bincount(codes, values[kept], self.topics * self.judges)
            self.by_judge = flat.reshape(self.topics, self.judges)

    def values(self, drawn: Any) -> Array:
        """Return the coefficients of each draw [draw, coefficient], in the order of `KINDS`."""
        drawn = np.asarray(drawn, dtype=np.float64)
        found = np.full((len(drawn), len(KINDS)), nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            n, total, squares, sums, between, within = (drawn @ self.one_way).T
            rows = (between - sums**2 / total) / (n - 1.0)
            error = within / (total - n)
            k = (total - squares / total) / (n - 1.0)
            found[:, 0] = (rows - error) / (rows + (k - 1.0) * error)
            found[:, 3] = (rows - error) / rows
            varies = (n > 1) & (rows + error > 1e-20)
            if self.complete:
                n, sums, between, within = (drawn @ self.two_way).T
                k = float(self.judges)
                rows = (between - sums**2 / (k * n)) / (n - 1.0)
                columns = ((drawn @ self.by_judge) ** 2).sum(axis=1) / n - sums**2 / (k * n)
                left = within - columns
                left[left < 1e-13 * within] = 0.0
                error = left / ((n - 1.0) * (k - 1.0))
                judges = columns / (k - 1.0)
                found[:, 1] = (rows - error) / (rows + (k - 1.0) * error + k * (judges - error) / n)
                found[:, 2] = (rows - error) / (rows + (k - 1.0) * error)
                found[:, 4] = (rows - error) / (rows + (judges - error) / n)
                found[:, 5] = (rows - error) / rows
        found[~varies] = nan
        found[~np.isfinite(found)] = nan
        return found


def intraclass_correlations(judgements: Judgements) -> dict[str, float]:
    """Return the intraclass correlations of one judge and of the mean of k judges.

    ICC(1,1), ICC(2,1), ICC(3,1) and ICC(1,k), ICC(2,k), ICC(3,k) of Shrout and Fleiss 1979, with
    the cells [system, topic] as targets. ICC(1): summaries with two judgements or more. ICC(2) and
    ICC(3): summaries that all judges judged; NaN if there are none, or the judges are not known.

    Examples
    --------
    Shrout and Fleiss 1979, table 2:

    >>> ratings = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> judgements = Judgements.from_table([[[x] for x in judge] for judge in ratings])
    >>> {kind: round(value, 2) for kind, value in intraclass_correlations(judgements).items()}
    ... # doctest: +NORMALIZE_WHITESPACE
    {'ICC(1,1)': 0.17, 'ICC(2,1)': 0.29, 'ICC(3,1)': 0.71,
     'ICC(1,k)': 0.44, 'ICC(2,k)': 0.62, 'ICC(3,k)': 0.91}
    """
    if judgements.labels:
        raise ValueError("the judgements are texts; intraclass correlations need numbers")
    draws = IntraclassDraws(judgements)
    found = draws.values(np.ones((1, draws.topics)))[0].tolist()
    return dict(zip(KINDS, found, strict=True))


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
        arrays.check_measure(coefficient, level)
    check_whole("splits", splits, 1)
    draw = np.random.default_rng(check_seed(seed))
    if judgements.labels:
        raise ValueError("the judgements are texts; reliability needs numbers")
    found: dict[Level, list[float]] = {level: [] for level in levels}
    for chosen in _splits(judgements, splits, draw):
        tables = _tables(judgements, chosen)
        for level, values in found.items():
            values.append(value_of(*tables, coefficient, level))
    several = judgements.sizes[judgements.sizes > 1]
    k = float(len(several) / (1.0 / several).sum()) if len(several) else nan
    there = {level: [x for x in values if not isnan(x)] for level, values in found.items()}
    return {one: _whole(sum(x) / len(x) if x else nan, k) for one, x in there.items()}


def _splits(judgements: Judgements, splits: int, draw: np.random.Generator) -> Iterator[Any]:
    """Yield which judgements are in the first half, for each split."""
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


def _tables(judgements: Judgements, chosen: Any) -> tuple[Array, Array]:
    """Return the means of the chosen judgements and of the others, where both have some."""
    shape = judgements.counts.shape
    cell = judgements.system * shape[1] + judgements.topic
    tables = []
    for half in (chosen, ~chosen):
        count = np.bincount(cell[half], minlength=judgements.counts.size)
        sums = np.bincount(cell[half], judgements.values[half], judgements.counts.size)
        tables.append(np.where(count > 0, sums / np.maximum(count, 1), nan).reshape(shape))
    (one, other), _ = arrays.pair(first=tables[0], second=tables[1])
    return one, other


def _whole(half: float, k: float) -> float:
    """Return the reliability of k judges from the correlation of halves, as equal as can be.

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


@dataclass(frozen=True)
class Reliability:
    """The reliability of mean judgements at one level.

    Attributes
    ----------
    level : str
    value : float
        Of the means of all judges of each summary; at most 1, below 0 if judges agree less than by
        chance. NaN if undefined; `notes` says why.
    lower, upper : float
        Bootstrap percentiles over topics; NaN for one topic or without draws.
    confidence : float
    judges : float
        Judges of each summary (harmonic mean).
    single : float
        Reliability of one judge, by the formula of Spearman and Brown.
    crossed : bool
        Whether all judges judged the same summaries, so that the means of judges are no noise.
    resamples, seed : int
    notes : tuple of str
    """

    level: Level
    value: float
    lower: float
    upper: float
    confidence: float
    judges: float
    single: float
    crossed: bool
    resamples: int
    seed: int
    notes: tuple[str, ...]

    def ceiling(self, coefficient: Coefficient = "pearson") -> float:
        """Return the correlation that a perfect metric is expected to have with these means.

        The square root of the reliability, for Pearson's coefficient. For Spearman's and Kendall's
        it is converted as for normal variables, `6/pi asin(r/2)` and `2/pi asin(r)` (Kruskal 1958,
        "Ordinal measures of association", section 6). NaN if the reliability is not above 0.
        """
        return _from_pearson(sqrt(self.value), coefficient) if self.value > 0.0 else nan

    def disattenuated(self, correlation: float, coefficient: Coefficient = "pearson") -> float:
        """Return the correlation of a metric with judgements free of noise (Spearman 1904).

        The correlation divided by the ceiling, for Pearson's coefficient; for the others, what
        Pearson's would become is converted. It can be above 1, by chance, for Pearson's; the others
        are then 1. NaN without a ceiling.
        """
        check_choice("coefficient", coefficient, arrays.COEFFICIENTS)
        if not self.value > 0.0 or isnan(correlation):
            return nan
        if coefficient == "pearson":
            return correlation / sqrt(self.value)
        angle = pi * correlation
        found = 2.0 * sin(angle / 6.0) if coefficient == "spearman" else sin(angle / 2.0)
        return _from_pearson(found / sqrt(self.value), coefficient)

    def needed(self, target: float = 0.8) -> float:
        """Return how many judges of each summary give this reliability; infinite if none do.

        Examples
        --------
        >>> ratings = [[[1, 2], [3, 3], [4, 5]], [[2, 2], [3, 1], [5, 5]]]
        >>> judge_reliability(Judgements.from_table(ratings), "global").needed(.9)
        3
        """
        check_inner_share("target", target, 0.8)
        if isnan(self.single):
            return nan
        if self.single <= 0.0:
            return inf
        if self.single >= 1.0:
            return 1
        # Rounding must not ask for one judge more than the formula.
        exact = target * (1.0 - self.single) / (self.single * (1.0 - target))
        return max(1, ceil(exact - 1e-9))


def judge_reliability(
    judgements: Judgements,
    level: Level = "summary",
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Reliability:
    """Return the reliability of the mean judgements at a level; see the module.

    Parameters
    ----------
    judgements : Judgements
    level : {"summary", "system", "global"}
    resamples : int
        Draws of topics for the interval; 0 for none.
    confidence : float
        A share between 0 and 1.
    seed : int

    Raises
    ------
    ValueError
        The judgements are texts, or an option is invalid.

    Examples
    --------
    Six targets and four judges of Shrout and Fleiss 1979, table 2; ICC(3,4) is .91:

    >>> ratings = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> judgements = Judgements.from_table([[[x] for x in judge] for judge in ratings])
    >>> found = judge_reliability(judgements, "summary")
    >>> round(found.value, 2), round(found.single, 2), round(found.ceiling(), 2)
    (0.91, 0.71, 0.95)
    >>> round(found.disattenuated(0.6), 2), found.needed(0.8)
    (0.63, 2)
    """
    check_choice("level", level, arrays.LEVELS)
    arrays.check_confidence(confidence)
    check_whole("resamples", resamples, 0)
    seed = check_seed(seed)
    if judgements.labels:
        raise ValueError("the judgements are texts; reliability needs numbers")
    sums = ReliabilityDraws(judgements, level)
    value = float(sums.values(np.ones((1, sums.topics)))[0])
    bounds = nan, nan
    if resamples and sums.topics > 1 and not isnan(value):
        bounds = percentiles(drawn_topics(sums.values, sums.topics, resamples, seed), confidence)
    sizes = judgements.sizes
    judges = float(len(sizes) / (1.0 / sizes).sum()) if len(sizes) else nan
    single, notes = spearman_brown(value, 1.0 / judges), tuple(_notes(judgements, level, value))
    lower, upper = bounds
    rest = confidence, judges, single, sums.crossed, resamples, seed, notes
    return Reliability(level, value, lower, upper, *rest)


def spearman_brown(reliability: float, factor: float) -> float:
    """Return the reliability with `factor` times as many judges (Spearman 1910, Brown 1910).

    `factor reliability / (1 + (factor - 1) reliability)`; NaN where the formula has no value, which
    is for negative reliabilities alone.

    Examples
    --------
    >>> round(spearman_brown(0.5, 2), 4), round(spearman_brown(0.8, 1 / 4), 4)
    (0.6667, 0.5)
    """
    below = 1.0 + (factor - 1.0) * reliability
    return float(factor * reliability / below) if below > 0.0 else nan


def _from_pearson(value: float, coefficient: Coefficient) -> float:
    check_choice("coefficient", coefficient, arrays.COEFFICIENTS)
    if coefficient == "pearson":
        return value
    value = min(1.0, max(-1.0, value))
    return 6.0 / pi * asin(value / 2.0) if coefficient == "spearman" else 2.0 / pi * asin(value)


def _notes(judgements: Judgements, level: Level, value: float) -> list[str]:
    if not isnan(value):
        few = ["the judges agree no better than by chance, so there is no ceiling"]
        return few if value <= 0.0 else []
    if not (judgements.sizes > 1).any():
        return ["no summary has two judgements, so their reliability is unknown"]
    if level != "global" and np.isfinite(judgements.means).sum(axis=0).max() < 2:
        return ["no topic has two systems, so nothing varies"]
    return ["the mean judgements do not vary"]


_Parts: TypeAlias = tuple[Array, ...]
"""For draws: the squares between means, those of the noise, its degrees of freedom, and by how
much the variance of one judgement adds to the first."""


class ReliabilityDraws:
    """The reliability at a level of any draw of topics, from sums for each topic."""

    def __init__(self, judgements: Judgements, level: Level) -> None:
        self.given, self.counts = judgements, judgements.counts
        self.topics, self.judges = len(judgements.topics), len(judgements.judges)
        # Around 0, so that squares lose no digits.
        middle = float(judgements.values.mean()) if len(judgements) else 0.0
        self.centred = judgements.values - middle
        self.present = self.counts > 0
        self.means = np.where(self.present, judgements.means - middle, 0.0)
        self.share = np.where(self.present, 1.0 / np.maximum(self.counts, 1), 0.0)
        own = self.means[judgements.system, judgements.topic]
        within = np.bincount(judgements.topic, (self.centred - own) ** 2, self.topics)
        # What rounding leaves of equal judgements is no noise.
        least = 1e-24 * np.bincount(judgements.topic, self.centred**2, self.topics)
        self.within = np.where(within > least, within, 0.0)
        self.freedom = np.where(self.present, self.counts - 1, 0).sum(axis=0).astype(np.float64)
        # Whether each judge judged each cell, and there are two or more judges.
        everywhere = bool((self.counts[self.present] == self.judges).all())
        self.crossed = self.judges > 1 and everywhere
        self.parts = self._of_cells if level == "global" else self._of_systems
        if level == "summary":
            columns = self._of_topics()
            self.parts = lambda drawn: tuple(drawn @ column for column in columns)

    def values(self, drawn: Any) -> Array:
        """Return the reliability for each draw [draw, topic]."""
        between, noise, freedom, added = self.parts(np.asarray(drawn, dtype=np.float64))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = 1.0 - noise / freedom * added / between
        # Means that differ only by rounding do not vary.
        small = between <= 1e-24 * np.maximum(1.0, (self.means**2).sum())
        found[small | ~(freedom > 0)] = nan
        return np.asarray(found, dtype=np.float64)

    def judge_sums(self, by: Any, size: int) -> Array:
        """Return the sums of the judgements [by, judge]."""
        flat = np.bincount(by * self.judges + self.given.judge, self.centred, size * self.judges)
        return np.asarray(flat, dtype=np.float64).reshape(size, self.judges)

    def _of_topics(self) -> _Parts:
        """The parts of each topic, which are summed over a draw."""
        size = self.present.sum(axis=0).astype(np.float64)
        several, safe = size > 1, np.maximum(size, 1.0)
        mean = self.means.sum(axis=0) / safe
        squares = np.where(self.present, (self.means - mean) ** 2, 0.0).sum(axis=0)
        added = np.where(several, (1.0 - 1.0 / safe) * self.share.sum(axis=0), 0.0)
        noise, freedom = self.within, self.freedom
        judges = self._judges()
        # A topic that does not count for lack of systems tells nothing of crossing either.
        self.crossed = bool(self.judges) and bool((judges > 0)[several].all())
        if self.crossed:
            noise = np.where(several, self._residual(size), 0.0)
            freedom = np.where(several, (size - 1.0) * (judges - 1.0), 0.0)
        return np.where(several, squares, 0.0), noise, freedom, added

    def _judges(self) -> Array:
        """The number of judges of each topic; 0 where they did not judge the same systems."""
        many = max(self.judges, 1)
        pair = np.unique(self.given.topic * many + self.given.judge) // many
        judges = np.bincount(pair, minlength=self.topics)[: self.topics]
        same = np.where(self.present, self.counts == judges, True).all(axis=0)
        return np.where(same, judges, 0).astype(np.float64)

    def _residual(self, size: Array) -> Array:
        """Return the squares within cells, without those between the means of a topic's judges."""
        given = self.given
        codes, place = np.unique(given.topic * self.judges + given.judge, return_inverse=True)
        topic = codes // self.judges
        own = self.means[given.system, given.topic]
        means = np.bincount(place, self.centred - own, len(codes)) / size[topic]
        return _without(self.within, size * np.bincount(topic, means**2, self.topics))

    def _of_cells(self, drawn: Array) -> _Parts:
        size = drawn @ self.present.sum(axis=0)
        mean = drawn @ self.means.sum(axis=0) / size
        between = drawn @ (self.means**2).sum(axis=0) - size * mean**2
        added = (1.0 - 1.0 / size) * (drawn @ self.share.sum(axis=0))
        noise, freedom = drawn @ self.within, drawn @ self.freedom
        if self.crossed:
            sums = self.judge_sums(self.given.topic, self.topics)
            squares = (((drawn @ sums) / size[:, None] - mean[:, None]) ** 2).sum(axis=1)
            noise = _without(noise, size * squares)
            freedom = (size - 1.0) * (self.judges - 1.0)
        return between, noise, freedom, added

    def _of_systems(self, drawn: Array) -> _Parts:
        size = drawn @ self.present.T
        there = size > 0
        safe = np.maximum(size, 1.0)
        means = np.where(there, drawn @ self.means.T / safe, 0.0)
        systems = there.sum(axis=1).astype(np.float64)
        most = np.maximum(systems, 1.0)
        middle = means.sum(axis=1) / most
        between = np.where(there, (means - middle[:, None]) ** 2, 0.0).sum(axis=1)
        if self.crossed:
            many = len(self.given.systems)
            by = self.given.topic * many + self.given.system
            sums = self.judge_sums(by, self.topics * many).reshape(self.topics, -1)
            own = (drawn @ sums).reshape(len(drawn), many, self.judges) / safe[:, :, None]
            left = np.where(there[:, :, None], own - means[:, :, None], 0.0)
            left -= left.sum(axis=1, keepdims=True) / most[:, None, None]
            noise = np.where(there[:, :, None], left**2, 0.0).sum(axis=(1, 2))
            freedom = (systems - 1.0) * (self.judges - 1.0)
            return between, noise, freedom, (systems - 1.0) / self.judges
        # A topic that is drawn twice has its noise twice.
        shares = (drawn**2 @ self.share.T) / safe**2
        added = (1.0 - 1.0 / most) * shares.sum(axis=1)
        return between, drawn @ self.within, drawn @ self.freedom, added


def _without(squares: Array, part: Array) -> Array:
    """Return a sum of squares less a part of it; what rounding leaves is 0."""
    left = squares - part
    return np.where(left > 1e-13 * squares, left, 0.0)
