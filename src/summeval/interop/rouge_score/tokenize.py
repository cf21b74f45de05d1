"""rouge-score's tokens of a text, with any stemmer that has a method `stem`."""

from __future__ import annotations

import re
from typing import Protocol

_TOKEN = re.compile("[a-z0-9]+")


class Stemmer(Protocol):
    """The protocol of stemmers that `tokenize` takes, NLTK's among them."""

    def stem(self, word: str) -> str: ...


def tokenize(text: str, stemmer: Stemmer | None) -> list[str]:
    """Runs of ASCII letters and digits of the lower-cased text; words of over 3 letters stemmed.

    A stem that is not of ASCII letters and digits is dropped.

    >>> tokenize("State-of-the-art CAFÉS", None)
    ['state', 'of', 'the', 'art', 'caf', 's']
    """
    tokens = _TOKEN.findall(text.lower())
    if stemmer is None:
        return tokens
    stems = (stemmer.stem(token) if len(token) > 3 else token for token in tokens)
    return [stem for stem in stems if _TOKEN.fullmatch(stem)]
