"""Shared by the Pyramids: the weight of a unit, and the largest weight for a length.

Nenkova and Passonneau 2004, "Evaluating content selection in summarization: the Pyramid method".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import fsum, isnan
from typing import Any

from summeval._core.rows.record import Score


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
    """The leave-one-out scores of the models and of a peer, with their means.

    >>> left_out([0.5, 0.5], [1.0, 0.5]).value
    0.75
    """
    fields = ("human", "peer", "human_mean", "peer_mean")
    return Score(fields, (human, peer, mean(human), mean(peer)), "peer_mean")


def mean(scores: Sequence[float]) -> float:
    """The mean; NaN of none.

    >>> mean([0.5, 1.0])
    0.75
    """
    return fsum(scores) / len(scores) if scores else float("nan")
