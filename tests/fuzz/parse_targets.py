"""Parsed texts: elements, roles and relations that no parser would produce."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from definitions import roles as roles_twin
from definitions.discourse import parser
from definitions.elements import expansion as expansion_twin
from definitions.elements import extraction as definition
from definitions.text.stemmer import porter_java
from parsed_documents import a_document
from targets import target
from text_targets import SUFFIXES, a_word

from summeval import BEwTE
from summeval._core.discourse import roles
from summeval.annotate import DiscourseDocument, Document, Entity, Sentence, Token
from summeval.annotate.discourse.parser import related
from summeval.annotate.document import packed
from summeval.elements.dependencies import kernel_rules
from summeval.elements.elements import Element
from summeval.elements.resources import resources
from summeval.elements.stages import Topic
from summeval.elements.transformations import (
    GROUPS,
    Matching,
    of_stages,
    plain,
    read_coefficients,
)
from summeval.metrics.discourse.roles import OPEN, RoleSpace, role_matrix, transition_features

WORDS = """
    dog dogs car automobile company companies author treatment creation rejection government biology
    China Chinese NATO treatments km kilometers house person leader men 5 five ran running jump made
    make govern create is wrote biological big bigger largest quick happy effectively quickly truly
    USA he they of in by on about without
""".split()
NAMES = [
    *("John Smith", "John S. Smith", "Mr. Smith", "Mary Smith", "JFK", "John Fitzgerald Kennedy"),
    *("Google Inc", "USDA", "US Department of Agriculture", "AT&T", "U.S.", "United States"),
    *("Los Angeles", "LA", "Southern California", "", " ", ".", "A. B.", "é É", "x" * 300),
]
KINDS = "NN NNS NNP CD VB VBD VBG JJ JJR RB IN TO PRP PRP$ Person Organization Location".split()
RULES = [f"r{n}" for n in (1, 2, 4, 5, 8, 10, 11, 25, 26, 30, 46, 47, 48)]
COEFFICIENTS = {group: 0.99 - 0.01 * k for k, group in enumerate(GROUPS)}


def an_element(rng: random.Random) -> Element:
    def part() -> tuple[str, str]:
        kind = rng.choice(KINDS)
        pool = NAMES if kind in ("Person", "Organization", "Location") else WORDS
        text = rng.choice(pool) if rng.random() < 0.9 else a_word(rng)
        return text + (rng.choice(SUFFIXES) if rng.random() < 0.1 else ""), kind

    return Element(rng.choice(RULES), tuple(part() for _ in range(rng.choice([1, 2, 2, 3]))))


def some_elements(rng: random.Random, most: int) -> list[Element]:
    made = [an_element(rng) for _ in range(rng.randint(0, most))]
    return made + rng.choices(made, k=rng.randint(0, 2)) if made else made


def written(elements: list[Element]) -> list[str]:
    """The elements that can be written as people write them: each part has a text."""
    return [str(e) for e in elements if all(text.strip(" |+") == text != "" for text, _ in e.parts)]


@target
def packed_documents(rng: random.Random) -> int:
    """Any damage to a packed document is refused, or leaves a document that can be read."""
    from summeval._core.documents.packed import pack, sealed, unsealed
    from summeval.annotate import Document, from_json, to_json
    from summeval.annotate.document import from_packed

    sizes = [rng.randint(0, 5) for _ in range(rng.randint(0, 4))]
    tokens = sum(sizes)
    words = [[a_word(rng) for _ in range(tokens)] for _ in range(4)]
    heads = [rng.choice([-1, -1, 0]) if place else -1 for size in sizes for place in range(size)]
    numbers = [rng.randint(-1, 2**31 - 1) for _ in range(tokens)]
    trees = [rng.choice([None, a_word(rng)]) for _ in sizes]
    entities = [
        ("PER", rng.randrange(tokens), tokens - 1) for _ in range(rng.randint(0, 2)) if tokens
    ]
    texts = (words[0], words[1], words[2], words[3])
    block = pack(sizes, trees, texts, (heads, numbers, numbers), entities)
    whole = from_packed(block)
    assert [len(sentence.tokens) for sentence in whole.sentences] == sizes
    assert [t.form for sentence in whole.sentences for t in sentence.tokens] == words[0]
    shut = sealed(block)
    for _ in range(50):
        damaged = bytearray(block)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(damaged) // 4) * 4
            value = rng.choice([0, 1, 2**31 - 1, 2**31, 2**32 - 1, rng.randrange(2**32)])
            damaged[place : place + 4] = value.to_bytes(4, "little")
        given = bytes(damaged[: rng.choice([len(damaged), rng.randrange(len(damaged))])])
        stored = given + shut[-8:]
        assert given == block or not unsealed([(b"", stored)], {b"": ""}, "", Document, ("PER",))
        try:
            found = from_packed(given)
        except ValueError:
            continue
        assert from_json(to_json(found)) == found
    return 51


@target
def expansion(rng: random.Random) -> int:
    hyper, original = rng.random() < 0.5, rng.random() < 0.3
    senses = rng.choice([1, 1, 2, 0])
    candidate = some_elements(rng, 4)
    references = [some_elements(rng, 5) for _ in range(rng.randint(1, 3))]
    told = [element for reference in references for element in reference]
    matching = Matching(COEFFICIENTS, hyper, original, senses)
    others = read_coefficients({rng.choice(list(GROUPS)): 0.0})
    # The second time other coefficients are given to elements that were read before.
    *_, (found,) = matching.matches_by([candidate], [references], [others, COEFFICIENTS])
    (fresh,) = matching.matches([candidate], [references])
    for mine, other in zip(found.edges, fresh.edges, strict=True):
        assert all((a == b).all() for a, b in zip(mine, other, strict=True))
    kernel = [{(i, j): c for i, j, c in zip(*map(list, e), strict=True)} for e in found.edges]
    wanted = expansion_twin.edges(
        Topic(resources(original, senses), plain(candidate), plain(told)),
        plain(candidate),
        [plain(reference) for reference in references],
        of_stages(COEFFICIENTS),
        lambda parts: Element("", parts).key,
        hyper,
    )
    assert [e.keys() for e in kernel] == [e.keys() for e in wanted], (candidate, references)
    for mine, other in zip(kernel, wanted, strict=True):
        assert all(abs(mine[pair] - other[pair]) <= 1e-12 for pair in mine)
    return 1


@target
def expansion_of_many(rng: random.Random) -> int:
    """A lexicon that has read much gives what a fresh one gives, with any number of workers."""
    candidates = [some_elements(rng, 8) for _ in range(20)]
    references = [[some_elements(rng, 8) for _ in range(rng.randint(0, 3))] for _ in range(20)]
    lexicon = Matching(read_coefficients({}), rng.random() < 0.5).new_lexicon()
    left = [lexicon.read(elements) for elements in candidates]
    right = [[lexicon.read(elements) for elements in each] for each in references]
    one, two = (lexicon.match(left, right, workers) for workers in (1, 2))
    for first, second in zip(one, two, strict=True):
        for mine, other in zip(first[0], second[0], strict=True):
            assert all((a == b).all() for a, b in zip(mine, other, strict=True))
            assert ((mine[2] > 0) & (mine[2] <= 1)).all()
    metric = BEwTE(jackknife=rng.random() < 0.5, hyper=rng.random() < 0.5)
    for elements, each in zip(candidates[:3], references[:3], strict=True):
        if each:
            texts = {f"r{place}": written(reference) for place, reference in enumerate(each)}
            score = metric.score_units(written(elements), texts)
            assert np.isnan(score.recall) or 0 <= score.recall <= 1 + 1e-12
    return 20


@target
def extraction(rng: random.Random) -> int:
    """Parses that no parser would produce, and damaged blocks: as the rules in Python, or None."""
    documents = [a_parse(rng) for _ in range(5)]
    blocks: list[bytes | None] = [packed(one) for one in documents]
    texts = [one.text for one in documents]
    found = kernel_rules().extract(blocks, texts, "auto", rng.choice([1, 2]))
    for document, cut in zip(documents, found, strict=True):
        try:
            expected = definition.extract(document)
        except ValueError:
            assert cut is None, document
            continue
        assert cut is not None, document
        assert cut.rows() == [(e.rule, e.parts) for e in expected], document
    damaged = bytearray(blocks[0] or b"")
    for _ in range(rng.randint(1, 4)):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    for kind in ("auto", "dependencies", "trees"):
        kernel_rules().extract([bytes(damaged)], texts[:1], kind)
    return 5


TAGS = "NN NNS NNP CD VBD VBN VBG VBZ IN TO PRP PRP$ WP WP$ WDT WRB JJ RB POS DT RP . XX".split()
LABELS = """
    nsubj nsubjpass nsubj:pass csubj expl dobj iobj prep agent pobj pcomp conj cop case relcl acl
    rcmod advcl ccomp xcomp aux auxpass mark poss nmod:poss nmod attr acomp advmod neg npadvmod
    compound num amod appos prt partmod infmod whadvmod punct root dep x
""".split()
LISTED = "was is have by following named not 's ’s ’d never . , U.S. a.".split()


def a_parse(rng: random.Random) -> Document:
    """Sentences with heads that form trees, and entities; the text is not that of the tokens."""
    sentences = []
    for _ in range(rng.randint(0, 3)):
        size = rng.randint(0, 12)
        order = rng.sample(range(size), size)
        heads = [-1] * size
        for place, token in enumerate(order[1:], 1):
            heads[token] = order[rng.randrange(place)] if rng.random() < 0.9 else -1
        sentences.append(
            Sentence(
                tuple(
                    Token(
                        rng.choice(LISTED) if rng.random() < 0.4 else a_word(rng),
                        rng.choice(TAGS),
                        rng.choice(["", "be", "have"]),
                        head,
                        rng.choice(LABELS),
                        rng.randint(-1, 30),
                        rng.randint(-1, 40),
                    )
                    for head in heads
                )
            )
        )
    tokens = sum(len(one.tokens) for one in sentences)
    entities = []
    for _ in range(rng.randint(0, 3) if tokens else 0):
        first, last = sorted([rng.randrange(tokens), rng.randrange(tokens)])
        entities.append(Entity(rng.choice(["PER", "ORG", "LOC"]), first, last))
    text = " ".join(a_word(rng) for _ in range(rng.randint(0, 8)))
    return Document(tuple(sentences), tuple(entities), text)


@target
def roles_of_documents(rng: random.Random) -> int:
    many: list[tuple[Any, Any]] = []
    for _ in range(10):
        sentences = [
            [
                (a_word(rng), rng.choice(["NN", "NNS", "VBD", "DT", ""]))
                for _ in range(rng.randint(0, 6))
            ]
            for _ in range(rng.randint(0, 5))
        ]
        tokens = sum(map(len, sentences))
        ends = [sorted([rng.randint(0, tokens), rng.randint(0, tokens)]) for _ in range(6)]
        many.append((sentences, [(*pair, rng.randrange(5)) for pair in ends] if tokens else []))
    places = [span[:2] for _, spans in many for span in spans]
    bits = np.array([1 << span[2] for _, spans in many for span in spans], np.uint32)
    numbered = roles.number_words([sentences for sentences, _ in many], OPEN, True)
    highest = rng.random() < 0.5
    found = roles.cells(
        numbered,
        np.cumsum([0, *(len(spans) for _, spans in many)]).astype(np.int64),
        np.ascontiguousarray(np.array(places, np.int32).reshape(-1, 2).T),
        bits,
        highest,
    )
    for (sentences, spans), stems, cells in zip(many, numbered.stems, found, strict=True):
        rows = {
            stem: [{bit for bit in range(5) if cell >> bit & 1} for cell in row.tolist()]
            for stem, row in zip(stems, cells, strict=True)
            if row.any()
        }
        assert rows == roles_twin.matrix(sentences, spans, OPEN, stem_of, highest), sentences
    return 10


def stem_of(word: str) -> str:
    return porter_java(word.lower())


@target
def relations(rng: random.Random) -> int:
    """Relations that point anywhere: a document, or one line that says what is wrong."""
    made = 0
    for _ in range(20):
        sentences = [
            [(a_word(rng), rng.choice(["NN", "VBD", "IN"])) for _ in range(rng.randint(0, 5))]
            for _ in range(rng.randint(0, 4))
        ]
        place = lambda: rng.choice([rng.randint(0, 12), rng.randint(0, 12), -1, 2**31, 2**70])  # noqa: E731
        given = [
            {
                "type": rng.choice(
                    ["Explicit", "Implicit", "EntRel", "AltLex", "NoRel", "x", None]
                ),
                "sense": rng.choice(["Comparison.Contrast", "Expansion", "Cause", "", None, 3]),
                "conn_tokens": rng.choice([[], [place()], [place(), place()], None, "x"]),
                "arg1": rng.choice(
                    [[place(), place()], sorted([rng.randint(0, 9), rng.randint(0, 9)])]
                ),
                "arg2": rng.choice(
                    [[place(), place()], sorted([rng.randint(0, 9), rng.randint(0, 9)])]
                ),
            }
            for _ in range(rng.randint(0, 3))
        ]
        try:
            document = DiscourseDocument(sentences, given)
        except (ValueError, TypeError) as error:
            assert "\n" not in str(error)
            continue
        made += 1
        rows = role_matrix(document)
        assert all(len(row) == len(sentences) for row in rows.values())
        for features in ("lin", "lin+c", "lin+e", "dicomer"):
            counted = transition_features(document, features)
            assert all(0 <= count <= total or total == 0 for count, total in counted.values())
    return 20


@target
def relations_of_documents(rng: random.Random) -> int:
    """The kernel finds the relations of the definition, and counts the same roles."""
    documents = [a_document(rng) for _ in range(6)]
    found = []
    for document in documents:
        try:
            wanted = parser.parse(document)
        except ValueError:
            continue
        (each,) = related([document])
        assert each.with_relations() == wanted, document
        found.append(each)
    space = RoleSpace(rng.choice(["lin", "lin+c", "lin+e", "dicomer", "presence", "roles"]))
    rows, _ = space.related_rows(found)
    wanted_rows = space.rows([each.with_relations() for each in found])
    assert all(np.array_equal(one, other) for one, other in zip(rows, wanted_rows, strict=True)), (
        documents
    )
    return 6
