"""What was used last, up to a size."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, TypeVar

from summeval._forks import new_lock

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """The values that were used last, up to a size of all of them; threads may share it.

    Parameters
    ----------
    most : float
    size : callable
        Of a value: a number.

    Examples
    --------
    >>> kept = Kept(5, len)
    >>> kept.add({"a": "aaa", "b": "bb"})
    >>> kept.find("a")
    'aaa'
    >>> kept.add({"c": "c"})
    >>> kept.find("b"), kept.find("c")
    (None, 'c')
    """

    def __init__(self, most: float, size: Callable[[Value], float]) -> None:
        self._most, self._size_of = most, size
        self._size = 0.0
        self._found: dict[Hashable, Value] = {}  # the last used comes last
        self._lock = new_lock()

    def find(self, key: Hashable) -> Value | None:
        """Return the value of a key, None where it is not kept."""
        with self._lock:
            found = self._found.pop(key, None)
            if found is not None:
                self._found[key] = found
            return found

    def add(self, values: Mapping[Any, Value]) -> None:
        """Keep values by their keys; those that were used least lately make room."""
        with self._lock:
            for key, value in values.items():
                self._size += 0 if key in self._found else self._size_of(value)
                self._found[key] = self._found.pop(key, value)
            while self._size > self._most and self._found:
                self._size -= self._size_of(self._found.pop(next(iter(self._found))))
