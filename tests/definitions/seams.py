"""How a text is put together: what its runs of words cost, and how it copies."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import pairwise

from summeval.text import function_words
from summeval.text.word_order import class_of, shipped

MARKS = ".,;:!?"
NUMBERS = 20
_REACH, _LONG, _NEAR, _SHORT, _MOST = 5, 8, 12, 4, 12
_USUAL, _HIGH, _STEP = 16, 48, 16  # steps that are usual, and high; steps of a nat


class Ngrams:
    """The model of runs of words, from its file."""

    def __init__(self, data: bytes) -> None:
        at = 20
        size, words, pair_buckets, pairs, triple_buckets, triples = struct.unpack_from(
            "<6I", data, at
        )
        at += 24
        told = data[at : at + size].decode().rstrip("\n").split("\n")
        self.numbers = {word: 18 + place for place, word in enumerate(told)}
        at += size
        self._costs, self._leaving = data[at : at + words], data[at + words : at + 2 * words]
        at += 2 * words + -2 * words % 4

        def numbers(kind: str, count: int) -> tuple[int, ...]:
            nonlocal at
            found = struct.unpack_from(f"<{count}{kind}", data, at)
            at += struct.calcsize(f"<{count}{kind}")
            return found

        self._pair_starts, self._pairs = numbers("I", pair_buckets + 1), numbers("I", pairs)
        self._triple_starts, self._triples = (
            numbers("I", triple_buckets + 1),
            numbers("H", triples),
        )
        self._triple_costs = numbers("B", triples)

    def number(self, word: str) -> int:
        """The number of a word, or of its mark or ending."""
        if word in self.numbers:
            return self.numbers[word]
        order = shipped()
        own = class_of(word, {**order.own_classes, **order.endings})
        return own if own < 18 else 16  # the class of the ending "s" is that of the word

    def surprise(self, first: int, second: int, third: int) -> int:
        """What a word costs after two others, less what it costs anywhere, in steps."""
        mixed = _mix(first | second << 20 | third << 40)
        buckets = len(self._triple_starts) - 1
        bucket = (mixed >> 32) * buckets >> 32
        for place in range(self._triple_starts[bucket], self._triple_starts[bucket + 1]):
            if self._triples[place] == mixed & 0xFFFF:
                return self._triple_costs[place] - self._costs[third]
        before, own = self._pair(first | second << 20), self._pair(second | third << 20)
        back = 0 if before is None else before >> 24
        if own is not None:
            return back + (own >> 16 & 255) - self._costs[third]
        return back + self._leaving[second]

    def _pair(self, key: int) -> int | None:
        mixed = _mix(key)
        bucket = (mixed >> 32) * (len(self._pair_starts) - 1) >> 32
        for place in range(self._pair_starts[bucket], self._pair_starts[bucket + 1]):
            if self._pairs[place] & 0xFFFF == mixed & 0xFFFF:
                return self._pairs[place]
        return None


def _mix(key: int) -> int:
    most = (1 << 64) - 1
    key = key * 0x9E3779B97F4A7C15 & most
    key ^= key >> 32
    key = key * 0xD6E8FEB86659FD93 & most
    return key ^ key >> 32


@cache
def shipped_ngrams() -> Ngrams:
    """Return the model that ships with the package."""
    return Ngrams(resources.files("summeval.text").joinpath("data/english.ngrams").read_bytes())


def seams_of(tokens: Sequence[str], copied_from: Sequence[Sequence[str]]) -> tuple[float, ...]:
    """Return the numbers of a text; `copied_from`: the words and marks of what may be copied."""
    found = [0.0] * NUMBERS
    if not tokens:
        return tuple(found)
    text = [_plain(token) for token in tokens]
    source: list[str | None] = []
    for one in copied_from:
        source += [*map(_plain, one), None]  # no run goes from one text into the next
    surprises = _surprises(text)
    fragments = _fragments(text, source)
    copied = [False] * len(surprises)
    for begin, end in fragments:
        for k in range(1 if begin == 0 else begin + 2, end):
            copied[k] = k + 1 < end or end == len(text)
    gaps = float(len(surprises) + _REACH)
    own = sum(one for one, is_copied in zip(surprises, copied, strict=True) if not is_copied)
    worst = max(sum(surprises[max(0, k + 1 - _REACH) : k + 1]) for k in range(len(surprises)))
    lengths = [end - begin for begin, end in fragments]
    covered = sum(lengths)
    found[0] = sum(surprises) / (_STEP * gaps)
    found[1] = own / (_STEP * gaps)
    found[2] = worst / (_STEP * float(_REACH))
    found[3] = covered / len(text)
    found[4] = math.log(sum(length * length for length in lengths) / covered) if covered else 0.0
    found[5] = len(fragments) / len(text)
    found[6] = sum(length for length in lengths if length >= _LONG) / len(text)
    found[7:11] = _neighbours(text, source)
    found[11:16] = [found[k] * found[3] for k in (0, 1, 2, 5, 7)]
    few = function_words.english()
    frames = [True, *(token in MARKS or token in few for token in text), True]
    is_frame = frames[1 : len(surprises) + 1]
    frame = [one for one, own in zip(surprises, is_frame, strict=True) if own]
    both = [
        one for one, own, before in zip(surprises, is_frame, frames, strict=False) if own and before
    ]
    found[16] = sum(frame) / (_STEP * float(len(frame) + _REACH))
    found[17] = sum(both) / (_STEP * float(len(both) + _REACH))
    found[18] = sum(one >= _HIGH for one in surprises) / gaps
    found[19] = found[16] * found[3]
    return tuple(found)


def factor(numbers: Sequence[float], weights: Sequence[float], low: float, high: float) -> float:
    """Return 1 up to `low` of the weighted sum of the numbers, 0 from `high` on."""
    total = 0.0
    for weight, number in zip(weights, numbers, strict=True):
        total += weight * number
    return min(1.0, max(0.0, (high - total) / (high - low)))


def _plain(token: str) -> str:
    return "." if token in ("!", "?") else token


def _surprises(text: Sequence[str]) -> list[int]:
    """Of each word and mark, and of the end if no mark is there, beyond what is usual."""
    model = shipped_ngrams()
    numbers = [0, 0, *map(model.number, text)]
    if numbers[-1] != 0:
        numbers.append(0)
    runs = zip(numbers, numbers[1:], numbers[2:], strict=False)
    return [max(0, model.surprise(*run) - _USUAL) for run in runs]


def _fragments(text: Sequence[str], source: Sequence[str | None]) -> list[tuple[int, int]]:
    """The longest runs of two words and more that the source has, one after the other."""
    places: dict[tuple[str | None, str | None], list[int]] = {}
    for place, pair in enumerate(pairwise(source)):
        places.setdefault(pair, []).append(place)
    found, begin = [], 0
    while begin < len(text):
        longest = 0
        for place in places.get((*text[begin : begin + 2],), [])[:_MOST]:  # type: ignore[call-overload]
            length = 2
            while (
                begin + length < len(text)
                and place + length < len(source)
                and source[place + length] == text[begin + length]
            ):
                length += 1
            longest = max(longest, length)
        if longest:
            found.append((begin, begin + longest))
        begin += longest or 1
    return found


def _neighbours(text: Sequence[str], source: Sequence[str | None]) -> list[float]:
    """Of neighbouring content words those far apart in the source; known ones; sentences."""
    few = function_words.english()
    places: dict[str | None, list[int]] = {}
    for place, word in enumerate(source):
        places.setdefault(word, []).append(place)
    pairs = {*pairwise(source)}
    sentences: list[list[str]] = [[]]
    for word in text:
        if word == ".":
            sentences.append([])
        elif word not in MARKS:
            sentences[-1].append(word)
    sentences = [*filter(None, sentences)]
    content = [[word for word in sentence if word not in few] for sentence in sentences]
    neighbours = [pair for words in content for pair in pairwise(words)]
    far = 0
    for one, two in neighbours:
        if one in places and two in places and (one, two) not in pairs:
            first, second = places[one][:_MOST], places[two][:_MOST]
            far += not any(0 < q - p <= _NEAR for p in first for q in second)
    words = [word for some in content for word in some]
    count = sum(map(len, sentences))
    return [
        far / max(1, len(neighbours)),
        sum(word in places for word in words) / max(1, len(words)),
        sum(len(sentence) < _SHORT for sentence in sentences) / max(1, len(sentences)),
        math.log(count / max(1, len(sentences))) if count else 0.0,
    ]
