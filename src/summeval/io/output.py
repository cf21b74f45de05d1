"""Output files that appear only when complete, and runs that can be resumed.

A file is written as `NAME.partial` in the same folder and renamed at the end. The first line of
`NAME.journal` states what the output depends on. After each chunk a line is added with the length
and CRC-32 of the partial file and the state of the run. Each line ends in its own CRC-32; the first
damaged line and all after it are ignored. A resumed run trusts only the part where journal and
checksum agree. A manifest beside the finished file, `.NAME.manifest`, holds its job, length and
CRC-32, and tells the next run that nothing is left to do.

The output may be a link, which is kept; links among the files beside it are never followed.

A format with a footer, such as Parquet, cannot be appended to. For it, the partial file holds the
scores, and the file itself grows as `NAME.whole`, which a resumed run makes again.
"""

from __future__ import annotations

import contextlib
import filecmp
import json
import os
import stat
import sys
import zlib
from collections import deque
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple, Protocol

from summeval import _files
from summeval.io import DataError, naming
from summeval.io.rows import Chunk

if sys.platform != "win32":
    import fcntl

_MOST_WAITING = 4  # encoded chunks; a row group is written in the time of two
_FORM = 1  # of the manifest
_MOST_LINE = 64 << 20  # bytes of a line of a journal, or of a manifest
_BLOCK = 1 << 20  # bytes
_SYNCED = 32 << 20  # bytes written between two waits for the disk

Job = dict[str, Any]
State = dict[str, Any]


class Output:
    """A destination of chunks of bytes; this one is finished, so that nothing is written."""

    state: State | None = None
    """The state after the last chunk of an earlier run; None if there is none."""
    resumable = True
    """Whether a later run can resume after `close`."""
    finished = True
    """Whether the same job already finished it, so that nothing is written."""
    waits = False
    """Whether a write may wait for a reader: into a pipe or a device."""
    beside = False
    """Whether a thread writes while others work, so that it may wait for the disk meanwhile."""
    compares = False
    """Whether the file exists, so that `commit` only checks that this job gives the same bytes."""

    def write(self, data: bytes, state: State) -> None:
        """Write a chunk. `state` (JSON values) is what a later run needs to resume."""
        raise AssertionError("a finished output is not written")

    def commit(self) -> None:
        """Publish the complete output."""
        self.close()

    def discard(self) -> None:
        """Discard the output and remove all of it."""
        self.close()

    def close(self) -> None:
        """Stop, but keep what a later run needs to resume."""


class Encoder(Protocol):
    """The interface of writers of chunks with their scores."""

    header: list[str] | None
    """The columns of a CSV file, once they are known."""

    def encode(self, chunk: Chunk, scores: Sequence[Any]) -> bytes:
        """Return the bytes of a chunk. `scores` holds one float64 array for each score column."""


class Whole(Protocol):
    """The interface of writers of a file in a format that cannot be appended to."""

    def begin(self, name: str, spool: BinaryIO, target: BinaryIO) -> None:
        """Take the partial file, which may hold chunks of an earlier run, and the file to write."""

    def finish(self) -> None:
        """Write the rest of the file."""

    def close(self) -> None:
        """Stop, whatever was written."""


def open_output(
    path: str, identity: Job | None = None, resume: bool = False, whole: Whole | None = None
) -> Output:
    """Open an output.

    Parameters
    ----------
    path
        A file, compressed with gzip if it ends in `.gz`; `-` is standard output. A device or a
        named pipe is written directly.
    identity
        JSON values on which the bytes depend; None if the run cannot be resumed.
    resume
        Continue after the last complete chunk of an earlier run, or start if there is none. A
        finished file is not changed: `finished` is set if its manifest names this job; `commit`
        compares the bytes if there is no manifest. A manifest is written beside the file.
    whole
        For formats that cannot be written in chunks: what makes the complete file.

    Raises
    ------
    DataError
        The file cannot be written or is being written by another run, a file beside it cannot be
        trusted, or `resume` finds a run with another identity or a finished file that was changed.
    """
    if path == "-":
        if sys.stdout is None:
            raise DataError("standard output", "it is closed", "pass a file with -o")
        return _Stream("standard output", sys.stdout.buffer)
    with naming(path):
        name, path = path, os.path.realpath(path)
        if os.path.isdir(path):
            raise DataError(name, "is a directory", "pass a file")
        if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
            if whole is not None:
                problem = "is not a regular file, which this format needs"
                raise DataError(name, problem, "pass a file")
            return _Stream(name, open(path, "wb"))
        if identity is None or not resume:
            return _PartialFile(name, path, identity, whole)
        return _resumed(name, path, identity, whole)


def _resumed(name: str, path: str, job: Job, whole: Whole | None) -> Output:
    """Return the output of a run with --resume."""
    begun = job_of(read_journal(path + ".journal"))
    there = os.path.exists(path)
    manifest = read_manifest(path) if there else None
    if manifest is not None:
        then, step = manifest
        if step.describes(path) and not changed(then, job):
            done = Output()
            done.state = step.state
            return done
        if begun is None or changed(begun[0], job):
            check_same(name, then, job, "the run that finished it")
            problem = "cannot resume: it was changed after it was finished"
            raise DataError(name, problem, "start again without --resume")
    compare = there and manifest is None if begun is None else begun[1]
    return _PartialFile(name, path, job, whole, resume=True, compare=compare)


class _Stream(Output):
    """Standard output, a device or a pipe: written bytes cannot be taken back."""

    resumable = finished = False
    waits = True

    def __init__(self, name: str, stream: BinaryIO) -> None:
        self._name = name
        self._stream = stream

    def write(self, data: bytes, state: State) -> None:
        with naming(self._name):
            self._stream.write(data)
            self._stream.flush()

    def discard(self) -> None:
        with contextlib.suppress(DataError):  # the write error was reported before
            self.close()

    def close(self) -> None:
        if self._name != "standard output":
            with naming(self._name):
                self._stream.close()


class _PartialFile(Output):
    """A file that gets its final name when it is complete."""

    finished = False

    def __init__(
        self,
        name: str,
        path: str,
        job: Job | None,
        writer: Whole | None,
        *,
        resume: bool = False,
        compare: bool = False,
    ) -> None:
        self.resumable = job is not None
        self.compares = compare
        self._name = name  # as the user wrote it
        self._path = path
        self._partial = path + ".partial"
        self._writer = writer
        self._whole = self._partial if writer is None else path + ".whole"
        self._journal = path + ".journal"
        self._pack = path.endswith(".gz")
        self._checksum = self._length = self._unsynced = 0
        self._ended = False
        self._job = job if resume else None
        """The contents of the manifest; None if none is kept."""
        for beside in (path + ".whole", self._journal, manifest_path(path)):
            _files.is_ours(beside)
        self._file, is_new = _open_locked(self._partial, name, _mode(path))
        self._log: BinaryIO | None = None
        self._target: BinaryIO | None = None
        try:
            if job is not None:
                self._open_journal(job, resume)
            self._file.seek(self._length)
            self._file.truncate()
            if writer is not None:
                self._target = _files.create_anew(self._whole, self._own_mode())
                writer.begin(name, self._file, self._target)
                self._file.seek(self._length)
        except BaseException:
            if is_new:
                _files.remove(self._partial)
            self.close()
            raise

    def write(self, data: bytes, state: State) -> None:
        if self._pack and data:
            # One gzip member per chunk; a gzip file may have many.
            packer = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | 16)
            data = packer.compress(data) + packer.flush()
        with naming(self._name):
            self._file.write(data)
            self._file.flush()
        self._length += len(data)
        self._unsynced += len(data)
        if self.beside and self._unsynced >= _SYNCED:
            self._sync()
        self._checksum = zlib.crc32(data, self._checksum)
        self.state = state
        self._record({"length": self._length, "crc32": self._checksum, "state": state})

    def commit(self) -> None:
        with naming(self._name):
            self._make_whole()
            manifest = self._manifest()
            with _files.signals_held():  # the output counts as finished from here on
                self._appear(manifest)

    def _make_whole(self) -> None:
        if self._writer is not None:
            self._writer.finish()
        self._sync()
        if self.compares and not filecmp.cmp(self._whole, self._path, shallow=False):
            self.discard()
            raise DataError(
                self._name,
                "cannot resume: it is finished, and this job gives another file",
                "start again without --resume",
            )
        mode = _mode(self._path)
        if mode not in (None, _mode(self._whole)):
            os.chmod(self._whole, mode)

    def _sync(self) -> None:
        """Wait until the disk has the file."""
        file = self._target or self._file
        with naming(self._name):
            file.flush()
            os.fsync(file.fileno())
        self._unsynced = 0

    def discard(self) -> None:
        if self._ended:
            return
        with naming(self._name), _files.signals_held():
            self._ended = True
            self._drop_whole()
            if sys.platform == "win32":
                self._file.close()  # Windows cannot remove an open file
            _files.remove(self._partial)
            self._remove_journal()
            self.close()

    def close(self) -> None:
        if not self._ended:
            self._drop_whole()
        for file in filter(None, (self._log, self._file)):
            with contextlib.suppress(OSError):  # a full disk, reported before
                file.close()

    def _drop_whole(self) -> None:
        """Remove the file that could not be appended to."""
        if self._writer is not None:
            self._writer.close()
            if self._target is not None:
                with contextlib.suppress(OSError):  # a full disk, reported before
                    self._target.close()
            _files.remove(self._whole)

    def _appear(self, manifest: dict[str, Any] | None) -> None:
        """Rename to the final name, and leave nothing else but the manifest."""
        if self._target is not None:
            self._target.close()
        if sys.platform == "win32":
            self._file.close()  # Windows cannot rename an open file
        beside = manifest_path(self._path)
        if manifest is None:
            _files.remove(beside)  # the manifest of the replaced file
        else:  # first: a manifest without its file is ignored
            _files.write_whole(beside, line_of(manifest), follow=False)
        if self.compares:
            _files.remove(self._whole)
        else:
            os.replace(self._whole, self._path)
        self._ended, self.resumable = True, False  # the files beside it may soon be another run's
        _sync_folder(os.path.dirname(self._path))
        _files.remove(self._partial)
        self._remove_journal()
        self.close()

    def _manifest(self) -> dict[str, Any] | None:
        if self._job is None:
            return None
        step = Step(self._length, self._checksum, self.state or {})
        if self._writer is not None:
            with _files.open_ours(self._whole) as file:
                length = os.fstat(file.fileno()).st_size
                step = step._replace(length=length, crc32=checksum(file, length))
        return {"form": _FORM, "job": self._job, **step._asdict()}

    def _open_journal(self, job: Job, resume: bool) -> None:
        """Find out how far an earlier run got, and open the journal after that point."""
        lines = read_journal(self._journal) if resume else []
        begun = job_of(lines)
        if begun is None:
            lines = []
        else:
            check_same(self._name, begun[0], job, "the interrupted run")
        kept = [line for line, _ in lines[:1]]
        size = os.fstat(self._file.fileno()).st_size
        for line, record in lines[1:]:
            step = Step.of(record)
            if step is None or not self._length <= step.length <= size:
                break
            if checksum(self._file, step.length - self._length, self._checksum) != step.crc32:
                break
            self._length, self._checksum, self.state = step
            kept.append(line)
        if kept:
            # Truncate after the last valid line; a crash now loses nothing.
            self._log = _files.open_ours(self._journal, write=True)
            self._log.truncate(sum(map(len, kept)))
            self._log.seek(0, os.SEEK_END)
        else:
            # It holds sums of scores and the first errors, so it gets the output's permissions.
            self._log = _files.create_anew(self._journal, self._own_mode())
            self._record({"job": job, "compare": self.compares})

    def _own_mode(self) -> int:
        return stat.S_IMODE(os.fstat(self._file.fileno()).st_mode)

    def _record(self, record: dict[str, Any]) -> None:
        if self._log is not None:
            with naming(self._name + ".journal"):
                self._log.write(line_of(record))
                self._log.flush()

    def _remove_journal(self) -> None:
        """Remove the journal before releasing the lock; afterwards it may be another run's."""
        if self._log is not None:
            with contextlib.suppress(OSError):  # a full disk, reported before
                self._log.close()
        _files.remove(self._journal)


def _mode(path: str) -> int | None:
    """Return the permissions of a regular file; None if it does not exist."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    return stat.S_IMODE(status.st_mode) & 0o777 if stat.S_ISREG(status.st_mode) else None


def _open_locked(partial: str, name: str, mode: int | None) -> tuple[BinaryIO, bool]:
    """Open the partial file of the output `name` exclusively; return it and whether it is new.

    It is created with at most the permissions of `mode`, and so that a later run can append. An
    existing one is not truncated, because another run may be writing it.
    """
    allowed = 0o666 if mode is None else mode | 0o600
    while True:
        is_new = True
        try:
            file = _files.create(partial, allowed)
        except FileExistsError:
            is_new = False
            try:
                file = _files.open_ours(partial, write=True)
            except FileNotFoundError:
                continue
        try:
            _lock(file, name)
            # Another run that ended between open and lock has renamed or removed this file.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.lstat(partial)):
                    return file, is_new
        except BaseException:
            file.close()
            raise
        file.close()


def _lock(file: BinaryIO, name: str) -> None:
    """Lock the file; the system releases the lock however the process ends."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise DataError(name, "another run is writing it", "wait, or choose another file") from None
    except OSError:
        return  # the file system has no locks


def _sync_folder(path: str) -> None:
    """Make the new name survive a power failure."""
    if sys.platform != "win32":
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class Step(NamedTuple):
    """How far a file is written: its length and CRC-32, and the state to resume from."""

    length: int
    crc32: int
    state: State

    @classmethod
    def of(cls, record: dict[str, Any]) -> Step | None:
        """Return the step of a line; None if it is invalid."""
        length, crc32, state = (record.get(name) for name in cls._fields)
        if type(length) is not int or type(crc32) is not int or not isinstance(state, dict):
            return None
        return cls(length, crc32, state) if length >= 0 else None

    def describes(self, path: str) -> bool:
        """Return whether the file is unchanged since it was finished."""
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size != self.length:
                return False
            return checksum(file, self.length) == self.crc32


def line_of(record: dict[str, Any]) -> bytes:
    """Return a record as a line of a journal."""
    text = json.dumps(record).encode()
    return text + f"\t{zlib.crc32(text):08x}\n".encode()


def _record_of(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line; None if it is damaged."""
    text, _, check = line.rpartition(b"\t")
    if check != f"{zlib.crc32(text):08x}\n".encode():
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def read_journal(path: str) -> list[tuple[bytes, dict[str, Any]]]:
    """Return the intact lines of a journal, and their contents."""
    found: list[tuple[bytes, dict[str, Any]]] = []
    if _files.is_ours(path):
        with _files.open_ours(path) as file:
            while (record := _record_of(line := file.readline(_MOST_LINE))) is not None:
                found.append((line, record))
    return found


def job_of(lines: Sequence[tuple[bytes, dict[str, Any]]]) -> tuple[Job, bool] | None:
    """The job of a journal, and whether its output is to be compared; None if it has no job."""
    first = lines[0][1] if lines else {}
    job = first.get("job")
    return (job, first.get("compare") is True) if isinstance(job, dict) else None


def read_manifest(path: str) -> tuple[Job, Step] | None:
    """Return the manifest of the file at `path`; None if it is missing or damaged."""
    place = manifest_path(path)
    if not _files.is_ours(place):
        return None
    with _files.open_ours(place) as file:
        record = _record_of(file.read(_MOST_LINE)) or {}
    job, step = record.get("job"), Step.of(record)
    if step is None or not isinstance(job, dict) or record.get("form") != _FORM:
        return None
    return job, step


def manifest_path(path: str) -> str:
    """Return the path of a file's manifest: hidden, so that readers of folders ignore it.

    >>> manifest_path("scores.jsonl")
    '.scores.jsonl.manifest'
    """
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.manifest")


def checksum(file: BinaryIO, length: int, start: int = 0) -> int:
    """Return the CRC-32 of the next `length` bytes of a file, continued from `start`.

    >>> from io import BytesIO
    >>> hex(checksum(BytesIO(b"123456789 and more"), 9))
    '0xcbf43926'
    """
    while length > 0 and (block := file.read(min(length, _BLOCK))):
        start, length = zlib.crc32(block, start), length - len(block)
    return start


def changed(then: Job, now: Job) -> list[str]:
    """Return the parts in which two jobs differ."""
    now = json.loads(json.dumps(now))
    return [key for key in {**then, **now} if not _same(then.get(key), now.get(key))]


def _same(one: Any, other: Any) -> bool:
    """Whether two parts of jobs are equal; input files are compared by contents if both are known.

    >>> _same({"mark": [1], "content": [7]}, {"mark": [2], "content": [7]})
    True
    """
    if isinstance(one, dict) and isinstance(other, dict):
        for name in ("content", "mark"):
            if name in one and name in other:
                return bool(one[name] == other[name])
    return bool(one == other)


def check_same(path: str, then: Job, now: Job, what: str) -> None:
    """Raise `DataError` if the job differs; `what` names the earlier run `then`."""
    if parts := changed(then, now):
        problem = f"cannot resume: {what} had another {' and '.join(parts)}"
        raise DataError(path, problem, "start again without --resume")


class WriteBehind:
    """Writes chunks in order; a thread encodes, packs and writes them while the next are scored.

    What may wait for a reader for long, the thread that calls writes, so that Ctrl-C ends it.
    """

    def __init__(self, output: Output, writer: Encoder) -> None:
        output.beside = True
        self._output = output
        self._writer = writer
        self._thread = _files.started_thread()
        self._waiting: deque[Any] = deque()  # futures
        self._failed = False

    def put(self, chunk: Chunk, scores: list[Any], state: State) -> None:
        """Have a chunk written, or write an earlier one. `state` as in `Output.write`."""
        self._waiting.append(self._thread.submit(self._work, chunk, scores, state))
        while len(self._waiting) > _MOST_WAITING:
            self._end_next()

    def finish(self) -> None:
        """Write what waits, also after an error in a later chunk."""
        try:
            while self._waiting:
                self._end_next()
        finally:
            self._thread.shutdown()

    def _work(self, chunk: Chunk, scores: list[Any], state: State) -> tuple[bytes, State] | None:
        """Encode and write a chunk; return what is left to write."""
        if self._failed:
            return None
        try:
            data = self._writer.encode(chunk, scores)
            state |= {"header": self._writer.header}
            if self._output.waits:
                return data, state
            self._output.write(data, state)
        except BaseException:
            self._failed = True  # no later chunk may follow
            raise
        return None

    def _end_next(self) -> None:
        try:
            if (left := self._waiting.popleft().result()) is not None:
                self._output.write(*left)
        except BaseException:
            self._waiting.clear()
            raise
