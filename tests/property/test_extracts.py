"""Properties of the selection under a budget, and of P over whole utterances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval.metrics.pyramid import PositionPyramid, select
from summeval.metrics.pyramid.extract_documents import Document
from summeval.metrics.pyramid.extract_features import features_of, links_of, terms_of
from summeval.metrics.pyramid.ranker import (
    left_out_mean,
    people_mean,
    share_of_best,
    within_budget,
)
from summeval.text import tokens
from summeval.text.tokenizers import tokens_of_all

TEXTS = st.lists(st.text("ab >?.\nÉ\ud800", max_size=12), max_size=9)


@given(st.lists(st.text(max_size=9), max_size=6))
def test_the_tokens_of_all_texts_are_those_of_each(texts: list[str]) -> None:
    found, counts = tokens_of_all(texts)
    each = [tokens(text) for text in texts]
    assert [word.decode() for word in found] == [word for words in each for word in words]
    assert counts == [len(words) for words in each]


@given(st.data())
def test_a_selection_is_the_longest_start_of_the_ranking_that_fits(data: st.DataObject) -> None:
    texts = [" ".join("a" * n) for n in data.draw(st.lists(st.integers(0, 4), max_size=8))]
    scores = data.draw(st.lists(st.integers(-2, 2), min_size=len(texts), max_size=len(texts)))
    budget = data.draw(st.integers(0, 20))
    found = select(texts, scores, budget)
    assert found == sorted(set(found))
    ranking = sorted(range(len(texts)), key=lambda n: (-scores[n], n))
    assert sorted(ranking[: len(found)]) == found
    assert sum(len(tokens(texts[n])) for n in found) <= budget
    if len(found) < len(texts):
        one_more = ranking[: len(found) + 1]
        assert sum(len(tokens(texts[n])) for n in one_more) > budget


@given(st.data())
def test_p_is_that_of_the_position_pyramid(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=7))
    masks = st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes))
    chosen = data.draw(masks)
    people = data.draw(st.lists(masks, min_size=2, max_size=4))
    ends = np.cumsum([0, *sizes]).tolist()
    places = [list(range(*ends[n : n + 2])) for n in range(len(sizes))]

    def units(mask: list[bool]) -> list[int]:
        return [one for n, kept in enumerate(mask) if kept for one in places[n]]

    models = [units(mask) for mask in people]
    metric = PositionPyramid()
    arrays = np.array(sizes), np.array(chosen), np.array(people, dtype=int)
    assert share_of_best(*arrays) == metric.score_units(units(chosen), models).P
    found = metric.leave_one_out(models, units(chosen))
    assert left_out_mean(*arrays) == pytest.approx(found.peer_mean)
    assert people_mean(arrays[0], arrays[2]) == pytest.approx(found.human_mean)


@given(st.data())
def test_the_most_selected_utterances_are_the_optimal_summary(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=7))
    masks = st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes))
    people = data.draw(st.lists(masks, min_size=1, max_size=4))
    budget = data.draw(st.integers(0, 20))
    ends = np.cumsum([0, *sizes]).tolist()
    places = [list(range(*ends[n : n + 2])) for n in range(len(sizes))]
    models = [[n for n, kept in enumerate(mask) if kept] for mask in people]
    best = PositionPyramid().optimal(places, models, budget)
    found = within_budget(np.array(sizes), np.array(people).sum(axis=0).astype(float), budget)
    assert found.tolist() == sorted(best.selected)


@given(TEXTS.filter(bool))
def test_features_are_finite_and_links_go_back_of_any_text(texts: list[str]) -> None:
    document = Document(tuple(texts))
    terms = terms_of(texts)
    assert np.isfinite(features_of(document, terms)).all()
    found = links_of(document, terms).tolist()
    assert all(0 <= end < begin < len(texts) for begin, end in found)
    assert len({begin for begin, _ in found}) == len(found)
