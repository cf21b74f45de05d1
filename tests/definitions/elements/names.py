"""The structure of names, and their periods, as BEwT-E reads them.

Source: Tratz and Hovy 2008, "Summarization evaluation using transformed Basic Elements"; the slips
are those of BEwT-E 0.5.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from summeval.elements.resources import LOCATION, ORGANIZATION, PERSON, company_suffixes, titles

_DROPPED = str.maketrans("", "", '.()[]"')
_GENERATIONS = frozenset("jr sr i ii iii iv v".split())
_INITIAL = re.compile(r"\b(\w)\.")
_CAPITALS = re.compile("[A-Z]+")
_DIRECTIONS = ("south", "east", "west", "north")


class PersonName(NamedTuple):
    """A person's name in lower case, and its words that other names may share.

    `text` has no periods; `initials` keeps the periods except those after single letters.
    """

    text: str
    initials: str
    last: str
    others: frozenset[str]


def person(text: str, original: bool = False) -> PersonName:
    """Return a name without periods, brackets and double quotes; its last word and the others.

    Other words have more than one letter. Generations (jr, sr, i to v) and titles do not count as
    words of a name; the original counts titles. A single word is both last and other.

    >>> person("Mr. John S. Smith, Jr.").last, sorted(person("Mr. John S. Smith Jr.").others)
    ('smith,', ['john'])
    """
    words = text.lower().translate(_DROPPED).split()
    told = [word for word in words if word not in _GENERATIONS]
    if not original:
        told = [word for word in told if word not in titles()] or told
    others = told[:-1] if len(told) > 1 else told
    last = told[-1] if told else ""
    initials = _INITIAL.sub(r"\1", text.lower())
    shared = frozenset(word for word in others if len(word) > 1)
    return PersonName(" ".join(words), initials, last, shared)


def acronyms(text: str, kind: str) -> list[str]:
    """The acronyms of an organisation of several words or a person of more than two, in lower case.

    For an organisation: the initials, with words in capitals kept whole, `of` as o, `and` or & as
    a, and `the` dropped; then variants without a and o, with & for a, without a, and with & for a
    but without o. For a person: the initials without titles, with the generation kept whole.

    >>> acronyms("US Department of Agriculture", ORGANIZATION)
    ['usda', 'usdoa']
    >>> acronyms("John Fitzgerald Kennedy", PERSON), acronyms("John Kennedy", PERSON)
    (['jfk'], [])
    """
    words = text.split()
    if kind == PERSON:
        bare = [word.lower().translate(_DROPPED) for word in words]
        told = [w for w in bare if w and w not in titles()] if len(words) > 2 else []
        letters = "".join(
            word if word in _GENERATIONS and k else word[0] for k, word in enumerate(told)
        )
        return [letters] if len(told) > 1 else []
    if kind != ORGANIZATION or len(words) < 2:
        return []
    found = {
        "".join(_initials(words, joined, of))
        for joined, of in (("a", "o"), ("", ""), ("&", "o"), ("", "o"), ("&", ""))
    }
    return sorted(found - {""})


def _initials(words: list[str], joined: str, of: str) -> Iterator[str]:
    for word in words:
        lower = word.lower()
        if lower in ("and", "&"):
            yield joined
        elif lower == "of":
            yield of
        elif lower != "the":
            yield lower if _CAPITALS.fullmatch(word) else lower[0]


def shortened(text: str, kind: str, original: bool = False) -> str | None:
    """Shorten a name, in lower case; None if nothing changes or nothing is left.

    This drops the last word of an organisation if it is corp, inc, ..., and the words of a location
    that start with a direction.

    >>> shortened("Google Inc.", ORGANIZATION), shortened("southern California", LOCATION)
    ('google', 'california')
    """
    words = text.lower().split()
    kept = words
    if kind == ORGANIZATION:
        suffixes = company_suffixes()
        last = words[-1].removesuffix(".") if words else ""
        # The original's list misspells this word.
        slip = original and last in ("incorporated", "incoporated")
        if last in suffixes if not slip else last == "incoporated":
            kept = words[:-1]
            if kept and not original:
                kept[-1] = kept[-1].removesuffix(",")
    elif kind == LOCATION:
        kept = [word for word in words if not word.startswith(_DIRECTIONS)]
    short = " ".join(kept)
    return short if short and kept != words else None


def redotted(text: str) -> str | None:
    """Remove the periods of a text or, if it has none, add them; None if nothing changes.

    Periods are added after each letter of words in capitals of up to four letters.

    >>> redotted("U.S.A."), redotted("USA"), redotted("Harry S Truman"), redotted("Harry")
    ('USA', 'U.S.A.', 'Harry S. Truman', None)
    """
    if "." in text:
        return text.replace(".", "").strip() or None
    words = [
        "".join(f"{letter}." for letter in word)
        if len(word) < 5 and _CAPITALS.fullmatch(word)
        else word
        for word in text.split(" ")
    ]
    dotted = " ".join(words)
    return dotted if dotted != text else None
