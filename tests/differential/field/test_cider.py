"""The kernel of CIDEr gives what its definition gives."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from definitions.field import cider as twin
from hypothesis import example, given
from hypothesis import strategies as st

import summeval
from summeval import Cider
from summeval._core.field.cider import CiderKernel, Frequencies

words = st.sampled_from("a b c d. \x00 \x00\x00 élan 市 sixteen-bytes-and-more".split(" "))
texts = st.lists(words, max_size=9).map(" ".join)
pairs = st.tuples(texts, st.lists(texts, min_size=1, max_size=3))


def rows_of(rows: list[tuple[str, list[str]]], **options: Any) -> list[float]:
    read = [[one.split() for one in others] for _, others in rows]
    counted = twin.frequencies(read)
    return [
        twin.score(own.split(), others, counted, len(rows), **options)
        for (own, _), others in zip(rows, read, strict=True)
    ]


@pytest.mark.parametrize("name", ["cider-d", "cider"])
@given(rows=st.lists(pairs, min_size=1, max_size=8), sigma=st.sampled_from([6.0, 0.5]))
@example(rows=[("a b", ["a b"])], sigma=6.0)
@example(rows=[("", [""]), ("a", ["a", "a b"]), ("c d.", ["c"])], sigma=6.0)
def test_cider(name: str, rows: list[tuple[str, list[str]]], sigma: float) -> None:
    wanted = rows_of(rows, sigma=sigma, clipped=name == "cider-d")
    candidates, references = map(list, zip(*rows, strict=True))
    for options in ({}, {"tokenizer": str.split}):
        metric = summeval.metric(name, sigma=sigma, **options)
        for workers in (1, 2):
            found = metric.corpus(candidates, references, workers=workers)
            np.testing.assert_allclose(found.rows, wanted, atol=1e-12)
            assert found.value == pytest.approx(np.mean(wanted), abs=1e-12)
        fitted = metric.fit(references)
        for own, others, value in zip(candidates, references, wanted, strict=True):
            assert fitted.score(own, others).value == pytest.approx(value, abs=1e-12)
            assert fitted.prepare(others).score(own).value == pytest.approx(value, abs=1e-12)


@given(fitted=st.lists(st.lists(texts, max_size=2), max_size=6), row=pairs)
def test_rows_beside_other_references(fitted: list[list[str]], row: Any) -> None:
    own, others = row
    read = [[text.split() for text in one] for one in fitted if one]
    wanted = math.nan
    if read:
        counted = twin.frequencies(read)
        wanted = twin.score(own.split(), [one.split() for one in others], counted, len(read))
        found = Cider().fit(fitted).score(own, others).value
        assert found == pytest.approx(wanted, abs=1e-12)


def test_rows_without_a_candidate_or_a_reference_do_not_count() -> None:
    candidates = ["a cat", None, "a dog", "rain"]
    references = [["a cat sat"], ["a cat"], [], ["rain falls", None]]
    found = Cider().corpus(candidates, references, samples=50)
    alone = Cider().corpus(["a cat", "rain"], [["a cat sat"], ["rain falls"]])
    assert found.value == alone.value > 0
    assert [math.isnan(row) for row in found.rows] == [False, True, True, False]
    assert found.half_width > 0
    assert math.isnan(Cider().corpus([], []).value)


def test_a_table_is_kept(tmp_path: Path) -> None:
    references = [["A cat\x00 sat", "the cat"], ["a dog"], ["rain \x00 falls", ""]]
    fitted = Cider(case="lower").fit(references)
    fitted.save(tmp_path / "df.npz")
    for other in (
        Cider.load(tmp_path / "df.npz", case="lower"),
        summeval.metric("cider-d", df=tmp_path / "df.npz", case="lower"),
        pickle.loads(pickle.dumps(fitted)),
        copy.deepcopy(fitted),
    ):
        assert other.signature == fitted.signature
        assert other.score("A CAT SAT", references[0]) == fitted.score("A CAT SAT", references[0])
    assert "|df:" in fitted.signature
    assert "(N=3)" in fitted.signature
    assert type(fitted.runner()._kernel) is CiderKernel
    with pytest.raises(ValueError, match=r"df\.npz: no model of document frequencies \(it was"):
        Cider.load(tmp_path / "df.npz")
    (tmp_path / "df.npz").write_bytes(b"PK")
    with pytest.raises(ValueError, match="no model file of summeval"):
        Cider.load(tmp_path / "df.npz")


@pytest.mark.parametrize(
    "grams", [[[1, 1, 1]], [[0, 3, 1]], [[0, 0, 1]], [[0, 1, 3]], [[0, 1, 1], [0, 1, 1]]]
)
def test_a_table_that_is_none_is_refused(grams: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="it is no table of n-grams"):
        Frequencies(2, [b"a", b"b"], np.array(grams, np.uint32))
    with pytest.raises(ValueError, match="it is no table of n-grams"):
        Frequencies(2, [b"a", b"a"], np.empty((0, 3), np.uint32))


def test_without_document_frequencies_it_says_what_to_do(tmp_path: Path) -> None:
    for call in (Cider().score, Cider().explain, lambda a, b: Cider().score_batch([a], [b])):
        with pytest.raises(ValueError, match=r"fit\(references\), or score all rows with corpus$"):
            call("a", "a")
    with pytest.raises(ValueError, match="no document frequencies to save; use fit first"):
        Cider().save(tmp_path / "df.npz")
    with pytest.raises(TypeError, match=r"df is int; give 'rows', a file of save, or fit"):
        Cider(df=3)
    with pytest.raises(ValueError, match="1 candidates but 2 rows of references"):
        Cider().corpus(["a"], ["a", "b"])
