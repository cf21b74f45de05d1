"""Scores as Parquet and Arrow files, written at once when all scores are known.

Until then the partial file holds the scores as plain float64, row by row: unlike Parquet and Arrow
files, it can be appended to, checked and truncated anywhere. The last step reads the carried
columns again and writes the complete file, so its bytes do not depend on interruptions of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Protocol

from summeval.io.arrow.carried import NewTypes, RowColumns
from summeval.io.arrow.rows import PIECE_BYTES
from summeval.io.arrow.values import numbers
from summeval.io.directions import score_fields
from summeval.io.errors import DataError
from summeval.io.output import Finish
from summeval.io.rows import Rows

_GROUP_ROWS = 1 << 17
_GROUP_BYTES = 64 << 20


class SpoolEncoder:
    """Rows of scores in the partial file: float64, the columns of a row next to each other."""

    header: list[str] | None = None

    def encode(self, chunk: Rows, scores: Sequence[Any]) -> bytes:
        """Encode the scores of a chunk; `scores` holds one float64 array for each score column."""
        import numpy as np

        return bytes(np.stack(scores, axis=1, dtype="<f8").data)


class Carried(Protocol):
    """Columnar rows that can be read again."""

    @property
    def size(self) -> int:
        """The number of rows."""

    @property
    def schema(self) -> Any:
        """The names of the columns."""

    def batches(self, names: Sequence[str], start: int, chunk_bytes: int) -> Iterator[Any]:
        """Yield record batches with these columns, from row `start`."""


def table_writer(
    read: Callable[[], tuple[Carried, Sequence[str]]],
    scores: Mapping[str, bool],
    signature: Mapping[str, str],
    form: str,
) -> Finish:
    """Return the function that writes the carried columns and the stored scores to a file.

    `scores` maps each score column to its direction, which is stored in the file.

    `read`, called at the end, returns the rows and the names of the carried columns; a score column
    replaces a carried column of the same name.
    """

    def finish(spool: BinaryIO, target: BinaryIO) -> None:
        rows, names = read()
        try:
            write(rows, names, spool, target)
        except NewTypes:
            assert isinstance(rows, RowColumns)
            rows.read_types()
            target.seek(0)
            target.truncate()
            write(rows, rows.schema.names, spool, target)

    def write(rows: Carried, names: Sequence[str], spool: BinaryIO, target: BinaryIO) -> None:
        import pyarrow as pa

        carried = [name for name in names if name not in scores]
        fields = [_plain(rows.schema.field(name), form) for name in carried]
        fields += score_fields(scores)
        schema = pa.schema(fields, metadata=dict(signature))
        try:
            put = _parquet if form == "parquet" else _arrow
            put(_groups(rows, carried, len(scores), schema, spool), schema, target)
        except pa.ArrowException as error:
            raise DataError("the output", " ".join(str(error).split()), "write .jsonl") from None

    return finish


def check_writable(schema: Any, names: Sequence[str]) -> None:
    """Raise `DataError` for a column type that Parquet cannot store."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    for name in names:
        field = schema.field(name)
        try:
            ParquetWriter(pa.BufferOutputStream(), pa.schema([field])).close()
        except pa.ArrowException:
            problem = f"the column {name!r} is {field.type}, which Parquet cannot store"
            raise DataError("the output", problem, "write .arrow or .jsonl, or drop it") from None


def _plain(field: Any, form: str) -> Any:
    """The field as stored: values, because an Arrow file allows only one dictionary."""
    return field.with_type(_values(field.type)) if form == "arrow" else field


def _values(kind: Any) -> Any:
    """The type with dictionaries replaced by their values, as far as pyarrow can cast."""
    import pyarrow as pa

    types = pa.types
    if types.is_dictionary(kind):
        return _values(kind.value_type)
    fields = [_plain(kind.field(place), "arrow") for place in range(kind.num_fields)]
    if types.is_struct(kind):
        return pa.struct(fields)
    if types.is_map(kind):
        return pa.map_(_plain(kind.key_field, "arrow"), _plain(kind.item_field, "arrow"))
    if types.is_fixed_size_list(kind):
        return pa.list_(*fields, kind.list_size)
    if types.is_list(kind) or types.is_large_list(kind):
        return (pa.list_ if types.is_list(kind) else pa.large_list)(*fields)
    return kind


def _groups(
    rows: Carried, carried: Sequence[str], width: int, schema: Any, spool: BinaryIO
) -> Iterator[Any]:
    """Yield tables of rows with their scores, each a row group of the output."""
    import pyarrow as pa

    waiting: list[Any] = []
    rows_waiting = bytes_waiting = 0
    for batch in _scored(rows, carried, width, schema, spool):
        waiting.append(batch)
        rows_waiting += batch.num_rows
        bytes_waiting += batch.nbytes
        if rows_waiting < _GROUP_ROWS and bytes_waiting < _GROUP_BYTES:
            continue
        table = pa.Table.from_batches(waiting, schema=schema)
        while table.num_rows >= _GROUP_ROWS or table.nbytes >= _GROUP_BYTES:
            yield table.slice(0, _GROUP_ROWS)
            table = table.slice(_GROUP_ROWS)
        waiting = table.to_batches()
        rows_waiting, bytes_waiting = table.num_rows, table.nbytes
    if waiting:
        yield pa.Table.from_batches(waiting, schema=schema)


def _scored(
    rows: Carried, carried: Sequence[str], width: int, schema: Any, spool: BinaryIO
) -> Iterator[Any]:
    import numpy as np
    import pyarrow as pa

    spool.seek(0)
    done = 0
    for kept in _carried(rows, carried):
        size = kept.num_rows if carried else kept
        values = np.frombuffer(spool.read(size * width * 8), dtype="<f8").reshape(size, width)
        arrays = [
            array.cast(field.type) if array.type != field.type else array
            for array, field in zip(kept.columns if carried else (), schema, strict=False)
        ]
        arrays += [numbers(column) for column in np.ascontiguousarray(values.T)]
        yield pa.record_batch(arrays, schema=schema)
        done += size


def _carried(rows: Carried, carried: Sequence[str]) -> Iterator[Any]:
    """Yield batches of the carried columns; without any, only the numbers of rows."""
    if carried:
        return rows.batches(carried, 0, PIECE_BYTES)
    sizes = range(0, rows.size, _GROUP_ROWS)
    return iter([min(_GROUP_ROWS, rows.size - first) for first in sizes])


def _parquet(groups: Iterator[Any], schema: Any, target: BinaryIO) -> None:
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(target, schema) as writer:
        for table in groups:
            writer.write_table(table, row_group_size=_GROUP_ROWS)


def _arrow(groups: Iterator[Any], schema: Any, target: BinaryIO) -> None:
    import pyarrow as pa

    with pa.ipc.new_file(target, schema) as writer:
        for table in groups:
            writer.write_table(table.combine_chunks())
