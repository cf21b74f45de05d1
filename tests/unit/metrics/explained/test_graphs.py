"""What scores on n-gram graphs come from, by hand."""

from __future__ import annotations

from math import fsum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval import AutoSummENG, MeMoG, NPowER
from summeval.metrics.run.explain.explanation import Explanation


def told_of(told: Explanation, kind: str) -> dict[str, float]:
    return {item.text: item.share for item in told.items if item.kind == kind}


def test_a_stretch_has_what_the_edges_from_its_n_grams_add() -> None:
    # abc-bcd-cde-def and abc-bcd-cde-deg: 6 of 12 edges are common, 2 from each of abc, bcd, cde
    told = AutoSummENG().explain("abcdef", "abcdeg")
    assert told_of(told, "match") == {"abcde": 0.5}
    assert told_of(told, "missing") == {"g": 0.0}
    assert told_of(told, "extra") == {"f": 0.0}
    # with a break in the reference: abc and bcd are neighbours on both sides, cde-def is apart
    told = AutoSummENG().explain("abcdef", "abcd cdef")
    assert [item.text for item in told.items if item.kind == "match"] == ["abcd", "cdef"]


def test_the_weight_of_an_edge_counts_by_its_ratio() -> None:
    # aa-aa twice beside once: ratio 1/2 of the one edge
    told = AutoSummENG(min_n=2, max_n=2, window=1).explain("aaaa", "aaa")
    assert told_of(told, "match") == {
        "aaa": pytest.approx(0.5 * 2 / 3),
        "aa": pytest.approx(0.5 / 3),
    }
    assert told.value == 0.5


def test_references_are_averaged_or_merged() -> None:
    references = ["abcdeg", "abcdef"]
    assert AutoSummENG().explain("abcdef", references).value == 0.75
    for metric in (AutoSummENG(), MeMoG(), NPowER(), MeMoG(compat="npower-1")):
        told = metric.explain("abcdef", references)
        assert fsum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-12)
        assert ("intercept" in told_of(told, "part")) == (metric.kind == "npower")
    # the program takes the likeness to the last
    told = MeMoG(compat="npower-1").explain("abcdef", references)
    assert {number for item in told.items for number, _, _ in item.reference_spans} == {1}


def test_the_intercept_moves_with_the_range() -> None:
    told = NPowER(min_score=1.0, max_score=3.0).explain("", "abcdef")
    assert told_of(told, "part") == {"intercept": pytest.approx(1 + 2 * 0.05866)}
    assert told_of(told, "missing") == {"abcdef": 0.0}


def test_equal_stretches_are_one_item() -> None:
    told = AutoSummENG().explain("abcd! abcd?", "abcd")
    (item,) = (one for one in told.items if one.kind == "match")
    assert item.text == "abcd"
    assert item.candidate_spans == ((0, 4), (6, 10))
    assert item.reference_spans == ((0, 0, 4),)
    assert item.share == told.value > 0


def test_units_of_utf_16_are_shown_as_characters() -> None:
    told = AutoSummENG(compat="npower-1").explain("🦊🦊🦊!", "🦊🦊🦊?")
    assert fsum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-12)
    assert told.value > 0
    for item in told.items:
        assert not any(0xD800 <= ord(letter) < 0xE000 for letter in item.text)


TEXTS = st.text(st.sampled_from("aabAB İß.\n東🦊"), max_size=14)


@settings(max_examples=60, deadline=None)
@given(
    TEXTS,
    st.lists(TEXTS, min_size=1, max_size=3),
    st.sampled_from(
        [{}, {"case": "lower"}, {"compat": "npower-1", "case": "auto"}, {"min_n": 1, "max_n": 3}]
    ),
)
def test_shares_add_up_whatever_the_letters(
    candidate: str, references: list[str], options: dict[str, Any]
) -> None:
    told = NPowER(**options).explain(candidate, references)
    assert fsum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-9)
    for item in told.items:
        places = [candidate[begin:end] for begin, end in item.candidate_spans]
        places += [references[number][begin:end] for number, begin, end in item.reference_spans]
        assert all(places)
        if item.kind != "part" and not options:
            assert set(places) == {item.text}
        if item.kind in ("missing", "extra"):
            assert item.share == 0
