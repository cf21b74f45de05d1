"""Koehn's test, intervals, permutation and Williams tests: cases, seeds, what they must obey."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.stats
from shared import CASE_FILES

from summeval.meta import (
    bootstrap_interval,
    compare,
    koehn_test,
    koehn_tests,
    permutation_test,
    permutation_tests,
    williams_test,
)
from summeval.meta import resampling as streams
from summeval.meta.arrays import COEFFICIENTS, LEVELS
from summeval.meta.resampling import half_widths

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")
KOEHN = json.loads((CASE_FILES / "meta.json").read_text())["koehn"]
OVERS = ("topics", "systems", "both")


def tables(systems: int = 12, topics: int = 9, seed: int = 0) -> tuple[np.ndarray, ...]:
    """A good metric, a poor one, and people."""
    random = np.random.default_rng(seed)
    quality = random.random((systems, 1)) + 0.3 * random.random((systems, topics))
    good, poor = (quality + noise * random.random((systems, topics)) for noise in (0.3, 3.0))
    return good, poor, np.round(4 * quality)


@pytest.mark.parametrize("case", KOEHN, ids=lambda case: case["id"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_numbers_of_the_case(case: Any, coefficient: Any) -> None:
    # SciPy's coefficients and nlpstats 0.0.1 for Williams' test
    given, wanted = case["input"], case["expect"][coefficient]
    abz = given["metric_a"], given["metric_b"], given["human"]
    found = koehn_test(*abz, coefficient, indices=given["resample_topic_indices"])
    assert (found.full_a, found.full_b) == pytest.approx((wanted["full_a"], wanted["full_b"]))
    assert (found.wins, found.ties) == (wanted["a_wins"], wanted["ties"])
    assert found.significance == wanted["significance"]
    two_sided = williams_test(*abz, coefficient).pvalue
    greater = williams_test(*abz, coefficient, alternative="greater").pvalue
    assert two_sided == pytest.approx(wanted["williams_p_two_sided"], abs=1e-12)
    assert greater == pytest.approx(wanted["williams_p_greater"], abs=1e-12)


def test_a_metric_only_ties_with_itself_on_another_scale() -> None:
    good, _, human = tables()
    found = koehn_test(good, 3.7 * good + 0.1, human, resamples=200)
    assert (found.wins, found.ties, found.losses) == (0, 200, 0)


def test_swapped_metrics_swap_wins_and_losses() -> None:
    good, poor, human = tables()
    one, other = koehn_test(good, poor, human), koehn_test(poor, good, human)
    assert (one.wins, one.ties) == (other.losses, other.ties)
    assert one.wins > 500
    assert one.reverse == 1 - one.significance
    assert (one.lower, one.upper) == pytest.approx((-other.upper, -other.lower))


def test_an_undefined_correlation_is_no_win() -> None:
    human = [[1, 2], [2, 3], [3, 1]]
    found = koehn_test([[1, 1], [1, 2], [1, 3]], [[3, 1], [2, 2], [1, 3]], human, indices=[[0, 0]])
    assert (found.wins, found.ties, found.losses, found.undefined) == (0, 0, 0, 1)
    assert np.isnan(found.lower)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("over", OVERS)
def test_the_seed_makes_the_interval(level: Any, over: Any) -> None:
    good, _, human = tables()
    one, same, other = (
        bootstrap_interval(good, human, "kendall", level, over=over, resamples=300, seed=seed)
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one.seed == 1
    assert (one.lower, one.upper) != (other.lower, other.upper)
    assert one.lower < one.value < one.upper


def test_a_seed_taken_by_chance_is_told() -> None:
    found = koehn_test(*tables(), resamples=50, seed=None)
    assert found == koehn_test(*tables(), resamples=50, seed=found.seed)
    assert koehn_test(*tables(), seed=np.int64(3)).seed == 3


def test_draws_do_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn() -> list[np.ndarray]:
        pairs = list(streams.multiplicities((4, 5), "both", 20, 3))
        coins = list(streams.swaps((4, 5), "both", 20, 3))
        return [
            np.concatenate(parts) for found in (pairs, coins) for parts in zip(*found, strict=True)
        ]

    whole = drawn()
    monkeypatch.setattr(streams, "BLOCK", 7)
    assert all(np.array_equal(a, b) for a, b in zip(whole, drawn(), strict=True))


def test_draws_have_as_many_topics_as_there_are() -> None:
    for u, v in streams.multiplicities((4, 5), "both", 300, 0):
        assert (u.sum(axis=1) == 4).all()
        assert (v.sum(axis=1) == 5).all()


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("level", LEVELS)
def test_permutation_tells_a_good_metric_from_a_poor_one(level: Any, over: Any) -> None:
    good, poor, human = tables(20, 15)
    found = permutation_test(good, poor, human, "spearman", level, over=over, resamples=199)
    assert found.pvalue < 0.05
    assert found.pvalue == (found.count + 1) / 200
    other = permutation_test(
        poor, good, human, "spearman", level, over=over, resamples=199, alternative="greater"
    )
    assert other.pvalue > 0.9


@pytest.mark.parametrize(
    ("level", "over"), [("system", "systems"), ("summary", "both"), ("global", "rows")]
)
def test_a_permutation_swaps_what_suits_the_level(level: Any, over: Any) -> None:
    good, poor, human = tables()
    good[2, 3] = np.nan
    given = {"good": good, "poor": poor}
    found = permutation_test(good, poor, human, "spearman", level, resamples=99)
    assert found.over == over
    assert found == permutation_test(good, poor, human, "spearman", level, over=over, resamples=99)
    assert found == permutation_tests(given, human, "spearman", level, resamples=99)["good", "poor"]
    assert found.pvalue == compare(given, human, "spearman", level, resamples=99).pvalues[0, 1]


def test_rows_are_swapped_each_by_itself() -> None:
    cells = [table.reshape(-1, 1) for table in tables()]
    alone = permutation_test(*cells, level="global", over="systems", resamples=99)
    assert permutation_test(*tables(), level="global", resamples=99).pvalue == alone.pvalue
    with pytest.raises(ValueError, match="over is 'rows'"):
        permutation_test(*tables(), level="system", over="rows")


@pytest.mark.parametrize(("kept", "most_over_both"), [(1.0, 1.0), (0.0, 0.08)])
def test_a_level_is_held_where_errors_stay_with_a_system(
    kept: float, most_over_both: float
) -> None:
    # both metrics are equally good; an error has a part, `kept`, that is the same on all topics
    random, (systems, topics) = np.random.default_rng(1), (12, 40)

    def disturbed(table: Any) -> Any:
        stays = kept * random.normal(size=(systems, 1))
        return table + stays + random.normal(size=(systems, topics))

    found: dict[Any, int] = {None: 0, "both": 0}
    for _ in range(200):
        human = random.normal(size=(systems, 1)) + random.normal(size=(systems, topics))
        three = disturbed(human), disturbed(human), human
        for over in found:
            test = permutation_test(*three, "spearman", "system", over=over, resamples=99)
            found[over] += test.pvalue <= 0.05
    assert found[None] / 200 <= 0.08
    assert found["both"] / 200 <= most_over_both
    assert found["both"] / 200 > 0.4 * kept  # what the default is not


@pytest.mark.parametrize(("topics", "least"), [(8, 0.92), (20, 0.94), (50, 0.94)])
@pytest.mark.parametrize("rows", [1, 3])
def test_intervals_of_means_cover_the_mean(topics: int, least: float, rows: int) -> None:
    # scores as ROUGE-1's: between 0 and 1, with a mean of .3; of 1 to `rows` outputs of a topic
    random = np.random.default_rng(0)
    counts = random.integers(1, rows + 1, size=(topics, 20_000)).astype(float)
    counts[-1] = 0.0  # and one topic without any
    difficulty = random.beta(3, 7, size=counts.shape)
    means = (counts * difficulty).sum(axis=0) / counts.sum(axis=0)
    reach = half_widths(counts * difficulty, counts)
    assert (np.abs(means - 0.3) <= reach).mean() >= least
    if rows == 1:
        spread = scipy.stats.sem(difficulty[:-1], axis=0) * scipy.stats.t.ppf(0.975, topics - 2)
        np.testing.assert_allclose(reach, spread, rtol=1e-9)


def test_one_unit_has_no_interval_and_large_numbers_have_one() -> None:
    values = np.array([[1e200, np.pi], [-1e200, np.pi]])
    assert np.isnan(half_widths(values[:1])).all()
    assert half_widths(values)[0] == pytest.approx(12.7062047e200)
    assert half_widths(values)[1] == 0.0


def test_a_metric_is_no_better_than_itself() -> None:
    good, _, human = tables()
    assert permutation_test(good, 2 * good, human, resamples=50).pvalue == 1.0


@pytest.mark.parametrize("other", [2.0, 1.7, -1.0, -0.3])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_williams_has_no_value_for_metrics_that_correlate_perfectly(
    other: float, coefficient: Any
) -> None:
    good, _, human = tables()
    for start in (0.0, 0.1, 7.3):
        found = williams_test(good, start + other * good, human, coefficient)
        assert abs(found.r_ab) == pytest.approx(1.0)
        assert np.isnan([found.statistic, found.pvalue]).all()


def test_williams_has_a_value_for_metrics_that_correlate_nearly_perfectly() -> None:
    good, poor, human = tables()
    found = williams_test(good, good + 1e-4 * poor, human)
    assert 1 - 1e-6 < found.r_ab < 1
    assert 0 < found.pvalue < 1


def test_alternatives_of_williams_go_together() -> None:
    two, greater, less = (
        williams_test(*tables(), alternative=alternative).pvalue
        for alternative in ("two-sided", "greater", "less")
    )
    assert two == pytest.approx(2 * greater)
    assert greater + less == pytest.approx(1.0)


def test_williams_needs_four_systems() -> None:
    found = williams_test([1, 2, 3], [1, 3, 2], [1, 2, 3])
    assert found.observations == 3
    assert np.isnan(found.pvalue)


def test_four_systems_are_enough_for_williams() -> None:
    # By hand: r_a = .8, r_b = .4, r_ab = .8; |R| = 1 - .64 - .16 - .64 + 2 * .256 = .072;
    # t = .4 sqrt(3 * 1.8 / (2 * .072 * 3/1 + .36 * .008)), with one degree of freedom, which is
    # Cauchy's distribution: p = 1 - 2 atan(t)/pi.
    found = williams_test([1, 2, 4, 3], [1, 3, 4, 2], [1, 2, 3, 4])
    assert (found.r_a, found.r_b, found.r_ab) == pytest.approx((0.8, 0.4, 0.8))
    assert found.observations == 4
    t = 0.4 * (5.4 / 0.43488) ** 0.5
    assert found.statistic == pytest.approx(t)
    assert found.pvalue == pytest.approx(1 - 2 * np.arctan(t) / np.pi)


@pytest.mark.parametrize(
    ("call", "options", "message"),
    [
        (koehn_test, {"resamples": 0}, "whole number of at least 1"),
        (koehn_test, {"seed": -1}, "seed is -1"),
        (koehn_test, {"confidence": 95}, "such as 0.95"),
        (koehn_test, {"indices": [[0, 9]]}, "topics are numbered 0 to 8"),
        (koehn_test, {"indices": [0, 1]}, r"whole numbers \[draw, place\]"),
        (koehn_test, {"indices": [[0.5]]}, r"whole numbers \[draw, place\]"),
        (permutation_test, {"over": "topic"}, "choose from"),
        (permutation_test, {"resamples": 0}, "resamples is 0; give a whole number of at least 1"),
        (permutation_test, {"alternative": "more"}, "choose from"),
        (williams_test, {"alternative": "more"}, "choose from"),
    ],
)
def test_options_that_cannot_be_are_refused(call: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(*tables(), **options)


def test_a_constant_metric_is_not_permuted() -> None:
    good, _, human = tables()
    with pytest.raises(ValueError, match=r"metric_b is 0\.5 in all 108 cells"):
        permutation_test(good, np.full_like(good, 0.5), human)


def test_koehn_tests_of_all_pairs_are_single_tests() -> None:
    random = np.random.default_rng(3)
    human = random.normal(size=(9, 6))
    given = {name: human + random.normal(size=(9, 6)) * (1 + i) for i, name in enumerate("abcd")}
    given["a"][2, 1] = given["b"][4] = np.nan  # pairs without the same cells
    human[0, 3] = np.nan
    rising = {"c": False}
    found = koehn_tests(given, human, "spearman", 150, 7, higher_is_better=rising)
    assert list(found) == list(combinations("abcd", 2))
    for (a, b), result in found.items():
        up = [rising.get(a, True), rising.get(b, True)]
        single = koehn_test(given[a], given[b], human, "spearman", 150, 7, higher_is_better=up)
        assert result == single
    with pytest.raises(ValueError, match="1 metrics; give two or more"):
        koehn_tests({"a": given["a"]}, human)


def test_a_constant_metric_is_no_win_for_the_other_in_reverse() -> None:
    good, _, people = tables()
    for pair in ((np.ones_like(good), good), (good, np.ones_like(good))):
        found = koehn_test(*pair, people, resamples=20)
        assert (found.wins, found.losses, found.undefined) == (0, 0, 20)
        assert found.significance == 0
        assert np.isnan(found.reverse)
    assert koehn_test(good, good, people, resamples=20).reverse == 1  # ties are defined
