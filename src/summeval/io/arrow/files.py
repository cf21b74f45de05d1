"""Open Parquet and Arrow files: read their schema, and their rows in pieces.

Only the requested columns are read, and at most one row group or record batch at a time. Files are
read into memory, not mapped: if a mapped file is truncated during a run, the process crashes, and
checked data may change later. Each column is validated before its offsets are used, because the
readers of pyarrow do not validate them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Protocol

from summeval._extras import need
from summeval.io.errors import DataError, system_error

_BUFFER_BYTES = 1 << 20
_ARROW_MAGIC = b"ARROW1"


class TableFile(Protocol):
    """One columnar file of rows."""

    path: str
    rows: int
    row_bytes: float
    """The approximate size of a row, used to choose the length of a piece."""
    schema: Any

    def pieces(
        self, columns: Sequence[str], size: int, start: int, texts: Collection[str] = ()
    ) -> Iterator[Any]:
        """Yield record batches of at most `size` rows, from row `start`, with these columns.

        The arrays are validated, except `texts`: their reader checks offsets and encoding.
        """

    def close(self) -> None:
        """Close the file."""


def check_pyarrow(path: str) -> None:
    """Raise `DataError` unless pyarrow is installed (extra `arrow`)."""
    try:
        need("pyarrow", path, "arrow")
    except ImportError:
        raise DataError(
            path, "Parquet and Arrow need pyarrow", "pip install 'summeval[arrow]'"
        ) from None


def open_table(path: str, form: str) -> TableFile:
    """Open a file of the format "parquet" or "arrow" (the file format of Arrow or its stream).

    Raises
    ------
    DataError
        The file is missing, truncated or of another format, or pyarrow is not installed.
    """
    check_pyarrow(path)
    with reading(path, form):
        if os.path.isdir(path):
            raise DataError(path, "is a directory", "pass a file")
        if os.path.getsize(path) == 0:
            raise DataError(path, "is empty", "create the file again")
        if form == "parquet":
            return _ParquetFile(path)
        with open(path, "rb") as file:
            whole = file.read(len(_ARROW_MAGIC)) == _ARROW_MAGIC
        return _ArrowFile(path) if whole else _ArrowStream(path)


class reading(AbstractContextManager["reading"]):
    """Turn errors in a file into a `DataError` that names it."""

    def __init__(self, path: str, form: str) -> None:
        self._path = path
        self._form = {"parquet": "Parquet", "arrow": "Arrow"}[form]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or isinstance(error, DataError):
            return
        if isinstance(error, OSError) and error.errno:
            raise system_error(self._path, error) from None
        if isinstance(
            error, UnicodeDecodeError
        ):  # of a column name, which pyarrow decodes on access
            problem = "the name of a column is not UTF-8"
            raise DataError(self._path, problem, "write the file with other names") from None
        if isinstance(error, (OSError, EOFError)) or type(error).__module__.startswith("pyarrow"):
            reason = " ".join(str(error).split()).rstrip(".")[:160]
            problem = f"damaged, truncated or not {self._form} ({reason})"
            raise DataError(self._path, problem, "create the file again") from None


def damaged(path: str, name: str, first: int, rows: int, reason: str) -> DataError:
    """The error of a column that is invalid Arrow data, in rows from `first` on.

    >>> print(damaged("a.arrow", "id", 0, 2, "Invalid UTF8 sequence at string index 1"))
    ... # doctest: +NORMALIZE_WHITESPACE
    a.arrow: the column 'id' is damaged in rows 0 to 1 (Invalid UTF8 sequence at string index 1);
    write its texts as UTF-8, or as binary
    """
    known = " ".join(reason.split()).rstrip(".")[:200]
    place = f"in rows {first} to {first + rows - 1}"
    letters = "UTF8" in known or "UTF-8" in known
    mend = "write its texts as UTF-8, or as binary" if letters else "create the file again"
    return DataError(path, f"the column {name!r} is damaged {place} ({known})", mend)


def _checked(path: str, batch: Any, first: int, texts: Collection[str]) -> Any:
    """Validate a batch that starts with row `first`; see `TableFile.pieces`."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            # Without full=True only the buffer lengths and the last offset are checked.
            column.validate(full=name not in texts)
        except ValueError as error:
            raise damaged(path, name, first, batch.num_rows, str(error)) from None
    return batch


class _ParquetFile:
    """A Parquet file: no piece spans two row groups."""

    def __init__(self, path: str) -> None:
        from pyarrow.parquet import ParquetFile

        self.path = path
        # With a buffer the pages of a row group are streamed; otherwise columns are read at once.
        self._file = ParquetFile(path, buffer_size=_BUFFER_BYTES, pre_buffer=False)
        metadata = self._file.metadata
        self._groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        self.rows: int = metadata.num_rows
        self.row_bytes = sum(group.total_byte_size for group in self._groups) / max(self.rows, 1)
        self.schema = _read_names(self._file.schema_arrow)

    def pieces(
        self, columns: Sequence[str], size: int, start: int, texts: Collection[str] = ()
    ) -> Iterator[Any]:
        with reading(self.path, "parquet"):
            first = 0
            for number, group in enumerate(self._groups):
                if first + group.num_rows > start:
                    row = max(start, first)
                    for batch in self._group(number, columns, size, row - first):
                        yield _checked(self.path, batch, row, texts)
                        row += batch.num_rows
                first += group.num_rows

    def _group(self, number: int, columns: Sequence[str], size: int, skip: int) -> Iterator[Any]:
        if not columns:
            raise ValueError("no columns were asked for")
        batches = self._file.iter_batches(
            size, row_groups=[number], columns=list(columns), use_threads=False
        )
        for batch in batches:
            if skip < batch.num_rows:
                # A column name may be the prefix of another column, which is then read too.
                yield batch.slice(skip).select(list(columns))
            skip = max(skip - batch.num_rows, 0)

    def close(self) -> None:
        self._file.close(force=True)


class _ArrowFile:
    """A file in Arrow's file format (Feather version 2), read a record batch at a time."""

    def __init__(self, path: str) -> None:
        import pyarrow as pa

        self.path = path
        self._file = pa.OSFile(path)
        self.schema = _read_names(pa.ipc.open_file(self._file).schema)
        # Only a batch knows its size: read it with a column that is cheap to decode.
        plain = [field.name for field in self.schema if pa.types.is_primitive(field.type)]
        options = _projection(self.schema, (plain or self.schema.names)[:1])
        reader = pa.ipc.open_file(self._file, options=options)
        self._sizes = [
            reader.get_batch(number).num_rows for number in range(reader.num_record_batches)
        ]
        self.rows = sum(self._sizes)
        self.row_bytes = self._file.size() / max(self.rows, 1)

    def pieces(
        self, columns: Sequence[str], size: int, start: int, texts: Collection[str] = ()
    ) -> Iterator[Any]:
        import pyarrow as pa

        with reading(self.path, "arrow"):
            reader = pa.ipc.open_file(self._file, options=_projection(self.schema, columns))
            first = 0
            for number, rows in enumerate(self._sizes):
                if first + rows > start:
                    batch = reader.get_batch(number).select(list(columns))
                    batch = _checked(self.path, batch, first, texts)
                    yield from _cut(batch, size, max(start - first, 0))
                first += rows

    def close(self) -> None:
        self._file.close()


class _ArrowStream:
    """A file with an Arrow stream, as written by Hugging Face datasets."""

    def __init__(self, path: str) -> None:
        import pyarrow as pa

        self.path = path
        self._file = pa.OSFile(path)
        reader = pa.ipc.open_stream(self._file)
        self.schema = _read_names(reader.schema)
        self.rows = sum(batch.num_rows for batch in reader)
        self.row_bytes = self._file.size() / max(self.rows, 1)

    def pieces(
        self, columns: Sequence[str], size: int, start: int, texts: Collection[str] = ()
    ) -> Iterator[Any]:
        import pyarrow as pa

        with reading(self.path, "arrow"):
            self._file.seek(0)
            options = _projection(self.schema, columns)
            first = 0
            for batch in pa.ipc.open_stream(self._file, options=options):
                if first + batch.num_rows > start:
                    whole = _checked(self.path, batch.select(list(columns)), first, texts)
                    yield from _cut(whole, size, max(start - first, 0))
                first += batch.num_rows

    def close(self) -> None:
        self._file.close()


def _read_names(schema: Any) -> Any:
    """The schema, after checking that all names, also nested ones, are UTF-8."""
    _ = schema.names, str(schema)
    return schema


def _projection(schema: Any, columns: Sequence[str]) -> Any:
    import pyarrow as pa

    return pa.ipc.IpcReadOptions(
        included_fields=[schema.get_field_index(name) for name in columns], use_threads=False
    )


def _cut(batch: Any, size: int, start: int) -> Iterator[Any]:
    for first in range(start, batch.num_rows, size):
        yield batch.slice(first, size)
