"""All about the agreement of judges in one dimension."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np

from summeval._options import check_choice, check_whole
from summeval.meta.judges.alpha import RATING_LEVELS, RatingLevel
from summeval.meta.judges.alpha_draws import AlphaDraws
from summeval.meta.judges.halves import halves_by_level
from summeval.meta.judges.intraclass import KINDS, IntraclassDraws
from summeval.meta.judges.judgements import Judgements
from summeval.meta.judges.pairs import JudgePairs, judge_pairs
from summeval.meta.judges.reliability import Reliability, judge_reliability
from summeval.meta.significance.draws import check_seed, multiplicities
from summeval.meta.tables.arrays import LEVELS, Level, Table, check_confidence

FEWEST_ALIKE = 20  # summaries on which two judges must say the same to be noted
_SPLITS, _JUDGEMENTS = 100, 10**7  # of split halves


class Estimate(NamedTuple):
    """A value with bootstrap percentiles over topics, which are NaN without draws."""

    value: float
    lower: float = nan
    upper: float = nan


class JudgeRow(NamedTuple):
    """One judge beside the others.

    Attributes
    ----------
    judge : str
    judgements : int
    shared : int
        Summaries that others judged too.
    difference : float
        Mean difference from the mean of the others; NaN for texts, or if nothing is shared.
    correlation : float
        Pearson's with the mean of the others.
    same : float
        Share of equal judgements, over the pairs with other judges.
    alpha_without : float
        Alpha of the other judges; NaN with fewer than three, or where it is too much to count.
    """

    judge: str
    judgements: int
    shared: int
    difference: float
    correlation: float
    same: float
    alpha_without: float


@dataclass(frozen=True)
class JudgeAgreement:
    """The result of `judge_agreement`.

    Attributes
    ----------
    level : str
        Of measurement.
    judgements, judges, summaries, systems, topics : int
        Their numbers; judges 0 if they are not known by name.
    alone : int
        Summaries with a single judgement.
    alpha : Estimate
        Krippendorff's.
    intraclass : dict of str to Estimate
        By kind, see `intraclass_correlations`; empty for texts.
    pairs : JudgePairs
    reliabilities : dict of Level to Reliability
        Empty for texts.
    halves : dict of Level to float
        Reliability by split halves.
    rows : tuple of JudgeRow
        By name; empty if the judges are not known.
    apart : str
        The judge who stands apart: without this one alpha rises most, and the bootstrap interval of
        the rise, corrected for the number of judges, is above 0. Empty if there is none.
    confidence : float
    resamples, seed : int
    notes : tuple of str
        What cannot be told, and why.
    """

    level: RatingLevel
    judgements: int
    judges: int
    summaries: int
    systems: int
    topics: int
    alone: int
    alpha: Estimate
    intraclass: dict[str, Estimate]
    pairs: JudgePairs
    reliabilities: dict[Level, Reliability]
    halves: dict[Level, float]
    rows: tuple[JudgeRow, ...]
    apart: str
    confidence: float
    resamples: int
    seed: int
    notes: tuple[str, ...]


def judge_agreement(
    judgements: Judgements,
    level: RatingLevel | None = None,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> JudgeAgreement:
    """Return how far judges agree, and how reliable their means are.

    Parameters
    ----------
    judgements : Judgements
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        What counts as a disagreement in alpha, see `krippendorff_alpha`. Default: "interval", as
        means of judgements assume it; "nominal" for texts, the only one that they allow.
    resamples : int
        Draws of topics for intervals; 0 for none.
    confidence : float
        A share between 0 and 1.
    seed : int

    Raises
    ------
    ValueError
        An option is invalid, or the level needs numbers and these are texts.

    Examples
    --------
    >>> ratings = [[[1, 2], [3, 3], [4, 5]], [[1, 2], [3, 4], [4, 5]], [[4, 1], [2, 5], [3, 1]]]
    >>> judgements = Judgements.from_table(ratings, judges=["Ann", "Ben", "Carla"])
    >>> found = judge_agreement(judgements, resamples=0)
    >>> round(found.alpha.value, 3), round(found.pairs.mean("correlation"), 3)
    (0.162, 0.159)
    >>> [(row.judge, round(row.alpha_without, 2)) for row in found.rows]
    [('Ann', -0.07), ('Ben', -0.24), ('Carla', 0.96)]
    """
    if level is None:
        level = "nominal" if judgements.labels else "interval"
    check_choice("level", level, RATING_LEVELS)
    check_confidence(confidence)
    check_whole("resamples", resamples, 0)
    seed = check_seed(seed)
    if judgements.labels and level != "nominal":
        texts = ", ".join(map(repr, judgements.labels[:3]))
        raise ValueError(f"the judgements are texts such as {texts}; use the level 'nominal'")
    drawing = _Drawing(len(judgements.topics), resamples, confidence, seed)
    alpha = AlphaDraws(judgements, level)
    (found,) = drawing.estimates(lambda drawn: alpha.values(drawn)[:, None])
    pairs = judge_pairs(judgements, level)
    rows = tuple(_rows(judgements, alpha.without_judges(), pairs))
    means = _Means({}, {}, {}, []) if judgements.labels else _of_means(judgements, drawing)
    return JudgeAgreement(
        level=level,
        judgements=len(judgements),
        judges=len(judgements.judges),
        summaries=len(judgements.sizes),
        systems=len(judgements.systems),
        topics=len(judgements.topics),
        alone=int((judgements.sizes == 1).sum()),
        alpha=found,
        intraclass=means.intraclass,
        pairs=pairs,
        reliabilities=means.reliabilities,
        halves=means.halves,
        rows=rows,
        apart=_apart(judgements, alpha, rows, found.value, drawing),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        notes=(*judgements.notes, *means.notes, *_notes(judgements, pairs, found)),
    )


class _Drawing(NamedTuple):
    """How topics are drawn."""

    topics: int
    resamples: int
    confidence: float
    seed: int

    def draws(self, function: Any) -> Table:
        """The values of a function of draws [draw, topic] for all draws [draw, value]."""
        shape = (1, self.topics)
        blocks = multiplicities(shape, "topics", self.resamples, self.seed)
        return np.concatenate([function(drawn) for _, drawn in blocks])

    def estimates(self, function: Any) -> Iterator[Estimate]:
        """The values of all topics with percentiles; draws without a value do not count."""
        values = function(np.ones((1, self.topics)))[0].tolist()
        drawn = None
        if self.resamples and self.topics > 1:
            drawn = self.draws(function)
        for place, value in enumerate(values):
            there = np.zeros(0) if drawn is None else drawn[:, place]
            yield Estimate(value, *_percentiles(there, self.confidence, value))


def _percentiles(drawn: Table, confidence: float, value: float) -> tuple[float, float]:
    drawn = drawn[~np.isnan(drawn)]
    if isnan(value) or not len(drawn):
        return nan, nan
    tail = (1.0 - confidence) / 2.0
    lower, upper = np.quantile(drawn, [tail, 1.0 - tail]).tolist()
    return lower, upper


class _Means(NamedTuple):
    """What is said of the means of numbers."""

    intraclass: dict[str, Estimate]
    reliabilities: dict[Level, Reliability]
    halves: dict[Level, float]
    notes: list[str]


def _of_means(judgements: Judgements, drawing: _Drawing) -> _Means:
    icc = IntraclassDraws(judgements)
    splits = max(1, min(_SPLITS, _JUDGEMENTS // max(1, len(judgements))))
    reliabilities = {
        level: judge_reliability(
            judgements,
            level,
            resamples=drawing.resamples,
            confidence=drawing.confidence,
            seed=drawing.seed,
        )
        for level in LEVELS
    }
    notes = _of_reliability(reliabilities)
    if icc.judges and not icc.complete:
        notes.append("no summary is judged by all judges, so ICC(2) and ICC(3) are undefined")
    return _Means(
        dict(zip(KINDS, drawing.estimates(icc.values), strict=True)),
        reliabilities,
        halves_by_level(judgements, LEVELS, splits=splits, seed=drawing.seed),
        notes,
    )


def _rows(judgements: Judgements, without: Table, pairs: JudgePairs) -> Iterator[JudgeRow]:
    many = len(judgements.judges)
    if not many:
        return
    unit = np.repeat(np.arange(len(judgements.sizes)), judgements.sizes)
    size = judgements.sizes[unit]
    shared = size > 1
    judge, values = judgements.judge[shared], judgements.values[shared]
    counts = np.bincount(judge, minlength=many)
    means = np.bincount(unit, judgements.values)[unit][shared]
    others = (means - values) / (size[shared] - 1)
    undefined = np.full(many, nan)
    differences, correlations = undefined, undefined
    safe = np.maximum(counts, 1)
    if not judgements.labels:
        gap = np.bincount(judge, values - others, many) / safe
        differences = np.where(counts > 0, gap, nan)
        x, y = (z - (np.bincount(judge, z, many) / safe)[judge] for z in (values, others))
        xx, yy, xy = (np.bincount(judge, z, many) for z in (x * x, y * y, x * y))
        varied = np.minimum(xx, yy) > 1e-20
        correlations = np.where(varied, xy / np.sqrt(np.where(varied, xx * yy, 1.0)), nan)
    met = np.bincount(pairs.first, pairs.cells, many) + np.bincount(pairs.second, pairs.cells, many)
    same = np.bincount(pairs.first, pairs.same * pairs.cells, many)
    same += np.bincount(pairs.second, pairs.same * pairs.cells, many)
    share = np.where(met > 0, same / np.maximum(met, 1), nan)
    total = np.bincount(judgements.judge, minlength=many)
    for place in sorted(range(many), key=lambda place: judgements.judges[place]):
        yield JudgeRow(
            judgements.judges[place],
            int(total[place]),
            int(counts[place]),
            float(differences[place]),
            float(correlations[place]),
            float(share[place]),
            float(without[place]),
        )


def _apart(
    judgements: Judgements,
    own: AlphaDraws,
    rows: tuple[JudgeRow, ...],
    alpha: float,
    drawing: _Drawing,
) -> str:
    """The judge without whom alpha rises most, if it rises beyond chance."""
    risen = [row for row in rows if row.alpha_without > alpha]
    if not risen or not drawing.resamples or drawing.topics < 2:
        return ""
    name = max(risen, key=lambda row: row.alpha_without).judge
    kept = judgements.judge != judgements.judges.index(name)
    others = Judgements.of(
        judgements.systems,
        judgements.topics,
        judgements.judges,
        judgements.system[kept],
        judgements.topic[kept],
        judgements.judge[kept],
        judgements.values[kept],
        labels=judgements.labels,
    )
    less = AlphaDraws(others, own.level)
    rise = drawing.draws(lambda drawn: (less.values(drawn) - own.values(drawn))[:, None])[:, 0]
    # Any judge could have been the one (Bonferroni).
    confidence = 1.0 - (1.0 - drawing.confidence) / len(rows)
    return name if _percentiles(rise, confidence, 0.0)[0] > 0.0 else ""


def _of_reliability(found: dict[Level, Reliability]) -> list[str]:
    """The notes on reliabilities, those of all levels once."""
    by_note: dict[str, list[str]] = {}
    for level, one in found.items():
        for note in one.notes:
            by_note.setdefault(note, []).append(level)
    return [
        note if len(levels) == len(found) else f"{', '.join(levels)} level: {note}"
        for note, levels in by_note.items()
    ]


def _notes(judgements: Judgements, pairs: JudgePairs, alpha: Estimate) -> list[str]:
    notes = []
    several = judgements.sizes > 1
    if isnan(alpha.value) and several.any():
        notes.append("all judgements are equal, so alpha is undefined")
    alone = int((~several).sum())
    if alone and several.any():
        notes.append(f"{alone} of {len(several)} summaries have one judgement: alpha omits them")
    if not judgements.judges:
        notes.append("the judges have no names: nothing by judge or by pair, no ICC(2) or ICC(3)")
    elif len(judgements.judges) == 1:
        notes.append(f"one judge, {judgements.judges[0]!r}: agreement needs two")
    else:
        notes += _twins(judgements, pairs)
    if len(pairs.cells) < pairs.possible:
        apart = pairs.possible - len(pairs.cells)
        notes.append(f"{apart} of {pairs.possible} pairs of judges have no summary in common")
    return notes


def _twins(judgements: Judgements, pairs: JudgePairs) -> list[str]:
    """A note on judges who always say the same, so that they may be one."""
    alike = (pairs.same == 1.0) & (pairs.cells >= FEWEST_ALIKE)
    for place in np.flatnonzero(alike).tolist():
        own = judgements.values[judgements.judge == pairs.first[place]]
        if own.min() == own.max():
            continue
        one, other = (judgements.judges[side[place]] for side in (pairs.first, pairs.second))
        return [
            f"judges {one!r} and {other!r} say the same of all {pairs.cells[place]} summaries that"
            " both judged; if they are one, the reliability is overstated"
        ]
    return []
