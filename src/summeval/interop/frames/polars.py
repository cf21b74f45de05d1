"""polars: `frame.summeval.score(["rouge1"])`, once `register()` was called; also of lazy frames."""

from __future__ import annotations

from typing import Any

from summeval._lazy import need
from summeval.interop.frames import FrameAccessor
from summeval.metrics.registry import DEFAULT


class Accessor(FrameAccessor):
    """What `frame.summeval` is for a DataFrame of polars."""

    def _arrow(self, names: list[str]) -> Any:
        return self._frame.select(names).to_arrow()

    def _joined(self, made: Any, names: list[str]) -> Any:
        return self._frame.with_columns(need("polars", "an accessor of polars").from_arrow(made))


class LazyAccessor:
    """What `frame.summeval` is for a LazyFrame of polars, which is scored by its batches."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(self, metrics: Any = DEFAULT, **options: Any) -> Any:
        """Return the lazy frame with a column for each score; arguments as of a DataFrame."""

        def scored(frame: Any) -> Any:
            return Accessor(frame).score(metrics, **options)

        schema = self._frame.collect_schema()
        whole = scored(schema.to_frame()).schema  # of no rows
        return self._frame.map_batches(scored, schema=whole, streamable=True)


def register() -> None:
    """Give each DataFrame and LazyFrame of polars the attribute `summeval`."""
    pl = need("polars", "an accessor of polars")
    if not hasattr(pl.DataFrame, "summeval"):  # once: polars warns of a second time
        pl.api.register_dataframe_namespace("summeval")(Accessor)
        pl.api.register_lazyframe_namespace("summeval")(LazyAccessor)
