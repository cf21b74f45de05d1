"""One metric family in a file.

The package can be called, as a function of the face: `summeval.metrics()` lists the names that
`summeval.metric` takes.

>>> import summeval
>>> "rougeSU4" in summeval.metrics()
True
"""

import sys
from types import ModuleType


class _Metrics(ModuleType):
    """A package that is also the function of the same name."""

    def __call__(self) -> list[str]:
        from summeval.metrics.registry import metrics

        return metrics()


sys.modules[__name__].__class__ = _Metrics
