"""What the adapters for training loops share: the rewards that they call, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from summeval.interop.reward import Rewards


def without_none(metrics: Any, options: dict[str, Any], trainer: str) -> Rewards:
    """Rewards for a trainer that takes no None: `missing` is a number, 0 by default.

    >>> without_none("rouge1", {}, "verl")(["the cat"], [None])
    [0.0]
    """
    options = {"missing": 0.0, **options}
    if options["missing"] is None:
        raise TypeError(f"missing is None; give a number, for {trainer} takes no None")
    return Rewards(metrics, **options)


class RewardFunction:
    """A reward with the name that a trainer logs it under."""

    def __init__(self, rewards: Rewards, name: str | None = None) -> None:
        self.rewards = rewards
        self.__name__ = name or rewards.name

    def text(self, read: Callable[..., str], *given: Any) -> Any:
        """The text that `read` finds; with `on_error="skip"`, where it fails the error instead."""
        try:
            return read(*given)
        except Exception as error:
            if self.rewards.on_error == "raise":
                raise
            return error
