"""The reliability of mean judgements: published figures, other formulas, and simulated judges."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from summeval.meta import Judgements, correlation, judge_reliability, spearman_brown
from summeval.meta.reliability import Reliability

# Shrout and Fleiss 1979, table 2: six targets, four judges.
RATINGS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)
LEVELS = ["summary", "system", "global"]


def rows(table: np.ndarray, judge: str = "judge") -> Iterator[dict[str, object]]:
    """The rows of a table [judge, system, topic]."""
    for (j, s, t), value in np.ndenumerate(table):
        if not np.isnan(value):
            yield {"system": f"s{s}", "topic": f"t{t}", judge: f"j{j}", "x": float(value)}


@pytest.mark.parametrize("level", LEVELS)
def test_shrout_and_fleiss(level):
    given = Judgements.from_table(RATINGS.T[:, :, None])
    found = judge_reliability(given, level)
    assert found.value == pytest.approx(0.91, abs=5e-3)  # ICC(3, 4)
    assert found.single == pytest.approx(0.71, abs=5e-3)  # ICC(3, 1)
    assert found.crossed
    assert math.isnan(found.lower)  # of one topic


@pytest.mark.parametrize("level", LEVELS)
def test_shrout_and_fleiss_without_names(level):
    given = Judgements.from_rows(rows(RATINGS.T[:, :, None] * 1.0), "x", judge=None)
    found = judge_reliability(given, level)
    assert found.value == pytest.approx(0.44, abs=5e-3)  # ICC(1, 4)
    assert found.single == pytest.approx(0.17, abs=5e-3)  # ICC(1, 1)
    assert not found.crossed


def residual(block: np.ndarray) -> tuple[float, float]:
    """The mean square of the residual and of the rows of a two-way table [row, judge]."""
    n, k = block.shape
    fitted = block.mean(1, keepdims=True) + block.mean(0, keepdims=True) - block.mean()
    error = ((block - fitted) ** 2).sum() / ((n - 1) * (k - 1))
    return error, k * block.mean(1).var(ddof=1)


@pytest.fixture
def table() -> np.ndarray:
    """Judgements [judge, system, topic] with a mean of each judge and of each topic."""
    draw = np.random.default_rng(5)
    true = draw.normal(size=(7, 9)) + draw.normal(size=9)
    own = 2 * draw.normal(size=(4, 1, 1))
    found: np.ndarray = true + own + draw.normal(size=(4, 7, 9))
    return found


def test_levels_are_those_of_two_way_tables(table):
    given = Judgements.from_table(table)
    error, between = residual(table.reshape(4, -1).T)
    assert judge_reliability(given, "global").value == pytest.approx(1 - error / between)
    error, between = residual(table.mean(axis=2).T)
    assert judge_reliability(given, "system").value == pytest.approx(1 - error / between)
    parts = [residual(table[:, :, topic].T) for topic in range(9)]
    error, between = np.mean(parts, axis=0)
    assert judge_reliability(given, "summary").value == pytest.approx(1 - error / between)


def test_other_judges_for_each_topic_are_still_crossed_within_it(table):
    wide = np.full((36, 7, 9), np.nan)
    for topic in range(9):
        wide[4 * topic : 4 * topic + 4, :, topic] = table[:, :, topic]
    one, other = (judge_reliability(Judgements.from_table(x)) for x in (table, wide))
    assert other.crossed
    assert other.value == pytest.approx(one.value)
    assert other.lower == pytest.approx(one.lower)
    assert not judge_reliability(Judgements.from_table(wide), "global").crossed


@pytest.mark.parametrize("level", LEVELS)
def test_a_draw_is_the_same_as_repeated_topics(table, level):
    from summeval.meta.reliability import ReliabilityDraws

    given = Judgements.from_table(table)
    places = [0, 0, 3, 5, 5, 5, 8]
    drawn = np.bincount(places, minlength=9)[None]
    again = judge_reliability(Judgements.from_table(table[:, :, places]), level)
    assert ReliabilityDraws(given, level).values(drawn)[0] == pytest.approx(again.value)


@pytest.mark.parametrize("crossed", [True, False])
@pytest.mark.parametrize("level", LEVELS)
def test_a_perfect_metric_reaches_the_ceiling(level, crossed):
    draw = np.random.default_rng(2)
    systems, topics, judges = (400, 5, 3) if level == "system" else (60, 60, 3)
    true = 0.6 * draw.normal(size=(systems, topics)) + draw.normal(size=topics)
    table = true + draw.normal(size=(judges, systems, topics))
    given = Judgements.from_table(table)
    if not crossed:
        given = Judgements.from_rows(rows(table), "x", judge=None)
    found = judge_reliability(given, level, resamples=0)
    for coefficient in ("pearson", "spearman", "kendall"):
        seen = correlation(true, table.mean(axis=0), coefficient, level)
        assert seen == pytest.approx(found.ceiling(coefficient), abs=0.03)
        assert found.disattenuated(seen, coefficient) == pytest.approx(1.0, abs=0.07)


def test_unequal_numbers_of_judges():
    draw = np.random.default_rng(3)
    table = draw.normal(size=(80, 80)) + draw.normal(size=(6, 80, 80))
    table[draw.random(size=table.shape) < 0.5] = np.nan
    table[0][np.isnan(table).all(axis=0)] = 0.0
    given = Judgements.from_table(table)
    true_noise = (1 / given.counts).mean()
    found = judge_reliability(given, "global", resamples=0)
    assert found.value == pytest.approx(1 / (1 + true_noise), abs=0.02)
    assert found.single == pytest.approx(0.5, abs=0.02)
    assert not found.crossed


def test_intervals_hold_the_value_and_depend_on_the_seed_alone(table):
    given = Judgements.from_table(table)
    for level in LEVELS:
        found = judge_reliability(given, level, seed=4)
        assert found.lower < found.value < found.upper
        assert found == judge_reliability(given, level, seed=4)
        narrow = judge_reliability(given, level, seed=4, confidence=0.5)
        assert found.lower < narrow.lower < narrow.upper < found.upper


def test_where_there_is_no_reliability():
    def found(table: object) -> Reliability:
        return judge_reliability(Judgements.from_table(table))

    once = found([[[1, 2], [2, 3]]])
    assert math.isnan(once.value)
    assert once.notes == ("no summary has two judgements, so their reliability is unknown",)
    same = found([[[3, 3], [3, 3]], [[3, 3], [3, 3]]])
    assert math.isnan(same.value)
    assert same.notes == ("the mean judgements do not vary",)
    alone = found([[[3, 4]], [[3, 5]]])
    assert alone.notes == ("no topic has two systems, so nothing varies",)
    apart = found([[[1], [2], [3]], [[3], [2], [1.5]]])
    assert apart.value < 0
    assert math.isnan(apart.ceiling())
    assert math.isinf(apart.needed())
    assert apart.notes[0].startswith("the judges agree no better than by chance")
    full = found([[[1], [2], [3]], [[2], [3], [4]]])  # one judge is milder
    assert (full.value, full.single, full.needed()) == (1.0, 1.0, 1)


def test_how_many_judges_are_needed():
    found = judge_reliability(Judgements.from_table(RATINGS.T[:, :, None]))
    for target in (0.5, 0.75, 0.8, 0.95):
        needed = found.needed(target)
        assert spearman_brown(found.single, needed) >= target
        assert needed == 1 or spearman_brown(found.single, needed - 1) < target


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "topic"}, "level is 'topic'"),
        ({"confidence": 95}, "confidence is 95"),
        ({"resamples": -1}, "resamples is -1"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        judge_reliability(Judgements.from_table(RATINGS.T[:, :, None]), **options)


def test_an_overview_has_the_ceilings(table):
    from summeval.meta import Scores
    from summeval.meta.overview import overview

    given = Judgements.from_table(table)
    names = [str(n) for n in range(7)], [str(n) for n in range(9)]
    tables = {"m.x": table[0], "said": given.means}
    scores = Scores(*names, tables, judgements={"said": given})
    made = overview(scores, ["m.x"], ["said"], resamples=9, seed=3)
    assert [*made.ceilings] == [("said", "summary"), ("said", "system")]
    assert made.ceilings["said", "system"] == judge_reliability(given, "system", seed=3)
    assert overview(Scores(*names, tables), ["m.x"], ["said"], resamples=9).ceilings == {}
    fewer = scores.choose(systems=names[0][:5], topics=names[1][2:])
    wanted = judge_reliability(Judgements.from_table(table[:, :5, 2:]))
    assert judge_reliability(fewer.judgements["said"]) == wanted
