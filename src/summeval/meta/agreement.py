"""All about the agreement of judges in one dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, isnan, nan
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice, check_whole
from summeval.meta import reliability
from summeval.meta.alpha import RATING_LEVELS, AlphaDraws, RatingLevel, pairs_within
from summeval.meta.arrays import LEVELS, Level, check_confidence
from summeval.meta.reliability import Reliability
from summeval.meta.resampling import check_seed, drawn_topics, percentiles
from summeval.table.cells import Array
from summeval.table.scores import Judgements

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
    same: Array
    kappa: Array
    weighted: Array
    correlation: Array
    possible: int

    def mean(self, what: Literal["same", "kappa", "weighted", "correlation"]) -> float:
        """The mean over pairs, each counted by the number of its summaries; NaN without any."""
        values: Array = getattr(self, what)
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
    codes, cells, same, kappa, weighted, correlation = map(np.concatenate, columns)
    first, second = divmod(codes.astype(np.int64), max(many, 1))
    known, possible = cells.astype(np.int64), many * (many - 1) // 2
    return JudgePairs(first, second, known, same, kappa, weighted, correlation, possible)


def _block(
    judgements: Judgements, level: RatingLevel, low: int, high: int
) -> tuple[Any, Any, Array, Array, Array, Array]:
    """Return the codes of the pairs whose first judge is in a range, and what `JudgePairs` says."""
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


def _without_chance(disagreement: Array, chance: Array) -> Array:
    """Kappa from the disagreement, and that by chance."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 1.0 - disagreement / chance
    return np.where(chance > 1e-12, found, nan)


def _kappas(x: Array, y: Array, pair: Any, cells: Any, same: Array) -> Array:
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


def _correlations(x: Array, y: Array, group: Any, size: int, clipped: bool = True) -> Array:
    """Pearson's correlation of each group of values that are centred by group."""
    xx, yy, xy = (np.bincount(group, z, size) for z in (x * x, y * y, x * y))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = xy / np.sqrt(xx * yy)
    found = np.clip(found, -1.0, 1.0) if clipped else found
    return np.where(np.minimum(xx, yy) > 1e-20, found, nan)


def _ranks(values: Array, group: Any, sizes: Any) -> Array:
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
    labels = (
        float(x) if weights != "none" else x
        for a, b in zip(first, second, strict=True)
        if not (a is None or b is None or a != a or b != b)  # noqa: PLR0124
        for x in (a, b)
    )
    try:
        numbers = np.fromiter((codes.setdefault(x, len(codes)) for x in labels), np.int64)
    except ValueError:
        raise ValueError(f"texts have no distance; use weights='none', not {weights!r}") from None
    if not codes:
        return nan
    if weights == "none":
        return _kappa(np.not_equal, np.arange(len(codes)), *numbers.reshape(-1, 2).T)
    known, places = np.unique(np.array(list(codes)), return_inverse=True)
    distance = np.abs if weights == "linear" else np.square
    return _kappa(lambda a, b: distance(a - b), known, *places[numbers].reshape(-1, 2).T)


def _kappa(distance: Any, known: Any, x: Any, y: Any) -> float:
    """Return the kappa of two judges who say ``known[x]`` and ``known[y]``."""
    size = len(known)
    left, right = (np.bincount(z, minlength=size) for z in (x, y))
    expected, step = 0.0, max(1, _DISTANCES // size)
    for first in range(0, size, step):
        here = slice(first, first + step)
        table = distance(known[here, None], known).astype(np.float64)
        expected += float(left[here] @ table @ right)
    expected /= len(x)
    return 1.0 - float(distance(known[x], known[y]).sum()) / expected if expected else nan


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
    topics = len(judgements.topics)
    drawn = resamples if topics > 1 else 0

    def estimates(function: Callable[[Any], Array]) -> list[Estimate]:
        """Return the values of all topics with percentiles; draws without a value do not count."""
        values = function(np.ones((1, topics)))[0].tolist()
        if not drawn:
            return list(map(Estimate, values))
        pairs = zip(values, drawn_topics(function, topics, drawn, seed).T, strict=True)
        bounds = ((x, (nan, nan) if isnan(x) else percentiles(own, confidence)) for x, own in pairs)
        return [Estimate(value, *both) for value, both in bounds]

    alpha = AlphaDraws(judgements, level)
    (found,) = estimates(lambda drawn: alpha.values(drawn)[:, None])
    pairs = judge_pairs(judgements, level)
    rows = tuple(_rows(judgements, alpha.without_judges(), pairs))
    intraclass: dict[str, Estimate] = {}
    reliabilities: dict[Level, Reliability] = {}
    halves: dict[Level, float] = {}
    notes = list(judgements.notes)
    if not judgements.labels:
        drawing: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "seed": seed}
        reliabilities = {
            one: reliability.judge_reliability(judgements, one, **drawing) for one in LEVELS
        }
        notes += _of_reliability(reliabilities)
        icc = reliability.IntraclassDraws(judgements)
        if icc.judges and not icc.complete:
            notes.append("no summary is judged by all judges, so ICC(2) and ICC(3) are undefined")
        intraclass = dict(zip(reliability.KINDS, estimates(icc.values), strict=True))
        splits = max(1, min(_SPLITS, _JUDGEMENTS // max(1, len(judgements))))
        halves = reliability.halves_by_level(judgements, LEVELS, splits=splits, seed=seed)
    return JudgeAgreement(
        level=level,
        judgements=len(judgements),
        judges=len(judgements.judges),
        summaries=len(judgements.sizes),
        systems=len(judgements.systems),
        topics=topics,
        alone=int((judgements.sizes == 1).sum()),
        alpha=found,
        intraclass=intraclass,
        pairs=pairs,
        reliabilities=reliabilities,
        halves=halves,
        rows=rows,
        apart=_apart(judgements, alpha, rows, (drawn, confidence, seed)),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        notes=(*notes, *_notes(judgements, pairs, found)),
    )


def _rows(judgements: Judgements, without: Array, pairs: JudgePairs) -> Iterator[JudgeRow]:
    many = len(judgements.judges)
    unit = np.repeat(np.arange(len(judgements.sizes)), judgements.sizes)
    size = judgements.sizes[unit]
    shared = size > 1
    judge, values = judgements.judge[shared], judgements.values[shared]
    counts = np.bincount(judge, minlength=many)
    others = (np.bincount(unit, judgements.values)[unit][shared] - values) / (size[shared] - 1)
    differences = correlations = np.full(many, nan)
    safe = np.maximum(counts, 1)
    if not judgements.labels and many:
        gap = np.bincount(judge, values - others, many) / safe
        differences = np.where(counts > 0, gap, nan)
        x, y = (z - (np.bincount(judge, z, many) / safe)[judge] for z in (values, others))
        correlations = _correlations(x, y, judge, many, clipped=False)
    met, same = np.zeros(many), np.zeros(many)
    for side in (pairs.first, pairs.second):
        met += np.bincount(side, pairs.cells, many)
        same += np.bincount(side, pairs.same * pairs.cells, many)
    share = np.where(met > 0, same / np.maximum(met, 1), nan)
    total = np.bincount(judgements.judge, minlength=many)
    columns = (total, counts, differences, correlations, share, without)
    for place in sorted(range(many), key=lambda place: judgements.judges[place]):
        yield JudgeRow(judgements.judges[place], *(column[place].item() for column in columns))


def _apart(
    judgements: Judgements, own: AlphaDraws, rows: Sequence[JudgeRow], draws: tuple[int, float, int]
) -> str:
    """Return the judge without whom alpha rises most, if it rises beyond chance."""
    resamples, confidence, seed = draws
    alpha = own.values(np.ones((1, own.topics)))[0]
    higher = [row for row in rows if row.alpha_without > alpha]
    if not higher or not resamples:
        return ""
    name = max(higher, key=lambda row: row.alpha_without).judge
    less = AlphaDraws(judgements.without(name), own.level)
    rise = drawn_topics(
        lambda drawn: less.values(drawn) - own.values(drawn), own.topics, resamples, seed
    )
    # Any judge could have been the one (Bonferroni).
    lower, _ = percentiles(rise, 1.0 - (1.0 - confidence) / len(rows))
    return name if lower > 0.0 else ""


def _of_reliability(found: dict[Level, Reliability]) -> list[str]:
    """Return the notes on reliabilities, those of all levels once."""
    by_note: dict[str, list[str]] = {}
    for level, one in found.items():
        for note in one.notes:
            by_note.setdefault(note, []).append(level)
    return [
        note if len(levels) == len(found) else f"{', '.join(levels)} level: {note}"
        for note, levels in by_note.items()
    ]


def _notes(judgements: Judgements, pairs: JudgePairs, alpha: Estimate) -> list[str]:
    notes, several = [], judgements.sizes > 1
    if several.any():
        equal = "all judgements are equal, so alpha is undefined"
        alone = int((~several).sum())
        omitted = f"{alone} of {len(several)} summaries have one judgement: alpha omits them"
        notes = [equal] * isnan(alpha.value) + [omitted] * bool(alone)
    if not judgements.judges:
        notes.append("the judges have no names: nothing by judge or by pair, no ICC(2) or ICC(3)")
    elif len(judgements.judges) == 1:
        notes.append(f"one judge, {judgements.judges[0]!r}: agreement needs two")
    else:
        notes += _twins(judgements, pairs)
    if apart := pairs.possible - len(pairs.cells):
        notes.append(f"{apart} of {pairs.possible} pairs of judges have no summary in common")
    return notes


def _twins(judgements: Judgements, pairs: JudgePairs) -> list[str]:
    """Return a note on judges who always say the same, so that they may be one."""
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
