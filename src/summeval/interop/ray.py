"""Ray Data: a data set with its scores.

For example:

    import ray
    from summeval.interop.ray import score

    score(ray.data.read_parquet("pairs"), ["rouge1", "rougeLsum"]).write_parquet("scores")
"""

from __future__ import annotations

from typing import Any

from summeval._core.rows.record import Score
from summeval._lazy import need
from summeval.interop.shared.batches import BatchScorer


def score(
    dataset: Any,
    metrics: Any = ("rouge1", "rouge2", "rougeL"),
    *,
    batch_size: int = 4096,
    **options: Any,
) -> Any:
    """Return the rows of a ray.data.Dataset with the copied columns and the scores.

    Parameters
    ----------
    dataset : ray.data.Dataset
    metrics, **options
        Of `BatchScorer`.
    batch_size : int
        Number of rows scored at once.
    """
    pa = need("pyarrow", "summeval.interop.ray.score", "arrow")
    scorer = BatchScorer(metrics, **options)

    def scores(table: Any) -> Any:
        return pa.Table.from_batches([scorer(table)])

    return dataset.map_batches(scores, batch_format="pyarrow", batch_size=batch_size)


def corpus(
    dataset: Any,
    metrics: Any = ("rouge1", "rouge2", "rougeL"),
    *,
    batch_size: int = 4096,
    **options: Any,
) -> dict[str, Score]:
    """Return the score of each metric for all rows of a ray.data.Dataset.

    Of sums over the batches where the metric has statistics that add up, such as BLEU, else the
    mean of rows. The parameters are those of `score`.
    """
    pa = need("pyarrow", "summeval.interop.ray.corpus", "arrow")
    scorer = BatchScorer(metrics, **options)

    def sums(table: Any) -> Any:
        return pa.table({"sums": pa.array([scorer.sums(table)])})

    parts = dataset.map_batches(sums, batch_format="pyarrow", batch_size=batch_size).take_all()
    return scorer.corpus(part["sums"] for part in parts)
