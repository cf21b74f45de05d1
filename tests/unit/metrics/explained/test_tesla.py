"""What scores of TESLA-S and TESLA-M come from, by hand."""

from __future__ import annotations

from math import fsum
from typing import Any

import pytest
from definitions.tesla_items import bag_items
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval import TeslaM, TeslaS
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.metrics.run.runner import one_case
from summeval.metrics.tesla import bags
from summeval.metrics.tesla.bags import MOST_PAIRS
from summeval.metrics.tesla.reading import PARTS
from summeval.report.explanation_page import _explanation


def shares(told: Explanation) -> dict[str, float]:
    """The shares of the items that have any."""
    return {item.text: item.share for item in told.items if item.share}


def total(told: Explanation) -> float:
    return fsum(one.share for one in told.items)


def item(told: Explanation, text: str) -> ExplainedItem:
    (found,) = (one for one in told.items if one.text == text)
    return found


def test_a_bag_of_tesla_s_is_shared_by_flow() -> None:
    told = TeslaS().explain("a cat sat", "the cat sat")
    # of tokens 2 of 2.1 flow, of skip-bigrams 1 of 1.2; precision is recall, and so is F
    assert shares(told) == pytest.approx(
        {"cat": 1 / 2.1 / 2, "sat": 1 / 2.1 / 2, "cat … sat": 1 / 1.2 / 2}
    )
    assert item(told, "the").kind == "missing"
    assert item(told, "a … sat").kind == "extra"
    assert item(told, "cat … sat").candidate_spans == ((2, 5), (6, 9))
    assert item(told, "cat … sat").reference_spans == ((0, 4, 7), (0, 8, 11))


def test_prices_of_tesla_s_are_what_more_weight_is_worth() -> None:
    metric = TeslaS()
    told = metric.explain("cat cat mat", "cat mat mat dog")
    for word, price, flow in (("cat", 0, 1), ("mat", 1, 1), ("dog", 1, 0)):
        details = item(told, word).details
        assert (details["price"], details["flow"]) == (price, flow)
        more = metric.score(f"cat cat mat {word}", "cat mat mat dog").parts.unigram.S
        assert more - metric.score("cat cat mat", "cat mat mat dog").parts.unigram.S == price
        more = metric.score("cat cat mat", f"cat mat mat dog {word}").parts.unigram.S
        assert more - 2 == details["reference_price"] * (word != "dog")


@pytest.mark.parametrize(
    ("aggregate", "numbers"), [("max", {1}), ("max-per-bag", {1}), ("average", {0, 1})]
)
def test_only_references_that_count_are_shown(aggregate: str, numbers: set[int]) -> None:
    told = TeslaS(aggregate=aggregate).explain("cats sleep here", ["dogs bark", "cats sleep"])
    assert {number for one in told.items for number, _, _ in one.reference_spans} == numbers
    alone = TeslaS().explain("cats sleep here", "cats sleep").value
    part = 1.0 if aggregate != "average" else 0.5
    assert told.value == pytest.approx(alone * part)
    assert total(told) == pytest.approx(told.value, abs=1e-12)


def test_the_best_reference_of_each_bag_may_be_another() -> None:
    references = ["here sleep cats", "cats sleep badly today"]
    told = TeslaS(aggregate="max-per-bag").explain("cats sleep here", references)
    numbers = {one.text: {k for k, _, _ in one.reference_spans} for one in told.items if one.share}
    assert numbers["cats"] == {0}
    assert numbers["cats … sleep"] == {1}


def test_words_of_a_row_in_one_case_stand_in_the_text_as_given() -> None:
    candidate = "ẞ İstanbul FELL"
    metric = TeslaS(case="auto", tokenizer="unicode")
    told = metric.explain(candidate, "i\u0307stanbul fell")
    found = {
        candidate[b:e] for one in told.items if one.kind == "match" for b, e in one.candidate_spans
    }
    assert found == {"İstanbul", "FELL"}


def test_punctuation_that_is_kept_weighs_as_a_function_word() -> None:
    metric = TeslaS(tokenizer=str.split, keep_punctuation=True)
    told = metric.explain("cats , sleep", "dogs , bark")
    assert item(told, ",").details["flow"] == 0.1
    told = TeslaS(tokenizer=str.split).explain("cats , sleep", "cats , bark")
    assert "," not in {one.text for one in told.items}


def test_pairs_of_sentences_that_are_not_crossed_are_none() -> None:
    metric = TeslaS(cross_sentences=False, sentences="rules", gap=None)
    told = metric.explain("Cats sleep. Dogs bark.", "Cats sleep. Dogs bark.")
    pairs = {one.text for one in told.items if "…" in one.text}
    assert pairs == {"Cats … sleep", "Dogs … bark"}


def test_many_pairs_are_grouped_by_their_first_word() -> None:
    words = [f"w{number}" for number in range(40)]
    metric = TeslaS(gap=None, function_words=())
    told = metric.explain(" ".join(words), " ".join(words[::2]))
    grouped = [one for one in told.items if one.text.endswith("…")]
    assert len(words) * (len(words) - 1) / 2 > MOST_PAIRS
    assert len(grouped) <= 3 * len(words)
    assert sum(one.details.get("pairs", 1) for one in grouped) == len(words) * (len(words) - 1) / 2
    assert total(told) == pytest.approx(told.value, abs=1e-12)
    first = next(one for one in grouped if one.text == "w0 …" and one.kind == "match")
    assert first.details["flow"] == 19  # with each of the other words of the reference


def test_solvers_of_tesla_s_say_their_f() -> None:
    told = TeslaS(solver="highs").explain("a cat sat", "the cat sat down")
    assert told.value == TeslaS(solver="highs").score("a cat sat", "the cat sat down").value
    assert total(told) == pytest.approx(told.value, abs=1e-9)


def alike(one: Any, other: Any) -> float:
    return 1.0 if one.form == other.form else 0.5 if one.form[:2] == other.form[:2] else 0.0


def test_an_order_of_tesla_m_is_shared_by_flow_times_likeness() -> None:
    told = TeslaM(similarity=alike).explain("cats sleep", "cats slept")
    # of words 1.5 of 2 flows, of pairs .75 of 1; there are no trigrams
    assert told.value == pytest.approx((0.75 + 0.75) / 3)
    assert shares(told) == pytest.approx(
        {"cats": 0.75 / 1.5 / 3, "sleep = slept": 0.75 / 3 / 3, "cats sleep = cats slept": 0.75 / 3}
    )
    assert item(told, "sleep = slept").details["similarity"] == 0.5
    assert item(told, "cats sleep = cats slept").candidate_spans == ((0, 10),)


def test_prices_of_tesla_m_prove_the_flow() -> None:
    told = TeslaM(similarity=alike).explain("cats sleep soundly", "catnip slept")
    words = [one for one in told.items if one.share and " " not in one.text.split(" = ")[0]]
    worth = sum(one.details["flow"] * one.details["similarity"] for one in words)
    prices = sum(one.details["price"] + one.details["reference_price"] for one in words)
    assert worth == prices == 1.0


def test_references_of_tesla_m_share_the_mean() -> None:
    references = ["cats sleep", "dogs bark", "cats bark"]
    told = TeslaM().explain("cats sleep", references)
    assert total(told) == pytest.approx(told.value, abs=1e-12)
    cats = [one for one in told.items if one.text == "cats" and one.share]
    assert [one.share for one in cats] == pytest.approx([1 / 18, 1 / 18])
    assert [one.text for one in told.items if one.kind == "missing"] == [
        "dogs",
        "bark",
        "dogs bark",
        "cats bark",
    ]


PIECES = st.sampled_from([*"aA bB İßΣ.\n東🦊", "\u0301", "the ", " cat"])
TEXTS = st.lists(PIECES, max_size=20).map("".join)


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_items_say_what_stands_at_their_spans(candidate: str, references: list[str]) -> None:
    for metric in (
        TeslaS(tokenizer="unicode", gap=1),
        TeslaS(tokenizer="unicode", case="auto"),
        TeslaS(tokenizer=str.split, case="keep", aggregate="average"),
        TeslaM(tokenizer="unicode"),
    ):
        told = metric.explain(candidate, references)
        assert total(told) == pytest.approx(told.value, abs=1e-9)
        for one in told.items:
            words = {candidate[begin:end] for begin, end in one.candidate_spans}
            words |= {references[number][begin:end] for number, begin, end in one.reference_spans}
            assert all(words)
            if isinstance(metric, TeslaS):
                parts = one.text.split(" … ")
                assert {word.casefold() for word in words} == {part.casefold() for part in parts}


WAYS: list[dict[str, Any]] = [
    {},
    {"gap": 0, "stemmer": "porter"},
    {"gap": None, "skip_weight": "min", "aggregate": "average"},
    {"case": "auto", "aggregate": "max-per-bag"},
    {"case": "auto", "tokenizer": "unicode", "function_words": ["the"]},
    {"tokenizer": str.split, "keep_punctuation": True, "label": "mine"},
    {"gap": 1, "cross_sentences": False, "sentences": "rules", "function_weight": 0.25},
    {"cross_sentences": False, "tokenizer": "unicode", "function_words": ["a", "cat"]},
]


@settings(max_examples=150, deadline=None)
@given(
    TEXTS,
    st.lists(TEXTS, min_size=1, max_size=3),
    st.sampled_from(WAYS),
    st.sampled_from([0, 3, MOST_PAIRS]),
)
def test_items_of_the_kernel_are_those_of_the_definition(
    candidate: str, references: list[str], way: dict[str, Any], most: int
) -> None:
    metric = TeslaS(**way)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bags, "MOST_PAIRS", most)
        told = metric.explain(candidate, references)
    compact = _explanation(told)
    own, *others = one_case(metric.case if metric.case == "auto" else "keep", told_texts(told))
    scores = [metric.score(own, other) for other in others]
    wanted: list[ExplainedItem] = []
    for bag, factors in enumerate(bags.factors_of(scores, metric.aggregate)):
        wanted += bag_items(
            told_texts(told),
            bags.words_of(metric._text_options, told_texts(told), metric.case),
            bool(bag),
            {k: f * scores[k].parts[PARTS[bag]].fmeasure for k, f in factors.items()},
            metric._weights(bag),
            gap=metric._gap,
            cross=metric.cross_sentences,
            most=most,
        )
    assert len(told.items) == len(wanted)
    assert _explanation(told) == compact
    for one, other in zip(told.items, wanted, strict=True):
        assert vars(one) | {"share": 0, "details": 0} == vars(other) | {"share": 0, "details": 0}
        assert one.share == pytest.approx(other.share, abs=1e-12)
        assert one.details == pytest.approx(other.details, abs=1e-12)


def told_texts(told: Explanation) -> tuple[str, ...]:
    return told.candidate, *told.references
