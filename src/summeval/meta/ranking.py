"""Rank systems by the scores of their outputs, and test which of them differ."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import ceil, inf, isnan, nan, sqrt
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice, check_inner_share, shown, unknown
from summeval.meta.arrays import check_confidence, check_resamples
from summeval.meta.comparison import Correction, clusters, corrected_by, letters
from summeval.meta.differences import (
    Differences,
    MetricRanking,
    Pairs,
    Ranking,
    Sums,
    arranged,
    check,
    retested,
    tested,
)
from summeval.meta.resampling import check_seed
from summeval.table.cells import Array
from summeval.table.scores import (
    HigherIsBetter,
    balance,
    directions,
    listed,
    missing_note,
    negated,
    numbered,
)

_MOST_EXACT = 1e6  # beyond it the formula is right to the row


@lru_cache(4096)
def rows_needed(effect: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the number of rows with which a paired t-test finds an effect.

    The smallest number with which the two-sided test at the level `alpha` is significant with this
    probability, by the noncentral t distribution (Cohen 1988, "Statistical Power Analysis for the
    Behavioral Sciences", chapter 2). The randomisation test has nearly the same power where the
    differences are not far from normal or the rows many.

    Parameters
    ----------
    effect : float
        The mean of the differences divided by their standard deviation; its sign does not matter.
    alpha, power : float
        Between 0 and 1.

    Returns
    -------
    float
        A whole number of at least 2; infinite for no effect, NaN for NaN.

    Examples
    --------
    >>> [rows_needed(effect) for effect in (0.2, 0.5, -0.8, 0.0)]
    [199.0, 34.0, 15.0, inf]
    """
    from scipy.special import ndtri

    effect = abs(effect)
    if isnan(effect) or effect == 0.0:
        return effect or inf
    level, reach = float(ndtri(1.0 - alpha / 2.0)), float(ndtri(power))
    # Guenther 1981, "Sample Size Formulas for Normal Theory T Tests": right within a row or two.
    guess = ((level + reach) / effect) ** 2 + level**2 / 2.0
    if guess > _MOST_EXACT:
        return float(ceil(guess)) if guess < inf else inf
    rows = max(2, ceil(guess))
    while rows > 2 and _power(rows - 1, effect, alpha) >= power:
        rows -= 1
    while _power(rows, effect, alpha) < power:
        rows += 1
    return float(rows)


def _power(rows: int, effect: float, alpha: float) -> float:
    """Return the probability that the two-sided paired t-test of so many rows is significant."""
    from scipy.special import chdtr, nctdtr, stdtrit

    least = float(stdtrit(rows - 1, 1.0 - alpha / 2.0))
    shift = effect * sqrt(rows)
    if shift > 35.0:  # SciPy has NaN there; only the estimated deviation can still hide the effect
        return float(chdtr(rows - 1, (rows - 1) * (shift / least) ** 2))
    other = float(nctdtr(rows - 1, shift, -least))  # SciPy has NaN for some that are near 0
    return float(1.0 - nctdtr(rows - 1, shift, least)) + (0.0 if isnan(other) else other)


Samples: TypeAlias = Literal["mean", "first", "draw"]
SAMPLES: tuple[Samples, ...] = ("mean", "first", "draw")
NAMES = {"id", "system", "topic"}  # columns that are metrics only if they are asked for
MOST_SYSTEMS = 2000
_MOST_CELLS = 1 << 28
_PIECE = 1 << 15  # names that are sorted at a time
_USED = {"mean": "their mean is used", "first": "the first is used", "draw": "one is drawn"}


class Outputs(NamedTuple):
    """The scores of each system on each topic.

    Attributes
    ----------
    systems : tuple of str
        In order of first appearance.
    topics : int
        The number of topics, in the order of their names.
    tables : dict of str to array [system, topic]
        For each metric; NaN where a system has no value.
    notes : list of str
        What is missing, and what became of several outputs for one topic.
    """

    systems: tuple[str, ...]
    topics: int
    tables: dict[str, Array]
    notes: list[str]


def read_outputs(  # noqa: PLR0917 - the arguments of `rank`
    table: Any,
    systems: Any,
    topics: Any,
    metrics: Sequence[str] | None,
    samples: Samples,
    seed: int,
    more: Mapping[str, Sums] = MappingProxyType({}),
) -> Outputs:
    """Arrange the columns of a table by system and topic; see `rank` for the arguments.

    Topics are in the order of their names, so that no draw depends on the order of the rows. The
    tables of the statistics of `more` metrics stand behind those of their columns.

    >>> table = {"x": [1.0, 2.0, 4.0]}
    >>> read_outputs(table, ["a", "b", "b"], ["t", "t", "u"], None, "mean", 0).tables["x"].tolist()
    [[1.0, nan], [2.0, 4.0]]
    """
    names = _names("systems", "system", systems)
    columns = _columns(table, metrics, len(names))
    check(more, columns, len(names))
    known, of_system = numbered(names)
    if len(known) > MOST_SYSTEMS:
        raise ValueError(
            f"{len(known):,} systems ({listed(known)}); pass names of at most"
            f" {MOST_SYSTEMS:,} systems, one for each row"
        )
    if topics is None:
        of_topic = _by_place(of_system, known)
        titles = [str(place) for place in range(int(of_topic.max()) + 1)]
    else:
        given = _names("topics", "topic", topics)
        if len(given) != len(names):
            raise ValueError(f"{len(given):,} topics and {len(names):,} systems; pass one a row")
        titles, of_topic = numbered(given, _sorted(set(given)))
    size = len(titles)
    if len(known) * size > _MOST_CELLS:
        raise ValueError(
            f"{len(known):,} systems and {size:,} topics are more than {_MOST_CELLS:,} cells;"
            " rank fewer systems at a time"
        )
    cells = of_system * size + of_topic
    order = np.argsort(cells, kind="stable")  # the rows by cell, and where each filled one begins
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    counts, filled = np.diff(starts, append=len(order)), cells[order][starts]
    notes = [note for name, values in columns.items() for note in missing_note(name, values, ",")]
    notes += balance(known, titles, filled)
    several = np.flatnonzero(counts > 1)
    if len(several):
        notes.append(
            f"{len(several):,} of {len(starts):,} pairs of a system and a topic have several rows"
            f" (up to {counts.max():,}); {_USED[samples]}"
        )
    if samples == "draw":
        for place in several:
            topic = titles[filled[place] % size]
            ranks = [rank_of_sample(seed, topic, number) for number in range(counts[place])]
            starts[place] += ranks.index(min(ranks))
    tables = {}
    for name, values in (columns | arranged(more)).items():
        flat = np.full(len(known) * size, np.nan)
        if samples == "mean" and len(several):
            places, means = _averaged(cells, values)
            flat[places] = means
        else:
            flat[filled] = values[order[starts]]
        tables[name] = flat.reshape(len(known), size)
    return Outputs(tuple(known), size, tables, notes)


def rank_of_sample(seed: int, topic: str, number: int) -> bytes:
    """Return the rank of a system's output for a topic among them, of which the lowest is drawn.

    It depends on nothing else: neither on other rows, nor on the system, so that of paired outputs
    (the same seed of two systems) both are drawn.

    >>> min(range(5), key=lambda number: rank_of_sample(0, "t", number))
    1
    """
    text = repr((seed, topic, number)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()


def _sorted(names: Iterable[str]) -> list[str]:
    """Return the names in order; in pieces, between which Ctrl-C is seen."""
    pieces = list(names)
    for start in range(0, len(pieces), _PIECE):
        pieces[start : start + _PIECE] = sorted(pieces[start : start + _PIECE])
    pieces.sort()  # which merges them
    return pieces


def _names(what: str, kind: str, given: Any) -> list[str]:
    """Return the names in a column, one a row."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{what} is {shown(given)}; give a sequence of names, one for each row")
    if hasattr(given, "to_pylist"):  # Arrow's values are no strings
        given = given.to_pylist()
    given = list(given)
    if set(map(type, given)) == {str} and "" not in given:
        return cast("list[str]", given)
    found = []
    for place, name in enumerate(given):
        text = str(name)
        if text in {"", "<NA>"} or name is None or (isinstance(name, float) and isnan(name)):
            raise ValueError(f"{what}[{place}] is {name!r}; name the {kind} of each row")
        found.append(text)
    if not found:
        raise ValueError("no rows; give one or more")
    return found


def _columns(table: Any, metrics: Sequence[str] | None, rows: int) -> dict[str, Array]:
    """Return the columns of the metrics; by default all that hold numbers and name nothing."""
    if not hasattr(table, "__getitem__") or isinstance(table, (str, bytes, list, tuple)):
        raise TypeError(f"table is {type(table).__name__}; give a dict of columns, or a table")
    present = getattr(table, "column_names", None)
    if present is None:
        present = table if isinstance(table, Mapping) else getattr(table, "columns", table)
    there = {str(name): name for name in present}
    usual = [name for name in there if name not in NAMES]
    asked = [metrics] if isinstance(metrics, str) else usual if metrics is None else metrics
    found = {}
    for name in dict.fromkeys(asked):
        if name not in there:
            raise ValueError(f"metrics: {unknown('column', name, there)}")
        values = table[there[name]]
        if len(values) != rows:
            raise ValueError(f"{name} has {len(values):,} rows, but systems has {rows:,}")
        if (numbers := _numbers(name, values, metrics is None)) is not None:
            found[name] = numbers
    if not found:
        raise ValueError("no column holds numbers; give one or more metrics")
    return found


def _numbers(name: str, values: Any, may_be_text: bool) -> Array | None:
    """Return the numbers of a column; None for a column of texts that nobody named."""
    if hasattr(values, "to_pylist"):
        values = values.to_pylist()
    given = np.asarray(values)
    if given.dtype.kind in "fiub":
        numbers = given.astype(np.float64)
    else:
        listed_values = list(values)
        kinds = int, float, np.number, np.bool_
        if may_be_text and not any(isinstance(value, kinds) for value in listed_values):
            return None
        numbers = np.array([_number(name, *cell) for cell in enumerate(listed_values)])
    if numbers.ndim != 1:
        raise ValueError(f"{name} has the shape {numbers.shape}; give a number for each row")
    if len(infinite := np.flatnonzero(np.isinf(numbers))):
        raise ValueError(
            f"{name}[{infinite[0]}] is infinite ({len(infinite)} such rows); give a number, or NaN"
        )
    return numbers


def _number(column: str, place: int, value: Any) -> float:
    """The number in a cell; NaN for None and for what data frames have for a missing value."""
    if value is None or str(value) in {"nan", "<NA>", "NaT"}:
        return nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{column}[{place}] is {shown(value)}; give a number") from None


def _by_place(of_system: NDArray[np.int64], names: Sequence[str]) -> NDArray[np.int64]:
    """The topic of each row where rows are paired by their place among those of their system."""
    sizes = np.bincount(of_system)
    if sizes.min() < sizes.max():
        few, many = int(sizes.argmin()), int(sizes.argmax())
        raise ValueError(
            f"{names[few]} has {sizes[few]:,} rows and {names[many]} {sizes[many]:,};"
            " pass topics, by which rows are paired"
        )
    places = np.empty(len(of_system), dtype=np.int64)
    order = np.argsort(of_system, kind="stable")
    places[order] = np.arange(len(order)) % sizes[0]
    return places


def _averaged(cells: NDArray[np.int64], values: Array) -> tuple[NDArray[np.int64], Array]:
    """Return the cells with values, and the mean of each; the order of rows changes no digit."""
    present = np.flatnonzero(~np.isnan(values))
    order = present[np.lexsort((values[present], cells[present]))]
    places = cells[order]
    starts = np.flatnonzero(np.diff(places, prepend=-1))
    if not len(starts):
        return places, values[:0]
    counts = np.diff(starts, append=len(order))
    return places[starts], np.add.reduceat(values[order], starts) / counts


USUAL_DRAWS, LEAST_DRAWS = 10_000, 1000
MOST_DRAWN = 10**8  # rows in all draws of a system: some tenths of a second for each metric
CORRECTIONS: tuple[Correction, ...] = ("holm", "bonferroni", "none")


def rank(  # noqa: PLR0917 - fixed by callers
    table: Any,
    systems: Any,
    topics: Any = None,
    baseline: str | None = None,
    resamples: int = 1000,
    seed: int | None = 0,
    *,
    metrics: Sequence[str] | None = None,
    higher_is_better: HigherIsBetter | None = None,
    samples: Samples = "mean",
    correction: Correction = "holm",
    alpha: float = 0.05,
    confidence: float = 0.95,
    sums: Mapping[str, Sums] | None = None,
) -> Ranking:
    """Rank systems by the means of their scores, and test which of them differ.

    Two systems are compared on the topics that both have, so that the difficulty of a topic does
    not count. Approximate randomisation decides (Riezler and Maxwell 2005, "On Some Pitfalls in
    Automatic Evaluation and Significance Testing for MT"; Dror et al. 2018, "The Hitchhiker's Guide
    to Testing Statistical Significance in NLP"): each draw swaps the two systems on random topics,
    and p is the share ``(count + 1) / (resamples + 1)`` of draws with a difference at least as
    large as that of the data. If so many draws suffice for all swaps of the topics on which the two
    differ, these are enumerated instead, and p is exact. The paired bootstrap (Koehn 2004,
    "Statistical Significance Tests for Machine Translation Evaluation") draws topics with
    replacement: its p is the share of draws whose difference is at least as far from that of the
    data as that is from 0. Intervals are those of Student's t: percentiles of draws
    are too narrow with few topics.

    Sums are exact (scores are rounded to whole numbers of a unit of about 1e-16 times the number of
    topics, relative to the range of the scores), and sums that rounding can part count as equal. So
    no result depends on threads, or on the order of rows that have topics.

    Parameters
    ----------
    table : mapping of str to array
        A column of scores for each metric, with a value for each row: a `ScoreTable`, a dict, a
        data frame or an Arrow table. NaN is a missing value.
    systems : sequence of str
        The system of each row.
    topics : sequence of str, optional
        The topic (or id) of each row. Without it, the first rows of all systems belong together,
        the second ones, and so on.
    baseline : str, optional
        The system with which every other is compared; otherwise each pair is, which takes more
        tests and so a larger correction.
    resamples : int
    seed : int or None
        None chooses a random one, which the result reports.
    metrics : sequence of str, optional
        The columns to use; by default all that hold numbers, except `id`, `system` and `topic`.
    higher_is_better : bool, sequence of bool or mapping of str to bool, optional
        As for `compare`; a `ScoreTable` knows its directions.
    samples : {"mean", "first", "draw"}
        What stands for several outputs of a system for one topic: their mean, the first of them, or
        a random one.
    correction : {"holm", "bonferroni", "none"}
        Of the p-values of the pairs, for each metric by itself.
    alpha : float
        The level of the tests, after correction.
    confidence : float
        Of the intervals.
    sums : mapping of str to Sums, optional
        For columns whose score of a corpus is made of sums over rows, such as `bleu.value`, a tuple
        of the metric, the field, and the statistics [row, statistic] as `Metric.statistics` gives
        them. Their numbers are then scores of the corpus, with intervals from draws.

    Returns
    -------
    Ranking

    Raises
    ------
    TypeError
        No table, or no sequence of names.
    ValueError
        Columns of unequal length, a row without a name, an infinite number, systems with unequal
        numbers of rows without topics, an unknown baseline, or unknown options.

    Examples
    --------
    >>> draw = np.random.default_rng(0)
    >>> topics = draw.random(40)
    >>> table = {"rouge1.recall": np.concatenate([topics + 0.3, topics + draw.random(40) / 9])}
    >>> found = rank(table, ["new"] * 40 + ["old"] * 40)
    >>> found.systems, found.clusters["rouge1.recall"].tolist()
    (('new', 'old'), [1, 2])
    >>> bool(found.pvalues["rouge1.recall"][0, 1] == 1 / 1001)
    True
    """
    check_resamples(resamples)
    seed = check_seed(seed)
    check_choice("samples", samples, SAMPLES)
    check_choice("correction", correction, CORRECTIONS)
    check_inner_share("alpha", alpha, 0.05)
    check_confidence(confidence)
    given = {name: Sums(one[0], one[1], np.asarray(one[2])) for name, one in (sums or {}).items()}
    read = read_outputs(table, systems, topics, metrics, samples, seed, given)
    tables = read.tables
    summed = {
        name: one._replace(
            statistics=np.stack([tables.pop(key) for key in arranged({name: one})], axis=2)
        )
        for name, one in given.items()
    }
    names = list(tables)
    if higher_is_better is None and hasattr(table, "higher_is_better"):
        higher_is_better = {name: table.higher_is_better[name] for name in names}
    higher = directions(higher_is_better, names)
    if baseline is not None and baseline not in read.systems:
        raise ValueError(f"baseline: {unknown('system', baseline, read.systems)}")
    pairs = list(combinations(range(len(read.systems)), 2))
    if baseline is not None:
        own = read.systems.index(baseline)
        pairs = [(other, own) for other in range(len(read.systems)) if other != own]
    found = tested(tables, pairs, resamples, confidence, seed)
    for name, one in summed.items():
        retested(found[name], one, pairs, resamples, confidence, seed)
    rankings = {}
    for name, up in zip(names, higher, strict=True):
        named: dict[str, Any] = {"metric": name, "higher_is_better": up, "corpus": name in given}
        named["systems"] = read.systems
        rankings[name] = _ranked(found[name], baseline, correction, alpha, **named)
    how = baseline, resamples, seed, correction, alpha, confidence
    ranking = Ranking(rankings, read.systems, read.notes, *how)
    ranking.notes.extend(_notes(ranking, pairs))
    return ranking


def _ranked(
    found: Differences, baseline: str | None, correction: Correction, alpha: float, **named: Any
) -> MetricRanking:
    """Return the ranking that follows from the tests of a metric, which is `named`."""
    systems, higher = named["systems"], named["higher_is_better"]
    tests = np.tril(np.ones_like(found.pvalues), -1) > 0  # each pair once
    pvalues = np.where(tests, found.pvalues, np.nan)
    corrected, different = corrected_by(correction, pvalues, alpha)
    best = negated(found.means) if higher else found.means
    places = sorted(range(len(systems)), key=lambda s: (isnan(best[s]), best[s], systems[s]))
    order = np.array(places)
    ordered = different[np.ix_(order, order)]
    wins = found.wins if higher else found.wins.T
    effects = found.effects if higher else negated(found.effects)
    ties = found.shared - wins - wins.T
    superiority = np.full(wins.shape, np.nan)
    np.divide(wins + ties / 2, found.shared, out=superiority, where=found.shared > 0)
    marks: tuple[str, ...] = ()
    groups = np.empty(len(systems), dtype=np.int64)
    if baseline is None:
        groups[order] = clusters(ordered)
        shown = letters(ordered)
        marks = tuple(shown[place] for place in np.argsort(order))
    else:
        own = systems.index(baseline)
        better = found.differences[:, own] if higher else negated(found.differences[:, own])
        kinds = np.where(different[:, own], -np.sign(better), 0.0)
        groups = np.unique(kinds, return_inverse=True)[1] + 1
    needed = np.array([[rows_needed(abs(effect), alpha) for effect in row] for row in effects])
    return MetricRanking(
        **vars(found) | {"wins": wins, "effects": effects} | named,
        order=order,
        clusters=groups,
        letters=marks,
        corrected=corrected,
        different=different,
        superiority=superiority,
        needed=needed,
    )


def _notes(found: Ranking, pairs: Pairs) -> list[str]:
    """Notes on tests that could not be made, or only in another way."""
    systems, resamples = found.systems, found.resamples
    if len(systems) == 1:
        return [f"one system ({systems[0]}): intervals only, with no other to compare it with"]
    notes = []
    for metric, one in found.items():
        if apart := [(i, j) for i, j in pairs if not one.shared[i, j]]:
            i, j = apart[0]
            more = f" and {len(apart) - 1} more pairs" * (len(apart) > 1)
            notes.append(f"{metric}: {systems[i]} and {systems[j]}{more} share no row; not tested")
        if few := [systems[place] for place in np.flatnonzero(one.rows == 1).tolist()]:
            notes.append(f"{metric}: one row of {', '.join(few[:5])}; no interval")
    exact = [sum(one.exact[i, j] for i, j in pairs) for one in found.values()]
    if sum(exact):
        notes.append(
            f"{sum(exact)} of {len(pairs) * len(found)} p-values are exact, from all swaps of rows"
        )
    least = needed_resamples(len(pairs) if found.correction != "none" else 1, found.alpha)
    if resamples < least and sum(exact) < len(pairs) * len(found):
        notes.append(
            f"{len(pairs)} pairs need at least {least:,} resamples for a corrected p-value of"
            f" {found.alpha:g}, not {resamples:,}"
        )
    return notes


def needed_resamples(pairs: int, alpha: float) -> int:
    """Return the number of resamples with which the smallest p-value passes the correction.

    >>> needed_resamples(190, 0.05)
    3799
    """
    return ceil(pairs / alpha) - 1


def usual_resamples(rows: int, tests: int, alpha: float) -> int:
    """Return how many resamples commands take: fewer for many rows, more if the tests need them.

    Parameters
    ----------
    rows : int
        Rows of a system.
    tests : int
        Tests that the correction counts.
    alpha : float

    Examples
    --------
    >>> usual_resamples(100, 1, 0.05), usual_resamples(10**6, 1, 0.05)
    (10000, 1000)
    """
    drawn = min(USUAL_DRAWS, max(LEAST_DRAWS, MOST_DRAWN // max(rows, 1)))
    return max(drawn, needed_resamples(tests, alpha))
