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

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from summeval._core.elements.expansion import Names
from summeval._core.elements.wordnet import WordNet
from summeval._files import mapped_table

MAGIC, VERSION = b"summwn30", 3
NOUN, VERB, ADJECTIVE, ADVERB = range(4)

PERSON, ORGANIZATION, LOCATION = ENTITIES = ("Person", "Organization", "Location")


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
    >>> names = resources().names
    >>> names.person("Mr. John S. Smith, Jr.")
    ('mr john s smith, jr', 'mr. john s smith, jr.', 'smith,', frozenset({'john'}))
    >>> names.acronyms("US Department of Agriculture", ORGANIZATION)
    ['usda', 'usdoa']
    >>> names.shortened("Google Inc.", ORGANIZATION), names.redotted("Harry S Truman")
    ('google', 'Harry S. Truman')
    """

    def __init__(self, original: bool = False, senses: int = 1) -> None:
        self.original, self.senses = original, senses
        self.wordnet = wordnet()
        self.names = Names(titles(), company_suffixes(), original)

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
