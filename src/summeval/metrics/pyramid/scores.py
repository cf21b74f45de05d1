"""The Pyramid method: content units, what they weigh, and the scores of summaries that have them.

The weight of a summary content unit (SCU) is the number of models that express it. D is the total
weight of the SCUs that a peer expresses. A score is D divided by the largest total weight of as
many SCUs.

Nenkova and Passonneau 2004, "Evaluating content selection in summarization: the Pyramid method";
Nenkova, Passonneau and McKeown 2007, "The Pyramid method"; Passonneau 2010, "Formal and functional
assessment of the pyramid method for summary content evaluation". Two programs disagree, and
`rounding` chooses between them: DucView 1.5, the default (also `ducview_score`), and SacreROUGE.

Where somebody, a person or a model, judged for each unit of the references whether a summary has
it, there are the scores of LitePyramid, ACU and normalised ACU: Shapira and others 2019,
"Crowdsourcing Lightweight Pyramids for Manual Summary Evaluation"; Liu and others 2023, "Revisiting
the Gold Standard: Grounding Summarization Evaluation with Robust Human Evaluation" (RoSE), whose
units are atomic (ACU).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import exp, fsum, inf, isnan, nan
from typing import Any, TypeAlias

from summeval._core.rows.record import Score
from summeval._options import check_choice, check_number, check_positive, check_whole, real, shown
from summeval.metrics.pyramid.files import Annotation, Pyramid, PyramidFileError

Units: TypeAlias = Iterable[Hashable]
UnitLists: TypeAlias = Iterable[Units]
Checked: TypeAlias = Sequence[list[Hashable]]
Cap: TypeAlias = float | str | None

ROSE_ALPHA = 2.0
"""The alpha of `normalised_acu` in the numbers that RoSE publishes for CNN/DailyMail.

The paper sets alpha for each data set so that scores and lengths are not correlated. The published
scores of the first summaries of `cnndm_test` (github.com/Yale-LILY/ROSE, demo.ipynb) are those of
2, to all digits, for lengths counted in words and punctuation marks.
"""
_FIELDS = ("score", "D", "max", "X")
_DUCVIEW_FIELDS = (
    "total_scus unique_scus not_in_pyramid total_weight max_total quality average_scus"
    " max_average coverage comprehensive message"
).split()


def original_score(model_scus: UnitLists, peer_scus: Units) -> Score:
    """Score a peer against the largest weight of as many SCUs.

    Parameters
    ----------
    model_scus : iterable of iterables
        For each model the SCUs that it contributes to: numbers, or other names.
    peer_scus : iterable
        The SCUs that the peer expresses, one for each contributor: those that no model has, and
        those that the peer repeats, add to X and not to D.

    Returns
    -------
    Score
        `score` = D / Max(X), which is `value`; `D`, the weight of the distinct SCUs of the peer;
        `max`, that of the X heaviest SCUs; `X`, how many SCUs the peer has. 0 for an empty peer.

    Raises
    ------
    TypeError, ValueError
        For units that are no list, and where there is no model.

    Examples
    --------
    >>> score = original_score([["a", "b"], ["a", "c"], ["a", "b"]], ["a", "c", "not there"])
    >>> score.D, score.max, score.score
    (4, 6, 0.6666666666666666)
    """
    models, peer = model_units(model_scus, "model_scus"), units(peer_scus, "peer_scus")
    return _score(weights(models), peer, len(peer), inf)


def modified_score(
    model_scus: UnitLists, peer_scus: Units, *, rounding: str = "floor", cap: Cap = "program"
) -> Score:
    """Score a peer against the largest weight of as many SCUs as an average model has.

    Parameters
    ----------
    model_scus, peer_scus : iterable
        As in `original_score`; what the peer repeats, or no model has, changes nothing here.
    rounding : {"floor", "ceil"}
        X, the number of SCUs of an average model, as a program rounds it. "floor", the default, is
        DucView 1.5: the number of contributors by that of the models, rounded down; a model that
        contributes to an SCU twice has two contributors, which weigh 2. "ceil" is SacreROUGE: the
        mean number of distinct SCUs, rounded up; the weight of an SCU is its number of models.
    cap : float, bool, "program" or None
        The score is at most this: True is 1, False and None no limit. "program": 1 under "floor",
        none under "ceil", where a peer with more SCUs than an average model can score more than 1.

    Returns
    -------
    Score
        As `original_score`. 0 where X is 0.

    Raises
    ------
    TypeError, ValueError
        As `original_score`, and for an option that takes no such value.

    Examples
    --------
    >>> models = [["a", "b"], ["a", "c"], ["a", "b", "d"]]
    >>> modified_score(models, ["a", "c"]).score
    0.8
    >>> modified_score(models, ["a", "c"], rounding="ceil").score
    0.6666666666666666
    """
    models, peer = model_units(model_scus, "model_scus"), units(peer_scus, "peer_scus")
    return _modified(models, peer, rounding, _cap(cap, rounding))


def jackknife(
    model_scus: UnitLists, peer_scus: Units, *, rounding: str = "floor", cap: Cap = "program"
) -> Score:
    """Score models and a peer on equal terms: each against all models but one.

    A model is scored against the others; a peer against every set of models that lacks one. SCUs
    without contributors are dropped, and the ideal is computed from the remaining models.

    Parameters
    ----------
    model_scus, peer_scus, rounding, cap
        As in `modified_score`, whose score it is; rounded down by default, as DucView 1.5 does.

    Returns
    -------
    Score
        `human`, a list: the score of each model; `peer`, a list: the score of the peer without each
        model; `human_mean` and `peer_mean`, their means. `value` is `peer_mean`.

    Raises
    ------
    TypeError, ValueError
        As `modified_score`, and where there are fewer than 2 models.

    Examples
    --------
    >>> found = jackknife([["a", "b"], ["a", "c"]], ["a", "c"])
    >>> found.human, found.peer, found.peer_mean
    ([0.5, 0.5], [1.0, 0.5], 0.75)
    """
    models, peer = model_units(model_scus, "model_scus"), units(peer_scus, "peer_scus")
    limit = _cap(cap, rounding)

    return left_out(
        models, peer, "model_scus", lambda rest, of: _modified(rest, of, rounding, limit).value
    )


def ducview_score(
    pyramid: Pyramid | Mapping[str, Any], annotation: Annotation | Mapping[str, Any]
) -> Score:
    """Score an annotated peer as DucView 1.5 does, by the names it uses.

    Parameters
    ----------
    pyramid : Pyramid or mapping
        As `read_pyr` gives it, or its numbers: `n_models`, and `scu_weights`, the number of
        contributors by the name of each SCU.
    annotation : Annotation or mapping
        As `read_pan` gives it, or its numbers: `peer_contributors`, the number of contributors by
        the name of each SCU that the peer has, and `non_matching`, how many match no SCU.

    Returns
    -------
    Score
        `total_scus`, contributors in the peer; `unique_scus`, SCUs of the pyramid that it has;
        `not_in_pyramid`; `total_weight`, D of the unique ones; `max_total`, Max(total_scus);
        `quality` = D / max_total; `average_scus`, contributors by models, rounded down;
        `max_average`, Max(average_scus); `coverage` = D / max_average, at most 1; `comprehensive`,
        the harmonic mean of both, which is `value`; `message`, empty where there are scores. If the
        peer has no SCU, or an average model has none, there are none: quality, coverage and
        comprehensive are NaN, and `message` says why.

    Raises
    ------
    ValueError
        An SCU that the pyramid lacks, invalid weights or counts, no SCU, or a pyramid with unknown
        models.

    Examples
    --------
    >>> pyramid = {"n_models": 4, "scu_weights": {1: 4, 2: 4, 3: 3, 4: 2, 5: 1, 6: 1}}
    >>> score = ducview_score(pyramid, {"peer_contributors": {1: 1, 3: 1, 5: 1}, "non_matching": 2})
    >>> round(score.quality, 4), round(score.coverage, 4), round(score.comprehensive, 4)
    (0.5714, 0.7273, 0.64)
    """
    weight: Any  # numbers by SCU
    has: Any
    if isinstance(pyramid, Pyramid):
        weight, n_models = pyramid.contributors, pyramid.n_models
    else:
        weight, n_models = _counts(pyramid, "scu_weights", "n_models", 1)
        if not weight:
            raise ValueError("scu_weights is empty; give the weight of one SCU or more")
    if isinstance(annotation, Annotation):
        has, place = annotation.contributors, annotation.path
        missing = len(annotation.non_matching)
    else:
        has, missing = _counts(annotation, "peer_contributors", "non_matching", 0)
        has, place = {scu: number for scu, number in has.items() if number}, "annotation"
    for scu in has:
        if scu not in weight:
            problem = f"SCU {scu} is not in the pyramid"
            raise PyramidFileError(place, problem, "score it with the pyramid of its annotation")
    total, average = sum(has.values()) + missing, sum(weight.values()) // n_models
    found = sum(weight[scu] for scu in has)
    most, most_average = ideal(weight, total), ideal(weight, average)
    message, quality, coverage, both = "", nan, nan, nan
    if not total:
        message = "No SCUs were annotated"
    elif not average:
        message = "The models have no SCU on average"
    else:
        quality, coverage = found / most, min(1.0, found / most_average)
        both = ratio(2 * quality * coverage, quality + coverage)
    counts = (total, len(has), missing, found, most)
    scores = (quality, average, most_average, coverage, both, message)
    return Score(tuple(_DUCVIEW_FIELDS), (*counts, *scores), "comprehensive")


def _counts(given: Mapping[str, Any], table: str, number: str, least: int) -> tuple[Any, int]:
    """Return a table of whole numbers by SCU and a number, of a mapping of both."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{type(given).__name__} has no {table}; pass what was read, or a mapping")
    for name in (table, number):
        if name not in given:
            raise ValueError(f"no {name!r} in the mapping; add it")
    if not isinstance(given[table], Mapping):
        kind = type(given[table]).__name__
        raise TypeError(f"{table} is {kind}; give a number for each name of an SCU")
    for scu, count in given[table].items():
        check_whole(f"{table}[{scu!r}]", count, least)
    return given[table], check_whole(number, given[number], least)


def _cap(cap: Cap, rounding: str) -> float:
    """Return the largest possible score."""
    check_choice("rounding", rounding, ("floor", "ceil"))
    if cap == "program":
        return 1.0 if rounding == "floor" else inf
    if cap is None or isinstance(cap, bool):
        return 1.0 if cap else inf
    number = real(cap)
    if number is None or not number > 0:
        raise ValueError(f"cap is {cap!r}; give a number over 0, 'program', or None for no limit")
    return number


def _modified(models: Checked, peer: Units, rounding: str, cap: float) -> Score:
    if rounding == "floor":
        weight = Counter(scu for model in models for scu in model)
        return _score(weight, peer, sum(map(len, models)) // len(models), cap)
    size = -(-sum(len(set(model)) for model in models) // len(models))
    return _score(weights(models), peer, size, cap)


def _score(weight: Mapping[Hashable, int], peer: Units, size: int, cap: float) -> Score:
    total = sum(weight.get(scu, 0) for scu in dict.fromkeys(peer))
    most = ideal(weight, size)
    return Score(_FIELDS, (min(ratio(total, most), cap), total, most, size), "score")


def weights(models: UnitLists) -> Counter[Hashable]:
    """Return the number of models that contribute each unit.

    >>> weights([["a", "b", "a"], ["a"]])
    Counter({'a': 2, 'b': 1})
    """
    return Counter(unit for model in models for unit in dict.fromkeys(model))


def ideal(weight: Mapping[Hashable, int], size: int) -> int:
    """Return the sum of the `size` largest weights, or of all if there are fewer.

    >>> ideal({"a": 2, "b": 1, "c": 1}, 2)
    3
    """
    return sum(sorted(weight.values(), reverse=True)[:size])


def ratio(part: float, whole: float) -> float:
    """Return the share of `whole`; 0 of nothing.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, 0.0)
    """
    return part / whole if whole else 0.0


def units(given: Units, place: str) -> list[Hashable]:
    """Check given units.

    >>> units((3, 1), "peer")
    [3, 1]
    """
    found: list[Hashable] = items(given, place, "pass a list")
    for unit in found:
        try:
            hash(unit)
        except TypeError:
            raise TypeError(f"{place} holds {unit!r}; units are numbers or strings") from None
        if unit is None or (isinstance(unit, float) and isnan(unit)):
            raise ValueError(f"{place} holds {unit!r}; units are numbers or strings")
    return found


def unit_lists(given: UnitLists, place: str) -> list[list[Hashable]]:
    """Check given lists of units.

    >>> unit_lists([[1, 2], [2]], "models")
    [[1, 2], [2]]
    """
    return [
        units(each, f"{place}[{i}]") for i, each in enumerate(items(given, place, "pass a list"))
    ]


def model_units(given: UnitLists, place: str) -> list[list[Hashable]]:
    """As `unit_lists`, for one or more models.

    >>> model_units([], "models")
    Traceback (most recent call last):
    ValueError: models is empty; give the units of one model or more
    """
    models = unit_lists(given, place)
    if not models:
        raise ValueError(f"{place} is empty; give the units of one model or more")
    return models


def items(given: Any, place: str, hint: str) -> list[Any]:
    """Return what a list holds.

    >>> items("scu", "peer", "pass a list")
    Traceback (most recent call last):
    TypeError: peer is str; pass a list
    """
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise TypeError(f"{place} is {type(given).__name__}; {hint}")
    return list(given.tolist() if hasattr(given, "tolist") else given)


def left_out(
    models: Checked, peer: Units | None, place: str, score: Callable[[Checked, Units], float]
) -> Score:
    """Return the scores of each model, and of a peer, beside all models but one; with their means.

    >>> found = left_out([[1], [1, 2]], None, "models", lambda rest, summary: len(summary) / 4)
    >>> found.human, found.human_mean, found.peer
    ([0.25, 0.5], 0.375, [])
    """
    if len(models) < 2:
        raise ValueError(f"{place} holds 1 model; leaving one out needs 2 or more")
    rests = [[*models[:i], *models[i + 1 :]] for i in range(len(models))]
    human = [score(rest, model) for model, rest in zip(models, rests, strict=True)]
    found = [] if peer is None else [score(rest, peer) for rest in rests]
    means = (fsum(scores) / len(scores) if scores else nan for scores in (human, found))
    return Score(("human", "peer", "human_mean", "peer_mean"), (human, found, *means), "peer_mean")


def unit_score(judgements: Sequence[float | bool], weights: Sequence[float] | None = None) -> float:
    """Return the share of the units that a summary has, or the share of their weight.

    Without weights it is the recall of LitePyramid, and the un-normalised ACU score of RoSE. With
    the number of references that have a unit as its weight, it is the weight found by that of all
    units; the Pyramid's own scores are `modified_score` and `original_score`.

    Parameters
    ----------
    judgements : sequence [unit] of numbers from 0 to 1, or bool
        Whether the summary has the unit, or how probable that is.
    weights : sequence [unit] of numbers above 0, optional

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    TypeError, ValueError
        No unit, a judgement outside 0 to 1, or weights that are not as many or not above 0.

    Examples
    --------
    >>> unit_score([1, 0, 0, 1]), unit_score([True, False, 0.5], weights=[3, 2, 1])
    (0.5, 0.5833333333333334)
    """
    found = _numbers("judgements", judgements)
    if not found:
        raise ValueError("judgements is empty; give one for each unit")
    for place, number in enumerate(found):
        if not 0 <= number <= 1:
            raise ValueError(f"judgements[{place}] is {number:g}; give a number from 0 to 1")
    shares = [1.0] * len(found) if weights is None else _numbers("weights", weights)
    if len(shares) != len(found):
        raise ValueError(
            f"there are {len(shares)} weights and {len(found)} judgements; give as many"
        )
    for place, number in enumerate(shares):
        if not 0 < number < inf:
            raise ValueError(f"weights[{place}] is {number:g}; give a finite number above 0")
    return ratio(fsum(a * b for a, b in zip(found, shares, strict=True)), fsum(shares))


def normalised_acu(
    judgements: Sequence[float | bool],
    candidate_length: float,
    reference_length: float,
    *,
    alpha: float = ROSE_ALPHA,
    weights: Sequence[float] | None = None,
) -> float:
    """Return the score of units, reduced for a summary that is longer than its reference.

    `unit_score` times exp(min(0, (1 - |s| / |r|) / alpha)), for the lengths of summary and
    reference (RoSE, Liu and others 2023).

    Parameters
    ----------
    judgements, weights
        As in `unit_score`.
    candidate_length, reference_length : float
        In words, both counted alike; that of the reference above 0.
    alpha : float
        Above 0; the larger, the less length matters. 2 is that of RoSE's CNN/DailyMail.

    Raises
    ------
    TypeError, ValueError
        As `unit_score`, and for lengths or an alpha that cannot be used.

    Examples
    --------
    >>> round(normalised_acu([1, 1, 1, 0, 0, 0, 0, 0], 58, 48), 6)  # a summary of RoSE
    0.337903
    >>> normalised_acu([1, 0], 20, 48)
    0.5
    """
    score = unit_score(judgements, weights)
    if check_number("candidate_length", candidate_length) < 0:
        raise ValueError(f"candidate_length is {shown(candidate_length)}; give 0 or more")
    check_positive("reference_length", reference_length)
    check_positive("alpha", alpha)
    return score * exp(min(0.0, (1 - candidate_length / reference_length) / alpha))


def _numbers(name: str, given: Any) -> list[float]:
    found = []
    for place, value in enumerate(items(given, name, "give a list of numbers")):
        number = float(value) if isinstance(value, bool) else real(value)
        if number is None:
            raise TypeError(f"{name}[{place}] is {shown(value)}; give a number")
        found.append(number)
    return found
