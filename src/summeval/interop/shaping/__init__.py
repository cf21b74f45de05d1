"""Prepared references and sources, kept for the groups that share them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from summeval._core.rows.record import Score
from summeval._options import whole
from summeval.metrics.run.suite import Prepared, Suite

CACHE_SIZE = 256

# The references or source of a candidate: one text, several, or none; and that as a value with a
# hash.
Texts = str | Sequence[str | None] | None
Key = str | tuple[str | None, ...] | None


Kept = TypeVar("Kept")


class Cache(Generic[Kept]):
    """An LRU cache of what references and a source are made into by `make(references, source=)`.

    Threads may share one. Pickled, it is empty.
    """

    def __init__(self, make: Callable[..., Kept], size: int = CACHE_SIZE) -> None:
        number = whole(size)
        if number is None or number < 0:
            raise ValueError(f"cache_size is {size!r}; give a number of sets, 0 to keep none")
        self._make = make
        self.size = number
        self._kept: OrderedDict[tuple[Key, Key], Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, references: Key, source: Key) -> Kept:
        """Return what is made of the references and source, from the cache if possible."""
        key = (references, source)
        # Without a lock, since each step is one: another thread may prepare the same set, with the
        # same result, or remove one in between.
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._make(references, source=source)
        try:
            if len(self._kept) > self.size:
                self._kept.popitem(last=False)
            else:
                self._kept.move_to_end(key)
        except KeyError:
            pass
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": OrderedDict()}


class PreparedCache(Cache[Prepared[dict[str, Score]]]):
    """An LRU cache of prepared references.

    Parameters
    ----------
    suite : Suite
    size : int
        Maximum number of sets. A set of 50 tokens takes about 5 KB, one of 700 tokens about 130
        KB, for `rouge1`, `rouge2` and `rougeL`: some 33 MB for 256 long ones.
    """

    def __init__(self, suite: Suite, size: int = CACHE_SIZE) -> None:
        super().__init__(suite.prepare, size)


class Given(NamedTuple):
    """The texts of a call and what they are compared with."""

    texts: Sequence[Any]
    references: Sequence[Texts] | None
    sources: Sequence[Texts] | None


def in_order(items: Any) -> Any:
    """The same items, found by their position: a Series of pandas finds them by its labels."""
    return items.tolist() if hasattr(items, "iloc") else items


def key_of(
    references: Sequence[Texts], sources: Sequence[Texts] | None, row: int
) -> tuple[Key, Key]:
    """Return the cache key of a row: its references and source."""
    source = None
    if sources is not None:
        source = () if sources[row] is None else _key(sources[row], "sources", row)
    return _key(references[row], "references", row), source


def end_of_group(
    key: tuple[Key, Key], references: Sequence[Texts], sources: Sequence[Texts] | None, begin: int
) -> int:
    """Return the end of the run of rows with the same references and source as `begin`."""
    end, rows = begin + 1, len(references)
    texts, source = references[begin], None if sources is None else sources[begin]
    while end < rows:
        # usually the same object, which needs no comparison
        if references[end] is not texts and not _is_of(references[end], key[0]):
            break
        if sources is not None and sources[end] is not source and not _is_of(sources[end], key[1]):
            break
        end += 1
    return end


def _is_of(texts: Any, key: Key) -> bool:
    """Return whether a key matches these texts."""
    if isinstance(texts, (list, tuple)):
        return tuple(texts) == key
    return isinstance(texts, str) and texts == key


def _key(texts: Texts, name: str, row: int) -> Key:
    """References as a hashable value."""
    if texts is None or isinstance(texts, str):
        return texts
    if not isinstance(texts, (list, tuple)):
        kind = type(texts).__name__
        raise TypeError(f"{name}[{row}] is {kind}; pass a str or a list of str")
    for i, text in enumerate(texts):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{name}[{row}][{i}] is {type(text).__name__}; pass a str")
    return tuple(texts)
