"""Scores where tables are: accessors of pandas and polars, functions of SQL."""

from __future__ import annotations

from typing import Any

from summeval._core.rows.record import Score
from summeval.interop.shared.batches import BatchScorer
from summeval.io.rows import guessed
from summeval.metrics.registry import DEFAULT


class FrameAccessor:
    """What `frame.summeval` is: the columns are found by their usual names."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(self, metrics: Any = DEFAULT, **options: Any) -> Any:
        """Return the frame with a column for each score; NaN (polars: null) means no score.

        Parameters
        ----------
        metrics, **options
            Of `BatchScorer`, but for `carry`: all columns are kept.

        Raises
        ------
        KeyError, TypeError, ValueError
            As `score_record_batch`.
        """
        scorer = BatchScorer(metrics, carry=False, **options)
        return self._joined(scorer(self._table(scorer), "the frame"), scorer.made_columns)

    def corpus(self, metrics: Any = DEFAULT, **options: Any) -> dict[str, Score]:
        """Return the score of each metric for all rows."""
        scorer = BatchScorer(metrics, carry=False, **options)
        return scorer.corpus([scorer.sums(self._table(scorer), "the frame")])

    def _table(self, scorer: BatchScorer) -> Any:
        """Return the columns that are read."""
        names = list(self._frame.columns)
        sides = ("candidate", *scorer.suite.reads)
        texts = [guessed(what, scorer.columns[what], names) for what in sides]
        return self._arrow(list(dict.fromkeys([*texts, *filter(None, [scorer.id_column])])))

    def _arrow(self, names: list[str]) -> Any:
        """Return these columns as an Arrow table."""
        raise NotImplementedError

    def _joined(self, made: Any, names: list[str]) -> Any:
        """Return the frame with a record batch of new columns."""
        raise NotImplementedError
