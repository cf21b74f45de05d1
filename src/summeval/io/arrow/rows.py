"""Parquet and Arrow files, read as one table in chunks.

A chunk holds Arrow arrays. The kernels read the texts without conversion. Python objects are made
only for carried columns that are written as JSON Lines or CSV.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from summeval._cached import cached_property
from summeval._core.columns import columns as texts_in
from summeval.io.ahead import ReadAhead
from summeval.io.arrow.files import TableFile, damaged, open_table
from summeval.io.arrow.values import count_empty, join_lists, json_values
from summeval.io.column_names import Columns
from summeval.io.errors import DataError, system_error
from summeval.io.input import identity_of
from summeval.io.rows import Position, Row

# Smaller pieces stay in the CPU cache between reading and scoring; larger ones need fewer calls.
PIECE_BYTES = 3 << 20
_PIECE_ROWS = 1 << 16


class ArrowChunk:
    """Consecutive rows, with the same attributes as `Chunk`."""

    def __init__(
        self, batch: Any, columns: Columns, carried: Sequence[str], end: Position, path: str = ""
    ) -> None:
        self.end = end
        self.path = path
        self.errors: dict[int, str] = {}
        self.batch = batch
        self.carried = carried
        self._columns = columns

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    @cached_property
    def candidates(self) -> texts_in.TextColumn:
        """The candidates."""
        return self._read(texts_in.texts, [self._columns.candidate], "candidates")

    @cached_property
    def references(self) -> texts_in.TextColumn | None:
        """The references; None if no metric needs them."""
        return self._texts("references")

    @cached_property
    def sources(self) -> texts_in.TextColumn | None:
        """The source of each row; None if no metric needs it."""
        return self._texts("source")

    @cached_property
    def rows(self) -> list[Row]:
        """The carried columns as JSON values, one dict per row."""
        lists = [json_values(self.batch.column(name), name) for name in self.carried]
        if not lists:
            return [{} for _ in range(len(self))]
        return [dict(zip(self.carried, values, strict=True)) for values in zip(*lists, strict=True)]

    @property
    def columns(self) -> Sequence[str]:
        """The carried columns."""
        return self.carried

    @property
    def empty(self) -> int:
        """How many candidates are empty texts; requires that they have been read."""
        return count_empty(self.batch.column(self._columns.candidate))

    def _texts(self, what: str) -> texts_in.TextColumn | None:
        if what not in self._columns.needs:
            return None
        called = "references" if what == "references" else "sources"
        return self._read(texts_in.references, self._columns.of(what), called)

    def _read(
        self, read: Callable[..., Any], names: Sequence[str], called: str
    ) -> texts_in.TextColumn:
        columns = [self.batch.column(name) for name in names]
        try:
            together = columns[0] if len(columns) == 1 else join_lists(columns)
            column: texts_in.TextColumn = read(together, called)
        except ValueError as error:
            first = self.end.offset - len(self)
            raise damaged(self.path, names[0], first, len(self), str(error)) from None
        return column


class TableInput:
    """A Parquet or Arrow file, or a directory of Parquet files, as one table.

    The files of a directory and its subdirectories are read in the order of their paths; names that
    start with `.` or `_` are skipped. All must have the same columns.

    Raises
    ------
    DataError
        The file is missing, truncated or of another format, the directory holds none, or pyarrow is
        not installed.
    """

    def __init__(self, path: str, form: str) -> None:
        self.path = self.name = path
        self.position = 0
        """The number of rows read so far."""
        self._files: list[TableFile] = []
        self._reader = ReadAhead()
        try:
            for name in _paths(path, form):
                self._files.append(open_table(name, form))
                _check_columns(self._files[0], self._files[-1])
        except BaseException:
            self.close()
            raise
        self.size = sum(file.rows for file in self._files)
        self.schema = self._files[0].schema

    @property
    def is_kept(self) -> bool:
        """Whether it can be read again: always."""
        return True

    def __enter__(self) -> TableInput:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files, after pending reads."""
        self._reader.close()
        for file in self._files:
            file.close()

    def identity(self, whole: bool) -> dict[str, Any]:
        """The identity of the files, in order: see `identity_of`."""
        return identity_of([file.path for file in self._files], whole)

    @property
    def place(self) -> str:
        """The first file; all others have its columns."""
        return self._files[0].path

    def same_file(self, path: str) -> bool:
        """Whether `path` is one of the files, or would be read as one by the next run."""
        if os.path.isdir(self.path) and path.endswith(".parquet"):
            folder, out = (os.path.realpath(name) for name in (self.path, path))
            if _is_read(os.path.relpath(out, folder)):
                return True
        return os.path.exists(path) and any(
            os.path.samefile(file.path, path) for file in self._files
        )

    def carried(self, columns: Columns, keep_text: bool) -> list[str]:
        """The carried columns: all, or all but the texts."""
        texts = () if keep_text else columns.texts
        return [name for name in self.schema.names if name not in texts]

    def chunks(
        self,
        columns: Columns,
        carried: Sequence[str],
        start: Position = Position(),  # noqa: B008 - frozen
        chunk_bytes: int = PIECE_BYTES,
    ) -> Iterator[ArrowChunk]:
        """Yield the rows from `start`, in chunks of about `chunk_bytes` of text.

        Raises `DataError` if a file is damaged, or a column is missing or holds no texts.
        """
        texts = [name for what in columns.needed for name in columns.of(what)]
        self._check_texts(columns)
        row = start.offset
        names = list(dict.fromkeys([*texts, *carried]))
        if not self.size:
            yield self._no_rows(columns, texts, carried)
        # Texts that only kernels read are validated by the kernels, while they are in the CPU
        # cache; columns that are joined before that are read here, so they are validated like all
        # others.
        sides = [columns.of(what) for what in columns.needed]
        alone = {side[0] for side in sides if len(side) == 1}
        for batch in self.batches(names, row, chunk_bytes, alone - set(carried)):
            row += batch.num_rows
            self.position = row
            yield ArrowChunk(batch, columns, carried, Position(row, row), self.name)

    def _no_rows(
        self, columns: Columns, texts: Sequence[str], carried: Sequence[str]
    ) -> ArrowChunk:
        import pyarrow as pa

        names = dict.fromkeys([*texts, *carried])
        schema = pa.schema([self.schema.field(name) for name in names])
        return ArrowChunk(
            pa.RecordBatch.from_pylist([], schema=schema), columns, carried, Position(), self.name
        )

    def ahead(self, chunks: Iterator[ArrowChunk]) -> Iterator[ArrowChunk]:
        """Yield chunks that a background thread reads ahead."""
        return self._reader.of(chunks)

    def batches(
        self, names: Sequence[str], start: int, chunk_bytes: int, texts: Collection[str] = ()
    ) -> Iterator[Any]:
        """Yield record batches with these columns, from row `start`; `texts` as in `TableFile`."""
        first = 0
        for file in self._files:
            if first + file.rows > start:
                size = int(chunk_bytes / max(file.row_bytes, 1.0))
                size = min(max(size, 1), _PIECE_ROWS)
                row = max(start - first, 0)
                for batch in file.pieces(names, size, row, texts):
                    row += batch.num_rows
                    yield batch
                if row != file.rows:
                    problem = f"declares {file.rows} rows but holds {row}"
                    raise DataError(file.path, problem, "create the file again")
            first += file.rows

    def _check_texts(self, columns: Columns) -> None:
        import pyarrow as pa

        names = self.schema.names
        place = self._files[0].path
        for what in columns.needed:
            columns.check(place, names, what)
        for name in [name for what in columns.needed for name in columns.of(what)]:
            kind = self.schema.field(name).type
            read = texts_in.texts if name == columns.candidate else texts_in.references
            wanted = "text" if name == columns.candidate else "text or lists of texts"
            try:
                if pa.types.is_struct(kind):  # a capsule of a one-column table may be a struct
                    raise TypeError
                read(pa.nulls(0, kind), name)
            except TypeError:
                raise DataError(
                    place, f"the column {name!r} is {kind}, not {wanted}", "cast it to string"
                ) from None


def _paths(path: str, form: str) -> list[str]:
    if form != "parquet" or not os.path.isdir(path):
        return [path]
    try:
        found = [
            item
            for item in sorted(Path(path).rglob("*.parquet"))
            if _is_read(os.path.relpath(item, path))
        ]
    except OSError as error:
        raise system_error(path, error) from None
    if not found:
        mend = "pass a directory of Parquet files"
        if os.path.exists(os.path.join(path, "dataset_info.json")):  # of save_to_disk
            mend = f"convert it: load_from_disk({path!r}).to_parquet('rows.parquet')"
        raise DataError(path, "holds no .parquet file", mend)
    return [str(item) for item in found]


def _is_read(path: str) -> bool:
    """Whether a file, given by its path relative to the directory, belongs to the table."""
    return not any(part[0] in "._" for part in Path(path).parts)


def _check_columns(first: TableFile, other: TableFile) -> None:
    """Raise unless two files of a directory have the same columns."""
    names = first.schema.names
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(first.path, f"duplicate column {twice[0]!r}", "rename one of them")
    ours, theirs = ({field.name: field.type for field in file.schema} for file in (first, other))
    for name in {**ours, **theirs}:
        if ours.get(name) != theirs.get(name):
            raise DataError(
                other.path,
                f"the column {name!r} is {theirs.get(name, 'missing')}, but"
                f" {ours.get(name, 'missing')} in {first.path}",
                "write all files with the same columns",
            )
