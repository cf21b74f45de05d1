"""BERTScore around the model: weights, empty texts, references, baselines, what is encoded when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from definitions.vectors.greedy import greedy as twin
from hypothesis import given
from hypothesis import strategies as st
from letter_vectors import Letters

import summeval
from summeval import BertScore
from summeval.metrics.bertscore import metric as tables
from summeval.metrics.bertscore import runner as running
from summeval.metrics.bertscore.runner import frequencies

WORDS = st.sampled_from("the storm hit a town on coast and trains stood still".split())
TEXTS = st.lists(WORDS, max_size=7).map(" ".join)
FIELDS = ("precision", "recall", "fmeasure")


def defined(
    candidate: str, references: Sequence[str], documents: Sequence[str] = ()
) -> list[float]:
    """The scores by the definition: the highest of each field over the references."""
    counts = frequencies([text.split() for text in documents], len(documents))
    unseen = math.log(len(documents) + 1) if documents else 1.0

    def read(text: str) -> tuple[list[list[float]], list[float]]:
        ((spans, vectors),) = Letters()([text])
        return vectors.tolist(), [counts.get(text[a:b], unseen) for a, b in spans]

    found = []
    for reference in references:
        if not candidate.split() or not reference.split():
            found.append([0.0] * 3)
            continue
        precision, recall = twin(*read(candidate), *read(reference))
        both = precision + recall
        found.append([precision, recall, 2 * precision * recall / both if both > 0 else 0.0])
    return np.array(found).max(axis=0).tolist()


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.lists(TEXTS, max_size=4))
def test_scores_are_those_of_the_definition(
    candidate: str, references: list[str], documents: list[str]
) -> None:
    metric = BertScore(model=Letters(), idf=documents or False)
    score = metric.score(candidate, references)
    wanted = defined(candidate, references, documents)
    assert [score[field] for field in FIELDS] == pytest.approx(wanted, abs=1e-6, nan_ok=True)


@given(st.lists(st.tuples(TEXTS | st.none(), st.lists(TEXTS | st.none(), max_size=3)), max_size=9))
def test_rows_are_single_calls(rows: list[tuple[Any, list[Any]]]) -> None:
    metric = BertScore(model=Letters(), aggregate="average")
    left, right = [row[0] for row in rows], [row[1] for row in rows]
    table = metric.score_batch(left, right)
    for number, row in enumerate(rows):
        score = metric.score(*row)
        for field in FIELDS:
            np.testing.assert_equal(table[f"bertscore.{field}"][number], score[field])


def test_each_distinct_text_is_encoded_once() -> None:
    letters = Letters()
    left = ["a b", "c", "a b", "d e", "c"]
    right = [["x", "y"], ["x"], ["y"], ["a b", "x"], ["z"]]
    BertScore(model=letters).score_batch(left, right)
    assert sorted(letters.asked) == sorted({*left, *(text for texts in right for text in texts)})


def test_references_of_earlier_calls_are_not_encoded_again() -> None:
    letters = Letters()
    metric = BertScore(model=letters)
    for candidate in ("a b", "c d", "e"):
        metric.score(candidate, ["x y", "z"])
        metric.score_batch([candidate + " f"], [["x y"]])
    assert [letters.asked.count(text) for text in ("x y", "z")] == [1, 1]


def test_prepared_references_are_encoded_once() -> None:
    letters = Letters()
    metric = BertScore(model=letters)
    prepared = metric.prepare(["x y", "z"])
    wanted = metric.score("a x", ["x y", "z"])
    letters.asked.clear()
    assert prepared.score("a x") == wanted
    assert prepared.score_batch(["a x", None])["bertscore"][0] == wanted.fmeasure
    assert letters.asked == ["a x", "a x"]


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_parts_change_no_number_and_bound_the_texts_at_hand(
    monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    left = [f"word{k % 7} storm {k}" for k in range(40)]
    right = [[f"storm {k % 5}", f"coast {k % 3}"] for k in range(40)]
    wanted = BertScore(model=Letters()).score_batch(left, right)
    monkeypatch.setattr(running, "PART_ROWS", rows)
    monkeypatch.setattr(running, "KEPT_BYTES", 0)
    sizes = []

    class Counting(Letters):
        def __call__(self, texts: Sequence[str]) -> Any:
            sizes.append(len(texts))
            return super().__call__(texts)

    found = BertScore(model=Counting()).score_batch(left, right)
    assert len(sizes) == 40 // rows
    assert max(sizes) <= 3 * rows  # a candidate and two references each
    for name in wanted.columns:
        np.testing.assert_array_equal(found[name], wanted[name])


def test_a_part_ends_where_its_vectors_take_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    class Counting(Letters):
        def __call__(self, texts: Sequence[str]) -> Any:
            sizes.append(sum(map(len, texts)))
            return super().__call__(texts)

    monkeypatch.setattr(running, "PART_BYTES", 4 * 13 * 1000)  # of about 3,000 characters
    left = [f"{k} " + "storm " * 50 for k in range(200)]
    BertScore(model=Counting()).score_batch(left, ["the storm"] * 200)
    assert max(sizes[1:]) < 4000  # before the first call the dimensions are not known
    assert sum(sizes) == sum(map(len, left)) + len("the storm")


def test_rows_of_one_reference_are_scored_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "PART_ROWS", 10)
    monkeypatch.setattr(running, "KEPT_BYTES", 0)
    letters = Letters()
    left = [f"candidate {k}" for k in range(40)]
    BertScore(model=letters).score_batch(left, [f"reference {k % 4}" for k in range(40)])
    assert sum(text.startswith("reference") for text in letters.asked) == 4


def test_references_that_may_come_again_are_kept_up_to_a_size() -> None:
    kept = running.Kept(100)
    reads = {name: running.Read(np.zeros((2, 4), np.float32), np.zeros(2), False) for name in "abc"}
    kept.add({"a": reads["a"], "b": reads["b"]})  # 48 bytes each
    assert kept.find("a") is reads["a"]
    kept.add({"c": reads["c"]})
    assert [kept.find(name) is not None for name in "abc"] == [True, False, True]


def test_progress_is_told_every_few_rows() -> None:
    seen: list[int] = []
    metric = BertScore(model=Letters())
    summeval.score_batch(
        ["a"] * 200, ["a b"] * 200, [metric], progress=lambda done, rows: seen.append(done)
    )
    assert seen == [64, 128, 192, 200]


# -- idf


def test_idf_counts_each_document_once() -> None:
    found = frequencies([["a", "a", "b"], ["a"], []], 3)
    assert found == {"a": math.log(4 / 3), "b": math.log(4 / 2)}


def test_idf_of_a_file_is_that_of_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("the storm\n\nthe coast\r\na storm\n", encoding="utf-8")
    texts = ["the storm", "the coast", "a storm"]
    one, other = (BertScore(model=Letters(), idf=given) for given in (path, texts))
    assert one.signature == other.signature
    assert one.score("the coast", "a coast") == other.score("the coast", "a coast")
    nested = BertScore(model=Letters(), idf=[["the storm", None, "the coast"], ["a storm"]])
    assert nested.signature == other.signature
    assert other.score("the coast", "a coast") != BertScore(model=Letters()).score(
        "the coast", "a coast"
    )


@pytest.mark.parametrize(
    ("idf", "error", "message"),
    [
        (True, ValueError, r"^idf is True; give the documents that are counted, such as idf=ref"),
        ([], ValueError, "^idf has no documents; give at least one"),
        (5, TypeError, "^idf is int; give texts, or a file"),
        (["a", 5], TypeError, r"^idf\[1\] is int; give a str"),
    ],
)
def test_idf_that_cannot_be_counted(idf: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        BertScore(model=Letters(), idf=idf)


# -- baselines


def test_a_baseline_is_taken_off_after_the_best_reference_is_found(tmp_path: Path) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.2,0.3\n1,0.5,0.25,0.75\n", encoding="utf-8")
    plain = BertScore(model=Letters()).score("the storm", ["a storm hit", "coast"])
    found = BertScore(model=Letters(), rescale=path).score("the storm", ["a storm hit", "coast"])
    wanted = [(x - b) / (1 - b) for x, b in zip(plain, (0.5, 0.25, 0.75), strict=True)]
    assert list(found) == pytest.approx(wanted, abs=1e-12)


def test_baselines_of_bert_score() -> None:
    """Numbers of bert_score/rescale_baseline/en/roberta-large.tsv and de/xlm-roberta-base.tsv."""
    assert tables.baseline(True, "roberta-large", 17)[0] == (0.83150584, 0.8314941, 0.83122575)
    assert tables.baseline("de", "xlm-roberta-base", 9)[1] == "de"
    assert summeval.metric("bertscore", model="roberta-large").signature.options["model"] == (
        "roberta-large-layer-17"
    )


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("P,R,F\n0,0,0\n", "is no baseline: its first line must be LAYER,P,R,F"),
        ("LAYER,P,R,F\n", "is no baseline"),
        ("LAYER,P,R,F\n1,0,0,0\n", ":2: '1,0,0,0' is not the layer 0 and three numbers below 1"),
        ("LAYER,P,R,F\n0,0,0,0\n1,0,0,1\n", ":3: '1,0,0,1' is not the layer 1"),
        ("LAYER,P,R,F\n0,0,x,0\n", ":2: '0,0,x,0' is not"),
        ("LAYER,P,R,F\n0,0,nan,0\n", ":2: '0,0,nan,0' is not"),
    ],
)
def test_files_that_are_no_baseline(tmp_path: Path, lines: str, message: str) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        BertScore(model=Letters(), rescale=path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rescale": True}, "rescale: no baseline of 'minilm' for 'en' is known; give a file"),
        ({"rescale": "xx"}, "unknown language of baselines 'xx'"),
        ({"rescale": "no/such.tsv"}, "rescale is 'no/such.tsv', and there is no such file"),
        (
            {"rescale": True, "model": "roberta-large", "layer": 25},
            "rescale: roberta-large has baselines of the layers 0 to 24, and layer is 25",
        ),
        ({"model": Letters(), "layer": 2}, "layer is set and model a callable"),
        ({"model": Letters(), "long": "window"}, "long is for models from disk, and model a"),
        ({"model": "./nowhere"}, "model is './nowhere', and there is no such folder"),
        ({"batch_size": 0}, "batch_size is 0; give a whole number of at least 1"),
        ({"layer": -1}, "layer is -1; give a whole number of at least 0"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        BertScore(**options)
    assert "\n" not in str(caught.value)


# -- callables


@pytest.mark.parametrize(
    ("give", "message"),
    [
        (lambda texts: [([(0, 1)], np.ones((2, 3)))], r"shape \(2, 3\) for the 1 words"),
        (lambda texts: [([(0, 1)], np.ones(3))], r"shape \(3,\) for the 1 words"),
        (lambda texts: [([(0, 1)], np.full((1, 3), np.nan))], "NaN or infinity"),
        (lambda texts: [([(0, 1)], np.ones((1, 3)))], "model gave 1 results for 2 texts"),
    ],
)
def test_a_callable_that_gives_something_else(give: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BertScore(model=give, label="mine").score("a", "b")


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a folder without config\.json; give that of a tra"):
        BertScore(model=tmp_path)
