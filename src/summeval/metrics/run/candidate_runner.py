"""Runners of metrics of the candidate alone: each distinct text is scored once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from summeval._core.columns import columns
from summeval._core.rows.record import Score

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


def has_words(texts: Iterable[str]) -> bool:
    """Whether a letter or a digit, of any script, is in a text or in one of several.

    >>> has_words("...!?"), has_words(["(", "né", ")"])
    (False, True)
    """
    return any(any(map(str.isalnum, text)) for text in texts)


class HasFloor(Protocol):
    """A metric that gives texts without words a value below which no text scores."""

    name: str
    fields: tuple[str, ...]

    @property
    def floor(self) -> float: ...


class CandidateRunner:
    """Runs a metric.

    Parameters
    ----------
    metric : HasFloor
        Whose name and fields the scores have, and whose floor the texts without words; for several
        fields `floors` has one for each.
    values : callable
        Of distinct texts with words and a number of workers, the value of each, or for several
        fields [field, text].
    """

    def __init__(
        self, metric: HasFloor, values: Callable[[Sequence[str], int], NDArray[float64]]
    ) -> None:
        self._metric = metric
        self._name = metric.name
        self._fields = metric.fields
        self._values = values

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        texts = columns.texts([candidate], "candidate").to_list()
        values = tuple(self.values(texts, 1)[:, 0].tolist())
        return {self._name: Score(self._fields, values, self._fields[0])}

    def run_rows(self, candidates: Any, references: Any, workers: int) -> NDArray[float64]:
        return self.values(candidates.to_list(), workers)[None]

    def prepare(self, references: Any) -> PreparedAlone:
        return PreparedAlone(self)

    def values(self, texts: Sequence[str | None], workers: int) -> NDArray[float64]:
        """The fields of each text [field, text], NaN where there is none."""
        import numpy as np

        places: dict[str, int] = {}
        found = np.full((len(self._fields), len(texts)), np.nan)
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
            made = self._values(list(places), workers)
            found[:, worded] = made.reshape(len(self._fields), -1)[:, rows]
        if empty:
            floors = getattr(self._metric, "floors", None) or (self._metric.floor,)
            found[:, empty] = np.array(floors)[:, None]
        return found


class PreparedAlone:
    """The runner, which has nothing to read beforehand."""

    def __init__(self, runner: CandidateRunner) -> None:
        self._runner = runner

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        return self._runner.run_pair(candidate, None)

    def run_rows(self, candidates: Any, workers: int) -> NDArray[float64]:
        return self._runner.run_rows(candidates, None, workers)
