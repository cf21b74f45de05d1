"""Safe file writing: complete or not at all, and never through a planted link.

A file is written under a temporary name in the same folder, with permissions no wider than those of
the file it replaces, and renamed when it is complete on disk. A temporary file of an earlier run is
reused only if it is a regular file owned by this user, or by the owner of the folder, who could
change everything in it anyway.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor
    from mmap import mmap
    from pathlib import Path

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class UnsafeFile(OSError):
    """An existing file at the path to write cannot be trusted; `filename` names it."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(errno.EEXIST, problem, path)


def write_whole(path: str | os.PathLike[str], data: bytes, follow: bool = True) -> None:
    """Write a file, which appears only when complete.

    A link is kept and its target replaced; without `follow` the link itself is replaced. The new
    file keeps the permissions of the old one. A device or a named pipe is written directly.

    Raises
    ------
    OSError
        The file cannot be written; the old one is kept.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(os.path.join(folder, "model"), b"weights")
    ...     os.listdir(folder)
    ['model']
    """
    target = os.path.realpath(path) if follow else os.fspath(path)
    status = os.stat(target) if follow and os.path.exists(target) else None
    if status is not None and not stat.S_ISREG(status.st_mode):
        with open(target, "wb") as device:
            device.write(data)
        return
    part = f"{target}.{os.urandom(4).hex()}.part"
    try:
        with create(part, 0o666 if status is None else stat.S_IMODE(status.st_mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if status is not None:
            os.chmod(part, stat.S_IMODE(status.st_mode) & 0o777)
        os.replace(part, target)
    except BaseException:
        remove(part)
        raise


def create(path: str, mode: int = 0o666) -> BinaryIO:
    """Create a file for writing and reading; `FileExistsError` if the name exists."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
    return os.fdopen(os.open(path, flags, mode), "w+b")


def create_anew(path: str, mode: int = 0o666) -> BinaryIO:
    """Create a file in place of one left by an earlier run.

    Raises `UnsafeFile` if the existing file cannot be trusted.
    """
    if is_ours(path):
        remove(path)
    return create(path, mode)


def open_ours(path: str, write: bool = False) -> BinaryIO:
    """Open a file left by an earlier run for reading, with `write` also for writing.

    Raises `FileNotFoundError` if it is missing, `UnsafeFile` if it cannot be trusted.
    """
    is_ours(path)
    try:
        access = os.O_RDWR if write else os.O_RDONLY
        number = os.open(path, access | _NO_FOLLOW | _BINARY)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UnsafeFile(path, _LINK) from None
        raise
    file = os.fdopen(number, "r+b" if write else "rb")
    try:
        _check(path, os.fstat(number))
    except BaseException:
        file.close()
        raise
    return file


def is_ours(path: str) -> bool:
    """Return whether a file exists; raises `UnsafeFile` if it cannot be trusted."""
    try:
        _check(path, os.lstat(path))
    except FileNotFoundError:
        return False
    return True


_LINK = "is a symbolic link, which is not followed"


def _check(path: str, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise UnsafeFile(path, _LINK)
    if not stat.S_ISREG(status.st_mode):
        raise UnsafeFile(path, "is not a regular file")
    if status.st_nlink > 1:
        raise UnsafeFile(path, "is a hard link to another file")
    if not owned(status.st_uid, os.path.dirname(path)):
        raise UnsafeFile(path, "belongs to another user")


def owned(owner: int, folder: str) -> bool:
    """Return whether a file's owner is trusted: this user, or the owner of the folder."""
    if sys.platform == "win32":
        return True
    return owner == os.geteuid() or owner == os.stat(folder or ".").st_uid


def remove(path: str) -> None:
    """Remove a file, if there is one."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM until the end of the block, for steps that must not be separated."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    handlers = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, note)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])


def started_thread() -> ThreadPoolExecutor:
    """Return an executor of one thread, which runs.

    Signals wait meanwhile: one that is raised in the midst of a start leaves a lock taken, for
    which the thread would wait for ever.
    """
    from concurrent.futures import ThreadPoolExecutor

    executor = ThreadPoolExecutor(1)
    with signals_held():
        executor.submit(int)
    return executor


def mapped_table(path: Path, magic: bytes, version: int, what: str, script: str) -> mmap | bytes:
    """Map a table of the package into memory; `script` makes it, `what` is what it holds.

    It is little-endian: 8 bytes of magic, then 32-bit numbers: version, CRC-32 of what follows.

    Raises
    ------
    ValueError
        It is not such a table, is of another version, or is damaged; the message names the file.
    """
    import mmap
    import zlib

    hint = f"reinstall summeval, or run {script}"
    if sys.byteorder != "little":
        raise ValueError(
            f"{path} is little-endian, but this machine is not; use a little-endian machine"
        )
    with path.open("rb") as file:
        empty = not os.fstat(file.fileno()).st_size  # which cannot be mapped
        data = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if len(data) < 20 or data[:8] != magic:
        raise ValueError(f"{path} is not summeval's {what}; {hint}")
    found, checksum = memoryview(data)[8:16].cast("I")
    if found != version:
        raise ValueError(f"{path} has version {found}; this summeval reads {version}: {hint}")
    if zlib.crc32(memoryview(data)[16:]) != checksum:
        raise ValueError(f"{path} is damaged; {hint}")
    return data
