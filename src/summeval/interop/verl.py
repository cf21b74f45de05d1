"""Reward functions for verl.

In the configuration of a run:

    reward.custom_reward_function.path=pkg://summeval.interop.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.metrics=rougeLsum

verl is not imported; the convention is that of verl 0.9.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from summeval.interop.reward import LengthPenalty, Rewards, Texts
from summeval.interop.shared.reward_function import without_none

_REWARDS: dict[str, Rewards] = {}
_LOCK = threading.Lock()
_KEPT = 64
_FROM_VERL = ("reward_router_address", "reward_model_tokenizer")  # for rewards that call a model


def compute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Texts,
    extra_info: Any = None,
    *,
    metrics: Any = "rougeLsum",
    **options: Any,
) -> float:
    """The reward of one solution.

    Parameters
    ----------
    data_source, extra_info
        Not read.
    solution_str : str
    ground_truth : str or sequence of str
        The references.
    metrics, **options
        As in `Rewards`, from `reward_kwargs`; `length_penalty` may be a mapping with the arguments
        of LengthPenalty. `missing` is 0 by default, for verl takes no None.
        With `on_error="skip"` a solution that is refused has the lowest reward, and ends no run.

    Raises
    ------
    TypeError, ValueError
        As `Rewards`.

    Examples
    --------
    >>> compute_score("xsum", "the cat", "the cat sat down", metrics="rouge1", field="recall")
    0.5
    """
    return compute_scores(
        [data_source], [solution_str], [ground_truth], metrics=metrics, **options
    )[0]


def compute_scores(
    data_sources: Sequence[Any],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Texts],
    extra_infos: Any = None,
    *,
    metrics: Any = "rougeLsum",
    **options: Any,
) -> list[float]:
    """The rewards of many solutions, for verl's batch reward manager; see `compute_score`.

    >>> compute_scores(["xsum"] * 2, ["the cat", "a dog"], ["the cat", None], metrics="rouge2")
    [1.0, 0.0]
    """
    options = {name: value for name, value in options.items() if name not in _FROM_VERL}
    rewards = _rewards(metrics, options)
    truths = [_references(truth) for truth in ground_truths]
    found = rewards(solution_strs, truths)
    return [reward for reward in found if reward is not None]  # `missing` is a number


def _rewards(metrics: Any, options: dict[str, Any]) -> Rewards:
    """The rewards of these arguments, made once."""
    key = repr((metrics, sorted(options.items())))
    found = _REWARDS.get(key)
    if found is None:
        penalty = options.get("length_penalty")
        if isinstance(penalty, Mapping):
            options = {**options, "length_penalty": LengthPenalty(**penalty)}
        with _LOCK:
            if len(_REWARDS) >= _KEPT:
                _REWARDS.clear()
            found = _REWARDS.setdefault(key, without_none(metrics, options, "verl"))
    return found


def _references(truth: Any) -> Texts:
    """The references as passed by verl: lists read from Parquet are NumPy arrays."""
    found: Texts = truth.tolist() if hasattr(truth, "tolist") else truth
    return found
