"""Relations: the kernel finds what the parser in Python finds, which defines and trains it."""

from __future__ import annotations

import contextlib
import json
import random
from typing import Any

import numpy as np
import pytest
from definitions.discourse import parser
from definitions.discourse.linear import Linear, Model, default
from hypothesis import given, settings
from hypothesis import strategies as st
from parsed_documents import a_document
from shared import CASE_FILES

from summeval._core.discourse.relations import Relations
from summeval.annotate import Document, Sentence, Token, from_json
from summeval.annotate.discourse.document import Relation
from summeval.annotate.discourse.parser import COMPONENTS, Related, parse, related
from summeval.annotate.discourse.parser import default as bundled
from summeval.metrics.discourse.roles import FEATURES, RoleSpace


def cases() -> list[Document]:
    rows = [
        row
        for name in ("shipped_models.json", "discourse_parses.json")
        for row in json.loads((CASE_FILES / name).read_text(encoding="utf-8"))["rows"]
    ]
    return [from_json(json.dumps(row["document"])) for row in rows]


def outcome(find: Any, document: Document) -> tuple[Relation, ...] | str:
    try:
        found: tuple[Relation, ...] = find(document).relations
    except ValueError as error:
        return str(error)
    return found


def test_relations_of_real_texts_are_those_of_the_definition() -> None:
    documents = cases()
    found = [each.with_relations() for each in related(documents)]
    assert found == [parser.parse(document) for document in documents]
    assert sum(len(each.relations) for each in found) > 50


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_relations_of_any_trees_are_those_of_the_definition(seed: int) -> None:
    document = a_document(random.Random(seed))
    assert outcome(parse, document) == outcome(parser.parse, document)


def same_rows(space: RoleSpace, found: list[Related]) -> bool:
    rows, _ = space.related_rows(found)
    wanted = space.rows([each.with_relations() for each in found])
    return all(np.array_equal(one, other) for one, other in zip(rows, wanted, strict=True))


@pytest.mark.parametrize("features", [name for name in FEATURES if name != "grid"])
def test_roles_of_related_texts_are_those_of_their_relations(features: str) -> None:
    space = RoleSpace(features)
    assert same_rows(space, related(cases()))
    assert same_rows(space, [])
    assert all(same_rows(space, related([each])) for each in cases())


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_roles_of_any_trees_are_those_of_their_relations(seed: int) -> None:
    chance = random.Random(seed)
    found = []
    for document in (a_document(chance) for _ in range(4)):
        with contextlib.suppress(ValueError):
            found += related([document])
    assert same_rows(RoleSpace("dicomer"), found)


def test_texts_with_ascii_words_are_known() -> None:
    texts = [Document((Sentence((Token(word, "NN", "", -1, "root"),)),)) for word in "aZ09é.[`@/:"]
    _, plain = RoleSpace("lin").related_rows(related(texts))
    assert plain.tolist() == [True] * 4 + [False] * 7


def test_relations_of_another_document_are_refused() -> None:
    """Numbers that point outside are found before anything is read there."""
    one, other = sorted(related(cases())[:2], key=lambda each: len(each.document.text))
    mixed = one._replace(written=other.written)
    with pytest.raises(ValueError, match=r"written\[0\] has no relations of blocks\[0\]"):
        RoleSpace("lin").related_rows([mixed])
    whole = np.frombuffer(other.written, np.int32)
    for place in range(4):
        for wrong in (-1, 1 << 30):
            numbers = whole.copy()
            numbers[place] = wrong
            with pytest.raises(ValueError, match="has no relations"):
                RoleSpace("lin").related_rows([other._replace(written=numbers.tobytes())])
    with pytest.raises(ValueError, match="has no relations"):
        RoleSpace("lin").related_rows([other._replace(written=whole[:-1].tobytes())])


@pytest.mark.parametrize("workers", [2, 3])
def test_threads_find_what_one_finds(workers: int) -> None:
    documents = cases() * 12
    alone = [each.written for each in related(documents)]
    assert [each.written for each in related(documents, workers)] == alone


def test_documents_do_not_depend_on_those_before() -> None:
    documents = cases()
    together = [each.written for each in related(documents)]
    assert [related([each])[0].written for each in documents] == together


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
    """With a random weight for each feature that is asked about, one that differs is found.

    Where all boundaries are nearly as good, the features of the stretches decide.
    """
    chance, whole = random.Random(5), default()
    heard = heard_names()
    for apart in (1.0, 1.0, 1e-4):
        components = {}
        for name, each in whole.components.items():
            weights = {
                feature: tuple(chance.randint(-127, 127) for _ in each.classes)
                for feature in sorted(heard[name])
            }
            scale = [apart * one if name == "boundary" else one for one in each.scale]
            components[name] = Linear(each.classes, each.bias, tuple(scale), weights)
        model = Model(components, whole.lexicon, whole.senses)
        for document in cases():
            assert parse(document, model.packed()) == parser.parse(document, model)


def test_a_document_that_cannot_be_packed_is_refused() -> None:
    with pytest.raises(ValueError, match="document: sentences"):
        parse(Document((Sentence((Token("a", "NN", "", 0, "dep"),)),)))


def test_a_damaged_block_is_refused() -> None:
    kernel, _ = bundled().kernel
    assert isinstance(kernel, Relations)
    with pytest.raises(ValueError, match="damaged"):
        kernel.find([b"no block"])
