"""Paired tests of the differences of systems, by means of rows and by scores of the corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, isfinite, isnan, log2, nan, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import unknown
from summeval.meta import resampling
from summeval.meta.comparison import Correction
from summeval.meta.resampling import Fixed, drawn_sums, enumerated_sums, percentiles, swapped_sums
from summeval.table.cells import Array

if TYPE_CHECKING:
    from summeval.metrics.run.corpus import Formula


@dataclass(frozen=True)
class Differences:
    """The tests of one metric, for each system and each pair of systems.

    Tables [system, system] say how the first system compares with the second; NaN (or 0, for
    counts) for pairs that were not compared.
    """

    means: Array
    intervals: Array
    rows: NDArray[np.int64]
    differences: Array
    bounds: Array
    pvalues: Array
    bootstrap: Array
    effects: Array
    wins: NDArray[np.int64]
    shared: NDArray[np.int64]
    exact: NDArray[np.bool_]

    @staticmethod
    def of(size: int) -> Differences:
        """Return the tests before any test."""
        shapes = {"means": size, "rows": size, "intervals": (size, 2), "bounds": (size, size, 2)}
        nothing = {"rows": 0, "wins": 0, "shared": 0, "exact": False}
        return Differences(
            **{
                name: np.full(shapes.get(name, (size, size)), nothing.get(name, nan))
                for name in Differences.__annotations__
            }
        )

    def put(self, i: int, j: int, **values: Any) -> None:
        """Write how system i compares with j into the tables, and how j compares with i."""
        for name, value in values.items():
            table = getattr(self, name)
            table[i, j] = value
            if name == "bounds":
                table[j, i] = 0.0 - table[i, j, ::-1]
            else:
                table[j, i] = 0.0 - value if name in ("differences", "effects") else value


@dataclass(frozen=True)
class MetricRanking(Differences):
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
        Over all rows of the system that have a value; or the score of the corpus.
    intervals : array [system, 2]
        Bounds of the mean by Student's t, or of the score of the corpus by draws of rows; NaN for
        fewer than two rows.
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
        The mean (or score of the corpus) of the first minus that of the second, over the rows that
        both have.
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
        differences are. NaN for scores of the corpus.
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
    corpus : bool
        Whether the numbers are scores of the corpus, made of sums, and not means of rows.
    """

    metric: str
    higher_is_better: bool
    systems: tuple[str, ...]
    order: NDArray[np.int64]
    clusters: NDArray[np.int64]
    letters: tuple[str, ...]
    corrected: Array
    different: NDArray[np.bool_]
    superiority: Array
    needed: Array
    corpus: bool

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
            "kind": "corpus" if one.corpus else "mean",
        }

    def _compared(self, one: MetricRanking, place: int, other: int | None) -> dict[str, Any]:
        """Return how a system compares with another; None for all if there is no other."""
        key = place, place if other is None else other
        shared, wins, losses = (int(t[key]) for t in (one.shared, one.wins, one.wins.T))
        needed = plain(one.needed[key])
        found = {
            "other": self.systems[key[1]],
            "difference": plain(one.differences[key]),
            "difference lower": plain(one.bounds[(*key, 0)]),
            "difference upper": plain(one.bounds[(*key, 1)]),
            "p": plain(one.pvalues[key]),
            "p corrected": plain(one.corrected[key]),
            "p bootstrap": plain(one.bootstrap[key]),
            "effect": plain(one.effects[key]),
            "superiority": plain(one.superiority[key]),
            "wins": wins,
            "ties": shared - wins - losses,
            "losses": losses,
            "shared": shared,
            "needed": None if needed is None else int(needed),
            "exact": bool(one.exact[key]),
        }
        return dict.fromkeys(found) if other is None else found

    def __repr__(self) -> str:
        return f"<Ranking: {len(self.systems)} systems, metrics {', '.join(self.metrics)}>"


def plain(value: Any) -> Any:
    """Return a Python number; None if it is NaN or infinite, and whole numbers as int.

    >>> plain(np.float64(2.5)), plain(np.int64(3)), plain(np.nan)
    (2.5, 3, None)
    """
    number = value.item() if hasattr(value, "item") else value
    return number if isfinite(number) else None


Pairs: TypeAlias = Sequence[tuple[int, int]]

MOST_SUMS = 1 << 25  # held at a time


class _Task(NamedTuple):
    """Sums that one pass over the draws gives: columns of scores, and of rows that have one.

    The columns are those of all systems, or of pairs whose systems lack different rows.
    """

    metric: str
    given: Fixed
    pairs: Pairs
    apart: bool  # whether the columns are differences of the pairs
    columns: Array
    counts: Array
    places: list[int]  # of each column's count among `counts`

    @classmethod
    def of(cls, metric: str, given: Fixed, pairs: Pairs, apart: bool) -> _Task:
        units, both, columns = given.units, list(given.present), given.units.T
        if apart:
            both = [both[i] & both[j] for i, j in pairs]
            columns = np.array(
                [(units[i] - units[j]) * mask for (i, j), mask in zip(pairs, both, strict=True)]
            ).T
        kinds: dict[bytes, int] = {}
        places = [kinds.setdefault(mask.tobytes(), len(kinds)) for mask in both]
        firsts = dict(zip(places, both, strict=True))
        counts = np.array(list(firsts.values()), dtype=np.float64).T
        return cls(metric, given, pairs, apart, columns, counts, places)


def tested(
    tables: Mapping[str, Array], pairs: Pairs, resamples: int, confidence: float, seed: int
) -> dict[str, Differences]:
    """Test the pairs of systems in each table [system, topic] of a metric.

    >>> tables = {"x": np.array([[3.0, 4.0, 5.0], [1.0, 2.0, 4.0]])}
    >>> found = tested(tables, [(0, 1)], 100, 0.95, 0)["x"]
    >>> found.pvalues[0, 1].item(), found.exact[0, 1].item(), found.wins.tolist()
    (0.25, True, [[0, 3], [0, 0]])
    """
    found = {metric: Differences.of(len(table)) for metric, table in tables.items()}
    given = {metric: resampling.fixed(table) for metric, table in tables.items()}
    for metric, table in tables.items():
        found[metric].means[:] = [_mean(scores[~np.isnan(scores)]) for scores in table]
        _describe(found[metric], given[metric], pairs, confidence)
    tasks = (task for name in given for task in _tasks(name, given[name], pairs, resamples))
    for some in _batches(tasks, resamples):
        columns = np.hstack([task.columns for task in some])
        counts = np.hstack([task.counts for task in some])
        drawn = drawn_sums(np.hstack([columns, counts]), resamples, seed)
        swapped = swapped_sums(columns, resamples, seed) if pairs else drawn[:, :0]
        at, behind = 0, columns.shape[1]
        for task in some:
            width, kinds = task.columns.shape[1], task.counts.shape[1]
            here, counted = slice(at, at + width), drawn[:, behind : behind + kinds].T
            swaps, sums = (np.ascontiguousarray(table[:, here].T) for table in (swapped, drawn))
            _finish(found[task.metric], task, swaps, sums, counted[task.places])
            at, behind = at + width, behind + kinds
    return found


def _tasks(metric: str, given: Fixed, pairs: Pairs, resamples: int) -> Iterator[_Task]:
    present = given.present
    alike = [(i, j) for i, j in pairs if np.array_equal(present[i], present[j])]
    yield _Task.of(metric, given, alike, apart=False)
    known = set(alike)
    apart = [(i, j) for i, j in pairs if (i, j) not in known and (present[i] & present[j]).any()]
    step = max(1, MOST_SUMS // max(resamples, present.shape[1]))
    for start in range(0, len(apart), step):
        yield _Task.of(metric, given, apart[start : start + step], apart=True)


def _batches(tasks: Iterable[_Task], resamples: int) -> Iterator[list[_Task]]:
    """Tasks that share their draws, as many as memory should hold."""
    batch: list[_Task] = []
    width = 0
    for task in tasks:
        rows, more = task.columns.shape
        if batch and (width + more) * max(resamples, rows) > MOST_SUMS:
            yield batch
            batch, width = [], 0
        batch.append(task)
        width += more
    yield batch


def _mean(scores: Array) -> float:
    """Return the mean, between the lowest and the highest score; NaN without any.

    The sum is rounded once, so that the order of the scores does not matter.
    """
    if not len(scores):
        return nan
    mean = fsum(np.ldexp(scores, -32).tolist()) / len(scores)  # of large numbers it stays finite
    return float(np.clip(np.ldexp(mean, 32), scores.min(), scores.max()))


def _describe(found: Differences, given: Fixed, pairs: Pairs, confidence: float) -> None:
    """Fill in what needs no draws."""
    found.rows[:] = given.present.sum(axis=1)
    for system in np.flatnonzero(found.rows > 1).tolist():
        scores = given.units[system, given.present[system]]
        half = float(resampling.half_widths(scores, confidence=confidence)) * given.unit
        found.intervals[system] = found.means[system] + np.array([-half, half])
    for i, j in pairs:
        apart = _apart(given, i, j)
        found.put(i, j, shared=(rows := len(apart)))
        if not rows:
            continue
        found.wins[i, j] = (apart > given.slack).sum()
        found.wins[j, i] = (apart < -given.slack).sum()
        mean = float(apart.sum()) / rows
        found.put(i, j, differences=mean * given.unit)
        if rows > 1:
            half = float(resampling.half_widths(apart, confidence=confidence))
            bounds = (mean - half) * given.unit, (mean + half) * given.unit
            found.put(i, j, effects=_effect(apart, mean, given.slack), bounds=bounds)


def _apart(given: Fixed, i: int, j: int) -> Array:
    """Return the differences of two systems, in units, on the rows that both have."""
    both = given.present[i] & given.present[j]
    return np.asarray((given.units[i] - given.units[j])[both])


def _effect(apart: Array, mean: float, slack: float) -> float:
    """Return the mean of the differences in their standard deviations."""
    deviation = sqrt(float(((apart - mean) ** 2).sum()) / (len(apart) - 1))
    if abs(mean) <= slack:
        return 0.0
    return mean / deviation if deviation > slack else float(np.copysign(np.inf, mean))


def _finish(found: Differences, task: _Task, swapped: Array, drawn: Array, counted: Array) -> None:
    """Fill in the p-values from the sums of a task's columns, of each draw [column, draw]."""
    given, resamples = task.given, swapped.shape[1]
    for place, (i, j) in enumerate(task.pairs):
        apart = _apart(given, i, j)
        if not (rows := len(apart)):
            continue
        sums, means, counts = (
            (swapped[place], drawn[place], counted[place])
            if task.apart
            else (swapped[i] - swapped[j], drawn[i] - drawn[j], counted[i])
        )
        # NaN for draws without a row that has a score
        means = np.divide(means, counts, out=np.full(resamples, np.nan), where=counts > 0)
        reach = abs(float(apart.sum())) - given.slack * rows
        unequal = apart[np.abs(apart) > given.slack]
        if exact := len(unequal) <= log2(resamples):
            sums = enumerated_sums(unequal) if len(unequal) else np.zeros(1)
        extreme = np.abs(sums) >= reach
        pvalue = extreme.mean() if exact else (1 + extreme.sum()) / (resamples + 1)
        mean = float(apart.sum()) / rows
        further = ~(np.abs(means - mean) < abs(mean) - given.slack)  # an undefined one is as far
        bootstrap = (1 + further.sum()) / (resamples + 1)
        found.put(i, j, exact=exact, pvalues=pvalue, bootstrap=bootstrap)


_ROUNDING = 1e-12  # scores that differ by no more, of the larger one, are equal


class Sums(NamedTuple):
    """What makes the score of a corpus.

    Attributes
    ----------
    formula : Metric
        What makes scores of sums, such as a `Bleu`.
    field : str
        One of its fields.
    statistics : array [row, statistic]
        Those of each row; NaN where it has no score.
    """

    formula: Formula
    field: str
    statistics: Array

    def of(self, sums: Array) -> Array:
        """Return the field of sums [..., statistic]."""
        place = self.formula.fields.index(self.field)
        flat = sums.reshape(-1, sums.shape[-1])
        return self.formula.of_sums(flat)[:, place].reshape(sums.shape[:-1])


def retested(  # noqa: PLR0917 - as `tested`
    found: Differences, sums: Sums, pairs: Pairs, resamples: int, confidence: float, seed: int
) -> None:
    """Put the scores of the corpora of systems, and their tests, in place of means of rows.

    `sums` has the statistics [system, topic, statistic]. Swaps exchange the statistics of two
    systems on random topics, draws are of topics; intervals are percentiles of draws (Koehn 2004,
    "Statistical Significance Tests for Machine Translation Evaluation", section 3). Which rows are
    won stays; there is no effect, which is one of means.
    """
    table = sums.statistics
    present: NDArray[np.bool_] = np.asarray(~np.isnan(table).any(axis=2))
    found.effects[:] = np.nan
    masks: dict[bytes, list[tuple[int, int]]] = {mask.tobytes(): [] for mask in present}
    for i, j in pairs:
        masks.setdefault((present[i] & present[j]).tobytes(), []).append((i, j))
    for key, some in masks.items():
        mask = np.frombuffer(key, dtype=bool)
        if not mask.any():
            continue
        alone = [s for s in range(len(table)) if present[s].tobytes() == key]
        for own, paired in _parts(alone, some, resamples * table.shape[2]):
            systems = sorted({*own, *(s for pair in paired for s in pair)})
            rows = table[systems][:, mask]
            columns = np.concatenate(list(rows), axis=1)
            drawn, swapped = (
                of(columns, resamples, seed).reshape(resamples, len(systems), -1)
                for of in (drawn_sums, swapped_sums)
            )
            draws = sums.of(drawn)
            whole = sums.of(rows.sum(axis=1))
            at = {system: place for place, system in enumerate(systems)}
            for system in own:
                found.means[system] = whole[at[system]]
                if mask.sum() > 1:
                    found.intervals[system] = percentiles(draws[:, at[system]], confidence)
            for i, j in paired:
                a, b = at[i], at[j]
                apart = float(whole[a] - whole[b])
                slack = _ROUNDING * float(max(abs(whole[a]), abs(whole[b])))
                sides, swaps = (rows[a], rows[b]), swapped[:, a] - swapped[:, b]
                pvalue, exact = _swapped(sums, sides, swaps, abs(apart) - slack)
                differences = draws[:, a] - draws[:, b]
                further = np.abs(differences - apart) >= abs(apart) - slack
                bootstrap = (1 + further.sum()) / (resamples + 1)
                found.put(i, j, pvalues=pvalue, exact=exact, differences=apart, bootstrap=bootstrap)
                if mask.sum() > 1:
                    found.put(i, j, bounds=percentiles(differences, confidence))


def _parts(
    systems: list[int], pairs: list[tuple[int, int]], width: int
) -> Iterator[tuple[list[int], list[tuple[int, int]]]]:
    """Yield all at once if memory holds their draws, else a few at a time."""
    most = max(2, MOST_SUMS // width)
    if len({*systems, *(s for pair in pairs for s in pair)}) <= most:
        yield systems, pairs
        return
    for first in range(0, len(systems), most):
        yield systems[first : first + most], []
    for first in range(0, len(pairs), most // 2):
        yield [], pairs[first : first + most // 2]


def _swapped(
    sums: Sums, sides: tuple[Array, Array], swapped: Array, reach: float
) -> tuple[float, bool]:
    """Return the p-value of the randomisation test, and whether every swap was enumerated."""
    apart, both = sides[0] - sides[1], (sides[0] + sides[1]).sum(axis=0)
    unequal = apart[(apart != 0).any(axis=1)]
    if exact := len(unequal) <= log2(len(swapped)):
        swapped = enumerated_sums(unequal) if len(unequal) else np.zeros((1, len(both)))
    one, other = sums.of((both + swapped) / 2), sums.of((both - swapped) / 2)
    extreme = np.abs(one - other) >= reach
    return float(extreme.mean() if exact else (1 + extreme.sum()) / (len(swapped) + 1)), exact


def check(given: Mapping[str, Sums], names: Collection[str], rows: int) -> None:
    """Raise `ValueError` for sums that are not of these columns and rows."""
    for name, one in given.items():
        if name not in names:
            raise ValueError(f"sums: {unknown('column', name, names)}")
        if one.field not in one.formula.fields:
            raise ValueError(f"sums: {unknown('field', one.field, one.formula.fields)}")
        if one.statistics.ndim != 2 or len(one.statistics) != rows:
            shape = list(one.statistics.shape)
            raise ValueError(f"sums: {name} has the shape {shape}; give statistics of {rows} rows")


def arranged(given: Mapping[str, Sums]) -> dict[str, Array]:
    """Return the statistics as columns [row], which are arranged by system and topic as scores are.

    >>> sorted(arranged({"x": Sums(None, "value", np.zeros((3, 2)))}))
    ['x 0', 'x 1']
    """
    return {
        f"{name} {place}": column
        for name, one in given.items()
        for place, column in enumerate(one.statistics.T)
    }
