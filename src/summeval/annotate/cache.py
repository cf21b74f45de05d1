"""An on-disk cache of documents, so that each text is parsed only once.

An SQLite file holds the packed block of each document (`annotate.document.packed`) and a checksum.
Its key is a digest of the text and of the provider's signature; the texts themselves are not
stored. Several processes may use the file at once. If it is damaged, the run warns, keeps it as
`annotations.sqlite.damaged` and begins a new one; if it cannot be read or written, the run warns
once and continues without it. Blocks are not compressed: zlib would take three times as long as
everything else on the way to a document.

Cached documents determine scores, so the cache is private: only its owner can open the folder
(0700) and its files (0600). A folder or file that another user owns or can write is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import stat
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from summeval._cached import cached_property
from summeval._core.documents.packed import sealed, unsealed
from summeval._files import UnsafeFile, create, is_ours, remove
from summeval._forks import new_lock
from summeval._options import SettingError
from summeval.annotate.document import ENTITY_LABELS, Document, packed

MOST_BYTES = 1 << 30
"""When the cache outgrows this size, its oldest documents are removed, a tenth at a time.

SUMMEVAL_CACHE_BYTES in the environment sets another size.
"""

_NAME = "annotations.sqlite"
_FORM = 2  # version of the stored form; raised when it changes
_WAIT_S = 10.0  # to wait for another process that writes
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_MOST_KEYS = 500  # in one query
_PAGE = 8192  # bytes; a document seldom needs more than one page
_TABLE = """
CREATE TABLE IF NOT EXISTS documents (
    number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, data BLOB NOT NULL
)"""
_T = TypeVar("_T")


def cache_folder() -> Path:
    """Return the cache folder: SUMMEVAL_CACHE, or `summeval` in the user's cache folder.

    The user's cache folder is XDG_CACHE_HOME if set, LOCALAPPDATA on Windows, else `~/.cache`.
    """
    own = os.environ.get("SUMMEVAL_CACHE")
    if own:
        return Path(own)
    fallback = os.environ.get("LOCALAPPDATA") if os.name == "nt" else None
    base = os.environ.get("XDG_CACHE_HOME") or fallback
    return (Path(base) if base else Path("~/.cache").expanduser()) / "summeval"


def largest_size() -> int:
    """SUMMEVAL_CACHE_BYTES, or `MOST_BYTES`. Raises `ValueError` if it is not a whole number."""
    given = os.environ.get("SUMMEVAL_CACHE_BYTES") or str(MOST_BYTES)
    if not (given.isascii() and given.isdigit()):
        raise SettingError(f"SUMMEVAL_CACHE_BYTES is {given!r}; give a whole number of bytes")
    return int(given)


class Cache:
    """The documents cached in a folder.

    Parameters
    ----------
    folder : path, optional
        Default `cache_folder()`; created when something is first stored. A folder that another user
        owns or can write is not used, with a warning.
    most_bytes : int, optional
        The largest size of the documents in the file, in bytes; default SUMMEVAL_CACHE_BYTES in the
        environment, or else `MOST_BYTES`. When it is exceeded, the oldest documents are removed.

    Raises
    ------
    ValueError
        SUMMEVAL_CACHE_BYTES is not a whole number.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = Cache(folder)
    ...     cache.store([Document(text="Yes", provider="hand")])
    ...     print(cache.find("hand", ["Yes", "No"]))
    ...     cache.close()
    {'Yes': Document(sentences=(), entities=(), text='Yes', provider='hand')}
    """

    def __init__(
        self, folder: str | os.PathLike[str] | None = None, most_bytes: int | None = None
    ) -> None:
        self._folder = folder
        self.most_bytes = largest_size() if most_bytes is None else most_bytes
        self._base: sqlite3.Connection | None = None
        self._process = os.getpid()
        self._is_broken = False
        self._lock = new_lock()

    @cached_property
    def path(self) -> Path:
        """The file. Raises `RuntimeError` if no folder is named and the user has no home folder."""
        return (cache_folder() if self._folder is None else Path(self._folder)) / _NAME

    def find(self, signature: str, texts: Sequence[str]) -> dict[str, Document]:
        """Return the cached documents of texts annotated under a signature, by text."""
        keys = _keys(signature, texts)
        if not keys:
            return {}

        def read(base: sqlite3.Connection) -> dict[str, Document]:
            # Damaged documents are left out, parsed and stored again.
            return unsealed(_select(base, list(keys)), keys, signature, Document, ENTITY_LABELS)

        return self._try(read, make=False) or {}

    def store(self, documents: Iterable[Document]) -> None:
        """Store documents under their text and provider.

        What cannot be packed, such as a cycle of heads, is not stored.
        """
        rows = []
        for document in documents:
            with contextlib.suppress(ValueError):
                (key,) = _keys(document.provider, [document.text])
                rows.append((key, sealed(packed(document))))
        if rows:
            self._try(lambda base: self._insert(base, rows))

    def entries(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return what is stored under keys, as it is."""
        return self._try(lambda base: dict(_select(base, list(keys))), make=False) or {}

    def add(self, rows: list[tuple[bytes, bytes]]) -> None:
        """Store rows (key, data) as they are."""
        self._try(lambda base: self._insert(base, rows))

    def clear(self) -> None:
        """Remove all cached documents."""
        self._try(_remove_all, make=False)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._base is not None:
                self._base.close()
                self._base = None

    def _insert(self, base: sqlite3.Connection, rows: list[tuple[bytes, bytes]]) -> None:
        with base:
            base.executemany("INSERT OR REPLACE INTO documents (key, data) VALUES (?, ?)", rows)
            if _size(base) > self.most_bytes:
                base.execute(
                    "DELETE FROM documents WHERE number <="
                    " (SELECT min(number) + (max(number) - min(number)) / 10 FROM documents)"
                )

    def _try(self, action: Callable[[sqlite3.Connection], _T], make: bool = True) -> _T | None:
        """Run an operation on the database; on failure warn once and return None.

        Also None if there is no file and `make` is false.
        """
        with self._lock:
            if self._is_broken:
                return None
            try:
                if not make and not self.path.exists():
                    return None
                try:
                    return self._run(action)
                except sqlite3.DatabaseError as error:
                    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
                        raise
                self._begin_anew()
                return self._run(action)
            except (sqlite3.Error, OSError, RuntimeError) as error:
                self._is_broken = True
                hint = "continuing without the cache (set SUMMEVAL_CACHE to use another folder)"
                message = ": ".join(self._trouble(error))
                warnings.warn(f"{message}; {hint}", RuntimeWarning, stacklevel=4)
                return None

    def _run(self, action: Callable[[sqlite3.Connection], _T]) -> _T:
        if self._base is None or self._process != os.getpid():
            # A connection must not be used after a fork.
            self._base, self._process = _open(self.path), os.getpid()
        return action(self._base)

    def _begin_anew(self) -> None:
        """Move a damaged file away, with a warning."""
        if self._base is not None:
            self._base.close()
            self._base = None
        os.replace(self.path, f"{self.path}.damaged")
        for beside in ("-wal", "-shm", "-journal"):
            remove(f"{self.path}{beside}")
        message = f"a new cache is begun (the old one is {_NAME}.damaged; remove it)"
        warnings.warn(f"{self.path}: was damaged, so {message}", RuntimeWarning, stacklevel=5)

    def _trouble(self, error: Exception) -> tuple[str, str]:
        """Return the subject of an error and its message."""
        if isinstance(error, RuntimeError):  # no home, so no path
            return _NAME, str(error)
        if isinstance(error, OSError) and error.strerror:
            return str(error.filename or self.path), error.strerror
        return str(self.path), str(error)


def _open(path: Path) -> sqlite3.Connection:
    _make_private(path)
    base = sqlite3.connect(path, timeout=_WAIT_S, check_same_thread=False)
    try:
        # Of a new file. Without a memory map: it saves 1 µs a document, but if another program cuts
        # the file off, reading it kills the process.
        base.execute(f"PRAGMA page_size={_PAGE}")
        # Readers do not wait for the writer; documents lost in a crash are parsed again.
        _write_ahead(base)
        base.execute("PRAGMA synchronous=NORMAL")
        base.execute(_TABLE)
    except BaseException:
        base.close()
        raise
    return base


def _make_private(path: Path) -> None:
    """Create the folder and the file, or check that only this user can access them.

    Raises `UnsafeFile` if another user owns them or could have written them.
    """
    folder = path.parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        problem = "is not a folder (move it away, or name a folder)"
        if folder.is_symlink() and not folder.exists():
            target = os.readlink(folder)
            problem = f"is a link to {target}, which does not exist (create it, or remove the link)"
        raise UnsafeFile(str(folder), problem) from None
    if sys.platform != "win32":
        _check_folder(folder)
    # SQLite gives its other files the permissions of this one.
    for beside in ("-wal", "-shm", "-journal", ""):
        if not is_ours(f"{path}{beside}") and not beside:
            with contextlib.suppress(FileExistsError):  # another process was faster
                create(str(path), 0o600).close()
    if sys.platform != "win32" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)


def _check_folder(folder: Path) -> None:
    link, status = folder.lstat(), folder.stat()
    if not {link.st_uid, status.st_uid} <= {os.geteuid()}:
        raise UnsafeFile(str(folder), "belongs to another user")
    # The folder holds other files, so its permissions are not ours to change.
    only_ours = all(name.startswith(_NAME) for name in os.listdir(folder))
    forbidden = stat.S_IWOTH if only_ours else stat.S_IWOTH | stat.S_IWGRP
    if status.st_mode & forbidden:
        raise UnsafeFile(str(folder), "can be written by other users (run chmod 700 on it)")
    if only_ours and status.st_mode & 0o077:
        folder.chmod(0o700)


def _write_ahead(base: sqlite3.Connection) -> None:
    """Set the journal mode; of two processes that find a new file only one can do it.

    SQLite refuses the other one at once instead of making it wait, because the two would deadlock.
    """
    end = time.monotonic() + _WAIT_S
    while True:
        try:
            base.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
        time.sleep(0.01)


def _select(base: sqlite3.Connection, keys: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the entries of keys one by one, so that the memory of each is used again."""
    for start in range(0, len(keys), _MOST_KEYS):
        some = keys[start : start + _MOST_KEYS]
        marks = ",".join("?" * len(some))
        yield from base.execute(f"SELECT key, data FROM documents WHERE key IN ({marks})", some)


def _remove_all(base: sqlite3.Connection) -> None:
    with base:
        base.execute("DELETE FROM documents")
    base.execute("VACUUM")


def _size(base: sqlite3.Connection) -> int:
    """Return the number of bytes in use; freed pages are refilled before the file grows."""
    pages, free, size = (
        base.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _keys(signature: str, texts: Iterable[str]) -> dict[bytes, str]:
    """Return the texts by their keys under a signature."""
    start = hashlib.blake2b(f"{_FORM}\0{signature}\0".encode(), digest_size=20)
    found = {}
    for text in texts:
        digest = start.copy()
        digest.update(text.encode())
        found[digest.digest()] = text
    return found
