"""What scores of BE and BEwT-E come from, by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum, sqrt
from typing import Any

import pytest

from summeval import BasicElements, BEwTE
from summeval.annotate import Document, Entity, Sentence, Token
from summeval.elements.elements import parse
from summeval.elements.extraction import placed
from summeval.metrics.elements.basic_elements import as_triple
from summeval.metrics.elements.explain import PlacedElement, units_of
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation

TAGS = {
    "fire": "NN",
    "fires": "NNS",
    "man": "NN",
    "killed": "VBD",
    "burned": "VBD",
    "İzmir": "NN",
    "Ann": "NNP",
    "she": "PRP",
}


class Lines:
    """A provider: a sentence a line, of a verb and then its subjects, with or without offsets."""

    loaded = 0

    def __init__(self, offsets: bool) -> None:
        self.signature = self.name = f"lines:{offsets}"
        self._offsets = offsets

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        for text in texts:
            sentences, at = [], 0
            for line in text.split("\n"):
                tokens = []
                for number, word in enumerate(line.split()):
                    at = text.index(word, at)
                    place = (at, at + len(word)) if self._offsets else (-1, -1)
                    at += len(word)
                    head, label = (0, "nsubj") if number else (-1, "root")
                    tag = TAGS.get(word, "VBD" if not number else "NN")
                    tokens.append(Token(word, tag, word.lower(), head, label, *place))
                sentences.append(Sentence(tuple(tokens)))
            yield Document(tuple(sentences), text=text, provider=self.signature)


@pytest.fixture(params=[True, False], ids=["offsets", "forms"])
def more(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A parser of the tests' own."""
    return {"parser": Lines(request.param), "cache": False}


def total(told: Explanation) -> float:
    return fsum(item.share for item in told.items)


def found(told: Explanation, kind: str) -> dict[str, float]:
    """The items of a kind: what they are called, and their shares."""
    return {item.text: item.share for item in told.items if item.kind == kind}


def item(told: Explanation, text: str) -> ExplainedItem:
    (one,) = (one for one in told.items if one.text == text)
    return one


def test_be_is_shared_by_its_hits(more: dict[str, Any]) -> None:
    candidate, reference = "killed fire\nburned man", "killed  fire man"
    told = BasicElements(mode="hm", **more).explain(candidate, reference)
    # of the reference: killed|fire|subj and killed|man|subj
    assert told.value == 0.5
    assert found(told, "match") == {"killed|fire": 0.5}
    assert found(told, "missing") == {"killed|man": 0.0}
    assert found(told, "extra") == {"burned|man": 0.0}
    assert item(told, "killed|fire").candidate_spans == ((7, 11), (0, 6))
    assert item(told, "killed|man").reference_spans == ((0, 13, 16), (0, 0, 6))
    assert item(told, "killed|fire").details == {"hits": 1.0, "reference": 1.0}


def test_be_rounds_as_it_prints(more: dict[str, Any]) -> None:
    told = BasicElements(mode="h", **more).explain("killed", "killed fire man")
    assert told.value == 0.33333
    assert found(told, "match") == {"killed": 0.33333}


def test_be_over_references_that_are_left_out_is_a_mean(more: dict[str, Any]) -> None:
    references = ["killed fire", "burned man", "killed man"]
    metric = BasicElements(mode="h", jackknife=True, digits=None, **more)
    told = metric.explain("killed fire", references)
    # killed and fire of the first, killed of the third: 2 of 4, 3 of 4 and 1 of 4
    assert told.value == pytest.approx(0.5)
    assert found(told, "match") == pytest.approx(
        {"killed": (1 / 4 + 2 / 4 + 1 / 4) / 3, "fire": (1 / 4 + 1 / 4) / 3}
    )
    best = BasicElements(mode="h", aggregate="best", **more).explain("killed fire", references)
    assert {number for one in best.items for number, _, _ in one.reference_spans} == {0}
    assert total(best) == best.value == 1.0


def test_bewte_is_shared_by_weights_of_matches(more: dict[str, Any]) -> None:
    references = ["killed fire", "killed man"]
    told = BEwTE(jackknife=False, **more).explain("killed fires", references)
    # elements of the first: fire, killed (in both: the root of 2), fire+killed
    whole = 2 + sqrt(2)
    assert found(told, "match") == pytest.approx(
        {
            "killed": sqrt(2) / whole,
            "fires = fire by leml": 1 / whole,
            "fires killed = fire killed by leml": 1 / whole,
        }
    )
    assert told.value == 1.0
    assert item(told, "killed").details == {"coefficient": 1.0, "weight": sqrt(2)}
    assert {number for one in told.items for number, _, _ in one.reference_spans} == {0}


def test_bewte_jackknifes_and_averages(more: dict[str, Any]) -> None:
    references = ["killed fire", "killed man", "burned man"]
    for options in (
        {},
        {"aggregate": "average"},
        {"aggregate": "average", "jackknife": False},
        {"weights": "total", "coefficients": {"lemm": 0.25}},
        {"duplicates": True, "solver": "highs"},
    ):
        told = BEwTE(**options, **more).explain("killed fires fires\nburned fire", references)
        assert 0 < told.value < 1
        assert total(told) == pytest.approx(told.value, abs=1e-12)
    # left out in turn: of 2 and 3 the second is best, of 1 and 3 the first, of 1 and 2 the first
    told = BEwTE(**more).explain("killed fire", references)
    by_hand = [1 / (2 + sqrt(2)), 1.0, 1.0]  # both of the others have the man
    assert told.value == pytest.approx(sum(by_hand) / 3)
    assert item(told, "fire").share == pytest.approx((0 + 1 / 3 + 1 / (2 + sqrt(2))) / 3)


def test_equal_elements_are_one_with_the_places_of_all(more: dict[str, Any]) -> None:
    told = BEwTE(**more).explain("killed fire\nburned fire", "burned fire")
    assert item(told, "fire").candidate_spans == ((7, 11), (19, 23))
    told = BEwTE(duplicates=True, **more).explain("killed fire\nburned fire", "burned fire")
    fires = [one for one in told.items if one.text == "fire"]
    assert sorted(one.candidate_spans for one in fires) == [((7, 11),), ((19, 23),)]
    assert sum(one.kind == "match" for one in fires) == 1


def test_texts_that_are_lower_cased_have_their_own_places(more: dict[str, Any]) -> None:
    candidate = "BURNED İzmir İzmir"  # a character longer in lower case
    for metric in (BEwTE(case="lower", **more), BasicElements(case="lower", mode="h", **more)):
        told = metric.explain(candidate, "burned i\u0307zmir")
        places = {span for one in told.items if one.share for span in one.candidate_spans}
        assert places == {(0, 6), (7, 12), (13, 18)}
        assert total(told) == told.value == 1.0


def test_a_pronoun_that_a_chain_replaces_stands_where_it_is(more: dict[str, Any]) -> None:
    candidate = "came Ann\nleft she"
    metric = BEwTE(
        coreference=lambda document: [[(1, 1), (3, 3)]][: len(document.sentences) - 1],
        label="own",
        **more,
    )
    told = metric.explain(candidate, "left Ann")
    one = item(told, "Ann left")
    assert {candidate[begin:end] for begin, end in one.candidate_spans} == {"she", "left"}
    assert told.value == 1.0


def test_a_relation_that_is_not_compared_is_not_shown() -> None:
    one = PlacedElement(parse("r26 fire|NN+in|IN+İzmir|Location"), ((0, 4), (5, 7), (8, 13)))
    for mode, written, spans in (
        ("hm", "fire|İzmir", [(0, 4), (8, 13)]),
        ("hmr", "fire|İzmir|in", [(0, 4), (5, 7), (8, 13)]),
    ):
        metric = BasicElements(mode=mode)
        ((_, *found),) = units_of([one], lambda one: as_triple(one.element), metric._units)
        assert found == [written, spans]
    alone = PlacedElement(parse("r1 fire|NN"), ((0, 4),))
    metric = BasicElements(mode="hmr2")
    ((_, *found),) = units_of([alone], lambda one: as_triple(one.element), metric._units)
    assert found == ["fire", [(0, 4)]]


def test_a_name_stands_where_all_its_words_do() -> None:
    tokens = (
        Token("Ann", "NNP", head=1, label="compound"),
        Token("Smith", "NNP", head=2, label="nsubj"),
        Token("left", "VBD", label="root"),
    )
    document = Document((Sentence(tokens),), (Entity("PER", 0, 1),))
    found = {str(one.element): one.tokens for one in placed(document)}
    assert found["r11 Ann Smith|Person+left|VBD"] == ((0, 1), (2, 2))
    assert found["r1 Ann Smith|Person"] == ((0, 1),)
