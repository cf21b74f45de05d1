"""One metric family in a file.

The package can be called, as a function of the face: `summeval.metrics()` lists the names that
`summeval.metric` takes.

>>> import summeval
>>> "rougeSU4" in summeval.metrics()
True
"""

import importlib.util
import sys
from types import ModuleType


class _Metrics(ModuleType):
    """A package that is also the function of the same name."""

    def __call__(self) -> list[str]:
        from summeval.metrics.registry import metrics

        return metrics()

    def __getattr__(self, name: str) -> object:
        """A module of the package, imported when it is first named."""
        home = f"{__name__}.{name}"
        if not name.startswith("_") and importlib.util.find_spec(home) is not None:
            return importlib.import_module(home)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


sys.modules[__name__].__class__ = _Metrics
