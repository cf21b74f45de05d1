"""Errors of reading and writing: one line each, with the place, the problem and the remedy."""

from __future__ import annotations

import errno
import os

_JOINERS = "\u200c\u200d"
_MOST_SHOWN = 400  # characters of a problem that are shown


class RowError(ValueError):
    """One row cannot be used. `problem` says what is wrong, `mend` what to do about it."""

    def __init__(self, problem: str, mend: str) -> None:
        super().__init__(f"{problem}; {mend}")
        self.problem = problem
        self.mend = mend


class DataError(ValueError):
    """A file, or a row in it, cannot be used; the message is one line.

    >>> str(DataError("rows.jsonl:3", "no 'candidate'", "add it"))
    "rows.jsonl:3: no 'candidate'; add it"
    """

    def __init__(self, place: str, problem: str, mend: str) -> None:
        # A cell or a line may be long; the message stays one line.
        known = printable(problem)
        known = known if len(known) <= _MOST_SHOWN else known[:_MOST_SHOWN] + "…"
        super().__init__(f"{printable(place)}: {known}; {printable(mend)}")


def printable(text: str) -> str:
    r"""The text with escapes for what a terminal obeys: control characters, and turns of direction.

    The joiners that some scripts and emoji need are kept.

    >>> printable("a\x1b[31m\u202eb\n"), printable("\u200c") == "\u200c"
    ('a\\x1b[31m\\u202eb\\n', True)
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else ascii(c)[1:-1] for c in text)


class BadRow(DataError):
    """A row cannot be used; `on_error="skip"` skips it."""


class SystemFailure(DataError):
    """The operating system failed to read or write; the data may still be valid."""


_MENDS = {
    errno.ENOENT: "check the name",
    errno.EISDIR: "pass a file",
    errno.EEXIST: "remove it or write elsewhere",
    errno.ELOOP: "pass a file",
    errno.EACCES: "give this user access to it",
    errno.EPERM: "give this user access to it",
    errno.ENOTDIR: "check the name",
    errno.ENOSPC: "free some space or write elsewhere",
    errno.EDQUOT: "free some space or write elsewhere",
    errno.EFBIG: "raise the file size limit or write elsewhere",
    errno.EROFS: "write elsewhere",
    errno.EIO: "check the disk",
    errno.EMFILE: "raise the limit of open files",
}


def system_error(place: str, error: OSError) -> SystemFailure:
    """Convert a failed system call to an error that names the file.

    >>> str(system_error("a.csv", FileNotFoundError(2, "No such file or directory")))
    'a.csv: no such file or directory; check the name'
    """
    number = error.errno or 0
    if number == errno.ENOENT and (known := _not_there(place)):
        return SystemFailure(place, *known)
    reason = error.strerror or (os.strerror(number) if number else str(error))
    mend = _MENDS.get(number, "check the file and the disk")
    return SystemFailure(place, reason[:1].lower() + reason[1:], mend)


def _not_there(path: str) -> tuple[str, str] | None:
    """What is wrong with a path at which there is nothing, and what to do; None if that is all."""
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
