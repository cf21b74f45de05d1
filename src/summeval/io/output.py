"""Files that appear only when they are whole, and runs that go on where one was cut off.

A file is written as `NAME.partial` beside its place and renamed at the end. `NAME.journal` holds
a first line with what the output depends on and, after each chunk, a line with the length and the
CRC-32 of the partial file and the state of the run. A run that resumes trusts only what the
journal and the checksum agree on. It leaves a manifest beside the finished file, by which the next
one knows that there is nothing left to do.

The name itself may be a link, which stays one; what lies beside it is never followed.

Formats that end in a table of contents, as Parquet does, cannot be added to where a run was cut
off: there the partial file holds what the whole one, `NAME.whole`, is made of at the end.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import zlib
from collections.abc import Callable
from types import TracebackType
from typing import Any, BinaryIO, Protocol

from summeval._files import (
    UnsafeFile,
    create,
    create_anew,
    is_ours,
    open_ours,
    remove,
    signals_held,
)
from summeval.io.errors import DataError, system_error
from summeval.io.journal import (
    Job,
    Manifest,
    State,
    changed,
    check_same,
    checksum,
    job_of,
    line_of,
    manifest_path,
    read_journal,
    read_manifest,
    step_of,
    write_manifest,
)

if sys.platform != "win32":
    import fcntl


class Output(Protocol):
    """Where chunks of bytes go."""

    state: State | None
    """The state after the last chunk that an earlier run wrote; None where none did."""
    resumable: bool
    """Whether a later run can go on from what `close` leaves."""
    finished: bool
    """Whether the same job finished it before: there is nothing to write."""
    compares: bool
    """Whether the file is there, and `commit` only looks whether this job gives the same one."""

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
    identity: Job | None = None,
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
        Go on after the last whole chunk of an earlier run, or start where there was none. A
        finished file is left as it is: where its manifest names this job, `finished` is set; where
        there is no manifest, `commit` compares. A manifest is left beside the file.
    finish
        Of a file that cannot be written a chunk at a time: makes the whole file, its second
        argument, of all that was written, its first, when the output is committed.

    Raises
    ------
    DataError
        The file cannot be written, is being written by another run, what lies beside it cannot be
        trusted, or `resume` finds the traces of a run with another identity, or a file that was
        changed after it was finished.
    """
    try:
        if path == "-":
            return _Stream("standard output", _standard_output())
        name, path = path, os.path.realpath(path)
        if os.path.isdir(path):
            raise DataError(name, "is a directory", "name a file")
        if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
            if finish is not None:
                raise DataError(name, "is no plain file, which this format needs", "name a file")
            return _Stream(name, open(path, "wb"))
        if identity is None or not resume:
            return _PartialFile(name, path, identity, finish)
        return _resumed(name, path, identity, finish)
    except OSError as error:
        raise system_error(_place(name, error), error) from None


def _place(path: str, error: OSError) -> str:
    """The file that an error is about: what lies beside `path` only where that is what is wrong."""
    return error.filename if isinstance(error, UnsafeFile) else path


def _resumed(name: str, path: str, job: Job, finish: Finish | None) -> Output:
    """What a run with --resume writes to."""
    begun = job_of(path + ".journal")
    there = os.path.exists(path)
    manifest = read_manifest(path) if there else None
    is_whole = manifest is not None and manifest.describes(path)
    if manifest is not None and is_whole and not changed(manifest.job, job):
        return _Finished(manifest.state)
    compare = there and manifest is None and begun is None
    if manifest is not None and (begun is None or changed(begun[0], job)):
        check_same(name, manifest.job, job, "the run that finished it")
        problem = "cannot resume, for it was changed after it was finished"
        raise DataError(name, problem, "start again without --resume")
    if begun is not None:
        compare = begun[1]
    return _PartialFile(name, path, job, finish, resume=True, compare=compare)


def _standard_output() -> BinaryIO:
    if sys.stdout is None:
        raise DataError("standard output", "it is closed", "name a file with -o")
    return sys.stdout.buffer


class _Stream:
    """Standard output, a device or a pipe: bytes are gone once written."""

    state: State | None = None
    resumable = finished = compares = False

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


class _Finished:
    """A file that the same job finished before."""

    resumable = finished = True
    compares = False

    def __init__(self, state: State) -> None:
        self.state: State | None = state

    def write(self, data: bytes, state: State) -> None:
        raise AssertionError("a finished output is not written")

    def commit(self) -> None:
        pass

    def discard(self) -> None:
        pass

    def close(self) -> None:
        pass


class _PartialFile:
    """A file that takes its name when it is whole."""

    finished = False

    def __init__(
        self,
        name: str,
        path: str,
        job: Job | None,
        finish: Finish | None,
        *,
        resume: bool = False,
        compare: bool = False,
    ) -> None:
        self.state: State | None = None
        self.resumable = job is not None
        self.compares = compare
        self._name = name  # as the user has it
        self._path = path
        self._partial = path + ".partial"
        self._finish = finish
        self._whole = self._partial if finish is None else path + ".whole"
        self._journal = path + ".journal"
        self._pack = path.endswith(".gz")
        self._checksum = 0
        self._length = 0
        self._ended = False
        self._job = job if resume else None
        """What the manifest is to say; None where none is kept."""
        for beside in (path + ".whole", self._journal, manifest_path(path)):
            is_ours(beside)
        self._file, is_new = _open_locked(self._partial, name, _mode(path))
        self._log: BinaryIO | None = None
        try:
            if job is not None:
                self._open_journal(job, resume)
            self._file.seek(self._length)
            self._file.truncate()
        except BaseException:
            if is_new:
                remove(self._partial)
            self.close()
            raise

    def write(self, data: bytes, state: State) -> None:
        if self._pack and data:
            # A member of its own for each chunk: a gzip file may have many.
            packer = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | 16)
            data = packer.compress(data) + packer.flush()
        with _naming(self._name):
            self._file.write(data)
            self._file.flush()
        self._length += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        self.state = state
        self._record({"length": self._length, "crc32": self._checksum, "state": state})

    def commit(self) -> None:
        with _naming(self._name):
            try:
                self._make_whole()
                manifest = self._manifest()
                with signals_held():  # from here on it is finished
                    self._appear(manifest)
            except BaseException:
                if self._finish is not None and not self._ended:
                    remove(self._whole)
                raise

    def _make_whole(self) -> None:
        if self._finish is None:
            os.fsync(self._file.fileno())
        else:
            self._write_whole(self._finish)
        if self.compares and not _same_bytes(self._whole, self._path):
            self.discard()
            raise DataError(
                self._name,
                "cannot resume, for it is finished, and this job gives another file",
                "start again without --resume",
            )
        mode = _mode(self._path)
        if mode not in (None, _mode(self._whole)):
            os.chmod(self._whole, mode)

    def discard(self) -> None:
        if self._ended:
            return
        with _naming(self._name), signals_held():
            self._ended = True
            if sys.platform == "win32":
                self._file.close()  # an open file cannot be removed there
            remove(self._partial)
            remove(self._whole)
            self._remove_journal()
            self.close()

    def close(self) -> None:
        for file in (self._log, self._file):
            if file is not None:
                with contextlib.suppress(OSError):  # a full disk, said before
                    file.close()

    def _appear(self, manifest: Manifest | None) -> None:
        """Take the name, and leave nothing else but the manifest."""
        if sys.platform == "win32":
            self._file.close()  # an open file cannot be renamed there
        if manifest is None:
            remove(manifest_path(self._path))  # of the file that is replaced
        else:
            write_manifest(self._path, manifest)  # first: one that describes no file says nothing
        if self.compares:
            remove(self._whole)
        else:
            os.replace(self._whole, self._path)
        self._ended, self.resumable = True, False  # what lies beside may be another run's soon
        _sync_folder(os.path.dirname(self._path))
        remove(self._partial)
        self._remove_journal()
        self.close()

    def _manifest(self) -> Manifest | None:
        if self._job is None:
            return None
        length, crc32 = self._length, self._checksum
        if self._finish is not None:
            with open_ours(self._whole) as file:
                length = os.fstat(file.fileno()).st_size
                crc32 = checksum(file, length)
        return Manifest(self._job, self.state or {}, length, crc32)

    def _open_journal(self, job: Job, resume: bool) -> None:
        """Find out how far an earlier run came, and open the journal behind that."""
        lines = read_journal(self._journal) if resume else []
        then = lines[0][1].get("job") if lines else None
        if isinstance(then, dict):
            check_same(self._name, then, job, "the run that was cut off")
        else:
            lines = []
        kept = [line for line, _ in lines[:1]]
        size = os.fstat(self._file.fileno()).st_size
        for line, record in lines[1:]:
            step = step_of(record, self._length, size)
            if step is None:
                break
            if checksum(self._file, step.length - self._length, self._checksum) != step.crc32:
                break
            self._length, self._checksum, self.state = step
            kept.append(line)
        if kept:
            # Cut where it stops being right: a crash at this moment loses nothing of it.
            self._log = open_ours(self._journal, write=True)
            self._log.truncate(sum(map(len, kept)))
            self._log.seek(0, os.SEEK_END)
        else:
            # It holds sums of scores and the first errors: for the same eyes as the output.
            self._log = create_anew(self._journal, self._own_mode())
            self._record({"job": job, "compare": self.compares})

    def _own_mode(self) -> int:
        return stat.S_IMODE(os.fstat(self._file.fileno()).st_mode)

    def _write_whole(self, finish: Finish) -> None:
        try:
            with create_anew(self._whole, self._own_mode()) as target:
                finish(self._file, target)
                target.flush()
                os.fsync(target.fileno())
        except BaseException:
            remove(self._whole)
            raise

    def _record(self, record: dict[str, Any]) -> None:
        if self._log is not None:
            with _naming(self._name + ".journal"):
                self._log.write(line_of(record))
                self._log.flush()

    def _remove_journal(self) -> None:
        """Remove the journal, before the lock is let go: after it, it may be another run's."""
        if self._log is not None:
            with contextlib.suppress(OSError):  # a full disk, said before
                self._log.close()
        remove(self._journal)


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
            raise system_error(_place(self._name, error), error) from None


def _mode(path: str) -> int | None:
    """The permissions of a plain file; None where there is none."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    return stat.S_IMODE(status.st_mode) & 0o777 if stat.S_ISREG(status.st_mode) else None


def _open_locked(partial: str, name: str, mode: int | None) -> tuple[BinaryIO, bool]:
    """The partial file of the output `name`, opened for this process alone, and whether it is new.

    It is made for no more eyes than `mode` allows, and so that a later run can write on. One that
    is there is not cut: another run may be writing it.
    """
    allowed = 0o666 if mode is None else mode | 0o600
    while True:
        is_new = True
        try:
            file = create(partial, allowed)
        except FileExistsError:
            is_new = False
            try:
                file = open_ours(partial, write=True)
            except FileNotFoundError:
                continue
        try:
            _lock(file, name)
            # A run that ended between opening and locking has renamed or removed this file.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.lstat(partial)):
                    return file, is_new
        except BaseException:
            file.close()
            raise
        file.close()


def _lock(file: BinaryIO, name: str) -> None:
    """Hold the file for this process; the system lets go of it however the process ends."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise DataError(name, "another run is writing it", "wait for it or name another") from None
    except OSError:
        return  # a file system without locks


def _same_bytes(one: str, other: str) -> bool:
    if os.path.getsize(one) != os.path.getsize(other):
        return False
    with open_ours(one) as left, open(other, "rb") as right:
        while block := left.read(1 << 20):
            if block != right.read(len(block)):
                return False
    return True


def _sync_folder(path: str) -> None:
    """Make the new name last through a power cut."""
    if sys.platform != "win32":
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
