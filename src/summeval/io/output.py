"""Files that appear only when they are whole, and runs that go on where one was cut off.

A file is written as `NAME.partial` beside its place and renamed at the end. `NAME.journal` holds
a first line with what the output depends on and, after each chunk, a line with the length and the
CRC-32 of the partial file and the state of the run. A run that resumes trusts only what the
journal and the checksum agree on.

Formats that end in a table of contents, as Parquet does, cannot be added to where a run was cut
off: there the partial file holds what the whole one, `NAME.whole`, is made of at the end.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, BinaryIO, Protocol

from summeval.io.errors import DataError, system_error

if sys.platform != "win32":
    import fcntl

State = dict[str, Any]


class Output(Protocol):
    """Where chunks of bytes go."""

    state: State | None
    """The state after the last chunk that an earlier run wrote; None where none did."""
    resumable: bool
    """Whether a later run can go on from what `close` leaves."""

    def write(self, data: bytes, state: State) -> None:
        """Write a chunk. `state`, made of JSON values, is what a later run needs to go on."""

    def commit(self) -> None:
        """The output is whole: let it appear."""

    def discard(self) -> None:
        """The output is of no use: leave nothing of it."""

    def close(self) -> None:
        """Stop; what a later run can go on from is kept."""


Finish = Callable[[BinaryIO, BinaryIO], None]


def open_output(
    path: str,
    identity: dict[str, Any] | None = None,
    resume: bool = False,
    finish: Finish | None = None,
) -> Output:
    """Open an output.

    Parameters
    ----------
    path
        A file, packed with gzip where it ends in `.gz`; `-` is standard output. A device or a
        named pipe is written to as it stands.
    identity
        JSON values on which the bytes depend; None where the run cannot be taken up again.
    resume
        Go on after the last whole chunk of an earlier run, or start where there was none.
    finish
        Of a file that cannot be written a chunk at a time: makes the whole file, its second
        argument, of all that was written, its first, when the output is committed.

    Raises
    ------
    DataError
        The file cannot be written, is being written by another run, or `resume` finds the traces
        of a run with another identity.
    """
    try:
        if path == "-":
            return _Stream("standard output", _standard_output())
        path = os.path.realpath(path)
        if os.path.isdir(path):
            raise DataError(path, "is a directory", "name a file")
        if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
            if finish is not None:
                raise DataError(path, "is no plain file, which this format needs", "name a file")
            return _Stream(path, open(path, "wb"))
        return _PartialFile(path, identity, resume, finish)
    except OSError as error:
        raise system_error(path, error) from None


def _standard_output() -> BinaryIO:
    if sys.stdout is None:
        raise DataError("standard output", "it is closed", "name a file with -o")
    return sys.stdout.buffer


class _Stream:
    """Standard output, a device or a pipe: bytes are gone once written."""

    state: State | None = None
    resumable = False

    def __init__(self, name: str, stream: BinaryIO) -> None:
        self._name = name
        self._stream = stream

    def write(self, data: bytes, state: State) -> None:
        with _naming(self._name):
            self._stream.write(data)
            self._stream.flush()

    def commit(self) -> None:
        self.close()

    def discard(self) -> None:
        with contextlib.suppress(DataError):  # what could not be written, said before
            self.close()

    def close(self) -> None:
        if self._name != "standard output":
            with _naming(self._name):
                self._stream.close()


class _PartialFile:
    """A file that takes its name when it is whole."""

    def __init__(
        self,
        path: str,
        identity: dict[str, Any] | None,
        resume: bool,
        finish: Finish | None,
    ) -> None:
        self.state: State | None = None
        self.resumable = identity is not None
        self._path = path
        self._partial = path + ".partial"
        self._finish = finish
        self._whole = self._partial if finish is None else path + ".whole"
        self._journal = path + ".journal"
        self._pack = path.endswith(".gz")
        self._checksum = 0
        self._length = 0
        self._file = _open_locked(self._partial, path, _mode(path))
        self._log: BinaryIO | None = None
        try:
            if identity is not None:
                self._open_journal(identity, resume)
            self._file.seek(self._length)
            self._file.truncate()
        except BaseException:
            self.close()
            raise

    def write(self, data: bytes, state: State) -> None:
        if self._pack and data:
            # A member of its own for each chunk: a gzip file may have many.
            packer = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | 16)
            data = packer.compress(data) + packer.flush()
        with _naming(self._path):
            self._file.write(data)
            self._file.flush()
        self._length += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        self._record({"length": self._length, "crc32": self._checksum, "state": state})

    def commit(self) -> None:
        with _naming(self._path):
            if self._finish is None:
                os.fsync(self._file.fileno())
            else:
                self._write_whole(self._finish)
            mode = _mode(self._path)
            if mode not in (None, _mode(self._whole)):
                os.chmod(self._whole, mode)
            if sys.platform == "win32":
                self._file.close()  # an open file cannot be renamed there
            os.replace(self._whole, self._path)
            _sync_folder(os.path.dirname(self._path))
            _remove(self._partial)
            self._remove_journal()
            self.close()

    def discard(self) -> None:
        with _naming(self._path):
            if sys.platform == "win32":
                self._file.close()  # an open file cannot be removed there
            _remove(self._partial)
            _remove(self._whole)
            self._remove_journal()
            self.close()

    def close(self) -> None:
        for file in (self._log, self._file):
            if file is not None:
                with contextlib.suppress(OSError):  # a full disk, said before
                    file.close()

    def _open_journal(self, identity: dict[str, Any], resume: bool) -> None:
        lines = _read_journal(self._journal) if resume and os.path.exists(self._journal) else []
        kept = b""
        if lines:
            _check_identity(self._path, lines[0][1], identity)
            kept = lines[0][0]
        for line, record in lines[1:]:
            chunk = self._file.read(record["length"] - self._length)
            checksum = zlib.crc32(chunk, self._checksum)
            length = self._length + len(chunk)
            if (length, checksum) != (record["length"], record["crc32"]):
                break
            self._length, self._checksum, self.state = length, checksum, record["state"]
            kept += line
        # It holds sums of scores and the first error.
        self._log = self._open_beside(self._journal)
        if kept:
            self._log.write(kept)
            self._log.flush()
        else:
            self._record(identity)

    def _open_beside(self, path: str) -> BinaryIO:
        """A new file for the same eyes as the output."""
        mode = stat.S_IMODE(os.fstat(self._file.fileno()).st_mode)
        return open(path, "wb", opener=lambda name, flags: os.open(name, flags, mode))

    def _write_whole(self, finish: Finish) -> None:
        try:
            with self._open_beside(self._whole) as target:
                finish(self._file, target)
                target.flush()
                os.fsync(target.fileno())
        except BaseException:
            _remove(self._whole)
            raise

    def _record(self, record: dict[str, Any]) -> None:
        if self._log is not None:
            with _naming(self._journal):
                self._log.write(json.dumps(record).encode() + b"\n")
                self._log.flush()

    def _remove_journal(self) -> None:
        """Remove the journal, before the lock is let go: after it, it may be another run's."""
        if self._log is not None:
            with contextlib.suppress(OSError):  # a full disk, said before
                self._log.close()
        _remove(self._journal)


class _naming(contextlib.AbstractContextManager["_naming"]):
    """Turns the errors of the system into a `DataError` that names the file."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise system_error(self._name, error) from None


def _mode(path: str) -> int | None:
    """The permissions of a file; None where there is none."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode) & 0o777
    except FileNotFoundError:
        return None


def _open_locked(partial: str, path: str, mode: int | None) -> BinaryIO:
    """The partial file of `path`, opened for this process alone, with what it holds.

    It is made for no more eyes than `mode` allows, and so that a later run can write on.
    """
    allowed = 0o666 if mode is None else mode | 0o600
    # Opened without cutting it: another run may be writing it.
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    while True:
        file = os.fdopen(os.open(partial, flags, allowed), "r+b")
        try:
            _lock(file, path)
            # A run that ended between opening and locking has renamed or removed this file.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.stat(partial)):
                    return file
        except BaseException:
            file.close()
            raise
        file.close()


def _lock(file: BinaryIO, path: str) -> None:
    """Hold the file for this process; the system lets go of it however the process ends."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise DataError(path, "another run is writing it", "wait for it or name another") from None
    except OSError:
        return  # a file system without locks


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


def _sync_folder(path: str) -> None:
    """Make the new name last through a power cut."""
    if sys.platform != "win32":
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _read_journal(path: str) -> list[tuple[bytes, dict[str, Any]]]:
    """The whole lines of a journal and what they say; a line that was cut off ends it."""

    def records() -> Iterator[tuple[bytes, dict[str, Any]]]:
        with open(path, "rb") as file:
            for line in file:
                try:
                    record = json.loads(line)
                except ValueError:
                    return
                if not line.endswith(b"\n") or not isinstance(record, dict):
                    return
                yield line, record

    return list(records())


def _check_identity(path: str, then: dict[str, Any], now: dict[str, Any]) -> None:
    now = json.loads(json.dumps(now))
    changed = [key for key in {**then, **now} if then.get(key) != now.get(key)]
    if changed:
        raise DataError(
            path,
            f"cannot resume, for the run that was cut off had another {' and '.join(changed)}",
            "start again without --resume",
        )
