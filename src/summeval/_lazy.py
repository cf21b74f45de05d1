"""Lazy imports: the modules of a package are imported when their names are first used."""

from __future__ import annotations

import importlib
import sys

TYPE_CHECKING = False  # as that of typing, which is not worth its time here
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package that imports its names and modules when they are first used.

    Parameters
    ----------
    package : str
    homes : mapping of str to str
        For each name its module, within the package.

    Examples
    --------
    >>> find = lazy("summeval.text", {"sentences": "sentence_splitter"})
    >>> find("sentences").__name__, find("tokenizers").__name__
    ('sentences', 'summeval.text.tokenizers')
    """

    def find(name: str) -> object:
        if name not in homes:
            return _module(package, name)
        value: object = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)  # later look-ups find it directly
        return value

    return find


def _module(package: str, name: str) -> object:
    whole = f"{package}.{name}"
    try:
        if not name.startswith("_"):
            return importlib.import_module(whole)
    except ModuleNotFoundError as error:
        if error.name != whole:  # one that the module needs
            raise
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
