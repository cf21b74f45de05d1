"""Parquet and Arrow files, read as one table in chunks of record batches.

Only the requested columns are read, and at most one row group or record batch at a time. Files are
read into memory, not mapped: if a mapped file is truncated during a run, the process crashes, and
checked data may change later. Each column is validated before its offsets are used, because the
readers of pyarrow do not validate them.

The kernels read the texts of a batch without conversion. Python objects are made only for carried
columns that are written as JSON Lines or CSV.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from itertools import accumulate, islice
from pathlib import Path
from typing import Any
from uuid import UUID

from summeval._core.columns import columns as texts_in
from summeval._lazy import need
from summeval.io import DataError, naming, system_error
from summeval.io.remote import files_of, is_address, open_file
from summeval.io.rows import Chunk, Columns, Position, Row
from summeval.io.source import Source, shown

# Smaller pieces stay in the CPU cache between reading and scoring; larger ones need fewer calls.
PIECE_BYTES = 4 << 20
_PIECE_ROWS = 1 << 16
_BUFFER_BYTES = 1 << 20
_ARROW_MAGIC = b"ARROW1"


class TableInput(Source):
    """A Parquet or Arrow file, or a directory of Parquet files, as one table.

    The files of a directory and its subdirectories are read in the order of their paths; names that
    start with `.` or `_` are skipped. All must have the same columns.

    Raises
    ------
    DataError
        The file is missing, truncated or of another format, the directory holds none, or pyarrow is
        not installed.
    """

    position = 0
    """The number of rows read so far."""

    def __init__(self, path: str, form: str) -> None:
        self.path, self.name = path, shown(path)
        self._files: list[TableFile] = []
        try:
            for name in _paths(path, form):
                self._files.append(open_table(name, form))
                _check_columns(self._files[0], self._files[-1])
        except BaseException:
            self.close()
            raise
        self.size: int = sum(file.rows for file in self._files)
        self.place = self._files[0].path
        """The first file; all others have its columns."""
        self.schema = self._files[0].schema

    def close(self) -> None:
        super().close()
        for file in self._files:
            file.close()

    @property
    def is_kept(self) -> bool:
        return not is_address(self.path)

    def files(self) -> list[str]:
        return [file.path for file in self._files]

    def same_file(self, path: str) -> bool:
        """Return whether `path` is one of the files, or would be read as one by the next run."""
        if os.path.isdir(self.path) and path.endswith(".parquet"):
            folder, out = (os.path.realpath(name) for name in (self.path, path))
            if _is_read(os.path.relpath(out, folder)):
                return True
        return super().same_file(path)

    def carried(self, columns: Columns, keep_text: bool) -> list[str]:
        """Return the carried columns: all, or all but the texts."""
        texts = () if keep_text else columns.texts
        return [name for name in self.schema.names if name not in texts]

    def chunks(
        self,
        columns: Columns,
        carried: Sequence[str],
        start: Position = Position(),  # noqa: B008 - frozen
        chunk_bytes: int = PIECE_BYTES,
        also: Sequence[str] = (),
    ) -> Iterator[Chunk]:
        """Yield the rows from `start`, in chunks of about `chunk_bytes` of text.

        Their batches have the columns `also` beside those that are `carried` in rows.

        Raises `DataError` if a file is damaged, or a column is missing or holds no texts.
        """
        self._check_texts(columns)
        sides = [columns.of(what) for what in columns.needed]
        names = list(dict.fromkeys([name for side in sides for name in side] + [*carried, *also]))
        # Texts that only kernels read are validated by the kernels, while they are in the CPU
        # cache; columns that are joined before that are read here, so they are validated like all
        # others.
        alone = {side[0] for side in sides if len(side) == 1} - {*carried, *also}
        batches = self.batches(names, start.offset, chunk_bytes, alone)
        if not self.size:
            import pyarrow as pa

            schema = pa.schema([self.schema.field(name) for name in names])
            batches = iter([pa.RecordBatch.from_pylist([], schema=schema)])
        row = start.offset
        for batch in batches:
            row += batch.num_rows
            self.position = row
            yield self._chunk(batch, columns, carried, row)

    def _chunk(self, batch: Any, columns: Columns, carried: Sequence[str], end: int) -> Chunk:
        def texts(what: str, called: str) -> texts_in.TextColumn | None:
            if what not in columns.needed:
                return None
            read = texts_in.texts if what == "candidate" else texts_in.references
            names = columns.of(what)
            parts = [batch.column(name) for name in names]
            try:
                return read(parts[0] if len(parts) == 1 else join_lists(parts), called)
            except ValueError as error:
                first = end - batch.num_rows
                raise damaged(self.name, names[0], first, batch.num_rows, str(error)) from None

        def rows() -> list[Row]:
            """Return the carried columns as JSON values, one dict per row."""
            if not (lists := [json_values(batch.column(name), name) for name in carried]):
                return [{} for _ in range(batch.num_rows)]
            return [dict(zip(carried, values, strict=True)) for values in zip(*lists, strict=True)]

        return Chunk(
            end=Position(end, end),
            needs=columns.needs,
            columns=carried,
            batch=batch,
            size=batch.num_rows,
            late={
                "rows": rows,
                "candidates": partial(texts, "candidate", "candidates"),
                "references": partial(texts, "references", "references"),
                "sources": partial(texts, "source", "sources"),
                "names": lambda: {*carried},
                # of texts that have been read, and so were validated
                "empty": lambda: count_empty(batch.column(columns.candidate)),
            },
        )

    def batches(
        self, names: Sequence[str], start: int, chunk_bytes: int, texts: Collection[str] = ()
    ) -> Iterator[Any]:
        """Yield record batches with these columns, from row `start`; `texts` as in `pieces`."""
        first = 0
        for file in self._files:
            if first + file.rows > start:
                size = min(max(int(chunk_bytes / max(file.row_bytes, 1.0)), 1), _PIECE_ROWS)
                row = max(start - first, 0)
                for batch in file.pieces(names, size, row, texts, self.in_threads):
                    row += batch.num_rows
                    yield batch
                if row != file.rows:
                    problem = f"declares {file.rows} rows but holds {row}"
                    raise DataError(file.path, problem, "create the file again")
            first += file.rows

    def _check_texts(self, columns: Columns) -> None:
        import pyarrow as pa

        names = self.schema.names
        for what in columns.needed:
            columns.check(self.place, names, what)
        for name in (name for what in columns.needed for name in columns.of(what)):
            kind = self.schema.field(name).type
            read = texts_in.texts if name == columns.candidate else texts_in.references
            wanted = "text" if name == columns.candidate else "text or lists of texts"
            try:
                if pa.types.is_struct(kind):  # a capsule of a one-column table may be a struct
                    raise TypeError
                read(pa.nulls(0, kind), name)
            except TypeError:
                problem = f"the column {name!r} is {kind}, not {wanted}"
                raise DataError(self.place, problem, "cast it to string") from None


def _paths(path: str, form: str) -> list[str]:
    if form == "parquet" and is_address(path):
        folder = path.partition("?")[0]
        found = [
            one for one in files_of(path, ".parquet") if _is_read(one[len(folder) :].strip("/"))
        ]
        if not found:
            raise DataError(shown(path), "holds no .parquet file", "check the address")
        return found
    if form != "parquet" or not os.path.isdir(path):
        return [path]
    with naming(path):
        files = sorted(Path(path).rglob("*.parquet"))
        found = [str(file) for file in files if _is_read(os.path.relpath(file, path))]
    if not found:
        hint = "pass a directory of Parquet files"
        if os.path.exists(os.path.join(path, "dataset_info.json")):  # of save_to_disk
            hint = f"convert it: load_from_disk({path!r}).to_parquet('rows.parquet')"
        raise DataError(path, "holds no .parquet file", hint)
    return found


def _is_read(path: str) -> bool:
    """Return whether a file, given by its path relative to the directory, belongs to the table."""
    return not any(part[0] in "._" for part in Path(path).parts)


def _check_columns(first: TableFile, other: TableFile) -> None:
    """Raise unless two files of a directory have the same columns."""
    names = first.schema.names
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise DataError(first.path, f"duplicate column {twice[0]!r}", "rename one of them")
    ours, others = ({field.name: field.type for field in file.schema} for file in (first, other))
    for name in {**ours, **others}:
        if ours.get(name) != others.get(name):
            raise DataError(
                other.path,
                f"the column {name!r} is {others.get(name, 'missing')}, but"
                f" {ours.get(name, 'missing')} in {first.path}",
                "write all files with the same columns",
            )


def check_pyarrow(path: str) -> None:
    """Raise `DataError` unless pyarrow is installed (extra `arrow`)."""
    try:
        need("pyarrow", path, "arrow")
    except ImportError:
        problem = "Parquet and Arrow need pyarrow"
        raise DataError(path, problem, "pip install 'summeval[arrow]'") from None


def open_table(path: str, form: str) -> TableFile:
    """Open a file of the format "parquet" or "arrow" (the file format of Arrow or its stream).

    Raises
    ------
    DataError
        The file is missing, truncated or of another format, or pyarrow is not installed.
    """
    check_pyarrow(path)
    name, there = shown(path), is_address(path)
    with reading(name, form):
        if not there and os.path.isdir(path):
            raise DataError(path, "is a directory", "pass a file")
        file: Any = open_file(path) if there else path
        if (file.size() if there else os.path.getsize(path)) == 0:
            raise DataError(name, "is empty", "create the file again")
        if form == "parquet":
            return _ParquetFile(name, file)
        with file if there else open(path, "rb") as begun:
            whole = begun.read(len(_ARROW_MAGIC)) == _ARROW_MAGIC
        return _ArrowFile(name, not whole, open_file(path) if there else None)


@contextmanager
def reading(path: str, form: str) -> Iterator[None]:
    """Turn errors in a file into a `DataError` that names it."""
    try:
        yield
    except DataError:
        raise
    except UnicodeDecodeError:  # of a column name, which pyarrow decodes on access
        problem = "the name of a column is not UTF-8"
        raise DataError(path, problem, "write the file with other names") from None
    except Exception as error:
        if isinstance(error, OSError) and error.errno:
            raise system_error(path, error) from None
        if isinstance(error, (OSError, EOFError)) or type(error).__module__.startswith("pyarrow"):
            reason = " ".join(str(error).split()).rstrip(".")[:160]
            problem = f"damaged, truncated or not {form.capitalize()} ({reason})"
            raise DataError(path, problem, "create the file again") from None
        raise


def damaged(path: str, name: str, first: int, rows: int, reason: str) -> DataError:
    """Return the error of a column that is invalid Arrow data, in rows from `first` on.

    >>> print(damaged("a.arrow", "id", 0, 2, "Invalid UTF8 sequence at string index 1"))
    ... # doctest: +NORMALIZE_WHITESPACE
    a.arrow: the column 'id' is damaged in rows 1 to 2 (Invalid UTF8 sequence at string index 1);
    write its texts as UTF-8, or as binary
    """
    known = " ".join(reason.split()).rstrip(".")[:200]
    place = f"in rows {first + 1} to {first + rows}"  # as rows of files are counted
    letters = "UTF8" in known or "UTF-8" in known
    hint = "write its texts as UTF-8, or as binary" if letters else "create the file again"
    return DataError(path, f"the column {name!r} is damaged {place} ({known})", hint)


def _checked(path: str, batch: Any, first: int, texts: Collection[str]) -> Any:
    """Validate a batch that starts with row `first`; see `pieces`."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            # Without full=True only the buffer lengths and the last offset are checked.
            column.validate(full=name not in texts)
        except ValueError as error:
            raise damaged(path, name, first, batch.num_rows, str(error)) from None
    return batch


class _ParquetFile:
    """A Parquet file: no piece spans two row groups.

    `rows` is the number of rows, `row_bytes` the approximate size of one, by which the length of a
    piece is chosen.
    """

    def __init__(self, path: str, file: Any) -> None:
        from pyarrow.parquet import ParquetFile

        self.path = path
        # With a buffer the pages of a row group are streamed; otherwise columns are read at once.
        self._file = ParquetFile(file, buffer_size=_BUFFER_BYTES, pre_buffer=False)
        metadata = self._file.metadata
        self._groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        self.rows: int = metadata.num_rows
        self.row_bytes = sum(group.total_byte_size for group in self._groups) / max(self.rows, 1)
        self.schema = _read_names(self._file.schema_arrow)

    def pieces(
        self, columns: Sequence[str], size: int, start: int, texts: Collection[str], threads: bool
    ) -> Iterator[Any]:
        """Yield record batches of at most `size` rows, from row `start`, with these columns.

        The arrays are validated, except `texts`: their reader checks offsets and encoding. With
        `threads`, several columns are decoded at once.
        """
        with reading(self.path, "parquet"):
            first = 0
            for number, group in enumerate(self._groups):
                if first + group.num_rows > start:
                    row = max(start, first)
                    for batch in self._group(number, columns, size, row - first, threads):
                        yield _checked(self.path, batch, row, texts)
                        row += batch.num_rows
                first += group.num_rows

    def _group(
        self, number: int, columns: Sequence[str], size: int, skip: int, threads: bool
    ) -> Iterator[Any]:
        if not columns:
            raise ValueError("no columns were asked for")
        batches = self._file.iter_batches(
            size, row_groups=[number], columns=list(columns), use_threads=threads
        )
        for batch in batches:
            if skip < batch.num_rows:
                # A column name may be the prefix of another column, which is then read too.
                yield batch.slice(skip).select(list(columns))
            skip = max(skip - batch.num_rows, 0)

    def close(self) -> None:
        self._file.close(force=True)


class _ArrowFile:
    """A file in Arrow's file format (Feather version 2), or a stream, as Hugging Face writes it.

    It is read a record batch at a time; of the file format only the batches that are asked for.
    """

    def __init__(self, path: str, stream: bool, file: Any = None) -> None:
        import pyarrow as pa

        self.path = path
        self._file = file or pa.OSFile(path)
        self._stream = stream
        self._open = pa.ipc.open_stream if stream else pa.ipc.open_file
        self.schema = _read_names(self._open(self._file).schema)
        # Only a batch knows its size: read it with a column that is cheap to decode.
        plain = [field.name for field in self.schema if pa.types.is_primitive(field.type)]
        self._sizes = [batch.num_rows for batch in self._read((plain or self.schema.names)[:1])]
        self.rows = sum(self._sizes)
        self.row_bytes = self._file.size() / max(self.rows, 1)

    def pieces(
        self, columns: Sequence[str], size: int, start: int, texts: Collection[str], threads: bool
    ) -> Iterator[Any]:
        """As those of Parquet."""
        with reading(self.path, "arrow"):
            ends = list(accumulate(self._sizes))
            skipped = sum(end <= start for end in ends)
            first = ends[skipped - 1] if skipped else 0
            for batch in self._read(columns, skipped, threads):
                checked = _checked(self.path, batch.select(list(columns)), first, texts)
                for row in range(max(start - first, 0), batch.num_rows, size):
                    yield checked.slice(row, size)
                first += batch.num_rows

    def _read(
        self, columns: Sequence[str], skipped: int = 0, threads: bool = False
    ) -> Iterator[Any]:
        """Return the record batches after the first few, with these columns."""
        import pyarrow as pa

        self._file.seek(0)
        places = [self.schema.get_field_index(name) for name in columns]
        options = pa.ipc.IpcReadOptions(included_fields=places, use_threads=threads)
        reader = self._open(self._file, options=options)
        if self._stream:
            return islice(reader, skipped, None)
        return map(reader.get_batch, range(skipped, reader.num_record_batches))

    def close(self) -> None:
        self._file.close()


def _read_names(schema: Any) -> Any:
    """Return the schema, after checking that all names, also nested ones, are UTF-8."""
    _ = schema.names, str(schema)
    return schema


TableFile = _ParquetFile | _ArrowFile


def json_values(column: Any, name: str) -> list[Any]:
    """Return the values of a column: dates and times in ISO 8601, decimals as digits.

    Raises `DataError`, naming the column, for binary and other values that JSON cannot represent.

    >>> import pyarrow as pa
    >>> json_values(pa.array([datetime.date(2004, 7, 25), None]), "day")
    ['2004-07-25', None]
    """
    try:
        values: list[Any] = column.to_pylist()
    except (UnicodeDecodeError, ValueError) as error:
        problem = f"the column {name!r} cannot be read ({error})"
        raise DataError("the input", problem, "write .parquet or .arrow, or drop it") from None
    if all(type(value) in _PLAIN for value in values):
        return values
    return [_json(value, name) for value in values]


def join_lists(columns: Sequence[Any]) -> Any:
    """Merge several columns of texts or lists of texts into one list per row.

    Nulls are left out; a row without any text is null.

    >>> import pyarrow as pa
    >>> columns = [pa.array(["a", None, None]), pa.array([["b", "c"], [], None])]
    >>> join_lists(columns).to_pylist()
    [['a', 'b', 'c'], None, None]
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    owners, texts = [], []
    for column in columns:
        values = _plain_values(column)
        rows = pa.array(np.arange(len(column)))
        if pa.types.is_nested(values.type):
            rows, values = pc.list_parent_indices(values), _plain_values(pc.list_flatten(values))
        # Cast first: pyarrow cannot filter views.
        values = values.cast(pa.large_string())
        there = values.is_valid()
        owners.append(rows.filter(there).to_numpy(zero_copy_only=False))
        texts.append(values.filter(there))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    counts = np.bincount(owner, minlength=len(columns[0]))
    offsets = pa.array(np.concatenate(([0], np.cumsum(counts))), pa.int64())
    joined = pa.concat_arrays(texts).take(pa.array(order))
    return pa.LargeListArray.from_arrays(offsets, joined, mask=pa.array(counts == 0))


def count_empty(column: Any) -> int:
    """Return the number of empty texts in a column.

    >>> import pyarrow as pa
    >>> column = pa.array(["", None, "a", "", ""])
    >>> count_empty(column), count_empty(column[1:4]), count_empty(column.cast(pa.string_view()))
    (3, 1, 3)
    """
    import numpy as np
    import pyarrow as pa

    texts = _plain_values(column)
    if pa.types.is_null(texts.type) or not len(texts):
        return 0
    if "view" in str(texts.type):
        is_text = texts.type == pa.string_view()
        texts = texts.cast(pa.large_string() if is_text else pa.large_binary())
    # pyarrow.compute takes .1 s to import.
    known, ends, _ = texts.buffers()
    rows = slice(texts.offset, texts.offset + len(texts))
    offsets = np.frombuffer(ends, np.int64 if "large" in str(texts.type) else np.int32)
    empty = np.diff(offsets[rows.start : rows.stop + 1]) == 0
    if texts.null_count:
        empty &= np.unpackbits(np.frombuffer(known, np.uint8), bitorder="little")[rows] == 1
    return int(empty.sum())


def _plain_values(column: Any) -> Any:
    """Decode a dictionary-encoded column; return others unchanged."""
    return column.dictionary_decode() if hasattr(column, "dictionary_decode") else column


_PLAIN = {str, int, float, bool, type(None)}


def _json(value: Any, name: str) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, dict):
        return {key: _json(item, name) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json(item, name) for item in value]
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (datetime.timedelta, Decimal, UUID)):
        return str(value)
    if hasattr(value, "item"):  # a NumPy number
        return value.item()
    raise DataError(
        "the input",
        f"the column {name!r} holds {type(value).__name__}, which JSON and CSV cannot",
        "write .parquet or .arrow, or drop it",
    )
