"""Engines for bulk scoring give exactly the numbers of one process; failures name a place.

Daft and Dask run wherever they are installed, Ray and Spark in `make test-engines`.
"""

from __future__ import annotations

import math
import os
import pickle
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from ecosystem import ecosystem

import summeval

pa = pytest.importorskip("pyarrow")

from summeval.interop.shared.batches import BatchScorer  # noqa: E402
from summeval.metrics.run.corpus import Sums  # noqa: E402

METRICS = ["rouge1", "rougeLsum", "tesla-s"]
WORDS = "the a cat dog sat down ran it\nover and".split(" ")
TOO_LONG = "a " * 70_000  # more pairs than rougeS* counts


def text(seed: int) -> str:
    return " ".join(WORDS[(seed * 7 + i * i) % len(WORDS)] for i in range(seed % 13))


ROWS = [
    {
        "id": f"x{row}",
        "candidate": None if row % 17 == 3 else text(row),
        "references": [text(row + 1), text(row * 3)][: row % 3],
    }
    for row in range(200)
]
SCHEMA = pa.schema(
    [("id", pa.string()), ("candidate", pa.string()), ("references", pa.list_(pa.string()))]
)
TABLE = pa.Table.from_pylist(ROWS, schema=SCHEMA)
PAIRS = pa.table(
    {
        "id": TABLE["id"],
        "candidate": TABLE["candidate"],
        "references": [text(row) for row in range(200)],
    }
)
BAD = pa.table(
    {
        "id": [f"x{row}" for row in range(40)],
        "candidate": ["a"] * 30 + [TOO_LONG] + ["a"] * 9,
        "references": ["a"] * 40,
    }
)


def none_for_nan(score: float | None) -> float | None:
    return None if score is None or math.isnan(score) else score


def expected(table: Any) -> dict[str, list[float | None]]:
    """The scores of one process, by ID."""
    found = summeval.score_batch(table["candidate"], table["references"], METRICS)
    columns = [map(none_for_nan, found[name].tolist()) for name in found.columns]
    return dict(zip(table["id"].to_pylist(), zip(*columns, strict=True), strict=True))


def as_rows(rows: list[dict[str, Any]], names: list[str]) -> dict[str, Any]:
    """Rows of an engine in the same form."""
    return {row["id"]: tuple(none_for_nan(row[name]) for name in names) for row in rows}


NAMES = BatchScorer(METRICS).score_columns


CORPUS = ["chrf", "bleu", "rouge1"]  # two of sums, one of the mean


def check_corpus(found: dict[str, summeval.Score], table: Any) -> None:
    """The scores of parts that were added up are those of one process."""
    whole = summeval.score_batch(table["candidate"], table["references"], CORPUS).corpus()
    assert list(found) == CORPUS
    for name in CORPUS:
        assert found[name]._asdict() == pytest.approx(whole[name]._asdict(), rel=1e-12)


def test_sums_of_batches_add_up():
    scorer = pickle.loads(pickle.dumps(BatchScorer(CORPUS)))
    batches = TABLE.to_batches(max_chunksize=37)
    check_corpus(scorer.corpus(scorer.sums(batch) for batch in batches), TABLE)
    assert math.isnan(scorer.corpus([])["rouge1"].value)
    with pytest.raises(ValueError, match="sums have the shape"):
        Sums(scorer.suite.metrics).scores([1.0])


def test_daft_adds_up():
    daft = ecosystem("daft")
    from summeval.interop.daft import corpus

    check_corpus(corpus(daft.from_arrow(TABLE).into_batches(37), CORPUS), TABLE)


def test_dask_adds_up():
    dask = ecosystem("dask.dataframe")
    from summeval.interop.dask import corpus

    check_corpus(corpus(dask.from_pandas(PAIRS.to_pandas(), npartitions=5), CORPUS), PAIRS)


def test_ray_adds_up(ray):
    from summeval.interop.ray import corpus

    check_corpus(corpus(ray.data.from_arrow(TABLE), CORPUS, batch_size=37), TABLE)


def test_spark_adds_up(spark):
    from summeval.interop.spark import corpus

    frame = spark.createDataFrame(PAIRS.to_pandas()).repartition(3)
    check_corpus(corpus(frame, CORPUS), PAIRS)


def test_a_scorer_pickles_and_tells_its_schema():
    scorer = pickle.loads(pickle.dumps(BatchScorer(METRICS, carry=["id"])))
    assert scorer.schema(SCHEMA).names == ["id", *NAMES]
    found = scorer(TABLE.to_batches()[0])
    assert as_rows(found.to_pylist(), NAMES) == expected(TABLE)


def test_a_failure_names_the_rows_and_the_id():
    scorer = BatchScorer("rougeS*", id_column="id")
    with pytest.raises(ValueError, match=r"^rows 100 to 139 of part 7: row 30: .*\(id: 'x30'\)$"):
        scorer(BAD, "part 7", 100)
    with pytest.raises(KeyError, match=r"rows 0 to 39 of a batch: .*'summary'"):
        BatchScorer("rouge1", candidate_column="summary")(BAD)


def without_the_long_one(found: list[dict[str, Any]]) -> None:
    """What BAD becomes where a refused row is skipped."""
    by_id = {row["id"]: row for row in found}
    assert len(by_id) == 40
    refused = by_id.pop("x30")
    assert none_for_nan(refused["rougeS*.recall"]) is None
    assert "too many skip-bigrams" in refused["error"]
    assert {(row["rougeS*.recall"], row["error"] or None) for row in by_id.values()} == {
        (0.0, None)
    }


SKIP = {"on_error": "skip", "error_column": "error", "carry": ["id"]}


def test_a_refused_row_keeps_its_place():
    scorer = BatchScorer("rougeS*", **SKIP)
    found = scorer(BAD)
    assert found.schema.names == ["id", *scorer.made_columns]
    assert found.schema == scorer.schema(BAD.schema)
    without_the_long_one(found.to_pylist())
    with pytest.raises(ValueError, match="on_error is 'no'"):
        BatchScorer("rougeS*", on_error="no")


def test_daft_keeps_the_place_of_a_refused_row():
    daft = ecosystem("daft")
    from summeval.interop.daft import score

    without_the_long_one(score(daft.from_arrow(BAD), "rougeS*", **SKIP).to_pylist())


def test_daft_gives_the_same_numbers():
    daft = ecosystem("daft")
    from summeval.interop.daft import score

    frame = score(daft.from_arrow(TABLE).into_batches(37), METRICS)
    assert frame.column_names == [*SCHEMA.names, *NAMES]
    assert as_rows(frame.to_pylist(), NAMES) == expected(TABLE)
    ids = score(daft.from_arrow(TABLE), "rouge1", carry=["id"])
    assert ids.column_names[:2] == ["id", "rouge1.precision"]


def test_daft_names_the_failing_rows():
    daft = ecosystem("daft")
    from summeval.interop.daft import score

    with pytest.raises(Exception, match=r"row 30: .*\(id: 'x30'\)"):
        score(daft.from_arrow(BAD), "rougeS*", id_column="id").collect()


def test_dask_gives_the_same_numbers():
    dask = ecosystem("dask.dataframe")
    from summeval.interop.dask import score

    frame = dask.from_pandas(PAIRS.to_pandas(), npartitions=5)
    found = score(frame, METRICS)
    assert list(found.columns) == ["id", *NAMES]
    done = found.compute(scheduler="synchronous")
    assert as_rows(done.to_dict("records"), NAMES) == expected(PAIRS)
    assert (done.dtypes == found.dtypes).all()


def test_dask_reads_lists_of_references(tmp_path):
    dask = ecosystem("dask.dataframe")
    import pyarrow.parquet as pq

    from summeval.interop.dask import score

    pq.write_table(TABLE.slice(0, 90), tmp_path / "0.parquet")
    pq.write_table(TABLE.slice(90), tmp_path / "1.parquet")
    found = score(dask.read_parquet(tmp_path), METRICS, carry=["id"])
    done = found.compute(scheduler="synchronous")
    assert as_rows(done.to_dict("records"), NAMES) == expected(TABLE)
    assert (done.dtypes == found.dtypes).all()


def test_dask_names_the_failing_partition():
    dask = ecosystem("dask.dataframe")
    from summeval.interop.dask import score

    frame = dask.from_pandas(BAD.to_pandas(), npartitions=4)
    with pytest.raises(Exception, match=r"rows 0 to 9 of partition 3: row 0: .*\(id: 'x30'\)"):
        score(frame, "rougeS*", id_column="id").compute(scheduler="synchronous")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    found = ecosystem("ray")
    ecosystem("ray.data")
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # its workers find the same packages
    found.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield found
    found.shutdown()


def test_ray_gives_the_same_numbers(ray):
    from summeval.interop.ray import score

    dataset = ray.data.from_arrow([TABLE.slice(0, 90), TABLE.slice(90)])
    found = score(dataset, METRICS, batch_size=32)
    assert as_rows(found.take_all(), NAMES) == expected(TABLE)


def test_ray_names_the_failing_rows(ray):
    from summeval.interop.ray import score

    failing = score(ray.data.from_arrow(BAD), "rougeS*", id_column="id")
    with pytest.raises(Exception, match=r"row 30: .*\(id: 'x30'\)"):
        failing.take_all()


def test_ray_keeps_the_place_of_a_refused_row(ray):
    from summeval.interop.ray import score

    without_the_long_one(score(ray.data.from_arrow(BAD), "rougeS*", **SKIP).take_all())


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    sql = ecosystem("pyspark.sql")
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    yield session
    session.stop()
    # Java keeps the directory that it was started in: who comes next starts its own.
    context = type(session.sparkContext)
    context._gateway.shutdown()
    context._gateway = context._jvm = None


def test_spark_gives_the_same_numbers(spark):
    from summeval.interop.spark import score

    frame = spark.createDataFrame(TABLE)
    found = score(frame.repartition(4), METRICS)
    assert found.columns == ["id", *NAMES]
    assert as_rows([row.asDict() for row in found.collect()], NAMES) == expected(TABLE)


def test_spark_names_the_failing_partition(spark):
    from summeval.interop.spark import score

    frame = spark.createDataFrame(BAD.to_pandas())
    failing = score(frame, "rougeS*", id_column="id")
    with pytest.raises(Exception, match=r"of partition \d+: row \d+: .*\(id: 'x30'\)"):
        failing.collect()


def test_spark_keeps_the_place_of_a_refused_row(spark):
    from summeval.interop.spark import score

    found = score(spark.createDataFrame(BAD.to_pandas()), "rougeS*", **SKIP)
    without_the_long_one([row.asDict() for row in found.collect()])


def test_spark_has_a_function_for_each_metric(spark):
    from summeval.interop.spark import register

    names = ["rouge1", "rouge2_recall", "tesla_s"]
    assert register(spark, ["rouge1", "rouge2.recall", "tesla-s"]) == names
    for table in (TABLE, PAIRS):
        spark.createDataFrame(table.to_pandas()).createOrReplaceTempView("pairs")
        calls = ", ".join(f"{name}(candidate, references) AS {name}" for name in names)
        rows = [row.asDict() for row in spark.sql(f"SELECT id, {calls} FROM pairs").collect()]
        scored = summeval.score_batch(
            table["candidate"], table["references"], ["rouge1", "rouge2", "tesla-s"]
        )
        columns = ("rouge1.fmeasure", "rouge2.recall", "tesla-s.fmeasure")
        found = [map(none_for_nan, scored[name].tolist()) for name in columns]
        wanted = dict(zip(table["id"].to_pylist(), zip(*found, strict=True), strict=True))
        assert as_rows(rows, names) == wanted


def test_spark_tells_what_a_function_takes(spark):
    from summeval.interop.spark import register

    register(spark, "rouge1")
    with pytest.raises(Exception, match="rouge1 got 1 columns; give it candidate, references"):
        spark.sql("SELECT rouge1('a')").collect()
