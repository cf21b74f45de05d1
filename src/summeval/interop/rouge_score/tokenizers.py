"""Tokenizers of a RougeScorer: objects with a method `tokenize`."""

from __future__ import annotations

import abc
from collections.abc import Hashable, Sequence

from summeval.interop.rouge_score import tokenize


class Tokenizer(abc.ABC):
    """The base of tokenizers of one's own; tokens are compared by equality."""

    @abc.abstractmethod
    def tokenize(self, text: str) -> Sequence[Hashable]:
        """Return the tokens of a text, in order."""


class DefaultTokenizer(Tokenizer):
    """Runs of ASCII letters and digits, lower-cased, stemmed if wanted.

    >>> DefaultTokenizer(use_stemmer=True).tokenize("The friends had a meeting.")
    ['the', 'friend', 'had', 'a', 'meet']
    """

    def __init__(self, use_stemmer: bool = False) -> None:
        self.use_stemmer = bool(use_stemmer)

    def tokenize(self, text: str) -> list[str]:
        return tokenize.tokenize(text, _Porter() if self.use_stemmer else None)


class _Porter:
    """NLTK's PorterStemmer in its default mode."""

    def stem(self, word: str) -> str:
        from summeval.text import stemmer

        return stemmer("porter")(word)
