"""Dask: a data frame with its scores.

For example:

    import dask.dataframe as dd
    from summeval.interop.dask import score

    score(dd.read_parquet("pairs"), ["rouge1", "rougeLsum"]).to_parquet("scores")
"""

from __future__ import annotations

from typing import Any

from summeval._core.rows.record import Score
from summeval._lazy import need
from summeval.interop.shared.batches import BatchScorer
from summeval.io.rows import not_found


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


def corpus(
    frame: Any, metrics: Any = ("rouge1", "rouge2", "rougeL"), **options: Any
) -> dict[str, Score]:
    """Return the score of each metric for all rows of a dask.dataframe.DataFrame.

    Of sums over the parts where the metric has statistics that add up, such as BLEU, else the mean
    of rows.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    metrics, **options
        Of `BatchScorer`.
    """
    scorer = BatchScorer(metrics, **options)

    def sums(part: Any, partition_info: Any = None) -> Any:
        number = partition_info["number"] if partition_info else 0
        table = _read(part, scorer, "summeval.interop.dask.corpus")
        return type(part)({"sums": [scorer.sums(table, f"partition {number}")]})

    empty = type(frame._meta)({"sums": [[]]}).astype(object).iloc[:0]
    return scorer.corpus(frame.map_partitions(sums, meta=empty).compute()["sums"])


def _scored(part: Any, carried: list[str], scorer: BatchScorer, place: str) -> Any:
    """Return a pandas data frame with the copied columns and the scores; NaN means no score."""
    table = _read(part, scorer, "summeval.interop.dask.score")
    made = scorer(table, place).select(scorer.made_columns).to_pandas()
    done = part[carried].copy(deep=False)
    for name in scorer.made_columns:
        # As an array, because a Series would be aligned by its labels.
        done[name] = made[name].array
    return done


def _read(part: Any, scorer: BatchScorer, what: str) -> Any:
    """Return the columns that are read, as an Arrow table."""
    pa = need("pyarrow", what, "arrow")
    for name in scorer.texts():
        if name not in part.columns:
            raise KeyError(not_found(name, list(part.columns)))
    # A table: after a merge or a concatenation a column is in several pieces.
    return pa.Table.from_pandas(part[scorer.read()], preserve_index=False)
