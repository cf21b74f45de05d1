"""Scores of judged content units: LitePyramid, ACU and normalised ACU, weighted units.

Somebody, a person or a model, judged for each unit of the references whether a summary has it.

Shapira and others 2019, "Crowdsourcing Lightweight Pyramids for Manual Summary Evaluation"; Liu and
others 2023, "Revisiting the Gold Standard: Grounding Summarization Evaluation with Robust Human
Evaluation" (RoSE), whose units are atomic (ACU).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum
from typing import Any

from summeval._options import check_number, check_positive, real, shown
from summeval.metrics.pyramid.weights import ratio

ROSE_ALPHA = 2.0
"""The alpha of `normalised_acu` in the numbers that RoSE publishes for CNN/DailyMail.

The paper sets alpha for each data set so that scores and lengths are not correlated. The published
scores of the first summaries of `cnndm_test` (github.com/Yale-LILY/ROSE, demo.ipynb) are those of
2, to all digits, for lengths counted in words and punctuation marks.
"""


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
    found = _judgements(judgements)
    shares = [1.0] * len(found) if weights is None else _weights(weights, len(found))
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


def _judgements(given: Any) -> list[float]:
    found = _numbers("judgements", given)
    if not found:
        raise ValueError("judgements is empty; give one for each unit")
    for place, number in enumerate(found):
        if not 0 <= number <= 1:
            raise ValueError(f"judgements[{place}] is {number:g}; give a number from 0 to 1")
    return found


def _weights(given: Any, units: int) -> list[float]:
    found = _numbers("weights", given)
    if len(found) != units:
        raise ValueError(f"there are {len(found)} weights and {units} judgements; give as many")
    for place, number in enumerate(found):
        if not 0 < number < float("inf"):
            raise ValueError(f"weights[{place}] is {number:g}; give a finite number above 0")
    return found


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
