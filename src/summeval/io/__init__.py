"""Read rows and write scores in chunks: JSON Lines and CSV, plain or gzip; Parquet; Arrow.

Memory is bounded by the chunk size (`source.BLOCK_BYTES` of text, `arrow.PIECE_BYTES` for columnar
files), not by the file size. pyarrow is imported only for columnar files. Errors are one line each,
with the place, the problem and the remedy; `DataError` is public, all else may change.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from summeval._files import UnsafeFile
from summeval._problem import Problem

__all__ = ["DataError"]


class RowError(ValueError):
    """One row cannot be used; whoever knows the file makes a `DataError` of it."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(f"{what}; {hint}")
        self.problem = Problem(what, hint)


class DataError(ValueError):
    """A file, or a row in it, cannot be used; the message is one line.

    >>> str(DataError("rows.jsonl:3", "no 'candidate'", "add it"))
    "rows.jsonl:3: no 'candidate'; add it"
    """

    def __init__(self, place: str, what: str, hint: str) -> None:
        self.problem = Problem(what, hint, place)
        super().__init__(str(self.problem))

    @classmethod
    def of(cls, place: str, error: BaseException, hint: str = "") -> Self:
        """Return the same problem, at a place; with `hint` where the error has none."""
        what, given, *_ = Problem.of(error, hint)
        return cls(place, what, given)


class BadRow(DataError):
    """A row cannot be used; `on_error="skip"` skips it."""


class SystemFailure(DataError):
    """The operating system failed to read or write; the data may still be valid."""


_MENDS = {
    "check the name": (errno.ENOENT, errno.ENOTDIR),
    "pass a file": (errno.EISDIR, errno.ELOOP),
    "remove it or write elsewhere": (errno.EEXIST,),
    "give this user access to it": (errno.EACCES, errno.EPERM),
    "free some space or write elsewhere": (errno.ENOSPC, errno.EDQUOT),
    "raise the file size limit or write elsewhere": (errno.EFBIG,),
    "write elsewhere": (errno.EROFS,),
    "check the disk": (errno.EIO,),
    "raise the limit of open files": (errno.EMFILE,),
}


def system_error(place: str, error: OSError) -> SystemFailure:
    """Convert a failed system call to an error that names the file.

    >>> str(system_error("a.csv", FileNotFoundError(2, "No such file or directory")))
    'a.csv: no such file or directory; check the name'
    >>> str(system_error("a.csv", OSError("Bad file")))
    'a.csv: bad file; check the file and the disk'
    """
    number = error.errno or 0
    if isinstance(error, UnsafeFile):  # a file beside the one that is written
        place = str(error.filename)
    if number == errno.ENOENT and (known := _not_there(place)):
        return SystemFailure(place, *known)
    reason = error.strerror or (os.strerror(number) if number else str(error))
    mends = (hint for hint, numbers in _MENDS.items() if number in numbers)
    hint = next(mends, "check the file and the disk")
    return SystemFailure(place, reason[:1].lower() + reason[1:], hint)


@contextmanager
def naming(place: str = "") -> Iterator[None]:
    """Turn system errors into a `SystemFailure` of a file: this one, or that which they name.

    The error of a closed pipe stays.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise system_error(place or str(error.filename), error) from None


def _not_there(path: str) -> tuple[str, str] | None:
    """Return what is wrong with a path where nothing is, and what to do; None if that is all."""
    if "://" in path:
        return "is an address, which is not read", "download it and pass the file"
    if any(char in path for char in "*?["):
        return "no file has a name like this", "pass the names of files, or a folder of .parquet"
    folder = os.path.dirname(path.rstrip("/" + os.sep))
    if path.endswith(("/", os.sep)):
        folder = path
    if folder and not os.path.isdir(folder):
        return f"there is no folder {folder}", "check the name"
    return None
