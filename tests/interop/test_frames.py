"""Accessors of pandas and polars, functions of DuckDB: the numbers are those of the package."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest

import summeval

pa = pytest.importorskip("pyarrow")

from summeval.interop.frames.functions import functions  # noqa: E402

CANDIDATES = ["the cat sat", None, "a dog", ""]
REFERENCES = ["the cat sat down", "a cat", "the dog ran", "it rains"]
LISTS = [[one, "a cat sat"] for one in REFERENCES]
SOURCES = ["the cat sat on the mat", "x", "a dog barks", "it rains"]
METRICS = ["rouge1", "tesla-s", "support"]
TOO_LONG = "a " * 70_000  # more pairs than rougeS* counts


def columns(references: Any) -> dict[str, list[Any]]:
    return {"id": [3, 1, 2, 0], "summary": CANDIDATES, "highlights": references, "source": SOURCES}


def wanted(references: Any, metrics: Any = METRICS) -> dict[str, list[float | None]]:
    table = summeval.score_batch(CANDIDATES, references, metrics, sources=SOURCES)
    return {name: none_for_nan(column) for name, column in table.items()}


def none_for_nan(values: Any) -> list[float | None]:
    return [None if value is None or math.isnan(value) else float(value) for value in values]


@pytest.mark.parametrize("references", [REFERENCES, LISTS])
def test_pandas_has_the_scores_beside_its_columns(references: Any) -> None:
    pd = pytest.importorskip("pandas")
    from summeval.interop.frames.pandas import register

    register()
    frame = pd.DataFrame(columns(references), index=[7, 7, 1, 0])
    scored = frame.summeval.score(METRICS)
    found = wanted(references)
    assert [*scored.columns] == [*frame.columns, *found]
    assert [*scored.index] == [7, 7, 1, 0]
    for name, column in found.items():
        assert none_for_nan(scored[name]) == column
    corpus = frame.summeval.corpus("bleu")
    table = summeval.score_batch(CANDIDATES, references, "bleu")
    assert corpus["bleu"].value == pytest.approx(table.corpus()["bleu"].value, rel=1e-12)


@pytest.mark.parametrize("references", [REFERENCES, LISTS])
def test_polars_has_the_scores_beside_its_columns(references: Any) -> None:
    pl = pytest.importorskip("polars")
    from summeval.interop.frames.polars import register

    register()
    frame = pl.DataFrame(columns(references))
    scored = frame.summeval.score(METRICS)
    found = wanted(references)
    assert scored.columns == [*frame.columns, *found]
    for name, column in found.items():
        assert scored[name].to_list() == column
    assert frame.lazy().summeval.score(METRICS).collect().equals(scored)
    lazy = frame.lazy().summeval.score("rouge1").select("id", "rouge1.recall")
    assert lazy.collect().columns == ["id", "rouge1.recall"]
    table = summeval.score_batch(CANDIDATES, references, "bleu")
    corpus = frame.summeval.corpus("bleu")
    assert corpus["bleu"].value == pytest.approx(table.corpus()["bleu"].value, rel=1e-12)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_errors_name_the_column_or_the_row(library: str) -> None:
    module = pytest.importorskip(library)
    pytest.importorskip(f"summeval.interop.frames.{library}").register()
    rows = {"id": ["a", "b"], "candidate": ["a", TOO_LONG], "reference": ["a"] * 2}
    frame = module.DataFrame(rows)
    with pytest.raises(KeyError, match="no 'source'"):
        frame.summeval.score("support")
    with pytest.raises(ValueError, match=r"rows 0 to 1 of the frame: row 1: .*\(id: 'b'\)"):
        frame.summeval.score("rougeS*", id_column="id")
    scored = frame.summeval.score("rougeS*", on_error="skip", error_column="error")
    first, second = scored["error"].to_list()
    assert "too many skip-bigrams" in second
    assert not isinstance(first, str)
    with pytest.raises(ValueError, match="unknown metric 'ruge1'"):
        frame.summeval.score("ruge1")


@pytest.mark.parametrize("references", [REFERENCES, LISTS])
def test_duckdb_has_a_function_for_each_metric(references: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    from summeval.interop.frames.duckdb import register

    connection = duckdb.connect()
    names = register(connection, ["rouge1", "rouge2.recall", "tesla-s", "support"])
    assert names == ["rouge1", "rouge2_recall", "tesla_s", "support"]
    connection.register("pairs", pa.table(columns(references)))
    query = "rouge1(summary, highlights), rouge2_recall(summary, highlights)"
    query += ", tesla_s(summary, highlights), support(summary, source)"
    rows = connection.sql(f"SELECT {query} FROM pairs").fetchall()
    found = wanted(references, ["rouge1", "rouge2", "tesla-s", "support"])
    terms = ("rouge1.fmeasure", "rouge2.recall", "tesla-s.fmeasure", "support.explained")
    assert [*zip(*rows, strict=True)] == [tuple(found[term]) for term in terms]
    best = connection.sql("SELECT id FROM pairs ORDER BY rouge1(summary, highlights) DESC LIMIT 1")
    assert best.fetchall() == [(3,)]


def test_duckdb_tells_what_a_function_takes() -> None:
    duckdb = pytest.importorskip("duckdb")
    from summeval.interop.frames.duckdb import register

    connection = duckdb.connect()
    register(connection, "rouge1")
    message = "rouge1 got 1 columns; give it candidate, references"
    with pytest.raises(duckdb.Error, match=message):
        connection.sql("SELECT rouge1('a')").fetchall()
    assert connection.sql("SELECT rouge1('the cat', ['a cat', NULL])").fetchall() == [(0.5,)]
    assert connection.sql("SELECT rouge1('the cat', NULL)").fetchall() == [(None,)]


def test_a_function_pickles_and_keeps_a_metric_object() -> None:
    stemmed = summeval.metric("rouge1", stemmer="porter", label="stemmed")
    (function,) = pickle.loads(pickle.dumps(functions(stemmed)))
    assert function.name == "stemmed"
    assert function(pa.array(["cats"]), pa.array(["cat"])).to_pylist() == [1.0]
