"""Reward functions for verl.

In the configuration of a run:

    reward.custom_reward_function.path=pkg://summeval.interop.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.metrics=rougeLsum

verl is not imported; the convention is that of verl 0.9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from summeval.interop.reward import LengthPenalty, RepetitionPenalty, Rewards, Texts, without_none

_REWARDS: dict[str, Rewards] = {}
_KEPT = 64
_FROM_VERL = ("reward_router_address", "reward_model_tokenizer")  # for rewards that call a model


def compute_score(
    data_source: Any, solution_str: str, ground_truth: Texts, extra_info: Any = None, **options: Any
) -> float | dict[str, float]:
    """Return the reward of one solution.

    Parameters
    ----------
    data_source
        Not read.
    extra_info : mapping, optional
        Holds the source, for metrics that compare with it.
    solution_str : str
    ground_truth : str or sequence of str
        The references.
    metrics, **options
        As in `Rewards`, from `reward_kwargs`; `length_penalty` and `repetition_penalty` may be
        mappings with the arguments of LengthPenalty and RepetitionPenalty. `missing` is 0 by
        default, for verl takes no None.
    preset : {"content", "faithful", "overall"}, optional
        Instead of metrics: `Rewards.preset` with the options.
    source_key : str, optional
        The key of the source in `extra_info`.
        With `on_error="skip"` a solution that is refused has the lowest reward, and ends no run.
    parts : bool, optional
        Whether to return a dict, as verl takes it: the reward as `score`, and each part of
        `Rewards.judge` under its name, with `missing` where it has no number. verl keeps the parts
        beside the reward, and validation reports their means.

    Raises
    ------
    TypeError, ValueError
        As `Rewards`.

    Examples
    --------
    >>> compute_score("xsum", "the cat", "the cat sat down", metrics="rouge1", field="recall")
    0.5
    >>> compute_score("xsum", "the cat", "the cat", metrics=["rouge1", "rouge2"], parts=True)
    {'score': 2.0, 'rouge1': 1.0, 'rouge2': 1.0}
    """
    rows = [data_source], [solution_str], [ground_truth], [extra_info]
    return compute_scores(*rows, **options)[0]


async def compute_score_async(
    data_source: Any, solution_str: str, ground_truth: Texts, extra_info: Any = None, **options: Any
) -> float | dict[str, float]:
    """Return what `compute_score` returns, from a thread; meanwhile the event loop goes on.

    >>> import asyncio
    >>> asyncio.run(compute_score_async("xsum", "the cat", "a cat", metrics="rouge1"))
    0.5
    """
    import asyncio

    given = data_source, solution_str, ground_truth, extra_info
    return await asyncio.to_thread(compute_score, *given, **options)


def compute_scores(
    data_sources: Sequence[Any],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Texts],
    extra_infos: Sequence[Any] | None = None,
    *,
    metrics: Any = None,
    preset: str | None = None,
    source_key: str | None = None,
    parts: bool = False,
    **options: Any,
) -> list[float] | list[dict[str, float]]:
    """Return the rewards of many solutions, for verl's batch reward manager; see `compute_score`.

    >>> compute_scores(["xsum"] * 2, ["the cat", "a dog"], ["the cat", None], metrics="rouge2")
    [1.0, 0.0]
    """
    options = {name: value for name, value in options.items() if name not in _FROM_VERL}
    rewards = _rewards(metrics, preset, options)
    truths = [_plain(truth) for truth in ground_truths]
    sources = None
    if "source" in rewards.reads:
        sources = _sources(extra_infos, source_key, len(solution_strs))
    judged = rewards.judge(solution_strs, truths, sources)
    found = [reward for reward in judged.rewards if reward is not None]  # `missing` is a number
    if not parts:
        return found
    missing = rewards.missing or 0.0
    names = [*judged.parts]
    columns = [[missing if isnan(x) else x for x in column] for column in judged.parts.values()]
    return [
        {"score": reward, **dict(zip(names, values, strict=True))}
        for reward, *values in zip(found, *columns, strict=True)
    ]


def _sources(infos: Sequence[Any] | None, key: str | None, rows: int) -> list[Texts]:
    """Return the source of each solution."""
    if key is None:
        raise ValueError("these rewards compare with the source; pass source_key=")
    sources: list[Texts] = []
    for row, info in enumerate([None] * rows if infos is None else infos):
        if not isinstance(info, Mapping) or key not in info:
            raise KeyError(f"extra_info of row {row} has no {key!r}; put the source there")
        sources.append(_plain(info[key]))
    return sources


def _rewards(metrics: Any, preset: str | None, options: dict[str, Any]) -> Rewards:
    """Return the rewards of these arguments, made once."""
    key = repr((metrics, preset, sorted(options.items())))
    found = _REWARDS.get(key)
    if found is None:
        for name, made in (
            ("length_penalty", LengthPenalty),
            ("repetition_penalty", RepetitionPenalty),
        ):
            if isinstance(options.get(name), Mapping):
                options = {**options, name: made(**options[name])}
        if len(_REWARDS) >= _KEPT:
            _REWARDS.clear()
        found = _REWARDS.setdefault(key, without_none(metrics, preset, options, "verl"))
    return found


def _plain(truth: Any) -> Any:
    """Texts as passed by verl: lists read from Parquet are NumPy arrays."""
    return truth.tolist() if hasattr(truth, "tolist") else truth
