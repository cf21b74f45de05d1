"""ScoreTable: the scores of many rows, one NumPy column for each field of each metric."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from summeval._extras import need
from summeval.metrics.directions import score_fields

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


_ROWS_SHOWN = 10


class ScoreTable:
    """Scores of a batch: columns `<metric>.<field>` of one float64 for each row.

    `table["rouge2.recall"]` is a column; `table["rouge2"]` is the column of the number that the
    metric is known by. Rows without a score (a None candidate, no reference) hold NaN.

    Attributes
    ----------
    columns : list of str
        The column names, in the order of the metrics and their fields.
    signature : dict of str to str
        For each metric, what its numbers depend on: name, options, resources, version.
    higher_is_better : dict of str to bool
        For each column whether a higher number is better.
    errors : dict of int to str
        With `on_error="skip"`, the rows that were refused, each with the message that says why.

    Examples
    --------
    >>> import summeval
    >>> table = summeval.score_batch(["the cat sat", None], ["the cat", "a dog"], ["rouge1"])
    >>> len(table), table.columns
    (2, ['rouge1.precision', 'rouge1.recall', 'rouge1.fmeasure'])
    >>> table["rouge1.recall"].tolist()
    [1.0, nan]
    >>> table.mean()["rouge1.fmeasure"]
    0.8

    `dict(table)` has the columns by their names, for `pandas.DataFrame` or a dataset's `map`;
    `numpy.asarray(table)` is one array [row, column]. With pyarrow the table exports Arrow, so that
    `polars.DataFrame(table)` and duckdb read it.

    >>> list(dict(table)) == table.columns
    True
    """

    def __init__(
        self,
        data: Mapping[str, NDArray[float64]],
        primary: Mapping[str, str],
        signature: Mapping[str, str],
        rows: int,
        falling: Collection[str] = (),
        *,
        errors: Mapping[int, str] | None = None,
    ) -> None:
        self._data = dict(data)
        for column in self._data.values():
            column.flags.writeable = False  # the numbers of a signature do not change
        self._primary = dict(primary)
        self._rows = rows
        self._signature = dict(signature)
        self._falling = frozenset(falling)
        self._errors = dict(sorted(errors.items())) if errors else {}

    @property
    def columns(self) -> list[str]:
        return list(self._data)

    @property
    def signature(self) -> dict[str, str]:
        return dict(self._signature)

    @property
    def higher_is_better(self) -> dict[str, bool]:
        return {name: name not in self._falling for name in self._data}

    @property
    def errors(self) -> dict[int, str]:
        return dict(self._errors)

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def keys(self) -> list[str]:
        """The column names; with these a table can be made a dict."""
        return self.columns

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """All columns as one array [row, column]."""
        import numpy as np

        if copy is False:
            raise ValueError("a ScoreTable is copied to one array; leave copy= out")
        columns = list(self._data.values())
        return np.stack(columns, axis=1).astype(dtype or np.float64, copy=False)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table for whatever reads Arrow; needs pyarrow (extra `arrow`)."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._data or name in self._primary)

    def __getitem__(self, name: str) -> NDArray[float64]:
        if not isinstance(name, str):
            raise TypeError(f"a column's name is a str, not {type(name).__name__}")
        column = self._data.get(self._primary.get(name, name))
        if column is None:
            near = difflib.get_close_matches(name, self._data, 3) or self.columns[:3]
            raise KeyError(f"no column {name!r}; did you mean {', '.join(near)}?")
        return column

    def mean(self) -> dict[str, float]:
        """Plain mean of each column over the rows that have a score; NaN if none has."""
        import numpy as np

        means = {}
        for name, column in self._data.items():
            present = column[~np.isnan(column)]
            means[name] = float(present.mean()) if len(present) else float("nan")
        return means

    def bootstrap(
        self, resamples: int = 1000, confidence: float = 95.0
    ) -> dict[str, tuple[float, float, float]]:
        """Average, lower and upper bound of each column as ROUGE-1.5.5 resamples them.

        The same drand48 draws, mean of sample means and interval formula as the script's default
        (`-r`, `-c`, `-t 0`), over the rows that have a score, in the order of the table. The
        script sorts evaluations by their ID as text first, which can move the last digits.

        Raises
        ------
        ValueError
            If `resamples` is less than 1 or `confidence` is not in [0, 100].
        """
        import numpy as np

        from summeval.metrics.rouge_bootstrap import bootstrap_means

        result = {}
        for name, column in self._data.items():
            present = column[~np.isnan(column)].reshape(-1, 1)
            if len(present) == 0:
                result[name] = (float("nan"),) * 3
                continue
            average, lower, upper = bootstrap_means(
                present, resamples=resamples, confidence=confidence
            )
            result[name] = (float(average[0]), float(lower[0]), float(upper[0]))
        return result

    def to_arrow(self) -> Any:
        """The table as a pyarrow.Table (extra `arrow`).

        Its metadata has the signatures, that of each column its direction: `higher_is_better`,
        which is `true` or `false`.
        """
        pa = need("pyarrow", "ScoreTable.to_arrow", "arrow")
        schema = pa.schema(score_fields(self.higher_is_better), metadata=self._signature)
        return pa.table(self._data, schema=schema)

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("ScoreTable.to_pandas needs pandas: pip install pandas") from None
        return pd.DataFrame(self._data)

    def __repr__(self) -> str:
        return f"<ScoreTable: {self._rows} rows, columns {', '.join(self._data)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first rows and the means."""
        from html import escape

        shown = {name: column[:_ROWS_SHOWN].tolist() for name, column in self._data.items()}
        lines = [["", *map(escape, shown)]]
        for row, values in enumerate(zip(*shown.values(), strict=True)):
            lines.append([str(row), *(f"{value:.5g}" for value in values)])
        lines.append(["mean", *(f"{value:.5g}" for value in self.mean().values())])
        cells = ("".join(f"<td>{cell}</td>" for cell in line) for line in lines)
        body = "".join(f"<tr>{line}</tr>" for line in cells)
        return f"<table>{body}</table><p>{self._rows} rows</p>"
