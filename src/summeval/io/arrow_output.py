"""Scores as Parquet and Arrow files, written at once when all scores are known.

Unlike such files, the partial file can be appended to, checked and truncated anywhere. It holds the
scores as plain float64, row by row. What is carried through from columns is read again by the last
step; of other rows it stands before the scores of a chunk, as JSON, so that lines are read once.
The last step writes the complete file, so its bytes do not depend on interruptions of the run.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, BinaryIO

from summeval.io import DataError
from summeval.io.arrow import PIECE_BYTES
from summeval.io.directions import numbers, score_fields
from summeval.io.output import Finish
from summeval.io.rows import ERROR, Chunk, encode_json

_GROUP_ROWS = 1 << 17
_GROUP_BYTES = 64 << 20
_HEAD = struct.Struct("<qq")  # of a chunk of rows: their number, and the bytes of JSON

Part = tuple[list[Any], int]
"""The arrays of carried columns and the number of their rows, the scores of which come next."""


class SpoolEncoder:
    """Writer of chunks of the partial file."""

    header: list[str] | None = None

    def encode(self, chunk: Chunk, scores: Sequence[Any]) -> bytes:
        """Encode a chunk; `scores` holds one float64 array for each score column."""
        import numpy as np

        values = bytes(np.stack(scores, axis=1, dtype="<f8").data)
        if chunk.batch is not None:
            return values
        if told := {place: {ERROR: error} for place, error in chunk.errors.items()}:
            rows = [row | told.get(place, {}) for place, row in enumerate(chunk.rows)]
            text = json.dumps(rows).encode()
        else:
            text = chunk.json if len(chunk) else json.dumps([*chunk.columns]).encode()
        return _HEAD.pack(len(chunk), len(text)) + text + values


class NewTypes(Exception):
    """A chunk has a column, or a type, that the first chunk does not show."""


def table_writer(
    scores: Mapping[str, bool | None],
    signature: Mapping[str, str],
    form: str,
    table: Any = None,
    names: Sequence[str] = (),
    *,
    errors: bool = False,
) -> Finish:
    """Return the function that writes the carried columns and the stored scores to a file.

    Parameters
    ----------
    scores
        Each score column with its direction, which is stored in the file; None for a statistic,
        which has none. It replaces a carried column of the same name.
    signature
        The metadata of the file.
    table, names
        The columnar input and its carried columns; None where the chunks held rows.
    errors
        Whether rows have a column for their errors.
    """
    width = len(scores)

    def finish(spool: BinaryIO, target: BinaryIO) -> None:
        if table is not None:
            carried = [name for name in names if name not in scores]
            fields = [table.schema.field(name) for name in carried]
            return write(fields, _of_table(table, carried), spool, target)
        kinds = _kinds(spool, width, errors, 1) or _kinds(spool, width, errors)
        try:
            write_rows(kinds, False, spool, target)
        except NewTypes:
            target.seek(0)
            target.truncate()
            write_rows(_kinds(spool, width, errors), True, spool, target)

    def write_rows(kinds: Mapping[str, Any], known: bool, *files: BinaryIO) -> None:
        import pyarrow as pa

        fields = [pa.field(name, kind) for name, kind in kinds.items() if name not in scores]
        write(fields, _of_rows(_chunks(files[0], width), fields, kinds, known), *files)

    def write(fields: list[Any], parts: Iterator[Part], spool: BinaryIO, target: BinaryIO) -> None:
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter

        opened = ParquetWriter if form == "parquet" else pa.ipc.new_file
        stored = [_plain(field, form) for field in fields] + score_fields(scores)
        schema = pa.schema(stored, metadata=dict(signature))
        spool.seek(0)
        try:
            groups = _groups(_scored(parts, width, schema, spool), schema)
            with opened(target, schema) as writer:
                for group in groups:
                    writer.write_table(group if form == "parquet" else group.combine_chunks())
        except pa.ArrowException as error:
            raise DataError("the output", " ".join(str(error).split()), "write .jsonl") from None

    return finish


def _of_table(table: Any, names: Sequence[str]) -> Iterator[Part]:
    """Yield the carried columns of a table; without any, only the numbers of rows."""
    if names:
        for batch in table.batches(names, 0, PIECE_BYTES):
            yield batch.columns, batch.num_rows
    else:
        for first in range(0, table.size, _GROUP_ROWS):
            yield [], min(_GROUP_ROWS, table.size - first)


def _of_rows(
    chunks: Iterable[tuple[list[Any], int]],
    fields: Sequence[Any],
    kinds: Mapping[str, Any],
    known: bool,
) -> Iterator[Part]:
    """Yield the carried columns of rows, each with a type that fits all of its values.

    A column with values of several types is a text column: strings are kept, others encoded as
    JSON. The types are those of all rows if they are `known`; else `NewTypes` is raised for rows
    that they do not fit.
    """
    for rows, size in chunks:
        if not known and size and not kinds.keys() >= {*chain.from_iterable(rows)}:
            raise NewTypes
        arrays = []
        for field in fields:
            values = [row.get(field.name) for row in rows[:size]]
            array = None if known else _inferred(values)
            if array is None or array.type != field.type:
                if not known and _wider(field.type, _type_of(array)) != field.type:
                    raise NewTypes
                array = array_of(values, field.type)
            arrays.append(array)
        yield arrays, size


def _chunks(spool: BinaryIO, width: int) -> Iterator[tuple[list[Any], int]]:
    """Yield the rows of each chunk and their number; of one without rows the names of its columns.

    The scores of a chunk may be read before the next one.
    """
    spool.seek(0)
    while head := spool.read(_HEAD.size):
        size, length = _HEAD.unpack(head)
        rows = json.loads(spool.read(length))
        end = spool.tell() + 8 * size * width
        yield rows, size
        spool.seek(end)


def _kinds(spool: BinaryIO, width: int, errors: bool, most: int | None = None) -> dict[str, Any]:
    """Return the types of the columns of rows, those of the first `most` chunks."""
    import pyarrow as pa

    kinds: dict[str, Any] = {}
    for rows, _ in islice(_chunks(spool, width), most):
        if rows and isinstance(rows[0], str):
            kinds |= dict.fromkeys(rows, pa.string())
            continue
        for name in dict.fromkeys(chain.from_iterable(rows)):
            found = _type_of(_inferred([row.get(name) for row in rows]))
            kinds[name] = _wider(kinds.get(name, pa.null()), found)
    return kinds | ({ERROR: pa.string()} if errors else {})


def _inferred(values: list[Any]) -> Any:
    """Return the values as an array of the type that Arrow sees in them; None if it sees none."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, OverflowError):
        return None


def _type_of(array: Any) -> Any:
    import pyarrow as pa

    return pa.string() if array is None else array.type


def _wider(one: Any, other: Any) -> Any:
    """Return a common type for the values of both."""
    import pyarrow as pa

    if one == other or pa.types.is_null(other):
        return one
    if pa.types.is_null(one):
        return other
    return pa.float64() if {one, other} == {pa.int64(), pa.float64()} else pa.string()


def array_of(values: list[Any], kind: Any = None) -> Any:
    """Return the values as an array; of texts, with others as JSON, if they have several types."""
    import pyarrow as pa

    kind = _type_of(_inferred(values)) if kind is None else kind
    if pa.types.is_string(kind):
        values = [v if v is None or isinstance(v, str) else encode_json(v) for v in values]
    elif pa.types.is_floating(kind):
        values = [v if v is None else float(v) for v in values]
    return pa.array(values, kind)


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
    """Return the field as stored: values, because an Arrow file allows only one dictionary."""
    return field.with_type(_values(field.type)) if form == "arrow" else field


def _values(kind: Any) -> Any:
    """Return the type with dictionaries replaced by their values, as far as pyarrow can cast."""
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


def _scored(parts: Iterator[Part], width: int, schema: Any, spool: BinaryIO) -> Iterator[Any]:
    """Record batches of the carried columns with the scores."""
    import numpy as np
    import pyarrow as pa

    for carried, size in parts:
        values = np.frombuffer(spool.read(size * width * 8), dtype="<f8").reshape(size, width)
        arrays = [
            array.cast(field.type) if array.type != field.type else array
            for array, field in zip(carried, schema, strict=False)
        ]
        arrays += [numbers(column) for column in np.ascontiguousarray(values.T)]
        yield pa.record_batch(arrays, schema=schema)


def _groups(batches: Iterator[Any], schema: Any) -> Iterator[Any]:
    """Yield tables of rows with their scores, each a row group of the output."""
    import pyarrow as pa

    waiting: list[Any] = []
    rows_waiting = bytes_waiting = 0
    for batch in batches:
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
