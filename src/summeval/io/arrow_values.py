"""Arrow values as JSON values, for the columns that are carried into JSON Lines and CSV."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from summeval.io.errors import DataError


def json_values(column: Any, name: str) -> list[Any]:
    """The values of a column: dates and times in ISO 8601, decimals as their digits.

    Raises `DataError`, naming the column, for binary values and others that JSON cannot hold.

    >>> import pyarrow as pa
    >>> json_values(pa.array([datetime.date(2004, 7, 25), None]), "day")
    ['2004-07-25', None]
    """
    try:
        values: list[Any] = column.to_pylist()
    except (UnicodeDecodeError, ValueError) as error:
        problem = f"the column {name!r} cannot be read ({error})"
        raise DataError("the input", problem, "write .parquet or .arrow, or drop it") from None
    if all(type(value) in _PLAIN for value in values):
        return values
    return [_json(value, name) for value in values]


_PLAIN = {str, int, float, bool, type(None)}


def _json(value: Any, name: str) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, dict):
        return {key: _json(item, name) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json(item, name) for item in value]
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (datetime.timedelta, Decimal, UUID)):
        return str(value)
    if hasattr(value, "item"):  # a NumPy number
        return value.item()
    raise DataError(
        "the input",
        f"the column {name!r} holds {type(value).__name__}, which JSON and CSV cannot",
        "write .parquet or .arrow, or drop it",
    )
