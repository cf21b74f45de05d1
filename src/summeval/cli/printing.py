"""Text for people on standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from summeval.io import DataError, system_error


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
