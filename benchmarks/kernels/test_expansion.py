"""BEwT-E on Basic Elements of made-up summaries of 100 words: kernel, twin and score; on texts.

Each figure is for all pairs: 200, for the twin one. The elements are numbered beforehand for the
kernel; the score reads them anew.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import texts
from definitions.elements import expansion as twin

from summeval.elements.elements import Element
from summeval.elements.resources import ADJECTIVE, NOUN, VERB, resources, wordnet
from summeval.elements.stages import Topic
from summeval.elements.transformations import (
    GROUPS,
    Matching,
    of_stages,
    plain,
    read_coefficients,
)
from summeval.metrics import parsed
from summeval.metrics.elements.bewte import BEwTE

PAIRS, ELEMENTS = 200, 90
SHAPES = (
    *(("r1", (NOUN,)), ("r2", (VERB,)), ("r4", (ADJECTIVE,)), ("r5", (ADJECTIVE, NOUN))),
    *(("r8", (NOUN, NOUN)), ("r11", (NOUN, VERB)), ("r21", (VERB, NOUN))),
    *(("r26", (NOUN, None, NOUN)), ("r30", (VERB, None, NOUN))),
)
TYPES = {NOUN: ("NN", "NNS"), VERB: ("VBD", "VB", "VBG"), ADJECTIVE: ("JJ",), None: ("IN",)}
SEEDS = "car dog house market player king work treatment government author".split()


def vocabulary() -> dict[int | None, list[str]]:
    """Common words of WordNet: kin of a few nouns, and what these are derived from."""
    net = wordnet()
    nouns = sorted({word.lower() for seed in SEEDS for word in net.kin(seed, NOUN)} | set(SEEDS))
    found: dict[int | None, list[str]] = {NOUN: nouns, None: ["in", "of", "at", "by", "with"]}
    for pos, extra in ((VERB, "run make treat lead govern play"), (ADJECTIVE, "big new good old")):
        related = {
            word.lower()
            for noun in nouns
            if net.entry(noun, NOUN) == noun
            for word, its in net.derived(noun, NOUN)
            if its == pos
        }
        found[pos] = sorted(related | set(extra.split()))
    return found


@pytest.fixture(scope="module")
def pairs() -> list[tuple[list[Element], list[Element]]]:
    chance, words = random.Random(7), vocabulary()

    def text() -> list[Element]:
        elements = []
        for rule, kinds in chance.choices(SHAPES, k=ELEMENTS):
            parts = [(chance.choice(words[k]), chance.choice(TYPES[k])) for k in kinds]
            elements.append(Element(rule, tuple(parts)))
        return list({element.key: element for element in elements}.values())

    return [(text(), text()) for _ in range(PAIRS)]


def test_kernel(benchmark: Any, pairs: Any) -> None:
    lexicon = Matching(read_coefficients({})).new_lexicon()
    candidates = [lexicon.read(candidate) for candidate, _ in pairs]
    references = [[lexicon.read(reference)] for _, reference in pairs]
    found = benchmark(lexicon.match, candidates, references)
    assert len(found) == PAIRS


def test_twin(benchmark: Any, pairs: Any) -> None:
    candidate, reference = map(plain, pairs[0])
    stages = of_stages(read_coefficients({}))

    def run() -> list[dict[tuple[int, int], float]]:
        topic = Topic(resources(), candidate, reference)
        return twin.edges(
            topic, candidate, [reference], stages, lambda parts: Element("", parts).key
        )

    assert len(benchmark.pedantic(run, rounds=2)) == 1


def test_score(benchmark: Any, pairs: Any) -> None:
    metric = BEwTE()
    candidates = [candidate for candidate, _ in pairs]
    references = [{"A": reference} for _, reference in pairs]
    scores = benchmark(metric.score_units_batch, candidates, references)
    assert all(0 <= score.recall <= 1 for score in scores)


@pytest.mark.parametrize("once", [True, False], ids=["read once", "read each time"])
def test_switched(benchmark: Any, pairs: Any, once: bool) -> None:
    """Each transformation left out in turn, as `study transformations` does."""
    candidates = [candidate for candidate, _ in pairs]
    references = [[reference] for _, reference in pairs]
    runs = [read_coefficients({group: 0.0}) for group in GROUPS]
    matching = Matching(runs[0])

    def run() -> int:
        if once:
            return sum(1 for _ in matching.matches_by(candidates, references, runs))
        found = (matching.matches_by(candidates, references, [one]) for one in runs)
        return sum(1 for of_run in found for _ in of_run)

    assert benchmark.pedantic(run, rounds=3) == len(GROUPS)


@pytest.mark.parametrize("senses", [1, 2, 0], ids=["first", "two", "all"])
def test_senses(benchmark: Any, pairs: Any, senses: int) -> None:
    candidates = [candidate for candidate, _ in pairs]
    references = [[reference] for _, reference in pairs]
    matching = Matching(read_coefficients({}), senses=senses)
    assert len(benchmark(matching.matches, candidates, references)) == PAIRS


@pytest.mark.parametrize("at_hand", [True, False], ids=["at hand", "on disk"])
def test_texts(benchmark: Any, tmp_path: Path, monkeypatch: Any, at_hand: bool) -> None:
    """100 pairs of texts of about 100 words that were parsed before.

    `at hand` in the call before, so that only the matching is left; `on disk` by another run, so
    that documents are read and cut into elements.
    """
    pytest.importorskip("spacy")
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path))
    shape = replace(texts.SHORT, candidate_tokens=100, reference_tokens=100)
    sides = texts.make_pairs(shape, 100)
    metric = BEwTE()
    metric.score_batch(*sides)

    def forget() -> tuple[tuple[list[str], list[str]], dict[str, Any]]:
        if not at_hand:
            parsed._CUT.reader = None
        return sides, {}

    table = benchmark.pedantic(metric.score_batch, setup=forget, rounds=5)
    assert table.rows == len(sides[0])
