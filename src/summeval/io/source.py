"""Files of rows, opened for reading: their formats, their bytes, their rows in chunks.

A file of lines, plain or gzip, is read in blocks of whole lines. The end of a block depends only on
its start and on the block size, so a resumed run reads the same blocks as an uninterrupted run.
What reads a format is imported when it is named.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Self, TypeVar, cast

from summeval.io.column_names import Columns, not_found
from summeval.io.errors import DataError, RowError, system_error
from summeval.io.rows import Chunk, OnError, Position, RowTaker

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from summeval.io.arrow import TableInput

BLOCK_BYTES = 512 << 10
MAX_LINE_BYTES = 256 << 20
_HEAD_BYTES = 1 << 16
_HASHED_BYTES = 1 << 20  # read at once
_CHUNKS_AHEAD = 3  # one is not enough if the reader and two workers share two processors
_GZIP_MAGIC = b"\x1f\x8b"
_BOM = "\ufeff".encode()
T = TypeVar("T")

Format = Literal["jsonl", "csv", "tsv", "csv;", "csv|", "parquet", "arrow", "plain"]
IN_ROWS: tuple[Format, ...] = ("jsonl", "csv", "tsv")
IN_COLUMNS: tuple[Format, ...] = ("parquet", "arrow")
FORMATS: tuple[Format, ...] = IN_ROWS + IN_COLUMNS  # of one file; "plain" takes several
DELIMITERS: dict[str, str] = {"csv": ",", "tsv": "\t", "csv;": ";", "csv|": "|"}
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


def format_of(path: str) -> Format | None:
    """The format that the ending of a path tells, with or without `.gz`; None for others.

    >>> format_of("scores.jsonl.gz"), format_of("scores.csv"), format_of("scores.txt")
    ('jsonl', 'csv', None)
    """
    name = path.lower().removesuffix(".gz")
    found = next((form for ending, form in _ENDINGS.items() if name.endswith(ending)), None)
    return None if found in IN_COLUMNS and name != path.lower() else found


def shown(path: str) -> str:
    """The name of a file in messages."""
    return "standard input" if path == "-" else path


def open_input(path: str, form: Format | None) -> InputFile | TableInput:
    """Open a file of rows, or one (or a directory) of rows in columns; `-` is standard input.

    A JSON array of rows is read as JSON Lines.

    Raises `DataError` where it cannot be read.
    """
    if form not in IN_COLUMNS:
        file = InputFile(path)
        if form == "jsonl":
            from summeval.io.jsonl import unfold

            try:
                unfold(file)
            except BaseException:
                file.close()
                raise
        return file
    if path == "-":
        raise DataError("standard input", f"{form} cannot be read from a pipe", "pass a file")
    from summeval.io.arrow import TableInput

    return TableInput(path, form)


def read_chunks(
    file: InputFile | TableInput,
    form: Format,
    columns: Columns = Columns(),  # noqa: B008 - frozen
    *,
    keep_text: bool = False,
    on_error: OnError = "raise",
    start: Position = Position(),  # noqa: B008 - frozen
    chunk_bytes: int | None = None,
    as_columns: bool = False,
) -> Iterator[Chunk]:
    """The rows of a file of any format, by chunks of about `chunk_bytes` of text.

    They begin at `start`, and do not depend on `chunk_bytes`. `keep_text` leaves the texts among
    the columns that are carried through; `on_error="skip"` turns a bad row into one without texts,
    with its error. With `as_columns` the texts may be columns, which kernels read without Python
    strings; else they are lists.

    Raises
    ------
    DataError
        The file cannot be read or, under `on_error="raise"`, a row cannot be used.
    """
    if isinstance(file, InputFile):
        taker = RowTaker(file.name, columns, keep_text, on_error)
        chunks = file.read(form, taker, start, chunk_bytes or BLOCK_BYTES)
    else:
        more = {"chunk_bytes": chunk_bytes} if chunk_bytes else {}
        chunks = file.chunks(columns, file.carried(columns, keep_text), start, **more)
    return chunks if as_columns or form in DELIMITERS else (chunk.listed() for chunk in chunks)


def resolve_columns(file: InputFile | TableInput, form: str, columns: Columns) -> Columns:
    """Return the columns with aliases replaced by the names in the file.

    For JSON Lines, the first row with any of the aliases decides, among the first lines (64 KiB).
    Names that are not found are kept; the reader rejects them.

    Raises `DataError` if two columns could hold the same texts, or if one of several given columns
    of references is in none of these rows.
    """
    if not isinstance(file, InputFile):
        return columns.resolve(file.place, file.schema.names)
    several = columns.references if len(columns.references) > 1 and form == "jsonl" else ()
    if not columns.unnamed and not several:
        return columns
    lines = io.BytesIO(file.head().removeprefix(_BOM))
    if form != "jsonl":
        from summeval.io.csv_table import first_record, numbered

        header = first_record(lines.read().decode(errors="replace"), DELIMITERS[form])
        apart = numbered("references", header)
        if "references" not in header and any(name != "reference" for name in apart):
            named = tuple(what for what in columns.unnamed if what != "references")
            columns = replace(columns, unnamed=named)
        return columns.resolve(f"{file.name}:1", header)
    from summeval.io.jsonl import parse_object

    seen: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        try:
            row = parse_object(line.decode(errors="replace"))
        except RowError:
            continue
        columns = columns.resolve(f"{file.name}:{number}", row)
        seen |= dict.fromkeys(row)
        read = {*columns.needed, *columns.wants}
        if seen.keys() >= {*several} and read.isdisjoint(columns.unnamed):
            break
    for name in several:
        if seen and name not in seen:
            raise DataError(
                file.name,
                not_found(name, seen, "references") + " in the first rows",
                "correct --references-column, or write null in rows without references",
            )
    return columns


class Source:
    """What files of rows of every format have.

    `name` is their name in messages. `size` is their number of bytes or rows, None for a pipe, and
    `position` how many of them were read.
    """

    path: str
    name: str
    size: int | None
    _thread: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, after pending reads; standard input stays open."""
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)

    @property
    def is_kept(self) -> bool:
        """Whether it can be read again: true for a file, false for a pipe."""
        return self.size is not None

    def files(self) -> list[str]:
        """The paths of all files that are read."""
        return [self.path]

    def identity(self, whole: bool) -> dict[str, Any]:
        """The identity of the files, in order: see `identity_of`."""
        return identity_of(self.files(), whole)

    def same_file(self, path: str) -> bool:
        """Whether `path` is one of the files."""
        return os.path.exists(path) and any(
            os.path.samefile(own, path) for own in self.files() if own != "-"
        )

    def ahead(self, chunks: Iterator[T]) -> Iterator[T]:
        """Yield chunks, of which a thread makes a few ahead; `close` makes no more.

        An error comes in its place. A pipe is read when asked for, because a read of it may wait
        for long.
        """
        if not self.is_kept:
            yield from chunks
            return
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor

            self._thread = ThreadPoolExecutor(1)
        following = deque(self._thread.submit(next, chunks, None) for _ in range(_CHUNKS_AHEAD))
        while (chunk := following.popleft().result()) is not None:
            following.append(self._thread.submit(next, chunks, None))
            yield chunk


class InputFile(Source):
    """The bytes of a file of rows.

    Parameters
    ----------
    path
        A file, or `-` for standard input. Gzip is recognised by its first two bytes, not by the
        name.

    Raises
    ------
    DataError
        The file is missing, a directory or unreadable, or is found to be damaged while reading.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = shown(path)
        self._raw: BinaryIO
        try:
            if path == "-":
                if sys.stdin is None:
                    raise DataError(self.name, "it is closed", "pass a file")
                self._raw = cast(BinaryIO, sys.stdin.buffer)
            else:
                self._raw = open(path, "rb")  # noqa: SIM115 - closed by close()
            self.size = self._regular_size()
            self.is_gzip = self._head(2) == _GZIP_MAGIC
        except OSError as error:
            raise system_error(self.name, error) from None
        self._ahead = b""
        self._stream: BinaryIO = self._raw
        if self.is_gzip:
            import gzip

            self._stream = cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=self._raw)))

    def close(self) -> None:
        super().close()
        if self.path != "-":
            self._raw.close()

    def read(
        self, form: Format, taker: RowTaker, start: Position, chunk_bytes: int
    ) -> Iterator[Chunk]:
        """The rows in chunks; see `read_chunks`."""
        if form == "jsonl":
            from summeval.io import jsonl

            return jsonl.read(self, taker, start, chunk_bytes)
        from summeval.io import csv_table

        return csv_table.read(self, taker, start, chunk_bytes, DELIMITERS[form])

    def replace_array(self, lines_of: Callable[[bytes, str], bytes]) -> None:
        """If the file seems to be one JSON array of objects, read it whole and go on as `lines_of`.

        It takes the bytes and the name of the file.
        """
        with self._refusals():
            start = cast(io.BufferedReader, self._stream).peek(_HEAD_BYTES)
            if not re.match(rb"(\xef\xbb\xbf)?\s*\[\s*[{\]]", start):
                return
            whole = self._stream.read()
        self._stream = cast(BinaryIO, io.BytesIO(lines_of(whole, self.name)))

    @property
    def position(self) -> int:
        """The number of bytes read so far of the file on disk (compressed, if it is gzip)."""
        return self._raw.tell() if self.size is not None else 0

    def head(self) -> bytes:
        """The first lines, 64 KiB or one line. Those of a pipe are kept for `blocks`."""
        if self.is_kept:
            return next(self.blocks(0, _HEAD_BYTES), b"")
        with self._refusals():
            data = self._read(_HEAD_BYTES)
            cut = data.rfind(b"\n") + 1
            if not cut:
                data, cut = self._long_line(data, _HEAD_BYTES)
        self._ahead = data
        return data[:cut] or data

    def blocks(self, start: int = 0, size: int = BLOCK_BYTES) -> Iterator[bytes]:
        """Yield blocks of whole lines of about `size` bytes, from byte `start` of the plain text.

        Only the last block may lack its final newline. Standard input is read once, from 0.
        """
        with self._refusals():
            if self.is_kept:
                self._stream.seek(start)
            rest = b""
            while True:
                rest, data = b"", rest + self._read(max(size - len(rest), 0))
                if not data:
                    return self._check_end()
                cut = data.rfind(b"\n") + 1
                if not cut:
                    data, cut = self._long_line(data, size)
                yield data[:cut]
                rest = data[cut:]

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Turn errors of reading into a `DataError` that names the file."""
        try:
            yield
        except (EOFError, OSError, zlib.error) as error:
            if isinstance(error, OSError) and not _is_bad_gzip(error):
                raise system_error(self.name, error) from None
            raise DataError(
                self.name, f"damaged gzip data ({error})", "create the file again"
            ) from None

    def _check_end(self) -> None:
        """Raise if the file is now shorter than when it was opened."""
        if self.size is not None and self._raw.tell() < self.size:
            problem = f"truncated while it was read, at byte {self._raw.tell()} of {self.size}"
            raise DataError(self.name, problem, "make sure that nothing writes it, and run again")

    def _read(self, size: int) -> bytes:
        if not self._ahead:
            return self._stream.read(size)
        piece, self._ahead = self._ahead[:size], self._ahead[size:]
        return piece

    def _long_line(self, data: bytes, size: int) -> tuple[bytes, int]:
        """Read to the end of the line. Returns the bytes read and the position of the line end."""
        pieces, length = [data], len(data)
        while True:
            piece = self._read(size)
            pieces.append(piece)
            cut = piece.find(b"\n") + 1
            if cut or not piece:
                return b"".join(pieces), length + cut
            length += len(piece)
            if length > MAX_LINE_BYTES:
                raise DataError(
                    self.name,
                    f"a line of more than {MAX_LINE_BYTES >> 20} MiB",
                    "write one row on each line",
                )

    def _regular_size(self) -> int | None:
        status = os.fstat(self._raw.fileno()) if self.path != "-" else None
        return status.st_size if status and stat.S_ISREG(status.st_mode) else None

    def _head(self, size: int) -> bytes:
        if self.size is None:
            return cast(io.BufferedReader, self._raw).peek(size)[:size]
        head = self._raw.read(size)
        self._raw.seek(0)
        return head


def identity_of(paths: Sequence[str], whole: bool) -> dict[str, Any]:
    """The identity of files: a stamp and, if `whole`, the size and BLAKE2b of each.

    The stamp is cheap because it does not read the file. While it is unchanged, nobody has written
    the file: it uses ctime, which `touch` cannot set back.
    """
    identity: dict[str, Any] = {"mark": [], "content": []} if whole else {"mark": []}
    for path in paths:
        try:
            with open(path, "rb") as file:
                status = os.fstat(file.fileno())
                times = [status.st_mtime_ns, status.st_ctime_ns]
                identity["mark"].append([status.st_dev, status.st_ino, status.st_size, *times])
                if whole:
                    import hashlib

                    digest, length = hashlib.blake2b(digest_size=20), 0
                    while block := file.read(_HASHED_BYTES):
                        digest.update(block)
                        length += len(block)
                    identity["content"].append([length, digest.hexdigest()])
        except OSError as error:
            raise system_error(path, error) from None
    return identity


def _is_bad_gzip(error: OSError) -> bool:
    """Whether gzip raised the error; then the module is there."""
    gzip = sys.modules.get("gzip")
    return gzip is not None and isinstance(error, gzip.BadGzipFile)
