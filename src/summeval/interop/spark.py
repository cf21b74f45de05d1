"""Spark: a data frame with its scores, by `mapInArrow`.

For example:

    from summeval.interop.spark import score

    score(spark.read.parquet("pairs"), ["rouge1", "rougeLsum"]).write.parquet("scores")

`register` makes functions of SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from summeval._core.rows.record import Score
from summeval._lazy import need
from summeval.interop.frames.functions import functions
from summeval.interop.shared import Terms
from summeval.interop.shared.batches import BatchScorer
from summeval.metrics.registry import DEFAULT


def score(frame: Any, metrics: Any = ("rouge1", "rouge2", "rougeL"), **options: Any) -> Any:
    """Return the rows of a pyspark DataFrame with the copied columns and the scores.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    metrics, **options
        Of `BatchScorer`.
    """
    types = need("pyspark.sql.pandas.types", "summeval.interop.spark.score")
    scorer = BatchScorer(metrics, **options)

    def scores(batches: Iterator[Any]) -> Iterator[Any]:
        for given in _placed(batches):
            yield scorer(*given)

    schema = scorer.schema(types.to_arrow_schema(frame.schema))
    return frame.mapInArrow(scores, types.from_arrow_schema(schema))


def corpus(
    frame: Any, metrics: Any = ("rouge1", "rouge2", "rougeL"), **options: Any
) -> dict[str, Score]:
    """Return the score of each metric for all rows of a pyspark.sql.DataFrame.

    Of sums over the parts where the metric has statistics that add up, such as BLEU, else the mean
    of rows.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    metrics, **options
        Of `BatchScorer`.
    """
    pa = need("pyarrow", "summeval.interop.spark.corpus", "arrow")
    scorer = BatchScorer(metrics, **options)

    def sums(batches: Iterator[Any]) -> Iterator[Any]:
        for given in _placed(batches):
            yield pa.record_batch({"sums": pa.array([scorer.sums(*given)])})

    rows = frame.mapInArrow(sums, "sums array<double>").collect()
    return scorer.corpus(row["sums"] for row in rows)


def register(session: Any, metrics: Terms = DEFAULT) -> list[str]:
    """Make a function of SQL for each metric, and return their names.

    Its arguments are the candidate and what the metric compares it with: references, source or
    both, as a text or an array of texts. It is null where there is no score.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
    metrics : names or metric objects
        In names of functions each sign that is no letter, digit or `_` is `_`: `tesla_s`,
        `rouge2_recall`.
    """
    arrow_udf = need("pyspark.sql.functions", "summeval.interop.spark.register").arrow_udf
    made = functions(metrics)
    for function in made:
        session.udf.register(function.name, arrow_udf(_hinted(function), "double"))
    return [function.name for function in made]


def _hinted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with the hints that tell Spark that it takes Arrow columns."""
    pa = need("pyarrow", "summeval.interop.spark.register", "arrow")

    def score(*columns: Any) -> Any:
        return function(*columns)

    score.__annotations__ = {"columns": pa.Array, "return": pa.Array}
    return score


def _placed(batches: Iterator[Any]) -> Iterator[tuple[Any, str, int]]:
    """Yield batches with their partition and the number of their first row."""
    from pyspark import TaskContext

    context = TaskContext.get()
    place = f"partition {context.partitionId()}" if context else "a partition"
    first = 0
    for batch in batches:
        yield batch, place, first
        first += batch.num_rows
