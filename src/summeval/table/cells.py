"""Cells of rows: the value under a path, a name, a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from math import isinf, isnan, nan
from operator import contains
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import unknown
from summeval.io.csv_table import is_number

Array: TypeAlias = NDArray[np.float64]
AnyRow: TypeAlias = Mapping[str, Any]


def find(row: AnyRow, column: str) -> tuple[bool, Any]:
    """Return whether a row has a column (a key, or a path into objects and lists), and its value.

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


@dataclass(frozen=True)
class Rows:
    """Rows, which are read by column: a key of the rows, or a path into objects and lists.

    >>> rows = Rows([{"system": "a", "scores": {"x": 1}}, {"system": 3.0, "scores": {"x": "2.5"}}])
    >>> rows.name("system"), rows.number("scores.x").tolist(), "scores.y" in rows
    (['a', '3'], [1.0, 2.5], False)
    """

    rows: Sequence[AnyRow]

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, column: str) -> bool:
        """Return whether a row has the column; quick for many rows."""
        if any(map(contains, self.rows, repeat(column))):
            return True
        return "." in column and any(find(row, column)[0] for row in self.rows)

    def values(self, column: str) -> list[Any]:
        """Return the cells of a column as they are; None where a row lacks it."""
        if "." in column:
            return [find(row, column)[1] for row in self.rows]
        return [row.get(column) for row in self.rows]

    def name(self, column: str) -> list[str]:
        """Return the names in a column; see `name_of`, which says what a row's name is.

        Raises
        ------
        ValueError
            A row has no name; the message begins with its number.
        """
        values = self.values(column)
        if set(map(type, values)) <= {str, int} and "" not in values:
            return list(map(str, values))
        return [name_of(row, column, f"row {number}") for number, row in enumerate(self.rows, 1)]

    def number(self, column: str) -> Array:
        """Return the numbers in a column, NaN where there is none; see `number_of`.

        Raises
        ------
        ValueError
            A cell holds no finite number; the message begins with the number of its row.
        """
        values = self.values(column)
        if set(map(type, values)) <= {float, int}:
            with suppress(OverflowError):
                numbers = np.array(values, dtype=np.float64)
                if not np.isinf(numbers).any():
                    return numbers
        return np.array([number_of(v, column, f"row {n}") for n, v in enumerate(values, 1)])


def name_of(row: AnyRow, column: str, place: str) -> str:
    """Return the name in a column; 3 and 3.0 are one name, since tables turn one into the other.

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
    return text_of(value)


def text_of(value: object) -> str:
    """Return a name as text; 3 and 3.0 are one name.

    >>> text_of(3.0), text_of("3.0")
    ('3', '3.0')
    """
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else value)  # type: ignore[call-overload]


def is_nan(value: object) -> bool:
    """Return whether it is the number NaN, with which some tables mark what is missing."""
    return isinstance(value, float) and isnan(value)


def number_of(value: Any, column: str, place: str) -> float:
    """Return the number in a cell: NaN if it is missing.

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
    number = None
    # Python reads 1_000 as a number, and so would hide a slip of the pen.
    spoilt = isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and "_" in value)
    with suppress(TypeError, ValueError, OverflowError):
        number = None if spoilt else float(value)
    if number is None or isinf(number):
        raise ValueError(
            f"{place}: {column!r} is {str(value)[:40]!r}, not a finite number{_hint(value)}"
        )
    return number


def _hint(value: Any) -> str:
    """Return how to write a value that is no number."""
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


def holds_numbers(values: Iterable[Any]) -> bool:
    """Return whether all values present are numbers, or CSV texts of numbers."""
    given = [one for one in values if one is not None and one != "" and not is_nan(one)]
    return bool(given) and all(
        isinstance(one, (int, float, str)) and not isinstance(one, bool) and is_number(str(one))
        for one in given
    )
