"""What to say about a name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """The message for a name that is not known, with the nearest ones that are."""
    names = list(known)
    plain = {candidate: _plain(candidate) for candidate in names}
    forms = list(dict.fromkeys(plain.values()))
    wanted = difflib.get_close_matches(_plain(str(name)), forms, 3, 0.5)
    near = [found for form in wanted for found in names if plain[found] == form][:3]
    if near:
        return f"unknown {kind} {name!r}; did you mean {' or '.join(near)}?"
    return f"unknown {kind} {name!r}; known: {', '.join(names)}"


def _plain(name: str) -> str:
    """The name without what people write differently: case, hyphens, underscores."""
    return "".join(char for char in name.lower() if char.isalnum() or char == "*")
