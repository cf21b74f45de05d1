"""The Pyramid: how much of what several models say a peer says, by its weight in the models.

A summary content unit (SCU) weighs as many models as express it. D is the sum of the weights of the
SCUs that a peer expresses, and a score is D by the greatest that as many SCUs can weigh.

Nenkova and Passonneau 2004, "Evaluating content selection in summarization: the Pyramid method";
Nenkova, Passonneau and McKeown 2007, "The Pyramid method"; Passonneau 2010, "Formal and functional
assessment of the pyramid method for summary content evaluation". `rounding` and `ducview_score` do
what two programs do that disagree: DucView 1.5 and SacreROUGE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import inf

from summeval._core.record import Score
from summeval.metrics.base import check_choice
from summeval.metrics.pyramid_position import PositionPyramid
from summeval.metrics.pyramid_weights import (
    ideal,
    left_out,
    model_units,
    ratio,
    rests,
    units,
    weights,
)

__all__ = ["PositionPyramid", "jackknife", "modified_score", "original_score"]

_FIELDS = ("score", "D", "max", "X")


def original_score(
    model_scus: Iterable[Iterable[Hashable]], peer_scus: Iterable[Hashable]
) -> Score:
    """Score a peer against the best that as many SCUs can weigh.

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
    model_scus: Iterable[Iterable[Hashable]],
    peer_scus: Iterable[Hashable],
    *,
    rounding: str = "floor",
    cap: float | str | None = "program",
) -> Score:
    """Score a peer against the best that an average model can weigh.

    Parameters
    ----------
    model_scus, peer_scus : iterable
        As in `original_score`; what the peer repeats, or no model has, changes nothing here.
    rounding : {"floor", "ceil"}
        X, the number of SCUs of an average model, as a program rounds it. "floor" (DucView 1.5):
        the number of contributors by that of the models, rounded down; a model that contributes to
        an SCU twice has two contributors, which weigh 2. "ceil" (SacreROUGE): the mean number of
        distinct SCUs, rounded up; the weight of an SCU is its number of models.
    cap : float, "program" or None
        The score is at most this; None for no limit. "program": 1 under "floor", none under "ceil",
        where a peer with more SCUs than an average model can score more than 1.

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
    model_scus: Iterable[Iterable[Hashable]],
    peer_scus: Iterable[Hashable],
    *,
    rounding: str = "floor",
    cap: float | str | None = "program",
) -> Score:
    """Score models and a peer on equal terms: each against all models but one.

    A model is scored against the others; a peer against every set of models that lacks one. SCUs
    that lose their last contributor vanish, and the ideal is that of the models which are left.

    Parameters
    ----------
    model_scus, peer_scus, rounding, cap
        As in `modified_score`, whose score it is.

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
    parts = rests(models, "model_scus")
    human = [
        _modified(rest, model, rounding, limit).value
        for model, rest in zip(models, parts, strict=True)
    ]
    return left_out(human, [_modified(rest, peer, rounding, limit).value for rest in parts])


def _cap(cap: float | str | None, rounding: str) -> float:
    """The greatest score there can be."""
    check_choice("rounding", rounding, ("floor", "ceil"))
    if cap == "program":
        return 1.0 if rounding == "floor" else inf
    if cap is None or cap is False:
        return inf
    if isinstance(cap, str) or not cap > 0:
        raise ValueError(f"cap is {cap!r}; give a number over 0, 'program', or None for no limit")
    return float(cap)


def _modified(
    models: Sequence[Sequence[Hashable]], peer: Sequence[Hashable], rounding: str, cap: float
) -> Score:
    if rounding == "floor":
        weight = Counter(scu for model in models for scu in model)
        return _score(weight, peer, sum(map(len, models)) // len(models), cap)
    size = -(-sum(len(set(model)) for model in models) // len(models))
    return _score(weights(models), peer, size, cap)


def _score(
    weight: Mapping[Hashable, int], peer: Iterable[Hashable], size: int, cap: float
) -> Score:
    total = sum(weight.get(scu, 0) for scu in dict.fromkeys(peer))
    most = ideal(weight, size)
    return Score(_FIELDS, (min(ratio(total, most), cap), total, most, size), "score")
