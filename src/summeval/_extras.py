"""Optional dependencies, imported on first use."""

from __future__ import annotations

import importlib
from typing import Any


def need(module: str, what: str, extra: str = "") -> Any:
    """Import a module; the ImportError for a missing one gives the install command.

    Without an extra it is that of the package itself, which the user of an adapter chose.

    >>> need("no_such_module", "Reading tea leaves", "tea")
    Traceback (most recent call last):
    ImportError: Reading tea leaves needs no_such_module: pip install 'summeval[tea]'
    >>> need("no_such_module", "Reading tea leaves")
    Traceback (most recent call last):
    ImportError: Reading tea leaves needs no_such_module: pip install no_such_module
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        wanted = f"'summeval[{extra}]'" if extra else name
        raise ImportError(f"{what} needs {name}: pip install {wanted}") from None
