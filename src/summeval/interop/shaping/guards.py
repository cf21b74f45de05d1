"""Guards of a reward: what no good summary lacks, each a factor from 0 to 1.

A guard reads the completion and, for what is usual, the references or the source that it is
compared with. Each is 1 for almost every text that a person wrote, so it pushes a model nowhere; it
falls for texts that a metric of words would be fooled by.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from summeval.text.word_order import WordOrder, shipped, split

VERSION = 1  # changes with any factor below
NAMES = ("order", "ending", "length", "characters")

# Of a summary without references: its number of words beside the square root of the source's.
_SHORTEST, _LONGEST = 0.7, 4.5
_LEAST_WORDS = 4
# How fast the factor falls beyond the usual lengths: the standard deviation of the logarithm.
_SHORT_SPREAD, _LONG_SPREAD = 0.8, 0.45
_SLACK = 1.25  # how far beyond the references a length is still usual
_ORDER_LOW, _ORDER_HIGH = -0.2, 0.1  # word order of no text, and of nearly every text
_BAD_ENDING = -0.6
_READ = 4000  # characters of a source that its word order is taken from


@dataclass(frozen=True)
class Ground:
    """What is usual beside given references or a given source.

    Attributes
    ----------
    shortest, longest : float
        Numbers of words between which the factor of the length is 1.
    order : float
        The word order (`text.word_order`) from which its factor is 1.
    ends : bool
        Whether a text ends in a mark.
    characters : frozenset of str
        The characters beyond ASCII.
    scripts : frozenset of str
        The scripts of the letters, by the first word of their Unicode names.
    """

    shortest: float
    longest: float
    order: float
    ends: bool
    characters: frozenset[str]
    scripts: frozenset[str]

    def guards(self, text: str) -> tuple[tuple[float, float, float, float], list[str]]:
        """The factors in the order of NAMES, and the words of the text in lower case.

        >>> ground = ground_of(["The storm hit the coast on Monday."], [])
        >>> found, words = ground.guards("The storm hit the coast.")
        >>> found, len(words)
        ((1.0, 1.0, 1.0, 1.0), 6)
        >>> ground.guards("coast storm Monday hit the")[0][1]
        0.7
        """
        words = split(text)
        order = shipped()
        count = len([word for word in words if word not in ".,;:!?"])
        if not count:
            return (0.0, 0.0, 0.0, 0.0), words
        sound = (order.score(words) - _ORDER_LOW) / (self.order - _ORDER_LOW)
        return (
            min(max(sound, 0.0), 1.0),
            self._ending(order, words),
            self._length(count),
            self._clean(text),
        ), words

    def _ending(self, order: WordOrder, words: Sequence[str]) -> float:
        """1 at the end of a sentence, less where it breaks off."""
        marked = words[-1] in ".!?"
        if not self.ends and not marked:
            return 1.0
        if order.ending(words) < _BAD_ENDING:
            return 0.7
        return 1.0 if marked else 0.85

    def _length(self, count: int) -> float:
        if count > self.longest:
            far = math.log(count / self.longest) / _LONG_SPREAD
        elif count < self.shortest:
            far = math.log(self.shortest / count) / _SHORT_SPREAD
        else:
            return 1.0
        return math.exp(-0.5 * far * far)

    def _clean(self, text: str) -> float:
        """1 less ten times the share of characters that stand for others or cannot be seen."""
        if text.isascii():
            return 1.0
        odd = 0
        for character in text:
            if character > "\x7f" and character not in self.characters:
                script = script_of(character)
                odd += script is None or (script != "" and script not in self.scripts)
        return max(0.0, 1.0 - 10 * odd / len(text))


def ground_of(references: Iterable[str], sources: Iterable[str]) -> Ground:
    """What is usual beside these references, or beside the source where there are none."""
    references = [text for text in references if text.strip()]
    sources = [text for text in sources if text.strip()]
    if references:
        lengths = [
            len([word for word in split(text) if word not in ".,;:!?"]) for text in references
        ]
        shortest, longest = min(lengths) / _SLACK, max(lengths) * _SLACK
    else:
        root = math.sqrt(sum(len(text.split()) for text in sources))
        shortest, longest = _SHORTEST * root, max(_LONGEST * root, 2.0 * _LEAST_WORDS)
    order = shipped()
    models = references or [text[:_READ] for text in sources]
    found = [order.score(split(text)) for text in models]
    # Another language has another order: then the completion's need be no better.
    usual = min([_ORDER_HIGH, *(value - 0.2 for value in found)])
    every = [*references, *sources]
    letters = {character for text in every for character in text}
    ends = all(text.rstrip().endswith(_ENDS) for text in references)
    return Ground(
        max(shortest, _LEAST_WORDS),
        max(longest, _LEAST_WORDS),
        max(usual, _ORDER_LOW + 0.05),
        ends,
        frozenset(letter for letter in letters if letter > "\x7f"),
        frozenset(filter(None, ["LATIN", *map(script_of, letters)])),
    )


_ENDS = (".", "!", "?", '"', "'", "”", "’", ")", "…")


@lru_cache(maxsize=4096)
def script_of(character: str) -> str | None:
    r"""The script of a letter, "" of other characters, None if it is invisible or a stand-in.

    >>> [script_of(character) for character in ("é", "а", "—", "\u200b", "ｆ")]
    ['LATIN', 'CYRILLIC', '', None, None]
    """
    category = unicodedata.category(character)
    if category in ("Cf", "Cc", "Co", "Cn", "Cs"):
        return "" if character in "\n\t\r" else None
    if category[0] == "M":
        return None
    if category[0] not in "LN":
        return ""
    if unicodedata.normalize("NFKC", character) != character:
        return None
    if category[0] == "N":
        return ""
    return unicodedata.name(character, "").partition(" ")[0]
