"""Krippendorff's alpha of judgements, of draws of their topics, and without each judge."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from summeval.meta.judges.alpha import (
    RatingLevel,
    check_ratios,
    pairs_within,
    ratio_distance,
)
from summeval.meta.judges.judgements import Judgements
from summeval.meta.tables.arrays import Table

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

    def values(self, drawn: Any) -> Table:
        """Alpha of each draw [draw, topic]; NaN if undefined."""
        drawn = np.asarray(drawn, dtype=np.float64)
        if not len(self.known):
            return np.full(len(drawn), nan)
        if self.coincident:
            block = max(1, _NUMBERS // len(self.known) ** 2)
            parts = [
                self._of_coincidences(drawn[start : start + block])
                for start in range(0, len(drawn), block)
            ]
            return np.concatenate(parts)
        if self.level not in ("interval", "ordinal"):
            return np.full(len(drawn), nan)
        within, size, sums, squares = (drawn @ self.sums).T
        return _alpha(size, within, 2 * (size * squares - sums**2))

    def _of_coincidences(self, drawn: Table) -> Table:
        return self._of_counts(np.asarray((self.counts.T @ drawn.T).T))

    def _of_counts(self, flat: Table) -> Table:
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

    def without_judges(self) -> Table:
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

    def _counts_without(self) -> Table:
        """The coincidences without each judge [judge, value pair].

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

    def _sums_without(self) -> Table:
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


def _alpha(size: Table, observed: Table, expected: Table) -> Table:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 1.0 - (size - 1.0) * observed / expected
    # What rounding leaves of ratings that are all equal is not expected disagreement.
    return np.where(expected > 1e-12 * size, found, nan)
