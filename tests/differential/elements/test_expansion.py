"""Transformations: the kernel finds the same matches as its twin, which walks the pipeline."""

from __future__ import annotations

import json
import random

import pytest
from definitions.elements import expansion as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import CASE_FILES

from summeval._core.elements import expansion as kernel
from summeval.elements.elements import Element, parse
from summeval.elements.resources import resources
from summeval.elements.stages import Topic, stages, transform
from summeval.elements.transformations import (
    GROUPS,
    Matching,
    best_recalls,
    of_stages,
    plain,
    problems_of,
    read_coefficients,
)

CASES = CASE_FILES / "bewte_elements.json"

# Words that every transformation finds something for, and what they turn into.
NOUNS = """
    dog dogs car automobile company companies refinery fire author writer maker treatment creation
    rejection government biology China Chinese NATO France treatments workers km kilometers mg house
    dwelling he they them USDA JFK dept department person leader buses oxen men ex-presidents 5 five
""".split()
VERBS = """
    running ran run jump leaps leaped jumps drank made make author authored treat reject rejected
    govern create is was be carries carried writes wrote agreed kisses
""".split()
ADJECTIVES = "biological big bigger biggest larger effective quick Mongolian Chinese full happy"
ADVERBS = "effectively quickly fully happily truly biologically"
PERSONS = [
    *(
        "John",
        "John Smith",
        "John S. Smith",
        "John S Smith",
        "Mr. Smith",
        "Mary Smith",
        "Smith Jr.",
    ),
    *("JFK", "John Fitzgerald Kennedy", "john smith", "J. Smith", "Harry S Truman", "He"),
]
ORGANIZATIONS = [
    *(
        "Google",
        "Google Inc",
        "Google, Inc.",
        "USDA",
        "US Department of Agriculture",
        "AT&T",
        "U.S.",
    ),
    *("American Telephone and Telegraph", "All Bahamas Catering", "ABC", "google", "They"),
]
LOCATIONS = [
    *(
        "USA",
        "U.S.A.",
        "United States",
        "China",
        "Southern California",
        "California",
        "Calif.",
        "LA",
    ),
    *("Mongolia", "Los Angeles", "South Africa", "Africa", "Iraq"),
]


def of(kinds: list[str], texts: list[str]) -> st.SearchStrategy[tuple[str, str]]:
    return st.tuples(st.sampled_from(texts), st.sampled_from(kinds))


nouns = of(["NN", "NNS", "NNP", "CD"], NOUNS)
verbs = of(["VB", "VBD", "VBG", "AUX", "MD"], VERBS)
adjectives = of(["JJ", "JJR"], ADJECTIVES.split())
adverbs = of(["RB", "WRB"], ADVERBS.split())
entities = st.one_of(
    of(["Person", "Organization"], PERSONS),
    of(["Organization"], ORGANIZATIONS),
    of(["Location", "NNP"], LOCATIONS),
    of(["PRP", "PRP$"], ["he", "she", "his", "they", "them"]),
)
prepositions = of(["IN", "TO"], ["of", "in", "at", "on", "by", "to", "without", "about"])
ends = st.one_of(nouns, verbs, adjectives, adverbs, entities)
rules = st.sampled_from([f"r{n}" for n in (1, 8, 10, 11, 26, 30, 46, 47, 48)])
parts = st.one_of(
    st.tuples(ends),
    st.tuples(ends, ends),
    st.tuples(adjectives, nouns),
    st.tuples(verbs, adverbs),
    st.tuples(ends, prepositions, ends),
)
elements = st.builds(Element, rules, parts)


def by_twin(  # noqa: PLR0917
    candidate: list[Element],
    references: list[list[Element]],
    coefficients: dict[str, float],
    hyper: bool,
    original: bool,
    senses: int = 1,
) -> list[dict[tuple[int, int], float]]:
    told = [element for reference in references for element in reference]
    return twin.edges(
        Topic(resources(original, senses), plain(candidate), plain(told)),
        plain(candidate),
        [plain(reference) for reference in references],
        of_stages(coefficients),
        lambda parts: Element("", parts).key,
        hyper,
    )


def by_kernel(  # noqa: PLR0917
    candidate: list[Element],
    references: list[list[Element]],
    coefficients: dict[str, float],
    hyper: bool,
    original: bool,
    senses: int = 1,
) -> list[dict[tuple[int, int], float]]:
    matching = Matching(coefficients, hyper, original, senses)
    (found,) = matching.matches([candidate], [references])
    return [{(i, j): c for i, j, c in zip(*map(list, edges), strict=True)} for edges in found.edges]


# Any two groups have different ones.
COEFFICIENTS = {group: 0.99 - 0.01 * k for k, group in enumerate(GROUPS)}


def read_cases() -> list[tuple[list[Element], list[list[Element]]]]:
    cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    return [
        (
            [parse(written) for written in case["peer_bes"]],
            [[parse(written) for written in of] for of in case["reference_bes"].values()],
        )
        for case in cases
    ]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(elements, max_size=12),
    st.lists(st.lists(elements, max_size=12), min_size=1, max_size=4),
    st.sampled_from(["root", "binary", "total"]),
    st.booleans(),
    st.booleans(),
)
def test_recalls_are_those_of_the_assignments_of_matches(
    candidate: list[Element],
    references: list[list[Element]],
    weights: str,
    jackknife: bool,
    duplicates: bool,
) -> None:
    matching = Matching(COEFFICIENTS, duplicates=duplicates)
    given_rows = [candidate, candidate], [references, references[:1]]
    found = matching.matches(*given_rows)
    expected = [best_recalls(problems_of(row, weights, jackknife), "kernel", 1) for row in found]
    for workers in (1, 2):
        told = {"weights": weights, "jackknife": jackknife, "workers": workers}
        assert matching.recalls(*given_rows, **told) == expected


def test_recalls_of_large_references_are_the_same_to_the_last_bit() -> None:
    """Sums of more than 8 and of more than 128 weights are added in another order."""
    chance = random.Random(5)
    pool = [Element("r1", ((f"w{k}", "NN"),)) for k in range(900)]
    for size in (7, 8, 9, 127, 128, 129, 300, 700):
        references = [chance.sample(pool, size) for _ in range(4)]
        candidate = chance.sample(pool, 300)
        (row,) = Matching(COEFFICIENTS).matches([candidate], [references])
        expected = best_recalls(problems_of(row, "root", True), "kernel", 1)
        assert Matching(COEFFICIENTS).recalls([candidate], [references]) == [expected]


# A topic that has every word, so that nothing is kept from turning into it.
EVERYTHING = [
    *(Element("r1", ((text, "NN"),)) for text in [*NOUNS, "in", "at", "of", "on", "by"]),
    *(Element("r2", ((text, "VB"),)) for text in VERBS),
    *(Element("r4", ((text, "JJ"),)) for text in ADJECTIVES.split()),
    *(Element("r1", ((text, "Person"),)) for text in PERSONS),
    *(Element("r1", ((text, "Organization"),)) for text in ORGANIZATIONS),
    *(Element("r1", ((text, "Location"),)) for text in LOCATIONS),
]


@st.composite
def topics(
    draw: st.DrawFn, senses: int = 1
) -> tuple[list[Element], list[list[Element]], bool, bool]:
    """A candidate, references that its elements can turn into in part, hyper, original."""
    hyper, original = draw(st.booleans()), draw(st.booleans())
    candidate = draw(st.lists(elements, min_size=1, max_size=4))
    topic = Topic(resources(original, senses), plain(candidate), plain(EVERYTHING))
    references: list[list[Element]] = [draw(st.lists(elements, max_size=4)), []]
    for element in candidate:
        for _ in range(draw(st.integers(0, 3))):
            turned = element.parts
            for stage in stages(hyper):
                name = draw(st.sampled_from(stage))
                made = list(transform(name, element.rule, turned, topic))
                if made and draw(st.integers(0, 3)):
                    turned = draw(st.sampled_from(made))
            references[draw(st.integers(0, 1))].append(Element("r1", turned))
    return candidate, references, hyper, original


@settings(max_examples=150, deadline=None)
@given(topics())
def test_kernel_is_its_twin(topic: tuple[list[Element], list[list[Element]], bool, bool]) -> None:
    candidate, references, hyper, original = topic
    found = by_kernel(candidate, references, COEFFICIENTS, hyper, original)
    wanted = by_twin(candidate, references, COEFFICIENTS, hyper, original)
    assert found == [pytest.approx(edges, rel=1e-12) for edges in wanted]


@pytest.mark.parametrize("senses", [0, 2])
def test_kernel_is_its_twin_with_more_senses(senses: int) -> None:
    @settings(max_examples=40, deadline=None)
    @given(topics(senses))
    def check(topic: tuple[list[Element], list[list[Element]], bool, bool]) -> None:
        candidate, references, hyper, original = topic
        found = by_kernel(candidate, references, COEFFICIENTS, hyper, original, senses)
        wanted = by_twin(candidate, references, COEFFICIENTS, hyper, original, senses)
        assert found == [pytest.approx(edges, rel=1e-12) for edges in wanted]

    check()


def test_results_do_not_depend_on_workers_or_on_what_was_read_before() -> None:
    cases = [case for case in read_cases() for _ in range(3)]
    sides = [case[0] for case in cases], [case[1] for case in cases]
    matching = Matching(read_coefficients({}))
    alone = [matching.matches([c], [r])[0] for c, r in zip(*sides, strict=True)]
    lexicon = matching.new_lexicon()
    for workers in (1, 3):
        documents = [lexicon.read(side) for side in sides[0]]
        others = [[lexicon.read(side) for side in of] for of in sides[1]]
        for mine, (edges, _, _) in zip(
            alone, lexicon.match(documents, others, workers), strict=True
        ):
            assert [[part.tolist() for part in edge] for edge in edges] == [
                [part.tolist() for part in edge] for edge in mine.edges
            ]


@pytest.mark.parametrize("original", [False, True])
def test_kernel_is_its_twin_on_the_cases(original: bool) -> None:
    for candidate, references in read_cases():
        found = by_kernel(candidate, references, COEFFICIENTS, True, original)
        wanted = by_twin(candidate, references, COEFFICIENTS, True, original)
        assert found == [pytest.approx(edges, rel=1e-12) for edges in wanted]


def test_every_transformation_is_tried() -> None:
    whole = ["r47 maker|NN+John|Person", "r8 refinery|NN+fire|NN", "r46 govern|VB+effectively|RB"]
    whole += ["r26 rejection|NN+by|IN+USA|Location", "r5 effective|JJ+treatment|NN"]
    whole += ["r1 ran|VBD+house|NN", "r1 house|NN+ran|VBD", "r1 China|NNP+bigger|JJR"]
    whole += ["r1 China|NNP+USA|Location", "r1 large|JJ+dogs|NNS", "r1 true|JJ+car|NN"]
    whole += ["r1 John|Person+John|Person", "r1 jump|VB+jump|VB", "r1 large|JJ+large|JJ"]
    whole += ["r1 dogs|NNS+China|NNP", "r1 run|VB+run|VB", "r1 big|JJ+JFK|Person"]
    whole += ["r1 USDA|NN+USDA|NN", "r1 biology|NN+biology|NN", "r1 USA|NNP+they|PRP"]
    whole += ["r1 car|NN+large|JJ", "r1 they|PRP+they|PRP", "r1 make|VB+leap|VB"]
    topic = Topic(resources(), plain(EVERYTHING), plain(EVERYTHING))
    names = {name for stage in stages(hyper=True) for name in stage}
    tried = {
        name
        for rule, parts in plain(parse(written) for written in whole)
        for name in names
        if any(True for _ in transform(name, rule, parts, topic))
    }
    assert names - tried == set()


def test_kernel_knows_the_groups_of_coefficients() -> None:
    assert tuple(GROUPS) == kernel.COEFFICIENTS


@settings(max_examples=40, deadline=None)
@given(topics(), st.lists(st.sampled_from(list(GROUPS)), max_size=4))
def test_other_coefficients_on_elements_read_once_are_those_given_at_the_start(
    topic: tuple[list[Element], list[list[Element]], bool, bool], off: list[str]
) -> None:
    candidate, references, hyper, original = topic
    runs = [COEFFICIENTS, read_coefficients(dict.fromkeys(off, 0.0)), COEFFICIENTS]
    matching = Matching(COEFFICIENTS, hyper, original)
    found = matching.matches_by([candidate], [references], runs)
    for run, (mine,) in zip(runs, found, strict=True):
        edges = [{(i, j): c for i, j, c in zip(*map(list, of), strict=True)} for of in mine.edges]
        assert edges == by_kernel(candidate, references, run, hyper, original)
