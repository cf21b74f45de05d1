"""Daft: a data frame with its scores, on one machine or, unchanged, on Ray.

For example:

    import daft
    from summeval.interop.daft import score

    frame = score(daft.read_parquet("pairs/*.parquet"), ["rouge1", "rougeLsum"])
    frame.write_parquet("scores")
"""

from __future__ import annotations

from typing import Any

from summeval._extras import need
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
