"""`on_error="skip"`: a refused row has no scores, and the rest scores as if it were not there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from every import every
from letter_vectors import Letters
from metric_cases import NEEDED

import summeval
from summeval.metrics.run import suite as suites
from summeval.metrics.run.declared import block_of
from summeval.metrics.run.refusals import attempt

LONE = "a \ud800 cat"
LONG = " ".join(f"w{i}" for i in range(70_000))  # more skip-bigrams than are counted
CANDIDATES = ["the cat sat", 7, LONE, "a dog ran", None, "the dog barked at a cat", "a cat"]
REFERENCES = ["the cat", "a cat", "a cat", ["a dog", 5], "a cat", ["a dog barked", "a cat"], "cat"]
SOURCES = ["The cat sat there. A dog ran."] * 7
REFUSED = {
    1: "candidates[1] is int, expected str or None",
    2: "candidates[2] contains an unpaired surrogate at character 2; replace it first",
    3: "references[3][1] is int, expected str or None",
}
OPTIONS: dict[str, Any] = {"bertscore": {"model": Letters()}, **NEEDED}  # no model from disk
NAMES = sorted({*summeval.list_metrics()} - {f"rouge{n}" for n in range(3, 10)})


def bits(table: Any, rows: Any = slice(None)) -> dict[str, bytes]:
    return {name: table[name][rows].tobytes() for name in table.columns}


def enough(references: Any, metric: Any) -> Any:
    """The references, repeated where the metric needs several."""
    times = metric.least_references
    return references * times if isinstance(references, list) else [references] * times


@every("name", NAMES)
def test_rows_that_cannot_be_read_are_as_if_absent(name: str) -> None:
    metric = summeval.metric(name, **OPTIONS.get(name, {}))
    reads_references = metric.compared_with == "references"
    given = [enough(row, metric) for row in REFERENCES]
    bad = {row for row in REFUSED if row != 3 or reads_references}
    kept = [row for row in range(len(CANDIDATES)) if row not in bad]
    candidates, references = ([texts[row] for row in kept] for texts in (CANDIDATES, given))
    if not reads_references:
        references = ["a cat"] * len(kept)
    alone = metric.score_batch(candidates, references, sources=SOURCES[: len(kept)])
    for workers in (1, 3):
        table = metric.score_batch(
            CANDIDATES, given, sources=SOURCES, workers=workers, on_error="skip"
        )
        assert bits(table, kept) == bits(alone)
        assert table.errors == {row: REFUSED[row] for row in sorted(bad)}
        for column in table.columns:
            assert np.isnan(table[column][sorted(bad)]).all()
    assert alone.errors == {}


LIMITED = {
    "rougeS*": {},
    "rougeW": {},
    "tesla-s": {"gap": None},
    "npower": {"window": 10**6},
}


@pytest.mark.parametrize("name", LIMITED)
def test_every_row_that_a_kernel_refuses_is_noted(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["a cat sat", LONG, "a dog", "a cat sat", LONG, LONG, "the end", "end"]
    metric = summeval.metric(name, **LIMITED[name])
    with pytest.raises(ValueError, match=r"^row 1: "):
        metric.score_batch(texts, texts)
    good = [0, 2, 3, 6, 7]
    some = [texts[row] for row in good]
    alone = bits(metric.score_batch(some, some))
    for workers, part in ((1, 8), (2, 8), (5, 8), (2, 3)):
        monkeypatch.setattr(suites, "PART_ROWS", part)
        table = metric.score_batch(texts, texts, workers=workers, on_error="skip")
        assert list(table.errors) == [1, 4, 5]
        for row, message in table.errors.items():
            assert message.startswith(f"row {row}: ")
        assert bits(table, good) == alone
        assert all(np.isnan(table[column][[1, 4, 5]]).all() for column in table.columns)
    prepared = metric.prepare("a cat sat")
    table = prepared.score_batch(texts, workers=2, on_error="skip")
    assert bits(table, good) == bits(prepared.score_batch(some))
    assert list(table.errors) == ([] if name == "rougeW" else [1, 4, 5])  # one side is short


def test_metrics_that_share_a_pass_keep_the_scores_that_they_have_alone() -> None:
    texts = ["a cat", LONG, "a dog"]
    names = ["rouge1", "rougeS*", "rougeW"]
    table = summeval.score_batch(texts, texts, names, on_error="skip")
    assert table["rouge1"].tolist() == [1.0, 1.0, 1.0]
    for name in names[1:]:
        assert np.isnan(table[name]).tolist() == [False, True, False]
    first, second = table.errors[1].split("; row 1: ")
    assert "skip-bigrams" in first
    assert "rougeW" in second
    prepared = summeval.suite(names).prepare("a cat").score_batch(texts, on_error="skip")
    assert prepared["rouge1"].tolist() == [1.0, 0.0, 0.5]
    assert "skip-bigrams" in prepared.errors[1]


def test_the_message_has_the_row_of_a_dictionary_and_of_a_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    column = pa.array(["a cat", "a dog", "a cat", LONG, "a cat", LONG]).dictionary_encode()
    table = summeval.score_batch(column, column, ["rougeS*"], on_error="skip")
    assert [(row, text[:6]) for row, text in table.errors.items()] == [(3, "row 3:"), (5, "row 5:")]
    monkeypatch.setattr(suites, "PART_ROWS", 2)
    for options in ({"tokenizer": str.split}, {"sentences": "rules"}):
        metric = summeval.metric("rougeS*", **options)
        with pytest.raises(ValueError, match=r"^row 3: "):
            metric.score_batch(column, column)
        assert list(metric.score_batch(column, column, on_error="skip").errors) == [3, 5]


def _no_dogs(text: str) -> list[str]:
    if "dog" in text:
        raise KeyError("dog")
    return text.split()


@pytest.mark.parametrize("name", ["rouge1", "tesla-s", "tesla-m", "paraeval"])
def test_a_callable_that_fails_for_a_row(name: str) -> None:
    metric = summeval.metric(name, tokenizer=_no_dogs)
    candidates, references = ["a cat", "a dog", "a cat sat"], ["a cat", "a cat", ["a cat", "dog"]]
    with pytest.raises(KeyError, match="dog"):
        metric.score_batch(candidates, references)
    table = metric.score_batch(candidates, references, on_error="skip")
    assert list(table.errors) == [1, 2]
    assert table.errors[1] == "row 1: KeyError: 'dog'"
    assert np.isnan(table[name]).tolist() == [False, True, True]
    prepared = metric.prepare("a cat").score_batch(candidates, on_error="skip")
    assert list(prepared.errors) == [1]
    assert prepared[name][0] == table[name][0]


class Whole(summeval.Metric):
    """Characters of texts, by a runner that knows nothing of refused rows."""

    name = primary = "whole"
    fields = ("whole",)
    calls = 0

    @property
    def signature(self) -> str:
        return "whole"

    def fusion_key(self) -> Hashable:
        return type(self)

    @staticmethod
    def fuse(metrics: Sequence[Any]) -> Any:
        return WholeRunner(metrics[0])


class WholeRunner:
    def __init__(self, metric: Whole) -> None:
        self.metric = metric

    def run_rows(self, candidates: Any, references: Any, workers: int) -> Any:
        self.metric.calls += 1
        texts = candidates.to_list()
        fail: Callable[[str], bool] = lambda text: text.startswith("bad")  # noqa: E731
        if any(map(fail, texts)):
            raise ValueError("it holds a bad text")
        if "gone" in texts:
            raise ImportError("no such library")
        scores = [summeval.Score(("whole",), (float(len(text)),), "whole") for text in texts]
        return block_of(scores, ("whole",))


def test_a_runner_of_someone_elses_is_run_on_parts() -> None:
    metric = Whole()
    texts = ["cat"] * 100
    texts[17] = texts[64] = texts[99] = "bad"
    with pytest.raises(ValueError, match=r"^row 17: it holds a bad text$"):
        metric.score_batch(texts, texts)
    metric.calls = 0
    table = metric.score_batch(texts, texts, on_error="skip")
    assert table.errors == {row: f"row {row}: it holds a bad text" for row in (17, 64, 99)}
    assert np.flatnonzero(np.isnan(table["whole"])).tolist() == [17, 64, 99]
    assert np.nansum(table["whole"]) == 97 * 3
    assert metric.calls < 50
    with pytest.raises(ImportError):
        metric.score_batch(["cat", "gone"], ["", ""], on_error="skip")


def test_what_is_no_rows_fault_is_raised_all_the_same() -> None:
    with pytest.raises(ValueError, match="3 candidates but 2"):
        summeval.score_batch(["a"] * 3, ["a"] * 2, ["rouge1"], on_error="skip")
    with pytest.raises(TypeError, match="candidates is a str"):
        summeval.score_batch("a cat", ["a"], ["rouge1"], on_error="skip")
    with pytest.raises(ValueError, match="pass sources="):
        summeval.score_batch(["a cat"], ["a"], ["simetrix"], on_error="skip")
    with pytest.raises(ValueError, match="on_error is 'ignore'; choose from 'raise', 'skip'"):
        summeval.score_batch(["a cat"], ["a"], ["rouge1"], on_error="ignore")  # type: ignore[arg-type]


def test_a_side_that_no_metric_reads_refuses_nothing() -> None:
    table = summeval.score_batch(
        ["a cat", "a dog"],
        [5, "a dog"],
        ["simetrix", "rouge1"],
        sources=["a cat", ["a dog", LONE]],
        on_error="skip",
    )
    assert list(table.errors) == [0, 1]
    assert np.isnan(table["rouge1"]).tolist() == [True, False]
    assert np.isnan(table["simetrix"]).tolist() == [False, True]
    table = summeval.score_batch(["a cat"], [5], ["simetrix"], sources=["a cat"], on_error="skip")
    assert table.errors == {}


def test_a_text_that_the_parser_refuses_is_its_rows_error() -> None:
    texts = ["The cat sat.", "x" * 1_000_001, "A dog ran."]
    for name in ("bewte", "dicomer"):
        with pytest.raises(ValueError, match=r"^row 1: a line of 1,000,001 characters"):
            summeval.metric(name).score_batch(texts, ["The cat sat."] * 3)
        table = summeval.metric(name).score_batch(texts, ["The cat sat."] * 3, on_error="skip")
        assert np.isnan(table[name]).tolist() == [False, True, False]
        assert table.errors[1].startswith("row 1: a line of 1,000,001 characters")


def test_a_callable_that_lacks_its_library_ends_the_batch() -> None:
    def tokens(text: str) -> list[str]:
        raise ImportError("no module named words")

    for name in ("rouge1", "paraeval"):
        metric = summeval.metric(name, tokenizer=tokens, label="own")
        with pytest.raises(ImportError, match="words"):
            metric.score_batch(["a cat"], ["a cat"], on_error="skip")


def test_rows_keep_their_numbers_where_case_is_made_even(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suites, "PART_ROWS", 2)
    metric = summeval.metric("npower", window=10**6, case="auto")
    candidates, references = ["a cat"] * 3 + [LONG, "a cat"], ["A Cat"] * 5
    with pytest.raises(ValueError, match=r"^row 3: "):
        metric.score_batch(candidates, references)
    table = metric.score_batch(candidates, references, on_error="skip")
    assert np.isnan(table["npower"]).tolist() == [False, False, False, True, False]
    assert table.errors[3].startswith("row 3: too many pairs")


def test_bytes_that_are_not_utf8_are_their_rows_error() -> None:
    broken = pa.array([b"a cat", b"\xff\xfe", None, b"a dog"]).view(pa.string())
    good = pa.array(["a cat"] * 4)
    lists = pa.ListArray.from_arrays([0, 1, 2, 3, 4], broken)
    for candidates, references in ((broken, good), (good, broken), (good, lists)):
        try:
            summeval.score_batch(candidates, references, ["rouge1"])
        except ValueError as error:
            assert "not UTF-8" in str(error)
        else:
            pytest.skip("such bytes are not refused")
        table = summeval.score_batch(candidates, references, ["rouge1"], on_error="skip")
        assert list(table.errors) == [1]
        assert "not UTF-8" in table.errors[1]
        assert np.isnan(table["rouge1"]).tolist() == [False, True, True, False]


@pytest.mark.parametrize("rows", [1, 5])
def test_an_error_of_a_callable_keeps_its_type_and_names_the_row(rows: int) -> None:
    def split(text: str) -> list[str]:
        if text == "last":
            raise RuntimeError("no way")
        return text.split()

    metric = summeval.metric("rouge1", tokenizer=split, label="own")
    texts = [*["a"] * (rows - 1), "last"]
    with pytest.raises(RuntimeError, match="no way") as caught:
        metric.score_batch(texts, ["a"] * rows)
    assert caught.value.__notes__ == [f"row {rows - 1}"]


def test_an_error_of_no_row_is_raised_without_another_try() -> None:
    class Side:
        first = 0

        def __len__(self) -> int:
            return 4

    tries = []

    class Runner:
        def run_rows(self, side: Any, workers: int) -> Any:
            tries.append(len(side))
            raise OSError("no such table")

    with pytest.raises(OSError, match="no such table"):
        attempt(Runner(), (Side(),), 1, [summeval.metric("be")], None)  # type: ignore[arg-type]
    assert tries == [4]
