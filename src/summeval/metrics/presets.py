"""Presets: named lists of metrics, `preset:classic` wherever names of metrics are taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

START = "preset:"


class Preset(NamedTuple):
    """A named list of metrics.

    Attributes
    ----------
    says : str
        What the metrics have in common, in a few words.
    names : tuple of str
    """

    says: str
    names: tuple[str, ...]


PRESETS = {
    "classic": Preset("what most papers report", ("rouge1", "rouge2", "rougeLsum")),
    "aesop": Preset(
        "the metrics that Lin and others (2012) compare on AESOP",
        ("rouge2", "rougeSU4", "be", "tesla-s", "dicomer", "cremer"),
    ),
    "fast": Preset(
        "beside references, without a parser or an extra",
        (
            "rouge1",
            "rouge2",
            "rougeL",
            "rougeLsum",
            "rougeW",
            "rougeS4",
            "rougeSU4",
            "tesla-s",
            "tesla-m",
            "tesla-e",
            "autosummeng",
            "memog",
            "npower",
            "bipartite",
            "readability",
        ),
    ),
    "faithful": Preset(
        "beside the source, without references", ("support", "simetrix", "extractiveness")
    ),
}


def expanded(names: Iterable[Any]) -> list[Any]:
    """The names with those of each preset in its place, each name once; metric objects stay.

    Raises
    ------
    ValueError
        For an unknown preset.

    Examples
    --------
    >>> expanded(["rouge2", "preset:classic", "tesla-s"])
    ['rouge2', 'rouge1', 'rougeLsum', 'tesla-s']
    >>> expanded(["preset:x"])
    Traceback (most recent call last):
    ValueError: unknown preset:x; known: preset:classic, preset:aesop, preset:fast, preset:faithful
    """
    given = list(names)
    if not any(_is_preset(name) for name in given):
        return given
    # a metric that was made with options stays; a preset adds the others
    taken = {getattr(item, "name", None) for item in given if not isinstance(item, str)}
    found: list[Any] = []
    for item in given:
        if not isinstance(item, str):
            found.append(item)
            continue
        found += [name for name in _members(item) if name not in taken and name not in found]
    return found


def _members(name: str) -> tuple[str, ...]:
    if not _is_preset(name):
        return (name,)
    if name.removeprefix(START) not in PRESETS:
        known = ", ".join(START + preset for preset in PRESETS)
        raise ValueError(f"unknown {name}; known: {known}")
    return PRESETS[name.removeprefix(START)].names


def _is_preset(name: object) -> bool:
    return isinstance(name, str) and name.startswith(START)
