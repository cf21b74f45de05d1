"""Runners of metrics that score many rows at once, from lists of texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval.metrics.run.runner import texts_of

if TYPE_CHECKING:
    from typing import Self

    from numpy import float64
    from numpy.typing import NDArray

    from summeval.metrics.run.declared import Declared


class ListRunner(ABC):
    """Runs a metric whose `scores` read the candidates and references of many rows."""

    progress_rows = 64  # a row takes milliseconds

    def __init__(self, metric: Declared) -> None:
        self.name, self.fields, self.primary = metric.name, metric.fields, metric.primary

    @abstractmethod
    def scores(
        self, candidates: Sequence[str | None], references: Sequence[Sequence[str]], workers: int
    ) -> NDArray[float64]:
        """Return the scores [field, row]; NaN for a row without a candidate or references."""

    def reading(self, references: Sequence[str]) -> Self:
        """Return a runner that has read these references."""
        return self

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        given = [text for text in texts_of(references) if text is not None]
        columns.check_text(candidate, "candidate")
        values = self.scores([candidate], [given], 1)[:, 0].tolist()
        return {self.name: Score(self.fields, tuple(values), self.primary)}

    def run_rows(self, candidates: Any, references: Any, workers: int) -> NDArray[float64]:
        right = [[text for text in row or () if text is not None] for row in references.to_list()]
        return self.scores(candidates.to_list(), right, workers)[None]

    def prepare(self, references: Any) -> PreparedLists:
        given = [text for text in texts_of(references) if text is not None]
        return PreparedLists(self.reading(given), given)


class PreparedLists:
    """References that were read."""

    progress_rows = ListRunner.progress_rows

    def __init__(self, runner: ListRunner, references: Sequence[str]) -> None:
        self._runner, self._references = runner, references

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        return self._runner.run_pair(candidate, self._references)

    def run_rows(self, candidates: Any, workers: int) -> NDArray[float64]:
        left = candidates.to_list()
        return self._runner.scores(left, [self._references] * len(left), workers)[None]
