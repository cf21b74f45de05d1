"""How ROUGE-1.5.5 uses counts: which model -f B takes, and when it rounds."""

from __future__ import annotations

import pytest

from summeval.metrics.rouge.measures import ScriptMeasure, Totals, parse, pool, score

# (hits, reference, candidate, base): recalls of .33333|33 and .33333|40, equal where printed.
CLOSE = [(1.0, 3.0, 5.0, 3.0), (333334.0, 10.0**6, 7.0, 10.0**6)]
FIRST, SECOND = (Totals(model[1], model[2], model[0]) for model in CLOSE)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("rouge1", FIRST),
        ("rouge4", FIRST),
        ("rougeS4", FIRST),
        ("rougeS*", FIRST),
        ("rougeSU4", FIRST),
        ("rougeLsum", SECOND),
        ("rougeL", SECOND),
        ("rougeW-1.2", SECOND),
    ],
)
def test_the_best_model_is_that_of_the_recall_as_printed_or_as_a_double(
    name: str, chosen: Totals
) -> None:
    assert pool(ScriptMeasure(name, parse(name)), CLOSE, best=True) == chosen


def test_basic_elements_compare_as_ngrams_do() -> None:
    assert pool(ScriptMeasure("BE"), CLOSE, best=True) == FIRST


def test_the_best_is_by_the_base_and_not_by_the_total() -> None:
    models = [(2.0, 4.0, 5.0, 10.0), (3.0, 9.0, 5.0, 9.0)]
    assert pool(ScriptMeasure("W-1.2", parse("rougeW")), models, best=True) == Totals(9, 5, 3)


def test_all_models_are_added_up_unless_the_best_is_asked_for() -> None:
    assert pool(ScriptMeasure("1", parse("rouge1")), CLOSE, best=False) == Totals(
        3.0 + 10.0**6, 12.0, 333335.0
    )


def test_recall_and_precision_are_rounded_before_f() -> None:
    found = score(ScriptMeasure("1", parse("rouge1")), Totals(3, 7, hits=1), alpha=0.5)
    exact = 2 * 0.33333 * 0.14286 / (0.33333 + 0.14286)
    assert tuple(found) == (0.33333, 0.14286, round(exact, 5))
    weighted = score(ScriptMeasure("W", parse("rougeW-2")), Totals(4, 16, hits=1), alpha=0.5)
    assert tuple(weighted) == (0.5, 0.25, 0.33333)  # the square roots of 1/4 and 1/16
