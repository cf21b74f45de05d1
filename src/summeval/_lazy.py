"""Lazy imports: the modules of a package, NumPy and optional packages, when they are first used."""

from __future__ import annotations

import importlib
import sys

TYPE_CHECKING = False  # as that of typing, which is not worth its time here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np

__all__ = ["attach", "need", "np", "version_of"]


def attach(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package whose names stand in its stub, and only there.

    Of the stub, which is read when a name is first used, lines such as `from
    summeval.metrics.bipartite import BipartiteMatching as BipartiteMatching` count. All are in
    `__all__` but the folders of `summeval` itself.
    """
    homes: dict[str, str] = {}

    def read() -> dict[str, str]:
        if not homes:
            spec: Any = sys.modules[package].__spec__
            stub = spec.loader.get_data(f"{spec.submodule_search_locations[0]}/__init__.pyi")
            lines = (line.split() for line in stub.decode().splitlines())
            homes.update((line[5], line[1]) for line in lines if line[:1] == ["from"])
        return homes

    def find(name: str) -> object:
        if name == "__all__":
            return [name for name, home in read().items() if home != "summeval"]
        home = None if name[:2] == "__" else read().get(name)
        if home in (None, package):
            return _module(package, name)
        value: object = getattr(importlib.import_module(str(home)), name)
        setattr(sys.modules[package], name, value)  # later look-ups find it directly
        return value

    def names() -> list[str]:
        special = (name for name in vars(sys.modules[package]) if name.startswith("__"))
        return sorted({*read(), *special})

    return find, names


def need(module: str, what: str, extra: str = "") -> Any:
    """Import a module; the ImportError for a missing one gives the install command.

    Without an extra it is that of the package itself, which the user of an adapter chose. If the
    module is there and its own imports fail, the error says which.

    >>> need("no_such_module", "Reading tea leaves", "tea")
    Traceback (most recent call last):
    ImportError: Reading tea leaves needs no_such_module: pip install 'summeval[tea]'
    >>> need("no_such_module", "Reading tea leaves")
    Traceback (most recent call last):
    ImportError: Reading tea leaves needs no_such_module: pip install no_such_module
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        is_lacking = isinstance(error, ModuleNotFoundError)
        if not (is_lacking and f"{module}.".startswith(f"{error.name}.")):
            raise ImportError(f"{what} needs {name}, which cannot be imported: {error}") from error
        wanted = f"'summeval[{extra}]'" if extra else name
        raise ImportError(f"{what} needs {name}: pip install {wanted}") from None


def version_of(project: str, missing: str = "none") -> str:
    """Return the version of an installed project, or what stands for a missing one.

    >>> version_of("no-such-project")
    'none'
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(project)
    except PackageNotFoundError:
        return missing


def _module(package: str, name: str) -> object:
    whole = f"{package}.{name}"
    try:
        if not name.startswith("_"):
            return importlib.import_module(whole)
    except ModuleNotFoundError as error:
        if error.name != whole:  # one that the module needs
            raise
    raise AttributeError(f"module {package!r} has no attribute {name!r}")


if not TYPE_CHECKING:

    class _Numpy:
        """NumPy, which is imported when something of it is first used."""

        def __getattr__(self, name: str) -> object:
            value = getattr(importlib.import_module("numpy"), name)
            setattr(self, name, value)  # later look-ups find it directly
            return value

    np = _Numpy()
