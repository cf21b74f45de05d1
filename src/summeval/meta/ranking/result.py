"""Results of `rank`: the systems by each metric, and the tests of their pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import isfinite, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summeval._options import unknown
from summeval.meta.comparison import Correction
from summeval.table.cells import Array

COMPARED = (
    "other",
    "difference",
    "difference lower",
    "difference upper",
    "p",
    "p corrected",
    "p bootstrap",
    "effect",
    "superiority",
    "wins",
    "ties",
    "losses",
    "shared",
    "needed",
    "exact",
)


@dataclass(frozen=True)
class MetricRanking:
    """The ranking of systems by one metric.

    Arrays have an entry for each system, in the order of `systems`; tables [system, system] say
    how the first system compares with the second, with NaN (0 for counts) for pairs that were not
    compared.

    Attributes
    ----------
    metric : str
    higher_is_better : bool
    systems : tuple of str
    order : array of int
        The systems from best to worst mean: places in `systems`.
    means : array [system]
        Over all rows of the system that have a value.
    intervals : array [system, 2]
        Bounds of the mean by Student's t; NaN for fewer than two rows.
    rows : array [system] of int
        The number of rows with a value, after several outputs for one topic became one.
    clusters : array [system] of int
        From 1. All systems of a cluster differ from all of the next, but systems of one cluster
        may differ too: `letters` tell that. With a baseline, the systems that are better than it,
        those not told apart from it (with itself), and those worse.
    letters : tuple of str
        Two systems share a letter if and only if they do not differ significantly; empty with a
        baseline.
    differences : table
        The mean of the first minus the mean of the second, over the rows that both have.
    bounds : array [system, system, 2]
        Those of the differences.
    pvalues, corrected : table
        Of the two-sided paired randomisation test, without and with the correction.
    bootstrap : table
        p-values of the two-sided paired bootstrap test, not corrected.
    different : table of bool
        Whether the corrected p-value is at most the level.
    effects : table
        The mean of the differences in their standard deviations (Cohen's d of paired samples),
        positive if the first system is better; 0 if the means are equal, infinite if all
        differences are.
    superiority : table
        The probability that the first system is better on a row; ties count half.
    wins : table of int
        Rows on which the first system is better.
    shared : table of int
        Rows that both have.
    needed : table
        The number of rows with which a paired t-test at the level, without correction, finds a
        difference as large as this one in 80 of 100 samples.
    exact : table of bool
        Whether every swap of rows was enumerated, so that the p-value is no estimate.
    """

    metric: str
    higher_is_better: bool
    systems: tuple[str, ...]
    order: NDArray[np.int64]
    means: Array
    intervals: Array
    rows: NDArray[np.int64]
    clusters: NDArray[np.int64]
    letters: tuple[str, ...]
    differences: Array
    bounds: Array
    pvalues: Array
    corrected: Array
    bootstrap: Array
    different: NDArray[np.bool_]
    effects: Array
    superiority: Array
    wins: NDArray[np.int64]
    shared: NDArray[np.int64]
    needed: Array
    exact: NDArray[np.bool_]

    @property
    def leaders(self) -> list[int]:
        """The best system, and those that were compared with it and cannot be told apart from it.

        >>> from summeval.meta import rank
        >>> rank({"x": [3, 4, 5, 1, 2, 4]}, ["a"] * 3 + ["b"] * 3)["x"].leaders
        [0, 1]
        """
        order = [place for place in self.order.tolist() if not isnan(self.means[place])]
        untested = np.isnan(self.corrected)
        return [
            place
            for place in order
            if place == order[0]
            or not (self.different[order[0], place] or untested[order[0], place])
        ]


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Mapping[str, MetricRanking]):
    """The rankings of systems by each metric, and what they were made with.

    A mapping of metrics to `MetricRanking`. `means`, `intervals`, `clusters` and `pvalues` are
    dicts of the arrays of that name by metric.

    Attributes
    ----------
    systems, metrics : tuple of str
        In order of first appearance.
    baseline : str or None
    alpha, confidence : float
    correction : str
    resamples, seed : int
    notes : list of str
        What is missing, what was averaged, and which tests could not be made.
    """

    _found: dict[str, MetricRanking]
    systems: tuple[str, ...]
    notes: list[str]
    baseline: str | None
    resamples: int
    seed: int
    correction: Correction
    alpha: float
    confidence: float

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(self._found)

    def __getitem__(self, metric: str) -> MetricRanking:
        if metric not in self._found:
            raise KeyError(unknown("metric", metric, self._found))
        return self._found[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the tests, by name."""
        names = ("baseline", "resamples", "seed", "correction", "alpha", "confidence")
        return {name: getattr(self, name) for name in names}

    @property
    def means(self) -> dict[str, Array]:
        """For each metric the means [system]."""
        return {name: one.means for name, one in self._found.items()}

    @property
    def intervals(self) -> dict[str, Array]:
        """For each metric the bounds of the means [system, 2]."""
        return {name: one.intervals for name, one in self._found.items()}

    @property
    def clusters(self) -> dict[str, NDArray[np.int64]]:
        """For each metric the clusters [system]."""
        return {name: one.clusters for name, one in self._found.items()}

    @property
    def pvalues(self) -> dict[str, Array]:
        """For each metric the p-values [system, system] of the randomisation test, uncorrected."""
        return {name: one.pvalues for name, one in self._found.items()}

    def mark(self, one: MetricRanking, place: int) -> str:
        """Return a mark for a system's mean: its letters, or a star beside the baseline.

        Nothing for a system without a mean, or without others.

        >>> from summeval.meta import rank
        >>> found = rank({"x": [3, 4, 5, 1, 2, 4]}, ["a"] * 3 + ["b"] * 3)
        >>> found.mark(found["x"], 0)
        'a'
        """
        if len(self.systems) == 1 or isnan(one.means[place]):
            return ""
        if self.baseline is None:
            return one.letters[place]
        return "*" * bool(one.different[self.systems.index(self.baseline), place])

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each metric and system, from best to worst, with its comparison with `other`.

        The other is the baseline, or the next system in this order. Missing numbers are None.

        >>> from summeval.meta import rank
        >>> found = rank({"x": [3, 4, 5, 1, 2, 4]}, ["a"] * 3 + ["b"] * 3)
        >>> [(row["system"], row["mean"], row["other"], row["p"]) for row in found.to_rows()]
        [('a', 4.0, 'b', 0.25), ('b', 2.3333333333333335, None, None)]
        """
        return [
            self._row(one, place, rank)
            for one in self._found.values()
            for rank, place in enumerate(one.order.tolist())
        ]

    def to_pairs(self) -> list[dict[str, Any]]:
        """Return a row for each metric and pair of systems that was compared, the better one first.

        >>> from summeval.meta import rank
        >>> found = rank({"x": [3, 4, 5, 1, 2, 4]}, ["a"] * 3 + ["b"] * 3)
        >>> [(row["system"], row["other"], row["wins"]) for row in found.to_pairs()]
        [('a', 'b', 3)]
        """
        return [
            {"metric": one.metric, "system": self.systems[i], **self._compared(one, i, j)}
            for one in self._found.values()
            for i, j in combinations(one.order.tolist(), 2)
            if self.baseline in (None, self.systems[i], self.systems[j])
        ]

    def _row(self, one: MetricRanking, place: int, rank: int) -> dict[str, Any]:
        others = one.order[rank + 1 : rank + 2].tolist()
        if self.baseline is not None:
            others = [self.systems.index(self.baseline)]
        other = others[0] if others and others[0] != place else None
        return {
            "system": self.systems[place],
            "metric": one.metric,
            "mean": plain(one.means[place]),
            "lower": plain(one.intervals[place, 0]),
            "upper": plain(one.intervals[place, 1]),
            "rows": int(one.rows[place]),
            "rank": rank + 1,
            "cluster": int(one.clusters[place]),
            "letters": one.letters[place] if one.letters else None,
            **self._compared(one, place, other),
            "higher_is_better": one.higher_is_better,
        }

    def _compared(self, one: MetricRanking, place: int, other: int | None) -> dict[str, Any]:
        """Return how a system compares with another; None for all if there is no other."""
        if other is None:
            return dict.fromkeys(COMPARED)
        key = place, other
        shared, wins, losses = (int(t[key]) for t in (one.shared, one.wins, one.wins.T))
        values = (
            self.systems[other],
            plain(one.differences[key]),
            plain(one.bounds[(*key, 0)]),
            plain(one.bounds[(*key, 1)]),
            plain(one.pvalues[key]),
            plain(one.corrected[key]),
            plain(one.bootstrap[key]),
            plain(one.effects[key]),
            plain(one.superiority[key]),
            wins,
            shared - wins - losses,
            losses,
            shared,
            None if (needed := plain(one.needed[key])) is None else int(needed),
            bool(one.exact[key]),
        )
        return dict(zip(COMPARED, values, strict=True))

    def __repr__(self) -> str:
        return f"<Ranking: {len(self.systems)} systems, metrics {', '.join(self.metrics)}>"


def plain(value: Any) -> Any:
    """Return a Python number; None if it is NaN or infinite, and whole numbers as int.

    >>> plain(np.float64(2.5)), plain(np.int64(3)), plain(np.nan)
    (2.5, 3, None)
    """
    number = value.item() if hasattr(value, "item") else value
    return number if isfinite(number) else None
