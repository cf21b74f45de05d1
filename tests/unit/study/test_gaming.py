"""Degenerate twins, the pairs that they make, and the search that pushes a score."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval.study import gaming as pushing
from summeval.study.attacks import APART, ATTACKS, INJECTIONS, Case, sentences_of
from summeval.study.further_attacks import FURTHER, PLACES
from summeval.study.gaming import (
    EVERY,
    MEAN,
    MEAN_FURTHER,
    PEOPLE,
    Honest,
    Scorer,
    Tally,
    honest_summaries,
    interval,
    pooled,
    study_gaming,
    tally,
    twin,
)

SOURCE = (
    "The storm hit the coast on Monday and tore off roofs. Trains stopped for two days.",
    "The mayor asked for help. Schools stayed shut until Friday, and nobody was hurt at all. "
    "Farmers lost most of the harvest. Insurers expect claims of forty million. "
    "The last storm of this kind came in 1987, when the pier broke. Divers looked at the bridge.",
)
CASE = Case(
    "A storm hit the coast. Trains stopped for two days.",
    ("The storm on the coast stopped trains for two days.",),
    SOURCE,
    "A cat was found on a tree in the park.",
)
words = st.lists(st.sampled_from("storm the coast hit a . train".split()), min_size=5, max_size=30)


def words_of(text: str | None) -> list[str]:
    assert text is not None
    return text.split()


def test_each_attack_makes_what_it_says():
    made = {name: twin(name, CASE, 3) for name in ATTACKS}
    honest = CASE.text.split()
    first, second = "A storm hit the coast. ", "Trains stopped for two days. "
    tripled = (first * 3 + second, first + second * 3)
    assert f"{made['repeat']} " in tripled
    assert words_of(made["loop"])[:5] == honest[:5]
    assert len(words_of(made["loop"])) > len(honest)
    assert made["pad"].startswith(CASE.text)
    assert len(words_of(made["pad"])) >= 3 * len(honest)
    assert {*made["bag"].strip(".").split()} == {*"storm coast stopped trains two days".split()}
    assert words_of(made["shuffle"]) != honest
    assert sorted(words_of(made["shuffle"])) == sorted(honest)
    assert made["truncate"] == "A storm hit the"
    assert made["empty"].strip(" .\n") == ""
    assert made["whole-source"] == "\n".join(SOURCE)
    assert made["other-topic"] == CASE.other
    assert len(words_of(made["characters"])) == len(honest) and not made["characters"].isascii()
    assert words_of(made["50-times"]) == honest * 50
    assert made["lead"] == " ".join(
        [*SOURCE[0].replace("roofs. ", "roofs.|").split("|"), "The mayor asked for help."]
    )
    told = made["injection"]
    assert told.replace(CASE.text, "").strip() in INJECTIONS


@given(words, st.integers(0, 5), st.sampled_from([*EVERY]))
def test_a_twin_depends_on_the_seed_and_differs(text, seed, name):
    case = Case(" ".join(text), CASE.references, SOURCE, CASE.other)
    made = twin(name, case, seed)
    assert made == twin(name, case, seed)
    assert made is None or made.split() != text


def test_other_seeds_make_other_twins():
    assert len({twin("shuffle", CASE, seed) for seed in range(5)}) == 5


def test_no_pair_where_an_attack_changes_nothing():
    same = Case("a a a a a a", source=("a a a.",))
    assert twin("shuffle", same, 0) is None  # every order is the same
    assert twin("bag", same, 0) is None  # no references
    assert twin("pad", same, 0) is None  # too little source
    assert twin("whole-source", same, 0) is None  # shorter than twice the summary
    assert twin("other-topic", same, 0) is None
    short = Case("too short", ("a b c d",), SOURCE, "x")
    assert {twin(name, short, 0) for name in EVERY} == {None}


def test_the_first_of_several_references_stands_in_for_people():
    rows = [
        ("a", "s", "one two three four five", ["r r r r one", "q q q q q"], None),
        ("b", "s", "six six six six six", ["p p p p p"], ["the source"]),
        ("b", "t", "too short", ["p p p p p"], None),
    ]
    found = honest_summaries(rows)
    assert [(one.topic, one.system) for one in found] == [("a", "s"), ("a", PEOPLE), ("b", "s")]
    assert found[1].case == Case("r r r r one", ("q q q q q",), (), "six six six six six")
    assert found[2].case.other == "one two three four five"  # of the same system


def test_a_lone_topic_has_no_other():
    (found,) = honest_summaries([("a", "s", "one two three four five", None, None)])
    assert found.case.other == ""


def longer(texts, references, sources):
    return [float(len(text.split())) for text in texts]


def test_wins_ties_and_texts_without_a_score():
    summaries = [Honest("a", "s", CASE)]
    found = tally(summaries, [Scorer("longer", (), longer)])
    assert found["longer", "truncate"] == Tally({"a": 1}, 0, {"a": 1})
    assert found["longer", "shuffle"] == Tally({"a": 0}, 1, {"a": 1})  # a tie is no win
    assert found["longer", "50-times"].share == 0

    def none(texts, references, sources):
        return [1.0, *[math.nan, None] * len(texts)][: len(texts)]

    found = tally(summaries, [Scorer("none", (), none)])
    assert {one.share for one in found.values() if one.total} == {1.0}


def test_a_scorer_leaves_out_what_it_cannot_see():
    bare = Honest("a", "s", Case(CASE.text, CASE.references))
    found = tally([bare], [Scorer("source", ("source",), longer)])
    assert all(one.total == 0 and math.isnan(one.share) for one in found.values())


def test_intervals_are_over_topics():
    mixed = Tally({"a": 0, "b": 10, "c": 10}, 0, {"a": 10, "b": 10, "c": 10})
    low, high = interval(mixed)
    assert low == 0 or low == pytest.approx(1 / 3, abs=0.34)
    assert high == 1 and low < mixed.share < high
    assert interval(mixed) == interval(mixed)
    assert interval(Tally({"a": 4}, 0, {"a": 4})) == (1, 1)
    assert all(map(math.isnan, interval(Tally({}, 0, {}))))


def test_the_mean_is_over_all_pairs_but_the_lead():
    found = study_gaming([Honest("a", "s", CASE)], [Scorer("longer", (), longer)], resamples=10)
    rows = {row["attack"]: row for row in found.tables[1].rows}
    others = [rows[name] for name in ATTACKS if name not in APART]
    assert rows[MEAN]["pairs"] == sum(row["pairs"] for row in others) == len(ATTACKS) - 1
    assert rows[MEAN]["share"] == pytest.approx(sum(row["share"] for row in others) / len(others))
    further = sum(rows[name]["pairs"] for name in FURTHER if name not in PLACES)
    assert rows[MEAN_FURTHER]["pairs"] == further >= 12
    assert [*rows] == [*pushing.GROUPS] and {*rows} == {*EVERY, MEAN, MEAN_FURTHER}
    assert pooled([]).total == 0


@pytest.mark.parametrize("name", [*pushing.EDITS])
def test_an_edit_changes_some_words(name):
    text = CASE.text.split()
    sentences = [part.split() for part in sentences_of("\n".join(SOURCE))]
    material = pushing.Material(sentences, [word for one in sentences for word in one])
    made = [pushing.EDITS[name](text, material, random.Random(seed)) for seed in range(20)]
    assert sum(one != text for one in made) >= 10
    known = {*text, *material.words, *" ".join(INJECTIONS).split()}
    assert all(set(one) <= known for one in made)


def test_a_search_climbs_and_repeats_itself():
    scorer = Scorer("longer", (), longer)
    honest = Honest("a", "s", CASE)
    found = pushing.push(honest, scorer, 4, best_of=32)
    assert found == pushing.push(honest, scorer, 4, best_of=32)
    assert found.before == 10 and found.after == len(found.text.split()) > 60
    assert found.rounds == 4 == sum(found.edits.values())


def test_a_search_that_finds_nothing_keeps_the_text():
    flat = Scorer("flat", (), lambda texts, references, sources: [1.0] * len(texts))
    found = pushing.push(Honest("a", "s", CASE), flat, 9, best_of=4)
    assert (found.text, found.rounds) == (CASE.text, 0)


def test_a_search_needs_a_source():
    with pytest.raises(ValueError, match="has no source"):
        pushing.push(Honest("a", "s", Case(CASE.text)), Scorer("longer", (), longer), 1)
