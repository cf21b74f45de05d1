"""Whether a higher number is better, as files and tables of scores say it of their columns.

The Arrow field of a column of scores has it in its metadata, and so does a Parquet file; what comes
without (JSON Lines, CSV) tells by the names of its columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

KEY = b"higher_is_better"
_WORDS = {True: b"true", False: b"false"}
_NONE: Mapping[str, bool] = MappingProxyType({})


def score_fields(directions: Mapping[str, bool]) -> list[Any]:
    """The Arrow fields of columns of scores, float64, that say their direction.

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
    """The directions that an Arrow schema states, by column.

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


def directions_of(columns: Iterable[str], known: Mapping[str, bool] = _NONE) -> dict[str, bool]:
    """For each column of scores whether a higher number is better.

    Parameters
    ----------
    columns : iterable of str
    known : mapping of str to bool
        What the file states, which goes before what the names of columns tell.

    Returns
    -------
    dict of str to bool
        Without the columns of which nothing is known.

    Examples
    --------
    >>> directions_of(["rouge1.recall", "mine", "words", "simetrix.smoothedJSD"], {"mine": False})
    {'rouge1.recall': True, 'mine': False, 'simetrix.smoothedJSD': False}
    """
    from summeval.metrics.registry import direction_of

    found = {column: known.get(column, direction_of(column)) for column in columns}
    return {column: rising for column, rising in found.items() if rising is not None}
