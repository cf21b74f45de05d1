"""The guards of rewards, the repetition of words, and the reward that a preset makes of them."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from definitions import seams
from summeval.text import function_words
from summeval.text.word_order import WordOrder, shipped, split

MARKS = frozenset(".,;:!?")
NAMES = ("order", "function_words", "ending", "length", "strays", "characters", "seamless")

# Of a summary without references: its number of words beside the square root of the source's.
_SHORTEST, _LONGEST = 0.7, 4.5
_LEAST_WORDS = 4
_LONG_POWER = 2.5  # of the ratio to the longest usual length, by which the factor falls
_SHORTER, _LONGER = 1.6, 1.6  # how far from the references a length is still usual
_ORDER, _ORDER_SPREAD = 0.1, 0.2  # nearly every text has this word order; how fast it falls below
_FUNCTION_WORDS, _FUNCTION_SPREAD = 0.2, 0.06  # the same for the share of function words
_OF_USUAL = 0.6  # of the share that the references have, as in telegrams or another language
_ENDLESS, _BROKEN, _BROKEN_BELOW = 0.35, 0.25, -0.6  # an end without a mark; one in mid-phrase
_KNOWN = 0.25  # the share of a sentence's content words that its subject accounts for
_STEM = 5  # letters that two forms of a word share
_STRAYS = 0.95  # what a text off the subject loses
_END, _MARK, _FUNCTION, _MET, _UNMET = b"\x00", 1, 2, 3, 4  # kinds of words and marks
_KIND_OF_MARK = {mark: _END[0] if mark in ".!?" else _MARK for mark in MARKS}
_MOST = 1 << 14  # words whose kinds are kept
_ENGLISH = 0.15  # the share of function words that only English texts have
_READ = 4000  # characters of a source that its word order is taken from


class _Kinds:
    """The kinds of words and marks beside content words that are known."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._met = dict(_KIND_OF_MARK)

    def of(self, tokens: Sequence[str]) -> bytes:
        """Return the kind of each word or mark; those met for the first time are kept."""
        try:
            return bytes(map(self._met.__getitem__, tokens))
        except KeyError:
            pass
        if len(self._met) > _MOST:
            self._met = dict(_KIND_OF_MARK)
        met, known, few = self._met, self._known, function_words.english()
        for word in {*tokens}.difference(met):
            met[word] = _FUNCTION if word in few else _MET if word[:_STEM] in known else _UNMET
        return bytes(map(met.__getitem__, tokens))


@dataclass(frozen=True)
class Ground:
    """The usual values beside given references or a given source.

    `shortest` and `longest` are numbers of words between which the factor of the length is 1;
    `order` and `function_words` the word order and the share of function words from which their
    factors are 1; `ends` says whether a text ends in a mark, as half of the references do; `kinds`
    knows content words, `characters` those beyond ASCII, `scripts` the first words of the Unicode
    names of letters.
    """

    shortest: float
    longest: float
    order: float
    function_words: float
    ends: bool
    kinds: _Kinds
    characters: frozenset[str]
    scripts: frozenset[str]
    copied_from: Sequence[Sequence[str]]
    kind: str  # of what may be copied: "source" or "references"; "" if no guard looks

    def guards(self, text: str) -> tuple[tuple[float, ...], list[str]]:
        """Return the factors in the order of NAMES, and the words of the text in lower case."""
        tokens = _read(text)
        words = _words(tokens)
        count = len(words)
        if not count:
            return (0.0,) * len(NAMES), words
        order = shipped()
        kinds = self.kinds.of(tokens)
        few = kinds.count(_FUNCTION)
        below = max(0.0, self.order - order.score(tokens)) / _ORDER_SPREAD
        lacking = max(0.0, self.function_words - few / count) / _FUNCTION_SPREAD
        return (
            math.exp(-0.5 * below * below),
            math.exp(-0.5 * lacking * lacking),
            self._ending(order, tokens),
            self._length(count),
            (1.0 - _STRAYS * self._strays(kinds) / count) ** 2,
            self._clean(text),
            self._seamless(tokens),
        ), words

    def seams(self, text: str) -> tuple[float, ...]:
        """Return the numbers that tell how a text is put together."""
        tokens = _read(text)
        if not self.kind or not _words(tokens):
            return (0.0,) * seams.NUMBERS
        return seams.seams_of(tokens, self.copied_from)

    def _seamless(self, tokens: Sequence[str]) -> float:
        """1 unless the text looks stitched together, of pieces or of words."""
        if not self.kind:
            return 1.0
        fit = _fits()[self.kind]
        numbers = seams.seams_of(tokens, self.copied_from)
        return seams.factor(numbers, fit["weights"], fit["low"], fit["high"])

    @staticmethod
    def _strays(kinds: bytes) -> float:
        """Return the number of words in sentences off the subject; of those partly off, a part."""
        strays = 0.0
        for sentence in kinds.split(_END):
            met = sentence.count(_MET)
            content = met + sentence.count(_UNMET)
            if met < _KNOWN * content:
                count = content + sentence.count(_FUNCTION)
                strays += count * (1.0 - met / (_KNOWN * content))
        return strays

    def _ending(self, order: WordOrder, words: Sequence[str]) -> float:
        """1 at the end of a sentence, less where it breaks off."""
        marked = words[-1] in ".!?"
        if not self.ends and not marked:
            return 1.0
        if order.ending(words) < _BROKEN_BELOW:
            return _BROKEN
        return 1.0 if marked else _ENDLESS

    def _length(self, count: int) -> float:
        if count > self.longest:
            return float((self.longest / count) ** _LONG_POWER)
        return min(1.0, count / self.shortest)

    def _clean(self, text: str) -> float:
        """1 less ten times the share of characters that stand for others or cannot be seen."""
        if text.isascii():
            return 1.0
        odd = 0
        for character in _BEYOND_ASCII.findall(text):
            if character not in self.characters:
                script = script_of(character)
                odd += script != "" and script not in self.scripts
        return max(0.0, 1.0 - 10 * odd / len(text))


def ground_of(references: Iterable[str], sources: Iterable[str]) -> Ground:
    """Return what is usual beside these references, or beside the source where there are none."""
    given = [text for text in references if text.strip()]
    source = [text for text in sources if text.strip()]
    few = function_words.english()
    if given:
        read = [_read(text) for text in given]
        mean = sum(len(_words(tokens)) for tokens in read) / len(read)
        shortest, longest = mean / _SHORTER, mean * _LONGER
    else:
        read = [_read(text[:_READ]) for text in source]
        root = math.sqrt(sum(len(_spaced(text).split()) for text in source))
        shortest, longest = _SHORTEST * root, max(_LONGEST * root, 2.0 * _LEAST_WORDS)
    # Another language has another order: then the completion's need be no better.
    order = min([_ORDER, *(shipped().score(tokens) - _ORDER_SPREAD for tokens in read)])
    told = [word for tokens in read for word in _words(tokens)]
    share = sum(map(few.__contains__, told)) / max(1, len(told))
    words = {*told}.union(*(_read(text) for text in source))
    letters = {*"".join(text for text in (*given, *source) if not text.isascii())}
    ending = sum(text.rstrip().endswith(_ENDS) for text in given)
    copied_from = [_read(text) for text in (source or given)]
    kind = "source" if source else "references"
    return Ground(
        max(shortest, _LEAST_WORDS),
        max(longest, _LEAST_WORDS),
        order,
        min(_FUNCTION_WORDS, share * _OF_USUAL),
        2 * ending >= len(given),
        _Kinds(frozenset([word[:_STEM] for word in words])),
        frozenset(letter for letter in letters if letter > "\x7f"),
        frozenset(filter(None, ["LATIN", *map(script_of, letters)])),
        copied_from,
        kind if copied_from and share >= _ENGLISH else "",
    )


@lru_cache(maxsize=1)
def _fits() -> Mapping[str, Any]:
    path = resources.files("summeval.interop").joinpath("data/seams.json")
    fits: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return fits


def _read(text: str) -> list[str]:
    """Return the words and marks of a text, marks of other scripts as those of English."""
    return split(_spaced(text))


def _spaced(text: str) -> str:
    """Return the text, each letter of a script without blanks as a word."""
    if text.isascii():
        return text
    met = {*_BEYOND_ASCII.findall(text)}  # few: str.translate would look up every character
    for mark in met.intersection(_AS_ENGLISH):
        text = text.replace(mark, _AS_ENGLISH[mark])
    return _UNSPACED.sub(r" \g<0> ", text) if any(map(_UNSPACED.match, met)) else text


def _words(tokens: Sequence[str]) -> list[str]:
    """Return the words among words and marks."""
    return [token for token in tokens if token not in MARKS]


_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
# Ends of sentences: full-width, Devanagari, Arabic, Urdu, Ethiopic, Armenian, Burmese, Khmer.
_STOPS, _ASKS, _SHOUTS = "…。．｡।॥۔።։။។", "？؟", "！"
_AS_ENGLISH = {
    **dict.fromkeys(_STOPS, "."),
    **dict.fromkeys(_ASKS, "?"),
    **dict.fromkeys(_SHOUTS, "!"),
    **dict.fromkeys("，、،", ","),
    **dict.fromkeys("；؛", ";"),
    "：": ":",
}
# Thai, Lao, Burmese, Khmer, kana and Chinese characters.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
_ENDS = (".", "!", "?", '"', "'", "”", "’", ")", "»", "」", "』", "）", *_STOPS, *_ASKS, *_SHOUTS)


@lru_cache(maxsize=4096)
def script_of(character: str) -> str | None:
    """The script of a letter, "" of other characters, None if it is invisible or a stand-in."""
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


def repeated_share(words: Sequence[str], size: int) -> float:
    """Return the share of words that end a run of `size` words met before."""
    runs = len(words) - size + 1
    if runs < 2:
        return 0.0
    later = [words[start:] for start in range(1, size)]
    distinct = len(set(zip(words, *later, strict=False)))
    return (runs - distinct) / len(words)


_BEYOND = 0.1  # how fast a part grows beyond its cap
_FORM = 0.02  # what form alone gives


@dataclass(frozen=True)
class Part:
    """A part of a preset: the sum of shares of scores, and its scale."""

    terms: Sequence[tuple[float, bool]]  # the share of each score, and whether it rises
    weight: float
    worst: float
    cap: float
    minimum: float

    def way(self, score: float) -> float:
        """Return how far a score is on the way from `worst` to `cap`, and beyond."""
        found = (score - self.worst) / (self.cap - self.worst)
        if found > 1.0:
            return 1.0 + _BEYOND * (found - 1.0)
        return 0.0 if found < 0.0 else found

    def scaled(self, scores: Sequence[float]) -> float:
        """Return the sum of the shares of some scores on the scale of the part."""
        total = 0.0
        for (share, rises), score in zip(self.terms, scores, strict=True):
            total += share * (score if rises else 1.0 - score)
        return self.way(total) / self.way(1.0)


def reward(parts: Sequence[Part], scaled: Sequence[float], guard: float) -> float:
    """Return the reward of parts on their scales and the product of the guards."""
    total, most, met = 0.0, 0.0, 1.0
    for part, value in zip(parts, scaled, strict=True):
        top = part.way(1.0)
        total += part.weight * top * value
        most += part.weight * top
        if value * top < part.minimum:
            met *= value * top / part.minimum
    return guard * (_FORM + (1.0 - _FORM) * total * met) / (_FORM + (1.0 - _FORM) * most)


def judged(
    parts: Sequence[Part],
    scores: Sequence[Sequence[float]],
    ground: Ground,
    text: str,
    repetition: tuple[float, int],
) -> tuple[float, tuple[float, ...]]:
    """Return the reward of a text; and its parts, guards and repetition.

    `scores` are those of each part, `repetition` the weight of its penalty and the size of a run.
    """
    scaled = [part.scaled(some) for part, some in zip(parts, scores, strict=True)]
    if math.isnan(sum(scaled)):
        return 0.0, (0.0,) * (len(parts) + len(NAMES) + 1)
    guards, words = ground.guards(text)
    weight, run = repetition
    kept = max(0.0, 1.0 - weight * repeated_share(words, run))
    found = reward(parts, scaled, math.prod(guards) * kept)
    return found, (*scaled, *guards, kept)
