"""Agreement of judges: published figures, other formulas, enumeration, and odd data."""

from __future__ import annotations

import math
import tracemalloc
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval.meta import (
    Judgements,
    agreement,
    cohen_kappa,
    intraclass_correlations,
    judge_agreement,
    judge_pairs,
    krippendorff_alpha,
    split_half_reliability,
)
from summeval.meta.alpha import AlphaDraws
from summeval.meta.reliability import KINDS, IntraclassDraws, _whole

LEVELS = ["nominal", "ordinal", "interval", "ratio"]

# Shrout and Fleiss 1979, table 2: six targets, four judges.
RATINGS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)
_ = math.nan
# Krippendorff 2011, part C: four observers, twelve units.
FOUR = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


def as_table(ratings: Any) -> np.ndarray:
    """Ratings [judge, unit] as [judge, system, topic] of one topic."""
    return np.array(ratings, dtype=float)[:, :, None]


@pytest.fixture
def table() -> np.ndarray:
    """Judgements [judge, system, topic] from 1 to 5, a third of them missing."""
    draw = np.random.default_rng(4)
    true = draw.normal(size=(6, 7))
    found = np.clip(np.round(3 + true + draw.normal(size=(5, 6, 7))), 1, 5)
    found[draw.random(found.shape) < 0.33] = np.nan
    return found


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_takes_no_table_of_all_values(weights: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(0)
    peaks = []
    for size in (1500, 4000):
        first, second = draw.permutation(size), draw.permutation(size)
        tracemalloc.start()
        whole = cohen_kappa(first, second, weights)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]
    monkeypatch.setattr(agreement, "_DISTANCES", 100_000)
    assert cohen_kappa(first, second, weights) == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize(
    ("level", "expected"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_krippendorffs_example(level, expected):
    found = judge_agreement(Judgements.from_table(as_table(FOUR)), level)
    assert found.alpha.value == pytest.approx(expected, abs=5e-4)
    assert (found.judgements, found.judges, found.summaries, found.alone) == (41, 4, 12, 1)


def test_shrout_and_fleiss():
    found = intraclass_correlations(Judgements.from_table(as_table(RATINGS.T)))
    assert list(found) == list(KINDS)
    wanted = [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    assert list(found.values()) == pytest.approx(wanted, abs=5e-3)


def test_cohens_kappa():
    # Hand-worked: 35 of 50 agree, by chance .5 * .6 + .5 * .4.
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa([1, 2, 3], [1, 2, 3]) == 1
    assert math.isnan(cohen_kappa([1, 1], [1, 1]))
    assert math.isnan(cohen_kappa([1, None], [math.nan, 2]))
    # Hand-worked: distances 0 0 1 2, by chance 16 over all 16 pairs.
    assert cohen_kappa([1, 2, 2, 4], [1, 2, 3, 2], "linear") == pytest.approx(1 - 0.75 / 1)
    with pytest.raises(ValueError, match="texts have no distance"):
        cohen_kappa("ab", "ab", "linear")
    with pytest.raises(ValueError, match="weights"):
        cohen_kappa([1, 2], [1, 2], "cubic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one judges 1 items and the other 2"):
        cohen_kappa([1], [1, 2])


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_kappa_is_its_definition(pairs):
    first, second = zip(*pairs, strict=True)
    for weights, power in (("none", 0), ("linear", 1), ("quadratic", 2)):

        def differ(x, y, power=power):
            return abs(x - y) ** power if power else float(x != y)

        seen = np.mean([differ(x, y) for x, y in pairs])
        chance = np.mean([differ(x, y) for x in first for y in second])
        wanted = 1 - seen / chance if chance else math.nan
        found = cohen_kappa(first, second, weights)
        assert found == pytest.approx(wanted, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
def test_pairs_are_those_of_single_formulas(table, level):
    given_ = Judgements.from_table(table)
    found = judge_pairs(given_, level)
    assert found.possible == 10
    assert len(found.cells) == 10
    for place in range(10):
        x, y = (table[side[place]].ravel() for side in (found.first, found.second))
        both = ~np.isnan(x) & ~np.isnan(y)
        x, y = x[both], y[both]
        assert found.cells[place] == both.sum()
        assert found.same[place] == pytest.approx((x == y).mean())
        assert found.kappa[place] == pytest.approx(cohen_kappa(x, y))
        if level == "nominal":
            assert math.isnan(found.weighted[place])
            assert math.isnan(found.correlation[place])
            continue
        assert found.weighted[place] == pytest.approx(cohen_kappa(x, y, "quadratic"))
        if level == "ordinal":
            x, y = ([np.sum(z < one) + np.sum(z <= one) for one in z] for z in (x, y))
        assert found.correlation[place] == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_pairs_in_blocks_are_the_same(table, monkeypatch):
    from summeval.meta import agreement

    given_ = Judgements.from_table(table)
    whole = judge_pairs(given_)
    monkeypatch.setattr(agreement, "_PAIRS", 20)
    monkeypatch.setattr(agreement, "_MOST", 24)
    parts = judge_pairs(given_)
    for name in ("first", "second", "cells", "same", "weighted", "correlation"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name


def test_the_mean_of_pairs_counts_their_summaries():
    few = [[[1], [1], [_]], [[1], [2], [3]], [[_], [2], [3]]]
    found = judge_pairs(Judgements.from_table(few))
    assert found.cells.tolist() == [2, 1, 2]
    assert found.mean("same") == pytest.approx((0.5 * 2 + 0 * 1 + 1 * 2) / 5)


def units(table: np.ndarray) -> list[list[float]]:
    """The ratings [judge][unit]."""
    return [list(judge.ravel()) for judge in table]


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_draws_is_alpha_of_repeated_topics(table, level):
    draws = AlphaDraws(Judgements.from_table(table), level)
    for places in ([0, 1, 2, 3, 4, 5, 6], [0, 0, 2, 5, 5, 5, 6], [3]):
        drawn = np.bincount(places, minlength=7)[None]
        wanted = krippendorff_alpha(units(table[:, :, places]), level)
        assert draws.values(drawn)[0] == pytest.approx(wanted)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_without_a_judge(table, level):
    found = AlphaDraws(Judgements.from_table(table), level).without_judges()
    wanted = [krippendorff_alpha(units(np.delete(table, judge, 0)), level) for judge in range(5)]
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize("level", ["interval", "ordinal"])
def test_many_different_values(table, level, monkeypatch):
    from summeval.meta import alpha

    given_ = Judgements.from_table(table)
    few = AlphaDraws(given_, level)
    monkeypatch.setattr(alpha, "MOST_KEPT", 2)
    many = AlphaDraws(given_, level)
    assert not many.coincident
    whole = np.ones((1, 7))
    assert many.values(whole) == pytest.approx(few.values(whole))
    if level == "interval":  # the ranks stay those of all
        drawn = np.array([[2, 0, 1, 0, 0, 3, 1]])
        assert many.values(drawn) == pytest.approx(few.values(drawn))
        assert many.without_judges() == pytest.approx(few.without_judges())
    other = AlphaDraws(given_, "nominal")
    assert np.isnan(other.values(whole)).all()
    assert np.isnan(other.without_judges()).all()


def test_intraclass_of_draws_are_those_of_repeated_topics(table):
    whole = np.nan_to_num(table, nan=3.0)
    for given_ in (whole, table):
        draws = IntraclassDraws(Judgements.from_table(given_))
        places = [0, 0, 2, 5, 5, 5, 6]
        again = intraclass_correlations(Judgements.from_table(given_[:, :, places]))
        found = draws.values(np.bincount(places, minlength=7)[None])[0]
        assert found == pytest.approx(list(again.values()), nan_ok=True)


def test_one_way_of_unequal_numbers_of_judges():
    # By hand: units (1 2), (4 4 5), (2 3): means, squares and k0 of the analysis of variance.
    ratings = [[[1], [4], [2]], [[2], [4], [3]], [[_], [5], [_]]]
    groups = [[1, 2], [4, 4, 5], [2, 3]]
    flat = np.concatenate(groups)
    between = sum(len(g) * (np.mean(g) - flat.mean()) ** 2 for g in groups) / 2
    within = sum(((np.array(g) - np.mean(g)) ** 2).sum() for g in groups) / 4
    k0 = (7 - 17 / 7) / 2
    found = intraclass_correlations(Judgements.from_table(ratings))
    wanted = (between - within) / (between + (k0 - 1) * within)
    assert found["ICC(1,1)"] == pytest.approx(wanted)
    assert found["ICC(1,k)"] == pytest.approx((between - within) / between)


def test_judges_who_only_disagree_have_a_negative_coefficient():
    found = intraclass_correlations(Judgements.from_table([[[1], [2]], [[2], [1]]]))
    assert found["ICC(1,1)"] == pytest.approx(-1.0)  # no variance between, .5 within


def test_two_way_counts_only_summaries_that_all_judges_judged(table):
    whole = ~np.isnan(table).any(axis=0)
    kept = np.where(whole, table, np.nan)
    some, all_ = (intraclass_correlations(Judgements.from_table(x)) for x in (kept, table))
    for kind in ("ICC(2,1)", "ICC(3,1)", "ICC(2,k)", "ICC(3,k)"):
        assert some[kind] == pytest.approx(all_[kind])


def test_split_halves_of_crossed_judges_are_all_splits():
    draw = np.random.default_rng(0)
    ratings = draw.normal(size=(8, 5)) + draw.normal(size=(4, 8, 5))
    found = split_half_reliability(Judgements.from_table(ratings), "global")
    halves = []
    for own in combinations(range(4), 2):
        if 0 in own:
            one, other = (ratings[list(x)].mean(0).ravel() for x in (own, {0, 1, 2, 3} - {*own}))
            halves.append(np.corrcoef(one, other)[0, 1])
    half = np.mean(halves)
    assert found == pytest.approx(2 * half / (1 + half))


def test_as_many_splits_as_there_are_are_all_of_them():
    ratings = np.random.default_rng(3).normal(size=(4, 6, 5))
    given_ = Judgements.from_table(ratings)
    every = split_half_reliability(given_, "global", splits=1000)
    assert split_half_reliability(given_, "global", splits=3) == every  # 6 halves, 2 a split
    assert split_half_reliability(given_, "global", splits=2) != every


def test_halves_of_unequal_size():
    # A judge has the reliability 1/2: one and two judges correlate by the root of 1/2 * 2/3.
    assert _whole(math.sqrt(1 / 3), 3) == pytest.approx(3 / 4)
    assert _whole(0.5, 2) == pytest.approx(2 / 3)
    assert _whole(1.0, 3) == 1
    assert _whole(-0.2, 2) == pytest.approx(-0.5)


@pytest.mark.parametrize("level", ["summary", "system", "global"])
def test_split_halves_find_the_reliability(level):
    draw = np.random.default_rng(1)
    systems, topics = (300, 4) if level == "system" else (40, 60)
    true = draw.normal(size=(systems, topics))
    table = true + draw.normal(size=(5, systems, topics))
    wanted = 5 / 6
    for named in (True, False):
        given_ = Judgements.from_table(table)
        if not named:
            names = given_.systems, given_.topics, ()
            places = given_.system, given_.topic, given_.judge
            given_ = Judgements.of(names, places, given_.values)
        found = split_half_reliability(given_, level, splits=30)
        assert found == pytest.approx(wanted, abs=0.03)


def test_rows_of_judges(table):
    given_ = Judgements.from_table(table, judges=["b", "a", "c", "e", "d"])
    found = judge_agreement(given_, resamples=0)
    assert [row.judge for row in found.rows] == ["a", "b", "c", "d", "e"]
    row = found.rows[0]
    own, others = table[1], np.nanmean(np.delete(table, 1, 0), axis=0)
    both = ~np.isnan(own) & ~np.isnan(others)
    assert row.judgements == (~np.isnan(own)).sum()
    assert row.shared == both.sum()
    assert row.difference == pytest.approx((own - others)[both].mean())
    assert row.correlation == pytest.approx(np.corrcoef(own[both], others[both])[0, 1])
    same = [(own == x)[~np.isnan(own) & ~np.isnan(x)] for x in np.delete(table, 1, 0)]
    assert row.same == pytest.approx(np.concatenate(same).mean())


def test_a_judge_who_guesses_stands_apart():
    draw = np.random.default_rng(6)
    true = draw.normal(size=(6, 30))
    table = true + 0.5 * draw.normal(size=(4, 6, 30))
    names = ["Ann", "Ben", "Carla", "Dan"]
    assert judge_agreement(Judgements.from_table(table, judges=names)).apart == ""
    table[2] = draw.normal(size=(6, 30))
    found = judge_agreement(Judgements.from_table(table, judges=names))
    assert found.apart == "Carla"
    assert judge_agreement(Judgements.from_table(table, judges=names), resamples=0).apart == ""


def test_intervals_hold_the_values(table):
    found = judge_agreement(Judgements.from_table(table), seed=5)
    assert found.alpha.lower < found.alpha.value < found.alpha.upper
    for kind in ("ICC(1,1)", "ICC(1,k)"):
        one = found.intraclass[kind]
        assert one.lower < one.value < one.upper
    again = judge_agreement(Judgements.from_table(table), seed=5)
    assert found.alpha == again.alpha
    assert math.isnan(judge_agreement(Judgements.from_table(table), resamples=0).alpha.lower)


def test_texts_only_differ():
    rows = [
        {"system": f"s{n}", "topic": "t", "judge": judge, "x": text}
        for judge, texts in {"ben": "aabbdcccedda", "gerry": "babbbccceddd"}.items()
        for n, text in enumerate(texts)
    ]
    given_ = Judgements.from_rows(rows, "x", labels=True)
    found = judge_agreement(given_)
    assert found.level == "nominal"
    assert found.alpha.value == pytest.approx(0.692, abs=5e-4)  # Krippendorff 2011, part B
    assert (found.intraclass, found.reliabilities) == ({}, {})
    for level in LEVELS[1:]:
        with pytest.raises(ValueError, match="the judgements are texts such as 'a', 'b', 'd'; use"):
            judge_agreement(given_, level)
    with pytest.raises(ValueError, match="intraclass correlations need numbers"):
        intraclass_correlations(given_)
    with pytest.raises(ValueError, match="reliability needs numbers"):
        split_half_reliability(given_)
    with pytest.raises(ValueError, match="row 1: 'x' is 'a', not a finite number"):
        Judgements.from_rows(rows, "x")
    with pytest.raises(ValueError, match="judge 'ben' labels system 's0' on topic 't' more than"):
        Judgements.from_rows([*rows, rows[0]], "x", labels=True)


@pytest.mark.parametrize(
    ("ratings", "note"),
    [
        ([[[1], [2]]], "one judge, '0': agreement needs two"),
        ([[[1], [2]]], "no summary has two judgements, so their reliability is unknown"),
        ([[[3], [3]], [[3], [3]]], "all judgements are equal, so alpha is undefined"),
        ([[[1], [_]], [[_], [2]]], "1 of 1 pairs of judges have no summary in common"),
        ([[[1], [2]], [[_], [3]]], "1 of 2 summaries have one judgement: alpha omits them"),
        ([[[1], [2], [_]], [[1], [3], [2]], [[_], [_], [3]]], "no summary is judged by all judges"),
        ([[[n % 3] for n in range(20)]] * 2, "judges '0' and '1' say the same of all 20 summaries"),
    ],
)
def test_notes(ratings, note):
    notes = judge_agreement(Judgements.from_table(ratings)).notes
    assert any(one.startswith(note) for one in notes), notes


def test_judges_without_names(table):
    rows = [{"system": s, "topic": t, "x": table[j, s, t]} for j, s, t in np.ndindex(*table.shape)]
    given_ = Judgements.from_rows(rows, "x", judge=None)
    found = judge_agreement(given_)
    assert found.alpha.value == pytest.approx(krippendorff_alpha(units(table), "interval"))
    assert (found.judges, found.rows) == (0, ())
    assert "the judges have no names" in found.notes[-1]
    assert math.isnan(found.pairs.mean("same"))


def test_order_of_rows_does_not_matter(table):
    rows = [
        {"system": s, "topic": t, "judge": j, "x": table[j, s, t]}
        for j, s, t in np.ndindex(*table.shape)
    ]
    turned = judge_agreement(Judgements.from_rows(rows[::-1], "x"), resamples=0)
    found = judge_agreement(Judgements.from_rows(rows, "x"), resamples=0)
    assert turned.alpha.value == pytest.approx(found.alpha.value, abs=1e-12)
    assert turned.pairs.mean("kappa") == pytest.approx(found.pairs.mean("kappa"))
    for kind, one in found.intraclass.items():
        assert turned.intraclass[kind].value == pytest.approx(one.value, nan_ok=True)


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([[1, 2]], r"the shape \(1, 2\); give \[judge, system, topic\]"),
        ([[[math.inf]]], "a rating is infinite"),
        ([[[math.nan]]], "no rating is a number"),
    ],
)
def test_bad_tables(ratings, message):
    with pytest.raises(ValueError, match=message):
        Judgements.from_table(ratings)
    with pytest.raises(ValueError, match="there are 3 judges; give 1 as in ratings"):
        Judgements.from_table([[[1]]], judges=["a", "b", "c"])


def test_choosing_is_by_name(table):
    given_ = Judgements.from_table(table)
    found = given_.choose(systems=["4", "0"], topics=["6"])
    assert np.array_equal(found.means, given_.means[[4, 0]][:, [6]], equal_nan=True)
    with pytest.raises(ValueError, match="unknown system 'x'"):
        given_.choose(systems=["x"])
