"""polars: `frame.summeval.score(["rouge1"])`, once `register()` was called; also of lazy frames."""

from __future__ import annotations

from typing import Any

from summeval._core.rows.record import Score
from summeval._lazy import need
from summeval.interop.frames import scorer_of
from summeval.metrics.registry import DEFAULT


class Accessor:
    """What `frame.summeval` is for a DataFrame of polars.

    The columns are found by their usual names, as in `score_record_batch`.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(self, metrics: Any = DEFAULT, **options: Any) -> Any:
        """Return the frame with a column for each score; null means no score.

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
        made = scorer(self._frame.select(names).to_arrow(), "the frame")
        return self._frame.with_columns(need("polars", "an accessor of polars").from_arrow(made))

    def corpus(self, metrics: Any = DEFAULT, **options: Any) -> dict[str, Score]:
        """Return the score of each metric for all rows."""
        scorer, names = scorer_of(metrics, options, self._frame.columns)
        return scorer.corpus([scorer.sums(self._frame.select(names).to_arrow(), "the frame")])


class LazyAccessor:
    """What `frame.summeval` is for a LazyFrame of polars, which is scored by its batches."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(self, metrics: Any = DEFAULT, **options: Any) -> Any:
        """Return the lazy frame with a column for each score; see `Accessor.score`."""
        pl = need("polars", "an accessor of polars")
        schema = self._frame.collect_schema()
        scorer, _ = scorer_of(metrics, options, schema.names())
        made = dict.fromkeys(scorer.score_columns, pl.Float64)
        made |= dict.fromkeys(filter(None, [scorer.error_column]), pl.String)
        options = {**options, "metrics": scorer.suite}
        return self._frame.map_batches(
            lambda frame: Accessor(frame).score(**options),
            schema={**schema, **made},
            streamable=True,
        )


def register() -> None:
    """Give each DataFrame and LazyFrame of polars the attribute `summeval`."""
    pl = need("polars", "an accessor of polars")
    if not hasattr(pl.DataFrame, "summeval"):  # once: polars warns of a second time
        pl.api.register_dataframe_namespace("summeval")(Accessor)
        pl.api.register_lazyframe_namespace("summeval")(LazyAccessor)
