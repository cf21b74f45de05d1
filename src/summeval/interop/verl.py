"""Reward functions for verl.

In the configuration of a run:

    reward.custom_reward_function.path=pkg://summeval.interop.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.metrics=rougeLsum

verl is not imported; the convention is that of verl 0.9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from math import isnan
from typing import Any

from summeval._options import unknown
from summeval.interop.reward import (
    LengthPenalty,
    RepetitionPenalty,
    Rewards,
    Texts,
    in_thread,
    without_none,
)
from summeval.interop.shared.remote import RemoteRewards
from summeval.metrics.option_groups import SharedOptions

_REWARDS: dict[str, Rewards | RemoteRewards] = {}
_KEPT = 64
_OWN = ("metrics", "preset", "source_key", "parts", "url")
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
        default, for verl takes no None. With `on_error="skip"` a solution that is refused has the
        lowest reward, and ends no run. A `group` is for `compute_scores`, which sees all of it.
    preset : {"content", "faithful", "overall"}, optional
        Instead of metrics: `Rewards.preset` with the options.
    source_key : str, optional
        The key of the source in `extra_info`.
    url : str, optional
        Of a `summeval serve` that gives the rewards, by `metrics` or `preset`, with `missing`,
        `timeout` and `tries` of `RemoteRewards`.
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
    if options.get("group") is not None:
        mend = "name compute_scores, and use the batch reward manager"
        raise ValueError(f"group= compares solutions, of which compute_score sees one; {mend}")
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
    given = data_source, solution_str, ground_truth, extra_info
    computes = options.get("preset") is not None and options.get("url") is None
    return await in_thread(compute_score, *given, computes=computes, **options)


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

    For the group term, solutions with one `index` in `extra_info` are a group or, without it, those
    of one ground truth.

    >>> compute_scores(["xsum"] * 2, ["the cat", "a dog"], ["the cat", None], metrics="rouge2")
    [1.0, 0.0]
    """
    options = {name: value for name, value in options.items() if name not in _FROM_VERL}
    rewards = _rewards(metrics, preset, options)
    truths = [_plain(truth) for truth in ground_truths]
    infos = [None] * len(solution_strs) if extra_infos is None else [*extra_infos]
    if isinstance(rewards, RemoteRewards):
        sources = None if source_key is None else _sources(infos, source_key)
        judged = rewards.judge(solution_strs, truths, sources)
    else:
        sources = _sources(infos, source_key) if "source" in rewards.reads else None
        groups = _groups(data_sources, truths, infos) if options.get("group") else None
        judged = rewards.judge(solution_strs, truths, sources, groups)
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


def _sources(infos: Sequence[Any], key: str | None) -> list[Texts]:
    """Return the source of each solution."""
    if key is None:
        raise ValueError("these rewards compare with the source; pass source_key=")
    sources: list[Texts] = []
    for row, info in enumerate(infos):
        if not isinstance(info, Mapping) or key not in info:
            there = ", ".join(map(repr, info)) if isinstance(info, Mapping) else ""
            mend = f"put the source there (it has {there or 'nothing'})"
            raise ValueError(f"extra_info of row {row} has no {key!r}; {mend}")
        sources.append(_plain(info[key]))
    return sources


def _groups(
    data_sources: Sequence[Any], truths: Sequence[Any], infos: Sequence[Any]
) -> list[tuple[str, str]]:
    """Return what the solutions of one prompt have in common: verl does not pass the prompt."""
    indexes = [info.get("index") if isinstance(info, Mapping) else None for info in infos]
    rows = zip(data_sources, truths, indexes, strict=True)
    return [(str(name), repr(truth if index is None else index)) for name, truth, index in rows]


def _rewards(metrics: Any, preset: str | None, options: dict[str, Any]) -> Rewards | RemoteRewards:
    """Return the rewards of these arguments, made once."""
    key = repr((metrics, preset, sorted(options.items())))
    found = _REWARDS.get(key)
    if found is None:
        if len(_REWARDS) >= _KEPT:
            _REWARDS.clear()
        found = _REWARDS.setdefault(key, _made(metrics, preset, options))
    return found


def _made(metrics: Any, preset: str | None, options: dict[str, Any]) -> Rewards | RemoteRewards:
    """Return new rewards of these arguments."""
    is_remote = options.get("url") is not None
    taken = signature(RemoteRewards if is_remote else Rewards).parameters
    known = [*_OWN, *(name for name in taken if name not in (*_OWN, "options"))]
    known += [] if is_remote else SharedOptions.__annotations__
    for name in options:
        if name not in known:
            raise TypeError(unknown("option of reward_kwargs", name, known))
    if is_remote:
        missing = {"missing": 0.0} if preset is None else {}
        return RemoteRewards(metrics=metrics, preset=preset, **{**missing, **options})
    options = {name: value for name, value in options.items() if name != "url"}
    made = {"length_penalty": LengthPenalty, "repetition_penalty": RepetitionPenalty}
    for name, kind in made.items():
        if isinstance(options.get(name), Mapping):
            options = {**options, name: kind(**options[name])}
    return without_none(metrics, preset, options, "verl")


def _plain(truth: Any) -> Any:
    """Texts as passed by verl: lists read from Parquet are NumPy arrays."""
    return truth.tolist() if hasattr(truth, "tolist") else truth
