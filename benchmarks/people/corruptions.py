"""Ways to corrupt a summary by rule: a random generator decides where, so a seed fixes them all.

Each takes the words of a summary's sentence (between blanks, as they are) and what is known of the
source, and returns the sentence corrupted, or None where it does not apply.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from summeval.metrics.support import function_words
from summeval.text import sentences

Words = list[str]
AUXILIARIES = frozenset(
    "is are was were has have had will would can could should may might must do does did".split()
)
INVENTED = (
    "Halvorsen Brandt Okonkwo Lindqvist Tamura Pereyra Novak Castellan Ashdown Vasquez".split()
)
DATES = (
    "monday tuesday wednesday thursday friday saturday sunday".split(),
    "january february march april june july august september october november december".split(),
)
UNITS = (
    ("million", "billion"),
    ("pounds", "dollars"),
    ("miles", "kilometres"),
    ("hours", "days"),
    ("weeks", "months"),
    ("years", "months"),
    ("minutes", "hours"),
    ("days", "weeks"),
)
SAYING = frozenset(
    "said says say told tells added adds claimed claims insisted insists admitted admits".split()
)
ENDINGS = "s son er ez ov ian man ley".split()
HEDGES = frozenset(  # as the metric knows them
    "may might could would should if unless almost nearly allegedly reportedly denied denies"
    " refused failed fails alleged suspected accused threatened tried hoped planned wanted"
    " claimed".split()
)
NUMBER = re.compile(r"\d+")


@dataclass
class Known:
    """What a rule knows beside the sentence.

    Attributes
    ----------
    names : list of str
        Words that the source has with a capital within a sentence, and never without.
    source : frozenset of str
        The words of the source, in lower case.
    others : list of list of str
        The other sentences of the summary.
    """

    names: list[str]
    source: frozenset[str]
    others: list[Words]


def bare(word: str) -> str:
    """A word in lower case without the marks around it.

    >>> bare('"Smith,')
    'smith'
    """
    return re.sub(r"^\W+|\W+$", "", word.lower())


def is_content(word: str) -> bool:
    """Whether a word is neither a mark, a number nor a function word."""
    return bare(word).isalpha() and bare(word) not in function_words()


def known_of(source: str, others: Sequence[str]) -> Known:
    """What the rules need of a source, and of the other sentences of a summary."""
    capital, small = set(), set()
    for sentence in sentences(source):
        for place, word in enumerate(re.findall(r"[^\W\d_]+", sentence)):
            if word[0].islower():
                small.add(word.lower())
            elif place and len(word) > 1:
                capital.add(word)
    names = sorted(
        word
        for word in capital
        if word.lower() not in small | function_words()
        and not any(word.lower() in dates for dates in DATES)
    )
    words = frozenset(re.findall(r"[^\W_]+", source.lower()))
    return Known(names, words, [other.split() for other in others])


def replaced(words: Words, place: int, new: str) -> Words:
    """The words with another one in a place, its marks and capital kept."""
    old = words[place]
    core = re.search(r"\w(.*\w)?", old)
    if core is None:
        return words
    if core[0][0].isupper():
        new = new[:1].upper() + new[1:]
    elif core[0].islower():
        new = new.lower()
    return [*words[:place], old[: core.start()] + new + old[core.end() :], *words[place + 1 :]]


def harmless(words: Words, known: Known, chance: random.Random) -> Words | None:
    """Without one content word that is no name."""
    names = {name.lower() for name in known.names}
    places = [k for k, word in enumerate(words) if is_content(word) and bare(word) not in names]
    if len(places) < 2:
        return None
    place = chance.choice(places)
    return words[:place] + words[place + 1 :]


def negation(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With "not" after an auxiliary verb."""
    places = [
        k
        for k, word in enumerate(words[:-1])
        if bare(word) in AUXILIARIES and bare(words[k + 1]) not in ("not", "n't", "")
    ]
    if not places:
        return None
    place = chance.choice(places) + 1
    return [*words[:place], "not", *words[place:]]


def affirmed(words: Words, known: Known, chance: random.Random) -> Words | None:
    """Without a "not"."""
    places = [k for k, word in enumerate(words) if bare(word) in ("not", "n't")]
    short = [k for k, word in enumerate(words) if re.search(r"\wn['’]t$", word)]
    if not places + short:
        return None
    place = chance.choice(places + short)
    kept = [words[place][:-3]] if place in short else []
    return [*words[:place], *kept, *words[place + 1 :]]


def unhedged(words: Words, known: Known, chance: random.Random) -> Words | None:
    """Without a word that says that something is no fact, as "may" or "denied"."""
    places = [k for k, word in enumerate(words) if k and bare(word) in HEDGES]
    if not places:
        return None
    place = chance.choice(places)
    return words[:place] + words[place + 1 :]


def swap(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With the first and the last content word exchanged, as subject and object would be."""
    places = [k for k, word in enumerate(words) if is_content(word)]
    if len(places) < 2 or bare(words[places[0]]) == bare(words[places[-1]]):
        return None
    first, last = places[0], places[-1]
    left, right = bare(words[first]), bare(words[last])
    return replaced(replaced(words, first, right), last, left)


def shuffle(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With all words in another order."""
    if len(words) < 4:
        return None
    mixed = list(words)
    while mixed == words:
        chance.shuffle(mixed)
    return mixed


def number(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With another number, which the source lacks."""
    places = [k for k, word in enumerate(words) if NUMBER.search(word)]
    if not places:
        return None
    place = chance.choice(places)
    old = NUMBER.search(words[place])
    assert old
    while True:
        new = str(chance.randrange(2, max(20, 2 * int(old[0]))))
        if new not in known.source and new != old[0]:
            break
    text = words[place]
    return [*words[:place], text[: old.start()] + new + text[old.end() :], *words[place + 1 :]]


def _with_name(
    words: Words, known: Known, chance: random.Random, new: Sequence[str]
) -> Words | None:
    names = {name.lower() for name in known.names}
    places = [k for k, word in enumerate(words) if bare(word) in names]
    if not places or not new:
        return None
    return replaced(words, chance.choice(places), chance.choice(new))


def new_name(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With a name that the source lacks in place of one that it has."""
    invented = [name for name in INVENTED if name.lower() not in known.source]
    return _with_name(words, known, chance, invented)


def exchanged_name(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With another name of the source in place of one."""
    mine = {bare(word) for word in words}
    return _with_name(words, known, chance, [n for n in known.names if n.lower() not in mine])


def other_ending(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With a name of the source that ends otherwise, as the source never has it."""
    names = {name.lower() for name in known.names}
    places = [k for k, word in enumerate(words) if bare(word) in names and len(bare(word)) >= 4]
    if not places:
        return None
    place = chance.choice(places)
    old = bare(words[place])
    stems = [old, *(old[:-cut] for cut in (1, 2) if len(old) - cut >= 4)]
    new = [stem + ending for stem in stems for ending in ENDINGS]
    lacking = [name for name in new if name not in known.source]
    return replaced(words, place, chance.choice(lacking)) if lacking else None


def speaker(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With another name of the source in place of one beside a verb of saying."""
    names = {name.lower() for name in known.names}
    mine = {bare(word) for word in words}
    others = [name for name in known.names if name.lower() not in mine]
    told = [k for k, word in enumerate(words) if bare(word) in SAYING]
    places = [
        k
        for k, word in enumerate(words)
        if bare(word) in names and any(abs(k - verb) <= 2 for verb in told)
    ]
    if not places or not others:
        return None
    return replaced(words, chance.choice(places), chance.choice(others))


def joined(words: Words, known: Known, chance: random.Random) -> Words | None:
    """The first half, and the second half of another sentence of the summary."""
    others = [other for other in known.others if len(other) >= 6 and other != words]
    if len(words) < 6 or not others:
        return None
    other = chance.choice(others)
    return words[: len(words) // 2] + other[len(other) // 2 :]


def date(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With another day of the week, or another month."""
    places = [(k, dates) for k, word in enumerate(words) for dates in DATES if bare(word) in dates]
    if not places:
        return None
    place, dates = chance.choice(places)
    return replaced(words, place, chance.choice([d for d in dates if d != bare(words[place])]))


def unit(words: Words, known: Known, chance: random.Random) -> Words | None:
    """With another unit of money, distance or time."""
    pairs = [*UNITS, *((new, old) for old, new in UNITS)]
    places = [(k, new) for k, word in enumerate(words) for old, new in pairs if bare(word) == old]
    return replaced(words, *chance.choice(places)) if places else None


KINDS: dict[str, Callable[[Words, Known, random.Random], Words | None]] = {
    "negation": negation,
    "negation left out": affirmed,
    "hedge left out": unhedged,
    "swap": swap,
    "shuffle": shuffle,
    "number": number,
    "new name": new_name,
    "exchanged name": exchanged_name,
    "name with another ending": other_ending,
    "joined halves": joined,
    "date": date,
    "unit": unit,
    "speaker": speaker,
}


def corrupted(summary: str, source: str, seed: str) -> dict[str, tuple[str, str]]:
    """For each kind that applies the summary corrupted, and with a harmless word left out.

    Both change the same sentence, drawn among those that the kind applies to.
    """
    found = {}
    split = [sentence.split() for sentence in sentences(summary)]
    for kind, rule in KINDS.items():
        chance = random.Random(f"{seed}|{kind}")  # str, so the same in every process
        for place in chance.sample(range(len(split)), len(split)):
            others = [" ".join(other) for k, other in enumerate(split) if k != place]
            known = known_of(source, others)
            wrong = rule(split[place], known, chance)
            fine = harmless(split[place], known, chance)
            if wrong is not None and fine is not None and wrong != split[place]:
                found[kind] = (_text(split, place, wrong), _text(split, place, fine))
                break
    return found


def _text(split: Sequence[Words], place: int, new: Words) -> str:
    return " ".join(" ".join(new if k == place else words) for k, words in enumerate(split))
