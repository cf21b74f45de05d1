"""Dask: a data frame with its scores.

For example:

    import dask.dataframe as dd
    from summeval.interop.dask import score

    score(dd.read_parquet("pairs"), ["rouge1", "rougeLsum"]).to_parquet("scores")
"""

from __future__ import annotations

from typing import Any

from summeval._extras import need
from summeval.interop.batches import BatchScorer


def score(frame: Any, metrics: Any = ("rouge1", "rouge2", "rougeL"), **options: Any) -> Any:
    """The columns of a dask DataFrame that are passed on, then those of the scores.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    metrics, **options
        Of `BatchScorer`; by default the texts are not passed on.
    """
    scorer = BatchScorer(metrics, **options)

    def scores(part: Any, partition_info: Any = None) -> Any:
        number = partition_info["number"] if partition_info else 0
        return _scored(part, scorer, f"partition {number}")

    none = dict.fromkeys(scorer.score_columns, 0.0)  # of the right type, in no row
    empty = frame._meta[scorer.carried(frame.columns)].assign(**none)
    return frame.map_partitions(scores, meta=empty)


def _scored(part: Any, scorer: BatchScorer, place: str) -> Any:
    """A pandas data frame with the columns passed on and the scores, NaN where there is none."""
    pa = need("pyarrow", "summeval.interop.dask.score", "arrow")
    found = scorer(pa.RecordBatch.from_pandas(part, preserve_index=False), place)
    scores = found.select(scorer.score_columns).to_pandas()
    scores.index = part.index
    return part[scorer.carried(part.columns)].join(scores)
