"""The cross-validation of combinations: what is held out, what is correlated, what is refused."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from summeval.learn.regression import LinearModel, NormedModel
from summeval.meta import correlation
from summeval.study.combined import MOST_FOLDS, JudgedColumns, combination, held_out_by

TOPICS, SYSTEMS = 12, 5


def judged(seed: int = 0, **more: Any) -> JudgedColumns:
    """Scores that are the first column and a little noise; the second column falls."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(2, TOPICS * SYSTEMS))
    given = JudgedColumns(
        {"good.value": x[0], "bad.loss": x[1]},
        {"good.value": True, "bad.loss": False},
        x[0] - 0.5 * x[1] + 0.1 * random.normal(size=TOPICS * SYSTEMS),
        np.arange(TOPICS * SYSTEMS, dtype=np.float64),
        [n // SYSTEMS for n in range(TOPICS * SYSTEMS)],
        [f"s{n % SYSTEMS}" for n in range(TOPICS * SYSTEMS)],
    )
    return dataclasses.replace(given, **more)


def rows_of(given: JudgedColumns, folds: list[str]) -> dict[tuple[str, str | None], dict[str, Any]]:
    found = combination(given, lambda: LinearModel(list(given.columns)), folds, kind="linear")
    (table,) = found.tables
    return {(row["scored by"], row["held out"]): row for row in table.rows}


def test_each_way_of_scoring_has_a_row() -> None:
    given = judged()
    found = rows_of(given, ["topic", "system"])
    assert [*found] == [
        ("linear", "topic"),
        ("linear", "system"),
        ("mean of z-scores", None),
        ("good.value", None),
        ("bad.loss", None),
        ("length", None),
    ]
    table = given.columns["bad.loss"].reshape(TOPICS, SYSTEMS).T
    human = given.scores.reshape(TOPICS, SYSTEMS).T
    expected = correlation(-table, human, "spearman", "summary")
    assert found["bad.loss", None]["summary"] == pytest.approx(expected) and expected > 0
    assert found["linear", "topic"]["summary"] > 0.9
    assert (
        "negated, as lower is better: bad.loss"
        in combination(given, lambda: LinearModel(["a", "b"]), [], kind="linear").notes
    )


def test_no_prediction_knows_the_scores_of_what_is_held_out() -> None:
    given = judged()
    seen: list[set[float]] = []

    class Spy:
        def fit(self, x: Any, y: Any, topics: Any) -> None:
            seen.append(set(y.tolist()))
            assert len(topics) == len(y)

        def predict(self, x: Any) -> Any:
            return np.zeros(len(x))

    combination(given, Spy, ["system"], kind="spy")
    folds = held_out_by(given, "system")
    assert len(seen) == len(set(folds)) == SYSTEMS
    for fold, known in enumerate(seen):
        held = {score for score, own in zip(given.scores, folds, strict=True) if own == fold}
        assert not held & known and len(held | known) == len(given.scores)


def test_many_topics_are_held_out_in_ten_folds_and_each_set_in_its_own() -> None:
    given = judged(sets=["a", "b"] * (TOPICS * SYSTEMS // 2))
    assert len(set(held_out_by(judged(), "topic"))) == MOST_FOLDS
    assert held_out_by(given, "set")[:4] == [0, 1, 0, 1]
    assert len(set(given.own_topics)) == 2 * TOPICS  # a topic of another set is another topic


def test_correlations_are_means_over_sets() -> None:
    one, two = judged(1), judged(2)
    both = JudgedColumns(
        {name: np.concatenate([one.columns[name], two.columns[name]]) for name in one.columns},
        one.higher_is_better,
        np.concatenate([one.scores, two.scores]),
        np.concatenate([one.lengths, two.lengths]),
        [*one.topics, *two.topics],
        [*one.systems, *two.systems],  # type: ignore[misc]
        ["a"] * len(one.scores) + ["b"] * len(two.scores),
    )
    for level in ("summary", "system"):
        alone = [rows_of(part, [])["good.value", None][level] for part in (one, two)]
        assert rows_of(both, [])["good.value", None][level] == pytest.approx(np.mean(alone))


def test_rows_of_unknown_systems_have_the_summary_level_alone() -> None:
    found = rows_of(judged(systems=None), ["topic"])
    assert [*found["length", None]] == ["scored by", "held out", "summary"]
    assert found["length", None]["summary"] == rows_of(judged(), [])["length", None]["summary"]


def test_the_order_of_rows_does_not_matter_beside_the_folds() -> None:
    given = judged()
    order = np.random.default_rng(3).permutation(len(given.scores))
    mixed = JudgedColumns(
        {name: column[order] for name, column in given.columns.items()},
        given.higher_is_better,
        given.scores[order],
        given.lengths[order],
        [given.topics[n] for n in order],
        [given.systems[n] for n in order],  # type: ignore[index]
    )
    for key, row in rows_of(given, []).items():
        assert rows_of(mixed, [])[key]["summary"] == pytest.approx(row["summary"])


@pytest.mark.parametrize(
    ("more", "folds", "message"),
    [
        ({"scores": np.ones(TOPICS * SYSTEMS)}, ["topic"], "all human scores are equal"),
        ({"topics": [0] * TOPICS * SYSTEMS}, ["topic"], "1 topic; to hold topics out there must"),
        ({"systems": ["s"] * TOPICS * SYSTEMS}, ["system"], "1 system; to hold systems out"),
        ({}, ["set"], "no set is known; pass the column of sets"),
        ({"topics": [0] * TOPICS * SYSTEMS}, [], "system 's0' is repeated for topic 0; keep one"),
    ],
)
def test_what_cannot_be_validated_is_said_in_a_line(
    more: dict[str, Any], folds: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        rows_of(judged(**more), folds)
    assert "\n" not in str(caught.value)


def test_a_column_that_is_constant_is_noted() -> None:
    given = judged()
    flat = dataclasses.replace(
        given, columns=given.columns | {"bad.loss": np.ones(len(given.scores))}
    )
    found = combination(
        flat, lambda: NormedModel(["a", "b"], "mean", [True, True]), ["topic"], kind="mean"
    )
    assert "the same for all summaries, so it counts nothing: bad.loss" in found.notes
