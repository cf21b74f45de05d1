"""The metrics that programs registered, and those that installed packages bring.

A package names them by entry points of the group `summeval.metrics`. The entry points of all
packages are looked up when a name is not one of summeval's own, or when metrics are listed; a
package is imported when its metric is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from summeval.metrics.own.wrapped import RUN, copied, metric_of
from summeval.metrics.run.base import Metric
from summeval.metrics.run.notices import warn

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


GROUP = "summeval.metrics"

_NAME = re.compile(r"[A-Za-z][\w*+-]*")
_NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})
_KNOWN: dict[str, Own] = {}
_FOUND: dict[str, Own] | None = None  # of entry points, once they were looked up


class Own:
    """A metric of others: under a name, by what it is made of, or by its entry point.

    Attributes
    ----------
    name : str
    origin : str
        The distribution that brings it, with its version; empty for one of the program.
    citations : tuple of str
        BibTeX entries.
    """

    def __init__(
        self,
        name: str,
        thing: Any = None,
        settings: Mapping[str, Any] = _NO_SETTINGS,
        entry: EntryPoint | None = None,
    ) -> None:
        self.name = name
        self.origin = ""
        self._thing = thing
        self._settings = settings
        self._entry = entry
        self._kind: type[Metric] | None = None
        self._error = ""
        if entry is not None:
            dist = entry.dist
            self.origin = f"{dist.name} {dist.version}" if dist is not None else entry.value

    def load(self) -> type[Metric]:
        """Return the class of the metric.

        Raises
        ------
        ValueError
            If the package cannot be imported, or what it brings cannot be a metric: one line that
            names both.
        """
        if self._kind is None and not self._error:
            try:
                thing = self._thing if self._entry is None else self._entry.load()
                self._thing = thing
                made = kind_of(self.name, thing, self.origin, self._settings)
                self._kind = made if self._kind is None else self._kind  # as in `installed`
            except Exception as error:
                if self._entry is None:
                    raise
                said = " ".join(str(error).split())
                self._error = (
                    f"the metric {self.name} of {self.origin} cannot be used: "
                    f"{type(error).__name__}: {said}"
                )
        if self._kind is None:
            raise ValueError(self._error)
        return self._kind

    def make(self, options: Mapping[str, Any]) -> Metric:
        """Return the metric with these options, under its name or its label.

        `named` of a class of summeval, which a class of others may inherit, reads summeval's names.
        """
        kind = self.load()
        made = kind.named(self.name, **options) if "named" in vars(kind) else kind(**options)
        if made.name != self.name and not options.get("label"):
            made.__dict__["name"] = self.name
        return made

    @property
    def citations(self) -> tuple[str, ...]:
        """The BibTeX entries that it was registered with, or that it has."""
        self.load()
        given = self._settings.get("citations")
        given = getattr(self._thing, "citations", ()) if given is None else given
        return (given,) if isinstance(given, str) else tuple(given or ())


def kind_of(name: str, thing: Any, origin: str, settings: Mapping[str, Any]) -> type[Metric]:
    """Return the class of metrics that a class, an object or a function stands for."""
    is_class = isinstance(thing, type)
    if isinstance(thing, Metric) or (is_class and issubclass(thing, Metric)):
        for key in settings:
            if key != "citations":
                raise TypeError(f"{name} is a metric, which has its own {key}; leave {key}= out")
        for key in ("fields", "primary"):
            if not hasattr(thing, key):
                raise TypeError(f"{name} is a metric without {key}; give its class some")
        return thing if is_class else copied(name, thing)
    if is_class and not callable(getattr(thing, RUN, None)):
        raise TypeError(f"{name} is the class {thing.__name__} without {RUN}; give it this method")
    if not callable(thing):
        shown = type(thing).__name__
        raise TypeError(f"{name} is {shown}; give a function, a class with {RUN}, or a metric")
    return metric_of(name, thing, origin, settings)


def check_name(name: Any) -> None:
    """Raise unless a metric may have this name."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a metric is {type(name).__name__}; pass a str")
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"a metric cannot be called {name!r}; take letters, digits, -, _, + or *, "
            "and a letter first"
        )


def keep(name: str, thing: Any, settings: Mapping[str, Any], replace: bool) -> None:
    """Register what a program gave under a name that summeval does not have."""
    made = Own(name, thing, settings)
    if name not in _KNOWN or replace:
        made.load()
    if replace:
        _KNOWN[name] = made
    elif _KNOWN.setdefault(name, made) is not made:
        raise ValueError(f"a metric {name!r} is registered already; pass replace=True")


def forget(name: str) -> None:
    """Remove a metric that a program registered."""
    if _KNOWN.pop(name, None) is None:
        raise ValueError(f"no metric {name!r} was registered")


def find(name: str) -> Own | None:
    """Return the metric of this name that a program registered or a package brings."""
    found = _KNOWN.get(name)
    if found is not None or not _NAME.fullmatch(name):
        return found
    return installed().get(name)


def names() -> list[str]:
    """Return the names of all, in their order: registered, then installed by name."""
    return [*_KNOWN, *(name for name in installed() if name not in _KNOWN)]


def installed() -> dict[str, Own]:
    """Return the metrics that installed packages bring, by name; looked up once."""
    global _FOUND  # noqa: PLW0603
    if _FOUND is None:
        found = _looked_up()
        _FOUND = found if _FOUND is None else _FOUND  # another thread may have been first
    return _FOUND


def _looked_up() -> dict[str, Own]:
    from importlib.metadata import entry_points

    found: dict[str, Own] = {}
    every = [Own(entry.name, entry=entry) for entry in entry_points(group=GROUP)]
    for own in sorted(every, key=lambda own: (own.name, own.origin)):
        if not _NAME.fullmatch(own.name):
            warn(f"{own.origin} brings a metric {own.name!r}, which is no name; it is left out")
        elif own.name in found:
            other = found[own.name].origin
            if other != own.origin:
                warn(f"{own.origin} brings {own.name}, as {other} does; the first is taken")
        else:
            found[own.name] = own
    return found
