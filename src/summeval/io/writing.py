"""Writing of chunks: encoded where they are made, or by a thread while the next are scored."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from summeval.io.output import Output
from summeval.io.rows import Encoder, Rows

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_MOST_WAITING = 2  # chunks


class ChunkWriter:
    """Writes chunks in order; with `apart`, a thread encodes them while the next are scored."""

    def __init__(self, output: Output, writer: Encoder, apart: bool) -> None:
        self._output = output
        self._writer = writer
        self._thread: ThreadPoolExecutor | None = None
        if apart:
            from concurrent.futures import ThreadPoolExecutor

            self._thread = ThreadPoolExecutor(1)
        self._waiting: deque[tuple[Future[bytes], dict[str, Any]]] = deque()

    def put(self, chunk: Rows, scores: list[Any], state: dict[str, Any]) -> None:
        """Write a chunk, or have it encoded and write an earlier one."""
        if self._thread is None:
            data = self._writer.encode(chunk, scores)
            self._output.write(data, state | {"header": self._writer.header})
            return
        self._waiting.append((self._thread.submit(self._writer.encode, chunk, scores), state))
        while len(self._waiting) > _MOST_WAITING:
            self._write_next()

    def finish(self) -> None:
        """Write what waits, also after an error in a later chunk."""
        if self._thread is None:
            return
        try:
            while self._waiting:
                self._write_next()
        finally:
            self._thread.shutdown()

    def _write_next(self) -> None:
        encoded, state = self._waiting.popleft()
        try:
            self._output.write(encoded.result(), state | {"header": self._writer.header})
        except BaseException:
            self._waiting.clear()  # no later chunk may follow
            raise
