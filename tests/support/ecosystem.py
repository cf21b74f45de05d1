"""Find the libraries of other ecosystems, which an ordinary test run does not need."""

import importlib
import os
from typing import Any

import pytest


def ecosystem(module: str) -> Any:
    """The module; skips the test where it is absent, unless this run is there to test it.

    `make test-interop` and `make test-engines` set SUMMEVAL_NO_SKIP to the libraries that they
    install.
    """
    if module.partition(".")[0] in os.environ.get("SUMMEVAL_NO_SKIP", "").split():
        return importlib.import_module(module)
    return pytest.importorskip(module, exc_type=ImportError)
