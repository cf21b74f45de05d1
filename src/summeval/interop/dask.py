"""Dask: a data frame with its scores.

For example:

    import dask.dataframe as dd
    from summeval.interop.dask import score

    score(dd.read_parquet("pairs"), ["rouge1", "rougeLsum"]).to_parquet("scores")
"""

from __future__ import annotations

from typing import Any

from summeval._extras import need
from summeval.interop.shared.batches import BatchScorer
from summeval.io.column_names import not_found


def score(frame: Any, metrics: Any = ("rouge1", "rouge2", "rougeL"), **options: Any) -> Any:
    """Return the copied columns of a dask DataFrame, followed by the scores.

    Rows keep their order, partition and index; index labels may repeat.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    metrics, **options
        Of `BatchScorer`; by default the texts are not copied.
    """
    carried = BatchScorer(metrics, **options).carried(frame.columns)
    scorer = BatchScorer(metrics, **{**options, "carry": False})

    def scores(part: Any, partition_info: Any = None) -> Any:
        number = partition_info["number"] if partition_info else 0
        return _scored(part, carried, scorer, f"partition {number}")

    empty = _scored(frame._meta.iloc[:0], carried, scorer, "the columns")  # types, and no row
    return frame.map_partitions(scores, meta=empty)


def _scored(part: Any, carried: list[str], scorer: BatchScorer, place: str) -> Any:
    """Return a pandas data frame with the copied columns and the scores; NaN means no score."""
    pa = need("pyarrow", "summeval.interop.dask.score", "arrow")
    for name in scorer.texts():
        if name not in part.columns:
            raise KeyError(not_found(name, list(part.columns)))
    # A table: after a merge or a concatenation a column is in several pieces.
    table = pa.Table.from_pandas(part[scorer.read()], preserve_index=False)
    made = scorer(table, place).select(scorer.made_columns).to_pandas()
    done = part[carried].copy(deep=False)
    for name in scorer.made_columns:
        # As an array, because a Series would be aligned by its labels.
        done[name] = made[name].array
    return done
