"""Record batches and their scores, for the engines of bulk scoring; failures with their rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from summeval._core.rows.record import Score
from summeval._lazy import need
from summeval._options import check_choice
from summeval.interop.arrow import score_record_batch, sum_record_batch
from summeval.metrics.registry import DEFAULT
from summeval.metrics.run.base import Metric
from summeval.metrics.run.corpus import Sums
from summeval.metrics.run.declared import OnError
from summeval.metrics.run.refusals import ON_ERROR
from summeval.metrics.run.suite import Suite
from summeval.metrics.scoring import suite

_ROW = re.compile(r"row (\d+)|\w+\[(\d+)\]")  # how messages name a row


class BatchScorer:
    """`score_record_batch` with its arguments set; it pickles, as engines send it to processes.

    One thread scores a batch, for engines run several batches at once.

    Parameters
    ----------
    metrics : names and metric objects, or a suite
    candidate_column, references_column, source_column : str
        The columns with the texts.
    carry : bool or names
        The columns to pass on before the scores; True for all but the texts.
    id_column : str, optional
        The column that a failing row is named by, beside its number.
    on_error, error_column
        As in `score_record_batch`: with `on_error="skip"` a row that is refused has null scores
        for the metrics that refused it, and its message, if wanted, in `error_column`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> score = BatchScorer("rouge1", carry=False)
    >>> score(pa.record_batch({"candidate": ["a cat"], "references": ["the cat"]})).to_pylist()
    [{'rouge1.precision': 0.5, 'rouge1.recall': 0.5, 'rouge1.fmeasure': 0.5}]
    """

    def __init__(
        self,
        metrics: Iterable[str | Metric] | str | Metric | Suite = DEFAULT,
        *,
        candidate_column: str = "candidate",
        references_column: str = "references",
        source_column: str = "source",
        carry: bool | Iterable[str] = True,
        id_column: str | None = None,
        on_error: OnError = "raise",
        error_column: str | None = None,
    ) -> None:
        self.suite = metrics if isinstance(metrics, Suite) else suite(metrics)
        names = candidate_column, references_column, source_column
        self.columns = dict(zip(("candidate", "references", "source"), names, strict=True))
        check_choice("on_error", on_error, ON_ERROR)
        self.id_column, self.error_column = id_column, error_column
        self.carry = carry if isinstance(carry, bool) else list(carry)
        self._options: dict[str, Any] = {f"{k}_column": name for k, name in self.columns.items()}
        self._options["on_error"] = on_error

    def __call__(self, batch: Any, place: str = "a batch", first: int = 0) -> Any:
        """Score the rows of a record batch or table.

        Parameters
        ----------
        batch
            As `score_record_batch` takes.
        place : str
            What the batch is part of, for messages.
        first : int
            The number that its first row has there.

        Raises
        ------
        KeyError, TypeError, ValueError
            As `score_record_batch`, with the place and the rows of the batch.
        """
        more = {"carry": self.carry, "error_column": self.error_column}
        return self._located(score_record_batch, batch, place, first, **more)

    def sums(self, batch: Any, place: str = "a batch", first: int = 0) -> list[float]:
        """Return what adds up over batches; of the sum, `corpus` makes scores."""
        found: list[float] = self._located(sum_record_batch, batch, place, first).tolist()
        return found

    def corpus(self, sums: Iterable[Sequence[float]]) -> dict[str, Score]:
        """Return the score of each metric for all batches, of the sums of each."""
        import numpy as np

        whole = Sums(self.suite.metrics)
        return whole.scores(np.array([[0.0] * whole.size, *sums]).sum(axis=0))

    def _located(self, work: Any, batch: Any, place: str, first: int, **more: Any) -> Any:
        """Return what a function makes of a batch; its errors say where the batch is."""
        try:
            return work(batch, self.suite, **self._options, **more)
        except (KeyError, TypeError, ValueError) as error:
            message = error.args[0] if error.args else error
            rows = f"rows {first} to {first + batch.num_rows - 1} of {place}"
            raise type(error)(f"{rows}: {message}{self._which(batch, str(message))}") from error

    def _which(self, batch: Any, message: str) -> str:
        """Return the ID of the row that a message names by its number in the batch."""
        found = _ROW.match(message)
        if found is None or self.id_column is None:
            return ""
        row = int(found[1] or found[2])
        return f" ({self.id_column}: {batch.column(self.id_column)[row].as_py()!r})"

    @property
    def score_columns(self) -> list[str]:
        """The names of the columns of scores."""
        return list(self.suite.directions)

    @property
    def made_columns(self) -> list[str]:
        """The names of the columns of scores and, last, of that with the errors."""
        return [*self.score_columns, *filter(None, [self.error_column])]

    def carried(self, names: Iterable[str]) -> list[str]:
        """Those of a batch's columns that are passed on."""
        if self.carry is True:
            chosen = [name for name in names if name not in self.columns.values()]
        else:
            chosen = list(self.carry or ())
        return [name for name in chosen if name not in self.made_columns]

    def texts(self) -> list[str]:
        """Return the columns that the scores are made of."""
        return [self.columns[name] for name in ("candidate", *self.suite.reads)]

    def read(self) -> list[str]:
        """Return these columns, and that of the ids."""
        return list(dict.fromkeys([*self.texts(), *filter(None, [self.id_column])]))

    def schema(self, schema: Any) -> Any:
        """Return the Arrow schema of what a batch of this schema becomes."""
        pa = need("pyarrow", "BatchScorer.schema", "arrow")
        return self(pa.RecordBatch.from_pylist([], schema=schema)).schema
