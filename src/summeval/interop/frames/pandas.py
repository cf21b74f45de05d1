"""pandas: `frame.summeval.score(["rouge1"])`, once `register()` was called."""

from __future__ import annotations

from typing import Any

from summeval._core.rows.record import Score
from summeval._lazy import need
from summeval.interop.frames import scorer_of
from summeval.metrics.registry import DEFAULT


class Accessor:
    """What `frame.summeval` is for a DataFrame of pandas.

    The columns are found by their usual names, as in `score_record_batch`.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(self, metrics: Any = DEFAULT, **options: Any) -> Any:
        """Return the frame with a column for each score; NaN means no score.

        Parameters
        ----------
        metrics, **options
            Of `BatchScorer`, but for `carry`: all columns are kept.

        Raises
        ------
        KeyError, TypeError, ValueError
            As `score_record_batch`.
        """
        scorer, names = scorer_of(metrics, options, self._frame.columns)
        made = scorer(self._table(names), "the frame").to_pandas()
        # As arrays, because a Series would be aligned by its labels.
        return self._frame.assign(**{name: made[name].array for name in scorer.made_columns})

    def corpus(self, metrics: Any = DEFAULT, **options: Any) -> dict[str, Score]:
        """Return the score of each metric for all rows."""
        scorer, names = scorer_of(metrics, options, self._frame.columns)
        return scorer.corpus([scorer.sums(self._table(names), "the frame")])

    def _table(self, names: list[str]) -> Any:
        pa = need("pyarrow", "frame.summeval", "arrow")
        return pa.Table.from_pandas(self._frame[names], preserve_index=False)


def register() -> None:
    """Give each DataFrame of pandas the attribute `summeval`."""
    pd = need("pandas", "an accessor of pandas")
    if not hasattr(pd.DataFrame, "summeval"):  # once: pandas warns of a second time
        pd.api.extensions.register_dataframe_accessor("summeval")(Accessor)
