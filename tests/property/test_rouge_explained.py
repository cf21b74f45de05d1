"""Explanations of ROUGE beside the kernel's counts and scores, on texts from Hypothesis."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pytest
from definitions import rouge_items as definition
from hypothesis import given, settings
from hypothesis import strategies as st

import summeval
from summeval._core.overlap.rouge import RougeKernel
from summeval._core.overlap.rouge import counts as kernel_counts
from summeval._core.rows.items import Items
from summeval.metrics.rouge import explained
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.explain.items import BaseExplanation, ExplainedItem
from summeval.report.explanation_page import DIGITS, _explanation

MEASURES = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum", "rougeW", "rougeW-2")
SKIPS = ("rougeS0", "rougeS2", "rougeS*", "rougeSU1", "rougeSU*")
WORDS = ["a", "b", "c", "cats", "Cat", "the", "running", "ran", "é", "日本", "Straße", "İx", "🦊"]
MARKS = [" ", " ", " ", "  ", "\n", "\n", ". ", ", ", "\r\n", "\t", "", "-"]
text_of = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS)), max_size=14).map(
    lambda parts: "".join(word + mark for word, mark in parts)
)
OPTIONS: list[dict[str, Any]] = [
    {},
    {"stemmer": "porter"},
    {"stemmer": "rouge155", "stopwords": ["the", "a"]},
    {"tokenizer": "unicode", "sentences": "rules"},
    {"tokenizer": str.split, "label": "mine"},
    {"tokenizer": str.split, "sentences": lambda text: text.split(". "), "label": "mine"},
    {"max_words": 4},
    {"max_words": 3, "sentences": "rules", "tokenizer": "unicode"},
    {"max_bytes": 9},
    {"max_bytes": 9, "tokenizer": "unicode", "stopwords": ["the"]},
]
WAYS: list[dict[str, Any]] = [
    {"aggregate": aggregate, "jackknife": jackknife, "alpha": alpha, "digits": digits}
    for aggregate in ("max", "average", "best")
    for jackknife in (False, True)
    for alpha, digits in ((0.5, "auto"), (0.8, 5), (0.2, None))
]


def kernel_of(metric: Rouge) -> RougeKernel:
    analyzer = metric._text_options.analyzer()
    return RougeKernel(analyzer, [metric._kernel_measure], (metric.name,))


def tokens_of(metric: Rouge, text: str) -> definition.TokenizedText:
    kind = metric._kernel_measure[0]
    return definition.read(kernel_of(metric), metric._text_options, text, kind)


def counts_of(metric: Rouge, candidate: str, references: list[str]) -> list[tuple[float, ...]]:
    """The kernel's counts of a candidate beside each reference."""
    text_options = metric._text_options
    _, found = kernel_counts(
        text_options.analyzer(),
        [metric._kernel_measure],
        [text_options.text(candidate, "")],
        [[text_options.text(text, "") for text in references]],
    )
    return [tuple(row[0]) for row in found.tolist()]


@pytest.mark.filterwarnings("ignore::summeval.ScoreWarning")
@pytest.mark.parametrize("most", [0, explained.MOST_PAIRS])
@pytest.mark.parametrize("name", [*MEASURES, *SKIPS])
@settings(max_examples=60)
@given(
    options=st.sampled_from(OPTIONS),
    way=st.sampled_from(WAYS),
    candidate=text_of,
    references=st.lists(text_of, min_size=1, max_size=3),
)
def test_items_of_the_kernel_are_those_of_the_definition(
    *,
    name: str,
    most: int,
    options: dict[str, Any],
    way: dict[str, Any],
    candidate: str,
    references: list[str],
) -> None:
    """Names, places, shares and details, in the same order; with first words of pairs, too."""
    metric = Rouge(name, **options, **way)
    value = metric.score(candidate, references).value
    weigh = partial(
        explained.weights_of, metric._kernel_measure, explained.Scoring(*metric._scoring), value
    )
    texts = candidate, *references
    kernel, text_options = kernel_of(metric), metric._text_options
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explained, "MOST_PAIRS", most)
        patch.setattr(definition, "MOST_PAIRS", most)
        kind = metric._kernel_measure[0]
        told = explained.explained_items(kernel, kind, text_options, texts, weigh)
        wanted = definition.explained_items(
            kernel, metric._kernel_measure, text_options, texts, weigh
        )
    assert isinstance(told, Items)
    items = told.make(ExplainedItem)
    assert items == tuple(wanted)
    told_items = BaseExplanation(name, value, items, candidate, tuple(references))
    assert told.compact(DIGITS) == _explanation(told_items)


@pytest.mark.parametrize("name", [*MEASURES, *SKIPS])
@settings(max_examples=60)
@given(
    options=st.sampled_from(OPTIONS),
    candidate=text_of,
    references=st.lists(text_of, min_size=1, max_size=3),
)
def test_counts_are_those_of_the_kernel(
    name: str, options: dict[str, Any], candidate: str, references: list[str]
) -> None:
    metric = Rouge(name, **options)
    kind, order, unigrams, _ = metric._kernel_measure
    own, *others = [tokens_of(metric, text) for text in (candidate, *references)]
    wanted = counts_of(metric, candidate, references)
    if kind in ("ngram", "skip"):
        units = definition.ngrams if kind == "ngram" else definition.skip_bigrams
        mine, *theirs = [units(each, order, unigrams) for each in (own, *others)]
        hits = [definition.shared_units(mine, one) for one in theirs]
        assert [*map(definition.counts_of, [mine] * len(theirs), theirs, hits)] == wanted
    if kind == "skip":
        mine, *theirs = [definition.openings(each, order, unigrams) for each in (own, *others)]
        hits = [
            definition.opening_hits(((own, mine), side), order, unigrams)
            for side in zip(others, theirs, strict=True)
        ]
        assert [*map(definition.counts_of, [mine] * len(theirs), theirs, hits)] == wanted
    elif kind != "ngram":  # the kernel's own; the tokens that it numbers are those that are read
        text_options = metric._text_options
        given_texts = [text_options.text(text, "") or "" for text in (candidate, *references)]
        told = kernel_of(metric).find(given_texts[0], given_texts[1:])
        assert [counts for counts, _ in told] == wanted
        for (_, runs), theirs in zip(told, others, strict=True):
            for _, rows, columns in runs:
                assert [theirs.forms[k] for k in rows] == [own.forms[k] for k in columns]


@pytest.mark.parametrize("name", ["rouge1", "rougeL", "rougeLsum", "rougeW", "rougeSU4"])
@pytest.mark.filterwarnings("ignore::summeval.ScoreWarning")
@settings(max_examples=60)
@given(
    way=st.sampled_from(WAYS),
    candidate=text_of,
    references=st.lists(text_of, min_size=1, max_size=4),
)
def test_the_parts_of_references_are_those_of_the_score(
    name: str, way: dict[str, Any], candidate: str, references: list[str]
) -> None:
    metric = Rouge(name, **way)
    told = metric.explain(candidate, references)
    found: Any = counts_of(metric, candidate, references)
    scoring = explained.Scoring(*metric._scoring)
    weights = explained.unscaled(metric._kernel_measure, scoring, found)
    added = math.fsum(weight * found[k][0] for k, weight in weights.items())
    assert added == pytest.approx(told.value, abs=1e-12)
    assert told.value == metric.score(candidate, references).value
    assert math.fsum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-12)
    counting = {number for item in told.items for number, _, _ in item.reference_spans}
    assert counting <= set(weights)


@pytest.mark.filterwarnings("ignore::summeval.ScoreWarning")
@pytest.mark.parametrize("name", [*MEASURES, *SKIPS])
@settings(max_examples=40)
@given(candidate=text_of, reference=text_of)
def test_every_token_is_told_once_for_each_unit(name: str, candidate: str, reference: str) -> None:
    """All units of both sides have their spans, with the words that the items name."""
    metric = Rouge(name)
    told = metric.explain(candidate, reference)
    own, theirs = (tokens_of(metric, text) for text in (candidate, reference))
    spans = {
        "candidate": [span for item in told.items for span in item.candidate_spans],
        "reference": [span[1:] for item in told.items for span in item.reference_spans],
    }
    if name in ("rouge1", "rouge2", "rouge3"):
        order = int(name[-1])
        for side, reading in (("candidate", own), ("reference", theirs)):
            wanted = [
                (first[0], last[1])
                for first, last in zip(reading.spans, reading.spans[order - 1 :], strict=False)
            ]
            assert sorted(spans[side]) == sorted(wanted)
    if name in ("rougeL", "rougeLsum", "rougeW", "rougeW-2"):
        for side, text, reading in (
            ("candidate", candidate, own),
            ("reference", reference, theirs),
        ):
            found = [word for b, e in spans[side] for word in summeval.text.tokens(text[b:e])]
            if side == "reference" or name == "rougeL":
                assert sorted(found) == sorted(reading.forms)
            else:  # a token of the candidate may stand for several of the reference
                assert set(found) == set(reading.forms)
    for item in told.items:
        words = summeval.text.tokens(item.text)
        for text, places in (
            (candidate, item.candidate_spans),
            (reference, tuple(span[1:] for span in item.reference_spans)),
        ):
            for begin, end in places:
                inside = summeval.text.tokens(text[begin:end])
                assert set(inside) <= set(words)


def test_long_texts_have_an_item_for_each_first_word() -> None:
    text = " ".join(f"w{k * k % 53}" for k in range(700))
    told = Rouge("rougeSU*").explain(text, text[::-1] + " " + text)
    assert len(told.items) < 200
    assert told.value == pytest.approx(math.fsum(item.share for item in told.items))
    pairs = sum(item.details["pairs"] for item in told.items if item.kind == "match")
    assert pairs == 700 * 699 / 2 + 699


def test_a_run_of_rouge_w_that_another_word_would_end_weighs_nothing() -> None:
    """By hand: "b" has no token left the second time, and is at the end of its line."""
    told = Rouge("rougeW").explain("a b", "b\na b")
    runs = [(item.text, item.share) for item in told.items if item.kind == "match"]
    assert runs == [("b", told.value), ("a", 0.0)]


def test_words_of_one_stem_are_both_told() -> None:
    told = Rouge("rouge1", stemmer="porter").explain("Cities rained", "city rain and rains")
    assert [item.text for item in told.items] == [
        "Cities = city",
        "rained = rain",
        "and",
        "rains",
    ]
    assert told.items[3].reference_spans == ((0, 14, 19),)


def test_of_several_references_the_best_counts_or_all_do() -> None:
    """By hand: 2 of 4 with the first, 1 of 3 with the other."""
    texts = "a b", ["a b c d", "a e f"]
    best = Rouge("rouge1").explain(*texts)
    assert {number for item in best.items for number, _, _ in item.reference_spans} == {0}
    both = Rouge("rouge1", aggregate="average", digits=None).explain(*texts)
    value = 2 * 3 / (4 + 7)  # hits of both sides over all tokens
    assert [(item.text, item.share) for item in both.items[:2]] == [
        ("a", pytest.approx(value * 2 / 3)),
        ("b", pytest.approx(value / 3)),
    ]
    assert both.items[0].reference_spans == ((0, 0, 1), (1, 0, 1))
    left = Rouge("rouge1", jackknife=True).explain(*texts)
    first, other = 2 * 2 / 6 / 2, 2 * 1 / 5 / 2
    assert [item.share for item in left.items[:2]] == [
        pytest.approx(first / 2 + other),
        pytest.approx(first / 2),
    ]


def test_a_run_that_goes_on_in_an_earlier_line_has_the_places_of_its_words() -> None:
    shown = Rouge("rougeW").explain("c\nb a b", ["b c b"]).items
    assert [(one.text, one.candidate_spans) for one in shown] == [
        ("b c b", ((0, 1), (2, 3), (6, 7))),
        ("a", ((4, 5),)),
    ]
