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
    """The columns of a dask DataFrame that are passed on, then those of the scores.

    Rows keep their order, their partition and their index, whatever that is: several rows may have
    one label.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    metrics, **options
        Of `BatchScorer`; by default the texts are not passed on.
    """
    carried = BatchScorer(metrics, **options).carried(frame.columns)
    scorer = BatchScorer(metrics, **{**options, "carry": False})

    def scores(part: Any, partition_info: Any = None) -> Any:
        number = partition_info["number"] if partition_info else 0
        return _scored(part, carried, scorer, f"partition {number}")

    empty = _scored(frame._meta.iloc[:0], carried, scorer, "the columns")  # types, and no row
    return frame.map_partitions(scores, meta=empty)


def _scored(part: Any, carried: list[str], scorer: BatchScorer, place: str) -> Any:
    """A pandas data frame with the columns passed on and the scores, NaN where there is none."""
    pa = need("pyarrow", "summeval.interop.dask.score", "arrow")
    for name in scorer.texts():
        if name not in part.columns:
            raise KeyError(not_found(name, list(part.columns)))
    read = dict.fromkeys([*scorer.texts(), *filter(None, [scorer.id_column])])
    # A table: after a merge or a concatenation a column is in several pieces.
    table = pa.Table.from_pandas(part[list(read)], preserve_index=False)
    made = scorer(table, place).select(scorer.made_columns).to_pandas()
    done = part[carried].copy(deep=False)
    for name in scorer.made_columns:
        # As an array: a Series would be put beside the rows of its own labels.
        done[name] = made[name].array
    return done
