"""Back ends by name; each is imported on first use."""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

from summeval._options import unknown

Problem: TypeAlias = Literal["assignment", "transport"]


class BackEnd(NamedTuple):
    """A way to solve a problem.

    Attributes
    ----------
    run : str or callable
        The function, or its location ``"module:function"``, imported on first use.
    package : str or None
        The additional distribution that it needs, or None.
    clashes : tuple of str
        Modules that must not be loaded in the same process.
    """

    run: str | Callable[..., Any]
    package: str | None = None
    clashes: tuple[str, ...] = ()


_BACK_ENDS: dict[str, dict[str, BackEnd]] = {"assignment": {}, "transport": {}}


def register(problem: Problem, name: str, back_end: BackEnd) -> None:
    """Add a back end, or replace the one of that name.

    It gets the same arguments as the other back ends of the problem (see
    `summeval.solvers.assignment` and `summeval.solvers.transportation`) and must raise
    `SolverError` if it finds no optimum.
    """
    _of(problem)[name] = back_end


def list_solvers(problem: Problem) -> list[str]:
    """Return the names that ``solver=`` takes for the problem: those whose package is installed.

    >>> "kernel" in list_solvers("assignment")
    True

    Raises
    ------
    ValueError
        If the problem is neither "assignment" nor "transport".
    """
    return [name for name, back_end in _of(problem).items() if _installed(back_end)]


def back_ends(problem: Problem) -> dict[str, BackEnd]:
    """Return the back ends of the problem by name, installed or not.

    >>> back_ends("transport")["ortools"].clashes
    ('highspy',)
    """
    return dict(_of(problem))


def load(problem: Problem, name: str, options: Iterable[str] = ()) -> Callable[..., Any]:
    """Import the function of a back end; `options` are the option names that it must accept.

    Raises
    ------
    ValueError
        For an unknown name.
    TypeError
        If the back end does not take one of the options.
    ImportError
        If its package is not installed, or cannot be loaded beside one that is already loaded.
    """
    try:
        back_end = _BACK_ENDS[problem][name]
    except (KeyError, TypeError):
        raise ValueError(unknown(f"solver for {problem}", name, _of(problem))) from None
    run, package, clashes = back_end
    # the rest of this would take longer than a small problem
    if package is None and not clashes and not options and not isinstance(run, str):
        return run
    if not _installed(back_end):
        raise ImportError(f"solver {name!r} needs the package {package}: pip install {package}")
    for module in clashes:
        if module in sys.modules:
            raise ImportError(
                f"solver {name!r} cannot run in a process that has loaded {module}: "
                f"use a process of its own"
            )
    if isinstance(run, str):
        module, function = run.split(":")
        run = getattr(importlib.import_module(module), function)
    taken = inspect.signature(run).parameters if options else {}
    for option in options:
        if option not in taken:
            raise TypeError(f"solver {name!r} takes no option {option!r}")
    return run


def _of(problem: str) -> dict[str, BackEnd]:
    if not isinstance(problem, str) or problem not in _BACK_ENDS:
        raise ValueError(unknown("problem", problem, _BACK_ENDS))
    return _BACK_ENDS[problem]


def _installed(back_end: BackEnd) -> bool:
    if back_end.package is None:
        return True
    try:
        importlib.metadata.distribution(back_end.package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
