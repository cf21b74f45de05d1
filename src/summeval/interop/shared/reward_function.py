"""What the adapters for training loops share: the rewards that they call, and what they refuse."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from summeval.interop.reward import Rewards

DEFAULT = "rougeLsum"


def make_rewards(metrics: Any, preset: str | None, options: dict[str, Any]) -> Rewards:
    """Rewards of metrics, or of a preset.

    >>> make_rewards(None, "content", {"missing": 0.0}).name
    'content'
    """
    if preset is None:
        return Rewards(DEFAULT if metrics is None else metrics, **options)
    if metrics is not None:
        raise TypeError(f"metrics and preset={preset!r} cannot be combined; give one of them")
    return Rewards.preset(preset, **options)


def without_none(
    metrics: Any, preset: str | None, options: dict[str, Any], trainer: str
) -> Rewards:
    """Rewards for a trainer that takes no None: `missing` is a number, 0 by default.

    With a preset a text that lacks its references stays an error unless `missing` is given.

    >>> without_none("rouge1", None, {}, "verl")(["the cat"], [None])
    [0.0]
    """
    if preset is None:
        options = {"missing": 0.0, **options}
    if options.get("missing", 0.0) is None:
        raise TypeError(f"missing is None; give a number, for {trainer} takes no None")
    return make_rewards(metrics, preset, options)


def means(parts: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The mean of each part over the texts that have it; parts without values are left out.

    >>> means({"rouge1": [0.5, 1.0], "rouge2": [0.0, math.nan], "rougeL": [math.nan, math.nan]})
    {'rouge1': 0.75, 'rouge2': 0.0}
    """
    found = {}
    for name, column in parts.items():
        present = [value for value in column if not math.isnan(value)]
        if present:
            found[name] = math.fsum(present) / len(present)
    return found


class RewardFunction:
    """A reward with the name that a trainer logs it under."""

    def __init__(self, rewards: Rewards, name: str | None = None) -> None:
        self.rewards = rewards
        self.__name__ = name or rewards.name

    def text(self, read: Callable[..., Any], *given: Any) -> Any:
        """The text that `read` finds; with `on_error="skip"`, where it fails the error instead."""
        try:
            return read(*given)
        except Exception as error:
            if self.rewards.on_error == "raise":
                raise
            return error
