"""Arrow values as JSON values, for columns carried into JSON Lines and CSV."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from summeval.io.errors import DataError


def json_values(column: Any, name: str) -> list[Any]:
    """Return the values of a column: dates and times in ISO 8601, decimals as digits.

    Raises `DataError`, naming the column, for binary and other values that JSON cannot represent.

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


def join_lists(columns: Sequence[Any]) -> Any:
    """Merge several columns of texts or lists of texts into one list per row.

    Nulls are left out; a row without any text is null.

    >>> import pyarrow as pa
    >>> columns = [pa.array(["a", None, None]), pa.array([["b", "c"], [], None])]
    >>> join_lists(columns).to_pylist()
    [['a', 'b', 'c'], None, None]
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    owners, texts = [], []
    for column in columns:
        values = _plain_values(column)
        rows = pa.array(np.arange(len(column)))
        if pa.types.is_nested(values.type):
            rows, values = pc.list_parent_indices(values), _plain_values(pc.list_flatten(values))
        # Cast first: pyarrow cannot filter views.
        values = values.cast(pa.large_string())
        there = values.is_valid()
        owners.append(rows.filter(there).to_numpy(zero_copy_only=False))
        texts.append(values.filter(there))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    counts = np.bincount(owner, minlength=len(columns[0]))
    offsets = pa.array(np.concatenate(([0], np.cumsum(counts))), pa.int64())
    joined = pa.concat_arrays(texts).take(pa.array(order))
    return pa.LargeListArray.from_arrays(offsets, joined, mask=pa.array(counts == 0))


def numbers(values: Any) -> Any:
    """Return a float64 array as an Arrow array, with null for NaN, which means no score.

    It is what `pyarrow.array(values, from_pandas=True)` gives; but that imports pandas, which takes
    longer than scoring a hundred thousand rows.

    >>> import numpy
    >>> numbers(numpy.array([0.5, float("nan")])).to_pylist()
    [0.5, None]
    """
    import numpy as np
    import pyarrow as pa

    values = np.ascontiguousarray(values, dtype=np.float64)
    there = ~np.isnan(values)
    known = None
    if not there.all():
        known = pa.py_buffer(np.packbits(there, bitorder="little"))
    return pa.Array.from_buffers(pa.float64(), len(values), [known, pa.py_buffer(values)])


def count_empty(column: Any) -> int:
    """Return the number of empty texts in a column.

    >>> import pyarrow as pa
    >>> count_empty(pa.array(["", None, "a", ""], pa.string_view()))
    2
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = _plain_values(column)
    if "view" in str(texts.type):  # pyarrow cannot compute lengths of views
        is_text = texts.type == pa.string_view()
        texts = texts.cast(pa.large_string() if is_text else pa.large_binary())
    if pa.types.is_null(texts.type):
        return 0
    # A comparison with a Python number would import pandas, as `numbers` says.
    return int(pc.binary_length(texts).cast(pa.bool_()).false_count)


def _plain_values(column: Any) -> Any:
    """Decode a dictionary-encoded column; return others unchanged."""
    import pyarrow as pa

    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


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
