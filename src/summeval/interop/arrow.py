"""Score Arrow record batches: the function behind the adapters for bulk engines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from summeval._lazy import need
from summeval.io.directions import numbers, score_fields
from summeval.io.rows import guessed, not_found
from summeval.metrics.registry import DEFAULT
from summeval.metrics.run.base import Metric
from summeval.metrics.run.corpus import Sums
from summeval.metrics.run.declared import OnError
from summeval.metrics.run.suite import Suite
from summeval.metrics.scoring import suite

if TYPE_CHECKING:
    from summeval._arrays import Floats
    from summeval.metrics.run.table import ScoreTable


def score_record_batch(
    batch: Any,
    metrics: Iterable[str | Metric] | str | Metric | Suite = DEFAULT,
    *,
    candidate_column: str = "candidate",
    references_column: str = "references",
    source_column: str = "source",
    workers: int = 1,
    carry: bool | Iterable[str] = False,
    on_error: OnError = "raise",
    error_column: str | None = None,
) -> Any:
    """Score the rows of an Arrow record batch.

    Kernels read the texts in place, without making Python strings and without the GIL. In
    dictionary-encoded columns each distinct pair of candidate and references is scored once. If
    only the references are dictionary-encoded, each of them is read once.

    Parameters
    ----------
    batch
        Anything with `__arrow_c_array__` (a pyarrow or arro3 RecordBatch), or with
        `__arrow_c_stream__`, which is read whole (a pyarrow Table, a polars DataFrame).
    metrics : names and metric objects, or a suite
        A suite made once saves preparing the kernels for each batch.
    candidate_column, references_column, source_column : str
        The columns with the texts: strings of any Arrow type and, for references and source,
        lists of strings too. Columns that no metric reads may be missing. In place of a default
        name a column with a common name is read: `summary`, `prediction`, `hypothesis`, `response`;
        `reference`, `target`, `targets`, `highlights`; `document`, `article`, `input`.
    workers : int
        Threads; leave it at 1 inside an engine that runs several batches at once.
    carry : bool or names
        The columns to copy before the scores; True means all but the texts. A score column replaces
        a copied column of the same name.
    on_error : {"raise", "skip"}
        What to do with refused rows; see `summeval.score_batch`. With "skip" the scores of the
        metrics that refused a row are null.
    error_column : str, optional
        Name of a last column with the reasons for refused rows; null for other rows.

    Returns
    -------
    pyarrow.RecordBatch
        The same rows in the same order, with columns `<metric>.<field>` in float64; null if the row
        has no candidate or nothing to compare it with. The signatures of the metrics are the
        metadata of its schema; the metadata of each column of scores says whether a higher number
        is better: `higher_is_better`, `true` or `false`.

    Raises
    ------
    ImportError
        pyarrow (extra `arrow`) is not installed.
    KeyError
        A column is missing.
    TypeError, ValueError
        A column holds no texts, a text is too long; the message names the column or the row.

    Examples
    --------
    >>> import pyarrow as pa
    >>> batch = pa.record_batch({"id": [1], "candidate": ["a cat"], "references": [["the cat"]]})
    >>> score_record_batch(batch, ["rouge1"], carry=["id"]).to_pylist()
    [{'id': 1, 'rouge1.precision': 0.5, 'rouge1.recall': 0.5, 'rouge1.fmeasure': 0.5}]
    """
    pa = need("pyarrow", "score_record_batch", "arrow")
    columns = candidate_column, references_column, source_column
    rows, names, _, table = _scored(_as_batch(batch, pa), metrics, columns, workers, on_error)
    if isinstance(carry, bool):
        texts = names.values()
        carry = [name for name in rows.schema.names if name not in texts] if carry else []
    kept = [name for name in carry if name not in table.columns and name != error_column]
    arrays = [_column(rows, name) for name in kept]
    fields = [rows.schema.field(name) for name in kept]
    # NaN means no score and would spoil SQL averages.
    arrays += [numbers(table[name]) for name in table.columns]
    fields += score_fields(table.higher_is_better)
    if error_column is not None:
        errors = table.errors
        messages = [errors.get(row) for row in range(rows.num_rows)]
        arrays.append(pa.array(messages, pa.string()))
        fields.append(pa.field(error_column, pa.string()))
    return pa.record_batch(arrays, schema=pa.schema(fields, metadata=table.signature))


def sum_record_batch(
    batch: Any,
    metrics: Iterable[str | Metric] | str | Metric | Suite = DEFAULT,
    *,
    candidate_column: str = "candidate",
    references_column: str = "references",
    source_column: str = "source",
    workers: int = 1,
    on_error: OnError = "raise",
) -> Floats:
    """Return what adds up over record batches for the score of a corpus, [statistic].

    The parameters and errors are those of `score_record_batch`; rows without a score are left out.
    `Sums` of the same metrics makes the scores of the sum.

    Examples
    --------
    >>> import pyarrow as pa, summeval
    >>> from summeval.metrics.run.corpus import Sums
    >>> scorer = summeval.suite("rouge1")
    >>> batch = pa.record_batch({"candidate": ["a cat"], "references": [["the cat"]]})
    >>> sums = sum_record_batch(batch, scorer) + sum_record_batch(batch, scorer)
    >>> Sums(scorer.metrics).scores(sums)["rouge1"].value
    0.5
    """
    rows = _as_batch(batch, need("pyarrow", "sum_record_batch", "arrow"))
    columns = candidate_column, references_column, source_column
    _, _, chosen, table = _scored(rows, metrics, columns, workers, on_error)
    return Sums(chosen.metrics).of(table)


def _scored(
    rows: Any, metrics: Any, columns: Iterable[str], workers: int, on_error: OnError
) -> tuple[Any, dict[str, str], Suite, ScoreTable]:
    """Return the rows, the columns of the texts, the suite and its table."""
    chosen = metrics if isinstance(metrics, Suite) else suite(metrics)
    names = dict(zip(("candidate", "references", "source"), columns, strict=True))
    texts = {}
    for what in ("candidate", *chosen.reads):
        names[what] = guessed(what, names[what], rows.schema.names)
        texts[what] = _column(rows, names[what])
    given, sources = (texts.get("references"), texts.get("source"))
    options: Any = {"sources": sources, "workers": workers, "on_error": on_error}
    return rows, names, chosen, chosen.score_batch(texts["candidate"], given, **options)


def _as_batch(batch: Any, pa: Any) -> Any:
    if isinstance(batch, pa.RecordBatch):
        return batch
    if hasattr(type(batch), "__arrow_c_array__"):
        return pa.record_batch(batch)
    if not hasattr(type(batch), "__arrow_c_stream__"):
        raise TypeError(
            f"batch is {type(batch).__name__}; pass a record batch, or an object that exports one"
        )
    table = pa.table(batch)
    if any(column.num_chunks > 1 for column in table.columns):
        table.validate(full=True)  # joining chunks follows their offsets
        table = table.combine_chunks()
    batches = table.to_batches()
    if len(batches) > 1:
        raise ValueError(
            "batch has more text than one record batch can hold; pass it in several batches"
        )
    return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=table.schema)


def _column(batch: Any, name: str) -> Any:
    names = batch.schema.names
    if name not in names:
        raise KeyError(not_found(name, names))
    if names.count(name) > 1:
        raise KeyError(f"{name!r} is the name of {names.count(name)} columns; rename all but one")
    return batch.column(names.index(name))
