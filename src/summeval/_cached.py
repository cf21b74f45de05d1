"""`functools.cached_property` as Python 3.12 has it, in 3.11 too."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

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


__all__ = ["cached_property"]
