"""What a cell of a row holds: the value under a path, a name, a number."""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf, isnan, nan
from typing import Any

import numpy as np

from summeval._options import unknown


def find(row: Mapping[str, Any], column: str) -> tuple[bool, Any]:
    """Whether a row has a column (a key, or a path into objects and lists), and its value.

    >>> find({"scores": {"overall": 3}}, "scores.overall")
    (True, 3)
    >>> find({"judges": [{"overall": 3}, {"overall": 5}]}, "judges.1.overall")
    (True, 5)
    """
    if column in row:
        return True, row[column]
    first, dot, rest = column.partition(".")
    inner = row.get(first)
    if dot and isinstance(inner, list):
        number, dot, after = rest.partition(".")
        if not (number.isdecimal() and int(number) < len(inner)):
            return False, None
        if not dot:
            return True, inner[int(number)]
        inner, rest = inner[int(number)], after
    if not dot or not isinstance(inner, Mapping):
        return False, None
    return find(inner, rest)


def name_of(row: Mapping[str, Any], column: str, place: str) -> str:
    """The name in a column, as text; 3 and 3.0 are one name, since tables turn one into the other.

    Raises
    ------
    ValueError
        The row has no such column, or no name in it.

    >>> name_of({"system": 3.0}, "system", "row 1")
    '3'
    """
    present, value = find(row, column)
    if not present:
        raise ValueError(f"{place}: {unknown('column', column, row)}")
    if value is None or value == "" or isinstance(value, (dict, list)) or is_nan(value):
        raise ValueError(f"{place}: {column!r} is {value!r}; write a name")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def is_nan(value: object) -> bool:
    """Whether it is the number NaN, with which some tables mark what is missing."""
    return isinstance(value, float) and isnan(value)


def number_of(value: Any, column: str, place: str) -> float:
    """The number in a cell of a table: NaN if it is missing.

    Raises
    ------
    ValueError
        It is a bool, infinite, or no number such as 4.5.

    >>> number_of("4.5", "x", "row 1"), number_of("", "x", "row 1")
    (4.5, nan)
    >>> number_of("4,5", "x", "row 1")
    Traceback (most recent call last):
    ValueError: row 1: 'x' is '4,5', not a finite number; write it with a point, as 4.5
    """
    if value is None or value == "":
        return nan
    text = isinstance(value, str)
    try:
        # Python reads 1_000 as a number, and so would hide a slip of the pen.
        spoilt = isinstance(value, (bool, np.bool_)) or (text and "_" in value)
        number = None if spoilt else float(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or isinf(number):
        raise ValueError(
            f"{place}: {column!r} is {str(value)[:40]!r}, not a finite number{_hint(value)}"
        )
    return number


def _hint(value: Any) -> str:
    """How to write a value that is no number."""
    if isinstance(value, (bool, np.bool_)):
        return f"; write {int(value)}"
    if not isinstance(value, str):
        return ""
    plain = value.strip()
    if plain.count(",") == 1 and plain.replace(",", "", 1).lstrip("+-").isdecimal():
        return f"; write it with a point, as {plain.replace(',', '.')}"
    first, slash, second = plain.partition("/")
    if slash and first.strip().isdecimal() and second.strip().isdecimal():
        return f"; write {first.strip()}"
    return ""
