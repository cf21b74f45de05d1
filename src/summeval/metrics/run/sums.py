"""The statistics of several metrics side by side, as parts of a corpus add them up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from summeval.metrics.run.corpus import score_of, sums_of

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.rows.record import Score
    from summeval.metrics.run.declared import Declared
    from summeval.metrics.run.table import ScoreTable


class Sums:
    """What adds up over the parts of a corpus: the statistics of several metrics, side by side.

    Parameters
    ----------
    metrics : iterable of Metric

    Attributes
    ----------
    size : int
        The number of all statistics.

    Examples
    --------
    >>> import summeval
    >>> suite = summeval.suite(["chrf", "rouge1"])
    >>> sums = Sums(suite.metrics)
    >>> parts = [suite.score_batch([text], ["a cow"]) for text in ("a cow", "a cat", None)]
    >>> found = sums.scores(sum(sums.of(part) for part in parts))
    >>> found["chrf"].value == suite.metrics[0].corpus(["a cow", "a cat"], ["a cow"] * 2).value
    True
    >>> found["rouge1"].value
    0.75
    """

    def __init__(self, metrics: Iterable[Declared]) -> None:
        self._places: list[tuple[Any, slice]] = []
        self.size = 0
        metric: Any
        for metric in metrics:
            end = self.size + metric.statistics_size
            self._places.append((metric, slice(self.size, end)))
            self.size = end

    def of(self, table: ScoreTable) -> NDArray[float64]:
        """Return the sums over the rows of a table that have scores, [statistic]."""
        import numpy as np

        return np.concatenate([sums_of(table.statistics(one.name)) for one, _ in self._places])

    def scores(self, sums: Any) -> dict[str, Score]:
        """Return the score of each metric from the sums of all parts."""
        import numpy as np

        given = np.asarray(sums, dtype=np.float64)
        if given.shape != (self.size,):
            raise ValueError(f"sums have the shape {given.shape}; give {self.size} in a row")
        return {metric.name: score_of(metric, given[place]) for metric, place in self._places}
