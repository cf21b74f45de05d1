"""Files written safely: whole or not at all, and never through a link that somebody planted.

A file is made beside its place under another name, for no more eyes than the one it replaces, and
renamed when all of it is on the disk. What lies beside a file from an earlier run is used again
only where it is a plain file of this user, or of the one who owns the folder and could change
everything in it anyway.
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
from typing import BinaryIO

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class UnsafeFile(OSError):
    """A file that lies where one is to be written and cannot be trusted; `filename` names it."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(errno.EEXIST, problem, path)


def write_whole(path: str | os.PathLike[str], data: bytes, follow: bool = True) -> None:
    """Write a file, which appears only when it is whole.

    A link stays a link, and the file it leads to is replaced; without `follow` the link is. A file
    that is replaced keeps its permissions. A device or a named pipe is written to as it stands.

    Raises
    ------
    OSError
        The file cannot be written; what was there before stays.

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
    """A new file, to write and read; `FileExistsError` where something has the name."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
    return os.fdopen(os.open(path, flags, mode), "w+b")


def create_anew(path: str, mode: int = 0o666) -> BinaryIO:
    """A new file in the place of one that an earlier run left.

    Raises `UnsafeFile` where what lies there cannot be trusted.
    """
    if is_ours(path):
        remove(path)
    return create(path, mode)


def open_ours(path: str, write: bool = False) -> BinaryIO:
    """A file that an earlier run left, to read, and to `write` on.

    Raises `FileNotFoundError` where there is none, `UnsafeFile` where it cannot be trusted.
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
    """Whether a file is there; raises `UnsafeFile` where it is one that cannot be trusted."""
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
        raise UnsafeFile(path, "is no plain file")
    if status.st_nlink > 1:
        raise UnsafeFile(path, "is a hard link to another file")
    if not owned(status.st_uid, os.path.dirname(path)):
        raise UnsafeFile(path, "belongs to another user")


def owned(owner: int, folder: str) -> bool:
    """Whether a file of this owner is trusted: it is this user, or the owner of the folder."""
    if sys.platform == "win32":
        return True
    return owner == os.geteuid() or owner == os.stat(folder or ".").st_uid


def remove(path: str) -> None:
    """Remove a file, if there is one."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait until the end of the block, for steps that belong together."""
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
