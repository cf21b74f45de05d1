"""Presets: named lists of metrics, `preset:classic` wherever names of metrics are taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from summeval._options import unknown

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
    "faithful": Preset("beside the source, without references", ("support", "simetrix")),
}


def expanded(names: Iterable[Any]) -> list[Any]:
    """The names with those of each preset in its place, each name once; metric objects stay.

    Raises
    ------
    ValueError
        For an unknown preset; the message suggests the nearest.

    Examples
    --------
    >>> expanded(["rouge2", "preset:classic", "tesla-s"])
    ['rouge2', 'rouge1', 'rougeLsum', 'tesla-s']
    >>> expanded(["preset:clasic"])
    Traceback (most recent call last):
    ValueError: unknown preset 'preset:clasic'; did you mean preset:classic or preset:fast or preset:aesop?
    """
    given = list(names)
    if not any(_is_preset(name) for name in given):
        return given
    # what was named, or made with options, stays where it is; a preset adds the rest
    taken = {name if isinstance(name, str) else getattr(name, "name", None) for name in given}
    found: list[Any] = []
    for name in given:
        if not _is_preset(name):
            if not isinstance(name, str) or name not in found:
                found.append(name)
            continue
        if name.removeprefix(START) not in PRESETS:
            raise ValueError(unknown("preset", name, [START + known for known in PRESETS]))
        members = PRESETS[name.removeprefix(START)].names
        found += [member for member in members if member not in taken and member not in found]
    return found


def _is_preset(name: object) -> bool:
    return isinstance(name, str) and name.startswith(START)
