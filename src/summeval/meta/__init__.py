"""Metrics about metrics: how far their scores can be trusted, and how they combine."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from summeval.meta import qarla
    from summeval.meta.bootstrap import bootstrap_interval, koehn_test
    from summeval.meta.correlations import correlate, correlation, fisher_interval
    from summeval.meta.nbest import orange
    from summeval.meta.significance import permutation_test, williams_test

_HOMES = {
    "bootstrap_interval": "bootstrap",
    "correlate": "correlations",
    "correlation": "correlations",
    "fisher_interval": "correlations",
    "koehn_test": "bootstrap",
    "orange": "nbest",
    "permutation_test": "significance",
    "williams_test": "significance",
}

__all__ = [
    "bootstrap_interval",
    "correlate",
    "correlation",
    "fisher_interval",
    "koehn_test",
    "orange",
    "permutation_test",
    "qarla",
    "williams_test",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for, and with it NumPy, only then."""
    if name == "qarla":
        return importlib.import_module("summeval.meta.qarla")
    if name in _HOMES:
        return getattr(importlib.import_module(f"summeval.meta.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
