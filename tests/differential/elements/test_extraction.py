"""Elements of documents: the kernel cuts what the rules in Python cut."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from definitions.elements import extraction as definition
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import CASE_FILES

from summeval._core.elements import extraction as kernel
from summeval.annotate.document import Document, Entity, Sentence, Token, packed
from summeval.annotate.files import from_json
from summeval.elements.dependencies import kernel_rules
from summeval.elements.extraction import cut_documents, placed

Row = tuple[str, tuple[tuple[str, str], ...]]


def defined(document: Document, chains: Any = ()) -> list[Row]:
    found = definition.extract(document, chains)
    return [(element.rule, element.parts) for element in found]


def by_kernel(documents: list[Document], workers: int = 1) -> list[list[Row] | None]:
    found = kernel_rules().extract(
        [packed(one) for one in documents], [one.text for one in documents], "auto", workers
    )
    return [None if one is None else one.rows() for one in found]


# Tags and labels that rules name, others, and strange ones.
TAGS = (
    "NN NNS NNP NNPS CD $ RBS RBR RB VB VBD VBG VBN VBP VBZ MD JJ JJR JJS IN TO PRP PRP$ WP WP$ WDT"
    " WRB POS DT RP , . AUX XX NN|x"
).split()
LABELS = (
    "nsubj nsubjpass nsubj:pass nsubj:outer csubj csubjpass expl dobj obj iobj dative oprd objcomp"
    " prep agent pobj pcomp conj cc cop case relcl acl acl:relcl rcmod advcl ccomp xcomp purpcl aux"
    " auxpass aux:pass mark poss nmod nmod:poss nmod:poss:x attr acomp advmod neg tmod npadvmod"
    " obl:unmarked compound flat name number nummod num amod appos prt compound:prt partmod infmod"
    " whadvmod punct parataxis discourse root dep strange"
).split()
FORMS = (
    "dogs Dogs cat Iran was Was is 's ’s 'd has HAVE by By named NIC\u212aNAMED following not n't"
    " never a.b. U.S. Inc. . , + | a|b été É İs ’re ΑΣ x\u00a0y. \u2003. \ud800 日本 'm"
).split(" ")

tokens = st.builds(
    Token,
    form=st.sampled_from(FORMS) | st.text(max_size=4),
    tag=st.sampled_from([*TAGS, ""]),
    lemma=st.sampled_from(["", "be", "have", "Dog"]),
    label=st.sampled_from(LABELS),
)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Tokens whose heads form trees."""
    made = draw(st.lists(tokens, max_size=14))
    order = draw(st.permutations(range(len(made))))
    heads = [-1] * len(made)
    for place, token in enumerate(order[1:], 1):
        if draw(st.integers(0, 9)):
            heads[token] = order[draw(st.integers(0, place - 1))]
    return Sentence(
        tuple(replace(token, head=head) for token, head in zip(made, heads, strict=True))
    )


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Sentences with a text that has their tokens, or not, and entities that may overlap."""
    parts = draw(st.lists(sentences(), max_size=3))
    text, placed = "", []
    blank = draw(st.sampled_from([" ", "\n\u3000 ", ""]))
    has_text = draw(st.booleans())
    for part in parts:
        its = []
        for token in part.tokens:
            start = len(text) if draw(st.integers(0, 9)) else -1
            text += token.form + blank
            its.append(replace(token, start=start, end=len(text)) if has_text else token)
        placed.append(Sentence(tuple(its)))
    size = sum(len(part.tokens) for part in placed)
    entities = []
    for _ in range(draw(st.integers(0, 4)) if size else 0):
        first = draw(st.integers(0, size - 1))
        last = draw(st.integers(first, min(size - 1, first + 3)))
        entities.append(Entity(draw(st.sampled_from(["PER", "ORG", "LOC"])), first, last))
    return Document(tuple(placed), tuple(entities), text if has_text else "")


@settings(max_examples=25, deadline=None)
@given(st.lists(documents(), max_size=3))
def test_kernel_cuts_what_the_rules_cut(given_documents: list[Document]) -> None:
    expected = [defined(one) if _is_fit(one) else None for one in given_documents]
    assert by_kernel(given_documents) == expected
    assert by_kernel(given_documents, workers=3) == expected
    for document in filter(_is_fit, given_documents):
        assert placed(document) == definition.placed(document)


def _is_fit(document: Document) -> bool:
    return all(
        not one.tokens or any(token.label for token in one.tokens) for one in document.sentences
    )


@settings(max_examples=15, deadline=None)
@given(documents(), st.data())
def test_chains_replace_the_same_tokens(document: Document, data: st.DataObject) -> None:
    size = document.starts[-1]
    chains = []
    for _ in range(data.draw(st.integers(0, 2)) if size else 0):
        firsts = data.draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=3, unique=True))
        chains.append([(one, min(one + data.draw(st.integers(0, 2)), size - 1)) for one in firsts])
    (found,) = cut_documents([document], chains=[chains])
    assert found.rows() == defined(document, chains=chains)
    assert placed(document, chains=chains) == definition.placed(document, chains)


def long_document(size: int, seed: int) -> Document:
    """A sentence of many tokens."""
    chance = random.Random(seed)
    made = [
        Token(chance.choice(FORMS), chance.choice(TAGS), "", chance.randrange(k), label)
        if k
        else Token("was", "VBD", "", -1, "root")
        for k, label in enumerate(chance.choices(LABELS, k=size))
    ]
    return Document((Sentence(tuple(made)),))


def test_many_random_sentences_are_cut_alike() -> None:
    made = [long_document(1 + seed % 23, seed) for seed in range(150)]
    assert by_kernel(made, 2) == [defined(one) for one in made]


def test_long_sentences_are_cut_alike() -> None:
    made = [long_document(size, size) for size in (1, 100, 400)]
    assert by_kernel(made) == [defined(one) for one in made]


def parses_of_cases() -> Iterator[Document]:
    """The parses of the cases of Basic Elements, as documents."""
    cases = json.loads((CASE_FILES / "extraction.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        if case["rules"] == "trees":
            continue
        made: list[list[Token]] = []
        entities: list[Entity] = []
        before = size = 0
        for line in case["given"]:
            cells = line.split()
            if line.startswith("#ner"):
                first, last = int(cells[2]) - 1, int(cells[3]) - 1
                entities.append(Entity(cells[1], before + first, before + last))
                continue
            if cells[0] == "1":
                made.append([])
                before = size
            size += 1
            made[-1].append(Token(cells[1], cells[2], "", int(cells[3]) - 1, cells[4]))
        yield Document(tuple(Sentence(tuple(each)) for each in made), tuple(entities))


def test_cases_are_cut_alike() -> None:
    made = list(parses_of_cases())
    assert len(made) >= 6
    parses = json.loads((CASE_FILES / "discourse_parses.json").read_text(encoding="utf-8"))
    made += [from_json(json.dumps(row["document"])) for row in parses["rows"]]
    assert by_kernel(made) == [defined(one) for one in made]


def test_elements_of_rows_are_read_back() -> None:
    rows: list[Row] = [("x", (("a|b", "NN"), ("", ""))), ("r1", (("日本", "N|N"),))]
    assert kernel.Elements.of(rows).rows() == rows
    with pytest.raises(ValueError, match="4 parts; give one to three"):
        kernel.Elements.of([("r1", (("a", "NN"),) * 4)])


def test_documents_that_the_kernel_leaves_are_named_or_cut_by_python() -> None:
    bare = Document((Sentence((Token("a", "NN"),)),))
    tree = Document((Sentence((Token("cats", "NNS"),), "(NP (NNS cats))"),))
    assert by_kernel([bare, tree]) == [None, None]
    with pytest.raises(ValueError, match="sentence 1: no dependencies"):
        cut_documents([bare])
    assert cut_documents([tree])[0].rows() == [("r1", (("cats", "NNS"),))]
    assert kernel_rules().extract([None, b"", b"SEPD" * 9], ["", "", ""]) == [None] * 3


def test_a_unit_of_no_tokens_is_refused() -> None:
    block = packed(long_document(2, 1))
    cut = kernel_rules().extract
    assert cut([block], [""], "auto", 1, [([("NN", 0, 2)], [1, 0])]) == [None]
    assert cut([block], [""], "auto", 1, [([("NN", 0, 1)], [2, 0])]) == [None]
    assert cut([block], [""], "auto", 1, [([("NN", 0, 1)], [1])]) == [None]


def test_an_entity_of_another_kind_is_refused() -> None:
    document = replace(long_document(3, 1), entities=(Entity("PER", 0, 1),))
    block = packed(document)
    assert block.count(b"PER") == 1
    assert kernel_rules().extract([block.replace(b"PER", b"PEX")], [""]) == [None]
    assert by_kernel([document]) == [defined(document)]


def test_copulas_are_raised_alike() -> None:
    """Many forms of `be` that share a few labels, so that each step of the conversion counts."""
    chance = random.Random(11)
    labels = "cop cop nsubj nsubj:outer aux:pass aux punct advmod neg case nmod:poss acl:relcl"
    made = []
    for _ in range(250):
        size = chance.randint(2, 6)
        tokens = [Token("was", "VBD", "be", -1, "root")]
        for k in range(1, size):
            form = chance.choice(["is", "’s", "'s", "was", "dogs", "not", "when", "that"])
            tag = chance.choice(["VBZ", "NNS", "NN", "WRB", "IN", "RB", "JJ"])
            lemma = chance.choice(["be", "have", ""])
            label = chance.choice(labels.split())
            tokens.append(Token(form, tag, lemma, chance.randrange(k), label))
        if chance.random() < 0.5:
            tokens[0] = replace(tokens[0], form="dogs", tag="NNS", lemma="dog")
        made.append(Document((Sentence(tuple(tokens)),)))
    assert by_kernel(made) == [defined(one) for one in made]


def test_units_without_a_text_end_before_full_stops_and_commas() -> None:
    forms = ("visited", "Acme", "Inc", ".", ",")
    tokens = tuple(
        Token(form, "NNP" if k else "VBD", "", 0 if k else -1, "dobj" if k == 4 else "root")
        for k, form in enumerate(forms)
    )
    made = [
        Document((Sentence(tokens),), (Entity("ORG", first, last),))
        for first in range(1, 5)
        for last in range(first, 5)
    ]
    assert by_kernel(made) == [defined(one) for one in made]
    assert any("Acme Inc" in str(defined(one)) for one in made)


@pytest.mark.parametrize(
    "label", "nsubj nsubj:outer aux:pass csubj expl advcl nsubjpass neg case cc".split()
)
def test_what_belongs_to_the_clause_moves_to_its_copula(label: str) -> None:
    tokens = (
        Token("dogs", "NNS", "dog", -1, "root"),
        Token("was", "VBD", "be", 0, "cop"),
        Token("cats", "NNS", "", 0, label),
        Token("by", "IN", "", 0, "prep"),
        Token("x", "NN", "", 3, "pobj"),
    )
    document = Document((Sentence(tokens),))
    assert by_kernel([document]) == [defined(document)]
