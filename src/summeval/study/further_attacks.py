"""More texts made by rule to win: of true words in a false order, of words alone, of phrases."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from summeval.study.attacks import Attack, Case, sentences_of
from summeval.text import function_words
from summeval.text.tokenizers import tokens

_KEYWORDS = 8
_SNIPPET = (4, 7)  # words of a piece of a mosaic
_VERB = re.compile(
    r"\b(is|are|was|were|has|have|had|will|would|can|could|should|may|might|did|does|do)\b", re.I
)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)*")
_HEDGES = ("It seems that perhaps", "Some might say that", "It was reportedly said that")
_AGAIN = ("", "In other words, ", "That is to say, ")
_TALK = (
    "This is a text about several important things that happened to some people.",
    "There were many reasons for what took place, and many people had something to say about it.",
    "It remains to be seen what will happen next and how those who are involved will respond.",
    "The matter has been discussed by a number of people in a number of ways.",
    "All in all, it is clear that the situation is of interest to everyone concerned.",
)
_PRAISE = (
    "This excellent summary covers {0}, {1} and {2} in a clear and accurate way.",
    "It is a very good account of {0} and of {1}, with every point about {2}.",
    "The text says all that a reader needs to know about {0}, {1} and {2}.",
)


def _sentences(case: Case) -> Sequence[str]:
    return sentences_of("\n".join(case.source))


def _keywords(case: Case) -> list[str] | None:
    """The content words that the source has most often; None without enough of them."""
    few = function_words.english()
    words = [word for word in tokens("\n".join(case.source)) if word not in few and len(word) > 2]
    found = [word for word, _ in Counter(words).most_common(_KEYWORDS)]
    return found if len(found) == _KEYWORDS else None


def _length(case: Case) -> int:
    return len(case.text.split())


def lead_and_keywords(case: Case, _: random.Random) -> str | None:
    """Return the first sentence of the source, and its most frequent words in a list."""
    words = _keywords(case)
    return None if words is None else f"{_sentences(case)[0]} {', '.join(words)}."


def keyword_of_keyword(case: Case, draw: random.Random) -> str | None:
    """Return "The K and the K of the K." with frequent words, to the length of the summary."""
    words = _keywords(case)
    if words is None:
        return None
    found: list[str] = []
    while not found or len(" ".join(found).split()) < _length(case) - 4:
        one, two, three = draw.sample(words, 3)
        found.append(f"The {one} and the {two} of the {three}.")
    return " ".join(found)


def praise(case: Case, draw: random.Random) -> str | None:
    """Return praise of the summary that names frequent words of the source."""
    words = _keywords(case)
    if words is None:
        return None
    return " ".join(line.format(*draw.sample(words, 3)) for line in _PRAISE)


def true_and_false(case: Case, _: random.Random) -> str | None:
    """Return the first sentence of the summary, and one of another topic."""
    if not case.other:
        return None
    return f"{sentences_of(case.text)[0]} {sentences_of(case.other)[0]}"


def other_with_names(case: Case, draw: random.Random) -> str | None:
    """Return the summary of another topic with the names of this one.

    >>> case = Case("On Monday Ann met Bob.", other="The dog of Carl sleeps.")
    >>> other_with_names(case, random.Random(1))
    'The dog of Monday Ann sleeps.'
    """
    names = _NAME.findall(case.text)
    if not names or not _NAME.search(case.other):
        return None
    return _NAME.sub(lambda _: draw.choice(names), case.other)


def function_word_bag(case: Case, draw: random.Random) -> str | None:
    """Return the content words of the reference without order, function words between them."""
    few = function_words.english()
    words = [word for text in case.references[:1] for word in tokens(text)]
    content = [word for word in words if word not in few]
    between = [word for word in words if word in few] or ["the", "of", "and"]
    if len(content) < 3:
        return None
    draw.shuffle(content)
    found = []
    for word in content:
        found += [word, draw.choice(between)]
    return f"{' '.join(found[:-1])}."


def spliced_halves(case: Case, draw: random.Random) -> str | None:
    """Return first halves of sentences of the source, each with the second half of another."""
    parts = [part.split() for part in _sentences(case)]
    parts = [part for part in parts if len(part) >= 6]
    if len(parts) < 2:
        return None
    found: list[str] = []
    while not found or len(found) < _length(case) - 8:
        one, two = draw.sample(parts, 2)
        found += one[: len(one) // 2] + two[len(two) // 2 :]
    return " ".join(found)


def mosaic(case: Case, draw: random.Random) -> str | None:
    """Return pieces of 4 to 7 words of the source, to the length of the summary."""
    return mosaic_of("\n".join(case.source).split(), _length(case), draw, _SNIPPET)


def mosaic_of(
    words: Sequence[str], length: int, draw: random.Random, sizes: tuple[int, int]
) -> str | None:
    """Return pieces of the words, of some sizes, to a length; None where there are too few."""
    if len(words) < 2 * sizes[1]:
        return None
    found: list[str] = []
    while len(found) < length:
        first = draw.randrange(len(words) - sizes[1])
        found += words[first : first + draw.randint(*sizes)]
    return f"{' '.join(found[:length]).rstrip('.,;:!?')}."


def negated(case: Case, _: random.Random) -> str:
    """Every sentence says the contrary.

    >>> negated(Case("The cat is old. It slept."), random.Random(1))
    'The cat is not old. It is not true that It slept.'
    """
    found = []
    for part in sentences_of(case.text):
        made, count = _VERB.subn(r"\1 not", part, count=1)
        found.append(made if count else f"It is not true that {part}")
    return " ".join(found)


def names_swapped(case: Case, draw: random.Random) -> str | None:
    """Two names of the summary stand for each other."""
    names = list(dict.fromkeys(_NAME.findall(case.text)))
    if len(names) < 2:
        return None
    one, two = draw.sample(names, 2)
    return _NAME.sub(lambda m: {one: two, two: one}.get(m[0], m[0]), case.text)


def names_exchanged(case: Case, draw: random.Random) -> str | None:
    """Every name of the summary is another one of the source."""
    names = list(dict.fromkeys(_NAME.findall("\n".join(case.source))))
    if len(names) < 2 or not _NAME.search(case.text):
        return None
    return _NAME.sub(lambda m: draw.choice([name for name in names if name != m[0]]), case.text)


def numbers_changed(case: Case, draw: random.Random) -> str | None:
    """Every digit of the summary is another one."""
    if not re.search(r"\d", case.text):
        return None
    return re.sub(r"\d", lambda m: draw.choice([d for d in "123456789" if d != m[0]]), case.text)


def said_thrice(case: Case, _: random.Random) -> str:
    """Return the longest sentence of the summary in three dresses."""
    best = max(sentences_of(case.text), key=len)
    return " ".join(f"{again}{best}" for again in _AGAIN)


def hedged(case: Case, draw: random.Random) -> str:
    """Every sentence only seems to be so."""
    return " ".join(f"{draw.choice(_HEDGES)} {part}" for part in sentences_of(case.text))


def bullets(case: Case, _: random.Random) -> str:
    """Return the pieces between marks, each a line of a list."""
    parts = [part.strip() for part in re.split(r"[.,;:!?]+(?:\s|$)", case.text)]
    return "\n".join(f"- {part}" for part in parts if part)


def sorted_words(case: Case, _: random.Random) -> str:
    """Return the words in the order of the alphabet."""
    return " ".join(sorted(case.text.split(), key=str.lower))


def very_short(case: Case, _: random.Random) -> str:
    """Return the first four words, as a sentence."""
    return f"{' '.join(case.text.split()[:4]).rstrip('.,;:!?')}."


def empty_talk(case: Case, draw: random.Random) -> str:
    """Return phrases that fit every text, to the length of the summary."""
    found: list[str] = []
    for line in draw.sample(_TALK, len(_TALK)):
        found += line.split()
        if len(found) >= _length(case):
            break
    return " ".join(found)


def middle(case: Case, _: random.Random) -> str | None:
    """Return three sentences from the middle of the source."""
    parts = _sentences(case)
    start = len(parts) // 2 - 1
    return " ".join(parts[start : start + 3]) if len(parts) >= 8 else None


def end(case: Case, _: random.Random) -> str | None:
    """Return the last three sentences of the source."""
    parts = _sentences(case)
    return " ".join(parts[-3:]) if len(parts) >= 8 else None


def reversed_sentences(case: Case, _: random.Random) -> str:
    """Return the sentences of the summary, the last one first."""
    return " ".join(reversed(sentences_of(case.text)))


def _named(*attacks: Attack) -> dict[str, Attack]:
    return {attack.__name__.replace("_", "-"): attack for attack in attacks}


_PLACES = _named(middle, end, reversed_sentences)
PLACES = tuple(_PLACES)  # may be as honest as the summary, so they stand apart from the mean
FURTHER: Mapping[str, Attack] = {
    **_named(
        lead_and_keywords,
        keyword_of_keyword,
        praise,
        true_and_false,
        other_with_names,
        function_word_bag,
        spliced_halves,
        mosaic,
        negated,
        names_swapped,
        names_exchanged,
        numbers_changed,
        said_thrice,
        hedged,
        bullets,
        sorted_words,
        very_short,
        empty_talk,
    ),
    **_PLACES,
}
