"""Scores, and confidence intervals of their means by resampling."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from summeval._arrays import Floats

_DRAWS_AT_ONCE = 1 << 18


class Score(NamedTuple):
    """Precision, recall and F of one text."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """The interval of a mean: lower bound, median of the resamples, upper bound."""

    low: Any
    mid: Any
    high: Any


class BaseScorer(abc.ABC):
    """A scorer of a prediction against a target."""

    @abc.abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the Score of each type."""


class BootstrapAggregator:
    """Confidence intervals of mean scores.

    Resampling draws from NumPy's global generator as rouge-score does, draw for draw, so that
    `numpy.random.seed` gives the intervals that it gives there.

    Parameters
    ----------
    confidence_interval : float
        From 0 to 1.
    n_samples : int
        Resamples.
    seed : int, optional
        Draw from a generator of this seed instead: the same intervals each time, whatever else
        draws.

    Raises
    ------
    ValueError
        For a confidence outside [0, 1] or no resamples.

    Examples
    --------
    >>> aggregator = BootstrapAggregator(seed=1)
    >>> for recall in (0.0, 0.5, 1.0):
    ...     aggregator.add_scores({"rouge1": Score(1.0, recall, recall)})
    >>> interval = aggregator.aggregate()["rouge1"]
    >>> [bound.recall.item() for bound in interval]
    [0.0, 0.5, 1.0]
    """

    def __init__(
        self, confidence_interval: float = 0.95, n_samples: int = 1000, *, seed: int | None = None
    ) -> None:
        if not 0 <= confidence_interval <= 1:
            raise ValueError(f"confidence_interval is {confidence_interval!r}; give 0 to 1")
        if n_samples <= 0:
            raise ValueError(f"n_samples is {n_samples!r}; give a number of at least 1")
        self._confidence_interval = confidence_interval
        self._n_samples = n_samples
        self._seed = seed
        self._scores: dict[str, list[Any]] = {}

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add the scores of one text: for each type a named tuple of numbers."""
        for score_type, score in scores.items():
            self._scores.setdefault(score_type, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """For each type the interval of the mean of what was added, in NumPy's float64."""
        import numpy as np

        draw: Any = np.random if self._seed is None else np.random.RandomState(self._seed)
        result = {}
        for score_type, scores in self._scores.items():
            bounds = self._bounds(np.array([tuple(score) for score in scores], dtype=float), draw)
            result[score_type] = AggregateScore(*(type(scores[0])(*row) for row in bounds))
        return result

    def _bounds(self, scores: Floats, draw: Any) -> Floats:
        """[bound, field] of scores [text, field]."""
        import numpy as np

        rows = len(scores)
        means = np.empty((self._n_samples, scores.shape[1]))
        step = max(1, _DRAWS_AT_ONCE // rows)
        for begin in range(0, self._n_samples, step):
            some = means[begin : begin + step]
            # one draw of [resample, text] takes from the generator what as many draws of texts do
            some[:] = scores[draw.randint(0, rows, size=(len(some), rows))].mean(axis=1)
        tail = (1 - self._confidence_interval) / 2
        bounds: Floats = np.percentile(means, 100 * np.array([tail, 0.5, 1 - tail]), axis=0)
        return bounds


def fmeasure(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall; 0 if both are 0.

    >>> fmeasure(0.5, 1.0)
    0.6666666666666666
    """
    both = precision + recall
    return 2 * precision * recall / both if both > 0 else 0.0
