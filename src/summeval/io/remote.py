"""Addresses such as `s3://bucket/rows.parquet`, read through the file systems of pyarrow or fsspec.

pyarrow knows `s3://`, `gs://`, `abfs://`, `hdfs://` and `file://`, fsspec (with its packages) the
others. They are only read: what is written is a file of this machine.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from summeval._lazy import need
from summeval.io import DataError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_MOST_SAID = 200  # characters of an error
_PATIENCE = "retry_limit_seconds"  # of Google's library, which would try for a quarter of an hour


def is_address(path: str) -> bool:
    """Return whether a path is an address.

    >>> is_address("s3://bucket/rows.csv"), is_address("rows.csv"), is_address("C:/rows.csv")
    (True, False, False)
    """
    return _SCHEME.match(path) is not None


def without_secrets(address: str) -> str:
    """Return an address for messages: without names, passwords and options.

    >>> without_secrets("s3://key:secret@bucket/rows.csv?endpoint_override=localhost:9000")
    's3://bucket/rows.csv'
    """
    return re.sub(r"://[^/?]*@", "://", address).partition("?")[0]


@contextmanager
def remote(address: str) -> Iterator[None]:
    """Turn what goes wrong into a `DataError` that names the address."""
    name = without_secrets(address)
    try:
        yield
    except DataError:
        raise
    except FileNotFoundError:
        raise DataError(name, "nothing is there", "check the address") from None
    except Exception as error:
        said = " ".join(str(error).split())[:_MOST_SAID].rstrip(".")
        hint = "check the address, the rights and the settings of the file system"
        if isinstance(error, ImportError):
            hint = "install what it names with pip"
        elif " " in name:
            hint = "write a blank in an address as %20"
        raise DataError(name, f"it cannot be read ({said})", hint) from None


def open_file(address: str) -> Any:
    """Return a pyarrow file, of which any part can be read."""
    with remote(address):
        system, path = _found(address)
        return system.open_input_file(path)


def open_stream(address: str) -> BinaryIO:
    """Return a file that is read from its beginning to its end."""
    with remote(address):
        system, path = _found(address)
        return cast(BinaryIO, io.BufferedReader(system.open_input_stream(path, compression=None)))


def files_of(address: str, ending: str) -> list[str]:
    """Return the files under a folder that end so, in order; another address is that of a file.

    The address of a folder ends in `/`.
    """
    begin, mark, options = address.partition("?")
    if not begin.endswith("/"):
        return [address]
    with remote(address):
        system, path = _found(address)
        places = need("pyarrow.fs", address, "arrow").FileSelector(path, recursive=True)
        files = [one.path for one in system.get_file_info(places) if one.is_file]
        root = len(path.strip("/"))
        inside = sorted(one.strip("/")[root:].strip("/") for one in files if one.endswith(ending))
        return [f"{begin}{one}{mark}{options}" for one in inside]


def _found(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it."""
    pa = need("pyarrow", f"reading {without_secrets(address)}", "arrow")
    fs = need("pyarrow.fs", f"reading {without_secrets(address)}", "arrow")
    try:
        system, path = fs.FileSystem.from_uri(address)
        if system.type_name == "gcs" and f"{_PATIENCE}=" not in address:
            from urllib.parse import urlsplit, urlunsplit

            parts = urlsplit(address)
            query = f"{parts.query}&{_PATIENCE}=10".removeprefix("&")
            system, _ = fs.FileSystem.from_uri(urlunsplit(parts._replace(query=query)))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        scheme = address.partition("://")[0]
        if scheme in ("s3", "gs", "gcs", "file"):  # known, and wrong
            raise error
        inner, path = need("fsspec", f"reading {scheme}://").core.url_to_fs(address)
        system = fs.PyFileSystem(fs.FSSpecHandler(inner))
    return system, path
