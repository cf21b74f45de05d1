"""Rank systems by the scores of their outputs, and test which of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import ceil, isnan
from typing import Any

import numpy as np

from summeval._options import check_choice, check_inner_share, unknown
from summeval.meta.ranking.differences import Differences, Pairs, tested
from summeval.meta.ranking.outputs import SAMPLES, Samples, read_outputs
from summeval.meta.ranking.power import rows_needed
from summeval.meta.ranking.result import MetricRanking, Ranking
from summeval.meta.significance.comparison import Correction
from summeval.meta.significance.draws import check_seed
from summeval.meta.significance.multiple import bonferroni, clusters, holm, letters
from summeval.meta.tables.arrays import Table, check_confidence, check_resamples
from summeval.meta.tables.directions import HigherIsBetter, directions, negated

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
    read = read_outputs(table, systems, topics, metrics, samples, seed)
    names = list(read.tables)
    if higher_is_better is None and hasattr(table, "higher_is_better"):
        higher_is_better = {name: table.higher_is_better[name] for name in names}
    rising = directions(higher_is_better, names)
    if baseline is not None and baseline not in read.systems:
        raise ValueError(f"baseline: {unknown('system', baseline, read.systems)}")
    pairs = _pairs(read.systems, baseline)
    found = tested(read.tables, pairs, resamples, confidence, seed)
    notes = [*read.notes, *_notes(found, read.systems, pairs, alpha, correction, resamples)]
    rankings = {
        name: _ranked(name, up, read.systems, found[name], baseline, correction, alpha)
        for name, up in zip(names, rising, strict=True)
    }
    settings = {
        "baseline": baseline,
        "alpha": alpha,
        "confidence": confidence,
        "correction": correction,
        "resamples": resamples,
        "seed": seed,
    }
    return Ranking(rankings, read.systems, notes, settings)


def _pairs(systems: Sequence[str], baseline: str | None) -> Pairs:
    if baseline is None:
        return list(combinations(range(len(systems)), 2))
    own = systems.index(baseline)
    return [(other, own) for other in range(len(systems)) if other != own]


def _ranked(  # noqa: PLR0917 - all that makes a ranking
    metric: str,
    rising: bool,
    systems: tuple[str, ...],
    found: Differences,
    baseline: str | None,
    correction: Correction,
    alpha: float,
) -> MetricRanking:
    """The ranking that follows from the tests of a metric."""
    tests = np.tril(np.ones_like(found.pvalues), -1) > 0  # each pair once
    tests = np.where(tests, found.pvalues, np.nan)
    corrected: Table = {"holm": holm, "bonferroni": bonferroni}.get(correction, np.copy)(tests)
    corrected = np.where(np.isnan(corrected), corrected.T, corrected)
    different = corrected <= alpha
    best = found.means if not rising else negated(found.means)
    order = np.array(
        sorted(range(len(systems)), key=lambda s: (isnan(best[s]), best[s], systems[s]))
    )
    ordered = different[np.ix_(order, order)]
    wins = found.wins if rising else found.wins.T
    effects = found.effects if rising else negated(found.effects)
    ties = found.shared - wins - wins.T
    counted = found.shared > 0
    superiority = np.full(wins.shape, np.nan)
    superiority[counted] = ((wins + ties / 2)[counted]) / found.shared[counted]
    groups = np.empty(len(systems), dtype=np.int64)
    if baseline is None:
        groups[order] = clusters(ordered)
    else:
        own = systems.index(baseline)
        kinds = np.where(different[:, own], -np.sign(effects[:, own]), 0.0)
        groups = np.unique(kinds, return_inverse=True)[1] + 1
    marks: list[str] = []
    if baseline is None:
        found_letters = letters(ordered)
        marks = [found_letters[place] for place in np.argsort(order)]
    return MetricRanking(
        metric=metric,
        higher_is_better=rising,
        systems=systems,
        order=order,
        means=found.means,
        intervals=found.intervals,
        rows=found.rows,
        clusters=groups,
        letters=tuple(marks),
        differences=found.differences,
        bounds=found.bounds,
        pvalues=found.pvalues,
        corrected=corrected,
        bootstrap=found.bootstrap,
        different=different,
        effects=effects,
        superiority=superiority,
        wins=wins,
        shared=found.shared,
        needed=_needed(effects, alpha),
        exact=found.exact,
    )


def _needed(effects: Table, alpha: float) -> Table:
    found: Table = np.full(effects.shape, np.nan)
    for place, effect in np.ndenumerate(effects):
        found[place] = rows_needed(abs(effect), alpha)
    return found


def _notes(  # noqa: PLR0917 - all that is told
    found: Mapping[str, Differences],
    systems: Sequence[str],
    pairs: Pairs,
    alpha: float,
    correction: Correction,
    resamples: int,
) -> list[str]:
    """Notes on tests that could not be made, or only in another way."""
    if len(systems) == 1:
        return [f"one system ({systems[0]}): intervals only, with no other to compare it with"]
    notes = []
    for metric, one in found.items():
        apart = [(i, j) for i, j in pairs if not one.shared[i, j]]
        if apart:
            i, j = apart[0]
            more = f" and {len(apart) - 1} more pairs" * (len(apart) > 1)
            notes.append(f"{metric}: {systems[i]} and {systems[j]}{more} share no row; not tested")
        few = [systems[place] for place in np.flatnonzero(one.rows == 1).tolist()]
        if few:
            notes.append(f"{metric}: one row of {', '.join(few[:5])}; no interval")
    exact = [sum(one.exact[i, j] for i, j in pairs) for one in found.values()]
    if sum(exact):
        notes.append(
            f"{sum(exact)} of {len(pairs) * len(found)} p-values are exact, from all swaps of rows"
        )
    least = needed_resamples(len(pairs) if correction != "none" else 1, alpha)
    if resamples < least and sum(exact) < len(pairs) * len(found):
        notes.append(
            f"{len(pairs)} pairs need at least {least:,} resamples for a corrected p-value of"
            f" {alpha:g}, not {resamples:,}"
        )
    return notes


def needed_resamples(pairs: int, alpha: float) -> int:
    """The number of resamples with which the smallest p-value passes the correction.

    >>> needed_resamples(190, 0.05)
    3799
    """
    return ceil(pairs / alpha) - 1


def usual_resamples(rows: int, tests: int, alpha: float) -> int:
    """How many resamples commands take: fewer for many rows, more if the tests need them.

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
