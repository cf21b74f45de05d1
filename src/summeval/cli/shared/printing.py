"""Printing for people, and files that are written at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from summeval._problem import printable
from summeval.io.errors import DataError, system_error

if TYPE_CHECKING:
    from summeval.io import Output


def put(lines: Iterable[str], data: bool = False) -> None:
    """Print `printable` lines on standard output and flush it; `data` stays as it is in a pipe.

    Raises
    ------
    DataError
        Standard output is closed or cannot be written.
    """
    name = "standard output"
    if sys.stdout is None:
        raise DataError(name, "it is closed", "keep it open or redirect it to a file")
    try:
        raw = data and not sys.stdout.isatty()
        print(*(lines if raw else map(printable, lines)), sep="\n", flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise system_error(name, error) from None


def deliver(path: str, lines: Sequence[str], data: bool = False) -> None:
    """Write lines to a file; where it is `-`, `put` them."""
    if path == "-":
        put(lines, data)
    else:
        kept = lines if data else map(printable, lines)
        write_file(path, "".join(line + "\n" for line in kept).encode())


def check_folder(path: str) -> None:
    """Raise `DataError` if no file can be written there for want of its folder."""
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise DataError(path, f"folder {folder} does not exist", "create it, or choose another")
    if not os.access(folder, os.W_OK):
        raise DataError(path, f"folder {folder} is not writable", "choose another")


def write_file(path: str, data: bytes) -> None:
    """Write a file, which appears only when complete; `-` is standard output."""
    from summeval.io import open_output

    with whole(open_output(path)) as output:
        output.write(data, {})


@contextmanager
def whole(output: Output) -> Iterator[Output]:
    """Publish an output at the end of the block, and remove it on an error."""
    try:
        yield output
        output.commit()
    except BaseException:
        output.discard()
        raise
