"""TESLA-E against its textbook twin, the linear programme, hand-made cases and its laws."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from definitions import tesla as twin
from definitions.transport import transport as exact
from hypothesis import given
from hypothesis import strategies as st

import summeval
from summeval import TeslaE
from summeval._core.likeness.likeness import WordTable
from summeval.learn.vectors import WordVectors
from summeval.solvers import transport
from summeval.text.stopwords import rouge155

FIELDS = ("recall", "precision", "pair", "flow", "value")
KNOWN = "storm tempest coast shore army ran runs house red".split()
OTHERS = ["unknown", "stranger", "xx"]
FUNCTIONS = ["the", "of", "it"]


def table(dimensions: int = 5, seed: int = 1) -> WordVectors:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(len(KNOWN), dimensions))
    vectors[1] = vectors[0] + 0.3 * vectors[1]
    return WordVectors(KNOWN, vectors, [100.0, 50, 30, 20, 10, 5, 4, 3, 2])


def by(vectors: WordVectors, stem: Any) -> twin.Likeness:
    """The likeness of words as the class says it."""

    @cache
    def alike(a: str, b: str) -> float:
        return 1.0 if stem(a) == stem(b) else float(vectors.cosines([a], [b])[0, 0])

    return twin.Likeness(alike, lambda word: float(vectors.weights([word])[0]))


def solve(supply: list[float], demand: list[float], worth: list[list[float]]) -> float:
    return transport(supply, demand, np.array(worth), solver="highs").value


def solve_exactly(supply: list[float], demand: list[float], worth: list[list[float]]) -> float:
    edges = [(i, j, w) for i, row in enumerate(worth) for j, w in enumerate(row)]
    return float(exact(supply, demand, edges)[0])


def expected(
    candidate: str, references: list[str], by: twin.Likeness, aggregate: str = "max"
) -> list[float]:
    read = [
        twin.content_words([twin.Word(word, word in FUNCTIONS) for word in text.split()])
        for text in (candidate, *references)
    ]
    return list(twin.graded(read[0], read[1:], by, solve, aggregate))


texts = st.lists(st.sampled_from(KNOWN + OTHERS + FUNCTIONS), max_size=14).map(" ".join)


@given(texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from(["max", "average", "best"]))
def test_kernel_equals_twin(candidate: str, references: list[str], aggregate: str) -> None:
    vectors = table()
    metric = TeslaE(vectors=vectors, aggregate=aggregate, stemmer="porter")
    wanted = expected(
        candidate, references, by(vectors, summeval.text.stemmer("porter")), aggregate
    )
    assert list(metric.score(candidate, references).values()) == pytest.approx(wanted, abs=1e-6)


@given(texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from(["max", "average", "best"]))
def test_items_of_the_kernel_are_the_parts_of_the_twin(
    candidate: str, references: list[str], aggregate: str
) -> None:
    metric = TeslaE(
        vectors=table(), aggregate=aggregate, stemmer="porter", function_words=FUNCTIONS
    )
    alike = by(table(), summeval.text.stemmer("porter"))
    own, *others = (
        twin.content_words([twin.Word(word, word in FUNCTIONS) for word in text.split()])
        for text in (candidate, *references)
    )
    told = metric.explain(candidate, references)
    counted = [*range(len(others))]
    if aggregate != "average":
        values = [metric.score(candidate, text).value for text in references]
        counted = [values.index(max(values))]
    wanted = [
        (k, word, part)
        for k in counted
        for word, part in zip(others[k], twin.parts(others[k], own, alike), strict=True)
    ]
    assert len(told.items) == len(wanted)
    for item, (number, word, part) in zip(told.items, wanted, strict=True):
        assert item.share == pytest.approx(part.share / len(counted), abs=1e-6)
        assert item.details["alike"] == pytest.approx(part.alike, abs=1e-6)
        ((text, begin, end),) = item.reference_spans
        assert (text, references[text][begin:end]) == (number, word)
        if part.alike == 0:
            assert (item.text, item.candidate_spans) == (word, ())
            continue
        ((begin, end),) = item.candidate_spans
        found = candidate[begin:end]
        assert item.text == (word if found == word else f"{word} = {found}")
        assert alike.alike(word, found) == pytest.approx(part.alike, abs=1e-6)
        if found == own[part.place]:  # its first place; two others may differ by rounding alone
            assert candidate.split().index(found) == len(candidate[:begin].split())


@pytest.mark.parametrize("dimensions", [1, 7, 8, 9, 16, 300])
def test_kernel_equals_twin_on_longer_texts(dimensions: int) -> None:
    rng = random.Random(dimensions)
    vectors = table(dimensions, dimensions)
    text = [" ".join(rng.choices(KNOWN + OTHERS + FUNCTIONS, k=size)) for size in (80, 61, 2)]
    wanted = expected(text[0], text[1:], by(vectors, str))
    assert list(TeslaE(vectors=vectors).score(text[0], text[1:]).values()) == pytest.approx(
        wanted, abs=1e-6
    )


@pytest.mark.parametrize("seed", range(2))
def test_kernel_equals_twin_on_long_texts_that_repeat_themselves(seed: int) -> None:
    """Pairs, and words with the same ones around them, are looked at once."""
    rng = random.Random(seed)
    parts = [rng.choices(KNOWN + OTHERS, k=rng.randint(1, 12)) for _ in range(3)]

    def repeating() -> str:
        few = [word for _ in range(45) for word in rng.choice(parts)]
        many = [word for word in rng.choices(KNOWN, k=20) for _ in range(rng.randint(1, 30))]
        return " ".join(rng.choice([few + many, many + few])[-270:])

    text = [repeating() for _ in range(2)]
    wanted = expected(text[0], text[1:], by(table(), str))
    found = TeslaE(vectors=table()).score(text[0], text[1:]).values()
    assert list(found) == pytest.approx(wanted, abs=1e-6)


def test_the_shipped_table_is_the_one_the_kernel_reads() -> None:
    english = WordVectors.shipped()
    pair = "a hurricane battered the coastline", "the storm hit several coastal towns"
    alike = by(english, summeval.text.stemmer("porter"))
    functions = rouge155()
    read = [
        twin.content_words([twin.Word(word, word in functions) for word in text.split()])
        for text in pair
    ]
    wanted = twin.graded(read[0], [read[1]], alike, solve_exactly)
    assert list(TeslaE().score(*pair).values()) == pytest.approx(list(wanted), abs=1e-6)
    assert 0.2 < wanted.recall < 0.9


# Worked out by hand


def by_hand(**options: Any) -> TeslaE:
    """Two words that are alike to 0.8; each known word weighs 8.1 - 8 + ..., see the counts."""
    vectors = WordVectors(["a1", "b1", "c1"], [[1, 0], [0.8, 0.6], [0, 1]], [1, 1, 1])
    return TeslaE(vectors=vectors, **options)


def test_recall_takes_the_square_of_the_greatest_likeness() -> None:
    score = by_hand().score("b1", "a1")
    assert list(score.values()) == pytest.approx([0.64, 0.64, 0.8, 0.6, 0.72], abs=1e-4)


def test_a_word_outside_the_table_weighs_more_and_matches_its_stem() -> None:
    known = 8.1 - min(9 - math.log10(3), 8)
    score = by_hand(stemmer="porter").score("b1 runner", "a1 runners")
    assert score.recall == pytest.approx((0.64 * known + 7.1) / (known + 7.1), abs=1e-4)
    assert score.pair == pytest.approx(0.9, abs=1e-4)
    assert by_hand().score("b1 runner", "a1 runners").recall == pytest.approx(
        0.64 * known / (known + 7.1), abs=1e-4
    )


def test_a_pair_may_be_four_words_apart_in_any_order() -> None:
    metric = TeslaE(vectors=None)
    assert metric.score("cat x1 x2 x3 dog", "dog cat").pair == 1.0
    assert metric.score("cat x1 x2 x3 x4 dog", "dog cat").pair == 0.5
    repeated = " ".join(f"m{n}" for n in range(20))
    long = " ".join(f"{repeated} y{k} x{k} z{k}" for k in range(20))  # what repeats is left out
    assert [metric.score(long, f"m7 m{n}").pair for n in (11, 12)] == [1.0, 0.5]


def test_flow_is_limited_by_what_a_word_weighs() -> None:
    score = by_hand().score("a1", "a1 a1 b1")
    assert score.recall == pytest.approx((2 + 0.64) / 3, abs=1e-4)
    assert score.flow == pytest.approx(1 / 3, abs=1e-4)


def test_function_words_count_where_there_are_no_others() -> None:
    metric = TeslaE()
    assert metric.score("the cat", "a cat of the").value == 1.0
    assert metric.score("of the", "the of").value == 1.0
    assert metric.score("of it", "the of").recall < 1


def test_texts_without_words_score_zero() -> None:
    for pair in (("", "cat"), ("cat", "..."), ("", "")):
        assert list(TeslaE().score(*pair).values()) == [0.0] * 5


# Laws


@given(texts, texts)
def test_numbers_are_shares_and_value_is_the_mean(candidate: str, reference: str) -> None:
    score = TeslaE().score(candidate, reference)
    assert all(0 <= value <= 1 for value in score.values())
    assert score.value == (score.recall + score.pair) / 2
    assert score.precision == pytest.approx(TeslaE().score(reference, candidate).recall, abs=1e-6)


@given(texts, st.sampled_from(KNOWN + OTHERS))
def test_a_further_word_never_lowers_recall_and_flow(candidate: str, word: str) -> None:
    reference = "the storm ran over a red coast and unknown houses"
    before = TeslaE().score(candidate, reference)
    after = TeslaE().score(f"{candidate} {word}", reference)
    if set(candidate.split()) - set(FUNCTIONS):
        assert after.recall >= before.recall - 1e-12
        assert after.flow >= before.flow - 1e-9
        assert after.pair >= before.pair - 1e-12


@pytest.mark.parametrize("workers", [1, 3])
def test_rows_are_scored_as_single_pairs(workers: int) -> None:
    rng = random.Random(3)
    made = [
        " ".join(rng.choices(KNOWN + OTHERS + FUNCTIONS, k=rng.randrange(20))) for _ in range(60)
    ]
    rows = [[made[rng.randrange(60)] for _ in range(rng.randrange(1, 8))] for _ in made]
    metric = TeslaE(aggregate="average")
    table = metric.score_batch(made, rows, workers=workers)
    for row, (candidate, references) in enumerate(zip(made, rows, strict=True)):
        score = metric.score(candidate, references)
        assert [table[f"tesla-e.{field}"][row] for field in FIELDS] == list(score.values())


@pytest.mark.parametrize(
    ("words", "vectors", "weights", "error"),
    [
        (b"a\n", np.zeros((2, 3), np.int8), np.ones(1), "1 weights but 2 vectors"),
        (b"a\n", np.zeros((2, 3), np.int16), np.ones(1), "1 weights but 2 vectors"),
        (b"a\nb\n", np.zeros((1, 3), np.int8), np.ones(1), "not 1 words"),
        (b"a\n", np.zeros((1, 3), np.int8), np.ones(2), "not 2 words"),
        (b"a", np.zeros((1, 3), np.int8), np.ones(1), "not 1 words"),
        (b"", np.zeros((1, 3), np.int8), np.ones(1), "not 1 words"),
    ],
)
def test_a_table_whose_parts_differ_in_size_is_refused(
    words: bytes, vectors: Any, weights: Any, error: str
) -> None:
    with pytest.raises(ValueError, match=error):
        WordTable(words, vectors, weights, 7.1)


def test_without_the_flow_the_other_fields_are_the_same() -> None:
    [(kernel, side)] = summeval.suite([TeslaE(vectors=table())]).kernels
    texts = "the storm ran to shore", ["a tempest ran to the coast", "an army runs"]
    [whole] = kernel.score_pair(*texts).values()
    [less] = kernel.without_flow().score_pair(*texts).values()
    assert side == "references"
    assert whole.flow > 0
    assert dict(less.items()) == {**dict(whole.items()), "flow": 0.0}
