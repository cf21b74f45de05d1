"""sacrebleu's tokenizers: called with a text, they return its tokens between blanks."""

from __future__ import annotations

from summeval.text.tokenizers import tagger, tokens


class Tokenizer:
    """One of `summeval.text.tokens`, by its name."""

    name = "none"

    def __call__(self, line: str) -> str:
        """Return the tokens between blanks."""
        return " ".join(tokens(line, self.name))

    def signature(self) -> str:
        """Return its name in signatures."""
        return self.name


def tokenizer(name: str) -> Tokenizer:
    """Return the one with this name.

    >>> tokenizer("13a")("It's 3.5%.")
    "It's 3.5 % ."
    """
    made = _MeCab() if name.endswith("-mecab") else Tokenizer()
    made.name = name
    return made


class _MeCab(Tokenizer):
    """A tokenizer with MeCab, whose version the signature has."""

    def signature(self) -> str:
        language = self.name[:2]
        ending = {"ja": "IPA", "ko": "KO"}[language]
        return f"{self.name}-{tagger(language).version()}-{ending}"
