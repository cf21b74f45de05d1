"""What to say about a name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """The message for a name that is not known, with the nearest ones that are."""
    names = list(known)
    near = difflib.get_close_matches(str(name), names, 3, 0.5)
    if near:
        return f"unknown {kind} {name!r}; did you mean {' or '.join(near)}?"
    return f"unknown {kind} {name!r}; known: {', '.join(names)}"
