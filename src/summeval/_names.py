"""What to say about a name that is not known, and how to show a value in a message."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LEAST_LIKE = 0.6
_MOST_SHOWN = 80
_MOST_COMPARED = 100


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
    likeness = {form: difflib.SequenceMatcher(None, form, name).ratio() for form in forms}
    ranked = sorted(likeness, key=lambda form: -likeness[form])
    return [form for form in ranked if likeness[form] >= _LEAST_LIKE][:3]


def _plain(name: str) -> str:
    """The name without what people write differently: case, hyphens, underscores."""
    return "".join(char for char in name.lower() if char.isalnum() or char == "*")
