"""Metrics that look at the candidate alone: each distinct text is scored once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from summeval._core import columns
from summeval._core.record import Score

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.metrics.base import Metric


class AloneRunner:
    """Runs a metric of one field.

    Parameters
    ----------
    metric : Metric
        Whose name and field the scores have.
    values : callable
        Of distinct texts and a number of workers, the value of each.
    """

    def __init__(
        self, metric: Metric, values: Callable[[Sequence[str], int], NDArray[float64]]
    ) -> None:
        self._name = metric.name
        self._fields = metric.fields
        self._values = values

    def score(self, candidate: str | None, references: Any) -> dict[str, Score]:
        texts = columns.texts([candidate], "candidate").to_list()
        value = float(self.values(texts, 1)[0])
        return {self._name: Score(self._fields, (value,), self._fields[0])}

    def score_batch(self, candidates: Any, references: Any, workers: int) -> NDArray[float64]:
        return self.values(candidates.to_list(), workers)[None, None]

    def prepare(self, references: Any) -> PreparedAlone:
        return PreparedAlone(self)

    def values(self, texts: Sequence[str | None], workers: int) -> NDArray[float64]:
        """The value of each text, NaN where there is none."""
        import numpy as np

        places: dict[str, int] = {}
        rows = [places.setdefault(text, len(places)) for text in texts if text is not None]
        found = np.full(len(texts), np.nan)
        if rows:
            found[[text is not None for text in texts]] = self._values(list(places), workers)[rows]
        return found


class PreparedAlone:
    """The runner, which has nothing to read beforehand."""

    def __init__(self, runner: AloneRunner) -> None:
        self._runner = runner

    def score(self, candidate: str | None) -> dict[str, Score]:
        return self._runner.score(candidate, None)

    def score_batch(self, candidates: Any, workers: int) -> NDArray[float64]:
        return self._runner.score_batch(candidates, None, workers)
