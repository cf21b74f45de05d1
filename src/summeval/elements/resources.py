"""The lexical resources of the transformations: word lists, names, inflections, WordNet.

The word lists in `elements/data` were written for this package; the source of a list is given in
its lines that start with #. All words are in lower case. `original=True` reproduces BEwT-E 0.5.1,
including its bugs.

Of WordNet 3.0 the parts that transformations use are a table in a memory-mapped file, which
`ci/resources/wordnet.py` makes. It is little-endian: 8 bytes of magic, then 32-bit numbers:
version, CRC-32 of all that follows, number of sections, their sizes in numbers, the sections.

    pool     string offsets, then the sorted strings; a string's number is its position
    entries  for each part of speech: words (numbers of strings, sorted), the synsets of the senses
             of each, the most frequent first; for each sense, counted over all words, the
             derivationally related forms of the word and its pertainyms (string | part of
             speech << 30); irregular forms with their base forms, and base forms with their
             irregular forms
    synsets  words, member meronyms and holonyms, hypernyms and hyponyms

Multi-word entries are included but never produced, because transformations only produce single
words.

Source: Fellbaum (ed.) 1998, "WordNet: an electronic lexical database"; Princeton University 2006.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from summeval._core.elements.wordnet import WordNet
from summeval._files import mapped_table

MAGIC, VERSION = b"summwn30", 3
NOUN, VERB, ADJECTIVE, ADVERB = range(4)

PERSON, ORGANIZATION, LOCATION = ENTITIES = ("Person", "Organization", "Location")
_DROPPED = str.maketrans("", "", '.()[]"')
_GENERATIONS = frozenset("jr sr i ii iii iv v".split())
_INITIAL = re.compile(r"\b(\w)\.")
_CAPITALS = re.compile("[A-Z]+")
_DIRECTIONS = ("south", "east", "west", "north")


def lines_of(name: str) -> Iterator[str]:
    """Yield the lines of a file of the package that are neither empty nor comments."""
    text = (files(__package__) / "data" / name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def titles() -> frozenset[str]:
    """Titles before a person's name, without a final period.

    >>> "mr" in titles(), "smith" in titles()
    (True, False)
    """
    return frozenset(word for line in lines_of("titles.txt") for word in line.split())


@cache
def company_suffixes() -> frozenset[str]:
    """Final words that can be dropped from the name of an organisation, without a final period.

    >>> "inc" in company_suffixes(), "bank" in company_suffixes()
    (True, False)
    """
    return frozenset(word for line in lines_of("company_suffixes.txt") for word in line.split())


@cache
def prepositions(original: bool = False) -> dict[str, tuple[str, ...]]:
    """Map each preposition to those that share a sense with it, in alphabetical order.

    Parameters
    ----------
    original : bool
        Whether to leave out the pairs that BEwT-E 0.5.1 lacks.

    Examples
    --------
    >>> table = prepositions()
    >>> "at" in table["in"], "about" in table["of"], "under" in table["without"]
    (True, False, False)
    >>> "about" in table["on"], "about" in prepositions(original=True)["on"]
    (True, False)
    """
    rows = (line.split("\t")[1 : 2 if original else 3] for line in lines_of("prepositions.tsv"))
    return _partners([word for cell in row for word in cell.split(", ")] for row in rows)


@cache
def abbreviations(kind: str) -> dict[str, tuple[str, ...]]:
    """Map each name of a "place", or each "word", to its synonyms.

    >>> "united states" in abbreviations("place")["usa"], abbreviations("word")["dept"]
    (True, ('department', 'dept.'))
    """
    rows = (line.split("\t") for line in lines_of("abbreviations.tsv"))
    return _partners(row[1:] for row in rows if row[0] == kind)


def _partners(groups: Iterable[Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for group in map(set, groups):
        for word in group:
            found.setdefault(word, set()).update(group - {word})
    return {word: tuple(sorted(others)) for word, others in sorted(found.items())}


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


def open_table(path: Path) -> WordNet:
    """Map a table into memory; ValueError for another or a damaged file."""
    script = "ci/resources/wordnet.py"
    return WordNet(mapped_table(path, MAGIC, VERSION, "table of WordNet 3.0", script))


@cache
def wordnet() -> WordNet:
    """Return the bundled table, memory-mapped at the first call.

    >>> net = wordnet()
    >>> net.entry("Dogs", NOUN), net.entry("ran", VERB), net.entry("xyzzy", NOUN)
    ('dog', 'run', None)
    >>> net.synonyms("car", NOUN)
    ['car', 'auto', 'automobile', 'machine', 'motorcar']
    >>> net.synonyms("car", NOUN, senses=2)[5:]
    ['railcar']
    >>> net.pertainyms("biological", ADJECTIVE)
    [('biology', 0)]
    """
    with as_file(files(__package__) / "data" / "wordnet.bin") as path:
        return open_table(path)


class Resources:
    """The lexical resources, in the default version or that of BEwT-E 0.5.1.

    Parameters
    ----------
    original : bool
        Whether to reproduce BEwT-E 0.5.1, including its bugs.
    senses : int
        How many senses of a word of WordNet to look at, the most frequent first; 0 is all.

    Examples
    --------
    >>> resources().inflections("company", 0), resources(original=True).inflections("jump", 1)
    (['companies'], ['jumping', 'jumped'])
    """

    def __init__(self, original: bool = False, senses: int = 1) -> None:
        self.original, self.senses = original, senses
        self.wordnet = wordnet()
        self.person = partial(person, original=original)
        self.shortened = partial(shortened, original=original)
        self.acronyms, self.redotted = acronyms, redotted

    def inflections(self, entry: str, pos: int) -> list[str]:
        """Return the other forms of an entry, irregular ones first."""
        return self.wordnet.inflections(entry, pos, self.original)

    def prepositions(self, word: str) -> tuple[str, ...]:
        return prepositions(self.original).get(word, ())

    def abbreviations(self, name: str, entity: bool) -> tuple[str, ...]:
        """Other names of a place; if the part is not an entity, also other forms of a word.

        The original has such a list, but clears it before use.
        """
        if self.original:
            return ()
        found = abbreviations("place").get(name, ())
        if not entity:
            found += abbreviations("word").get(name, ())
        bare = name.replace(".", "")  # periods are handled by another transformation
        return tuple(other for other in found if other.replace(".", "") != bare)


@cache
def resources(original: bool = False, senses: int = 1) -> Resources:
    """Return the shared object of each kind."""
    return Resources(original, senses)
