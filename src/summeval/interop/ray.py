"""Ray Data: a data set with its scores.

For example:

    import ray
    from summeval.interop.ray import score

    score(ray.data.read_parquet("pairs"), ["rouge1", "rougeLsum"]).write_parquet("scores")
"""

from __future__ import annotations

from typing import Any

from summeval._extras import need
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
