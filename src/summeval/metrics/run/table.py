"""ScoreTable: the scores of many rows, one NumPy column for each field of each metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from summeval._lazy import need
from summeval._options import unknown
from summeval.io.directions import numbers, score_fields
from summeval.metrics.run.refusals import RowErrors

if TYPE_CHECKING:
    from summeval._arrays import AnyArray, Floats
    from summeval._core.rows.record import Score
    from summeval.metrics.run.signature import Signature


_ROWS_SHOWN = 10


class Layout(NamedTuple):
    """Facts about the columns of a table; the tables of a suite share them.

    Attributes
    ----------
    primary : mapping of str to str
        For each metric its main column.
    signature : mapping of str to Signature
        The signature of each metric.
    lower_is_better : frozenset of str
        The columns in which lower is better.
    summed : mapping of str to Metric
        The metrics whose score of a corpus comes from sums of statistics.
    """

    primary: Mapping[str, str]
    signature: Mapping[str, Signature]
    lower_is_better: frozenset[str] = frozenset()
    summed: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of(cls, metrics: Iterable[Any]) -> Layout:
        """Return the layout of the scores of metrics."""
        known = {metric.name: metric for metric in metrics}
        return cls(
            {name: f"{name}.{metric.primary}" for name, metric in known.items()},
            {name: metric.signature for name, metric in known.items()},
            frozenset(
                f"{name}.{field}" for name, one in known.items() for field in one.lower_is_better
            ),
            {name: metric for name, metric in known.items() if metric.summed},
        )


class ScoreTable(dict[str, "Floats"]):
    """Scores of a batch: a read-only dict of columns `<metric>.<field>`, one float64 for each row.

    `table["rouge2.recall"]` is a column; `table["rouge2"]` is the main column. Rows without a
    score (a None candidate, no reference) hold NaN. As for any dict, `len(table)` is the number of
    columns and iteration gives their names; `table.rows` is the number of rows. The table cannot be
    changed (TypeError); `dict(table)` can.

    Attributes
    ----------
    columns : list of str
        The column names, in the order of the metrics and their fields.
    rows : int
        The number of rows.
    signature : dict of str to Signature
        For each metric, everything that its numbers depend on: name, options, resources, version.
    higher_is_better : dict of str to bool
        For each column whether a higher number is better.
    errors : dict of int to str
        With `on_error="skip"`, the refused rows, each with the message that says why.

    Examples
    --------
    >>> import summeval
    >>> table = summeval.score_batch(["the cat sat", None], ["the cat", "a dog"], ["rouge1"])
    >>> table.rows, table.columns
    (2, ['rouge1.precision', 'rouge1.recall', 'rouge1.fmeasure'])
    >>> table["rouge1.recall"].tolist()
    [1.0, nan]
    >>> table.mean()["rouge1.fmeasure"]
    0.8

    `pandas.DataFrame(table)` and `polars.DataFrame(table, nan_to_null=True)` have the same column
    names; `numpy.asarray(table)` is one array [row, column]. With pyarrow, `to_arrow()` and the
    Arrow stream of the table, which have null for NaN, also have the signatures;
    `pyarrow.table(table)` has only the columns.
    `table | other` has the columns of both tables, which must have the same number of rows. Two
    tables are equal if their numbers (NaN included), signatures and directions are equal.

    >>> both = table | summeval.score_batch(["the cat sat", None], ["the cat", "a dog"], ["rougeL"])
    >>> len(both), both.rows, both == table
    (6, 2, False)
    """

    _errors: Mapping[int, str] = MappingProxyType({})
    _sums: Mapping[str, Floats] = MappingProxyType({})
    _layout: Layout
    _rows: int

    def __init__(
        self,
        data: Mapping[str, Floats] | Iterable[tuple[str, Floats]],
        layout: Layout,
        rows: int,
        errors: Mapping[int, str] | None = None,
        sums: Mapping[str, Floats] | None = None,
    ) -> None:
        """`data` are read-only arrays: the numbers that belong to a signature must not change.

        `sums` has the statistics [row, statistic] of the metrics that are summed.
        """
        dict.__init__(self, data)  # faster than super(), which matters for batches of few rows
        self._layout = layout
        self._rows = rows
        if sums:
            self._sums = sums
        if errors:
            self._errors = dict(sorted(errors.items()))

    @property
    def columns(self) -> list[str]:
        return list(self)

    @property
    def rows(self) -> int:
        return self._rows

    @property
    def signature(self) -> dict[str, Signature]:
        return dict(self._layout.signature)

    @property
    def higher_is_better(self) -> dict[str, bool]:
        lower_is_better = self._layout.lower_is_better
        return {name: name not in lower_is_better for name in self}

    @property
    def errors(self) -> dict[int, str]:
        return dict(self._errors)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        """Return all columns as one array [row, column]."""
        import numpy as np

        if copy is False:
            raise ValueError("a ScoreTable is copied to one array; leave copy= out")
        columns = list(self.values())
        return np.stack(columns, axis=1).astype(dtype or np.float64, copy=False)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table as an Arrow stream; needs pyarrow (extra `arrow`)."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (
            isinstance(name, str) and name in self._layout.primary
        )

    def __getitem__(self, name: str) -> Floats:
        column = super().get(name)
        if column is not None:
            return column
        if not isinstance(name, str):
            raise TypeError(
                f"a column's name is a str, not {type(name).__name__}; a row is "
                "numpy.asarray(table)[row]"
            )
        primary = self._layout.primary
        if name not in primary:
            import difflib

            near = difflib.get_close_matches(name, self, 3) or self.columns[:3]
            raise KeyError(f"no column {name!r}; did you mean {', '.join(near)}?")
        return super().__getitem__(primary[name])

    def get(self, name: str, default: Any = None) -> Any:
        """The column of this name, or this metric's main column; `default` if there is none."""
        column = super().get(name)
        if column is None:
            column = super().get(self._layout.primary.get(name, ""), default)
        return column

    def copy(self) -> ScoreTable:
        """A table with the same columns; for a copy that can be changed use `dict(table)`."""
        return copy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (dict(self), self._layout, self._rows, self.errors, dict(self._sums))

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, dict) or set(self) != set(other):
            return NotImplemented if not isinstance(other, dict) else False
        if isinstance(other, ScoreTable) and (
            (self._rows, self._layout[1:3]) != (other._rows, other._layout[1:3])
        ):
            return False
        return all(_equal(column, other[name]) for name, column in self.items())

    def __ne__(self, other: object) -> bool:
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, ScoreTable):
            return super().__or__(other)
        if self._rows != other._rows:
            raise ValueError(
                f"{self._rows} rows and {other._rows} rows; join tables of the same texts"
            )
        own, its = self._layout, other._layout
        for name in own.signature.keys() & its.signature.keys():
            if own.signature[name] != its.signature[name]:
                raise ValueError(f"both tables have a {name!r} of its own; give one a label=")
        errors = RowErrors(self._errors)
        errors.join(other._errors)
        return ScoreTable(
            {**self, **other},
            Layout(
                {**own.primary, **its.primary},
                {**own.signature, **its.signature},
                own.lower_is_better | its.lower_is_better,
                {**own.summed, **its.summed},
            ),
            self._rows,
            errors,
            {**self._sums, **other._sums},
        )

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise TypeError; all methods that would change the table do so."""
        raise TypeError("a ScoreTable cannot be changed; change dict(table) or a data frame of it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def mean(self) -> dict[str, float]:
        """Mean of each column over the rows that have a score; NaN if no row has one."""
        import numpy as np

        means = {}
        for name, column in self.items():
            present = column[~np.isnan(column)]
            means[name] = float(present.mean()) if len(present) else float("nan")
        return means

    def statistics(self, metric: str) -> Floats:
        """Return what adds up over rows, [row, statistic]; see `Metric.statistics`."""
        if metric not in self._layout.primary:
            raise KeyError(unknown("metric", metric, self._layout.primary))
        if metric in self._sums:
            return self._sums[metric]
        from summeval.metrics.run.corpus import Means

        return Means.statistics([self[column] for column in self._of(metric)])

    def corpus(self, samples: int = 0, seed: int | None = None) -> dict[str, Score]:
        """Return the score of each metric for all rows together; see `Metric.corpus`.

        Of sums where the metric has statistics that add up, such as BLEU, else the mean of rows.

        >>> import summeval
        >>> table = summeval.score_batch(["a cat", "a dog"], ["a cat", "a cow"], ["rouge1"])
        >>> table.corpus()["rouge1"].value
        0.75
        """
        from summeval.metrics.run.corpus import Means, corpus_score

        found = {}
        for name, primary in self._layout.primary.items():
            fields = tuple(column[len(name) + 1 :] for column in self._of(name))
            formula = self._layout.summed.get(name) or Means(fields, primary[len(name) + 1 :])
            found[name] = corpus_score(formula, self.statistics(name), samples, seed)
        return found

    def _of(self, metric: str) -> list[str]:
        """The columns of a metric."""
        others = [name for name in self._layout.primary if len(name) > len(metric)]
        return [
            column
            for column in self
            if column.startswith(f"{metric}.")
            and not any(column.startswith(f"{name}.") for name in others)
        ]

    def bootstrap(
        self, resamples: int = 1000, confidence: float = 0.95
    ) -> dict[str, tuple[float, float, float]]:
        """Average, lower and upper bound of each column, by the resampling of ROUGE-1.5.5.

        The drand48 draws, the mean of sample means and the interval formula are those of the
        script's default (`-r`, `-c`, `-t 0`), over the rows that have a score, in the order of the
        table. The script first sorts evaluations by their ID as text, so the last digits may
        differ.

        Parameters
        ----------
        resamples : int
        confidence : float
            The share of the resampled means that lies between the bounds, 0 to 1.

        Raises
        ------
        ValueError
            If `resamples` is less than 1 or `confidence` is not in [0, 1].

        Examples
        --------
        >>> import summeval
        >>> table = summeval.score_batch(["a cat", "a dog"], ["a cat", "a cow"], ["rouge1"])
        >>> [round(bound, 3) for bound in table.bootstrap(confidence=0.9)["rouge1.recall"]]
        [0.75, 0.5, 1.0]
        """
        import numpy as np

        from summeval.metrics.rouge.measures import bootstrap_means

        result = {}
        for name, column in self.items():
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
        """Return the table as a pyarrow.Table (extra `arrow`), with null where there is no score.

        The metadata of the table has the signatures. The metadata of each column has its direction:
        `higher_is_better` is `true` or `false`.
        """
        pa = need("pyarrow", "ScoreTable.to_arrow", "arrow")
        metadata = dict(self._layout.signature)
        schema = pa.schema(score_fields(self.higher_is_better), metadata=metadata)
        return pa.Table.from_arrays([numbers(column) for column in self.values()], schema=schema)

    def to_pandas(self) -> Any:
        """Return the table as a pandas.DataFrame."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("ScoreTable.to_pandas needs pandas: pip install pandas") from None
        return pd.DataFrame(dict(self))

    def __repr__(self) -> str:
        return f"<ScoreTable: {self._rows} rows, columns {', '.join(self)}>"

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: the first rows and the means."""
        from html import escape

        shown = {name: column[:_ROWS_SHOWN].tolist() for name, column in self.items()}
        lines = [["", *map(escape, shown)]]
        for row, values in enumerate(zip(*shown.values(), strict=True)):
            lines.append([str(row), *(f"{value:.5g}" for value in values)])
        lines.append(["mean", *(f"{value:.5g}" for value in self.mean().values())])
        cells = ("".join(f"<td>{cell}</td>" for cell in line) for line in lines)
        body = "".join(f"<tr>{line}</tr>" for line in cells)
        return f"<table>{body}</table><p>{self._rows} rows</p>"


def _restored(
    data: dict[str, Floats],
    layout: Layout,
    rows: int,
    errors: dict[int, str],
    sums: dict[str, Floats],
) -> ScoreTable:
    """Restore a pickled table; its arrays are made read-only again."""
    for column in data.values():
        column.flags.writeable = False
    return ScoreTable(data, layout, rows, errors, sums)


def _equal(column: Floats, other: object) -> bool:
    """Return whether two columns hold the same numbers, NaN in the same rows."""
    import numpy as np

    try:
        return bool(np.array_equal(column, np.asarray(other, dtype=np.float64), equal_nan=True))
    except (TypeError, ValueError):
        return False
