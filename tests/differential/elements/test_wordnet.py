"""WordNet: the kernel finds in the table what its definition finds."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from definitions.elements import wordnet as twin

from summeval._core.elements.wordnet import WordNet
from summeval.elements.resources import wordnet

DATA = wordnet().data
KERNEL, TWIN = WordNet(DATA), twin.WordNet(DATA)
RELATIONS = ("synsets", "synonyms", "derived", "pertainyms", "members", "kin")
ENDINGS = ["s", "es", "ies", "ed", "ing", "er", "est", "men", "ches", "xes", "'s", "-like", "é"]


def entries(rng: random.Random, pos: int, count: int) -> Iterator[str]:
    numbers = TWIN._section(pos, 0)
    yield from (TWIN._string(numbers[k]) for k in rng.sample(range(len(numbers)), count))


@pytest.mark.parametrize("pos", range(4))
def test_entries_have_the_same_relations_and_forms(pos: int) -> None:
    for entry in entries(random.Random(pos), pos, 400):
        for senses in (0, 1, 2):
            for name in RELATIONS:
                found = getattr(KERNEL, name)(entry, pos, senses)
                assert found == getattr(TWIN, name)(entry, pos, senses), (entry, name)
        for original in (False, True):
            found = KERNEL.inflections(entry, pos, original)
            assert found == TWIN.inflections(entry, pos, original), entry


@pytest.mark.parametrize("pos", range(4))
def test_forms_have_the_same_entry(pos: int) -> None:
    rng = random.Random(10 + pos)
    words = [*entries(rng, pos, 200), "", " ", "-", "ran", "geese", "best", "\ud800x", "Ärzte dogs"]
    for word in words:
        for end in ("", *ENDINGS):
            for form in (word + end, (word[:-1] + end).title(), "ex-" + word, f"a {word}{end}"):
                assert KERNEL.entry(form, pos) == TWIN.entry(form, pos), form
        for entry in (word, word + "s"):
            for form in TWIN.inflections(entry, pos):
                assert KERNEL.entry(form, pos) == TWIN.entry(form, pos), form


@pytest.mark.parametrize("name", [*RELATIONS, "inflections"])
def test_what_is_no_entry_has_none(name: str) -> None:
    with pytest.raises(KeyError):
        getattr(KERNEL, name)("xyzzy", 0)
