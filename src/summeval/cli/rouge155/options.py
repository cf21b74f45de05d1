"""The arguments of ROUGE-1.5.5: single-letter options with values, then the operands."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from summeval.cli.rouge155.settings import FORMATS
from summeval.metrics.elements.be_counts import MODES
from summeval.metrics.rouge.script import ScriptMeasure

VALUED = "bceflnprtwz23"
FLAGS = "adhHmsuUvx"

Number = TypeVar("Number", int, float)

_LONGEST = 100
_MOST_SAMPLES = 10_000_000
_LARGEST = 2**31 - 1  # the kernel's limit

# A rule for numbers: a test that rejects NaN and infinity, and its description.
Rule: TypeAlias = tuple[Callable[[float], bool], str]
_LENGTH: Rule = (lambda value: 0 <= value <= _LONGEST, f"a whole number from 0 to {_LONGEST}")
_LIMIT: Rule = (lambda value: 0 <= value <= _LARGEST, f"a whole number from 0 to {_LARGEST}")
_GAP: Rule = (lambda value: value <= _LARGEST, f"a whole number up to {_LARGEST}")
_POSITIVE: Rule = (lambda value: 0 < value < math.inf, "a number above 0")
_SHARE: Rule = (lambda value: 0 <= value <= 1, "a number from 0 to 1")
_PERCENT: Rule = (lambda value: 0 <= value <= 100, "a number from 0 to 100")
_SAMPLES: Rule = (
    lambda value: 1 <= value <= _MOST_SAMPLES,
    f"a whole number from 1 to {_MOST_SAMPLES}",
)
_TOTALS: Rule = (lambda value: value in (0, 1, 2), "0, 1 or 2")


class UsageError(Exception):
    """Invalid arguments; the message says which and why."""


@dataclass(frozen=True)
class Options:
    """The checked arguments of one run."""

    settings: str
    system: str
    list_format: str
    all_systems: bool
    measures: tuple[ScriptMeasure, ...]
    elements_mode: str
    stems: bool
    drops_stopwords: bool
    max_words: int
    max_bytes: int
    takes_best: bool
    alpha: float
    totals: int
    resamples: int
    confidence: str
    prints_evaluations: bool


def split_arguments(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Separate options from operands like Perl's getopts.

    Letters may share a dash. A value is the rest of the argument or the next argument, whatever it
    looks like. The first argument that is not an option ends the options.

    >>> split_arguments(["-mn4", "-2", "-1", "settings.xml", "-a"])
    ({'m': '', 'n': '4', '2': '-1'}, ['settings.xml', '-a'])
    """
    options: dict[str, str] = {}
    rest = list(arguments)
    while rest and len(rest[0]) > 1 and rest[0].startswith("-"):
        argument = rest.pop(0)
        if argument == "--":
            break
        letter, tail = argument[1], argument[2:]
        if letter in VALUED:
            if not tail and not rest:
                raise UsageError(f"-{letter} needs a value")
            options[letter] = tail or rest.pop(0)
        elif letter in FLAGS:
            options[letter] = ""
            if tail:
                rest.insert(0, "-" + tail)
        else:
            raise UsageError(f"unknown option -{letter}")
    return options, rest


def read_options(given: dict[str, str], operands: Sequence[str]) -> Options:
    """Check the result of `split_arguments`; UsageError names the first error."""
    if not operands:
        raise UsageError("no settings file; pass one")
    if "l" in given and "b" in given:
        raise UsageError("-l and -b cannot be combined: limit words or bytes")
    list_format = _choice(given, "z", FORMATS) if "z" in given else ""
    all_systems = "a" in given and not list_format
    if len(operands) < 2 and not all_systems and not list_format:
        raise UsageError("no system: name one after the settings file, or give -a for all")
    confidence = given.get("c", "95")
    _number(given, "c", float, 95.0, _PERCENT)
    return Options(
        settings=operands[0],
        system=operands[1] if len(operands) > 1 else "X",
        list_format=list_format,
        all_systems=all_systems,
        measures=tuple(_measures(given)),
        elements_mode=_choice(given, "3", MODES) if "3" in given else "",
        stems="m" in given,
        drops_stopwords="s" in given,
        max_words=_number(given, "l", int, 0, _LIMIT),
        max_bytes=_number(given, "b", int, 0, _LIMIT),
        takes_best=given.get("f") == "B",
        alpha=_number(given, "p", float, 0.5, _SHARE),
        totals=_number(given, "t", int, 0, _TOTALS),
        resamples=_number(given, "r", int, 1000, _SAMPLES),
        confidence=confidence,
        prints_evaluations="d" in given,
    )


def _number(
    given: dict[str, str],
    letter: str,
    kind: Callable[[str], Number],
    default: Number,
    rule: Rule,
) -> Number:
    """The value of an option, checked by a rule."""
    if letter not in given:
        return default
    try:
        value = kind(given[letter])
        accepted = rule[0](value)
    except ValueError:
        accepted = False
    if not accepted:
        raise UsageError(f"-{letter} must be {rule[1]}, not {given[letter]!r}")
    return value


def _choice(given: dict[str, str], letter: str, choices: Sequence[str]) -> str:
    value = given[letter].upper()
    if value not in choices:
        raise UsageError(f"-{letter} must be one of {', '.join(choices)}, not {given[letter]!r}")
    return value


def _measures(given: dict[str, str]) -> list[ScriptMeasure]:
    """The measures of a run, in the order of printing."""
    longest = _number(given, "n", int, 0, _LENGTH)
    measures = [ScriptMeasure(str(n), ("ngram", n, False, 0.0)) for n in range(1, longest + 1)]
    if "x" not in given and "3" not in given:
        measures.append(ScriptMeasure("L", ("union-lcs", 0, False, 0.0)))
    if "w" in given:
        weight = _number(given, "w", float, 1.0, _POSITIVE)
        measures.append(ScriptMeasure(f"W-{given['w']}", ("weighted-lcs", 0, False, weight)))
    if "2" in given:
        gap = _number(given, "2", int, 0, _GAP)
        size = given["2"] if gap >= 0 else "*"
        reach = max(gap, -1)
        if "U" in given or "u" not in given:
            measures.append(ScriptMeasure(f"S{size}", ("skip", reach, False, 0.0)))
        if "U" in given or "u" in given:
            measures.append(ScriptMeasure(f"SU{size}", ("skip", reach, True, 0.0)))
    if "3" in given:
        measures.append(ScriptMeasure(f"BE-{_choice(given, '3', MODES)}"))
    return measures
