"""Relations: the kernel finds what the parser in Python finds, which defines and trains it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import CASE_FILES

from summeval.annotate import Document, Sentence, Token, from_json
from summeval.annotate.discourse import parser, related
from summeval.annotate.discourse.document import Relation
from summeval.annotate.discourse.model import COMPONENTS, Linear, Model, by_first_word, default

WORDS = [
    *("it", "It", "rained", "cats", "?", ".", ",", "-", "^", "$", "", "|", "a|b", "“", "’", "``"),
    *("É", "K", "ünd", "\ud800", "and", "And", "so", "that", "because", "if", "then", "either"),
    *("or", "not", "only", "but", "also", "on", "the", "one", "other", "hand", "for", "example"),
    *("as", "well", "However", "you", "um", "w" * 300),
]
TAGS = [
    "VBD",
    "VB",
    "CC",
    "IN",
    "NN",
    "JJ",
    "RB",
    "UH",
    "MD",
    "HYPH",
    "``",
    ".",
    ",",
    "",
    "É",
    "N|",
]
LABELS = ["conj", "cc", "mark", "advcl", "advmod", "nsubj", "aux", "neg", "prep", "punct", "x|y"]


def cases() -> list[Document]:
    rows = [
        row
        for name in ("shipped_models.json", "discourse_parses.json")
        for row in json.loads((CASE_FILES / name).read_text(encoding="utf-8"))["rows"]
    ]
    return [from_json(json.dumps(row["document"])) for row in rows]


def a_sentence(chance: random.Random, length: int, words: list[str]) -> Sentence:
    """Any tree over the words, in which heads may stand on either side."""
    order = chance.sample(range(length), length)
    heads = [-1] * length
    for place, token in enumerate(order):
        if place and chance.random() < 0.97:
            heads[token] = order[chance.randrange(max(0, place - 4), place)]
    rows = (
        (chance.choice(words), chance.choice(TAGS), "", head, chance.choice(LABELS))
        for head in heads
    )
    return Sentence(tuple(Token(*row) for row in rows))


def a_document(chance: random.Random) -> Document:
    words = WORDS if chance.random() < 0.5 else chance.sample(WORDS, 8)
    most = chance.choice([4, 12, 40])
    lengths = [chance.randint(1, most) for _ in range(chance.randint(0, 6))]
    sentences = [a_sentence(chance, length, words) for length in lengths]
    if chance.random() < 0.2:
        sentences.insert(chance.randint(0, len(sentences)), Sentence(()))
    return Document(tuple(sentences))


def outcome(find: Any, document: Document) -> tuple[Relation, ...] | str:
    try:
        found: tuple[Relation, ...] = find(document).relations
    except ValueError as error:
        return str(error)
    return found


def test_relations_of_real_texts_are_those_of_the_definition() -> None:
    documents = cases()
    found = [each.with_relations() for each in related.related(documents)]
    assert found == [parser.parse(document) for document in documents]
    assert sum(len(each.relations) for each in found) > 50


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_relations_of_any_trees_are_those_of_the_definition(seed: int) -> None:
    document = a_document(random.Random(seed))
    assert outcome(related.parse, document) == outcome(parser.parse, document)


@pytest.mark.parametrize("workers", [2, 3])
def test_threads_find_what_one_finds(workers: int) -> None:
    documents = cases() * 12
    alone = [each.written for each in related.related(documents)]
    assert [each.written for each in related.related(documents, workers)] == alone


def test_documents_do_not_depend_on_those_before() -> None:
    documents = cases()
    together = [each.written for each in related.related(documents)]
    assert [related.related([each])[0].written for each in documents] == together


def heard_names() -> dict[str, set[str]]:
    """The features that the definition asks each component about."""
    heard: dict[str, set[str]] = {name: set() for name in COMPONENTS}
    whole = default()

    class Listening(Linear):
        def scores(self, features: Any) -> list[float]:
            name = next(n for n in COMPONENTS if whole.components[n].bias is self.bias)
            heard[name] |= set(features)
            return Linear.scores(self, features)

    components = {
        name: Listening(each.classes, each.bias, each.scale, each.weights)
        for name, each in whole.components.items()
    }
    for document in cases():
        parser.parse(document, Model(components, whole.lexicon, whole.senses))
    return heard


def test_every_feature_of_the_definition_has_its_weight() -> None:
    """With a random weight for each feature that is asked about, one that differs is found."""
    chance, whole = random.Random(5), default()
    heard = heard_names()
    for _ in range(2):
        components = {}
        for name, each in whole.components.items():
            weights = {
                feature: tuple(chance.randint(-127, 127) for _ in each.classes)
                for feature in sorted(heard[name])
            }
            components[name] = Linear(each.classes, each.bias, each.scale, weights)
        model = Model(components, whole.lexicon, whole.senses)
        assert related._reader(model) is not None
        for document in cases():
            assert related.parse(document, model) == parser.parse(document, model)


def small(**changed: Linear) -> Model:
    """A model of one feature for each component."""
    one = Linear(("True",), (0.5,), (0.25,), {"": (1,)})
    four = Linear(("a", "b", "c", "d"), (0.0,) * 4, (0.1,) * 4, {"=01": (1, 2, 3, 4)})
    sense = Linear(("Temporal",), (0.0,), (1.0,), {"and|": (1,)})
    components = dict.fromkeys(COMPONENTS, one) | {"boundary": four, "sense": sense}
    components["neighbours"] = Linear(("EntRel", "Temporal"), (0.0, 0.0), (1.0, 1.0), {})
    return Model(
        {**components, **changed},
        by_first_word([("and",), ("so", "that")]),
        {"Temporal": "Temporal"},
    )


def test_models_that_the_kernel_cannot_read_are_left_to_the_definition() -> None:
    assert related._reader(small()) is not None
    refused = [
        {"position": Linear(("True",), (0.5,), (0.25,), {"a\nb": (1,)})},
        {"position": Linear(("True",), (float("nan"),), (0.25,), {"a": (1,)})},
        {"position": Linear(("True",), (0.5,), (1e200,), {"a": (1,)})},
        {"position": Linear(("True",), (0.5,), (0.25,), {"a": (2**15,)})},
        {"connective": Linear(("True", "b"), (0.5,) * 2, (0.25,) * 2, {"a": (1, 1)})},
        {"sense": Linear(("Comparison",), (0.5,), (0.25,), {"a": (1,)})},
        {"neighbours": Linear(("Other",), (0.5,), (0.25,), {"a": (1,)})},
    ]
    for changed in refused:
        assert related._reader(small(**changed)) is None, changed


def test_a_document_that_cannot_be_packed_is_refused() -> None:
    with pytest.raises(ValueError, match="document: sentences"):
        related.parse(Document((Sentence((Token("a", "NN", "", 0, "dep"),)),)))
