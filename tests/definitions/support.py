"""The copy model of `support`: what the source accounts for in a summary.

A hidden Markov chain whose states are the positions of the source's words. Documents are lists of
sentences; function words and number words are given.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from math import ceil, log
from string import ascii_lowercase
from typing import NamedTuple

from definitions.text.stemmer import porter
from definitions.text.tokens import kind_of

FUNCTION, CONTENT = 6e-3, 2e-5  # the probability of a word in any text
NEW = 0.15
ANYWHERE = 0.85  # at the start of a sentence; elsewhere 0.85 is the sum of:
NEXT, AHEAD = 0.65, (0.075, 0.0375, 0.0225, 0.015)
SAME, NEIGHBOURS, ELSEWHERE = 0.045, 0.003, 0.002
TURNED = 0.1  # times AHEAD, where what is left out turns what is said
LIKE = 0.05  # times the copies of words that begin alike
MOST = 2048  # positions that a word may be copied from

_NUMBER = re.compile(r"([0-9]+(?:,[0-9]{3}(?![0-9]))*(?:\.[0-9]+)?)")
_ORDINAL = re.compile(r"st|nd|rd|th", re.IGNORECASE | re.ASCII)
_NEGATION = re.compile(r"['’]t", re.IGNORECASE | re.ASCII)


class Word(NamedTuple):
    """A word: what is compared, where it stands in its sentence, what it is.

    `token` is the word before it is stemmed, `capital` whether it begins with a capital, `small`
    whether its letters end with one of a to z, and `name` whether a summary may mean a name by it.
    """

    form: str
    begin: int
    end: int
    function: bool
    number: bool
    token: str
    capital: bool
    small: bool
    name: bool = False


class Support(NamedTuple):
    """The fields of the metric."""

    explained: float
    weakest: float
    one_sentence: float
    two_sentences: float
    copied_pairs: float


def words(sentence: str, functions: Iterable[str], numbers: Mapping[str, str]) -> list[Word]:
    """The words of a sentence.

    >>> [word.form for word in words("The 21st didn't cost 1,500.50.", {"the"}, {})]
    ['the', '21', 'did', 'nt', 'cost', '1500.50']
    """
    found = []
    for token, begin, end, capital, small in _tokens(sentence):
        form = numbers.get(token, token)
        number = form[0] in "0123456789"
        if not number and form.isascii() and len(form) > 3:
            form = porter(form)
        function = token in functions and not number
        found.append(Word(form, begin, end, function, number, token, capital, small))
    return found


def _tokens(text: str) -> Iterator[tuple[str, int, int, bool, bool]]:
    at = 0
    while at < len(text):
        if number := _NUMBER.match(text, at):
            yield number[1].replace(",", ""), at, number.end(), False, False
            at = _unless_word_goes_on(_ORDINAL.match(text, number.end()), text, number.end())
            continue
        kind = _kind(text, at)
        end = at + 1
        if kind == "letter":
            while _kind(text, end) in ("letter", "mark"):
                end += 1
        elif kind == "unspaced":
            while _kind(text, end) == "mark":
                end += 1
        else:
            at = end
            continue
        token = text[at:end].casefold()
        capital, small = text[at] != text[at].lower(), text[end - 1] in ascii_lowercase
        rest = _unless_word_goes_on(_NEGATION.match(text, end), text, end)
        if rest > end and kind == "letter" and text[end - 1] in "nN":
            if end - at > 1:
                yield token[:-1], at, end - 1, capital, small
                capital = False
            yield "nt", end - 1, rest, capital, small
            end = rest
        else:
            yield token, at, end, capital, small
        at = end


def _kind(text: str, at: int) -> str:
    """The kind of a character; digits, which are no letters, are "digit"."""
    character = text[at : at + 1]
    if not character:
        return "end"
    return "digit" if character in "0123456789" else kind_of(character)


def _unless_word_goes_on(match: re.Match[str] | None, text: str, at: int) -> int:
    """The end of a match; `at` where there is none, or a letter or digit follows."""
    return match.end() if match and _kind(text, match.end()) in ("end", "separator") else at


def begin_alike(one: str, other: str) -> bool:
    """Whether two words share their first 4 bytes (5 if one has more than 6) and 60 %.

    >>> begin_alike("russia", "russian"), begin_alike("rush", "russian")
    (True, False)
    """
    left, right = one.encode(), other.encode()
    longer = max(len(left), len(right))
    if longer > 16:
        return False
    same = next((k for k in range(longer) if left[k : k + 1] != right[k : k + 1]), longer)
    return same >= (5 if longer > 6 else 4) and 5 * same >= 3 * longer


class Source:
    """The words of a source's documents; nothing is reached from one document to another.

    `names` are the words that are never without a capital, and have one inside a sentence; of each
    the tokens. A source in capitals alone has none. `turns` tells of each position whether its
    word is one of `turning`, without a capital inside a sentence.
    """

    def __init__(
        self, documents: Sequence[Sequence[Sequence[Word]]], turning: Container[str] = ()
    ) -> None:
        self.forms: list[str] = []
        self.sentence: list[tuple[int, int]] = []  # of each position: document and sentence
        self.turns: list[bool] = []
        tokens: dict[str, set[str]] = {}
        small, inside = set(), set()
        any_small = False
        for number, document in enumerate(documents):
            for place, sentence in enumerate(sentences_with_words(document)):
                self.forms += [word.form for word in sentence]
                self.sentence += [(number, place)] * len(sentence)
                for at, word in enumerate(sentence):
                    named = word.capital and at > 0
                    self.turns.append(word.form in turning and not named)
                    tokens.setdefault(word.form, set()).add(word.token)
                    any_small = any_small or word.small
                    if not word.capital:
                        small.add(word.form)
                    elif at:
                        inside.add(word.form)
        self.names = {form: tokens[form] for form in inside - small if any_small}

    def has(self, word: Word) -> bool:
        """Whether a word may be copied from those of its form; a name only as it is written."""
        if word.form not in self.forms:
            return False
        return not word.name or word.token in self.names.get(word.form, (word.token,))

    def before(self, position: int, steps: int) -> int | None:
        """The position so many steps before, in the same document."""
        found = position - steps
        same = found >= 0 and self.sentence[found][0] == self.sentence[position][0]
        return found if same else None


def sentences_with_words(document: Sequence[Sequence[Word]]) -> list[Sequence[Word]]:
    """The sentences that have words."""
    return [sentence for sentence in document if sentence]


def with_names(summary: Sequence[Sequence[Word]]) -> list[list[Word]]:
    """The sentences that have words, and which of these may be names.

    Those with a capital; all, where no word inside a sentence has one. None is a function word or a
    number.
    """
    summary = sentences_with_words(summary)
    cased = any(word.capital for sentence in summary for word in sentence[1:])

    def may_be_name(word: Word) -> bool:
        return not (word.function or word.number) and (word.capital or not cased)

    return [[word._replace(name=may_be_name(word)) for word in sentence] for sentence in summary]


def copies(source: Source, word: Word, last: Container[int]) -> dict[int, float]:
    """The positions that a word may be copied from, each with a weight.

    If it has more than MOST, first those that are reached in order from the positions `last` of the
    last word that the source has, then the first ones.
    """
    has = source.has(word)
    found = [p for p, form in enumerate(source.forms) if has and form == word.form]
    if len(found) > MOST:
        reach = range(1, len(AHEAD) + 2)
        near = [p for p in found if any(source.before(p, back) in last for back in reach)]
        found = [*dict.fromkeys([*near, *found])][:MOST]
    if found or word.function or word.number:
        return dict.fromkeys(found, 1.0)
    names: Container[str] = source.names if word.name else ()
    others = [form for form in dict.fromkeys(source.forms) if form not in names]
    alike = [form for form in others if begin_alike(form, word.form)]
    every = (p for one in alike for p, form in enumerate(source.forms) if form == one)
    return dict.fromkeys(islice(every, MOST), LIKE)


def reached(source: Source, at: Sequence[float]) -> list[float]:
    """The probability of each position of the next copy, if `at` says where the last one was."""
    mass = dict.fromkeys(source.sentence, 0.0)
    length = dict.fromkeys(source.sentence, 0)
    for share, place in zip(at, source.sentence, strict=True):
        mass[place] += share
        length[place] += 1
    found = []
    for position, (document, sentence) in enumerate(source.sentence):
        near = sum(mass.get((document, sentence + step), 0) for step in (-1, 1))
        inside = SAME * mass[document, sentence] + NEIGHBOURS / 2 * near
        value = ELSEWHERE / len(at) + inside / length[document, sentence]
        for back, share in enumerate((NEXT, *AHEAD), 1):
            origin = source.before(position, back)
            if origin is not None:
                turned = any(source.turns[origin + 1 : position])
                value += (TURNED if turned else 1) * share * at[origin]
        found.append(value)
    return found


def probabilities(
    summary: Sequence[Sequence[Word]], source: Source
) -> Iterator[tuple[float, int | None]]:
    """Of each word z, and the position it was most probably copied from; None if it is new.

    The summary is as `with_names` gives it.
    """
    size = len(source.forms)
    at = [1 / size for _ in source.forms]
    last: frozenset[int] = frozenset()
    for sentence in summary:
        for number, word in enumerate(sentence):
            new = NEW * _in_any_text(word)
            ways = reached(source, at) if number else [ANYWHERE / size for _ in at]
            weights = copies(source, word, last)
            if source.has(word):
                last = frozenset(weights)
            found = {p: weight * ways[p] for p, weight in weights.items()}
            z = new + sum(found.values())
            at = [(new * share + found.get(p, 0)) / z for p, share in enumerate(at)]
            best = max(found, key=lambda p: found[p], default=None)
            yield z, None if best is None or found[best] <= new else best


def support(
    summary: Sequence[Sequence[Word]],
    documents: Sequence[Sequence[Sequence[Word]]],
    turning: Container[str] = (),
) -> Support:
    """The fields of a summary and the documents of its source, as sentences of words."""
    summary = with_names(summary)
    source = Source(documents, turning)
    floor = Support(1 - log(NEW * FUNCTION) / log(FUNCTION), log(NEW * CONTENT), 0, 0, 0)
    if not summary:
        return floor
    logs = [log(z) for z, _ in probabilities(summary, source)]
    every = [word for sentence in summary for word in sentence]
    few = ceil(len(every) / 5)
    pairs = set(_pairs(source))
    followed = pairwise(every)
    return Support(
        max(floor.explained, 1 - sum(logs) / sum(log(_in_any_text(word)) for word in every)),
        max(floor.weakest, sum(sorted(logs)[:few]) / few),
        _shared(summary, source, 1),
        _shared(summary, source, 2),
        sum(
            (one.form, other.form) in pairs and source.has(one) and source.has(other)
            for one, other in followed
        )
        / len(every),
    )


def _in_any_text(word: Word) -> float:
    return FUNCTION if word.function else CONTENT


def _pairs(source: Source) -> Iterator[tuple[str, str]]:
    for position, form in enumerate(source.forms):
        before = source.before(position, 1)
        if before is not None:
            yield source.forms[before], form


def _shared(summary: Sequence[Sequence[Word]], source: Source, neighbours: int) -> float:
    """The share of the content words of a sentence that so many neighbours have, on average.

    Of a word the sentences of its first MOST positions count.
    """
    sentences: dict[tuple[int, int], set[str]] = {}
    seen: Counter[str] = Counter()
    for place, form in zip(source.sentence, source.forms, strict=True):
        seen[form] += 1
        sentences.setdefault(place, set()).update([form] if seen[form] <= MOST else [])
    none: set[str] = set()
    windows = [
        none.union(*(sentences.get((document, first + step), none) for step in range(neighbours)))
        for document, first in sentences
    ]
    shares = []
    for sentence in summary:
        content = [word for word in sentence if not word.function]
        known = [word.form for word in content if source.has(word)]
        if content:
            best = max((sum(form in window for form in known) for window in windows), default=0)
            shares.append(best / len(content))
    return sum(shares) / len(shares) if shares else 0
