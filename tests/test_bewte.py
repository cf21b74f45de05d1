"""BEwT-E on Basic Elements: the numbers of the original program, and what a score is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from summeval.metrics.bewte import BEwTE

ROOT = Path(__file__).resolve().parent
CASES = json.loads((ROOT / "cases" / "bewte_elements.json").read_text(encoding="utf-8"))["cases"]
# "company" has "companies" since the default mends u04, so this case of the original gains by it.
GAINS = {"e11"}


def metric_of(case: dict[str, Any], compat: str | None, **options: Any) -> BEwTE:
    told = dict(case["options"])
    return BEwTE(weights=told.pop("weights").lower(), compat=compat, **told, **options)


def expected(case: dict[str, Any], compat: str | None) -> float:
    if compat is None:
        return case.get("score_intended", case["score_jackknife"])
    return case["score_jackknife"]


@pytest.mark.parametrize("compat", [None, "0.5.1"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_scores_of_the_original_program(case: dict[str, Any], compat: str | None) -> None:
    if compat is None and case["id"] in GAINS:
        pytest.skip("mended by default")
    given = case["peer_bes"], case["reference_bes"]
    score = metric_of(case, compat).score_elements(*given)
    assert score.value == pytest.approx(expected(case, compat), abs=1e-9)
    if compat or "score_intended" not in case:
        best = metric_of(case, compat, combine="max").score_elements(*given)
        assert best.recall == pytest.approx(case["score_max"], abs=1e-9)
        each = case.get("recall_per_reference", {})
        assert {name: best.recall_per_reference[name] for name in each} == pytest.approx(each)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_transformations_of_the_original_program(case: dict[str, Any]) -> None:
    if "reference_reaching_transforms" not in case:
        pytest.skip("the case lists none")
    found = metric_of(case, "0.5.1").transformations(case["peer_bes"], case["reference_bes"])
    assert found == case["reference_reaching_transforms"]
    if "score_intended" not in case and case["id"] not in GAINS:
        default = metric_of(case, None).transformations(case["peer_bes"], case["reference_bes"])
        assert default == found


@pytest.mark.parametrize(
    "case", [c for c in CASES if "reference_scores_original" in c], ids=lambda case: case["id"]
)
def test_references_as_summaries(case: dict[str, Any]) -> None:
    found = metric_of(case, "0.5.1").score_references(case["reference_bes"])
    assert found == pytest.approx(case["reference_scores_original"])
