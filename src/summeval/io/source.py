"""Files of rows, opened for reading: plain or gzip, a path or standard input.

A file is read in blocks of whole lines. The end of a block depends only on its start and on the
block size, so a resumed run reads the same blocks as an uninterrupted run.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import zlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, Self, TypeVar, cast

from summeval import _files
from summeval.io import DataError, naming, system_error
from summeval.io.remote import is_address, open_stream, without_secrets

BLOCK_BYTES = 4 << 20
MAX_LINE_BYTES = 256 << 20
_HEAD_BYTES = 1 << 16
_CHUNKS_AHEAD = 3  # one is not enough if the reader and two workers share two processors
_GZIP_MAGIC = b"\x1f\x8b"
_BOM = "\ufeff".encode()
T = TypeVar("T")


def shown(path: str) -> str:
    """Return the name of a file in messages."""
    if is_address(path):
        return without_secrets(path)
    return "standard input" if path == "-" else path


def no_rows(path: str) -> DataError:
    """Return the error of a file without rows."""
    return DataError(shown(path), "holds no rows", "write one row on each line")


class Source(ABC):
    """The protocol of files of rows, of every format.

    `name` is their name in messages. `size` is their number of bytes or rows, None for a pipe.
    """

    path: str
    name: str
    size: int | None
    in_threads = False
    """Whether a library may read in threads of its own."""
    passed: int | None = None
    """The position after the last chunk that `ahead` gave.

    Who asks the file itself, which another thread reads, waits until that has read.
    """
    _thread: Any = None  # a ThreadPoolExecutor

    @property
    @abstractmethod
    def position(self) -> int:
        """How many bytes or rows were read."""

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
        """Whether it can be read again: true for a file, false for a pipe or an address."""
        return self.size is not None

    def files(self) -> list[str]:
        """Return the paths of all files that are read."""
        return [self.path]

    def identity(self, whole: bool) -> dict[str, Any]:
        """Return the identity of the files, in order: see `identity_of`."""
        return identity_of(self.files(), whole)

    def same_file(self, path: str) -> bool:
        """Return whether `path` is one of the files."""
        own = [one for one in self.files() if one != "-" and not is_address(one)]
        return os.path.exists(path) and any(os.path.samefile(one, path) for one in own)

    def ahead(self, chunks: Iterator[T]) -> Iterator[T]:
        """Yield chunks, of which a thread makes a few ahead; `close` makes no more.

        An error comes in its place. A pipe is read when asked for, because a read of it may wait
        for long.
        """
        if not self.is_kept:
            yield from chunks
            return
        self.in_threads = True
        if self._thread is None:
            self._thread = _files.started_thread()

        def made() -> tuple[T | None, int]:
            return next(chunks, None), self.position

        following = deque(self._thread.submit(made) for _ in range(_CHUNKS_AHEAD))
        while True:
            chunk, self.passed = following.popleft().result()
            if chunk is None:
                return
            following.append(self._thread.submit(made))
            yield chunk


class InputFile(Source):
    """The bytes of a file of rows.

    Parameters
    ----------
    path
        A file, an address, or `-` for standard input. Gzip is recognised by its first two bytes,
        not by the name.

    Raises
    ------
    DataError
        The file is missing, a directory or unreadable, or is found to be damaged while reading.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = shown(path)
        self._raw: BinaryIO
        with naming(self.name):
            if path == "-":
                if sys.stdin is None:
                    raise DataError(self.name, "it is closed", "pass a file")
                self._raw = cast(BinaryIO, sys.stdin.buffer)
            elif is_address(path):
                self._raw = open_stream(path)
            else:
                self._raw = open(path, "rb")  # noqa: SIM115 - closed by close()
            self.size = self._regular_size()
            self.is_gzip = self._head(2) == _GZIP_MAGIC
        self._ahead = b""
        self._stream: BinaryIO = self._raw
        if self.is_gzip:
            import gzip

            self._stream = cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=self._raw)))

    def close(self) -> None:
        super().close()
        if self.path != "-":
            self._raw.close()

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
        """Return the first lines, 64 KiB or one line. Those of a pipe are kept for `blocks`."""
        if self.is_kept:
            return next(self.blocks(0, _HEAD_BYTES), b"")
        with self._refusals():
            data = self._read(_HEAD_BYTES)
            if not (cut := data.rfind(b"\n") + 1):
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
            again = self.is_kept and not self.is_gzip  # a rest is read again, not copied
            rest = b""
            while True:
                rest, data = b"", rest + self._read(max(size - len(rest), 0))
                if not data:
                    return self._check_end()
                if not (cut := data.rfind(b"\n") + 1):
                    data, cut = self._long_line(data, size)
                if again:
                    self._stream.seek(cut - len(data), os.SEEK_CUR)
                else:
                    rest = data[cut:]
                yield data[:cut]

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Turn errors of reading into a `DataError` that names the file."""
        try:
            yield
        except (EOFError, OSError, zlib.error) as error:
            # Only gzip raises errors of the system without a number.
            if isinstance(error, OSError) and not (self.is_gzip and error.errno is None):
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
        is_pipe = self.path == "-" or is_address(self.path)
        status = None if is_pipe else os.fstat(self._raw.fileno())
        return status.st_size if status and stat.S_ISREG(status.st_mode) else None

    def _head(self, size: int) -> bytes:
        if self.size is None:
            return cast(io.BufferedReader, self._raw).peek(size)[:size]
        head = self._raw.read(size)
        self._raw.seek(0)
        return head


def identity_of(paths: Sequence[str], whole: bool) -> dict[str, Any]:
    """Return the identity of files: a stamp and, if `whole`, the size and BLAKE2b of each.

    The stamp is cheap because it does not read the file. While it is unchanged, nobody has written
    the file: it uses ctime, which `touch` cannot set back.
    """
    identity: dict[str, Any] = {"mark": [], "content": []} if whole else {"mark": []}
    for path in paths:
        with naming(path), open(path, "rb") as file:
            status = os.fstat(file.fileno())
            times = [status.st_mtime_ns, status.st_ctime_ns]
            identity["mark"].append([status.st_dev, status.st_ino, status.st_size, *times])
            if whole:
                import hashlib

                digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=20))
                identity["content"].append([file.tell(), digest.hexdigest()])
    return identity
