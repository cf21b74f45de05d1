"""Elements of trees: the kernel finds what the rules in Python find."""

from __future__ import annotations

from typing import Any

import pytest
from definitions.elements import trees as definition
from definitions.elements.units import Words, elements_of
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval.annotate.document import Document, Entity, Sentence, Token
from summeval.elements.extraction import extract, placed
from summeval.elements.rules import read_table
from summeval.elements.trees import kernel_of_trees, read_tree, tree_relations

LABELS = (
    "S NP VP PP SBAR ADJP ADVP WHPP WHNP WHADVP NX QP NN NNS NNP VBD VBN VBG AUX IN CC , JJ RB POS"
    " NP-SBJ DT PRP XX"
).split()
FORMS = "cat is has by which used cutting called did '' Inc. U.S. She . -LRB- \u212aing É é".split()

leaves = st.builds("({} {})".format, st.sampled_from(LABELS), st.sampled_from(FORMS))
trees = st.recursive(
    leaves,
    lambda below: st.builds(
        lambda label, children: f"({label} {' '.join(children)})",
        st.sampled_from(LABELS),
        st.lists(below, min_size=1, max_size=4),
    ),
    max_leaves=20,
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    sentences = []
    for written in draw(st.lists(trees, min_size=1, max_size=3)):
        forms = read_tree(written).forms
        sentences.append(Sentence(tuple(Token(form) for form in forms), written))
    size = sum(len(sentence.tokens) for sentence in sentences)
    entities = []
    for label in draw(st.lists(st.sampled_from(("PER", "ORG", "LOC")), max_size=3)):
        first, last = sorted(draw(st.lists(st.integers(0, size - 1), min_size=2, max_size=2)))
        entities.append(Entity(label, first, last))
    return Document(tuple(sentences), tuple(entities))


@settings(max_examples=200, deadline=None)
@given(documents(), st.booleans())
def test_elements_and_their_places_are_those_of_the_definition(document, has_chains) -> None:
    total = document.starts[-1]
    chains: Any = [[(0, 0), (total - 1, total - 1)]] if has_chains else []
    found = definition.placed(document, chains)
    assert placed(document, "trees", chains) == found
    assert extract(document, "trees", chains=chains) == [one.element for one in found]


RELATIONS = "< << <# <, <- <: > >> ># $+ $- $++ $-- <+(NP|VP) <+(XX)".split()


@pytest.mark.parametrize("relation", RELATIONS)
@settings(max_examples=30, deadline=None)
@given(written=trees)
def test_relations_are_those_of_the_definition(relation: str, written: str) -> None:
    tree, forms = read_tree(written), ["is", "by"]
    for pattern in (
        f"__=x {relation} __=y",
        f"__=x !{relation} NP",
        f"NP|S {relation} (!NN=x $+ __)",
    ):
        names = " ".join(name for name in "xy" if f"={name}" in pattern)
        words = f"words\tsome\t{' '.join(forms)} *ing"
        for test in (pattern, pattern.replace("__=x", "__{some}=x", 1)):
            table = read_table(f"{words}\nrule\tr1\tAny\t{names}\t{test}", tree_relations)
            sentence = Words(tree.forms, [tree.labels[node] for node in tree.tokens], 0)
            found = elements_of(sentence, definition.find_in_tree(table, tree), {}, str)
            kernel = kernel_of_trees.__wrapped__(table)
            rows = kernel.extract_trees([tree], [], [0] * len(tree.tokens)).rows()
            assert rows == [(one.element.rule, one.element.parts) for one in found], test


def test_units_of_too_few_tokens_are_refused() -> None:
    table = read_table("rule\tr1\tAny\tx\tNN=x", tree_relations)
    with pytest.raises(ValueError, match="fewer tokens"):
        kernel_of_trees(table).extract_trees([read_tree("(NN a)")], [], [])
