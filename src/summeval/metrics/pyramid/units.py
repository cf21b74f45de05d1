"""Content units: which there are, what they weigh, and the scores of those that were judged.

The weights are those of all Pyramids (Nenkova and Passonneau 2004, "Evaluating content selection in
summarization: the Pyramid method"). Where somebody, a person or a model, judged for each unit of
the references whether a summary has it, there are the scores of LitePyramid, ACU and normalised
ACU: Shapira and others 2019, "Crowdsourcing Lightweight Pyramids for Manual Summary Evaluation";
Liu and others 2023, "Revisiting the Gold Standard: Grounding Summarization Evaluation with Robust
Human Evaluation" (RoSE), whose units are atomic (ACU).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import exp, fsum, inf, isnan, nan
from typing import Any

from summeval._core.rows.record import Score
from summeval._options import check_number, check_positive, real, shown

ROSE_ALPHA = 2.0
"""The alpha of `normalised_acu` in the numbers that RoSE publishes for CNN/DailyMail.

The paper sets alpha for each data set so that scores and lengths are not correlated. The published
scores of the first summaries of `cnndm_test` (github.com/Yale-LILY/ROSE, demo.ipynb) are those of
2, to all digits, for lengths counted in words and punctuation marks.
"""


def weights(models: Iterable[Iterable[Hashable]]) -> Counter[Hashable]:
    """The number of models that contribute each unit.

    >>> weights([["a", "b", "a"], ["a"]])
    Counter({'a': 2, 'b': 1})
    """
    return Counter(unit for model in models for unit in dict.fromkeys(model))


def ideal(weight: Mapping[Hashable, int], size: int) -> int:
    """The sum of the `size` largest weights, or of all if there are fewer.

    >>> ideal({"a": 2, "b": 1, "c": 1}, 2)
    3
    """
    return sum(sorted(weight.values(), reverse=True)[:size])


def ratio(part: float, whole: float) -> float:
    """The share of `whole`; 0 of nothing.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, 0.0)
    """
    return part / whole if whole else 0.0


def units(given: Iterable[Hashable], place: str) -> list[Hashable]:
    """Check given units.

    >>> units((3, 1), "peer")
    [3, 1]
    """
    found: list[Hashable] = _items(given, place)
    for unit in found:
        try:
            hash(unit)
        except TypeError:
            raise TypeError(f"{place} holds {unit!r}; units are numbers or strings") from None
        if unit is None or (isinstance(unit, float) and isnan(unit)):
            raise ValueError(f"{place} holds {unit!r}; units are numbers or strings")
    return found


def unit_lists(given: Iterable[Iterable[Hashable]], place: str) -> list[list[Hashable]]:
    """Check given lists of units.

    >>> unit_lists([[1, 2], [2]], "models")
    [[1, 2], [2]]
    """
    return [units(each, f"{place}[{i}]") for i, each in enumerate(_items(given, place))]


def model_units(given: Iterable[Iterable[Hashable]], place: str) -> list[list[Hashable]]:
    """As `unit_lists`, for one or more models.

    >>> model_units([], "models")
    Traceback (most recent call last):
    ValueError: models is empty; give the units of one model or more
    """
    models = unit_lists(given, place)
    if not models:
        raise ValueError(f"{place} is empty; give the units of one model or more")
    return models


def _items(given: Any, place: str) -> list[Any]:
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise TypeError(f"{place} is {type(given).__name__}; pass a list")
    return list(given)


def rests(models: Sequence[list[Hashable]], place: str) -> list[list[list[Hashable]]]:
    """For each model the models without it.

    >>> rests([[1], [2], [3]], "models")[0]
    [[2], [3]]
    """
    if len(models) < 2:
        raise ValueError(f"{place} holds 1 model; leaving one out needs 2 or more")
    return [[*models[:i], *models[i + 1 :]] for i in range(len(models))]


def left_out(human: list[float], peer: list[float]) -> Score:
    """Return the leave-one-out scores of the models and of a peer, with their means, NaN of none.

    >>> left_out([0.5, 0.5], [1.0, 0.5]).value
    0.75
    """
    means = (fsum(scores) / len(scores) if scores else nan for scores in (human, peer))
    return Score(("human", "peer", "human_mean", "peer_mean"), (human, peer, *means), "peer_mean")


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
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise TypeError(f"{name} is {type(given).__name__}; give a list of numbers")
    found = []
    for place, value in enumerate(given.tolist() if hasattr(given, "tolist") else given):
        number = float(value) if isinstance(value, bool) else real(value)
        if number is None:
            raise TypeError(f"{name}[{place}] is {shown(value)}; give a number")
        found.append(number)
    return found
