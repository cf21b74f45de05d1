"""ParaEval matches paraphrases in tiers: the global optimum, greedily, then equal words."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import summeval
from summeval import ParaEval, Rouge

words = st.sampled_from("abcde")
texts = st.lists(words, min_size=1, max_size=7).map(" ".join)
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)
tables = st.lists(st.tuples(phrases, phrases), max_size=6)


def tiers(metric: ParaEval, candidate: str, reference: str) -> tuple[Any, ...]:
    parts = metric.score(candidate, reference).parts
    return parts.optimal, parts.greedy, parts.literal


@given(texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from(["max", "average"]))
def test_without_a_table_it_is_the_recall_of_rouge_1(
    candidate: str, references: list[str], aggregate: str
) -> None:
    found = ParaEval(aggregate=aggregate).score(candidate, references).recall
    each = [Rouge("rouge1").score(candidate, reference).recall for reference in references]
    expected = max(each) if aggregate == "max" else sum(each) / len(each)
    assert found == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60)
@given(texts, texts, tables)
def test_top_tier_is_the_best_of_all_sets_of_matches(
    candidate: str, reference: str, table: list[tuple[str, str]]
) -> None:
    metric = ParaEval(paraphrases=table)
    matches = metric._matches(candidate.split(), reference.split())[:9]
    metric._matches = lambda *_: matches  # type: ignore[method-assign]
    best = 0
    for size in range(len(matches) + 1):
        for chosen in combinations(matches, size):
            spans = [[k for m in chosen for k in m.reference], [k for m in chosen for k in m[1]]]
            if all(len(set(span)) == len(span) for span in spans):
                best = max(best, len(spans[0]))
    assert tiers(metric, candidate, reference)[0] == best


@given(texts, texts, tables)
def test_recall_is_the_share_of_words_that_the_tiers_match(
    candidate: str, reference: str, table: list[tuple[str, str]]
) -> None:
    score = ParaEval(paraphrases=table).score(candidate, reference)
    matched = score.parts.optimal + score.parts.greedy + score.parts.literal
    assert score.recall == matched / len(reference.split()) <= 1


@given(texts, tables)
def test_order_and_direction_of_the_table_are_nothing(
    text: str, table: list[tuple[str, str]]
) -> None:
    turned = [(right, left) for left, right in reversed(table)]
    one, other = ParaEval(paraphrases=table), ParaEval(paraphrases=turned)
    assert one.signature == other.signature
    assert one.score("a b c d", text) == other.score("a b c d", text)


def test_optimum_is_not_the_first_or_the_longest_match() -> None:
    # the longest match, b c d, would keep a b and d e, four words, from theirs
    table = [("b c d", "x"), ("a b", "y"), ("d e", "z")]
    assert tiers(ParaEval(paraphrases=table), "x y z", "a b c d e") == (4, 0, 0)


def test_of_equal_covers_that_with_fewer_words_of_the_candidate_counts() -> None:
    table = [("a b", "x y z"), ("a b", "w")]
    assert tiers(ParaEval(paraphrases=table), "x y z w", "a b x y z") == (2, 0, 3)


def test_words_matched_above_are_not_matched_again() -> None:
    table = [("passed away", "died"), ("died", "fell")]
    assert tiers(ParaEval(paraphrases=table), "died", "passed away fell died") == (2, 0, 0)
    assert tiers(ParaEval(paraphrases=[("a", "b")]), "b a", "a b a") == (0, 2, 0)


def test_stems_match_in_texts_and_table() -> None:
    metric = ParaEval(paraphrases=[("bridges", "crossing")], stemmer="rouge155")
    assert metric.score("the crossings", "the bridge").recall == 1


def test_empty_and_missing_texts() -> None:
    metric = ParaEval(paraphrases=[("a b", "c")])
    assert metric.score("", "a b").recall == 0
    assert metric.score("c", "").recall == 0
    assert math.isnan(metric.score(None, "a").recall)
    table = metric.score_batch(["c", None, "c"], ["a b", "a b", []])
    assert table["paraeval.recall"][0] == 1
    assert all(map(math.isnan, table["paraeval.recall"][1:]))


def test_table_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("passed away\tdied\n\n")
    assert summeval.metric("paraeval", paraphrases=path).score("died", "passed away").value == 1
    path.write_text("passed away\tdied\nno tab\n")
    with pytest.raises(ValueError, match=r"table.tsv:2: 'no tab' is not two phrases and a tab"):
        ParaEval(paraphrases=path)


BAD = {
    "dict": ({"paraphrases": {"a": "b"}}, "paraphrases is dict"),
    "word": ({"paraphrases": ["ab"]}, "paraphrases has 'ab'; give pairs of str"),
    "not all": ({"paraphrases": [("a", 3)]}, r"paraphrases has \('a', 3\); give pairs of str"),
    "blank": ({"paraphrases": [("a", "...")]}, r"paraphrases has \('a', '...'\); give words"),
    "aggregate": ({"aggregate": "best"}, "aggregate is 'best'"),
    "tokenizer": ({"tokenizer": "words"}, "tokenizer is 'words'"),
}


@pytest.mark.parametrize(("options", "message"), BAD.values(), ids=BAD)
def test_bad_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ParaEval(**options)


def test_a_word_takes_the_first_word_left_and_no_other() -> None:
    metric = ParaEval(paraphrases=[("king", "monarch"), ("king", "ruler"), ("queen", "ruler")])
    assert metric.score("ruler monarch", "king queen").parts.greedy == 1
    assert metric.score("monarch ruler", "king queen").parts.greedy == 2
    assert metric.score("ruler", "king king").parts.greedy == 1
    assert metric.score("ruler monarch", "king king").parts.greedy == 2
