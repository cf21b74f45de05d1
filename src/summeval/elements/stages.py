"""The transformations of BEwT-E: what each one makes of a Basic Element, and the pipeline of them.

Source: Tratz and Hovy 2008, "Summarization evaluation using transformed Basic Elements"; the
details and the order of the pipeline are those of BEwT-E 0.5.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from summeval.elements import resources as lexical
from summeval.elements.resources import ADJECTIVE, ADVERB, ENTITIES, NOUN, PERSON, VERB, Resources

Part = tuple[str, str]  # text and type
Parts = tuple[Part, ...]
PlainElement = tuple[str, Parts]  # rule and parts
Path = tuple[str, ...]

_NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS", "CD"))
PLURALS = frozenset(("NNS", "NNPS"))
PREPOSITIONS = frozenset(("IN", "TO"))
_SINGULAR = ("he", "she", "him", "her", "his")
_PLURAL = ("they", "them")

RULES = {
    "swap": frozenset("r10 r47 r48 r49 r51".split()),
    "nppp": frozenset("r6 r7 r8 r9 r26 r27 r28 r29".split()),
    "role of a noun": frozenset("r8 r9 r10 r47 r48 r49".split()),
    "role of a verb": frozenset("r11 r12 r13 r14 r15 r17 r50 r51 r52".split()),
}


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


def entry_of(part: Part, resources: Resources, *wanted: int) -> tuple[str, int] | None:
    """WordNet's entry of a part and its part of speech, if that is one of those `wanted`, or any.

    >>> from summeval.elements.resources import resources
    >>> entry_of(("Dogs", "NNS"), resources()), entry_of(("Dogs", "NNS"), resources(), VERB)
    (('dog', 0), None)
    """
    pos = part_of_speech(part[1])
    if pos is None or (wanted and pos not in wanted):
        return None
    entry = resources.wordnet.entry(part[0], pos)
    return None if entry is None else (entry, pos)


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
        others = [part for _, parts in references for part in parts]
        own = [part for _, parts in candidate for part in parts]
        self.texts = {lower(parts) for _, parts in references}
        self.parts = {text.lower() for text, _ in others}
        entries = (entry_of(part, resources) for part in others)
        self.lemmas = self.parts | {entry[0] for entry in entries if entry}
        self.entities = sorted({part for part in own + others if part[1] in ENTITIES})
        self.own_persons = sorted({text.lower() for text, kind in own if kind == PERSON})
        self.own_groups = sorted(
            {text.lower() for text, kind in own if kind == lexical.ORGANIZATION or kind in PLURALS}
        )

    def among_parts(self, texts: Iterable[str]) -> list[str]:
        """Those in the references, each once."""
        return [text for text in dict.fromkeys(texts) if text in self.parts]


def lower(parts: Parts) -> tuple[str, ...]:
    """Return the texts in lower case."""
    return tuple(text.lower() for text, _ in parts)


# Transformations of whole elements: from rule, parts and resources to all resulting parts.


def swap(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """Yield the president is Obama: Obama, the president."""
    if rule in RULES["swap"] and len(parts) > 1:
        yield parts[::-1]


def prenominal(rule: str, parts: Parts, resources: Resources) -> Iterator[Parts]:
    """Yield a refinery fire: a fire of a refinery."""
    first, last, entry = parts[0], parts[-1], resources.wordnet.entry
    known = rule in RULES["nppp"]
    if known and len(parts) == 2 and entry(last[0], NOUN) is not None:
        yield (last, ("of", "IN"), first)
    elif known and len(parts) == 3 and entry(first[0], NOUN) is not None:
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
        # 0.5.1 rejects a noun that is spelt like a verb of the synset
        verbs = linked("synonyms", second, resources) if resources.original else ()
        known = {word.lower() for word in verbs}
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
    found = linked("pertainyms", adverb, resources)
    for adjective in (word for word, pos in found if pos == ADJECTIVE):
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


def linked(relation: str, part: Part, resources: Resources, *wanted: int) -> list[Any]:
    """Return what a relation of WordNet, a method of it, gives for the entry of a part."""
    entry = entry_of(part, resources, *wanted)
    return getattr(resources.wordnet, relation)(*entry, resources.senses) if entry else []


def derived(part: Part, pos: int | None, resources: Resources) -> list[str]:
    """Return the derivationally related forms of a noun or verb, of one part of speech or all."""
    found = linked("derived", part, resources)
    return [word for word, its in found if pos in (None, its)]


def adverbs(adjective: str, resources: Resources) -> list[str]:
    """Return the adverbs in -ly that WordNet has of an adjective."""
    word = adjective.lower()
    cut = word[:-1]
    others = {"e": [f"{cut}ly", f"{cut}y"], "l": [f"{word}y"], "y": [f"{cut}ily"]}
    forms = [f"{word}ly", *others.get(word[-1:], [])]
    return [form for form in forms if resources.wordnet.entry(form, ADVERB) == form]


# Transformations of one part: from the part and the topic to all resulting texts.


def redotted(part: Part, topic: Topic) -> Iterable[str]:
    """USA: U.S.A."""
    text = topic.resources.names.redotted(part[0])
    return () if text is None else (text,)


def pronoun(part: Part, topic: Topic) -> Iterable[str]:
    """He: a person of the summary; they: an organisation or plural noun of it; and back."""
    text, kind = part
    word = text.lower()
    if word in _SINGULAR:
        return topic.among_parts(topic.own_persons)
    if word in _PLURAL:
        return topic.among_parts(topic.own_groups)
    if topic.resources.original and kind in (PERSON, lexical.ORGANIZATION) and text != word:
        return ()  # it looks up the unchanged name among lower-case names
    found: Sequence[str] = _SINGULAR if kind == PERSON else ()
    found = _PLURAL if kind == lexical.ORGANIZATION or kind in PLURALS else found
    return topic.among_parts(word for word in found if word in topic.lemmas)


def name(part: Part, topic: Topic) -> Iterable[str]:
    """John Smith: Mr. Smith; Google: Google Inc."""
    text, kind = part
    others = [other for other, its_kind in topic.entities if its_kind == kind]
    found = _persons(text, others, topic) if kind == PERSON else _shorter(part, others, topic)
    return topic.among_parts(found) if kind in ENTITIES else ()


def _persons(text: str, others: Iterable[str], topic: Topic) -> Iterator[str]:
    _, own_initials, own_last, own_others = topic.resources.names.person(text)
    for other in others:
        plain, initials, last, its_others = topic.resources.names.person(other)
        if (own_last and own_last == last) or own_others & its_others:
            yield plain
            # The original looks up only names without periods. dpl and dpr handle initials.
            if not topic.resources.original and initials != own_initials:
                yield other.lower()


def _shorter(part: Part, others: Iterable[str], topic: Topic) -> Iterator[str]:
    short = topic.resources.names.shortened
    if (found := short(*part)) is not None:
        yield found
    yield from (other.lower() for other in others if short(other, part[1]) == part[0].lower())


def acronym(part: Part, topic: Topic) -> Iterable[str]:
    """USDA: US Department of Agriculture; USA: United States."""
    text, kind = part
    if kind not in ENTITIES and part_of_speech(kind) != NOUN:
        return ()
    word = text.lower()
    found: list[str] = []
    for other, its_kind in topic.entities:
        short = topic.resources.names.acronyms(other, its_kind)
        if other.lower() == word:
            found += short
        if word in short:
            found.append(other.lower())
    if kind != PERSON:
        found += topic.resources.abbreviations(word, kind in ENTITIES)
    return topic.among_parts(found)


def lemma(part: Part, topic: Topic) -> Iterable[str]:
    """Running: run."""
    entry = entry_of(part, topic.resources, NOUN, VERB, ADJECTIVE)
    return (entry[0],) if entry and entry[0] != part[0].lower() else ()


def synonym(part: Part, topic: Topic, pos: int) -> Iterable[str]:
    """Car: automobile."""
    entry = entry_of(part, topic.resources, pos)
    others = topic.lemmas - {entry[0]} if entry else ()
    words = sorted(linked("synonyms", part, topic.resources, pos))
    return (word for word in words if word.lower() in others)


def pertainym(part: Part, topic: Topic) -> Iterable[str]:
    """Biological: biology; China: Chinese."""
    part = as_noun(part)
    found = linked("derived", part, topic.resources, NOUN, ADJECTIVE)
    found += linked("pertainyms", part, topic.resources, ADJECTIVE)
    wanted = ADJECTIVE if part_of_speech(part[1]) == NOUN else NOUN
    return dict.fromkeys(word for word, its in found if its == wanted)


def member(part: Part, topic: Topic) -> Iterable[str]:
    """NATO: France."""
    found = linked("members", as_noun(part), topic.resources, NOUN)
    return (word for word in found if word != word.lower())


def broader(part: Part, topic: Topic, pos: int) -> Iterable[str]:
    """House: dwelling; and back."""
    named = (part[1].lower(), "NN") if part[1] in ENTITIES else part
    found = linked("kin", named, topic.resources, pos)
    return (word for word in found if word.lower() in topic.lemmas)


def inflected(part: Part, topic: Topic) -> Iterable[str]:
    """Run: ran."""
    entry = entry_of(part, topic.resources, NOUN, VERB, ADJECTIVE)
    return topic.among_parts(topic.resources.inflections(*entry)) if entry else ()


def as_noun(part: Part) -> Part:
    """Return a location as the noun that it is in WordNet, any other part as it is."""
    return (part[0], "NN") if part[1] == lexical.LOCATION else part


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
_ONE: dict[str, Callable[[Part, Topic], Iterable[str]]] = {
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
    """Yield all results of one transformation of an element."""
    if name in _WHOLE:
        yield from _WHOLE[name](rule, parts, topic.resources)
    elif name == "pgen":
        if len(parts) == 3 and parts[1][1] in PREPOSITIONS:
            for word in topic.among_parts(topic.resources.prepositions(parts[1][0].lower())):
                yield (parts[0], (word, parts[1][1]), parts[2])
    elif name.endswith("l"):
        yield from ((part, *parts[1:]) for part in _parts(name[:-1], parts[0], topic))
    elif len(parts) > 1:
        yield from ((*parts[:-1], part) for part in _parts(name[:-1], parts[-1], topic))


def _parts(name: str, part: Part, topic: Topic) -> Iterator[Part]:
    """Yield all results of one transformation of a part."""
    of_pertainym = "JJ" if part_of_speech(as_noun(part)[1]) == NOUN else "NN"
    kind = {"mec": "NN", "per": of_pertainym}.get(name, part[1])
    return ((text, kind) for text in _ONE[name](part, topic))


# At each stage, between commas, one of its transformations, or none, is applied.
_STAGES = """
    swap, dpl, dpr, nppp role, nomt dnom, advn adjp, prol, pror, nsl, nsr, acrl, acrr,
    leml syal synl syvl perl mecl, lemr syar synr syvr perr mecr, pgen, dlml, dlmr
"""
STAGES: tuple[Path, ...] = tuple(tuple(stage.split()) for stage in _STAGES.split(","))
# Hypernyms and hyponyms, off by default, are alternatives to synonyms.
HYPER = {"leml": ("genl", "gevl"), "lemr": ("genr", "gevr")}


class Result(NamedTuple):
    """An element that transformations made of another."""

    parts: Parts
    path: Path


def stages(hyper: bool = False) -> tuple[Path, ...]:
    """STAGES, with hypernyms and hyponyms or without.

    >>> stages(hyper=True)[12]
    ('leml', 'syal', 'synl', 'syvl', 'perl', 'mecl', 'genl', 'gevl')
    """
    return tuple(stage + (HYPER.get(stage[0], ()) if hyper else ()) for stage in STAGES)


def expand(element: PlainElement, topic: Topic, hyper: bool = False) -> list[Result]:
    """Return the results of an element whose texts occur in some reference, in the order found.

    Depth first: at each stage the results of every alternative continue to the later stages, then
    the unchanged element. A result is dropped if it equals the original element, or if a subset of
    the same transformations has already produced it.
    """
    rule, parts = element
    order = stages(hyper)
    begin = _state(parts)
    made: dict[Parts, list[frozenset[str]]] = {}
    results: list[Result] = []

    def explore(stage: int, parts: Parts, path: Path) -> None:
        if stage == len(order):
            return
        for name in order[stage]:
            for new in transform(name, rule, parts, topic):
                state = _state(new)
                used = frozenset((*path, name))
                before = made.setdefault(state, [])
                if state == begin or any(subset <= used for subset in before):
                    continue
                before.append(used)
                if lower(new) in topic.texts:
                    results.append(Result(new, (*path, name)))
                explore(stage + 1, new, (*path, name))
        explore(stage + 1, parts, path)

    explore(0, parts, ())
    return results


def _state(parts: Parts) -> Parts:
    return tuple((text.lower(), kind.lower()) for text, kind in parts)
