"""Safe forks while other threads make and score metrics: locks and imports.

A fork copies the locks as they are, but only the thread that forks. What another thread has locked
then stays locked for ever in the child.
"""

from __future__ import annotations

import _imp
import _thread
import os
import sys
from _weakrefset import WeakSet  # what `weakref` has; `import summeval` brings as little as it can

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LOCKS: WeakSet[Any] = WeakSet()


def new_lock() -> _thread.LockType:
    """Return a lock that is free in a forked process. Hold it over no code of users.

    >>> with new_lock() as held:
    ...     held
    True
    """
    made = _thread.allocate_lock()
    _LOCKS.add(made)
    return made


def _stop_imports() -> None:
    """Wait until no other thread imports a module, and let none begin before the fork is done.

    The lock of a module is one of Python's own, which a child cannot free. The lock of all imports
    is held only while the lock of a module is made, and Python renews it in the child.
    """
    bootstrap: Any = sys.modules["_frozen_importlib"]
    while True:
        _imp.acquire_lock()
        imported = _imported_elsewhere(bootstrap)
        if not imported:
            return
        _imp.release_lock()
        for name in imported:
            bootstrap._lock_unlock_module(name)


def _imported_elsewhere(bootstrap: Any) -> list[str]:
    locks = [(name, found()) for name, found in list(bootstrap._module_locks.items())]
    ours = (None, _thread.get_ident())
    return [name for name, lock in locks if getattr(lock, "owner", None) not in ours]


def _resume_imports() -> None:
    if _imp.lock_held():
        _imp.release_lock()


def _after_in_child() -> None:
    _resume_imports()
    for lock in list(_LOCKS):
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_stop_imports, after_in_parent=_resume_imports, after_in_child=_after_in_child
    )
