"""TESLA-M: the linear programme over graded similarity, by hand and solved.

TESLA-S with a solver equals its closed form.
"""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import shared

import summeval
from summeval import TeslaM, TeslaS
from summeval.metrics.tesla import tesla_m
from summeval.metrics.tesla.reading import Word
from summeval.metrics.tesla.tesla_m import ORDERS
from summeval.solvers import list_solvers, transport

SOLVERS = [name for name in list_solvers("transport") if name != "ortools"]

tokens = st.builds(
    lambda form, tag: f"{form}/{tag}", st.sampled_from("abcAB"), st.sampled_from(["NN", "VB", "DT"])
)
texts = st.lists(tokens, max_size=8).map(" ".join)


def words_of(text: str) -> list[tuple[str, str]]:
    return [(form.lower(), tag) for form, tag in (token.split("/") for token in text.split())]


def matched(score: Any, order: str) -> float:
    """S of one order."""
    return float(score.parts[order].S)


def likeness(a: tuple[str, str], b: tuple[str, str]) -> float:
    """The likeness of words without a dictionary."""
    return 1.0 if a[0] == b[0] else 0.5 * (a[1] == b[1])


def by_definition(candidate: str, reference: str, order: int) -> tuple[float, float, float]:
    """S, the weight of the candidate and that of the reference: one node for each occurrence."""
    grams, weights = [], []
    for text in (candidate, reference):
        words = words_of(text)
        found = [words[k : k + order] for k in range(len(words) - order + 1)]
        grams.append(found)
        weights.append([prod(0.1 if tag == "DT" else 1.0 for _, tag in gram) for gram in found])
    similarity = np.zeros((len(grams[0]), len(grams[1])))
    for (i, mine), (j, other) in product(enumerate(grams[0]), enumerate(grams[1])):
        alike = [likeness(a, b) for a, b in zip(mine, other, strict=True)]
        similarity[i, j] = sum(alike) / order if all(alike) else 0.0
    value = transport(weights[0], weights[1], similarity, solver="highs").value
    return value, sum(weights[0]), sum(weights[1])


@given(texts, texts)
def test_it_is_the_linear_programme_of_all_occurrences(candidate: str, reference: str) -> None:
    score = TeslaM().score_units(candidate, reference)
    fs = []
    for order, name in enumerate(ORDERS, 1):
        value, mine, theirs = by_definition(candidate, reference, order)
        part = score.parts[name]
        assert matched(score, name) == pytest.approx(value, abs=1e-9)
        precision, recall = (value / total if total else 0.0 for total in (mine, theirs))
        assert (part.precision, part.recall) == pytest.approx((precision, recall), abs=1e-9)
        below = 0.8 * precision + 0.2 * recall
        fs.append(precision * recall / below if below else 0.0)
    assert score.value == pytest.approx(sum(fs) / 3, abs=1e-9)


def test_a_case_by_hand() -> None:
    # unigrams: .1 + .5 + 1 of 2.1 on each side
    score = TeslaM().score_units("The/DT cat/NN sleeps/VBZ", "the/DT dog/NN sleeps/VBZ")
    assert matched(score, "unigram") == pytest.approx(1.6)
    assert matched(score, "bigram") == pytest.approx(0.1 * 0.75 + 1 * 0.75)
    assert matched(score, "trigram") == pytest.approx(0.1 * 2.5 / 3)
    assert score.parts.trigram.fmeasure == pytest.approx(2.5 / 3)
    assert score.value == pytest.approx((1.6 / 2.1 + 0.75 + 2.5 / 3) / 3)


def test_figure_1_needs_the_programme_and_not_greed() -> None:
    case = next(
        case
        for case in json.loads(shared("cases/discourse-tesla.json").read_text())["cases"]
        if case["id"] == "lp_figure1_reconstructed"
    )
    given, expected = case["input"], case["expect"]
    for solver in SOLVERS:
        found = transport(given["x_w"], given["y_w"], given["sim"], solver=solver)
        precision = found.value / sum(given["x_w"])
        assert precision == pytest.approx(expected["P"], abs=1e-9)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "kernel"])
@given(texts, texts)
@settings(max_examples=20)
def test_every_solver_gives_the_same_score(solver: str, candidate: str, reference: str) -> None:
    one = TeslaM().score_units(candidate, reference)
    other = TeslaM(solver=solver).score_units(candidate, reference)
    assert other.value == pytest.approx(one.value, abs=1e-9)


@given(texts.filter(lambda text: len(text.split()) >= 3))
def test_identity_scores_1(text: str) -> None:
    assert TeslaM().score_units(text, text).value == pytest.approx(1.0, abs=1e-12)


@given(texts, texts)
def test_swapping_sides_swaps_precision_and_recall(candidate: str, reference: str) -> None:
    one = TeslaM().score_units(candidate, reference)
    other = TeslaM().score_units(reference, candidate)
    assert one.precision == pytest.approx(other.recall, abs=1e-12)
    assert one.recall == pytest.approx(other.precision, abs=1e-12)


@given(texts, st.lists(texts, min_size=2, max_size=4))
def test_references_are_averaged_in_any_order(candidate: str, references: list[str]) -> None:
    metric = TeslaM()
    together = metric.score_units(candidate, references)
    alone = [metric.score_units(candidate, reference) for reference in references]
    assert together.value == pytest.approx(np.mean([score.value for score in alone]), abs=1e-12)
    assert metric.score_units(candidate, references[::-1]).value == together.value


@given(texts, texts)
def test_likeness_only_adds_to_identity(candidate: str, reference: str) -> None:
    plain = TeslaM(similarity=lambda a, b: float(a.lemma == b.lemma), label="own")
    strict = plain.score_units(candidate, reference)
    assert TeslaM().score_units(candidate, reference).value >= strict.value - 1e-12


def test_lemmas_and_synonyms_are_what_they_are_said_to_be() -> None:
    candidate, reference = "cats/NNS ran/VBD", "feline/NN running/VBG"
    metric = TeslaM(
        lemma=lambda form, tag: {"cats": "cat", "ran": "run", "running": "run"}.get(form, form),
        synonyms=lambda a, b: {a.lemma, b.lemma} == {"cat", "feline"},
        label="own",
    )
    assert matched(metric.score_units(candidate, reference), "unigram") == pytest.approx(1.5)
    assert TeslaM().score_units(candidate, reference).parts.unigram.S == 0.0


def test_a_similarity_of_its_own_sees_words() -> None:
    seen = []

    def similarity(a: Word, b: Word) -> float:
        seen.append((a, b))
        return 0.25

    score = TeslaM(similarity=similarity, label="own").score_units("Cats/NNS", "dogs/NN")
    assert score.parts.unigram.S == 0.25
    assert seen == [(Word("Cats", "cats", "NNS"), Word("dogs", "dogs", "NN"))]


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan")])
def test_a_similarity_out_of_range_is_refused(value: float) -> None:
    metric = TeslaM(similarity=lambda a, b: value, label="own")
    with pytest.raises(ValueError, match=r"similarity\(Word\(form='a'.* is .*; give a number"):
        metric.score_units("a/NN", "b/NN")


def test_words_without_tags_are_alike_by_identity_alone() -> None:
    score = TeslaM(function_words=["the"]).score("the cat sat", "the dog sat")
    assert matched(score, "unigram") == pytest.approx(1.1)
    assert score.parts.bigram.S == score.parts.trigram.S == 0.0


def test_punctuation_is_dropped_or_kept_as_function_words() -> None:
    text = "Stop/VB ./."
    assert TeslaM().score_units(text, text).parts.unigram.S == 1.0
    kept = TeslaM(keep_punctuation=True).score_units(text, text)
    assert matched(kept, "unigram") == pytest.approx(1.1)


def test_nothing_to_score_is_nan_and_an_empty_text_is_0() -> None:
    assert np.isnan(TeslaM().score(None, "a").value)
    assert np.isnan(TeslaM().score("a", []).value)
    assert np.isnan(TeslaM().score_units("a/NN", [None]).parts.bigram.S)
    assert TeslaM().score("", "a b c").value == TeslaM().score("a b c", "").value == 0.0
    assert TeslaM().score("", "").value == 0.0


@given(st.lists(st.tuples(st.none() | st.text("ab ", max_size=12), st.lists(st.text("ab ")))))
@settings(max_examples=50)
def test_batch_and_single_agree_to_the_bit(rows: list[tuple[str | None, list[str]]]) -> None:
    candidates, references = [row[0] for row in rows], [row[1] for row in rows]
    table = summeval.score_batch(candidates, references, ["tesla-m"], workers=2)
    singles = [summeval.score(*row, ["tesla-m"])["tesla-m"] for row in rows]
    for field in ("precision", "recall", "fmeasure"):
        found = [score[field] for score in singles]
        assert np.array_equal(table[f"tesla-m.{field}"], found, equal_nan=True)


def test_it_stands_beside_the_others_and_prepares_references() -> None:
    suite = summeval.suite(["tesla-m", "rouge1", "tesla-s"])
    assert list(suite.score("a b c", "a b d")) == ["tesla-m", "rouge1", "tesla-s"]
    prepared = TeslaM().prepare(["a b c", "a b"])
    assert prepared.score("a c b") == TeslaM().score("a c b", ["a b c", "a b"])
    assert (
        prepared.score_batch(["a c b", None])["tesla-m.recall"][0] == prepared.score("a c b").recall
    )


def test_metrics_with_other_numbers_have_other_signatures() -> None:
    options: list[dict[str, Any]] = [
        {},
        {"recall_weight": 0.5},
        {"function_weight": 0.2},
        {"function_words": []},
        {"function_tags": ["DT"]},
        {"keep_punctuation": True},
        {"tokenizer": "unicode"},
        {"solver": "highs"},
        {"lemma": str.join},
        {"synonyms": max},
        {"similarity": max},
    ]
    signatures = [TeslaM(**option).signature for option in options]
    assert len(set(signatures)) == len(options)
    assert TeslaS().signature != TeslaS(solver="kernel").signature


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"recall_weight": 2}, "recall_weight is 2; give a number from 0 to 1"),
        ({"function_weight": -1}, "function_weight is -1"),
        ({"tokenizer": "split"}, "tokenizer is 'split'; choose from"),
        ({"keep_punctuation": "no"}, "keep_punctuation is 'no'"),
        ({"similarity": max, "synonyms": max}, "similarity and synonyms are both set"),
    ],
)
def test_what_an_option_does_not_take_is_refused(option: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TeslaM(**option)


def test_bad_texts_and_solvers_are_refused() -> None:
    with pytest.raises(TypeError, match="candidate is int, expected str or None"):
        TeslaM().score(1, "a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"references\[1\] is bytes"):
        TeslaM().score("a", ["a", b"a"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="candidate: token 2 of line 1, 'cat', is not word/TAG"):
        TeslaM().score_units("the/DT cat", "a/DT")
    for candidate, references, place in (
        ("bad", [], "candidate"),
        (None, ["bad"], "references[0]"),
        ("bad", ["a/DT", "bad"], "references[1]"),
        ("bad", ["bad", "bad"], "references[0]"),
    ):
        with pytest.raises(ValueError, match=re.escape(f"{place}: token 1 of line 1, 'bad', is")):
            TeslaM().score_units(candidate, references)
    with pytest.raises(ValueError, match="unknown solver for transport 'hihgs'; did you mean"):
        TeslaM(solver="hihgs")
    with pytest.raises(ValueError, match="unknown solver for transport 'hihgs'; did you mean"):
        TeslaS(solver="hihgs")
    for option in ("lemma", "synonyms", "similarity"):
        with pytest.raises(TypeError, match=f"^{option} is 'x'; give a function of two arguments"):
            TeslaM(**{option: "x"})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="solver is 'highs' and case 'keep'"):
        TeslaS(solver="highs", case="keep")


# TESLA-S as the paper solved it


def numbers(score: Any) -> list[float]:
    parts = score.parts
    return [*list(score.values())[:3], *parts.unigram.values(), *parts.skip.values()]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"gap": None, "skip_weight": "min"},
        {"gap": 1, "cross_sentences": False, "stemmer": "rouge155"},
        {"aggregate": "max-per-bag", "keep_punctuation": True},
        {"aggregate": "average", "recall_weight": 0.5, "function_weight": 1 / 3},
    ],
)
@given(texts, st.lists(texts, min_size=1, max_size=3))
@settings(max_examples=15)
def test_tesla_s_by_a_solver_equals_its_closed_form(
    solver: str, options: dict[str, Any], candidate: str, references: list[str]
) -> None:
    closed = TeslaS(**options).score_units(candidate, references)
    solved = TeslaS(**options, solver=solver).score_units(candidate, references)
    assert numbers(solved) == pytest.approx(numbers(closed), abs=1e-9)


@pytest.mark.parametrize("tokenizer", ["rouge155", "unicode", str.split])
@pytest.mark.parametrize("cross", [True, False])
@given(st.text("aT thes.\n", max_size=30), st.text("aT thes.\n", max_size=30))
@settings(max_examples=25)
def test_tesla_s_by_the_kernel_reads_plain_text_alike(
    tokenizer: Any, cross: bool, candidate: str, reference: str
) -> None:
    options: dict[str, Any] = {
        "tokenizer": tokenizer,
        "cross_sentences": cross,
        "function_words": ["the", "a"],
        "stemmer": "rouge155",
    }
    closed = TeslaS(**options).score(candidate, reference)
    solved = TeslaS(**options, solver="kernel").score(candidate, reference)
    assert numbers(solved) == pytest.approx(numbers(closed), abs=1e-9)
    batch = TeslaS(**options, solver="kernel").score_batch([candidate], [reference])
    assert batch["tesla-s.fmeasure"][0] == solved.value


def test_references_fill_up_one_at_a_time() -> None:
    """More supply never lowers S: a longer reference matches at least as much."""
    reference = "a/NN b/VB c/NN d/VB e/NN".split()
    found = [
        TeslaM().score_units("a/NN c/NN e/NN", " ".join(reference[:size])).parts.unigram.S
        for size in range(1, 6)
    ]
    assert all(later >= earlier for earlier, later in pairwise(found))


def test_long_texts_take_no_matrix_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = (" ".join(f"w{k + more}" for k in range(30_000)) for more in (0, 4))
    score = summeval.metric("tesla-m").score(left, right)
    assert [score.parts[order].S for order in ORDERS] == pytest.approx([29_996, 29_995, 29_994])
    tagged = " ".join(f"w{k}/NN" for k in range(6_000))
    with pytest.raises(ValueError, match=r"6,000 different n-grams with 6,000; 2\^25 pairs are"):
        TeslaM().score_units(tagged, tagged)
    chance = random.Random(1)
    texts = [" ".join(chance.choices("a A b B c the The".split(), k=20)) for _ in range(20)]
    usual = [TeslaM().score(*pair).values() for pair in pairwise(texts)]
    monkeypatch.setattr(tesla_m, "_MOST_PAIRS", 10)
    found = [TeslaM().score(*pair).values() for pair in pairwise(texts)]
    for one, other in zip(found, usual, strict=True):
        assert list(one)[:3] == pytest.approx(list(other)[:3], abs=1e-12)
