"""Daft: a data frame with its scores, on one machine or, unchanged, on Ray.

For example:

    import daft
    from summeval.interop.daft import score

    frame = score(daft.read_parquet("pairs/*.parquet"), ["rouge1", "rougeLsum"])
    frame.write_parquet("scores")
"""

from __future__ import annotations

from typing import Any

from summeval._core.rows.record import Score
from summeval._lazy import need
from summeval.interop.shared.batches import BatchScorer


def score(frame: Any, metrics: Any = ("rouge1", "rouge2", "rougeL"), **options: Any) -> Any:
    """Return the columns of a daft.DataFrame, followed by the scores.

    Parameters
    ----------
    frame : daft.DataFrame
    metrics, **options
        Of `BatchScorer`; `carry` names the columns to copy; default: all, including the texts.
    """
    daft = need("daft", "summeval.interop.daft.score", "cluster")
    pa = need("pyarrow", "summeval.interop.daft.score", "arrow")
    carry = options.pop("carry", True)
    scorer = BatchScorer(metrics, carry=False, **options)
    read = scorer.read()
    scored = {name: daft.DataType.float64() for name in scorer.score_columns}
    if scorer.error_column:
        scored[scorer.error_column] = daft.DataType.string()

    @daft.func.batch(return_dtype=daft.DataType.struct(scored), unnest=True)  # type: ignore[untyped-decorator]
    def scores(*columns: Any) -> Any:
        batch = pa.table([column.to_arrow() for column in columns], names=read)
        return scorer(batch).to_struct_array()

    kept = frame.column_names if carry is True else list(carry or ())
    return frame.select(*kept, scores(*(daft.col(name) for name in read)))


def corpus(
    frame: Any, metrics: Any = ("rouge1", "rouge2", "rougeL"), **options: Any
) -> dict[str, Score]:
    """Return the score of each metric for all rows of a daft.DataFrame.

    Of sums over the parts where the metric has statistics that add up, such as BLEU, else the mean
    of rows.

    Parameters
    ----------
    frame : daft.DataFrame
    metrics, **options
        Of `BatchScorer`.
    """
    daft = need("daft", "summeval.interop.daft.corpus", "cluster")
    pa = need("pyarrow", "summeval.interop.daft.corpus", "arrow")
    scorer = BatchScorer(metrics, **options)
    read = scorer.read()

    @daft.func.batch(return_dtype=daft.DataType.list(daft.DataType.float64()))  # type: ignore[untyped-decorator]
    def sums(*columns: Any) -> Any:
        batch = pa.table([column.to_arrow() for column in columns], names=read)
        found = [scorer.sums(batch), *[None] * (batch.num_rows - 1)][: batch.num_rows]
        return pa.array(found, pa.list_(pa.float64()))

    made = frame.select(sums(*(daft.col(name) for name in read)).alias("sums"))
    parts = made.where(daft.col("sums").not_null()).to_pydict()["sums"]
    return scorer.corpus(parts)
