"""TESLA-M with the likeness of words as published: lemmas, synsets of WordNet, tags."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import summeval
from summeval import TeslaM
from summeval.elements.resources import wordnet
from summeval.metrics.tesla.reading import Word
from summeval.metrics.tesla.tesla_m import ORDERS, likeness
from summeval.solvers import list_solvers, transport

POS = {"NN": 0, "NNS": 0, "NNP": 0, "VB": 1, "VBD": 1, "JJ": 2, "RB": 3}
FORMS = (
    "car",
    "cars",
    "auto",
    "motor",
    "drive",
    "drove",
    "driven",
    "Quick",
    "fast",
    "xyzzy",
    "the",
)
tokens = st.tuples(st.sampled_from(FORMS), st.sampled_from([*POS, "DT"]))
texts = st.lists(tokens, max_size=6)


def by_definition(a: tuple[str, str], b: tuple[str, str]) -> float:
    """The likeness of two words, from the papers."""
    net, lemmas, synsets = wordnet(), [], []
    for form, tag in (a, b):
        known = range(4) if tag == "DT" else [POS[tag]]
        entries = [(net.entry(form, pos), pos) for pos in known]
        found = [(entry, pos) for entry, pos in entries if entry is not None]
        own = {entry for entry, _ in found} or {form.lower()}
        lemmas.append(own | {form.lower()} if tag == "DT" else own)
        synsets.append({n for entry, pos in found for n in net.synsets(entry, pos)})
    if lemmas[0] & lemmas[1]:
        return 1.0
    return (bool(synsets[0] & synsets[1]) + (a[1] == b[1])) / 2


@pytest.mark.parametrize(
    ("mine", "other", "alike"),
    [
        ("car/NN", "cars/NNS", 1.0),  # one lemma
        ("car/NN", "auto/NN", 1.0),  # a synset, the tag
        ("car/NN", "autos/NNS", 0.5),  # a synset
        ("car/NN", "dog/NN", 0.5),  # the tag
        ("car/NN", "barked/VBD", 0.0),
        ("gondola/NN", "car/NN", 1.0),  # a synset of the third sense of car
        ("ran/VBD", "runs/VBZ", 1.0),
        ("run/NN", "run/VB", 1.0),  # the lemma is one, whatever the tag
        ("xyzzy/NN", "Xyzzy/NNP", 1.0),
        ("the/DT", "a/DT", 0.5),
    ],
)
def test_likeness_by_hand(mine: str, other: str, alike: float) -> None:
    part = TeslaM(similarity="wordnet", function_weight=1.0).score_units(mine, other).parts
    assert alike == part.unigram.S


def test_a_pair_of_phrases_by_hand() -> None:
    # unigrams: car = auto 1, drove = drive 1, fast and slow share a tag .5; S 2.5 of 3 and 3
    # bigrams: car drove 1, drove fast .75; trigram: (1 + 1 + .5)/3
    score = TeslaM(similarity="wordnet").score_units(
        "car/NN drove/VBD fast/RB", "auto/NN drove/VBD slowly/RB"
    )
    found = [score.parts[order].S for order in ORDERS]
    assert found == pytest.approx([2.5, 1.75, 2.5 / 3])
    assert score.value == pytest.approx((2.5 / 3 + 1.75 / 2 + 2.5 / 3) / 3)


def test_one_pair_without_likeness_makes_an_n_gram_worth_nothing() -> None:
    metric = TeslaM(similarity="wordnet")
    score = metric.score_units("car/NN barked/VBD", "auto/NN tree/NN")
    # car is like auto (1) or like tree (.5); barked is like neither
    assert score.parts.unigram.S == 1.0
    assert score.parts.bigram.S == 0.0


@given(texts, texts)
def test_likeness_is_that_of_the_papers(
    mine: list[tuple[str, str]], others: list[tuple[str, str]]
) -> None:
    sides = [[Word(form, form.lower(), tag) for form, tag in side] for side in (mine, others)]
    wanted = [[by_definition(a, b) for b in others] for a in mine]
    found = likeness(*sides, lemmas=False)
    assert found.shape == (len(mine), len(others))
    assert found.tolist() == (wanted if mine else [])


@given(texts, texts)
def test_scores_are_optima_of_the_programme(
    mine: list[tuple[str, str]], others: list[tuple[str, str]]
) -> None:
    texts_of = [" ".join(f"{form}/{tag}" for form, tag in side) for side in (mine, others)]
    found = TeslaM(similarity="wordnet").score_units(*texts_of).parts
    for order, name in enumerate(ORDERS, 1):
        grams = [
            [side[k : k + order] for k in range(len(side) - order + 1)] for side in (mine, others)
        ]
        if not all(grams):
            assert found[name].S == 0
            continue
        weights = [
            [prod(0.1 if tag == "DT" else 1.0 for _, tag in one) for one in of] for of in grams
        ]
        similarity = np.zeros((len(grams[0]), len(grams[1])))
        for (i, a), (j, b) in product(enumerate(grams[0]), enumerate(grams[1])):
            alike = [by_definition(x, y) for x, y in zip(a, b, strict=True)]
            similarity[i, j] = sum(alike) / order if all(alike) else 0.0
        wanted = transport(*weights, similarity, solver="highs").value
        assert pytest.approx(wanted, abs=1e-9) == found[name].S


@pytest.mark.parametrize("solver", [n for n in list_solvers("transport") if n != "ortools"])
def test_every_solver_gives_the_same(solver: str) -> None:
    pair = "The/DT quick/JJ car/NN drove/VBD home/NN", "A/DT fast/JJ auto/NN was/VBD driven/VBN"
    wanted = TeslaM(similarity="wordnet").score_units(*pair)
    found = TeslaM(similarity="wordnet", solver=solver).score_units(*pair)
    assert found.value == pytest.approx(wanted.value, abs=1e-9)


def test_text_without_tags_has_lemmas_and_half_of_synonyms() -> None:
    metric = TeslaM(similarity="wordnet")
    assert metric.score("the cars stopped", "the car stops").value == 1.0
    assert metric.score("cars", "autos").parts.unigram.S == 0.5
    assert summeval.TeslaM().score("cars", "autos").parts.unigram.S == 0.0


def test_given_lemmas_take_the_place_of_those_of_wordnet() -> None:
    metric = TeslaM(similarity="wordnet", lemma=lambda form, tag: form.lower(), label="own")
    assert metric.score_units("cars/NNS", "car/NN").parts.unigram.S == 0.5  # a synset alone
    same = TeslaM(similarity="wordnet", lemma=lambda form, tag: "x", label="own")
    assert same.score_units("cars/NNS", "barked/VBD").parts.unigram.S == 1.0


def test_the_signature_names_it() -> None:
    assert "|words:wordnet-3.0|" in str(TeslaM(similarity="wordnet").signature)
    assert "|words:graded|" in str(TeslaM().signature)
    named = summeval.metric("tesla-m", similarity="wordnet")
    assert named.signature == TeslaM(similarity="wordnet").signature


def test_other_names_and_synonyms_beside_it_are_refused() -> None:
    with pytest.raises(TypeError, match="similarity is 'wordnte'; give a function"):
        TeslaM(similarity="wordnte")
    with pytest.raises(ValueError, match="similarity and synonyms are both set"):
        TeslaM(similarity="wordnet", synonyms=lambda a, b: True)
