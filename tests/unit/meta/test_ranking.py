"""Ranking of systems: p-values against enumeration, and what is said of data that has gaps."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.stats
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import ROOT

import summeval
from summeval.meta import rank, resampling
from summeval.meta import ranking as outputs
from summeval.meta.ranking import rows_needed
from summeval.meta.resampling import drawn_sums, enumerated_sums, fixed, swapped_sums
from summeval.metrics.run.corpus import Means
from summeval.table.cells import Rows, find, name_of, number_of

CASES = ROOT / "tests" / "cases" / "rank.json"
SYSTEMS = ["a"] * 4 + ["b"] * 4
TOPICS = ["1", "2", "3", "4"] * 2
SCORES = [0.5, 0.7, 0.9, 0.4, 0.3, 0.6, 0.95, 0.1]


def enumerated(differences: list[int]) -> Fraction:
    """The p-value of the randomisation test by its definition."""
    sums = [0]
    for value in differences:
        sums = [total + signed for total in sums for signed in (value, -value)]
    return Fraction(sum(abs(total) >= abs(sum(differences)) for total in sums), len(sums))


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=8))
def test_a_p_value_of_few_rows_is_that_of_all_swaps(pairs: list[tuple[int, int]]) -> None:
    # Sevenths are no binary fractions, and their sums tie often.
    scores = [first / 7 + 1000 for first, _ in pairs] + [second / 7 + 1000 for _, second in pairs]
    found = rank({"x": scores}, ["a"] * len(pairs) + ["b"] * len(pairs), resamples=256)["x"]
    expected = enumerated([first - second for first, second in pairs])
    assert found.exact[0, 1]
    assert found.pvalues[0, 1] == found.pvalues[1, 0] == float(expected)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=9, max_size=10))
def test_a_p_value_of_draws_is_near_that_of_all_swaps(pairs: list[tuple[int, int]]) -> None:
    differences = [first - second for first, second in pairs]
    scores = [first / 7 for first, _ in pairs] + [second / 7 for _, second in pairs]
    found = rank({"x": scores}, ["a"] * len(pairs) + ["b"] * len(pairs), resamples=500)["x"]
    if not found.exact[0, 1]:  # else the rows that differ are few
        expected = float(enumerated(differences))
        reach = 4.5 * np.sqrt(expected * (1 - expected) / 500) + 2 / 501
        assert abs(found.pvalues[0, 1] - expected) <= reach


def test_means_intervals_and_counts() -> None:
    found = rank({"x": SCORES}, SYSTEMS, TOPICS, resamples=2000)
    one = found["x"]
    assert found.systems == ("a", "b")
    assert found.means["x"].tolist() == pytest.approx([0.625, 0.4875], abs=1e-15)
    assert (found.intervals["x"][:, 0] < found.means["x"]).all()
    assert (found.means["x"] < found.intervals["x"][:, 1]).all()
    assert one.differences[0, 1] == -one.differences[1, 0] == pytest.approx(0.1375, abs=1e-15)
    assert one.wins.tolist() == [[0, 3], [1, 0]]
    assert one.superiority.tolist()[0][1] == 0.75
    values = np.subtract(SCORES[:4], SCORES[4:])
    assert one.effects[0, 1] == pytest.approx(values.mean() / values.std(ddof=1), abs=1e-14)
    assert one.needed[0, 1] == rows_needed(one.effects[0, 1])


def test_a_system_alone_or_without_a_mean_has_no_mark() -> None:
    alone = rank({"x": [1.0, 2.0]}, ["a", "a"])
    assert alone.mark(alone["x"], 0) == ""
    found = rank({"x": [1.0, 2.0, np.nan, np.nan]}, ["a", "a", "b", "b"])
    assert found.mark(found["x"], found.systems.index("b")) == ""


def test_lower_is_better_turns_order_wins_and_effects() -> None:
    up = rank({"x": SCORES}, SYSTEMS, TOPICS)["x"]
    down = rank({"x": SCORES}, SYSTEMS, TOPICS, higher_is_better=False)["x"]
    assert (up.order.tolist(), down.order.tolist()) == ([0, 1], [1, 0])
    assert np.array_equal(up.wins, down.wins.T)
    assert up.effects[0, 1] == -down.effects[0, 1]
    assert up.pvalues[0, 1] == down.pvalues[0, 1]
    assert np.array_equal(up.means, down.means)


def test_the_baseline_alone_is_compared() -> None:
    draw = np.random.default_rng(1)
    scores = np.concatenate([draw.random(30) + level for level in (0.0, 0.9, 0.0, -0.9)])
    systems = np.repeat(["base", "good", "same", "bad"], 30)
    all_pairs = rank({"x": scores}, systems)["x"]
    found = rank({"x": scores}, systems, baseline="base")
    one = found["x"]
    assert np.isnan(one.pvalues[1, 2])
    assert np.array_equal(one.pvalues[0, 1:], all_pairs.pvalues[0, 1:])
    assert (one.corrected[0, 1:] <= all_pairs.corrected[0, 1:]).all()
    assert one.clusters.tolist() == [2, 1, 2, 3]
    assert {row["system"]: row["other"] for row in found.to_rows()} == {
        "base": None,
        "good": "base",
        "same": "base",
        "bad": "base",
    }
    assert len(found.to_pairs()) == 3
    with pytest.raises(ValueError, match="baseline: unknown system 'bse'"):
        rank({"x": scores}, systems, baseline="bse")


def test_more_rows_need_no_more_precision() -> None:
    # 3,000 rows whose differences are equal up to rounding: each draw ties with the data only if
    # all its signs are alike, whatever the rounding of the scores.
    draw = np.random.default_rng(0)
    topics = draw.integers(0, 1000, 3000) / 1000
    found = rank({"x": np.concatenate([topics + 0.1, topics])}, ["a"] * 3000 + ["b"] * 3000)["x"]
    assert found.pvalues[0, 1] == 1 / 1001
    assert found.effects[0, 1] == np.inf
    assert (found.needed[0, 1], found.wins[0, 1]) == (2, 3000)


def test_ties_up_to_rounding_count() -> None:
    # ± .1 in each row: the sums of the draws are multiples of .2, and many equal that of the data.
    signs = np.array([1] * 10 + [-1] * 5)
    scores = np.concatenate([0.3 + 0.1 * (signs > 0), 0.3 + 0.1 * (signs < 0)])
    found = rank({"x": scores}, ["a"] * 15 + ["b"] * 15, resamples=10000)["x"]
    exact = float(enumerated(signs.tolist()))
    equal = 2 * 3003 / 2**15  # of the draws
    assert not found.exact[0, 1]
    assert abs(found.pvalues[0, 1] - exact) < 0.02 < equal


@settings(max_examples=40)
@given(st.integers(1, 300), st.integers(0, 5), st.integers(1, 9))
def test_sums_are_exact(rows: int, seed: int, resamples: int) -> None:
    units = fixed(np.random.default_rng(seed).normal(size=(3, rows))).units
    for summed in (swapped_sums, drawn_sums):
        found = summed(units.T, resamples, seed)
        plain = summed(np.eye(rows), resamples, seed)  # the weight of each row in each draw
        weights = [[int(one) for one in draw] for draw in plain]
        whole = [[int(one) for one in system] for system in units]
        for place, draw in enumerate(weights):
            expected = [sum(w * u for w, u in zip(draw, s, strict=True)) for s in whole]
            assert found[place].tolist() == expected
        assert summed(units.T, 1, seed).tolist() == found[:1].tolist()
        if summed is swapped_sums:
            assert {abs(weight) for draw in weights for weight in draw} == {1}
        else:
            assert {sum(draw) for draw in weights} == {rows}


def test_tiles_cover_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, draws = 300, 200
    whole = {summed: summed(np.eye(rows), draws, 0) for summed in (swapped_sums, drawn_sums)}
    monkeypatch.setattr(resampling, "_TILE", 64)
    monkeypatch.setattr(resampling, "_MOST_NUMBERS", 1000)
    assert np.array_equal(swapped_sums(np.eye(rows), draws, 0), whole[swapped_sums])
    for counts in (drawn_sums(np.eye(rows), draws, 0), whole[drawn_sums]):
        assert (counts.sum(axis=1) == rows).all()
        assert (np.abs(counts.mean(axis=0) - 1) < 5 / np.sqrt(draws)).all()  # each row alike
        # The shares of rows that are drawn never, once and twice; and rows are independent.
        shares = [(counts == times).mean() for times in range(3)]
        assert shares == pytest.approx([0.368, 0.368, 0.184], abs=0.01)
        halves = counts[:, :150].sum(axis=1)
        assert halves.std() == pytest.approx(np.sqrt(300 / 4), rel=0.2)


def test_all_signs_are_enumerated_once() -> None:
    found = np.abs(enumerated_sums(np.array([1.0, 2.0, 4.0, 8.0])))
    assert sorted(found) == [1, 3, 5, 7, 9, 11, 13, 15]


@pytest.mark.parametrize("case", json.loads(CASES.read_text())["cases"])
def test_p_values_beside_those_of_sacrebleu(case: dict) -> None:
    names = list(case["scores"])
    rows = len(case["scores"]["base"])
    scores = np.array(list(case["scores"].values()))
    draws = case["draws"]
    found = rank({"x": scores.ravel()}, np.repeat(names, rows), baseline="base", resamples=draws)
    one = found["x"]
    for place, name in enumerate(names[1:], 1):
        theirs, own = case["ar"][name], one.pvalues[place, 0]
        if name == "same":  # they do not count ties with the data, so they find a difference
            assert (theirs, own, one.bootstrap[place, 0]) == (1 / (draws + 1), 1.0, 1.0)
            continue
        if rows == 12:  # scores of one digit: ties
            units = np.rint(10 * (scores[place] - scores[0])).astype(int).tolist()
            assert own == float(enumerated(units))
            # They count what rounding puts above the data, of the sums that are equal.
            further = np.abs(enumerated_sums(np.array(units, dtype=float))) > abs(sum(units))
            assert further.mean() - 0.025 < theirs < own + 0.025
            continue
        reach = 4 * np.sqrt(2 * own * (1 - own) / draws) + 2 / draws
        assert abs(own - theirs) < reach, name
        # They count one tail of the bootstrap, of differences without their signs.
        if one.corrected[place, 0] < 0.1:
            half = one.bootstrap[place, 0] / 2
            reach = 4 * np.sqrt(2 * half / draws) + 2 / draws
            assert abs(half - case["bs"][name]) < reach, name


def of_student(values: np.ndarray) -> tuple[float, float]:
    spread = scipy.stats.sem(values)
    found: tuple[float, float] = scipy.stats.t.interval(
        0.95, len(values) - 1, values.mean(), spread
    )
    return found


@pytest.mark.parametrize("gaps", [False, True])
def test_intervals_and_the_bootstrap_are_those_of_their_definitions(gaps: bool) -> None:
    draw = np.random.default_rng(8)
    scores = draw.random((3, 25)) + 0.1 * np.arange(3)[:, None]
    if gaps:
        scores[0, 3:7] = scores[2, 5] = np.nan
    weights = drawn_sums(np.eye(25), 400, 0)  # how often each row is drawn
    one = rank({"x": scores.ravel()}, np.repeat(list("abc"), 25), resamples=400)["x"]
    present = ~np.isnan(scores)
    filled = np.where(present, scores, 0.0)
    for i in range(3):
        assert one.intervals[i] == pytest.approx(of_student(scores[i][present[i]]), abs=1e-12)
        for j in range(3):
            if i == j:
                continue
            both = present[i] & present[j]
            apart = np.where(both, filled[i] - filled[j], 0.0)
            drawn = weights @ apart / (weights @ both)
            mean = apart.sum() / both.sum()
            further = np.abs(drawn - mean) >= abs(mean)
            assert one.bootstrap[i, j] == (1 + further.sum()) / 401
            assert one.bounds[i, j] == pytest.approx(of_student(apart[both]), abs=1e-12)
    assert one.bootstrap[0, 1] > 0.02  # so that both tails have draws


def test_rows_that_rounding_parts_are_tied() -> None:
    scores = np.array([0.1, 0.5, 0.9, 0.3])
    for shift in (2e-15, -2e-15):
        found = rank({"x": [*scores, *(scores + shift)]}, SYSTEMS)["x"]
        assert found.wins.tolist() == [[0, 0], [0, 0]]
        assert (found.pvalues[0, 1], found.effects[0, 1]) == (1.0, 0.0)


def test_missing_values_and_rows_are_left_out_pairwise() -> None:
    draw = np.random.default_rng(2)
    topics = draw.random(50)
    full = {name: topics + 0.2 * draw.random(50) for name in "abc"}
    full["b"][:5] = np.nan
    table = {"x": np.concatenate([full["a"], full["b"], full["c"][:40]])}
    names = ["a"] * 50 + ["b"] * 50 + ["c"] * 40
    ids = [*map(str, range(50)), *map(str, range(50)), *map(str, range(40))]
    found = rank(table, names, ids)
    one = found["x"]
    assert one.shared.tolist() == [[0, 45, 40], [45, 0, 35], [40, 35, 0]]
    assert one.rows.tolist() == [50, 45, 40]
    for i, j, kept in ((0, 1, range(5, 50)), (1, 2, range(5, 40))):
        first, second = (full["abc"[k]][list(kept)] for k in (i, j))
        assert one.differences[i, j] == pytest.approx((first - second).mean(), abs=1e-14)
        alone = rank({"x": [*first, *second]}, [0] * len(kept) + [1] * len(kept))["x"]
        assert one.effects[i, j] == pytest.approx(alone.effects[0, 1], abs=1e-12)
        assert one.pvalues[i, j] == pytest.approx(alone.pvalues[0, 1], abs=0.07)
        assert one.bounds[i, j] == pytest.approx(alone.bounds[0, 1], abs=0.02)
        assert one.bootstrap[i, j] == pytest.approx(alone.bootstrap[0, 1], abs=0.07)
    assert found.notes[0] == "x: 5 of 140 rows have no value"
    assert "cells have no row" in found.notes[1]


def test_a_pair_is_tested_alike_with_and_without_gaps_elsewhere() -> None:
    # The sums are exact, so the columns of systems and those of differences give the same.
    draw = np.random.default_rng(3)
    scores = draw.random((3, 64))
    with_gap = scores.copy()
    with_gap[2, 7] = np.nan
    plain, gap = (
        rank({"x": one.ravel()}, np.repeat(list("abc"), 64))["x"] for one in (scores, with_gap)
    )
    for name in ("pvalues", "bootstrap", "differences", "bounds"):
        assert getattr(plain, name)[0, 1].tolist() == getattr(gap, name)[0, 1].tolist()


def test_no_result_depends_on_the_order_of_rows() -> None:
    draw = np.random.default_rng(4)
    names, ids = np.repeat(list("abcd"), 30), np.tile(np.arange(30) % 25, 4)  # some repeated
    scores = draw.random(120)
    order = draw.permutation(120)
    for samples in ("mean", "draw"):
        first = rank({"x": scores}, names, ids, samples=samples)["x"]
        # Rows of one cell keep their order: `draw` takes the first or second of them.
        kept = order if samples == "mean" else np.argsort(-(np.arange(120) // 30), kind="stable")
        second = rank({"x": scores[kept]}, names[kept], ids[kept], samples=samples)["x"]
        places = [second.systems.index(name) for name in first.systems]
        assert np.array_equal(first.means, second.means[places])
        assert np.array_equal(first.intervals, second.intervals[places])
        mixed = second.pvalues[np.ix_(places, places)]
        assert np.array_equal(first.pvalues, mixed, equal_nan=True)


def test_the_mean_of_outputs_does_not_depend_on_their_order() -> None:
    # (0.1 + 0.2) + 0.3 and 0.1 + (0.2 + 0.3) differ in the last digit.
    rows = [([0.1, 0.2, 0.3], "a"), ([0.3, 0.2, 0.1], "b"), ([0.2, 0.3, 0.1], "c")]
    table = {"x": [score for scores, _ in rows for score in scores]}
    names = [name for scores, name in rows for _ in scores]
    found = rank(table, names, ["t"] * 9)
    assert len(set(found.means["x"].tolist())) == 1


def test_names_are_sorted_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    # So that Ctrl-C is seen between the pieces of many names.
    names = [str(number * 7919 % 1009) for number in range(1009)]
    monkeypatch.setattr(outputs, "_PIECE", 100)
    assert outputs._sorted(names) == sorted(names)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["a", "", 3, 3.0, 2.5, True, None, float("nan"), [1]])))
def test_a_column_is_read_as_its_cells_are(values: list[Any]) -> None:
    def told(read: Any) -> Any:
        try:
            return read()
        except ValueError as error:
            return str(error)

    def of_each(cell: Any) -> list[Any]:
        return [cell(row, n) for n, row in enumerate(rows, 1)]

    rows = [{"x": {"y": value}} if value == 2.5 else {"x.y": value} for value in values]
    assert told(lambda: Rows(rows).name("x.y")) == told(
        lambda: of_each(lambda row, n: name_of(row, "x.y", f"row {n}"))
    )
    one = told(lambda: Rows(rows).number("x.y"))
    each = told(lambda: of_each(lambda row, n: number_of(find(row, "x.y")[1], "x.y", f"row {n}")))
    assert one == each if isinstance(each, str) else np.array_equal(one, each, equal_nan=True)


def test_columns_that_name_rows_are_no_metrics() -> None:
    table = {"id": range(8), "topic": [1, 2, 3, 4] * 2, "system": [0] * 8, "x": SCORES}
    assert rank(table, SYSTEMS).metrics == ("x",)
    assert rank(table, SYSTEMS, metrics=["id"]).metrics == ("id",)


def test_several_outputs_of_a_system_for_a_topic() -> None:
    table = {"x": [1.0, 2.0, 6.0, 5.0]}
    means = {}
    for samples in ("mean", "first", "draw"):
        found = rank(table, ["a", "a", "a", "b"], ["t"] * 4, samples=samples)
        assert found.notes[0].startswith("1 of 2 pairs of a system and a topic have several rows")
        means[samples] = found.means["x"].tolist()
    assert (means["mean"], means["first"]) == ([3.0, 5.0], [1.0, 5.0])
    drawn = {
        rank(table, ["a", "a", "a", "b"], ["t"] * 4, samples="draw", seed=seed).means["x"][0]
        for seed in range(20)
    }
    assert drawn == {1.0, 2.0, 6.0}


def test_one_system_one_row_and_constant_columns() -> None:
    alone = rank({"x": SCORES[:4]}, SYSTEMS[:4])
    assert alone.notes == ["one system (a): intervals only, with no other to compare it with"]
    assert alone.clusters["x"].tolist() == [1]
    assert np.isfinite(alone.intervals["x"]).all()
    single = rank({"x": [0.5, 0.25]}, ["a", "b"])
    assert single["x"].pvalues[0, 1] == 1.0
    assert np.isnan(single.intervals["x"]).all()
    assert "x: one row of a, b; no interval" in single.notes
    constant = rank({"x": [0.1] * 8}, SYSTEMS)["x"]
    assert (constant.pvalues[0, 1], constant.bootstrap[0, 1]) == (1.0, 1.0)
    assert (constant.effects[0, 1], constant.needed[0, 1]) == (0.0, np.inf)
    assert constant.intervals.tolist() == [[0.1, 0.1]] * 2
    assert constant.clusters.tolist() == [1, 1]
    assert rank({"x": [np.nan] * 8}, SYSTEMS).means["x"].tolist() == pytest.approx(
        [np.nan] * 2, nan_ok=True
    )


def test_equal_systems_are_in_the_order_of_their_names() -> None:
    found = rank({"x": [0.5, 0.25, 0.25, 0.5]}, ["b", "b", "a", "a"])
    assert [row["system"] for row in found.to_rows()] == ["a", "b"]


def test_systems_without_a_common_topic() -> None:
    found = rank({"x": SCORES}, SYSTEMS, list("12345678"))
    assert np.isnan(found.pvalues["x"]).all()
    assert "x: a and b share no row; not tested" in found.notes
    assert found.clusters["x"].tolist() == [1, 1]


def test_extreme_scores() -> None:
    for scale in (1e308, 1e-300, 1.0):
        table = {"x": np.array([1, -1, 0.5, 0.25, -1, 1, 0.25, 0.75]) * scale}
        found = rank(table, SYSTEMS)["x"]
        assert found.pvalues[0, 1] == 1.0
        assert found.means.tolist() == pytest.approx([0.1875 * scale, 0.25 * scale], rel=1e-12)
        assert found.wins.tolist() == [[0, 2], [2, 0]]


def test_the_largest_numbers() -> None:
    scores = np.array([1.7, 1.6, 1.7, 1.5]) * 1e308
    found = rank({"x": [*scores, *-scores]}, SYSTEMS)["x"]
    reach = np.array(of_student(scores / 1e308)) * 1e308
    assert found.intervals[0] == pytest.approx(reach, rel=1e-9)
    assert found.intervals[1] == pytest.approx(-reach[::-1], rel=1e-9)
    assert found.pvalues[0, 1] == 0.125


def test_tables_of_other_packages() -> None:
    texts = ["a cat sat", "a dog", "the cat", "a cat sat on"]
    named = ["rouge1", summeval.metric("simetrix", label="mine")]
    scored = summeval.score_batch(texts, ["a cat sat"] * 4, named, sources=texts)
    found = rank(scored, ["a", "a", "b", "b"])
    assert not found["mine.smoothedJSD"].higher_is_better
    assert found.metrics == tuple(scored.columns)
    for package in ("pandas", "polars", "pyarrow"):
        module = pytest.importorskip(package)
        make = module.table if package == "pyarrow" else module.DataFrame
        columns = {"system": SYSTEMS, "topic": TOPICS, "x": [*SCORES[:7], None]}
        frame = make(columns)
        made = rank(frame, frame["system"], frame["topic"])
        assert made.metrics == ("x",)
        assert made["x"].rows.tolist() == [4, 3]


@every(
    ("given", "error", "message"),
    [
        ({"systems": "ab"}, TypeError, "systems is 'ab'"),
        ({"systems": ["a"] * 3 + ["b"] * 4}, ValueError, "x has 8 rows, but systems has 7"),
        ({"systems": ["a"] * 3 + ["b"] * 5}, ValueError, "a has 3 rows and b 5; pass topics"),
        ({"systems": ["a", None] * 4}, ValueError, r"systems\[1\] is None"),
        ({"systems": []}, ValueError, "no rows"),
        ({"topics": TOPICS[1:]}, ValueError, "7 topics and 8 systems"),
        ({"topics": [*TOPICS[1:], float("nan")]}, ValueError, r"topics\[7\] is nan"),
        ({"table": {"x": [*SCORES[1:], "no"]}}, ValueError, r"x\[7\] is 'no'"),
        ({"table": {"x": [*SCORES[1:], np.inf]}}, ValueError, r"x\[7\] is infinite"),
        ({"table": {"x": ["no"] * 8}}, ValueError, "no column holds numbers"),
        ({"table": SCORES}, TypeError, "table is list"),
        ({"metrics": ["y"]}, ValueError, "unknown column 'y'"),
        ({"resamples": 0}, ValueError, "resamples is 0"),
        ({"seed": -1}, ValueError, "seed is -1"),
        ({"samples": "all"}, ValueError, "samples is 'all'"),
        ({"correction": "x"}, ValueError, "correction is 'x'"),
        ({"alpha": 5}, ValueError, "alpha is 5"),
        ({"higher_is_better": {"y": False}}, ValueError, "unknown metric 'y'"),
    ],
)
def test_what_is_refused(given: dict, error: type[Exception], message: str) -> None:
    arguments = {"table": {"x": SCORES}, "systems": SYSTEMS, "topics": None} | given
    if "topics" in given or "systems" not in given:
        arguments.setdefault("topics", TOPICS)
    with pytest.raises(error, match=message) as found:
        rank(**arguments)
    assert "\n" not in str(found.value)


def test_too_few_draws_for_a_correction_are_told() -> None:
    draw = np.random.default_rng(5)
    found = rank({"x": draw.random(600)}, np.repeat(np.arange(20), 30), resamples=1000)
    assert found.notes == [
        "190 pairs need at least 3,799 resamples for a corrected p-value of 0.05, not 1,000"
    ]
    assert rank({"x": draw.random(600)}, np.repeat(np.arange(20), 30), resamples=3799).notes == []


@pytest.mark.parametrize(
    ("effect", "power", "rows"),
    # Of the paired t-test, as G*Power 3.1 and Cohen 1988 have them.
    [
        (0.2, 0.8, 199),
        (0.5, 0.8, 34),
        (0.8, 0.8, 15),
        (0.5, 0.9, 44),
        (0.5, 0.95, 54),
    ],
)
def test_rows_needed(effect: float, power: float, rows: int) -> None:
    assert rows_needed(effect, 0.05, power) == rows_needed(-effect, 0.05, power) == rows


def test_rows_needed_at_another_level() -> None:
    # The approximation by a formula is one too high or too low.
    assert [rows_needed(effect, 0.01) for effect in (3.8, 3.81, 3.82, 1.0)] == [4, 4, 4, 16]
    assert rows_needed(2.0) == 5


def test_rows_needed_are_enough_and_no_fewer() -> None:
    from scipy.special import stdtr

    draw = np.random.default_rng(6)
    for effect in (0.7, 1.2):
        needed = int(rows_needed(effect))
        shares = []
        for rows in (needed - 2, needed):
            samples = draw.normal(effect, 1, (3000, rows))
            t = samples.mean(axis=1) / (samples.std(axis=1, ddof=1) / np.sqrt(rows))
            shares.append((2 * stdtr(rows - 1, -np.abs(t)) <= 0.05).mean())
        assert shares[0] < 0.8 < shares[1] + 0.02


def test_rows_needed_of_the_smallest_effects() -> None:
    """Beyond a million rows, where the noncentral t distribution is good to a few rows."""
    from scipy.special import nctdtr, stdtrit

    def power(rows: float) -> float:
        return float(1 - nctdtr(rows - 1, 0.0028 * np.sqrt(rows), stdtrit(rows - 1, 0.975)))

    needed = rows_needed(0.0028)
    assert needed > 1e6
    assert power(needed - 3) < 0.8 < power(needed + 3)


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_larger_effects_need_no_more_rows(alpha: float) -> None:
    needed = [rows_needed(effect, alpha) for effect in np.geomspace(0.01, 200, 500).tolist()]
    assert needed == sorted(needed, reverse=True)
    assert needed[-1] == 2


VALUES = st.one_of(st.integers(-3, 3), st.just(np.nan))


@settings(max_examples=40)
@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=2, max_size=30), st.booleans())
def test_means_as_sums_are_tested_as_means_are(
    rows: list[tuple[float, float, float]], beside_one: bool
) -> None:
    scores = np.array(rows, dtype=np.float64).T.ravel()
    systems = [name for name in "abc" for _ in rows]
    sums = {"x": (Means(("value",), "value"), "value", Means.statistics([scores]))}
    sums["x"][2][np.isnan(scores)] = np.nan
    more: dict[str, Any] = {"baseline": "b" if beside_one else None, "resamples": 200}
    means = rank({"x": scores}, systems, **more)["x"]
    found = rank({"x": scores}, systems, sums=sums, **more)["x"]
    assert found.corpus and not means.corpus
    drawn = ["pvalues", "bootstrap", "corrected"]  # of rows that have scores, if some lack them
    for name in ("means", "differences", *([] if np.isnan(scores).any() else drawn)):
        ours, expected = getattr(found, name), getattr(means, name)
        assert np.allclose(ours, expected, atol=1e-9, equal_nan=True), name
    assert np.allclose(found.pvalues[means.exact], means.pvalues[means.exact])
    for name in ("exact", "wins", "shared", "order"):
        assert np.array_equal(getattr(found, name), getattr(means, name)), name


@pytest.mark.parametrize("name", ["ter", "bleu"])  # shares, and smoothed counts
def test_few_rows_of_sums_have_the_p_value_of_all_swaps(name: str) -> None:
    own = ["a cat sat", "it rained on Monday", "no dogs", "rain", "a b c"]
    other = ["the cat sat down", "it snowed", "no dogs", "the rain fell", "a c b d"]
    references = ["a cat sat down", "it rained on a Monday", "no dogs", "the rain fell", "a b c d"]
    metric, column = summeval.metric(name), f"{name}.value"
    table = metric.score_batch(own + other, references * 2)
    sums = {column: (metric, "value", table.statistics(name))}
    found = rank(table, ["own"] * 5 + ["other"] * 5, metrics=[column], sums=sums)[column]
    first, second = np.split(table.statistics(name), 2)

    def apart(swap: tuple[bool, ...]) -> float:
        mask = np.array(swap)[:, None]
        sides = [np.where(mask, *two).sum(axis=0) for two in ((second, first), (first, second))]
        one, two = (metric.from_statistics(side).value for side in sides)
        return abs(float(one - two))

    every_swap = [apart(swap) for swap in product([False, True], repeat=5)]
    expected = np.mean([one >= every_swap[0] - 1e-12 for one in every_swap])
    assert found.exact[0, 1] and found.pvalues[0, 1] == pytest.approx(expected)
    assert found.differences[0, 1] == pytest.approx(
        float(metric.corpus(own, references).value - metric.corpus(other, references).value)
    )


def test_sums_of_other_columns_or_rows_are_refused() -> None:
    means = Means(("value",), "value")
    for sums, told in (
        ({"y": (means, "value", np.zeros((8, 2)))}, "sums: "),
        ({"x": (means, "recall", np.zeros((8, 2)))}, "field 'recall'"),
        ({"x": (means, "value", np.zeros((7, 2)))}, r"sums: x has the shape \[7, 2\]"),
    ):
        with pytest.raises(ValueError, match=told):
            rank({"x": SCORES}, SYSTEMS, TOPICS, sums=sums)
