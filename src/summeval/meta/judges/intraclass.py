"""Intraclass correlations of judges (Shrout and Fleiss 1979; McGraw and Wong 1996)."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np

from summeval.meta.judges.judgements import Judgements
from summeval.meta.tables.arrays import Table

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
        several = judgements.sizes > 1
        middle = float(judgements.values.mean()) if len(judgements) else 0.0
        values = judgements.values - middle
        unit = np.repeat(np.arange(len(judgements.sizes)), judgements.sizes)
        self.topics = len(judgements.topics)
        sums = np.bincount(unit, values, len(judgements.sizes))
        squares = np.bincount(unit, values**2, len(judgements.sizes))
        topic = judgements.topic[judgements.starts]
        size = judgements.sizes.astype(np.float64)
        mean = sums / size
        within = np.bincount(unit, (values - mean[unit]) ** 2, len(size))
        within[within < 1e-24 * squares] = 0.0
        one = np.ones(len(size))
        columns: list[Any] = [one, size, size**2, sums, size * mean**2, within]
        self.one_way = self._by_topic(topic[several], [x[several] for x in columns])
        self.judges = len(judgements.judges)
        whole = size == self.judges
        self.complete = int(whole.sum()) if self.judges > 1 else 0
        if self.complete:
            columns = [one, sums, size * mean**2, within]
            self.two_way = self._by_topic(topic[whole], [x[whole] for x in columns])
            kept = whole[unit]
            codes = judgements.topic[kept] * self.judges + judgements.judge[kept]
            flat = np.bincount(codes, values[kept], self.topics * self.judges)
            self.by_judge = flat.reshape(self.topics, self.judges)

    def _by_topic(self, topic: Any, columns: Sequence[Table]) -> Table:
        return np.column_stack([np.bincount(topic, x, self.topics) for x in columns])

    def values(self, drawn: Any) -> Table:
        """The coefficients of each draw [draw, coefficient], in the order of `KINDS`."""
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
