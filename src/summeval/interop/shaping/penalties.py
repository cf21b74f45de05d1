"""What is taken off the reward of a text for its form: its length, and what it repeats."""

from __future__ import annotations

import re
from dataclasses import dataclass
from numbers import Real

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class LengthPenalty:
    """A penalty on the reward of long texts.

    Nothing up to `limit - buffer` words, then linearly more, `weight` from `limit` words on: the
    soft overlong punishment of Yu et al. 2025, "DAPO: An Open-Source LLM Reinforcement Learning
    System at Scale", section 3.4, eq. 13, there in model tokens. Words are separated by blanks.

    Raises
    ------
    ValueError
        Unless 0 <= buffer <= limit and weight >= 0.

    Examples
    --------
    >>> penalty = LengthPenalty(limit=6, buffer=4, weight=0.5)
    >>> [penalty.of(words * "word ") for words in (2, 4, 6, 60)]
    [0.0, 0.25, 0.5, 0.5]
    """

    limit: int
    buffer: int = 0
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.buffer <= self.limit:
            raise ValueError(f"buffer is {self.buffer!r}; give from 0 to limit ({self.limit!r})")
        if not self.weight >= 0:
            raise ValueError(f"weight is {self.weight!r}; give a number of at least 0")

    def of(self, text: str) -> float:
        """The penalty of a text, from 0 to `weight`."""
        over = len(text.split()) - (self.limit - self.buffer)
        if over <= 0:
            return 0.0
        return self.weight * min(over / self.buffer, 1.0) if self.buffer else self.weight


@dataclass(frozen=True)
class RepetitionPenalty:
    """A penalty on the reward of texts that repeat themselves.

    `weight` times the share of words that end a run of `words` words met before in the text: the
    n-gram repetition of Welleck et al. 2020, "Neural Text Generation with Unlikelihood Training",
    section 6. Case and punctuation do not count. Only words that the same text repeats count, not
    those of the references.

    Raises
    ------
    ValueError
        Unless weight >= 0 and words >= 1.

    Examples
    --------
    >>> penalty = RepetitionPenalty(weight=0.5)
    >>> [penalty.of(text) for text in ("the cat sat down", "ha ha ha ha ha ha ha ha ha ha", "")]
    [0.0, 0.35, 0.0]
    """

    weight: float = 1.0
    words: int = 3

    def __post_init__(self) -> None:
        if isinstance(self.weight, bool) or not isinstance(self.weight, Real):
            kind = type(self.weight).__name__
            raise TypeError(f"repetition_penalty is {kind}; give a weight or a RepetitionPenalty")
        if not self.weight >= 0:
            raise ValueError(f"weight is {self.weight!r}; give a number of at least 0")
        if self.words < 1:
            raise ValueError(f"words is {self.words!r}; give at least 1")

    def of(self, text: str) -> float:
        """The penalty of a text, from 0 to `weight`."""
        return self.of_words(_WORD.findall(text.lower()))

    def of_words(self, words: list[str]) -> float:
        """The same for a text in words of lower case."""
        return self.weight * repeated_share(words, self.words)


def repeated_share(words: list[str], size: int = 3) -> float:
    """The share of words that end a run of `size` words met before.

    >>> repeated_share("a b c d a b c d".split())
    0.25
    """
    runs = len(words) - size + 1
    if runs < 2:
        return 0.0
    later = [words[start:] for start in range(1, size)]
    distinct = len(set(zip(words, *later, strict=False)))
    return (runs - distinct) / len(words)
