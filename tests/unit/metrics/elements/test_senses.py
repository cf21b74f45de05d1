"""How many senses of a word of WordNet the transformations of BEwT-E look at."""

from __future__ import annotations

from typing import Any

import pytest

from summeval import BEwTE
from summeval.elements.resources import NOUN, VERB, wordnet

NET = wordnet()


def recall(candidate: str, reference: str, **options: Any) -> float:
    return float(BEwTE(**options).score_units([candidate], {"A": [reference]}).value)


def test_senses_come_in_the_order_of_their_frequency() -> None:
    assert len(NET.synsets("car", NOUN)) == 5
    assert NET.synsets("car", NOUN, 2) == NET.synsets("car", NOUN)[:2]
    assert NET.synonyms("car", NOUN, 1) == NET.synonyms("car", NOUN)
    assert "railcar" not in NET.synonyms("car", NOUN, 1)
    assert "railcar" in NET.synonyms("car", NOUN, 2)
    assert "gondola" not in NET.synonyms("car", NOUN, 2)
    assert "gondola" in NET.synonyms("car", NOUN, 3)
    assert NET.synonyms("car", NOUN, 99) == NET.synonyms("car", NOUN, 0)
    with pytest.raises(KeyError):
        NET.synsets("xyzzy", NOUN)


def test_all_that_hangs_on_a_sense_has_the_senses() -> None:
    for of in (NET.derived, NET.kin):
        few, many = of("treat", VERB, 1), of("treat", VERB, 0)
        assert set(few) < set(many)
        assert len(many) == len(set(many))
    assert set(NET.members("bank", NOUN)) <= set(NET.members("bank", NOUN, 0))
    assert set(NET.pertainyms("nuclear", 2)) < set(NET.pertainyms("nuclear", 2, 0))


def test_a_synonym_in_a_later_sense_matches_when_it_is_looked_at() -> None:
    assert recall("r1 car|NN", "r1 railcar|NN") == 0
    assert recall("r1 car|NN", "r1 railcar|NN", senses="first") == 0
    assert recall("r1 car|NN", "r1 railcar|NN", senses=1) == 0
    assert recall("r1 car|NN", "r1 railcar|NN", senses=2) == 1
    assert recall("r1 car|NN", "r1 gondola|NN", senses=2) == 0
    assert recall("r1 car|NN", "r1 gondola|NN", senses="all") == 1
    (found,) = BEwTE(senses=2).transformations(["r1 car|NN"], {"A": ["r1 railcar|NN"]})
    assert found["path"] == ["synl"]


def test_explanations_look_at_the_same_senses() -> None:
    told = BEwTE(senses="all").explain_units(["r1 car|NN"], {"A": ["r1 gondola|NN"]})
    assert told.recall == 1
    assert told.references[0].matches[0].path == ("synl",)


def test_hypernyms_have_the_senses() -> None:
    assert recall("r1 plant|NN", "r1 organism|NN", hyper=True) == 0
    assert recall("r1 plant|NN", "r1 organism|NN", hyper=True, senses=2) == 1


def test_the_signature_names_what_is_not_the_default() -> None:
    assert "senses" not in str(BEwTE().signature)
    assert str(BEwTE(senses=1).signature) == str(BEwTE().signature)
    assert "|senses:2|" in str(BEwTE(senses=2).signature)
    assert "|senses:all|" in str(BEwTE(senses="all").signature)


@pytest.mark.parametrize("senses", [0, -1, 1.5, "second", True, None])
def test_other_values_are_refused(senses: Any) -> None:
    with pytest.raises(ValueError, match=r"senses is .*; give a whole number from 1 to 1,000"):
        BEwTE(senses=senses)
