"""Signature: one line with everything that a metric's numbers depend on, and the names in it."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias, Union

from summeval._version import __version__

# The value of an option in a signature: True for a flag, signatures for component metrics.
Value: TypeAlias = Union[str, bool, "tuple[Signature, ...]"]
Signed: TypeAlias = Mapping[str, Value] | Iterable[tuple[str, Value]]

_VERSION = "v"
_RESERVED = re.compile(r"[%|\[\];\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPED = re.compile(r"(?:%[0-9A-F]{2})+")


class Signature(str):
    """Everything that a metric's numbers depend on, in one line: name, options, resources, version.

    It is a str, such as `rouge1|aggregate:max|…|v:0.2.0`, so it can be printed, compared, and kept
    in JSON or Arrow metadata. `Signature.parse` of the line gives an equal Signature. Separators
    are escaped in names and values as in a URL (`|` is `%7C`).

    Attributes
    ----------
    name : str
        The name of the metric.
    options : mapping of str to str, True or tuple of Signature
        In the order of the line; True for a flag without a value, Signatures for the metrics that a
        metric consists of.
    version : str or None
        The version of summeval; None for a signature inside another.

    Examples
    --------
    >>> signature = Signature.of("rouge1", {"aggregate": "max", "jackknife": True}, version="0.2.0")
    >>> signature
    'rouge1|aggregate:max|jackknife|v:0.2.0'
    >>> Signature.parse(str(signature)).options["aggregate"], signature.version
    ('max', '0.2.0')
    """

    __slots__ = ()

    @classmethod
    def of(cls, name: str, options: Signed = (), version: str | None = __version__) -> Signature:
        """Make a signature from its parts; an option with the value False is left out.

        Raises
        ------
        ValueError
            For an option without a name, or an option that is given twice.

        Examples
        --------
        >>> part = Signature.of("tesla-s", {"gap": "4"}, version=None)
        >>> Signature.of("sum", [("of", (part, part))], version=None)
        'sum|of:[tesla-s|gap:4;tesla-s|gap:4]'
        """
        pairs = tuple(options.items() if isinstance(options, Mapping) else options)
        for _, value in pairs:  # here, because the cache of `_of` would treat 1 as True
            if not isinstance(value, (str, bool, tuple)):
                kind = type(value).__name__
                raise TypeError(f"an option of a signature is {kind}; give its text")
        return _of(name, pairs, version)

    @classmethod
    def parse(cls, line: str) -> Signature:
        """Read a Signature from its line.

        Raises
        ------
        ValueError
            For a line that is not a signature: no name, unbalanced brackets, an option given twice,
            or an invalid escape.

        Examples
        --------
        >>> Signature.parse("rouge1|aggregate:max|aggregate:best")
        Traceback (most recent call last):
        ValueError: 'rouge1|aggregate:max|aggregate:best' is no signature: aggregate comes twice
        """
        if not isinstance(line, str):
            raise TypeError(f"a signature is a str, not {type(line).__name__}")
        made = cls(line)
        try:
            name, *pairs = _pairs(line)
            if not name[0] or name[1] is not True:
                raise ValueError("it begins with no name")
            keys = [key for key, _ in pairs]
            for key in keys:
                if not key or keys.count(key) > 1:
                    raise ValueError(f"{key} comes twice" if key else "an option has no name")
        except ValueError as error:
            raise ValueError(f"{line!r} is no signature: {error}") from None
        return made

    @property
    def name(self) -> str:
        return _pairs(self)[0][0]

    @property
    def options(self) -> Mapping[str, Value]:
        return MappingProxyType({key: value for key, value in _pairs(self)[1:] if key != _VERSION})

    @property
    def version(self) -> str | None:
        found = dict(_pairs(self)[1:]).get(_VERSION)
        return found if isinstance(found, str) else None

    @property
    def timeless(self) -> Signature:
        """The signature without the version: the part that other versions must reproduce.

        >>> Signature.of("rouge1", {"aggregate": "max"}).timeless
        'rouge1|aggregate:max'
        """
        parts = _parted(self, "|")
        return Signature("|".join(part for part in parts if not part.startswith(f"{_VERSION}:")))


@lru_cache(1024)  # each table asks for the signatures of its metrics
def _of(name: str, pairs: tuple[tuple[str, Value], ...], version: str | None) -> Signature:
    if version is not None:
        pairs = (*pairs, (_VERSION, version))
    parts, seen = [_escaped(name, key=True)], set()
    for key, value in pairs:
        if not key or key in seen or (key == _VERSION and version is None):
            raise ValueError(f"a signature of {name!r} cannot have the option {key!r} (again)")
        seen.add(key)
        if value is not False:
            shown = _escaped(key, key=True)
            parts.append(shown if value is True else f"{shown}:{_written(value)}")
    return Signature("|".join(parts))


def shortest(value: float) -> str:
    """Return a number as a signature writes it: the shortest text that no other number has.

    >>> shortest(0.5), shortest(1.0), shortest(0.1234567)
    ('0.5', '1', '0.1234567')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def _escaped(text: str, *, key: bool = False) -> str:
    def escape(found: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass"))

    text = _RESERVED.sub(escape, text)
    return text.replace(":", "%3A") if key else text


def _written(value: Value) -> str:
    if isinstance(value, Signature):
        raise TypeError("give a signature within another as a tuple of one")
    if isinstance(value, tuple):
        return f"[{';'.join(str(part) for part in value)}]"
    return _escaped(str(value))


def _pairs(line: str) -> list[tuple[str, Value]]:
    """Return the name and the options of a line, each with its value."""
    pairs: list[tuple[str, Value]] = []
    for part in _parted(line, "|"):
        key, colon, text = part.partition(":")
        value: Value = True
        if colon and text[:1] == "[" and text[-1:] == "]":
            within = text[1:-1]
            value = tuple(Signature.parse(one) for one in _parted(within, ";")) if within else ()
        elif colon:
            value = _plain(text)
        pairs.append((_plain(key), value))
    return pairs


def _plain(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "surrogatepass")

    if "[" in text or "]" in text or "%" in _ESCAPED.sub("", text):
        raise ValueError(f"{text!r} has a character that must be escaped")
    return _ESCAPED.sub(plain, text)


def _parted(line: str, mark: str) -> Sequence[str]:
    """Split a line at the marks outside brackets."""
    if "[" not in line and "]" not in line:
        return line.split(mark)
    parts, begin, depth = [], 0, 0
    for place, character in enumerate(line):
        depth += (character == "[") - (character == "]")
        if depth < 0:
            break
        if character == mark and depth == 0:
            parts.append(line[begin:place])
            begin = place + 1
    if depth:
        raise ValueError("its brackets do not pair")
    return [*parts, line[begin:]]


def label_of(given: object, named: str | None = None) -> str:
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
    >>> label_of("unicode"), label_of(summeval.text.sentences)
    ('unicode', 'summeval.text.sentence_splitter.sentences')
    >>> label_of(lambda text: text.split())
    'summeval.metrics.run.signature.<lambda>-unnamed'
    >>> label_of(lambda text: text.split(), "blanks")
    'summeval.metrics.run.signature.<lambda>-named-blanks'
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
    """Return where a callable is defined; of an object, its class."""
    while isinstance(given, functools.partial):
        given = given.func
    return f"{_home(given)}.{_name(given)}"


def _is_importable(given: Any) -> bool:
    """Return whether a value is what its module has under its name."""
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
