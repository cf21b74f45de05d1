"""What makes it safe to fork while other threads make and score metrics.

A fork copies the locks as they are, but only the thread that forks. What another thread has locked
then stays locked for ever in the child.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:
    import functools

    class cached_property(functools.cached_property):
        """That of Python 3.12: it holds no lock while the value is made.

        3.11 holds one for all objects of the class.
        """

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))


__all__ = ["cached_property", "new_lock"]

_LOCKS: WeakSet[Any] = WeakSet()
_PACKAGES = ("summeval", "numpy")  # imported when a metric is first used


def new_lock() -> threading.Lock:
    """Return a lock that is free in a forked process. Hold it over no code of users.

    >>> with new_lock() as held:
    ...     held
    True
    """
    made = threading.Lock()
    _LOCKS.add(made)
    return made


def _free_locks() -> None:
    for lock in list(_LOCKS):
        lock._at_fork_reinit()


def _wait_for_imports() -> None:
    """Wait until no thread imports the packages: the lock of a module is one of Python's own."""
    bootstrap: Any = importlib._bootstrap
    for name in list(bootstrap._module_locks):
        if name.partition(".")[0] in _PACKAGES:
            bootstrap._lock_unlock_module(name)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_wait_for_imports, after_in_child=_free_locks)
