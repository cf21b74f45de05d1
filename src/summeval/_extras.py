"""Optional dependencies, imported on first use."""

from __future__ import annotations

import importlib
from typing import Any


def need(module: str, what: str, extra: str) -> Any:
    """Import a module; the ImportError for a missing one gives the install command.

    >>> need("no_such_module", "Reading tea leaves", "tea")
    Traceback (most recent call last):
    ImportError: Reading tea leaves needs no_such_module: pip install 'summeval[tea]'
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise ImportError(f"{what} needs {name}: pip install 'summeval[{extra}]'") from None
