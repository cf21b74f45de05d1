"""The runner between texts and metrics in Python says where a text is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from every import every

import summeval
from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval.metrics.run.runner import Runner
from summeval.metrics.run.suite import Suite

NAMES = ["bipartite", "pyramid-position", "paraeval", "qarla-rouge", "tesla-m"]


def refuse(text: str, place: str) -> str:
    if text == "bad":
        raise ValueError(place)
    return text


def runner() -> Runner[str]:
    nothing = Score(("value",), (float("nan"),), "value")
    metric = summeval.metric("bipartite")
    return Runner.of_pairs(metric, refuse, lambda *_: nothing, nothing)


def test_a_row_of_a_part_has_its_number_in_the_whole() -> None:
    texts = columns.texts(["a", "b", "bad"], "candidates").part(1, 3)
    references = columns.references(["a", "b", ["c", "d"]], "references").part(1, 3)
    with pytest.raises(ValueError, match=r"^candidates\[2\]$"):
        runner().run_rows(texts, references, 1)
    with pytest.raises(ValueError, match=r"^candidates\[2\]$"):
        runner().prepare("a").run_rows(texts, 1)


def test_a_reference_of_a_part_has_the_number_of_its_row() -> None:
    texts = columns.texts(["a", "b", "c"], "candidates").part(1, 3)
    references = columns.references(["a", "b", ["c", "bad"]], "references").part(1, 3)
    with pytest.raises(ValueError, match=r"^references\[2\]\[1\]$"):
        runner().run_rows(texts, references, 1)


def test_a_row_that_an_own_tokenizer_fails_has_its_number_in_the_whole() -> None:
    def tokens(text: str) -> Any:
        return 5 if text == "bad" else text.split()

    rows = ["a b"] * 4999 + ["bad"]
    suite = Suite([summeval.metric("rouge1", tokenizer=tokens, label="own")])
    with pytest.raises(TypeError, match=r"candidates\[4999\], gave int"):
        suite.score_batch(rows, ["a"] * 5000, progress=lambda done, rows: None)


@every("name", NAMES)
@every("given", [5, b"a", {"a": 1}, {"a"}], ids=lambda given: type(given).__name__)
def test_references_that_are_no_sequence_are_named(name: str, given: Any) -> None:
    metric = summeval.metric(name)
    message = f"^references is {type(given).__name__}; pass a str or a sequence of str$"
    for call in (metric.prepare, lambda texts: metric.score("a", texts)):
        with pytest.raises(TypeError, match=message):
            call(given)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_utf8_cannot_hold_is_named(name: str) -> None:
    metric, lone = summeval.metric(name), "a \ud800"
    with pytest.raises(
        ValueError, match=r"^candidate contains an unpaired surrogate at character 2;"
    ):
        metric.score(lone, "a")
    with pytest.raises(ValueError, match=r"^references\[1\] contains an unpaired surrogate"):
        metric.score("a", ["a", lone])
    with pytest.raises(ValueError, match=r"^candidates\[0\] contains an unpaired surrogate"):
        metric.prepare("a").score_batch([lone])
