"""The transformations of BEwT-E: the results of each one for a Basic Element.

Source: Tratz and Hovy 2008, "Summarization evaluation using transformed Basic Elements"; the
details are those of BEwT-E 0.5.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

Part = tuple[str, str]  # text and type
Parts = tuple[Part, ...]
PlainElement = tuple[str, Parts]  # rule and parts

NOUN, VERB, ADJECTIVE, ADVERB = range(4)
PERSON, ORGANIZATION, LOCATION = ENTITIES = ("Person", "Organization", "Location")
_NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS", "CD"))
PLURALS = frozenset(("NNS", "NNPS"))
PREPOSITIONS = frozenset(("IN", "TO"))
_SINGULAR = ("he", "she", "him", "her", "his")
_PLURAL = ("they", "them")

_rules = {
    "swap": "10 47 48 49 51",
    "nppp": "6 7 8 9 26 27 28 29",
    "role of a noun": "8 9 10 47 48 49",
    "role of a verb": "11 12 13 14 15 17 50 51 52",
}
RULES = {name: frozenset(f"r{n}" for n in told.split()) for name, told in _rules.items()}


class Person(Protocol):
    """A person's name in lower case, without periods, or with all but those after initials."""

    @property
    def text(self) -> str: ...
    @property
    def initials(self) -> str: ...
    @property
    def last(self) -> str: ...
    @property
    def others(self) -> frozenset[str]: ...


class Resources(Protocol):
    """The interface of the lexical resources; implemented by `summeval.elements.resources`."""

    original: bool

    def entry(self, form: str, pos: int) -> str | None: ...
    def synonyms(self, entry: str, pos: int) -> list[str]: ...
    def derived(self, entry: str, pos: int) -> list[tuple[str, int]]: ...
    def pertainyms(self, entry: str, pos: int) -> list[tuple[str, int]]: ...
    def members(self, entry: str, pos: int) -> list[str]: ...
    def kin(self, entry: str, pos: int) -> list[str]: ...
    def inflections(self, entry: str, pos: int) -> list[str]: ...
    def prepositions(self, word: str) -> tuple[str, ...]: ...
    def abbreviations(self, name: str, entity: bool) -> tuple[str, ...]: ...
    def person(self, text: str) -> Person: ...
    def shortened(self, text: str, kind: str) -> str | None: ...
    def acronyms(self, text: str, kind: str) -> list[str]: ...
    def redotted(self, text: str) -> str | None: ...


def part_of_speech(kind: str) -> int | None:
    """WordNet's part of speech of a type, if it has one.

    >>> [part_of_speech(kind) for kind in ("NNS", "CD", "AUX", "JJR", "RB", "Person", "IN")]
    [0, 0, 1, 2, 3, None, None]
    """
    if kind in _NOUNS:
        return NOUN
    if kind.startswith("VB") or kind == "AUX":
        return VERB
    if kind.startswith("JJ"):
        return ADJECTIVE
    return ADVERB if kind in ("RB", "RBR", "RBS") else None


class Topic:
    """The other inputs of the transformations of a summary's elements.

    Parameters
    ----------
    resources : Resources
    candidate : sequence of Element
        All elements of the summary that is evaluated.
    references : iterable of Element
        Those of all references of the topic.
    """

    def __init__(
        self,
        resources: Resources,
        candidate: Sequence[PlainElement],
        references: Iterable[PlainElement],
    ) -> None:
        self.resources = resources
        references = list(references)
        told = [part for _, parts in references for part in parts]
        mine = [part for _, parts in candidate for part in parts]
        self.texts = {lower(parts) for _, parts in references}
        self.parts = {text.lower() for text, _ in told}
        self.lemmas = set(self.parts)
        for text, kind in told:
            pos = part_of_speech(kind)
            entry = None if pos is None else resources.entry(text, pos)
            if entry is not None:
                self.lemmas.add(entry)
        self.entities = sorted({part for part in mine + told if part[1] in ENTITIES})
        self.own_persons = sorted({text.lower() for text, kind in mine if kind == PERSON})
        self.own_groups = sorted(
            {text.lower() for text, kind in mine if kind == ORGANIZATION or kind in PLURALS}
        )

    def among_parts(self, texts: Iterable[str]) -> list[str]:
        """Those in the references, each once."""
        return [text for text in dict.fromkeys(texts) if text in self.parts]


def lower(parts: Parts) -> tuple[str, ...]:
    """The texts in lower case."""
    return tuple(text.lower() for text, _ in parts)


# Transformations of whole elements: from rule, parts and resources to all resulting parts.


def swap(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """The president is Obama: Obama, the president."""
    if rule in RULES["swap"] and len(parts) > 1:
        yield parts[::-1]


def prenominal(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """A refinery fire: a fire of a refinery."""
    if rule not in RULES["nppp"] or len(parts) < 2:
        return
    first, last = parts[0], parts[-1]
    if len(parts) == 2 and resources.entry(last[0], NOUN) is not None:
        yield (last, ("of", "IN"), first)
    elif len(parts) == 3 and resources.entry(first[0], NOUN) is not None:
        yield (last, first)


def role(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """Author Shakespeare: Shakespeare authored, and back; John wrote: writer John."""
    if len(parts) != 2:
        return
    first, second = parts
    if rule in RULES["role of a noun"] and part_of_speech(first[1]) == NOUN:
        for verb in derived(first, VERB, resources):
            yield (second, (verb, "VB"))
    if rule in RULES["role of a verb"] and part_of_speech(second[1]) == VERB:
        known: list[str] = []  # 0.5.1 rejects a noun that is spelt like a verb of the synset
        if resources.original:
            entry = resources.entry(second[0], VERB)
            synonyms = [] if entry is None else resources.synonyms(entry, VERB)
            known = [word.lower() for word in synonyms]
        for noun in derived(second, NOUN, resources):
            if noun.lower() not in known:
                yield ((noun, "NN"), first)


def nominalised(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """Rejected John: rejection of John."""
    verbs = [k for k, (_, kind) in enumerate(parts) if part_of_speech(kind) == VERB]
    if len(parts) == 2 and verbs:
        other = parts[1 - verbs[0]]
        for noun in derived(parts[verbs[0]], None, resources):
            yield ((noun, "NN"), ("of", "IN"), other)


def denominalised(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """Rejection by John: John rejected; rejection of John: rejected John."""
    if len(parts) == 3 and part_of_speech(parts[0][1]) == NOUN and parts[1][1] in PREPOSITIONS:
        for verb in derived(parts[0], VERB, resources):
            yield (parts[2], (verb, "VB"))
            yield ((verb, "VB"), parts[2])


def adjective_of(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """Govern effectively: effective government."""
    kinds = [part_of_speech(kind) for _, kind in parts]
    if kinds != [VERB, ADVERB]:
        return
    verb, adverb = parts
    entry = resources.entry(adverb[0], ADVERB)
    pertain = [] if entry is None else resources.pertainyms(entry, ADVERB)
    for adjective in (word for word, pos in pertain if pos == ADJECTIVE):
        yield ((adjective, "JJ"), ("in", "IN"), verb)
        for noun in derived(verb, NOUN, resources):
            yield ((adjective, "JJ"), (noun, "NN"))
            yield ((adjective, "JJ"), ("in", "IN"), (noun, "NN"))


def adverb_of(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """Effective at treating: treating effectively; effective treatment: treat effectively."""
    if len(parts) < 2 or part_of_speech(parts[0][1]) != ADJECTIVE:
        return
    pos = part_of_speech(parts[-1][1])
    verbs: list[Part] = []
    if len(parts) == 3 and pos == VERB and parts[1][1] in PREPOSITIONS:
        verbs = [parts[-1]]
    elif pos == NOUN:
        verbs = [(verb, "VB") for verb in derived(parts[-1], VERB, resources)]
    for adverb in adverbs(parts[0][0], resources):
        for verb in verbs:
            yield (verb, (adverb, "RB"))


def derived(part: Part, pos: int | None, resources: Resources) -> list[str]:
    """The derivationally related forms of a noun or verb, of one part of speech or all."""
    own = part_of_speech(part[1])
    entry = None if own is None else resources.entry(part[0], own)
    if own is None or entry is None:
        return []
    return [word for word, kind in resources.derived(entry, own) if pos in (None, kind)]


def adverbs(adjective: str, resources: Resources) -> list[str]:
    """The adverbs in -ly that WordNet has of an adjective."""
    word = adjective.lower()
    forms = [f"{word}ly"]
    if word.endswith("e"):
        forms += [f"{word[:-1]}ly", f"{word[:-1]}y"]
    elif word.endswith("l"):
        forms.append(f"{word}y")
    elif word.endswith("y"):
        forms.append(f"{word[:-1]}ily")
    return [form for form in forms if resources.entry(form, ADVERB) == form]


# Transformations of one part: from the part and the topic to all resulting parts.


def redotted(part: Part, topic: Topic) -> Iterator[Part]:
    """USA: U.S.A."""
    text = topic.resources.redotted(part[0])
    if text is not None:
        yield text, part[1]


def pronoun(part: Part, topic: Topic) -> Iterator[Part]:
    """He: a person of the summary; they: an organisation or plural noun of it; and back."""
    text, kind = part
    word = text.lower()
    if word in _SINGULAR:
        found: Iterable[str] = topic.own_persons
    elif word in _PLURAL:
        found = topic.own_groups
    elif topic.resources.original and kind in (PERSON, ORGANIZATION) and text != word:
        found = ()  # it looks up the unchanged name among lower-case names
    else:
        found = _SINGULAR if kind == PERSON else ()
        found = _PLURAL if kind == ORGANIZATION or kind in PLURALS else found
        found = [word for word in found if word in topic.lemmas]
    return ((word, kind) for word in topic.among_parts(found))


def name(part: Part, topic: Topic) -> Iterator[Part]:
    """John Smith: Mr. Smith; Google: Google Inc."""
    text, kind = part
    if kind not in ENTITIES:
        return
    others = [other for other, its_kind in topic.entities if its_kind == kind]
    found = _persons(text, others, topic) if kind == PERSON else _shorter(part, others, topic)
    for other in topic.among_parts(found):
        yield other, kind


def _persons(text: str, others: Iterable[str], topic: Topic) -> Iterator[str]:
    mine = topic.resources.person(text)
    for other in others:
        its = topic.resources.person(other)
        if (mine.last and mine.last == its.last) or mine.others & its.others:
            yield its.text
            # The original looks up only names without periods. dpl and dpr handle initials.
            if not topic.resources.original and its.initials != mine.initials:
                yield other.lower()


def _shorter(part: Part, others: Iterable[str], topic: Topic) -> Iterator[str]:
    text, kind = part
    short = topic.resources.shortened(text, kind)
    if short is not None:
        yield short
    for other in others:
        if topic.resources.shortened(other, kind) == text.lower():
            yield other.lower()


def acronym(part: Part, topic: Topic) -> Iterator[Part]:
    """USDA: US Department of Agriculture; USA: United States."""
    text, kind = part
    if kind not in ENTITIES and part_of_speech(kind) != NOUN:
        return
    word = text.lower()
    found: list[str] = []
    for other, its_kind in topic.entities:
        short = topic.resources.acronyms(other, its_kind)
        if other.lower() == word:
            found += short
        if word in short:
            found.append(other.lower())
    if kind != PERSON:
        found += topic.resources.abbreviations(word, kind in ENTITIES)
    for other in topic.among_parts(found):
        yield other, kind


def lemma(part: Part, topic: Topic) -> Iterator[Part]:
    """Running: run."""
    pos = part_of_speech(part[1])
    if pos in (NOUN, VERB, ADJECTIVE):
        entry = topic.resources.entry(part[0], pos)
        if entry is not None and entry != part[0].lower():
            yield entry, part[1]


def synonym(part: Part, topic: Topic, pos: int) -> Iterator[Part]:
    """Car: automobile."""
    text, kind = part
    entry = topic.resources.entry(text, pos) if part_of_speech(kind) == pos else None
    if entry is not None:
        for word in sorted(topic.resources.synonyms(entry, pos)):
            if word.lower() != entry and word.lower() in topic.lemmas:
                yield word, kind


def pertainym(part: Part, topic: Topic) -> Iterator[Part]:
    """Biological: biology; China: Chinese."""
    text, kind = part
    pos = NOUN if kind == LOCATION else part_of_speech(kind)
    if pos not in (NOUN, ADJECTIVE):
        return
    entry = topic.resources.entry(text, pos)
    if entry is None:
        return
    found = topic.resources.derived(entry, pos)
    if pos == ADJECTIVE:
        found = found + topic.resources.pertainyms(entry, pos)
    wanted, new = (ADJECTIVE, "JJ") if pos == NOUN else (NOUN, "NN")
    for word in dict.fromkeys(word for word, its in found if its == wanted):
        yield word, new


def member(part: Part, topic: Topic) -> Iterator[Part]:
    """NATO: France."""
    text, kind = part
    if kind == LOCATION or part_of_speech(kind) == NOUN:
        entry = topic.resources.entry(text, NOUN)
        if entry is not None:
            for word in topic.resources.members(entry, NOUN):
                if word != word.lower():
                    yield word, "NN"


def broader(part: Part, topic: Topic, pos: int) -> Iterator[Part]:
    """House: dwelling; and back."""
    text, kind = part
    if kind in ENTITIES and pos == NOUN:
        text = kind.lower()
    elif part_of_speech(kind) != pos:
        return
    entry = topic.resources.entry(text, pos)
    if entry is not None:
        for word in topic.resources.kin(entry, pos):
            if word.lower() in topic.lemmas:
                yield word, kind


def inflected(part: Part, topic: Topic) -> Iterator[Part]:
    """Run: ran."""
    pos = part_of_speech(part[1])
    if pos in (NOUN, VERB, ADJECTIVE):
        entry = topic.resources.entry(part[0], pos)
        if entry is not None:
            for form in topic.among_parts(topic.resources.inflections(entry, pos)):
                yield form, part[1]


_WHOLE: dict[str, Callable[[str, Parts, Resources], Iterator[Parts]]] = {
    "swap": swap,
    "nppp": prenominal,
    "role": role,
    "nomt": nominalised,
    "dnom": denominalised,
    "advn": adjective_of,
    "adjp": adverb_of,
}
# Their names end in l for the first part, r for the last one of several.
_ONE: dict[str, Callable[[Part, Topic], Iterator[Part]]] = {
    "dp": redotted,
    "pro": pronoun,
    "ns": name,
    "acr": acronym,
    "lem": lemma,
    "syn": partial(synonym, pos=NOUN),
    "syv": partial(synonym, pos=VERB),
    "sya": partial(synonym, pos=ADJECTIVE),
    "per": pertainym,
    "mec": member,
    "gen": partial(broader, pos=NOUN),
    "gev": partial(broader, pos=VERB),
    "dlm": inflected,
}


def transform(name: str, rule: str, parts: Parts, topic: Topic) -> Iterator[Parts]:
    """All results of one transformation of an element."""
    if name in _WHOLE:
        yield from _WHOLE[name](rule, parts, topic.resources)
    elif name == "pgen":
        if len(parts) == 3 and parts[1][1] in PREPOSITIONS:
            for word in topic.among_parts(topic.resources.prepositions(parts[1][0].lower())):
                yield (parts[0], (word, parts[1][1]), parts[2])
    elif name.endswith("l"):
        for part in _ONE[name[:-1]](parts[0], topic):
            yield (part, *parts[1:])
    elif len(parts) > 1:
        for part in _ONE[name[:-1]](parts[-1], topic):
            yield (*parts[:-1], part)
