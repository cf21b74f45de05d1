"""Whether words stand in the order of English sentences, told by neighbouring function words.

A bag of keywords, or a sentence whose words were shuffled, has neighbours that no sentence has:
`the of`, `is and`. The table holds how much more often a class of words follows another than it
would by chance; it comes from ci/resources/word_order.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from operator import getitem

STEP = 0.05  # of the logarithms in the table
MARKS = (".", ",", ";", ":")
# Classes of words that are no function words: the first ending that fits; "" fits every word.
ENDINGS = ("0", "ing", "ed", "ly", "ion", "ment", "ity", "er", "al", "ous", "ive", "ic", "s", "")
_ENDINGS = frozenset(ENDINGS[1:-1])
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_KEPT = "_.,;:!?"
_PLAIN = bytes(c if c > 127 or chr(c).isalnum() or chr(c) in _KEPT else 32 for c in range(256))
_APART = [(mark.encode(), f" {mark} ".encode()) for mark in ".,;:!?"]
_SAME = {"!": ".", "?": "."}
_MOST = 1 << 16  # words whose class is kept


def split(text: str) -> list[str]:
    """Return the words and marks of a text, in lower case: runs of letters, digits and `_`.

    >>> split("It isn't far, is it?")
    ['it', 'isn', 't', 'far', ',', 'is', 'it', '?']
    """
    # what the pattern \w+|[.,;:!?] finds, in a fifth of the time
    text = text.lower()
    if not text.isascii():
        for character in {*_BEYOND_ASCII.findall(text)}:
            if not character.isalnum():
                text = text.replace(character, " ")
    data = text.encode().translate(_PLAIN)
    for mark, apart in _APART:
        if mark in data:
            data = data.replace(mark, apart)
    return data.decode().split()


def framed(text: str) -> list[str]:
    """Return the words and marks of a text with a mark before the first and after the last."""
    words = split(text)
    return [".", *words] if words and words[-1] in ".!?" else [".", *words, "."]


def class_of(word: str, numbers: Mapping[str, int]) -> int:
    """Return the class of a word: its own, that of its mark or that of its ending."""
    word = _SAME.get(word, word)
    if word in numbers and word not in ENDINGS:
        return numbers[word]
    if word[0].isdigit():
        return numbers["0"]
    # no ending is the end of another but "s" of "ous", so the longest that fits is the first one
    for size in (4, 3, 2, 1):
        ending = word[-size:]
        if ending in _ENDINGS and len(word) >= size:
            return numbers[ending]
    return numbers[""]


class WordOrder:
    """How far the words of a text stand in the order of English sentences.

    Examples
    --------
    >>> order = shipped()
    >>> good = order.score(split("The storm hit the coast, and two days later the trains ran."))
    >>> bad = order.score(split("The of hit storm coast the and, days the two ran later trains."))
    >>> bag = order.score(split("storm hit coast two days later trains ran"))
    >>> good > 0 > bad, good > bag
    (True, True)
    """

    def __init__(self, words: Sequence[str], pairs: Sequence[Sequence[int]]) -> None:
        names = [*MARKS, *ENDINGS, *words]
        self._numbers = {name: number for number, name in enumerate(names)}
        self._pairs = [bytes(value + 128 for value in row) for row in pairs]
        self._classes: dict[str, int] = {}

    @property
    def pairs(self) -> bytes:
        """For each class and the class after it 128, plus the logarithm in steps."""
        return b"".join(self._pairs)

    @property
    def own_classes(self) -> dict[str, int]:
        """The words and marks with a class of their own."""
        return {name: number for name, number in self._numbers.items() if name not in ENDINGS}

    @property
    def endings(self) -> dict[str, int]:
        """The classes of ENDINGS."""
        return {ending: self._numbers[ending] for ending in ENDINGS}

    def score(self, words: Sequence[str]) -> float:
        """Return the mean over neighbours of log P(second | first) / P(second); 0 without words.

        Parameters
        ----------
        words : sequence of str
            Of `split`.
        """
        if not words:
            return 0.0
        found = self._classes_of(words)
        pairs = self._pairs
        total = pairs[0][found[0]] + sum(map(getitem, map(pairs.__getitem__, found), found[1:]))
        count = len(found)
        if found[-1]:  # an end that no mark shows
            total += pairs[found[-1]][0]
            count += 1
        return STEP * (total / count - 128)

    def ending(self, words: Sequence[str]) -> float:
        """Return how well the last word ends a sentence: log P(mark | word) / P(mark)."""
        last = next((word for word in reversed(words) if word not in ".!?"), ".")
        return STEP * (self._pairs[self._classes_of([last])[0]][0] - 128)

    def _classes_of(self, words: Sequence[str]) -> bytes:
        """Return the class of each word; those met for the first time are kept."""
        try:
            return bytes(map(self._classes.__getitem__, words))
        except KeyError:
            pass
        if len(self._classes) > _MOST:
            self._classes = {}
        classes = self._classes
        for word in words:
            if word not in classes:
                classes[word] = class_of(word, self._numbers)
        return bytes([classes[word] for word in words])


@cache
def shipped() -> WordOrder:
    """Return the table for English that ships with the package."""
    path = resources.files("summeval.text").joinpath("data/word_order.json")
    table = json.loads(path.read_text(encoding="utf-8"))
    return WordOrder(table["words"], table["pairs"])
