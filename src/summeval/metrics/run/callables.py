"""Names of callables for signatures."""

from __future__ import annotations

import functools
import sys
from typing import Any


def label(given: object, named: str | None = None) -> str:
    """The name of an option's value: itself if it is a str, of a callable where it is defined.

    A callable that can be imported is named by its module, its qualified name and the version of
    its package. Any other, such as a lambda, a closure or an object, does not tell what it does: it
    has the name that its user gives, or says that it is unnamed.

    Parameters
    ----------
    given : str or callable
    named : str, optional
        The user's label of the metric.

    Examples
    --------
    >>> import summeval
    >>> label("unicode"), label(summeval.text.sentences)
    ('unicode', 'summeval.text.sentence_splitter.sentences')
    >>> label(lambda text: text.split())
    'summeval.metrics.run.callables.<lambda>-unnamed'
    >>> label(lambda text: text.split(), "blanks")
    'summeval.metrics.run.callables.<lambda>-named-blanks'
    """
    if isinstance(given, str):
        return given
    place = _place(given)
    if not _is_importable(given):
        return f"{place}-unnamed" if named is None else f"{place}-named-{named}"
    top = place.partition(".")[0]
    version = "" if top == "summeval" else _version(top)
    return f"{place}-{version}" if version else place


def _place(given: Any) -> str:
    """Where a callable is defined; of an object, its class."""
    while isinstance(given, functools.partial):
        given = given.func
    return f"{_home(given)}.{_name(given)}"


def _is_importable(given: Any) -> bool:
    """Whether a value is what its module has under its name."""
    found: Any = sys.modules.get(_home(given))
    for part in _name(given).split("."):
        found = getattr(found, part, None)
    return found is given


def _home(given: Any) -> str:
    home = str(getattr(given, "__module__", None) or type(given).__module__)
    return "__main__" if home == "__mp_main__" else home  # of a process that was spawned


def _name(given: Any) -> str:
    return str(getattr(given, "__qualname__", None) or type(given).__qualname__)


def _version(package: str) -> str:
    if package in sys.stdlib_module_names and package != "__main__":
        return f"{sys.version_info.major}.{sys.version_info.minor}"
    return str(getattr(sys.modules.get(package), "__version__", ""))
