"""Reading ahead: a thread makes the next chunks of a file while earlier ones are used."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_CHUNKS_AHEAD = 3  # one is not enough if the reader and two workers share two processors
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
        from concurrent.futures import ThreadPoolExecutor

        self._thread = self._thread or ThreadPoolExecutor(1)
        following = deque(self._thread.submit(next, chunks, None) for _ in range(_CHUNKS_AHEAD))
        while (chunk := following.popleft().result()) is not None:
            following.append(self._thread.submit(next, chunks, None))
            yield chunk

    def close(self) -> None:
        """Wait for the chunk that is being made, and make no more."""
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)
