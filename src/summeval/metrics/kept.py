"""Suites that are kept for the next call, so that metrics build their kernels once.

Metrics that are equal, by class and options, have one suite: options that are plain values count by
value, callables and other objects by which they are. The suites of the last calls are kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from summeval.metrics.run.suite import Suite

if TYPE_CHECKING:
    from summeval.metrics.run.protocols import Member

MOST = 64  # suites

_SUITES: OrderedDict[tuple[Any, ...], Suite] = OrderedDict()
_KEYS: WeakValueDictionary[Hashable, Key] = WeakValueDictionary()
_LOCK = Lock()


class Key:
    """What equal metrics have in common; it is compared by which it is, and so at once."""

    __slots__ = ("__weakref__",)


def kept_suite(
    given: Sequence[str | Any], make: Callable[[Sequence[Any]], Sequence[Member]]
) -> Suite:
    """The suite of these names and metrics; `make` gives the metrics where it is not kept.

    Suites of metrics that may change are made anew.
    """
    try:
        key = tuple([item if item.__class__ is str else item._runner_key for item in given])  # type: ignore[union-attr]
    except AttributeError:  # of what is neither; `make` says so
        return Suite(make(given))
    found = _SUITES.get(key)
    if found is None:
        found = Suite(make(given))
        if all(metric.unchanging for metric in found.metrics):
            _keep(key, found)
        return found
    try:
        _SUITES.move_to_end(key)
        return found
    except KeyError:  # another thread has let go of it
        return found


def _keep(key: tuple[Any, ...], suite: Suite) -> None:
    with _LOCK:
        _SUITES[key] = suite
        while len(_SUITES) > MOST:
            _SUITES.popitem(last=False)


def shared_key(parts: Hashable) -> Key:
    """The key of equal parts, as long as somebody has it."""
    with _LOCK:
        found = _KEYS.get(parts)
        if found is None:
            found = _KEYS[parts] = Key()
        return found


def frozen(value: Any) -> Hashable:
    """What stands for a value in a key: plain values are told by value, others by which they are.

    >>> frozen([1, 0.5]) == frozen([1, 0.5]), frozen(1) == frozen(True)
    (True, False)
    """
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes, frozenset):
        return kind, value
    if kind is float:
        return kind, repr(value)  # which tells -0.0 from 0.0
    if kind in (tuple, list):
        return kind, tuple(map(frozen, value))
    if kind is dict:
        return kind, tuple((frozen(key), frozen(item)) for key, item in value.items())
    if hasattr(kind, "__dataclass_fields__"):
        return kind, tuple(frozen(getattr(value, name)) for name in kind.__dataclass_fields__)
    return kind, id(value)  # which is its own as long as a metric with this key lives
