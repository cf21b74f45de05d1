"""Reading and writing by threads, while the chunks between are scored."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from summeval.io.output import Output
from summeval.io.rows import Encoder, Rows

_CHUNKS_AHEAD = 3  # one is not enough if the reader and two workers share two processors
_MOST_WAITING = 2  # encoded chunks
T = TypeVar("T")


class ReadAhead:
    """The thread of one file; `close` it before the file.

    >>> reader = ReadAhead()
    >>> list(reader.of(iter("abcde")))
    ['a', 'b', 'c', 'd', 'e']
    >>> reader.close()
    """

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None

    def of(self, chunks: Iterator[T]) -> Iterator[T]:
        """Yield chunks, of which the thread makes a few ahead. An error comes in its place."""
        self._thread = self._thread or ThreadPoolExecutor(1)
        following = deque(self._thread.submit(next, chunks, None) for _ in range(_CHUNKS_AHEAD))
        while (chunk := following.popleft().result()) is not None:
            following.append(self._thread.submit(next, chunks, None))
            yield chunk

    def close(self) -> None:
        """Wait for the chunk that is being made, and make no more."""
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)


class WriteBehind:
    """Writes chunks in order; a thread encodes them while the next are scored."""

    def __init__(self, output: Output, writer: Encoder) -> None:
        self._output = output
        self._writer = writer
        self._thread = ThreadPoolExecutor(1)
        self._waiting: deque[tuple[Future[bytes], dict[str, Any]]] = deque()

    def put(self, chunk: Rows, scores: list[Any], state: dict[str, Any]) -> None:
        """Have a chunk encoded, and write an earlier one. `state` as in `Output.write`."""
        self._waiting.append((self._thread.submit(self._writer.encode, chunk, scores), state))
        while len(self._waiting) > _MOST_WAITING:
            self._write_next()

    def finish(self) -> None:
        """Write what waits, also after an error in a later chunk."""
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
