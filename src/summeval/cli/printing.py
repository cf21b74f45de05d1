"""What commands print for people, and the files that they write at one stroke."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from summeval.io import DataError, open_output, system_error


def put(lines: Iterable[str]) -> None:
    """Print lines on standard output and see them through.

    Raises
    ------
    DataError
        Standard output is closed or cannot be written.
    """
    name = "standard output"
    if sys.stdout is None:
        raise DataError(name, "it is closed", "leave it open or send it to a file")
    try:
        print(*lines, sep="\n", flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise system_error(name, error) from None


def write_file(path: str, data: bytes) -> None:
    """Write a file, which appears only when it is whole; `-` is standard output."""
    output = open_output(path)
    try:
        output.write(data, {})
        output.commit()
    except BaseException:
        output.discard()
        raise
