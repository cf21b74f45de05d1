"""The direction of scores, stored in the metadata of Arrow and Parquet columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEY = b"higher_is_better"
_WORDS = {True: b"true", False: b"false"}


def score_fields(directions: Mapping[str, bool]) -> list[Any]:
    """The Arrow fields of score columns (float64), which store their direction.

    >>> import pyarrow
    >>> (field,) = score_fields({"simetrix.smoothedJSD": False})
    >>> field.metadata
    {b'higher_is_better': b'false'}
    """
    import pyarrow as pa

    return [
        pa.field(name, pa.float64(), metadata={KEY: _WORDS[rising]})
        for name, rising in directions.items()
    ]


def stated(schema: Any) -> dict[str, bool]:
    """The directions stored in an Arrow schema, by column.

    >>> import pyarrow
    >>> stated(pyarrow.schema([("id", pyarrow.int64()), *score_fields({"a.b": True})]))
    {'a.b': True}
    """
    found = {}
    for field in schema:
        told = (field.metadata or {}).get(KEY)
        if told in _WORDS.values():
            found[field.name] = told == _WORDS[True]
    return found
