"""Suites that are kept from call to call, so that metrics build their kernels once.

Metrics with the same class and equal options share one suite. Plain values of options are compared
by value, callables and other objects by identity. The suites of the last calls are kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from summeval.metrics.run.suite import Suite

if TYPE_CHECKING:
    from summeval.metrics.run.protocols import Member

MOST = 64  # suites
NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})

_PLAIN = (str, bool, type(None))  # values of options that a key may hold
_OPTIONS = object()  # begins the part of a key that has the options
_NAMES = (str, tuple)  # parts of a key that stand for themselves

_SUITES: OrderedDict[tuple[Any, ...], Suite] = OrderedDict()
_KEYS: WeakValueDictionary[Hashable, Key] = WeakValueDictionary()


class Key:
    """The key that equal metrics share; it is compared by identity, which is fast."""

    __slots__ = ("__weakref__",)


def kept_suite(
    given: Sequence[str | Any],
    make: Callable[..., Sequence[Member]],
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Suite:
    """The suite of these names and metrics; `make` creates the metrics if no suite is kept.

    A suite of metrics that may change is created for each call. `make` is passed the options, if
    there are any.
    """
    key: tuple[Any, ...]
    if options:
        if not all(value.__class__ in _PLAIN for value in options.values()):
            return kept_suite(make(given, options), list)  # equal metrics share a key
        make = partial(make, options=options)
    try:
        key = tuple(given)
        if options:
            key = (*key, (_OPTIONS, *options.items()))
        found = _SUITES.get(key) if key and key[0].__class__ is str else None
        if found is None:  # names alone are their own key
            key = tuple([item if item.__class__ in _NAMES else item._runner_key for item in key])
            found = _SUITES.get(key)
    except (AttributeError, TypeError):  # for an item that is neither; `make` raises the error
        return Suite(make(given))
    if found is None:
        found = Suite(make(given))
        if all(metric.unchanging for metric in found.metrics):
            _keep(key, found)
    elif len(_SUITES) > MOST // 2:  # in so few the order does not matter yet
        with suppress(KeyError):  # if another thread has removed it
            _SUITES.move_to_end(key)
    return found


def _keep(key: tuple[Any, ...], suite: Suite) -> None:
    _SUITES[key] = suite
    with suppress(KeyError):  # if another thread has removed it
        while len(_SUITES) > MOST:
            _SUITES.popitem(last=False)


def forget_suites() -> None:
    """Drop all kept suites: a name may mean another metric now."""
    _SUITES.clear()


def shared_key(parts: Hashable) -> Key:
    """The key of equal parts, as long as somebody holds it."""
    # Without a lock: that two threads make a key of their own costs one more kernel at most.
    found = _KEYS.get(parts)
    if found is None:
        found = _KEYS[parts] = Key()
    return found


def frozen(value: Any) -> Hashable:
    """A hashable form of a value: plain values are equal by value, others by identity.

    >>> frozen([1, 0.5]) == frozen([1, 0.5]), frozen(1) == frozen(True)
    (True, False)
    """
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes, frozenset):
        return kind, value
    if kind is float:
        return kind, repr(value)  # -0.0 and 0.0 must differ
    if kind in (tuple, list):
        return kind, tuple(map(frozen, value))
    if kind is dict:
        return kind, tuple((frozen(key), frozen(item)) for key, item in value.items())
    if hasattr(kind, "__dataclass_fields__") and kind.__module__.startswith("summeval."):
        # Only the frozen values of the package: a dataclass of a user may change, or be callable.
        return kind, tuple(frozen(getattr(value, name)) for name in kind.__dataclass_fields__)
    return kind, id(value)  # unique as long as a metric with this key exists
