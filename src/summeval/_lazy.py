"""Lazy imports: the modules of a package are imported when their names are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping


def lazy(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package; `homes` gives the module of each name.

    >>> find = lazy("summeval.text", {"sentences": "sentence_splitter"})
    >>> find("sentences").__name__
    'sentences'
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)  # later look-ups find it directly
        return value

    return find
