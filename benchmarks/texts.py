"""Made-up summaries that load a scorer as real news summaries do.

The figures to meet are those of 3,000 news pairs with references of 48 and candidates of 63
tokens on average, and of 100 long pairs of about 730 tokens a side: words of 4.6 letters, two
in five of them of at most three letters, one sentence in 14 to 23 tokens, ROUGE-1 F of .42
(long .54) and ROUGE-2 F of .19 (long .38).
"""

from __future__ import annotations

import bisect
import itertools
import random
from dataclasses import dataclass

FUNCTION_WORDS = (
    "the to a in of and was for on he is that his with at has as it said by from be have her "
    "who are after were had an will but they she not been this their its out up when him more "
    "one over about or into two all which would there also them could than first you year if"
).split()
ONSETS = "b br c ch cl d dr f fl g gr h j k l m n p pl pr r s sh sl st str t th tr v w".split()
VOWELS = "a a a e e e i i o o u ai ea ee ou".split()
CODAS = [*[""] * 5, *"b ck d l ll m n nd nt p r rt st t".split()]
ENDINGS = [*[""] * 4, *"s s ed ing er ly ation al ment ness".split()]
QUOTES = ("'", "\u2019")  # a real corpus has both


@dataclass(frozen=True)
class Shape:
    """How long the texts are, and how far the candidate follows its reference."""

    candidate_tokens: int
    reference_tokens: int
    sentence_tokens: tuple[int, int]
    copied: float  # share of the candidate's phrases that are the reference's
    phrase: tuple[int, int]  # tokens taken at once
    sources: int  # pairs that share one reference, as many systems do


SHORT = Shape(63, 48, (11, 23), 0.3, (1, 5), 15)
LONG = Shape(740, 725, (16, 32), 0.42, (2, 16), 1)


def make_pairs(shape: Shape, count: int, seed: int = 0) -> tuple[list[str], list[str]]:
    r"""Return `count` candidates and their references, one sentence to a line.

    >>> candidates, references = make_pairs(SHORT, 2, seed=1)
    >>> len(candidates), candidates[0].count("\n") >= 2
    (2, True)
    """
    writer = _Writer(random.Random(seed))
    candidates: list[str] = []
    references: list[str] = []
    reference: list[list[str]] = []
    for row in range(count):
        if row % shape.sources == 0:
            reference = writer.text(shape.reference_tokens, shape.sentence_tokens)
        candidates.append(_print(writer.retell(reference, shape)))
        references.append(_print(reference))
    return candidates, references


class _Writer:
    """Draws words from a Zipf distribution and puts them into sentences."""

    def __init__(self, rng: random.Random, types: int = 12_000) -> None:
        self.rng = rng
        words = list(FUNCTION_WORDS)
        known = set(words)
        while len(words) < types:
            word = self._new_word()
            if word not in known:
                known.add(word)
                words.append(word)
        self.words = words
        self.weights = list(itertools.accumulate((rank + 4) ** -1.12 for rank in range(types)))

    def _new_word(self) -> str:
        rng = self.rng
        syllables = rng.choices((1, 2), (7, 2))[0]
        stem = "".join(
            rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS) for _ in range(syllables)
        )
        word = stem + rng.choice(ENDINGS)
        return word.capitalize() if rng.random() < 0.15 else word

    def word(self) -> str:
        """Return the next word: a number, a contraction's rest, or one of the vocabulary."""
        draw = self.rng.random()
        if draw < 0.03:
            return str(self.rng.choice((self.rng.randrange(100), self.rng.randrange(1900, 2030))))
        if draw < 0.045:
            return self.rng.choice(QUOTES) + "s"
        rank = bisect.bisect(self.weights, self.rng.random() * self.weights[-1])
        return self.words[rank]

    def text(self, tokens: int, sentence_tokens: tuple[int, int]) -> list[list[str]]:
        """Return sentences of about `tokens` words together."""
        length = round(tokens * self.rng.uniform(0.8, 1.2))
        sentences = []
        while length > 0:
            size = min(length, self.rng.randint(*sentence_tokens))
            sentences.append(self._topical(size))
            length -= size
        return sentences

    def _topical(self, size: int) -> list[str]:
        """Return a sentence; a text comes back to its own words, so some are drawn twice."""
        sentence: list[str] = []
        for _ in range(size):
            again = len(sentence) > 4 and self.rng.random() < 0.04
            sentence.append(self.rng.choice(sentence) if again else self.word())
        return sentence

    def retell(self, reference: list[list[str]], shape: Shape) -> list[list[str]]:
        """Return a candidate that takes phrases from the reference, in order, between its own."""
        source = [word for sentence in reference for word in sentence]
        length = round(shape.candidate_tokens * self.rng.uniform(0.7, 1.3))
        told: list[str] = []
        while len(told) < length:
            size = self.rng.randint(*shape.phrase)
            if self.rng.random() < shape.copied:
                place = len(told) * len(source) // length + self.rng.randint(-6, 6)
                place = max(0, min(place, len(source) - size))
                told += source[place : place + size]
            else:
                told += [self.word() for _ in range(size)]
        return self._cut(told[:length], shape.sentence_tokens)

    def _cut(self, words: list[str], sentence_tokens: tuple[int, int]) -> list[list[str]]:
        sentences = []
        start = 0
        while start < len(words):
            end = start + self.rng.randint(*sentence_tokens)
            sentences.append(words[start:end])
            start = end
        return sentences


def _print(sentences: list[list[str]]) -> str:
    """Write sentences as a tokenised corpus has them: blanks around punctuation, one on a line."""
    lines = []
    for sentence in sentences:
        words = list(sentence)
        words[0] = words[0].capitalize()
        if len(words) > 8:
            words.insert(len(words) // 2, ",")
        lines.append(" ".join(words) + " .")
    return "\n".join(lines)
