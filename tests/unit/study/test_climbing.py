"""Searches that start from words, mosaics and clauses."""

from __future__ import annotations

import random

import pytest

from summeval.study.attacks import Case
from summeval.study.climbing import STARTS, Material, climb, edited, study_climbs
from summeval.study.gaming import Honest, Scorer

SOURCE = "The storm hit the coast on Monday, and trains stopped. The mayor asked for help, too."
HONEST = Honest("a", "s", Case("A storm stopped the trains.", (), (SOURCE,)))


def trains(texts, references, sources):
    """Only the whole honest text, or one with trains at both ends, is worth something."""
    return [
        1.0
        if text.startswith("A storm")
        else 0.5 * text.startswith("trains") + 0.5 * text.endswith("trains")
        for text in texts
    ]


SCORER = Scorer("trains", ("source",), trains)
FLAT = Scorer("flat", (), lambda texts, references, sources: [float("A" in t) for t in texts])


def test_an_edit_takes_words_of_the_source_alone():
    material = Material.of(HONEST)
    words = HONEST.case.text.split()
    made = [edited(words, material, random.Random(seed)) for seed in range(40)]
    assert sum(one != words for one in made) > 30
    assert all({*one} <= {*words, *SOURCE.split()} for one in made)
    assert {len(one) - len(words) for one in made} == {-1, 0, 1}


@pytest.mark.parametrize("start", STARTS)
def test_a_search_climbs_as_far_as_the_honest_score(start):
    found = climb(HONEST, SCORER, start, 400)
    assert found is not None and found == climb(HONEST, SCORER, start, 400)
    assert found.reached is not None and found.score == 1.0
    assert found.text.startswith("trains") and found.text.endswith("trains")
    early = climb(HONEST, SCORER, start, found.reached - 1) if found.reached else None
    assert early is None or early.reached is None


def test_a_search_without_a_slope_finds_nothing():
    found = climb(HONEST, FLAT, "words", 5)
    assert found is not None and found.reached is None and found.score == 0


def test_a_tie_lets_a_search_wander():
    start, stays, wanders = (
        climb(HONEST, FLAT, "words", steps, ties=ties)
        for steps, ties in ((0, True), (20, False), (20, True))
    )
    assert start is not None and stays == start and wanders != start


def test_clauses_are_edited_into_what_is_usual():
    asked: list[str] = []

    def usual(text: str) -> float:
        asked.append(text)
        return float(len(text))

    found = climb(HONEST, FLAT, "clauses", 3, usual=usual)
    assert found is not None and len(asked) == 3 * 24
    start = climb(HONEST, FLAT, "clauses", 0)
    assert start is not None and len(found.text) < len(start.text)


def test_nothing_is_climbed_where_there_is_nothing_to_take():
    assert climb(Honest("a", "s", Case("a b c d e")), FLAT, "words", 1) is None
    few = Honest("a", "s", Case("A b c d e", (), ("one two",)))
    assert climb(few, FLAT, "mosaics", 1) is None


def test_the_table_counts_searches_that_got_there():
    found = study_climbs([HONEST, HONEST], [SCORER], 400)
    rows = {row["start"]: row for row in found.tables[0].rows}
    assert [*rows] == [*STARTS]
    assert {row["texts"] for row in rows.values()} == {1}
    assert rows["words"]["400 steps"] == 1.0 and rows["words"]["median of honest"] == 1.0
    low = Scorer("low", (), lambda texts, references, sources: [0.4] * len(texts))
    (row,) = study_climbs([HONEST], [low], 10, starts=["words"]).tables[0].rows
    assert row["texts"] == 0 and row["10 steps"] is None
