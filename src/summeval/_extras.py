"""Libraries that only an extra installs, imported when they are first needed."""

from __future__ import annotations

import importlib
from typing import Any


def need(module: str, what: str, extra: str) -> Any:
    """The module; an ImportError with the line that installs it where it is absent.

    >>> need("no_such_module", "Reading tea leaves", "tea")
    Traceback (most recent call last):
    ImportError: Reading tea leaves needs no_such_module: pip install 'summeval[tea]'
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise ImportError(f"{what} needs {name}: pip install 'summeval[{extra}]'") from None
