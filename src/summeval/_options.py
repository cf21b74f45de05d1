"""How any option is checked and refused: one validator for the package."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

MOST_WORKERS = 1024
_LEAST_LIKE = 0.6
_MOST_SHOWN = 80
_MOST_COMPARED = 100


def check_choice(option: str, value: object, choices: Sequence[Any]) -> None:
    """Raise unless `value` is one of `choices`."""
    if value not in choices:
        shown = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{option} is {value!r}; choose from {shown}")


def check_number(option: str, value: object) -> float:
    """The finite number that `value` is."""
    number = real(value)
    if number is None or not isfinite(number):
        raise ValueError(f"{option} is {value!r}; give a number")
    return number


def check_share(option: str, value: object) -> float:
    """The number from 0 to 1 that `value` is."""
    number = real(value)
    if number is None or not 0 <= number <= 1:
        raise ValueError(f"{option} is {value!r}; give a number from 0 to 1")
    return number


def check_label(label: str | None) -> None:
    """Raise unless `label` can name a metric in results."""
    if label is not None and (not isinstance(label, str) or not label):
        raise ValueError(f"label is {label!r}; give a str that is not empty, or None")


def check_workers(workers: int) -> int:
    """The number of threads that `workers` asks for: -1 is every processor of this process."""
    number = whole(workers)
    if number is None or number == 0 or number < -1:
        raise ValueError(f"workers is {workers!r}; give a number of threads, or -1 for all")
    if number > 0:
        return min(number, MOST_WORKERS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def whole(value: object) -> int | None:
    """The integer that `value` is; None where it is none, or a bool.

    >>> whole(3), whole(3.0), whole(True)
    (3, None, None)
    """
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def real(value: object) -> float | None:
    """The number that `value` is; None where it is none, or a bool.

    >>> real(3), real("3"), real(False), real(-(10**400))
    (3.0, None, None, -inf)
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number with more digits than a float holds
        return inf if abs(value) == value else -inf


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """The message for a name that is not known, with the nearest ones that are."""
    names = list(known)
    plain = {candidate: _plain(candidate) for candidate in names}
    forms = list(dict.fromkeys(plain.values()))
    wanted = _nearest(_plain(name[:_MOST_COMPARED]), forms) if isinstance(name, str) else []
    near = [found for form in wanted for found in names if plain[found] == form][:3]
    if near:
        return f"unknown {kind} {shown(name)}; did you mean {' or '.join(near)}?"
    return f"unknown {kind} {shown(name)}; known: {', '.join(names)}"


def shown(value: object) -> str:
    """The repr of a value of a file, which may be of any size, as it fits into a line.

    >>> shown("the cat"), shown("a" * 999)[-3:], len(shown(["a"] * 999))
    ("'the cat'", 'aa…', 80)
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits; lists in lists
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"


def _nearest(name: str, forms: Iterable[str]) -> list[str]:
    """The forms that are most like the name; of those that are equally like it, the first.

    >>> _nearest("rouge", ["rouge1", "rouge2", "rougeL", "be"])
    ['rouge1', 'rouge2', 'rougeL']
    """
    import difflib  # only for a message

    likeness = {form: difflib.SequenceMatcher(None, form, name).ratio() for form in forms}
    ranked = sorted(likeness, key=lambda form: -likeness[form])
    return [form for form in ranked if likeness[form] >= _LEAST_LIKE][:3]


def _plain(name: str) -> str:
    """The name without what people write differently: case, hyphens, underscores."""
    return "".join(char for char in name.lower() if char.isalnum() or char == "*")
