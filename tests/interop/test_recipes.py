"""Recipes for other engines: each gives exactly the numbers of one call of the library."""

from itertools import chain
from pathlib import Path

import pytest

import summeval
from summeval.interop.arrow import score_record_batch

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

METRICS = ["rouge1", "rouge2", "rougeL"]
ROWS = {
    "id": list(range(5000)),
    "candidate": [None if n % 11 == 3 else f"the cat {n} sat {n % 7}" for n in range(5000)],
    "references": [["a cat sat", f"{n} sat the {n % 5}"][: n % 3] for n in range(5000)],
}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table(ROWS), path, row_group_size=700)
    return path


def check(scored: "pa.Table") -> None:
    wanted = score_record_batch(pa.record_batch(ROWS), METRICS, carry=["id"])
    scored = scored.sort_by("id")
    assert scored.column_names == wanted.schema.names
    for name in scored.column_names:
        assert scored[name].to_pylist() == wanted[name].to_pylist()


def test_polars(rows, tmp_path):
    pl = pytest.importorskip("polars")
    suite = summeval.suite(METRICS)
    columns = [f"{metric.name}.{field}" for metric in suite.metrics for field in metric.fields]

    def scored(frame: "pl.DataFrame") -> "pl.DataFrame":
        return pl.from_arrow(score_record_batch(frame, suite, carry=["id"]))

    schema = {"id": pl.Int64} | dict.fromkeys(columns, pl.Float64)
    lazy = pl.scan_parquet(rows).map_batches(scored, schema=schema, streamable=True)
    lazy.sink_parquet(tmp_path / "scores.parquet")
    check(pq.read_table(tmp_path / "scores.parquet"))


def test_duckdb(rows, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    suite = summeval.suite(METRICS)

    query = duckdb.sql(f"SELECT id, candidate, \"references\" FROM '{rows}'")
    batches = pa.RecordBatchReader.from_stream(query)
    scored = (score_record_batch(batch, suite, carry=["id"]) for batch in batches)
    first = next(scored)
    reader = pa.RecordBatchReader.from_batches(first.schema, chain([first], scored))

    out = tmp_path / "scores.parquet"
    database = duckdb.connect().register("scores", reader)
    database.execute(f"COPY (SELECT * FROM scores) TO '{out}' (FORMAT parquet)")
    check(pq.read_table(out))
    mean = duckdb.sql(f"SELECT avg(\"rouge1.recall\") FROM '{out}'").fetchall()[0][0]
    table = summeval.score_batch(ROWS["candidate"], ROWS["references"], METRICS)
    assert mean == pytest.approx(table.mean()["rouge1.recall"], rel=1e-12)


def test_pyarrow_dataset(rows, tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    suite = summeval.suite(METRICS)
    batches = dataset.dataset(rows).to_batches(columns=["id", "candidate", "references"])
    check(pa.Table.from_batches(score_record_batch(b, suite, carry=["id"]) for b in batches))
