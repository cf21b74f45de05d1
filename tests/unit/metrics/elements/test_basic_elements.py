"""Basic Elements against several references: pooled, the best one, and leaving one out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval import BasicElements

CANDIDATE = ["a|b|c", "a|b|c", "q|w|e"]
# Of two elements one is shared, of four three, of one one.
REFERENCES = [["a|b|c", "x|y|z"], ["a|b|c", "q|w|e", "a|b|d", "t|u|v"], ["q|w|e"]]

texts = st.lists(st.sampled_from(["a|b|c", "a|b|d", "q|w|e", "x|y|z", "r|NIL|NIL"]), max_size=5)


def scores(aggregate: str, references: list[list[str]], **options: object) -> tuple[float, ...]:
    metric = BasicElements(aggregate=aggregate, digits=None, **options)  # type: ignore[arg-type]
    found = metric.score_units(CANDIDATE, references)
    return found.precision, found.recall, found.fmeasure


@pytest.mark.parametrize(
    ("aggregate", "precision", "recall"),
    [
        ("average", 5 / 9, 5 / 7),  # 1 + 3 + 1 shared; 2 + 4 + 1 in references, three times 3
        ("best", 1 / 3, 1.0),  # the last
    ],
)
def test_three_references_by_hand(aggregate: str, precision: float, recall: float) -> None:
    f = 2 * precision * recall / (precision + recall)
    assert scores(aggregate, REFERENCES) == pytest.approx((precision, recall, f))


@pytest.mark.parametrize("aggregate", ["average", "best"])
def test_jackknife_is_the_mean_over_sets_without_one(aggregate: str) -> None:
    sets = [[*REFERENCES[:k], *REFERENCES[k + 1 :]] for k in range(3)]
    parts = [scores(aggregate, references) for references in sets]
    means = [sum(column) / 3 for column in zip(*parts, strict=True)]
    assert scores(aggregate, REFERENCES, jackknife=True) == pytest.approx(means)
    assert scores(aggregate, REFERENCES, jackknife=True) != scores(aggregate, REFERENCES)
    one = REFERENCES[:1]
    assert scores(aggregate, one, jackknife=True) == scores(aggregate, one)


@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_the_best_has_the_highest_recall_of_one_reference(
    candidate: list[str], references: list[list[str]]
) -> None:
    metric = BasicElements(mode="hm1", aggregate="best")
    alone = [metric.score_units(candidate, [one]) for one in references]
    found = metric.score_units(candidate, references)
    assert found.recall == max(one.recall for one in alone)
    assert tuple(found) in [tuple(one) for one in alone]


@given(texts, texts, st.integers(1, 4))
def test_one_reference_several_times_scores_as_once(
    candidate: list[str], reference: list[str], times: int
) -> None:
    for aggregate in ("average", "best"):
        for jackknife in (False, True):
            metric = BasicElements(mode="hm1", aggregate=aggregate, jackknife=jackknife)
            once = metric.score_units(candidate, [reference])
            several = metric.score_units(candidate, [reference] * times)
            assert list(several) == pytest.approx(list(once), abs=1e-12)


def test_the_signature_names_both() -> None:
    assert "|aggregate:best|jackknife|" in str(
        BasicElements(aggregate="best", jackknife=True).signature
    )
    assert "jackknife" not in str(BasicElements().signature)
    alone = BasicElements(jackknife=True).without_jackknife()
    assert str(alone.signature) == str(BasicElements().signature)
