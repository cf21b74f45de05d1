"""Look-ups in the table of WordNet, and the inflections of its entries.

`summeval.elements.resources` describes the table.
"""

from __future__ import annotations

import mmap
import re
from bisect import bisect_left

from summeval.elements.resources import ADJECTIVE, NOUN, VERB

_POOL, _ENTRIES, _PER_POS, _SYNSETS = 0, 2, 13, 54
_SECTIONS = 60
_NO_LETTER = re.compile("[\x00-`{-\x7f]")  # in a lower-case word
_VOWELS = frozenset("aeiou")

Word = tuple[str, int]  # the word and its part of speech


def _suffixes(told: str) -> tuple[tuple[str, str], ...]:
    """Pairs as `old-new`."""
    return tuple((pair.split("-")[0], pair.split("-")[1]) for pair in told.split())


# An ending and its replacement in the base form; the first one that gives an entry is used.
SUFFIXES = (
    _suffixes("s- ses-s xes-x zes-z ches-ch shes-sh men-man ies-y"),
    _suffixes("s- ies-y es-e es- ed-e ed- ing-e ing-"),
    _suffixes("er- est- er-e est-e"),
    (),
)


class WordNet:
    """The table.

    Methods with `senses` look at the first senses of an entry, 0 is all of them; senses are in
    the order of their frequency.

    Parameters
    ----------
    data : bytes-like
        The whole file.

    Examples
    --------
    >>> from summeval.elements.resources import wordnet
    >>> net = WordNet(wordnet().data)
    >>> net.entry("Dogs", NOUN), net.entry("ran", VERB), net.entry("xyzzy", NOUN)
    ('dog', 'run', None)
    >>> net.synonyms("car", NOUN)
    ['car', 'auto', 'automobile', 'machine', 'motorcar']
    >>> net.synonyms("car", NOUN, senses=2)[5:]
    ['railcar']
    >>> net.pertainyms("biological", ADJECTIVE)
    [('biology', 0)]
    """

    def __init__(self, data: mmap.mmap | bytes) -> None:
        self.data = data
        numbers = memoryview(data)[8:].cast("I")
        sizes = numbers[3 : 3 + _SECTIONS]
        at, self._sections = 3 + _SECTIONS, []
        for size in sizes:
            self._sections.append(numbers[at : at + size])
            at += size
        self._starts = self._sections[_POOL]
        self._text = self._sections[_POOL + 1].cast("B")

    def entry(self, form: str, pos: int) -> str | None:
        """Look up the entry of a form; None if there is none.

        Tried in this order: the form itself in lower case with _ for blanks, a base form of the
        exception list, a base form by a suffix rule; then the same for the last run of letters (any
        non-ASCII character counts as a letter).
        """
        word = form.lower().replace(" ", "_")
        found = self._base(word, pos)
        if found is None:
            piece = _NO_LETTER.split(word)[-1]
            if piece and piece != word:
                found = self._base(piece, pos)
        return found

    def _base(self, word: str, pos: int) -> str | None:
        if self._place(word, pos) is not None:
            return word
        bases = self._listed(word, pos, 7)
        bases += [word[: -len(s)] + new for s, new in SUFFIXES[pos] if word.endswith(s)]
        return next((base for base in bases if self._place(base, pos) is not None), None)

    def synsets(self, entry: str, pos: int, senses: int = 0) -> list[int]:
        """Return the numbers of the synsets of an entry's senses, by default of all.

        Raises
        ------
        KeyError
            There is no such entry.
        """
        return list(self._section(pos, 2)[slice(*self._senses(entry, pos, senses))])

    def synonyms(self, entry: str, pos: int, senses: int = 1) -> list[str]:
        """Return the words of an entry's senses, including the entry itself."""
        found = (word for n in self.synsets(entry, pos, senses) for word in self._words(n))
        return list(dict.fromkeys(found))

    def all_synonyms(self, form: str) -> set[str]:
        """Return the words of all synsets that NLTK finds for a form.

        Those of the form, and of its base forms in the exception list, or else by every suffix
        rule. NLTK reads the last of two lines of an exception list for one form.
        """
        found: set[str] = set()
        for pos in range(4):
            bases = self._listed(form, pos, 7)
            rules = (*SUFFIXES[pos], *((("ves", "f"),) if pos == NOUN else ()))
            if not bases:
                bases = [form[: -len(s)] + new for s, new in rules if form.endswith(s)]
            for base in (form, *bases):
                kept = (form, base) not in (("offer", "off"), ("involucra", "involucre"))
                if kept and self._place(base, pos) is not None:
                    found.update(self.synonyms(base, pos, senses=0))
        return found

    def derived(self, entry: str, pos: int, senses: int = 1) -> list[Word]:
        """Return the derivationally related forms of the entry's word in its senses."""
        return self._targets(entry, pos, 3, senses)

    def pertainyms(self, entry: str, pos: int, senses: int = 1) -> list[Word]:
        """The pertainyms of an adjective, or the adjective from which an adverb is derived."""
        return self._targets(entry, pos, 5, senses)

    def members(self, entry: str, pos: int, senses: int = 1) -> list[str]:
        """Return the words of the member meronyms and holonyms of the senses."""
        return self._linked(entry, pos, 2, senses)

    def kin(self, entry: str, pos: int, senses: int = 1) -> list[str]:
        """Return the words of the hypernyms and hyponyms of the senses, including instances."""
        return self._linked(entry, pos, 4, senses)

    def inflections(self, entry: str, pos: int, original: bool = False) -> list[str]:
        """Return the other forms of an entry, irregular ones first."""
        forms = self.irregular(entry, pos)
        if pos == VERB:
            forms += verb_forms(entry, original)
        elif not forms and pos == NOUN:
            forms = plural(entry, original)
        elif not forms and pos == ADJECTIVE:
            forms = degrees(entry)
        return [form for form in dict.fromkeys(forms) if form != entry]

    def irregular(self, entry: str, pos: int) -> list[str]:
        """Return the irregular forms of an entry."""
        return self._listed(entry, pos, 10)

    def _string(self, number: int) -> str:
        return bytes(self._text[self._starts[number] : self._starts[number + 1]]).decode("ascii")

    def _number(self, word: str) -> int | None:
        key = word.encode("utf-8", "surrogatepass")
        starts, text = self._starts, self._text
        low, high = 0, len(starts) - 1
        while low < high:
            middle = (low + high) // 2
            if bytes(text[starts[middle] : starts[middle + 1]]) < key:
                low = middle + 1
            else:
                high = middle
        found = low < len(starts) - 1 and bytes(text[starts[low] : starts[low + 1]]) == key
        return low if found else None

    def _section(self, pos: int, number: int) -> memoryview:
        return self._sections[_ENTRIES + _PER_POS * pos + number]

    def _search(self, word: str, keys: memoryview) -> int | None:
        number = self._number(word)
        if number is None:
            return None
        place = bisect_left(keys, number)
        return place if place < len(keys) and keys[place] == number else None

    def _place(self, word: str, pos: int) -> int | None:
        return self._search(word, self._section(pos, 0))

    def _senses(self, entry: str, pos: int, senses: int) -> tuple[int, int]:
        """Return the numbers of the senses of an entry: the first, and the one after the last."""
        place = self._place(entry, pos)
        if place is None:
            raise KeyError(entry)
        first, end = self._section(pos, 1)[place : place + 2]
        return first, min(end, first + senses) if senses else end

    def _words(self, synset: int) -> list[str]:
        starts, words = self._sections[_SYNSETS : _SYNSETS + 2]
        return [self._string(n) for n in words[starts[synset] : starts[synset + 1]]]

    def _linked(self, entry: str, pos: int, number: int, senses: int) -> list[str]:
        starts, targets = self._sections[_SYNSETS + number : _SYNSETS + number + 2]
        linked = [
            target
            for synset in self.synsets(entry, pos, senses)
            for target in targets[starts[synset] : starts[synset + 1]]
        ]
        return list(dict.fromkeys(word for target in linked for word in self._words(target)))

    def _targets(self, entry: str, pos: int, number: int, senses: int) -> list[Word]:
        first, end = self._senses(entry, pos, senses)
        starts, targets = self._section(pos, number), self._section(pos, number + 1)
        own = dict.fromkeys(targets[starts[first] : starts[end]])
        return [(self._string(n & 0x3FFFFFFF), n >> 30) for n in own]

    def _listed(self, word: str, pos: int, number: int) -> list[str]:
        place = self._search(word, self._section(pos, number))
        if place is None:
            return []
        starts, values = self._section(pos, number + 1), self._section(pos, number + 2)
        return [self._string(n) for n in values[starts[place] : starts[place + 1]]]


def verb_forms(verb: str, original: bool = False) -> list[str]:
    """Return the regular forms of a verb; the original adds -s only after e and -es only after s.

    >>> verb_forms("agree"), verb_forms("carry")
    (['agreeing', 'agreed', 'agrees'], ['carrying', 'carried', 'carries'])
    """
    if verb.endswith("ee"):
        return [f"{verb}ing", f"{verb}d", f"{verb}s"]
    if verb.endswith("e"):
        return [f"{verb[:-1]}ing", f"{verb[:-1]}ed", f"{verb}s"]
    if original:
        return [f"{verb}ing", f"{verb}ed", *([f"{verb}es"] if verb.endswith("s") else [])]
    if _consonant_y(verb):
        return [f"{verb}ing", f"{verb[:-1]}ied", f"{verb[:-1]}ies"]
    hisses = verb.endswith(("s", "z", "x", "ch", "sh", "o"))
    return [f"{verb}ing", f"{verb}ed", f"{verb}es" if hisses else f"{verb}s"]


def plural(noun: str, original: bool = False) -> list[str]:
    """Return the regular plural of a noun; the original misses those in -ies.

    >>> plural("company"), plural("company", original=True), plural("box"), plural("day")
    (['companies'], [], ['boxes'], ['days'])
    """
    if _consonant_y(noun):
        return [] if original else [f"{noun[:-1]}ies"]
    return [f"{noun}es" if noun.endswith(("s", "z", "x", "ch", "sh")) else f"{noun}s"]


def degrees(adjective: str) -> list[str]:
    """Return the regular comparative and superlative of an adjective.

    >>> degrees("large"), degrees("tiny")
    (['larger', 'largest'], ['tinier', 'tiniest'])
    """
    stem = adjective.removesuffix("e")
    if _consonant_y(adjective):
        stem = f"{adjective[:-1]}i"
    return [f"{stem}er", f"{stem}est"]


def _consonant_y(word: str) -> bool:
    return len(word) > 1 and word[-1] == "y" and word[-2] not in _VOWELS
