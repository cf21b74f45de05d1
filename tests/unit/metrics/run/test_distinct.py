"""Record batches in and out, and dictionaries: repeated rows are scored or read once."""

import sys
from collections.abc import Sequence

import numpy as np
import pytest
from definitions import columns as twin
from hypothesis import given, settings
from hypothesis import strategies as st

import summeval
from summeval._core.columns import columns
from summeval.interop.arrow import score_record_batch
from summeval.metrics.run.runner import TextRunner
from summeval.metrics.run.suite import dedup_plan

pa = pytest.importorskip("pyarrow", minversion="18")

METRICS = ["rouge1", "rougeLsum", "tesla-s"]
TEXTS = st.none() | st.sampled_from(["", "a cat", "a cat sat", "the\ndog", "dog the", "é"])
LISTS = st.none() | st.lists(TEXTS, max_size=3)


def coded(values: Sequence[object], kind: "pa.DataType") -> "pa.DictionaryArray":
    """A dictionary-encoded array; its dictionary may hold a value twice."""
    known = [value for n, value in enumerate(values) if value is not None and n % 3]
    wanted = [value for value in values if value is not None and value not in known]
    dictionary = known + wanted
    codes = [None if value is None else dictionary.index(value) for value in values]
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int16()), pa.array(dictionary, kind))


def same(found: summeval.ScoreTable, wanted: summeval.ScoreTable) -> bool:
    return all(found[name].tobytes() == wanted[name].tobytes() for name in wanted.columns) and len(
        found
    ) == len(wanted)


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, LISTS), max_size=12), st.booleans(), st.integers(0, 3))
def test_dictionaries_give_the_scores_of_plain_lists(rows, both, cut):
    candidates = [candidate for candidate, _ in rows]
    references = [texts for _, texts in rows]
    wanted = summeval.score_batch(candidates[cut:], references[cut:], METRICS)
    left = coded(candidates, pa.string())[cut:] if both else candidates[cut:]
    right = coded(references, pa.list_(pa.string()))[cut:]
    assert same(summeval.score_batch(left, right, METRICS), wanted)


@given(st.lists(LISTS, max_size=8), st.lists(LISTS, max_size=8))
def test_dictionaries_of_lists_are_what_the_twin_lists(first, second):
    kind = pa.list_(pa.string())
    chunks = pa.chunked_array(
        [coded(first, kind), coded(second, kind)], pa.dictionary(pa.int16(), kind)
    )
    column = columns.references(chunks, "r")
    wanted = twin.references([*first, *second], "r")
    assert column.to_list() == [
        [None if t is None else t.decode() for t in texts] for texts in wanted
    ]
    rows = [*first, *second]
    codes = column.codes().tolist() if rows else []
    assert [code == -1 for code in codes] == [row is None for row in rows]
    for code in set(codes):
        assert (
            len({repr(row) for row, other in zip(rows, codes, strict=True) if other == code}) == 1
        )


def test_chunks_of_one_dictionary_share_their_codes():
    array = coded(["a", "b", "a", "b"], pa.string())
    column = columns.texts(pa.chunked_array([array[:2], array[2:]]), "c")
    assert len(set(column.codes().tolist())) == 2


def test_only_dictionaries_have_codes():
    assert columns.texts(["a"], "c").codes() is None
    assert columns.texts(pa.array(["a"]), "c").codes() is None


def test_rows_are_taken_in_any_order():
    column = columns.references(["a", ["b", None], None], "r")
    taken = column.take(np.array([2, 1, 1]))
    assert taken.to_list() == [[], ["b", None], ["b", None]]
    assert taken.part(1, 2).to_list() == [["b", None]]
    assert taken.missing().tolist() == [True, False, False]
    with pytest.raises(IndexError, match="row 3 of a column of 3 rows"):
        column.take(np.array([3]))


def test_a_column_that_was_read_is_taken_as_it_is():
    column = columns.texts(["a", "b"], "c")
    assert columns.texts(column, "c") is column


def scored_rows(monkeypatch, candidates, references) -> list[tuple]:
    """The rows that reach the kernel, in their order."""
    seen = []
    inner = TextRunner.run_rows

    def run_rows(self, left, right, workers):
        seen.extend(zip(left.to_list(), right.to_list(), strict=True))
        return inner(self, left, right, workers)

    monkeypatch.setattr(TextRunner, "run_rows", run_rows)
    summeval.score_batch(candidates, references, ["rouge1"])
    return seen


def test_each_pair_of_dictionary_values_is_scored_once(monkeypatch):
    left = coded(["a", "b", "a", "a", "b"], pa.string())
    right = coded([["x"], ["x"], ["x"], ["y"], ["x"]], pa.list_(pa.string()))
    seen = scored_rows(monkeypatch, left, right)
    assert sorted(seen) == [("a", ["x"]), ("a", ["y"]), ("b", ["x"])]


def test_rows_with_the_same_references_follow_each_other(monkeypatch):
    right = coded(["x", "y", "x", "y", "x"], pa.string())
    seen = scored_rows(monkeypatch, ["a", "b", "c", "d", "e"], right)
    assert [references for _, references in seen] in (
        [["x"]] * 3 + [["y"]] * 2,
        [["y"]] * 2 + [["x"]] * 3,
    )
    assert [text for text, references in seen if references == ["x"]] == ["a", "c", "e"]


def test_nothing_is_moved_where_nothing_repeats():
    column = columns.texts(coded(["a", "b"], pa.string()), "c")
    assert dedup_plan(column, [column]) is None
    side = columns.references(coded(["a", "b"], pa.string()), "r")
    assert dedup_plan(columns.texts(["a", "b"], "c"), [side]) is None


def test_rows_that_share_their_texts_score_as_rows_that_do_not():
    # The kernel keeps what it read of the references before; equal and other rows are mixed here.
    shared, other = ["the cat sat", "a dog"], ["a dog"]
    candidates = ["the cat", "a dog sat", None, "the cat sat", "a", "dog"]
    references = [shared, shared, shared, other, [], shared]
    suite = summeval.suite(["rouge2"])
    pairs = zip(candidates, references, strict=True)
    wanted = [suite.score(*pair)["rouge2"].recall for pair in pairs]
    for workers in (1, 3):
        table = suite.score_batch(candidates, references, workers=workers)
        np.testing.assert_array_equal(table["rouge2.recall"], wanted)


def test_the_row_of_an_error_is_that_of_the_batch():
    huge = "a " * 200_000
    left, right = (coded(["a", "a", huge], pa.string()).take([1, 0, 2]) for _ in range(2))
    for candidates in (left, left.cast(pa.string())):
        with pytest.raises(ValueError, match=r"row 2: too many skip-bigrams"):
            summeval.score_batch(candidates, right, ["rougeS*"])


BATCH = pa.record_batch(
    {"id": [1, 2], "candidate": ["a cat", None], "references": [["the cat"], ["a"]], "n": [3, 4]}
)


@pytest.mark.parametrize(
    "make",
    [lambda batch: batch, lambda batch: pa.Table.from_batches([batch])],
)
def test_batches_and_tables_give_the_scores_of_the_library(make):
    found = score_record_batch(make(BATCH), METRICS)
    wanted = summeval.score_batch(BATCH["candidate"], BATCH["references"], METRICS)
    assert isinstance(found, pa.RecordBatch)
    assert found.schema.names == wanted.columns
    assert found["rouge1.recall"].to_pylist() == [0.5, None]
    assert found.schema.metadata[b"rouge1"].decode() == wanted.signature["rouge1"]


def test_what_exports_an_array_is_read():
    class Exported:
        def __arrow_c_array__(self, requested_schema=None):
            return BATCH.__arrow_c_array__(requested_schema)

    assert score_record_batch(Exported(), ["rouge1"]).equals(score_record_batch(BATCH, ["rouge1"]))


def test_polars_frames_are_read():
    pl = pytest.importorskip("polars")
    found = score_record_batch(pl.from_arrow(BATCH), summeval.suite(["rouge1"]), workers=2)
    assert found.equals(score_record_batch(BATCH, ["rouge1"]))


@pytest.mark.parametrize(
    ("carry", "kept"), [(False, []), (True, ["id", "n"]), (["n", "candidate"], ["n", "candidate"])]
)
def test_columns_are_carried_on_request(carry, kept):
    found = score_record_batch(BATCH, ["rouge1"], carry=carry)
    assert found.schema.names[: -len(("p", "r", "f"))] == kept
    assert found.select(kept).to_pydict() == BATCH.select(kept).to_pydict()


def test_a_score_column_replaces_one_of_its_name():
    found = score_record_batch(BATCH.append_column("rouge1.recall", pa.array([7, 7])), carry=True)
    assert found.schema.names.count("rouge1.recall") == 1
    assert found["rouge1.recall"].to_pylist() == [0.5, None]


def test_columns_are_named_and_no_more_are_needed():
    batch = pa.record_batch({"summary": ["a cat"], "gold": ["a cat"]})
    found = score_record_batch(
        batch, ["rouge1"], candidate_column="summary", references_column="gold"
    )
    assert found["rouge1.recall"].to_pylist() == [1.0]


def test_an_empty_batch_gives_an_empty_batch():
    for empty in (BATCH[:0], pa.Table.from_batches([], schema=BATCH.schema)):
        assert score_record_batch(empty, ["rouge1"], carry=["id"]).num_rows == 0


def test_what_is_wrong_with_a_batch_is_said():
    with pytest.raises(KeyError, match="no 'summary'"):
        score_record_batch(BATCH, candidate_column="summary")
    with pytest.raises(TypeError, match="batch is dict; pass a record batch"):
        score_record_batch({})
    with pytest.raises(TypeError, match="candidates: format 'l' is not text"):
        score_record_batch(BATCH, candidate_column="id")
    names = ["candidate", "candidate", "references"]
    twice = pa.RecordBatch.from_arrays([BATCH["candidate"]] * 3, names)
    with pytest.raises(KeyError, match="'candidate' is the name of 2 columns"):
        score_record_batch(twice)


def test_without_pyarrow_the_line_that_installs_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'summeval\[arrow\]'"):
        score_record_batch(BATCH)


def test_no_text_becomes_a_python_string():
    import tracemalloc

    word = "word " * 2000
    batch = pa.record_batch({"candidate": [word] * 50, "references": [[word]] * 50})
    score_record_batch(batch, ["rouge1"])
    tracemalloc.start()
    try:
        score_record_batch(batch, ["rouge1"])
        assert tracemalloc.get_traced_memory()[1] < 50 * len(word) / 2
    finally:
        tracemalloc.stop()
