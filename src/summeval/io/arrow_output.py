"""Scores as Parquet and Arrow files.

Such files cannot be appended to, so a run also keeps a spool: a partial file that can be checked
and truncated anywhere. It holds the scores of each chunk as plain float64 and, where the input has
rows, what is carried through as JSON.

Row groups are written while the run goes on; a resumed run first writes those of the spool, for
which it reads the carried columns of columns again. From rows, the first chunk gives the types; if
a later one does not fit them, the file is written at the end, when the types of all columns are
known. So its bytes do not depend on interruptions of the run.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, BinaryIO

from summeval.io import DataError, naming
from summeval.io.arrow import PIECE_BYTES
from summeval.io.directions import numbers, score_fields
from summeval.io.rows import ERROR, Chunk, encode_json

_GROUP_ROWS = 1 << 16  # while one of twice the size is written, all others come to wait
_GROUP_BYTES = 64 << 20
_EXACT = 2**53  # from here on a float64 may be one of several whole numbers
_HEAD = struct.Struct("<qq")  # of a chunk: the number of its rows, and the bytes of JSON


class NewTypes(Exception):
    """A chunk has a column, or a type, that the first chunk does not show."""


class TableWriter:
    """Writer of chunks of the spool, and of the file.

    Parameters
    ----------
    form
        "parquet" or "arrow".
    scores
        Each score column with its direction, which is stored in the file; None for a statistic,
        which has none. It replaces a carried column of the same name.
    signature
        The metadata of the file.
    fields, read
        The Arrow fields of the carried columns of a columnar input, and its `TableInput.batches`;
        None where the chunks hold rows.
    errors
        Whether rows have a column for their errors.
    """

    header: list[str] | None = None
    _name: str
    _spool: BinaryIO
    _target: BinaryIO
    _schema: Any

    def __init__(
        self,
        form: str,
        scores: Mapping[str, bool | None],
        signature: Mapping[str, str],
        fields: Sequence[Any] = (),
        read: Callable[[Sequence[str], int, int], Iterator[Any]] | None = None,
        *,
        errors: bool = False,
    ) -> None:
        self._form, self._scores, self._signature, self._errors = form, scores, signature, errors
        self._fields = [field for field in fields if field.name not in scores]
        self._read = read
        self._late = False  # whether the file is written at the end
        self._writer: Any = None
        self._waiting: list[Any] = []  # tables of the next row group
        self._rows = self._bytes = 0  # of the tables that wait

    def begin(self, name: str, spool: BinaryIO, target: BinaryIO) -> None:
        """Take the files to write, and write what the spool of an earlier run holds.

        `name` is the output in messages.
        """
        import pyarrow as pa

        self._name, self._spool, self._target = name, spool, target
        if self._read is None:
            for text, scores in self._spooled():
                self._grow(text, scores)
            return
        self._open(self._fields)
        names = [field.name for field in self._fields]
        batches = self._read(names, 0, PIECE_BYTES) if names else iter(())
        rest: list[Any] = []
        for _, scores in self._spooled():
            size, columns = scores.shape[1], []
            if names and size:
                while sum(map(len, rest)) < size:
                    rest.append(next(batches))
                table = pa.Table.from_batches(rest)
                columns, rest = table.slice(0, size).columns, table.slice(size).to_batches()
            self._add(columns, scores)

    def encode(self, chunk: Chunk, scores: Sequence[Any]) -> bytes:
        """Return the bytes of a chunk in the spool, and add the chunk to the file.

        `scores` holds one float64 array for each score column.
        """
        import numpy as np

        text = b""
        if self._read is not None:
            self._add([chunk.batch.column(field.name) for field in self._fields], scores)
        elif errors := {place: {ERROR: error} for place, error in chunk.errors.items()}:
            rows = [row | errors.get(place, {}) for place, row in enumerate(chunk.rows)]
            text = json.dumps(rows).encode()
        else:
            text = chunk.json if len(chunk) else json.dumps([*chunk.columns]).encode()
        if self._read is None:
            self._grow(text, scores)
        values = (np.ascontiguousarray(column, "<f8").data for column in scores)
        return b"".join((_HEAD.pack(len(chunk), len(text)), text, *values))

    def finish(self) -> None:
        """Write the rest of the file."""
        if self._read is None and (self._late or self._writer is None):
            self._open_rows(text for text, _ in self._spooled())
            for text, scores in self._spooled():
                self._add_rows(text, scores)
        if self._waiting:
            self._write_groups(least=1)
        with self._refusals():
            self._writer.close()

    def close(self) -> None:
        """Stop, whatever was written."""
        with suppress(OSError, ValueError):  # a full disk, reported before
            if self._writer is not None:
                self._writer.close()
        self._waiting, self._rows, self._bytes = [], 0, 0

    def _open(self, fields: Sequence[Any]) -> None:
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter

        stored = [_plain(field, self._form) for field in fields] + score_fields(self._scores)
        self._schema = pa.schema(stored, metadata=dict(self._signature))
        opened = ParquetWriter if self._form == "parquet" else pa.ipc.new_file
        with self._refusals():
            self._writer = opened(self._target, self._schema)

    def _add(self, columns: Sequence[Any], scores: Sequence[Any]) -> None:
        """Add rows by their carried columns and their scores; write each row group that is full."""
        import pyarrow as pa

        if not len(scores[0]):
            return
        with self._refusals():
            arrays = [
                array.cast(field.type) if array.type != field.type else array
                for array, field in zip(columns, self._schema, strict=False)
            ]
        arrays += map(numbers, scores)
        self._waiting.append(pa.Table.from_arrays(arrays, schema=self._schema))
        self._rows += self._waiting[-1].num_rows
        self._bytes += self._waiting[-1].nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._write_groups(_GROUP_ROWS)

    def _write_groups(self, least: int) -> None:
        """Write row groups while `least` rows, or the bytes of a group, wait."""
        import pyarrow as pa

        table = pa.concat_tables(self._waiting)
        while table.num_rows and (table.num_rows >= least or table.nbytes >= _GROUP_BYTES):
            group, table = table.slice(0, _GROUP_ROWS), table.slice(_GROUP_ROWS)
            with self._refusals():
                is_parquet = self._form == "parquet"
                self._writer.write_table(group if is_parquet else group.combine_chunks())
        self._waiting, self._rows, self._bytes = [table], table.num_rows, table.nbytes

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Turn errors of writing into a `DataError`."""
        import pyarrow as pa

        try:
            with naming(self._name):
                yield
        except pa.ArrowException as error:
            raise DataError("the output", " ".join(str(error).split()), "write .jsonl") from None

    def _grow(self, text: bytes, scores: Sequence[Any]) -> None:
        """Add rows to the file, as long as all fit the types of the first chunk."""
        if self._late:
            return
        if self._writer is None:
            self._open_rows([text])
        try:
            self._add_rows(text, scores)
        except NewTypes:
            self._late = True
            self.close()
            self._target.seek(0)
            self._target.truncate()

    def _open_rows(self, texts: Iterable[bytes]) -> None:
        import pyarrow as pa

        kinds = self._kinds(texts).items()
        self._fields = [pa.field(name, kind) for name, kind in kinds if name not in self._scores]
        self._open(self._fields)

    def _add_rows(self, text: bytes, scores: Sequence[Any]) -> None:
        """Add the rows of a chunk, each column with a type that fits all of its values.

        A column with values of several types is a text column: strings are kept, others encoded as
        JSON. Unless the types are those of all rows, `NewTypes` is raised for rows that they do not
        fit.
        """
        if not len(scores[0]):
            return
        if (columns := self._parsed(text)) is None:
            rows, columns = _rows_of(text), []
            names = {field.name for field in self._fields} | self._scores.keys()
            if not self._late and not names >= {*chain.from_iterable(rows)}:
                raise NewTypes
            for field in self._fields:
                values = [row.get(field.name) for row in rows]
                array = None if self._late else _inferred(values)
                if array is None or array.type != field.type:
                    if not self._late and _wider(field.type, _type_of(array)) != field.type:
                        raise NewTypes
                    array = array_of(values, field.type)
                columns.append(array)
        self._add(columns, scores)

    def _parsed(self, text: bytes) -> list[Any] | None:
        """Return the columns as pyarrow reads them, without Python objects; None if in doubt."""
        import numpy as np
        import pyarrow as pa
        from pyarrow.json import ParseOptions, ReadOptions, read_json

        if text.startswith(b"[") or any(pa.types.is_nested(one.type) for one in self._fields):
            return None
        schema = pa.schema(self._fields)
        how = ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
        whole = ReadOptions(use_threads=False, block_size=len(text) + 1)
        try:
            found = read_json(pa.BufferReader(text), whole, how)
        except pa.ArrowException:
            return None
        for column in found.columns:
            if pa.types.is_floating(column.type):
                for array in column.chunks:  # `to_numpy` would import pandas
                    if (abs(np.frombuffer(array.buffers()[1])) >= _EXACT).any():
                        return None  # they may be whole numbers
        return list(found.columns)

    def _spooled(self) -> Iterator[tuple[bytes, Any]]:
        """Yield what the spool holds of each chunk: its JSON, and its scores [column, row]."""
        import numpy as np

        self._spool.seek(0)
        while head := self._spool.read(_HEAD.size):
            size, length = _HEAD.unpack(head)
            text = self._spool.read(length)
            values = np.frombuffer(self._spool.read(8 * size * len(self._scores)), "<f8")
            yield text, values.reshape(len(self._scores), size)

    def _kinds(self, texts: Iterable[bytes]) -> dict[str, Any]:
        """Return the types of the columns of chunks of rows."""
        import pyarrow as pa

        kinds: dict[str, Any] = {}
        for text in texts:
            rows = _rows_of(text)
            if rows and isinstance(rows[0], str):  # the columns of a table without rows
                kinds |= dict.fromkeys(rows, pa.string())
                continue
            for name in dict.fromkeys(chain.from_iterable(rows)):
                found = _type_of_values([row.get(name) for row in rows])
                kinds[name] = _wider(kinds.get(name, pa.null()), found)
        return kinds | ({ERROR: pa.string()} if self._errors else {})


def _rows_of(text: bytes) -> list[Any]:
    """Return the rows of a chunk of the spool: a JSON list, or an object on each line."""
    listed = text if text.startswith(b"[") else b"[%b]" % text.replace(b"\n", b",")
    found: list[Any] = json.loads(listed)
    return found


def _inferred(values: list[Any]) -> Any:
    """Return the values as an array of the type that Arrow sees in them; None if it sees none."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, OverflowError):
        return None


def _type_of_values(values: list[Any]) -> Any:
    """Return the type that Arrow sees in values.

    Usual ones are not given to `pyarrow.array`, which imports pandas.

    >>> _type_of_values([1, None]), _type_of_values([1.5, 1]), _type_of_values([2**63])
    (DataType(int64), DataType(double), DataType(string))
    """
    import pyarrow as pa

    usual = {str: pa.string(), float: pa.float64(), int: pa.int64(), bool: pa.bool_()}
    kinds = {*map(type, values)} - {type(None)}
    if kinds == {int} and not all(v is None or -(2**63) <= v < 2**63 for v in values):
        return pa.string()
    if len(kinds) == 1 and (found := usual.get(*kinds)):
        return found
    return _type_of(_inferred(values))


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
