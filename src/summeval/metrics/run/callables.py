"""Names of callables for signatures: equal in any process for functions that do the same.

A function is named by where it is and a digest of what it does: its code with all code within, the
values that it closes over, its defaults and attributes, and the functions and values that it finds
in its module. A callable object is named by its class and its attributes.
"""

from __future__ import annotations

import builtins
import enum
import functools
import os
import re
import struct
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_DEEPEST = 150  # values within values
_DIGITS = 12

_POINTER = struct.calcsize("P")

_ATOMS = (type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented))
_BUILT_IN = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
)
_WRAPPERS = (
    staticmethod,
    classmethod,
    functools._lru_cache_wrapper,
    functools.cached_property,
)
# Class attributes that do not affect behaviour.
_OF_NO_ACCOUNT = frozenset(
    "__module__ __qualname__ __doc__ __dict__ __weakref__ __annotations__ __firstlineno__"
    " __static_attributes__ __annotate__ __annotate_func__ __annotations_cache__"
    " __abstractmethods__ _abc_impl __orig_bases__ __parameters__ __slots__ __hash__"
    " __dataclass_fields__ __dataclass_params__ __match_args__".split()
)


class _CannotTell(ValueError):
    """The value contains something that cannot be identified."""


def label(option: str, given: object, named: str | None = None) -> str:
    """The name of an option's value: itself if it is a str, of a callable its place and a digest.

    Parameters
    ----------
    option : str
        For the message.
    given : str or callable
    named : str, optional
        The user's label of the metric, which names a callable that cannot be identified.

    Raises
    ------
    ValueError
        The callable cannot be identified, and `named` does not name it.

    Examples
    --------
    >>> label("tokenizer", "unicode")
    'unicode'
    >>> one, other = (lambda text, mark=mark: text.split(mark) for mark in ", ")
    >>> label("tokenizer", one) == label("tokenizer", other)
    False
    >>> label("tokenizer", (word for word in "ab").__next__)
    Traceback (most recent call last):
    ValueError: tokenizer cannot be identified (a generator); pass label=… to name it
    >>> label("tokenizer", (word for word in "ab").__next__, "letters")
    'builtins.generator.__next__-named-letters'
    """
    if isinstance(given, str):
        return given
    try:
        return f"{_place(given)}-{digest(given)}"
    except _CannotTell as error:
        if named is not None:
            return f"{_place(given)}-named-{named}"
        raise ValueError(
            f"{option} cannot be identified ({error}); pass label=… to name it"
        ) from None


def digest(given: object) -> str:
    """Hexadecimal digits that are equal for callables and values that are the same.

    Raises
    ------
    ValueError
        A value cannot be identified, such as an open file or the state of a C module.

    Examples
    --------
    >>> digest({"a": {1, 2}}) == digest({"a": {2, 1}}), digest("ab") == digest("b")
    (True, False)
    """
    try:
        return _Digest().of(given)[:_DIGITS]
    except RecursionError:
        raise _CannotTell("too deep") from None


class _Digest:
    """A walk over a value and what it holds, in an order that depends on the value alone."""

    def __init__(self, depth: int = 0) -> None:
        self._written: list[bytes] = []
        self._seen: dict[int, tuple[int, object]] = {}  # id to number; holds it, so no id returns
        self._depth = depth

    def of(self, value: object) -> str:
        self._add(value)
        import hashlib

        return hashlib.sha256(b"".join(self._written)).hexdigest()

    def _write(self, kind: str, text: str | bytes = b"") -> None:
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        self._written.append(f"{kind}:{len(data)}:".encode())
        self._written.append(data)

    def _add(self, value: object) -> None:
        if type(value) in _ATOMS:
            self._write(type(value).__name__, value if isinstance(value, bytes) else repr(value))
            return
        if type(value) in (tuple, frozenset):  # equal constants may be one: not told by which
            _CONTAINERS[type(value)](self, value)
            return
        if id(value) in self._seen:
            self._write("again", str(self._seen[id(value)][0]))
            return
        self._seen[id(value)] = (len(self._seen), value)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _CannotTell("too deep")
        self._add_object(value)
        self._depth -= 1

    def _add_object(self, value: Any) -> None:
        for kinds, add in _KINDS:
            if isinstance(value, kinds):
                add(self, value)
                return
        if type(value).__module__.partition(".")[0] == "numpy" and hasattr(value, "dtype"):
            self._array(value)
        else:
            self._instance(value)

    def _all(self, kind: str, values: Any) -> None:
        self._write(kind, str(len(values)))
        for value in values:
            self._add(value)

    def _unordered(self, kind: str, values: Any) -> None:
        """The elements of a set, by their digests: which comes first is chance."""
        digests = sorted(_Digest(self._depth).of(value) for value in values)
        self._write(kind, " ".join(digests))

    def _items(self, kind: str, pairs: Mapping[Any, Any]) -> None:
        """The items of a dict; two that differ in order are equal."""
        ordered = sorted((_Digest(self._depth).of(key), key) for key in pairs if type(key) is str)
        others = [(_Digest(self._depth).of(key), key) for key in pairs if type(key) is not str]
        self._write(kind, str(len(pairs)))
        for name, key in [*ordered, *sorted(others, key=lambda found: found[0])]:
            self._write("key", name)
            self._add(pairs[key])

    def _if_told(self, name: str, value: object) -> None:
        """A value that something refers to by name; of one that cannot be told, its type."""
        written, seen, depth = len(self._written), len(self._seen), self._depth
        self._write("name", name)
        try:
            self._add(value)
        except _CannotTell:
            del self._written[written:]
            for key in list(self._seen)[seen:]:
                del self._seen[key]
            self._depth = depth
            self._write("untold", f"{name} {_name(type(value))}")

    # -- what there is

    def _function(self, function: types.FunctionType) -> None:
        self._write("function")
        self._code(function.__code__)
        self._add(function.__defaults__)
        self._add(function.__kwdefaults__)
        self._add(_cells(function))
        self._items("attributes", function.__dict__)
        module = str(function.__globals__.get("__name__"))  # that of a wrapper is what it wraps
        if _of_library(module):
            self._write("library", f"{module}.{function.__qualname__} {_version(module)}")
            return
        for name, value in _globals(function):
            self._if_told(name, value)

    def _code(self, code: types.CodeType) -> None:
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        self._write("code", code.co_code)
        self._write("exceptions", getattr(code, "co_exceptiontable", b""))
        for part in (counts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars):
            self._all("names", part)
        self._write("constants", str(len(code.co_consts)))
        for value in code.co_consts:
            self._code(value) if isinstance(value, types.CodeType) else self._add(value)

    def _partial(self, made: functools.partial[Any]) -> None:
        self._write("partial", _name(type(made)))
        self._add(made.func)
        self._add(made.args)
        self._items("keywords", made.keywords)
        self._items("attributes", made.__dict__)

    def _method(self, method: types.MethodType) -> None:
        self._write("method")
        self._add(method.__func__)
        self._add(method.__self__)

    def _built_in(self, function: Any) -> None:
        self._write("built-in", _place(function))
        if _is_global(function):
            self._write("library", _version(_home(function)))
            return
        owner = getattr(function, "__self__", None)
        if owner is not None and not isinstance(owner, types.ModuleType):
            self._add(owner)
        elif hasattr(function, "__objclass__"):
            self._add(function.__objclass__)

    def _class(self, kind: type) -> None:
        self._write("class", _place(kind))
        if kind.__module__ == "builtins" or _of_library(kind.__module__):
            self._write("library", _version(kind.__module__))
            return
        for base in kind.__bases__:
            self._add(base)
        for name in sorted(vars(kind).keys() - _OF_NO_ACCOUNT):
            self._if_told(name, vars(kind)[name])

    def _wrapper(self, wrapper: Any) -> None:
        """A staticmethod, classmethod or cache around a function."""
        self._write("wrapper", _name(type(wrapper)))
        cached = isinstance(wrapper, functools.cached_property)
        self._add(wrapper.func if cached else wrapper.__wrapped__)

    def _property(self, given: property) -> None:
        self._write("property")
        for part in (given.fget, given.fset, given.fdel):
            self._add(part)

    def _instance(self, value: Any) -> None:
        kind = type(value)
        self._write("object")
        self._add(kind)
        for base, add in _CONTAINERS.items():
            if isinstance(value, base):
                add(self, value)
        if type(value) in _CONTAINERS:
            return
        self._items("attributes", dict(_attributes(value)))
        if _hides(kind):
            self._reduced(value)

    def _reduced(self, value: Any) -> None:
        """An object of a type in C, which tells its state to those that pickle it."""
        try:
            found = value.__reduce_ex__(4)
        except Exception:
            raise _CannotTell(f"a {_name(type(value))}") from None
        if isinstance(found, str):
            if not _is_global(value):
                raise _CannotTell(f"a {_name(type(value))}")
            self._write("global", f"{_place(value)} {_version(_home(value))}")
            return
        made, arguments, state, items, pairs = (*found, None, None, None)[:5]
        for part in (made, arguments, state):
            self._add(part)
        self._all("list", list(items or ()))
        self._items("dict", dict(pairs or ()))

    def _array(self, array: Any) -> None:
        if array.dtype.hasobject:
            raise _CannotTell("an array of objects")
        self._write("array", f"{array.dtype.str} {array.shape}")
        self._write("numbers", array.tobytes())

    def _module(self, module: types.ModuleType) -> None:
        self._write("module", f"{module.__name__} {_version(module.__name__)}")

    def _enumeration(self, value: enum.Enum) -> None:
        self._write("member", f"{_place(type(value))} {value.name}")
        self._add(value.value)

    def _pattern(self, pattern: re.Pattern[Any]) -> None:
        self._write("pattern", str(pattern.flags))
        self._add(pattern.pattern)


_CONTAINERS: dict[type, Callable[[_Digest, Any], None]] = {
    dict: lambda walk, value: walk._items("dict", dict(value)),
    list: lambda walk, value: walk._all("list", list(value)),
    tuple: lambda walk, value: walk._all("tuple", tuple(value)),
    set: lambda walk, value: walk._unordered("set", set(value)),
    frozenset: lambda walk, value: walk._unordered("set", frozenset(value)),
    str: lambda walk, value: walk._write("str", repr(str.__str__(value))),
    bytes: lambda walk, value: walk._write("bytes", bytes(value)),
    bytearray: lambda walk, value: walk._write("bytes", bytes(value)),
    int: lambda walk, value: walk._write("int", int.__repr__(value)),
    float: lambda walk, value: walk._write("float", float.__repr__(value)),
}
_KINDS: tuple[tuple[Any, Callable[[_Digest, Any], None]], ...] = (
    (types.FunctionType, _Digest._function),
    (types.MethodType, _Digest._method),
    (functools.partial, _Digest._partial),
    (_BUILT_IN, _Digest._built_in),
    (type, _Digest._class),
    (_WRAPPERS, _Digest._wrapper),
    (property, _Digest._property),
    (types.ModuleType, _Digest._module),
    (types.CodeType, _Digest._code),
    (enum.Enum, _Digest._enumeration),
    (re.Pattern, _Digest._pattern),
)


def _cells(function: types.FunctionType) -> tuple[tuple[Any, ...], ...]:
    """What a function closes over; an empty cell is its own kind of value."""
    found: list[tuple[Any, ...]] = []
    for cell in function.__closure__ or ():
        try:
            found.append((cell.cell_contents,))
        except ValueError:
            found.append(())
    return tuple(found)


def _globals(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The names that a function finds in its module, with their values, in order of the names."""
    names: set[str] = set()
    attributes: set[str] = set()
    codes = [function.__code__]
    for code in codes:  # which grows
        codes += [part for part in code.co_consts if isinstance(part, types.CodeType)]
        attributes.update(code.co_names)
        import dis

        found = dis.get_instructions(code)
        names.update(str(step.argval) for step in found if step.opname in _READ_GLOBAL)
    for name in sorted(names):
        value = function.__globals__.get(name, vars(builtins).get(name))
        yield name, value
        if isinstance(value, types.ModuleType) and not _of_library(value.__name__):
            for attribute in sorted(attributes & vars(value).keys()):
                yield f"{name}.{attribute}", vars(value)[attribute]


_READ_GLOBAL = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    yield from getattr(value, "__dict__", {}).items()
    for name in (name for kind in type(value).__mro__ for name in _slots(kind)):
        if hasattr(value, name):
            yield name, getattr(value, name)


def _hides(kind: type) -> bool:
    """Whether objects of a class hold more than attributes show, as those of types in C do.

    The room that they take tells, as it tells `object.__reduce_ex__` what cannot be pickled.
    """
    base = next(base for base in kind.__mro__ if base in (object, *_CONTAINERS))
    slots = [slot for part in kind.__mro__ for slot in _slots(part)]
    pointers = len(slots) + (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    room = base.__basicsize__ + pointers * _POINTER
    return kind.__basicsize__ > room or kind.__itemsize__ != base.__itemsize__


def _slots(kind: type) -> list[str]:
    """The names of the attributes that a class has in slots of its own."""
    slots = vars(kind).get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    own = kind.__name__.lstrip("_")
    return [
        f"_{own}{name}" if name[:2] == "__" != name[-2:] and own else name
        for name in names
        if name not in ("__dict__", "__weakref__")
    ]


def _name(value: Any) -> str:
    return str(getattr(value, "__qualname__", None) or type(value).__qualname__)


def _home(value: Any) -> str:
    home = str(getattr(value, "__module__", None) or type(value).__module__)
    return "__main__" if home == "__mp_main__" else home  # of a process that was spawned


def _is_global(value: Any) -> bool:
    """Whether a value is what its module has under its name."""
    found: Any = sys.modules.get(_home(value))
    for part in _name(value).split("."):
        found = getattr(found, part, None)
    return found is value


def _place(given: Any) -> str:
    """Where a callable was made, for people."""
    while isinstance(given, functools.partial):
        given = given.func
    return f"{_home(given)}.{_name(given)}"


@functools.cache
def _folders() -> tuple[str, ...]:
    """Where packages are installed."""
    import site
    import sysconfig

    paths = sysconfig.get_paths()
    found = [paths["purelib"], paths["platlib"], site.getusersitepackages()]
    return tuple(os.path.join(path, "") for path in found)


def _of_library(module: str | None) -> bool:
    """Whether a module is Python's or an installed package's, which a version names."""
    top = (module or "").partition(".")[0]
    if top == "summeval" or (top in sys.stdlib_module_names and top != "__main__"):
        return True
    path = getattr(sys.modules.get(top), "__file__", None)
    return path is not None and path.startswith(_folders())


def _version(module: str) -> str:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return "{}.{}".format(*sys.version_info)
    return str(getattr(sys.modules.get(top), "__version__", ""))
