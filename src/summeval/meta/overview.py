"""The contents of a report: metrics compared with people, each other and length; odd rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from math import ceil, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_inner_share
from summeval.meta import arrays
from summeval.meta.arrays import Coefficient, Level, Over, cautions
from summeval.meta.comparison import Comparison, ranked
from summeval.meta.correlations import value_of
from summeval.meta.reliability import Reliability, judge_reliability
from summeval.meta.resampling import Design, check_seed, swapped_over
from summeval.table.cells import Array
from summeval.table.scores import HigherIsBetter, Scores, directions, listed

LENGTH = "length"  # the column of the baseline


@dataclass(frozen=True)
class Agreement:
    """Metrics compared with one human dimension at one level, best first.

    Attributes
    ----------
    human, level : str
    comparison : Comparison
        Comparison by the first coefficient of the overview.
    values : dict of str to tuple of float
        For each coefficient the values of the metrics, in the order of ``comparison.names``.
    """

    human: str
    level: Level
    comparison: Comparison
    values: dict[Coefficient, tuple[float, ...]]

    @property
    def rows(self) -> Iterator[dict[str, str | float | int]]:
        """One row per metric: names, correlation, bounds, letters, cluster, direction."""
        found = self.comparison
        coefficient = next(iter(self.values))
        for place, name in enumerate(found.names):
            yield {
                "human": self.human,
                "level": self.level,
                "metric": name,
                "coefficient": coefficient,
                "value": found.correlations[place].value,
                "lower": found.intervals[place].lower,
                "upper": found.intervals[place].upper,
                "letters": found.letters[place],
                "cluster": found.clusters[place],
                **{name: values[place] for name, values in self.values.items()},
                "over": found.intervals[place].over,
                "higher_is_better": found.higher_is_better[place],
                "negated": not found.higher_is_better[place],
            }

    def value(self, metric: str) -> float:
        """Return the first coefficient of a metric."""
        return self.comparison.correlations[self.comparison.names.index(metric)].value


@dataclass(frozen=True)
class Overview:
    """The result of `overview`.

    Attributes
    ----------
    scores : Scores
        Scores, with columns negated if lower is better.
    metrics, humans : tuple of str
        Columns of the scores; the baseline, if any, is the last metric.
    negated : tuple of str
        The columns in which lower is better.
    agreements : tuple of Agreement
        Ordered by dimension, then level.
    between : dict of Level to array [metric, metric]
        The first coefficient of each pair of metrics.
    notes : tuple of str
        Data left out and the reasons; no line is repeated.
    cautions : tuple of str
        Reasons to distrust the numbers: few systems, few topics, scores that are all equal.
    coefficients, levels, resamples, confidence, alpha, seed
        The given options.
    permuted, drawn : dict of Level to str
        What the tests permute, and what is resampled for the intervals.
    ceilings : dict of (str, Level) to Reliability
        For dimensions whose judges are known (`Scores.judgements`), how reliable their means are;
        `Reliability.ceiling` and `.disattenuated` give what follows for the metrics.
    """

    scores: Scores
    metrics: tuple[str, ...]
    humans: tuple[str, ...]
    negated: tuple[str, ...]
    agreements: tuple[Agreement, ...]
    between: dict[Level, Array]
    notes: tuple[str, ...]
    cautions: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    levels: tuple[Level, ...]
    permuted: dict[Level, Over]
    drawn: dict[Level, Over]
    resamples: int
    confidence: float
    alpha: float
    seed: int
    ceilings: dict[tuple[str, Level], Reliability] = field(default_factory=dict)


def overview(
    scores: Scores,
    metrics: Sequence[str],
    humans: Sequence[str],
    coefficients: Sequence[Coefficient] = ("pearson", "spearman", "kendall"),
    levels: Sequence[Level] = ("summary", "system"),
    *,
    over: Over | None = None,
    resamples: int | None = None,
    confidence: float = 0.95,
    alpha: float = 0.05,
    seed: int = 0,
    higher_is_better: HigherIsBetter | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Overview:
    """Compare metrics with people, and test them against each other by the first coefficient.

    A metric or dimension without any value is left out, with a note. A column `length` of the
    scores is added to the metrics as the baseline to beat.

    Parameters
    ----------
    scores : Scores
    metrics, humans : sequence of str
        Columns of it.
    coefficients : sequence of {"pearson", "spearman", "kendall"}
    levels : sequence of {"summary", "system", "global"}
    over, confidence, alpha, seed
        As for `compare`.
    resamples : int, optional
        Default 1,000, or more if needed so that the smallest p-value, 1/(resamples + 1), is at most
        alpha after Holm's correction for all pairs of metrics. With fewer no two metrics can
        differ, and a note says so.
    higher_is_better : bool, sequence of bool or mapping of str to bool, optional
        Directions of all metrics or of the named ones; default: as in the scores. Metrics are
        negated if lower is better.
    progress : callable, optional
        Called with the number of comparisons done and their total number.

    Raises
    ------
    ValueError
        No metric or no dimension has a value, or an option is unknown.
    KeyError
        The scores lack a column.

    Examples
    --------
    >>> human = np.arange(40.0).reshape(8, 5)
    >>> tables = {"m.x": human**2, "said": human, "length": human % 3}
    >>> scores = Scores([f"s{n}" for n in range(8)], [f"t{n}" for n in range(5)], tables)
    >>> found = overview(scores, ["m.x"], ["said"], ["kendall"], ["summary"], resamples=99)
    >>> found.metrics, found.agreements[0].value("m.x")
    (('m.x', 'length'), 1.0)
    """
    for level, coefficient in product(levels, coefficients):
        arrays.check_measure(coefficient, level)
    arrays.check_confidence(confidence)
    check_inner_share("alpha", alpha, 0.05)
    given = scores
    up = given.higher_is_better
    if higher_is_better is not None:
        named = list(given) if isinstance(higher_is_better, Mapping) else metrics
        by_name = dict(zip(named, directions(higher_is_better, named), strict=True))
        up = up | (dict(higher_is_better) if isinstance(higher_is_better, Mapping) else by_name)
    scores = given.directed(up).rising()
    negated = [one for one in dict.fromkeys([*metrics, *humans]) if not up.get(one, True)]
    asked = [*metrics, *([LENGTH] if LENGTH in scores and LENGTH not in metrics else [])]
    kept, notes = _valued(scores, asked, "metric")
    judged, more = _valued(scores, humans, "dimension")
    resamples, few = _enough(len(kept), alpha, resamples)
    warned = cautions({c: given[c] for c in kept}, {c: given[c] for c in judged}, levels)
    turned = [human for human in judged if human in negated]
    notes = [*scores.notes, *notes, *more, *few]
    notes += [f"{human}: lower is better, so the human scores were negated" for human in turned]
    notes += warned
    agreements: list[Agreement] = []
    higher = {name: name not in negated for name in kept}
    for human in judged:
        tables, people, missing = arrays.read_metrics({c: scores[c] for c in kept}, scores[human])
        tabled = dict(zip(kept, tables, strict=True))
        for level in levels:
            if progress is not None:
                progress(len(agreements), len(judged) * len(levels))
            design = Design(coefficients[0], level, over, resamples, check_seed(seed), confidence)
            found = ranked(tabled, people, higher, missing, design, alpha)
            values = {
                c: tuple(value_of(tabled[name], people, c, level) for name in found.names)
                for c in coefficients
            }
            agreements.append(Agreement(human, level, found, values))
            notes += _notes(scores, found, human, level)
    return Overview(
        scores=scores,
        metrics=tuple(kept),
        humans=tuple(judged),
        negated=tuple(negated),
        agreements=tuple(agreements),
        between={level: _between(scores, kept, coefficients[0], level) for level in levels},
        notes=tuple(dict.fromkeys(notes)),
        cautions=tuple(warned),
        coefficients=tuple(coefficients),
        levels=tuple(levels),
        permuted={level: swapped_over(over, level) for level in levels},
        drawn={level: arrays.over_of(over, level, len(scores.topics)) for level in levels},
        resamples=resamples,
        confidence=confidence,
        alpha=alpha,
        seed=seed,
        ceilings={
            (human, level): judge_reliability(said, level, confidence=confidence, seed=seed)
            for human, level in product(judged, levels)
            if (said := scores.judgements.get(human))
        },
    )


def levels_in_words(designs: Mapping[Any, str]) -> str:
    """Describe the design of each level in words.

    >>> levels_in_words({"summary": "topics", "system": "both", "global": "both"})
    'topics at the summary level, both at the system and global levels'
    >>> levels_in_words({"summary": "both", "system": "both"})
    'both'
    """
    levels: dict[str, list[str]] = {}
    for level, what in designs.items():
        levels.setdefault(what, []).append(level)
    if len(levels) == 1:
        return next(iter(levels))
    return ", ".join(
        f"{what} at the {' and '.join(names)} level{'s' * (len(names) > 1)}"
        for what, names in levels.items()
    )


def means(table: Array) -> Array:
    """Return the mean of each system over the topics where it has a value; NaN without any value.

    >>> means(np.array([[1.0, 2.0], [3.0, np.nan], [np.nan, np.nan]])).tolist()
    [1.5, 3.0, nan]
    """
    present = ~np.isnan(table)
    counts, sums = present.sum(axis=1), np.where(present, table, 0.0).sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _valued(scores: Scores, columns: Sequence[str], kind: str) -> tuple[list[str], list[str]]:
    """Return the columns that have at least one value, and notes on the others."""
    empty = {column: bool(np.isnan(scores[column]).all()) for column in columns}
    if all(empty.values()):
        raise ValueError(f"no {kind} has a value: {listed(list(columns))}")
    notes = [f"{column}: left out, no row has a value" for column in empty if empty[column]]
    return [column for column in empty if not empty[column]], notes


def _enough(metrics: int, alpha: float, asked: int | None) -> tuple[int, list[str]]:
    """Return the number of permutations, and a note if it is too small for any difference."""
    needed = ceil(metrics * (metrics - 1) / 2 / alpha)
    if asked is None:
        return max(1000, needed), []
    note = (
        f"no two metrics can differ significantly: {metrics} metrics need {needed}"
        f" permutations for Holm's correction, not {asked}"
    )
    return asked, [note] * (asked + 1 < needed)


def _notes(scores: Scores, found: Comparison, human: str, level: Level) -> list[str]:
    """Notes on the data left out by the correlations, with topics by name."""
    notes = [
        f"{human}: {count} cells left out for every metric because only"
        f" {human if name == 'human' else name} has no value there"
        for name, count in found.lacking.items()
    ]
    passed: dict[tuple[int, ...], list[str]] = {}
    for name, correlation in zip(found.names, found.correlations, strict=True):
        passed.setdefault(correlation.skipped, []).append(name)
    passed.pop((), None)
    for skipped, names in passed.items():
        whose = "every metric" if len(names) == len(found.names) else listed(names)
        notes.append(
            f"{human}, {level} level, {whose}: {len(skipped)} of {found.correlations[0].topics}"
            " topics skipped (constant, or fewer than two systems):"
            f" {listed([scores.topics[place] for place in skipped])}"
        )
    return notes


def _between(scores: Scores, names: Sequence[str], coefficient: Coefficient, level: Level) -> Array:
    def correlated(first: Array, second: Array) -> float:
        (x, y), _ = arrays.pair(first=first, second=second)
        return value_of(x, y, coefficient, level)

    return _of_pairs([scores[name] for name in names], correlated)


def _of_pairs(columns: Sequence[Array], value: Callable[[Array, Array], float]) -> Array:
    """Return a symmetric function of each two columns [column, column]."""
    table = np.full((len(columns), len(columns)), np.nan)
    for i, j in combinations_with_replacement(range(len(columns)), 2):
        table[i, j] = table[j, i] = value(columns[j], columns[i])
    return table


BINS = 32  # of a histogram, at most; fewer for few rows
SAMPLE = 100_000  # rows that correlate metrics, at most: the standard error is 0.003
PARTS = 10  # of the rows, by length, at most
PART = 8  # rows in each of them, at least
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FENCE = 3.0  # interquartile ranges: beyond it a score is "far out" (Tukey 1977)


@dataclass(frozen=True)
class Spread:
    """How the scores of a metric are distributed.

    Attributes
    ----------
    rows, missing : int
        Rows with a score, and without.
    edges : array [bin + 1]
    counts : array [system, bin]
    quantiles : array [system, quantile]
        At `QUANTILES`; NaN for a system without a score.
    low, high : float
    """

    rows: int
    missing: int
    edges: Array
    counts: NDArray[np.int64]
    quantiles: Array
    low: float
    high: float

    @property
    def constant(self) -> bool:
        """Whether all scores are equal."""
        return self.low == self.high


@dataclass(frozen=True)
class ByLength:
    """How the scores of a metric depend on the length of the candidates.

    Attributes
    ----------
    rho : float
        Spearman's correlation of score and length over all rows; above 0 if longer is better.
    lengths, means : arrays [part]
        Mean length and mean score of the shortest part of the rows, of the next, and so on.
    """

    rho: float
    lengths: Array
    means: Array


@dataclass(frozen=True)
class Odd:
    """A row that stands out.

    Attributes
    ----------
    row : int
        From 0.
    metric, other : str
        The metric that rates it high, and the one that rates it low; or the metric of an outlier,
        and ""
    degree : float
        Difference of the two ranks, as a share of the rows; or how many interquartile ranges the
        score is outside the middle half of its system.
    """

    row: int
    metric: str
    other: str
    degree: float


@dataclass(frozen=True)
class Survey:
    """The result of `survey`.

    Attributes
    ----------
    rows : int
    systems : tuple of str
    sizes : array [system]
        Rows of each.
    spreads : dict of str to Spread
    between : array [metric, metric]
        Spearman's correlation over rows, or over `SAMPLE` drawn ones; metrics in which lower is
        better are turned around.
    lengths : dict of str to ByLength
        Empty without lengths.
    words : array [system]
        Mean length of each system's candidates; NaN if unknown.
    apart : tuple of Odd
        The rows on which two metrics differ most in rank, the most first; each row once.
    outliers : tuple of Odd
        The rows far outside the middle half of their system, the farthest first; each row once.
    far_out : int
        How many scores there are in all beyond `FENCE`.
    """

    rows: int
    systems: tuple[str, ...]
    sizes: NDArray[np.int64]
    spreads: dict[str, Spread]
    between: Array
    lengths: dict[str, ByLength]
    words: Array
    apart: tuple[Odd, ...]
    outliers: tuple[Odd, ...]
    far_out: int


def survey(
    scores: Mapping[str, Array],
    systems: Sequence[str],
    places: NDArray[np.int64],
    higher_is_better: Mapping[str, bool],
    *,
    lengths: Array | None = None,
    most: int = 8,
) -> Survey:
    """Describe scores without the help of people.

    Parameters
    ----------
    scores : mapping of str to array [row]
        NaN for rows without a score.
    systems : sequence of str
    places : array [row] of int
        The system of each row, as a place in `systems`.
    higher_is_better : mapping of str to bool
    lengths : array [row], optional
        Lengths of the candidates in words; NaN where unknown.
    most : int
        Rows listed as apart, and as outliers.

    Examples
    --------
    >>> scores = {"a": np.array([0.1, 0.2, 0.3, 0.4]), "b": np.array([0.1, 0.9, 0.3, 0.4])}
    >>> found = survey(scores, ["s"], np.zeros(4, int), {"a": True, "b": True})
    >>> found.apart[0].row, found.apart[0].metric, round(found.apart[0].degree, 2)
    (1, 'b', 0.67)
    >>> found.between[0, 1].round(2).item()
    0.4
    """
    ranks = {
        name: _shares(values if higher_is_better[name] else -values)
        for name, values in scores.items()
    }
    sizes = np.bincount(places, minlength=len(systems))
    groups = np.split(np.argsort(places, kind="stable"), np.cumsum(sizes)[:-1])
    words, by_length = np.full(len(systems), np.nan), {}
    if lengths is not None and not np.isnan(lengths).all():
        own = [lengths[rows][~np.isnan(lengths[rows])] for rows in groups]
        words = np.array([some.mean() if len(some) else np.nan for some in own])
        by_length = {name: _by_length(ranks[name], scores[name], lengths) for name in scores}
    outliers, far_out = _outliers(scores, groups, most)
    return Survey(
        rows=len(places),
        systems=tuple(systems),
        sizes=sizes,
        spreads={name: _spread(values, groups) for name, values in scores.items()},
        between=_ranks_between(list(ranks.values())),
        lengths=by_length,
        words=words,
        apart=_apart(ranks, most),
        outliers=outliers,
        far_out=far_out,
    )


def _shares(values: Array) -> Array:
    """Mid ranks as shares of the rows with a value, from 0 to 1; NaN stays."""
    present = ~np.isnan(values)
    known = values[present]
    found = np.full(len(values), np.nan)
    if len(known):
        order, place, counts = np.unique(known, return_inverse=True, return_counts=True)
        middle = np.cumsum(counts) - (counts + 1) / 2
        found[present] = (middle / max(1, len(known) - 1))[place] if len(order) > 1 else 0.5
    return found


def _ranks_between(ranks: Sequence[Array]) -> Array:
    """Pearson's correlation of ranks: over the rows that two metrics share, or a sample of them."""
    if ranks and len(ranks[0]) > SAMPLE:
        drawn = np.random.default_rng(0).choice(len(ranks[0]), SAMPLE, replace=False)
        ranks = [_shares(values[np.sort(drawn)]) for values in ranks]
    return _of_pairs(ranks, _correlation)


def _correlation(first: Array, second: Array) -> float:
    both = ~(np.isnan(first) | np.isnan(second))
    if not both.all():
        # ranks among the rows that both have
        first, second = _shares(first[both]), _shares(second[both])
    if len(first) < 2:
        return nan
    x, y = first - first.mean(), second - second.mean()
    scale = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float(np.clip((x * y).sum() / scale, -1.0, 1.0)) if scale > 1e-12 else nan


def _spread(values: Array, groups: Sequence[NDArray[np.int64]]) -> Spread:
    known = values[~np.isnan(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (nan, nan)
    reach = (low, high) if high > low else (low - 0.5, low + 0.5) if len(known) else (0.0, 1.0)
    edges = np.linspace(*reach, _bins(len(known), len(groups)) + 1)
    parts = [values[rows][~np.isnan(values[rows])] for rows in groups]
    counts = np.array([np.histogram(own, edges)[0] for own in parts])
    nothing = np.full(len(QUANTILES), np.nan)
    quantiles = [np.quantile(own, QUANTILES) if len(own) else nothing for own in parts]
    missing = len(values) - len(known)
    return Spread(len(known), missing, edges, counts, np.array(quantiles), low, high)


def _bins(rows: int, systems: int) -> int:
    """Return the bins of a histogram of each system, by Rice's rule.

    >>> _bins(24, 4), _bins(100_000, 4)
    (5, 32)
    """
    return int(np.clip(round(2 * (rows / max(1, systems)) ** (1 / 3)), 5, BINS))


def _by_length(ranks: Array, values: Array, lengths: Array) -> ByLength:
    both = ~(np.isnan(values) | np.isnan(lengths))
    rho = _correlation(ranks, _shares(lengths))
    order = np.argsort(lengths[both], kind="stable")
    parts = np.array_split(order, int(np.clip(len(order) // PART, 1, PARTS)))
    means = [
        [float(x[both][part].mean()) for part in parts if len(part)] for x in (lengths, values)
    ]
    return ByLength(rho, *map(np.array, means))


def _apart(ranks: Mapping[str, Array], most: int) -> tuple[Odd, ...]:
    """Return the rows with the greatest difference between the highest and the lowest rank."""
    names = [name for name, values in ranks.items() if (values != 0.5).any()]
    if len(names) < 2 or not len(ranks[names[0]]):
        return ()
    size = len(ranks[names[0]])
    high, low = np.full(size, -np.inf), np.full(size, np.inf)
    top, bottom = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for place, name in enumerate(names):
        values = ranks[name]
        above, below = values > high, values < low  # False for NaN
        high[above], top[above] = values[above], place
        low[below], bottom[below] = values[below], place
    degree = np.where(high > low, high - low, 0.0)
    order = np.argsort(-degree, kind="stable")[:most]
    return tuple(
        Odd(int(row), names[top[row]], names[bottom[row]], float(degree[row]))
        for row in order
        if degree[row] > 0
    )


def _outliers(
    scores: Mapping[str, Array], groups: Sequence[NDArray[np.int64]], most: int
) -> tuple[tuple[Odd, ...], int]:
    """Return the rows beyond the outer fences of their system, and the number of such scores."""
    found: dict[int, Odd] = {}
    far = 0
    for (name, values), rows in product(scores.items(), groups):
        known = rows[~np.isnan(values[rows])]
        low, high = np.quantile(values[known], [0.25, 0.75]) if len(known) > 3 else (0.0, 0.0)
        if not high > low:
            continue  # too few, or half of the scores are equal
        degrees = np.maximum(low - values[known], values[known] - high) / (high - low)
        far += int((degrees > FENCE).sum())
        for at in np.argsort(-degrees, kind="stable")[:most]:
            row, degree = int(known[at]), float(degrees[at])
            if degree > FENCE and (row not in found or found[row].degree < degree):
                found[row] = Odd(row, name, "", degree)
    order = sorted(found.values(), key=lambda odd: (-odd.degree, odd.row))
    return tuple(order[:most]), far
