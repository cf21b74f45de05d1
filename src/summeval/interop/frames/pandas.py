"""pandas: `frame.summeval.score(["rouge1"])`, once `register()` was called."""

from __future__ import annotations

from typing import Any

from summeval._lazy import need
from summeval.interop.frames import FrameAccessor


class Accessor(FrameAccessor):
    """What `frame.summeval` is for a DataFrame of pandas."""

    def _arrow(self, names: list[str]) -> Any:
        pa = need("pyarrow", "frame.summeval", "arrow")
        return pa.Table.from_pandas(self._frame[names], preserve_index=False)

    def _joined(self, made: Any, names: list[str]) -> Any:
        columns = made.to_pandas()
        # As arrays, because a Series would be aligned by its labels.
        return self._frame.assign(**{name: columns[name].array for name in names})


def register() -> None:
    """Give each DataFrame of pandas the attribute `summeval`."""
    pd = need("pandas", "an accessor of pandas")
    if not hasattr(pd.DataFrame, "summeval"):  # once: pandas warns of a second time
        pd.api.extensions.register_dataframe_accessor("summeval")(Accessor)
