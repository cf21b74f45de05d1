"""Spark: a data frame with its scores, by `mapInArrow`.

For example:

    from summeval.interop.spark import score

    score(spark.read.parquet("pairs"), ["rouge1", "rougeLsum"]).write.parquet("scores")
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from summeval._extras import need
from summeval.interop.shared.batches import BatchScorer


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
        from pyspark import TaskContext

        context = TaskContext.get()
        place = f"partition {context.partitionId()}" if context else "a partition"
        first = 0
        for batch in batches:
            yield scorer(batch, place, first)
            first += batch.num_rows

    schema = scorer.schema(types.to_arrow_schema(frame.schema))
    return frame.mapInArrow(scores, types.from_arrow_schema(schema))
