"""Metrics of several families in one suite: kernels and Python, rows of None, Arrow, workers."""

import math
import pickle

import numpy as np
import pytest

import summeval

METRICS = ["memog", "bipartite", "rouge1"]
CANDIDATES = ["the cat sat on the mat", None, "", "größe 😀 über alles", "a dog"] * 7
REFERENCES = [
    ["the cat lay on a mat", "a cat sat"],
    ["x"],
    ["the cat"],
    ["größe 😀 über", None],
    [],
] * 7


def test_columns_stand_in_the_order_of_the_metrics() -> None:
    table = summeval.score_batch(CANDIDATES, REFERENCES, metrics=METRICS)
    assert table.columns == [
        *(f"memog.{field}" for field in ("value", "containment", "size")),
        *(f"bipartite.{field}" for field in ("precision", "recall", "fmeasure", "matching")),
        *(f"rouge1.{field}" for field in ("precision", "recall", "fmeasure")),
    ]
    assert list(table.signature) == METRICS


@pytest.mark.parametrize("workers", [1, 3])
def test_rows_are_single_calls_whatever_the_workers(workers: int) -> None:
    table = summeval.score_batch(CANDIDATES, REFERENCES, metrics=METRICS, workers=workers)
    for row, texts in enumerate(zip(CANDIDATES, REFERENCES, strict=True)):
        scores = summeval.score(*texts, metrics=METRICS)
        assert list(scores) == METRICS
        for name in table.columns:
            metric, field = name.split(".")
            np.testing.assert_equal(table[name][row], scores[metric][field])
            assert math.isnan(table[name][row]) == (row % 5 in (1, 4))


def test_arrow_columns_give_what_lists_give() -> None:
    pa = pytest.importorskip("pyarrow")
    wanted = summeval.score_batch(CANDIDATES, REFERENCES, metrics=METRICS)
    for text in (pa.string(), pa.large_string(), pa.string_view()):
        columns = pa.array(CANDIDATES, text), pa.array(REFERENCES, pa.list_(text))
        found = summeval.score_batch(*columns, metrics=METRICS, workers=2)
        for name in wanted.columns:
            assert found[name].tobytes() == wanted[name].tobytes()


def test_prepared_references_and_pickled_copies_give_the_same() -> None:
    suite = summeval.suite(METRICS)
    copy = pickle.loads(pickle.dumps(suite))
    assert copy.signature == suite.signature
    for texts in REFERENCES[:5]:
        prepared = suite.prepare(texts)
        again = pickle.loads(pickle.dumps(prepared))
        table = prepared.score_batch(CANDIDATES[:5])
        for row, candidate in enumerate(CANDIDATES[:5]):
            wanted = repr(suite.score(candidate, texts))
            assert repr(prepared.score(candidate)) == repr(again.score(candidate)) == wanted
            assert repr(copy.score(candidate, texts)) == wanted
            np.testing.assert_equal(
                table["memog.value"][row], suite.score(candidate, texts)["memog"].value
            )


def test_progress_counts_rows_of_every_family_once() -> None:
    seen: list[tuple[int, int]] = []
    table = summeval.score_batch(
        CANDIDATES, REFERENCES, metrics=METRICS, progress=lambda *at: seen.append(at)
    )
    assert seen[-1] == (table.rows, table.rows)
    wanted = summeval.score_batch(CANDIDATES, REFERENCES, metrics=METRICS)
    assert table["memog.value"].tobytes() == wanted["memog.value"].tobytes()


def test_a_row_that_no_text_can_stand_in_is_named() -> None:
    rows = [*CANDIDATES[:5], "\ud800"]
    with pytest.raises(ValueError, match=r"candidates\[5\] contains an unpaired surrogate"):
        summeval.score_batch(rows, REFERENCES[:6], metrics=METRICS)


@pytest.mark.parametrize("name", ["rouge2", "tesla-s", "npower", "simetrix"])
@pytest.mark.parametrize("workers", [1, 2])
def test_rows_with_the_references_of_the_row_before_are_single_calls(
    name: str, workers: int
) -> None:
    """The same object, the same text elsewhere in memory, another text of the same length."""
    metric = summeval.metric(name)
    one = "the cat lay on a mat"
    rows = [[one], [one], [one.upper().lower()], ["the dog lay on a mat"], [one], [one, one], [""]]
    candidates = ["the cat sat on a mat", "the dog lay there"] * 200
    against = (rows * 60)[: len(candidates)]
    sides = {"sources" if metric.compared_with == "source" else "references": against}
    table = metric.score_batch(candidates, **sides, workers=workers)
    for row, candidate in enumerate(candidates[:20]):
        side = {key.rstrip("s") if key == "sources" else key: against[row] for key in sides}
        score = metric.score(candidate, **side)
        for column in table.columns:
            field = column.partition(".")[2]
            np.testing.assert_equal(table[column][row], score[field])
