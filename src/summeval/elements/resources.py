"""All lexical resources of the transformations in one object, for the kernel and its twin."""

from __future__ import annotations

from functools import cache

from summeval.elements import names, tables
from summeval.elements.wordnet import ADJECTIVE, NOUN, VERB, Word, WordNet, wordnet

_VOWELS = frozenset("aeiou")


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
    >>> resources().inflections("company", NOUN), resources(original=True).inflections("jump", VERB)
    (['companies'], ['jumping', 'jumped'])
    >>> resources().entry("Companies", NOUN)
    'company'
    """

    def __init__(self, original: bool = False, senses: int = 1) -> None:
        self.original, self.senses = original, senses
        self.wordnet: WordNet = wordnet()

    def entry(self, form: str, pos: int) -> str | None:
        return self.wordnet.entry(form, pos)

    def synonyms(self, entry: str, pos: int) -> list[str]:
        return self.wordnet.synonyms(entry, pos, self.senses)

    def derived(self, entry: str, pos: int) -> list[Word]:
        return self.wordnet.derived(entry, pos, self.senses)

    def pertainyms(self, entry: str, pos: int) -> list[Word]:
        return self.wordnet.pertainyms(entry, pos, self.senses)

    def members(self, entry: str, pos: int) -> list[str]:
        return self.wordnet.members(entry, pos, self.senses)

    def kin(self, entry: str, pos: int) -> list[str]:
        return self.wordnet.kin(entry, pos, self.senses)

    def inflections(self, entry: str, pos: int) -> list[str]:
        """The other forms of an entry, irregular ones first."""
        forms = self.wordnet.irregular(entry, pos)
        if pos == VERB:
            forms += verb_forms(entry, self.original)
        elif not forms and pos == NOUN:
            forms = plural(entry, self.original)
        elif not forms and pos == ADJECTIVE:
            forms = degrees(entry)
        return [form for form in dict.fromkeys(forms) if form != entry]

    def prepositions(self, word: str) -> tuple[str, ...]:
        return tables.prepositions(self.original).get(word, ())

    def abbreviations(self, name: str, entity: bool) -> tuple[str, ...]:
        """Other names of a place; if the part is not an entity, also other forms of a word.

        The original has such a list, but clears it before use.
        """
        if self.original:
            return ()
        found = tables.abbreviations("place").get(name, ())
        if not entity:
            found += tables.abbreviations("word").get(name, ())
        bare = name.replace(".", "")  # periods are handled by another transformation
        return tuple(other for other in found if other.replace(".", "") != bare)

    def person(self, text: str) -> names.PersonName:
        return names.person(text, self.original)

    def shortened(self, text: str, kind: str) -> str | None:
        return names.shortened(text, kind, self.original)

    def acronyms(self, text: str, kind: str) -> list[str]:
        return names.acronyms(text, kind)

    def redotted(self, text: str) -> str | None:
        return names.redotted(text)


def verb_forms(verb: str, original: bool = False) -> list[str]:
    """The regular forms of a verb; the original adds -s only after e and -es only after s.

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
    """The regular plural of a noun; the original misses those in -ies.

    >>> plural("company"), plural("company", original=True), plural("box"), plural("day")
    (['companies'], [], ['boxes'], ['days'])
    """
    if _consonant_y(noun):
        return [] if original else [f"{noun[:-1]}ies"]
    return [f"{noun}es" if noun.endswith(("s", "z", "x", "ch", "sh")) else f"{noun}s"]


def degrees(adjective: str) -> list[str]:
    """The regular comparative and superlative of an adjective.

    >>> degrees("large"), degrees("tiny")
    (['larger', 'largest'], ['tinier', 'tiniest'])
    """
    stem = adjective.removesuffix("e")
    if _consonant_y(adjective):
        stem = f"{adjective[:-1]}i"
    return [f"{stem}er", f"{stem}est"]


def _consonant_y(word: str) -> bool:
    return len(word) > 1 and word[-1] == "y" and word[-2] not in _VOWELS


@cache
def resources(original: bool = False, senses: int = 1) -> Resources:
    """The shared object of each kind."""
    return Resources(original, senses)
