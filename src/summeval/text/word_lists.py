"""Word lists given by users, and labels that identify them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def word_list(option: str, words: Iterable[str]) -> tuple[frozenset[str], str]:
    """Check a user's word list; return it with a label that identifies it."""
    if isinstance(words, (str, bytes)) or not hasattr(words, "__iter__"):
        raise TypeError(f"{option} is a {type(words).__name__}; pass a list of str")
    found = frozenset(words)
    for word in found:
        if not isinstance(word, str):
            raise TypeError(f"{option} holds {type(word).__name__}; pass a list of str")
        if any("\ud800" <= char <= "\udfff" for char in word):
            raise ValueError(f"{option} holds {word!r}, an unpaired surrogate; leave it out")
    told = (word.replace("\\", "\\\\").replace("\n", "\\n") for word in sorted(found))
    digest = hashlib.sha256("\n".join(told).encode()).hexdigest()[:8]
    return found, f"{len(found)}-{digest}"


def stop_list(stopwords: bool | Iterable[str]) -> tuple[frozenset[str], str]:
    """The words given by `stopwords=`, and their label."""
    if stopwords is False or stopwords is None:
        return frozenset(), "none"
    if stopwords is True:
        from summeval.text.stopwords import rouge155

        return rouge155(), "rouge155"
    return word_list("stopwords", stopwords)
