"""The texts in what a framework hands over: by key, by function, or as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Key = str | Callable[[Any], Any]


def text_of(holder: Any, key: Key | None, place: str, option: str = "") -> Any:
    """Return the text or texts that a key or function finds in a holder.

    Without a key what is no mapping is the text itself, and so is the only entry of a mapping.

    Raises
    ------
    KeyError
        There is no such entry, or there are several and no key; the message calls the holder
        `place`, and the argument that gives the key `option`.

    Examples
    --------
    >>> text_of({"summary": "the cat", "id": 3}, "summary", "the output")
    'the cat'
    >>> text_of("the cat", None, "the output"), text_of({"a": "b"}, None, "the output")
    ('the cat', 'b')
    >>> text_of({"summary": "the cat", "id": 3}, None, "the output", "candidate")
    Traceback (most recent call last):
    KeyError: 'the output has several entries; name one with candidate=: summary, id'
    """
    if callable(key):
        return key(holder)
    if key is None:
        if not isinstance(holder, Mapping):
            return holder
        if len(holder) == 1:
            return next(iter(holder.values()))
        several = f"{place} has several entries; name one with {option}=: {', '.join(holder)}"
        raise KeyError(several if holder else f"{place} has no entry")
    if not isinstance(holder, Mapping) or key not in holder:
        known = ", ".join(holder) if isinstance(holder, Mapping) else ""
        raise KeyError(f"{place} has no {key!r}; it has: {known or 'nothing'}")
    return holder[key]
