"""Runners of metrics of the candidate alone: each distinct text is scored once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval.metrics.discourse.trained import has_words

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.metrics.discourse.trained import Trained


class CandidateRunner:
    """Runs a metric of one field.

    Parameters
    ----------
    metric : Trained
        Whose name and field the scores have, and whose floor the texts without words.
    values : callable
        Of distinct texts with words and a number of workers, the value of each.
    """

    def __init__(
        self, metric: Trained, values: Callable[[Sequence[str], int], NDArray[float64]]
    ) -> None:
        self._metric = metric
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
        found = np.full(len(texts), np.nan)
        worded, rows, empty = [], [], []
        for row, text in enumerate(texts):
            if text is None:
                continue
            if text in places or has_words(text):
                worded.append(row)
                rows.append(places.setdefault(text, len(places)))
            else:
                empty.append(row)
        if rows:
            found[worded] = self._values(list(places), workers)[rows]
        if empty:
            found[empty] = self._metric.floor
        return found


class PreparedAlone:
    """The runner, which has nothing to read beforehand."""

    def __init__(self, runner: CandidateRunner) -> None:
        self._runner = runner

    def score(self, candidate: str | None) -> dict[str, Score]:
        return self._runner.score(candidate, None)

    def score_batch(self, candidates: Any, workers: int) -> NDArray[float64]:
        return self._runner.score_batch(candidates, None, workers)
