"""A progress bar: on a terminal, for work that takes over a second, without colour."""

from __future__ import annotations

import os
import sys
import time
from typing import Self, TextIO

_WAIT_S = 1.0
_EVERY_S = 0.1


class Progress:
    """One line that is redrawn in place and erased at the end, also that of a `with` block.

    Parameters
    ----------
    total
        The size of the work; None if unknown.
    wanted
        Whether to show the bar. It is never shown if standard error is not a terminal.
    """

    def __init__(
        self, total: int | None, wanted: bool = True, stream: TextIO | None = None
    ) -> None:
        self._total = total
        self._stream = stream if stream is not None else sys.stderr
        self._shown = wanted and _is_terminal(self._stream)
        self._start = self._last = time.monotonic()
        self._rows = 0
        self._drawn = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()

    def update(self, done: int, rows: int) -> None:
        """Report the amount of work done and `rows` more rows."""
        self._rows += rows
        if not self._shown:
            return
        now = time.monotonic()
        if now - self._start >= _WAIT_S and now - self._last >= _EVERY_S:
            self._last = now
            self._draw(bar(done, self._total, self._rows, now - self._start))

    def reach(self, done: int, total: int) -> None:
        """Report that `done` of `total` rows are done."""
        self._total = total
        self.update(done, done - self._rows)

    def finish(self) -> None:
        """Erase the line."""
        if self._drawn:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()
            self._drawn = 0

    def _draw(self, line: str) -> None:
        import shutil

        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)


def bar(done: int, total: int | None, rows: int, seconds: float) -> str:
    """Return the line to show.

    >>> bar(512, 2048, 30000, 10.0)
    ' 25% [#####...............] 30,000 rows, 3,000/s, 0:30 left'
    >>> bar(0, None, 30000, 10.0)
    '30,000 rows, 3,000/s'
    """
    text = f"{rows:,} rows, {rows / seconds:,.0f}/s"
    if not total:
        return text
    part = min(done / total, 1.0)
    filled = int(20 * part)
    if part > 0:
        left = int(seconds / part - seconds)
        text += f", {left // 60}:{left % 60:02d} left"
    return f"{part:4.0%} [{'#' * filled}{'.' * (20 - filled)}] {text}"


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
