"""How any option is checked and refused: one validator for the package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, isfinite, isnan
from numbers import Integral, Real
from typing import Any, NamedTuple

MOST_WORKERS = 1024
_LEAST_LIKE = 0.6
_MOST_SHOWN = 80
_MOST_COMPARED = 100
_OF_NUMBERS = frozenset("0123456789+-.eE")  # not "nan", "1_000" or digits of other scripts


class SettingError(ValueError):
    """A variable of the environment has a wrong value: no row of a batch is to blame for it."""


class Option(NamedTuple):
    """An option of a metric, declared: its check and its form on the command line.

    A value is one of `choices`, or is of the `kind`. What it is for stands in the docstring of the
    class.

    Attributes
    ----------
    name : str
    default : object
    choices : tuple
    kind : str
        "" (choices alone), "bool", "share", "number", "whole", "text", "stemmer", "words",
        "function", "path", "any" or "object" (which only Python can give). A share is a number from
        0 to 1. The last three are checked where they are used.
    low, high : float
        The least and the greatest number.
    above : bool
        Whether `low` itself is excluded.
    give : str
        What to do, for the error; by default told from the rest.
    kw_only : bool
        Whether it is given by name alone.

    Examples
    --------
    >>> alpha = Option("alpha", 0.5, kind="share")
    >>> alpha.check(1), alpha.read("0.25")
    (1.0, 0.25)
    >>> alpha.check(2)
    Traceback (most recent call last):
    ValueError: alpha is 2; give a number from 0 to 1
    """

    name: str
    default: Any
    choices: tuple[Any, ...] = ()
    kind: str = ""
    low: float = -inf
    high: float = inf
    above: bool = False
    give: str = ""
    kw_only: bool = True

    def check(self, value: Any) -> Any:
        """The value as the metric takes it: a plain float, int or bool for a number or a flag.

        Raises
        ------
        ValueError, TypeError
            Naming the option, the value and what to give instead.
        """
        if self.kind == "bool" and _is_among(value, (1, 0)):  # which are True and False, too
            return bool(value)
        if _is_among(value, self.choices):  # the choice itself, for a scalar of NumPy
            return next(choice for choice in self.choices if choice is value or choice == value)
        found = _KINDS[self.kind][1](value)
        if isinstance(found, (int, float)) and not self._reaches(found):
            found = None
        if found is None:
            of_kind = self.kind == "function" and (self.give or not self.choices[1:])
            error = TypeError if of_kind else ValueError
            raise error(f"{self.name} is {shown(value)}; {self._hint_for(value)}")
        return found

    def read(self, text: str) -> Any:
        """Return the value that a text on the command line means; the text where it means none."""
        named = {str(one).lower(): one for one in self.choices if not isinstance(one, str)}
        if self.kind == "bool":
            named |= {"true": True, "false": False}
        if text.lower() in named:
            return named[text.lower()]
        read = {"whole": int, "share": float, "number": float}.get(self.kind)
        if read is None or not set(text) <= _OF_NUMBERS:
            return text
        try:
            return read(text)
        except ValueError:
            return text

    @property
    def takes(self) -> str:
        """The values that it takes, as docstrings and `summeval metrics` say it.

        >>> Option("gap", 4, (None,), "whole").takes
        'int or None'
        >>> Option("case", "keep", ("keep", "lower")).takes
        '{"keep", "lower"}'
        """
        kind = _KINDS[self.kind][0]
        if {True, False} == set(self.choices):
            return f"bool or {kind}"
        if not self.choices or (kind and self.choices == (None,)):
            return f"{kind} or None" if self.choices else kind
        listed = [f'"{one}"' if isinstance(one, str) else repr(one) for one in self.choices]
        return f"{{{', '.join(listed)}}}" + (f" or {kind}" if kind else "")

    def _reaches(self, number: float) -> bool:
        low, high = self._bounds
        reached = number > low if self.above else number >= low
        return -inf < number < inf and reached and number <= high

    @property
    def _bounds(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.kind == "share" else (self.low, self.high)

    def _hint_for(self, value: object) -> str:
        """Return what to do about a value that it does not take."""
        if self.give:
            return self.give
        listed = ", ".join(map(repr, self.choices))
        if self.kind in ("", "bool", "function", "stemmer") and self.choices:
            more = {"function": ", or give a function", "stemmer": f", or {_SNOWBALL}"}
            return f"choose from {listed}{more.get(self.kind, '')}{_hint(value, self.choices)}"
        if self.kind == "bool":
            return "choose from True, False"
        return f"give {self._wanted()}" + (f", or {listed}" if self.choices else "")

    def _wanted(self) -> str:
        if self.kind not in ("share", "number", "whole"):
            return {"function": "a function"}.get(self.kind, f"a {_KINDS[self.kind][0]}")
        what = "a whole number" if self.kind == "whole" else "a number"
        low, high = self._bounds
        if isfinite(low) and isfinite(high):
            return f"{what} from {_plain_number(low)} to {_plain_number(high)}"
        if isfinite(low):
            return f"{what} above {low:g}" if self.above else f"{what} of at least {low:g}"
        return what


def option(*, default: Any, **more: Any) -> Any:
    """Declare an option as an attribute of a class, which gives the name: see `Option`.

    It is typed as Any, so that the attribute has the type of the values.
    """
    return Option("", default, **more)


def checked(options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the options in `given`, each checked; other names in it do not matter.

    >>> checked([Option("n", 3, kind="whole", low=1)], {"n": 2, "self": None})
    {'n': 2}
    """
    return {option.name: option.check(given[option.name]) for option in options}


def check_choice(option: str, value: object, choices: Sequence[Any]) -> None:
    """Raise unless `value` is one of `choices`.

    >>> check_choice("case", "lowr", ("keep", "lower"))
    Traceback (most recent call last):
    ValueError: case is 'lowr'; choose from 'keep', 'lower' (did you mean 'lower'?)
    """
    Option(option, None, tuple(choices)).check(value)


def check_number(option: str, value: object) -> float:
    """Return the finite number that `value` is."""
    return float(Option(option, None, kind="number", give="give a finite number").check(value))


def check_positive(option: str, value: object) -> float:
    """Return the finite number above 0 that `value` is."""
    return float(Option(option, None, kind="number", low=0, above=True).check(value))


def check_whole(option: str, value: object, least: int = 0, most: float = inf) -> int:
    """Return the whole number from `least` to `most` that `value` is."""
    give = f"give a whole number of at least {least}"
    return int(Option(option, None, kind="whole", low=least, high=most, give=give).check(value))


def check_word(option: str, word: object) -> None:
    """Raise unless `word` is a str that UTF-8 can hold."""
    if not isinstance(word, str):
        raise TypeError(f"{option} has {shown(word)} for a word; give a str")
    if any("\ud800" <= char <= "\udfff" for char in word):
        raise ValueError(f"{option} holds {shown(word)}, an unpaired surrogate; leave it out")


def check_inner_share(option: str, value: object, example: float) -> None:
    """Raise unless a share lies between 0 and 1, both excluded.

    >>> check_inner_share("confidence", 95, 0.95)
    Traceback (most recent call last):
    ValueError: confidence is 95; give a share between 0 and 1, such as 0.95
    """
    number = real(value)
    if number is None or not 0.0 < number < 1.0:
        raise ValueError(f"{option} is {value}; give a share between 0 and 1, such as {example}")


def check_workers(workers: int) -> int:
    """The number of threads that `workers` asks for: -1 is every processor of this process."""
    number = whole(workers)
    if number is None or number == 0 or number < -1:
        raise ValueError(f"workers is {workers!r}; give a number of threads, or -1 for all")
    if number > 0:
        return min(number, MOST_WORKERS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def whole(value: object) -> int | None:
    """Return the integer that `value` is; None where it is none, or a bool.

    >>> whole(3), whole(3.0), whole(True)
    (3, None, None)
    """
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def real(value: object) -> float | None:
    """Return the number that `value` is; None where it is none, or a bool.

    >>> real(3), real("3"), real(False), real(-(10**400))
    (3.0, None, None, -inf)
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number with more digits than a float holds
        return inf if abs(value) == value else -inf


def _listed(value: Any) -> Any:
    """Words that can be read again; what is no list of words is refused where it is used."""
    once = hasattr(value, "__iter__") and not isinstance(value, (str, bytes))
    return tuple(value) if once else value


def _text(value: Any) -> Any:
    return value if isinstance(value, str) and value else None


def _snowball(value: Any) -> Any:
    return value if str(value).startswith("snowball-") else None


_SNOWBALL = '"snowball-LANGUAGE"'
# How each kind is shown, and what makes a value of it, None of what is none.
_KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "": ("", lambda value: None),
    "bool": ("bool", lambda value: None),
    "share": ("float", real),
    "number": ("float", real),
    "whole": ("int", whole),
    "text": ("str", _text),
    "stemmer": (_SNOWBALL, _snowball),
    "words": ("iterable of str", _listed),
    "function": ("callable", lambda value: value if callable(value) else None),
    "path": ("path", lambda value: value),
    "any": ("object", lambda value: value),
    "object": ("object", lambda value: value),
}


def _is_among(value: object, choices: Sequence[Any]) -> bool:
    """Return whether a value is one of the choices; what has parts is compared by identity.

    So are True and False, which 1 and 0 equal.
    """
    if hasattr(value, "__iter__") and not isinstance(value, str):
        return any(value is choice for choice in choices)
    return any(
        value is choice or (value == choice and not isinstance(choice, bool)) for choice in choices
    )


def _plain_number(bound: float) -> str:
    """Return a bound as people write it.

    >>> _plain_number(0.5), _plain_number(1 << 30)
    ('0.5', '1,073,741,824')
    """
    return f"{int(bound):,}" if bound == int(bound) else f"{bound:g}"


def _hint(value: object, choices: Sequence[Any]) -> str:
    """Return the choices that a wrong value is most like, as the end of a message."""
    texts = {_plain(choice): choice for choice in choices if isinstance(choice, str)}
    near = nearest(_plain(value[:_MOST_COMPARED]), texts) if isinstance(value, str) else []
    return f" (did you mean {' or '.join(repr(texts[form]) for form in near)}?)" if near else ""


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """Return the message for a name that is not known, with the nearest ones that are."""
    names = list(known)
    plain = {candidate: _plain(candidate) for candidate in names}
    forms = list(dict.fromkeys(plain.values()))
    wanted = nearest(_plain(name[:_MOST_COMPARED]), forms) if isinstance(name, str) else []
    near = [found for form in wanted for found in names if plain[found] == form][:3]
    if near:
        return f"unknown {kind} {shown(name)}; did you mean {' or '.join(near)}?"
    return f"unknown {kind} {shown(name)}; known: {', '.join(names)}"


def no_text(item: object, place: str) -> str:
    """Return the message about an item at `place` where a text must be.

    >>> print(no_text(b"a", "candidates[0]"))
    candidates[0] is bytes, expected str or None; decode it, as in text.decode()
    """
    said = f"{place} is {type(item).__name__}, expected str or None"
    if isinstance(item, (bytes, bytearray)):
        return f"{said}; decode it, as in text.decode()"
    if isinstance(item, (list, tuple)) and place == "candidate":
        return f"{said}; for lists of texts call score_batch"
    is_nan = isinstance(item, float) and isnan(item)
    return f"{said}; pass None for a missing text" if is_nan else said


def shown(value: object) -> str:
    """Return the repr of a value of a file, which may be of any size, as it fits into a line.

    >>> shown("the cat"), shown("a" * 999)[-3:], len(shown(["a"] * 999))
    ("'the cat'", 'aa…', 80)
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits; lists in lists
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"


def nearest(name: str, forms: Iterable[str]) -> list[str]:
    """Return the forms that are most like the name; of those that are equally like it, the first.

    >>> nearest("rouge", ["rouge1", "rouge2", "rougeL", "be"])
    ['rouge1', 'rouge2', 'rougeL']
    """
    import difflib  # only for a message

    likeness = {form: difflib.SequenceMatcher(None, form, name).ratio() for form in forms}
    ranked = sorted(likeness, key=lambda form: -likeness[form])
    return [form for form in ranked if likeness[form] >= _LEAST_LIKE][:3]


def _plain(name: str) -> str:
    """Return the name without what people write differently: case, hyphens, underscores."""
    return "".join(char for char in name.lower() if char.isalnum() or char == "*")
