"""QUEEN, KING, JACK and ORANGE: the cases of the specification, and what its section 2.5 asks."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from definitions import dominance as twin
from every import every
from hypothesis import given
from hypothesis import strategies as st
from shared import CASE_FILES

from summeval._core.agreement import dominance as kernel
from summeval.meta import orange, qarla

CASES = json.loads((CASE_FILES / "qarla.json").read_text())["cases"]
TRIPLES = ("pairs", "distinct", "all")
JACKS = ("one_sided", "two_sided", "one_sided_queenpos")
VARIANTS = ("one_sided", "both_sides", "queen_positive")


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def share(pair: list[int]) -> float:
    return pair[0] / pair[1]


def matrix(case: dict[str, Any], names: str) -> np.ndarray:
    rows = case["input"]["sim_rows_candidate_cols_reference"]
    return np.array([rows[name] for name in names.split("+")], dtype=float)


@pytest.mark.parametrize("case", of_kind("queen"))
def test_queen_by_hand(case: dict[str, Any]) -> None:
    given_pairs, peer = case["input"]["model_pairs"], case["input"]["peer"]
    names = list(peer)
    models = np.full((1, 3, 3), case["input"]["diagonal"])
    for pair, value in given_pairs.items():
        i, j = (names.index(name) for name in pair.split(","))
        models[0, i, j] = models[0, j, i] = value
    for triples, expected in case["expected"].items():
        found = qarla.queen([[peer[name] for name in names]], models, triples=triples)
        assert found == pytest.approx(share(expected), abs=case["tolerance"])


@pytest.mark.parametrize("case", of_kind("qarla"))
def test_numbers_of_asiya(case: dict[str, Any]) -> None:
    expected, n = case["expected"], len(case["input"]["models"])
    for names, queens in expected["queen_asiya"].items():
        found = qarla.queens(matrix(case, names), n)
        assert found.tolist() == pytest.approx(list(queens.values()), abs=case["tolerance"])
    for names, value in expected["king_asiya"].items():
        found = qarla.king(matrix(case, names), n, ties="win")
        assert found == pytest.approx(value, abs=case["tolerance"])
    for names, value in expected["orange_asiya"].items():
        found = qarla.orange_share(matrix(case, names), n)
        assert found == pytest.approx(value, abs=case["tolerance"])


@pytest.mark.parametrize("case", of_kind("qarla"))
def test_numbers_by_naive_enumeration(case: dict[str, Any]) -> None:
    n = len(case["input"]["models"])
    for names, expected in case["expected"]["derived"].items():
        x = matrix(case, names)
        for triples in ("distinct", "all"):
            queens = [share(pair) for pair in expected[f"queen_{triples}"].values()]
            assert qarla.queens(x, n, triples).tolist() == pytest.approx(queens, abs=1e-9)
        assert qarla.king(x, n) == pytest.approx(share(expected["king_strict"]))
        if expected["king_strict_distinct"] is not None:
            found = qarla.king(x, n, triples="distinct")
            assert found == pytest.approx(share(expected["king_strict_distinct"]))
        for variant, key in zip(VARIANTS, JACKS, strict=True):
            found = qarla.jack(x, n, variant=variant)
            assert found == pytest.approx(share(expected[f"jack_{key}"]))


def test_king_of_a_constant_metric() -> None:
    x = np.full((1, 7, 7), 0.3)
    for triples in TRIPLES:
        assert qarla.queens(x, 4, triples).tolist() == [1.0] * 3
        assert qarla.king(x, 4, triples) == 0.0
        assert qarla.king(x, 4, triples, ties="win") == 1.0


def test_king_of_a_perfect_metric() -> None:
    x = np.zeros((1, 7, 7))
    x[0, :4, :4] = 1.0
    for triples in TRIPLES:
        assert qarla.queens(x, 4, triples).tolist() == [0.0] * 3
        assert qarla.king(x, 4, triples) == 1.0


@pytest.mark.parametrize("case", of_kind("jack"))
def test_jack_by_hand(case: dict[str, Any]) -> None:
    x = np.full((1, 4, 4), np.nan)  # similarities between models do not matter to it
    places = {"m1": 0, "m2": 1, "a": 2, "b": 3}
    for part in ("peer_peer", "peer_model"):
        for pair, value in case["input"][part].items():
            i, j = (places[name] for name in pair.split(","))
            x[0, i, j] = x[0, j, i] = value
    assert qarla.jack(x, 2) == share(case["expected"]["one_sided"])
    assert qarla.jack(x, 2, variant="both_sides") == share(case["expected"]["two_sided"])


@st.composite
def similarities(draw: st.DrawFn, least: int = 4) -> tuple[np.ndarray, int]:
    """Few different values, so that there are ties."""
    n, peers, metrics = (
        draw(st.integers(least, 5)),
        draw(st.integers(1, 4)),
        draw(st.integers(1, 3)),
    )
    texts = n + peers
    cell = st.integers(0, draw(st.sampled_from([1, 3, 9])))
    cells = draw(st.lists(cell, min_size=metrics * texts**2, max_size=metrics * texts**2))
    return np.array(cells, dtype=float).reshape(metrics, texts, texts), n


@given(similarities(), st.sampled_from(TRIPLES), st.sampled_from([1, 3]))
def test_kernel_equals_twin(made: tuple[np.ndarray, int], triples: str, workers: int) -> None:
    x, n = made
    rows = x.tolist()
    peers = range(n, len(rows[0]))
    found = kernel.peer_hits(x, n, triples, workers)
    total = len(twin.triples(range(n), triples))
    assert found.tolist() == [total * twin.queen(rows, a, range(n), triples) for a in peers]
    assert qarla.orange_share(x, n, triples) == pytest.approx(twin.orange(rows, n, triples))
    for ties in ("lose", "win"):
        wins = kernel.king_counts(x, n, triples, ties == "win", False, workers)
        assert wins[1] == n * twin.king(rows, n, triples, ties)
    for variant in VARIANTS:
        jacks = kernel.jack_counts(x, n, variant, triples, False, workers)
        assert jacks[1] == n * twin.jack(rows, n, variant, triples)


@given(
    similarities(),
    st.sampled_from(TRIPLES),
    st.sampled_from(["lose", "win"]),
    st.sampled_from(VARIANTS),
    st.sampled_from([1, 3]),
)
def test_every_set_scores_as_it_does_alone(
    made: tuple[np.ndarray, int], triples: Any, ties: Any, variant: Any, workers: int
) -> None:
    x, n = made
    sets = qarla.metric_sets(x, n, triples=triples, ties=ties, variant=variant, workers=workers)
    numbers = range(len(x))
    wanted = [chosen for size in numbers for chosen in combinations(numbers, size + 1)]
    assert [found.metrics for found in sets] == wanted
    for chosen, value, other in sets:
        alone = x[list(chosen)]
        assert value == qarla.king(alone, n, triples, ties)
        assert other == qarla.jack(alone, n, variant, triples=triples)


@given(similarities(), st.sampled_from(TRIPLES))
def test_queen_lies_between_0_and_1_and_falls_with_more_metrics(
    made: tuple[np.ndarray, int], triples: Any
) -> None:
    x, n = made
    before = np.ones(x.shape[1] - n)
    for count in range(1, len(x) + 1):
        found = qarla.queens(x[:count], n, triples)
        assert np.all((found >= 0) & (found <= before))
        before = found


@given(similarities(), st.sampled_from(TRIPLES), st.sampled_from(VARIANTS))
def test_increasing_maps_change_nothing(
    made: tuple[np.ndarray, int], triples: Any, variant: Any
) -> None:
    x, n = made
    y = np.arctan(x * np.arange(1, len(x) + 1)[:, None, None]) - 5
    assert np.array_equal(qarla.queens(x, n, triples), qarla.queens(y, n, triples))
    assert qarla.king(x, n, triples) == qarla.king(y, n, triples)
    assert qarla.jack(x, n, variant) == qarla.jack(y, n, variant)


@given(similarities(), st.sampled_from(TRIPLES), st.data())
def test_a_peer_given_twice_changes_nothing(
    made: tuple[np.ndarray, int], triples: Any, data: st.DataObject
) -> None:
    x, n = made
    x[:, np.arange(x.shape[1]), np.arange(x.shape[1])] = 10.0  # nothing is as close as itself
    again = data.draw(st.integers(n, x.shape[1] - 1))
    places = [*range(x.shape[1]), again]
    y = x[:, places][:, :, places]
    assert qarla.king(y, n, triples) == qarla.king(x, n, triples)
    assert qarla.queens(y, n, triples)[:-1].tolist() == qarla.queens(x, n, triples).tolist()
    assert qarla.jack(y, n) == qarla.jack(x, n)


@given(similarities(), st.sampled_from(TRIPLES))
def test_king_1_means_that_every_model_has_a_queen(
    made: tuple[np.ndarray, int], triples: Any
) -> None:
    x, n = made
    if qarla.king(x, n, triples) == 1.0:
        assert (kernel.left_out_hits(x, n, triples)[:, 0] > 0).all()


def test_many_models_agree_with_the_twin() -> None:
    # 62 x 61 pairs are more than have a bitset each
    x = np.random.default_rng(3).integers(0, 40, (2, 64, 64)).astype(float)
    rows = x.tolist()
    hits = kernel.peer_hits(x, 62, "pairs")
    found = [62 * 62 * 61 * twin.queen(rows, a, range(62)) for a in (62, 63)]
    assert hits.tolist() == found


def test_orange_of_one_reference_is_its_rank() -> None:
    assert orange([[9, 7, 5, 3]], [[6]]) == 3 / 4
    assert orange([[9, 7, 5, 3]], [[10]]) == 1 / 4
    assert orange([[9, 7, 5, 3]], [[7]]) == 2.5 / 4
    assert orange([[9, 7, 5, 3]], [[7]], ties="optimistic") == 2 / 4


def test_orange_means_references_and_then_segments() -> None:
    peers = [[9, 7, 5, 3], [1, 1, 1, 1]]
    assert orange(peers, [[6, 10], [2, np.nan]]) == ((3 + 1) / 2 + 1) / 2 / 4


NAN_MODELS = np.zeros((2, 6, 6))
NAN_MODELS[1, 0, 2] = np.nan
NAN_PEERS = np.zeros((2, 6, 6))
NAN_PEERS[1, 5, 4] = np.nan


@every(
    ("call", "message"),
    [
        (
            lambda: qarla.king(np.zeros((1, 4, 4)), 2),
            "2 models for triples='pairs'; KING needs at least 3",
        ),
        (lambda: qarla.king(np.zeros((1, 4, 4)), 3, "distinct"), "KING needs at least 4"),
        (
            lambda: qarla.queens(np.zeros((1, 4, 4)), 1),
            "1 model for triples='pairs'; QUEEN needs at least 2",
        ),
        (
            lambda: qarla.queen([[1.0]], [[[1.0]]]),
            "1 model for triples='pairs'; QUEEN needs at least 2",
        ),
        (lambda: qarla.king(np.zeros((1, 4, 5)), 3), "4 candidates, 5 references"),
        (lambda: qarla.king(np.zeros((4, 4)), 3), r"has the shape \(4, 4\); it must be \[metric"),
        (lambda: qarla.king([[[1], [1, 2]]], 3), "must be an array of numbers"),
        (lambda: qarla.king(np.zeros((0, 4, 4)), 3), "has no metrics"),
        (lambda: qarla.king(np.zeros((1, 4, 4)), 4), "n_models is 4 of 4 texts"),
        (lambda: qarla.jack(np.zeros((1, 4, 4)), 0), "n_models is 0 of 4 texts"),
        (lambda: qarla.king(NAN_MODELS, 4), r"similarities\[1, 0, 2\] is NaN"),
        (lambda: qarla.jack(NAN_PEERS, 4), r"similarities\[1, 5, 4\] is NaN"),
        (lambda: qarla.queen([[np.nan, 1]], np.ones((1, 2, 2))), r"peer_model\[0, 0\] is NaN"),
        (lambda: qarla.queen([[1, 1]], np.ones((1, 3, 3))), r"it must be \(1, 2, 2\)"),
        (lambda: qarla.king(np.zeros((1, 5, 5)), 4, "some"), "triples is 'some'; choose from"),
        (lambda: qarla.king(np.zeros((1, 5, 5)), 4, ties="draw"), "ties is 'draw'; choose from"),
        (lambda: qarla.jack(np.zeros((1, 5, 5)), 4, "both"), "variant is 'both'; choose from"),
        (lambda: qarla.metric_sets(np.zeros((21, 5, 5)), 4), "21 metrics; pass at most 20"),
        (lambda: qarla.metric_sets(np.zeros((2, 5, 5)), 4, names="a"), "names has 1 for 2 metrics"),
        (lambda: qarla.metric_sets(np.zeros((2, 5, 5)), 4, names="aa"), "names has 'a' twice"),
        (lambda: orange([[1, 2]], [[1], [2]]), "peers has 1 segments, references 2"),
        (lambda: orange([[1, np.nan]], [[1]]), r"peers\[0\] has a score that is NaN"),
        (lambda: orange([[1, 2]], [[np.nan]]), r"references\[0\] has no score"),
        (lambda: orange([[1, 2]], [[1]], ties="high"), "ties is 'high'; choose from"),
    ],
)
def test_bad_input_is_named_in_one_line(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("count", [4.0, True, "4", None])
def test_a_number_of_models_that_is_none_is_named(count: Any) -> None:
    with pytest.raises(TypeError, match=r"n_models is .*; give a whole number"):
        qarla.king(np.zeros((1, 5, 5)), count)
    assert qarla.king(np.zeros((1, 5, 5)), np.int64(4)) == 0  # type: ignore[arg-type]


def test_names_that_are_no_list_are_named() -> None:
    with pytest.raises(TypeError, match="names is int; give a list of names"):
        qarla.metric_sets(np.zeros((2, 5, 5)), 4, names=5)


def test_what_is_not_compared_may_be_missing() -> None:
    x = np.random.default_rng(1).random((2, 7, 7))
    y = x.copy()
    y[:, :4, 4:] = np.nan
    y[:, np.arange(7), np.arange(7)] = np.nan
    assert qarla.metric_sets(y, 4).best() == qarla.metric_sets(x, 4).best()
    with pytest.raises(ValueError, match=r"similarities\[0, 0, 0\] is NaN"):
        qarla.king(y, 4, triples="all")


@pytest.mark.parametrize("triples", ("pairs", "distinct", "all"))
@pytest.mark.parametrize("every_set", [False, True])
def test_kernels_stay_inside_their_arrays_where_something_is_missing(
    triples: str, every_set: bool
) -> None:
    nothing, one, texts = (np.zeros((2, n, n)) for n in (0, 1, 5))
    sets = 4 if every_set else 2
    for x, n in ((nothing, 0), (one, 0), (one, 1), (texts, 0), (texts, 5)):
        # Without peers there is nothing that a model must beat.
        wins = kernel.king_counts(x, n, triples, False, every_set)
        assert wins.tolist() == [0] + [n if n == x.shape[1] else 0] * (sets - 1)
        assert kernel.jack_counts(x, n, "queen_positive", triples, every_set).tolist() == [0] * sets
        assert kernel.peer_hits(x, n, triples).tolist() == [0] * (x.shape[1] - n)
        assert kernel.left_out_hits(x, n, triples).shape == (n, 1 + x.shape[1] - n)
    wrong = (
        (nothing, 1),
        (one, 2),
        (texts, -1),
        (np.zeros((0, 3, 3)), 2),
        (texts[:, :3].copy(), 2),
    )
    for x, n in wrong:
        for call in (
            lambda x=x, n=n: kernel.king_counts(x, n, triples, True, every_set),
            lambda x=x, n=n: kernel.peer_hits(x, n, triples),
            lambda x=x, n=n: kernel.left_out_hits(x, n, triples),
        ):
            with pytest.raises(ValueError, match=r"similarities are no|models of"):
                call()


@pytest.mark.parametrize("triples", ("pairs", "distinct", "all"))
@given(data=st.data())
def test_rows_of_many_sets_are_counted_one_by_one(triples: str, data: st.DataObject) -> None:
    draw = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    metrics, sizes = int(draw.integers(1, 4)), draw.integers(0, 6, int(draw.integers(1, 5)))
    set_of_row = draw.integers(0, len(sizes), 7)
    cells = draw.integers(0, 4, (metrics, int((sizes**2).sum()))).astype(float)
    peers = draw.integers(0, 4, (metrics, int(sizes[set_of_row].sum()))).astype(float)
    workers = int(draw.integers(1, 3))
    hits = kernel.row_hits(cells, sizes, peers, set_of_row, triples, workers)
    begins = np.cumsum([0, *sizes[set_of_row]])
    for row, one in enumerate(set_of_row):
        n, begin = int(sizes[one]), int((sizes[:one] ** 2).sum())
        x = np.zeros((metrics, n + 1, n + 1))
        x[:, :n, :n] = cells[:, begin : begin + n * n].reshape(metrics, n, n)
        x[:, n, :n] = peers[:, begins[row] : begins[row] + n]
        wanted = sum(
            all(metric[n][m] >= metric[a][b] for metric in x)
            for m, a, b in twin.triples(range(n), triples)
        )
        assert hits[row] == wanted


@pytest.mark.parametrize("triples", ("pairs", "distinct", "all"))
@given(data=st.data())
def test_queen_of_every_set_is_queen_of_its_metrics(triples: Any, data: st.DataObject) -> None:
    draw = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    x = draw.integers(0, 4, (int(draw.integers(1, 4)), 6, 6)).astype(float)
    n, workers = int(draw.integers(3, 6)), int(draw.integers(1, 3))
    found = qarla.set_queens(x, n, triples, workers=workers)
    assert found.shape == (1 << len(x), 6 - n)
    for chosen in range(1, len(found)):
        some = [x[m].tolist() for m in range(len(x)) if chosen >> m & 1]
        wanted = [float(twin.queen(some, peer, range(n), triples)) for peer in range(n, 6)]
        assert found[chosen].tolist() == wanted
    kept = qarla.left_out_queens(x, n, triples) if n > 3 else None
    for model in range(n if kept is not None else 0):
        rest = [m for m in range(n) if m != model]
        wanted = [float(twin.queen(x.tolist(), t, rest, triples)) for t in (model, *range(n, 6))]
        assert kept is not None and kept[model].tolist() == wanted


def test_too_many_metrics_for_every_set_are_refused() -> None:
    with pytest.raises(ValueError, match="21 metrics; pass at most 20"):
        qarla.set_queens(np.zeros((21, 4, 4)), 3)


@pytest.mark.parametrize(
    ("sets", "sizes", "peers", "rows", "message"),
    [
        ((0, 4), [2], (0, 2), [0], "0 metrics of the sets"),
        ((1, 4), [2], (2, 2), [0], "1 metrics of the sets, 2 of the texts"),
        ((1, 4), [-2], (1, 2), [0], "set 0 has -2 models"),
        ((1, 4), [2], (1, 2), [1], "row 0 names set 1 of 1"),
        ((1, 4), [2], (1, 2), [-1], "row 0 names set -1 of 1"),
        ((1, 3), [2], (1, 2), [0], "not as many as the sets and the rows need"),
        ((1, 4), [2], (1, 3), [0], "not as many as the sets and the rows need"),
    ],
)
def test_rows_of_sets_stay_inside_their_arrays(
    sets: Any, sizes: Any, peers: Any, rows: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        kernel.row_hits(np.zeros(sets), np.array(sizes), np.zeros(peers), np.array(rows), "pairs")
    assert kernel.row_hits(
        np.zeros((1, 0)), np.array([0]), np.zeros((1, 0)), np.array([0, 0]), "pairs"
    ).tolist() == [0, 0]
