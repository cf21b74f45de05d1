"""Names of metrics: presets, and the spellings of papers and other programs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from summeval._options import shown, unknown

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
        tuple(
            "rouge1 rouge2 rougeL rougeLsum rougeW rougeS4 rougeSU4 tesla-s"
            " tesla-m tesla-e autosummeng memog npower bipartite readability".split()
        ),
    ),
    "faithful": Preset(
        "beside the source, without references", ("support", "simetrix", "extractiveness")
    ),
}


def expanded(names: Iterable[Any]) -> list[Any]:
    """Return the names with those of each preset in its place, each name once; metric objects stay.

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


_ELSEWHERE = (
    "alignscore bartscore blanc bleurt comet factcc geval moverscore qafacteval questeval summac"
    " unieval"
).split()  # well known, and like names that mean something else
_ROUGE = re.compile(
    r"r(?:ouge)?[-_ ]*(?:(?P<n>[1-9])|(?P<sum>l[-_ ]*sum)|(?P<lcs>l)"
    r"|w(?:[-_ ]*(?P<weight>\d+(?:\.\d+)?))?|(?P<skip>su?)[-_ ]*(?P<gap>\d{1,6}|\*))",
    re.ASCII,
)


def meant(name: str, known: Iterable[str]) -> str | None:
    """Return the metric that a name in another spelling means; None if that is not certain.

    Case, hyphens, underscores and blanks do not count; `r` may stand for `rouge`.

    >>> [meant(name, []) for name in ("ROUGE-1", "Rouge_L", "r2", "rouge-lsum", "R-SU4", "rouge w")]
    ['rouge1', 'rougeL', 'rouge2', 'rougeLsum', 'rougeSU4', 'rougeW']
    >>> meant("TESLA_S", ["tesla-s", "tesla-m"]), meant("rouge", ["rouge1"])
    ('tesla-s', None)
    """
    found = _ROUGE.fullmatch(name.lower())
    if found is not None:
        return _rouge(found)
    like = [one for one in known if _plain(one) == _plain(name)]
    return like[0] if len(like) == 1 else None


def advice(name: str, known: Iterable[str]) -> str:
    """Return the message for a name that is no metric's, with what may have been meant.

    >>> print(advice("classic", ["rouge1"]))
    unknown metric 'classic'; did you mean preset:classic?
    >>> print(advice("rouge1.recall", ["rouge1"]))
    unknown metric 'rouge1.recall'; name the metric, rouge1: all its fields come with it
    """
    names, said = list(known), f"unknown metric {shown(name)}"
    base = name.rpartition(".")[0]
    usual = meant(name, names)
    if usual is not None or name in PRESETS:
        return f"{said}; did you mean {usual or START + name}?"
    whole = base if base in names else meant(base, names)
    if whole is not None:
        return f"{said}; name the metric, {whole}: all its fields come with it"
    if _plain(name) in _ELSEWHERE:
        return f"{said}; summeval has none of this name, and `summeval metrics` lists those it has"
    family = [one for one in names if re.match(f"{re.escape(name)}[-0-9A-Z]", one)]
    if len(family) > 1:
        return f"{said}; choose from {', '.join(family)}"
    return unknown("metric", name, names)


def _rouge(found: re.Match[str]) -> str:
    if found["n"]:
        return f"rouge{found['n']}"
    if found["sum"] or found["lcs"]:
        return "rougeLsum" if found["sum"] else "rougeL"
    if found["skip"]:
        return f"rouge{found['skip'].upper()}{found['gap']}"
    return f"rougeW-{found['weight']}" if found["weight"] else "rougeW"


def _plain(name: str) -> str:
    return re.sub(r"[-_ ]", "", name.casefold())
