"""The carried columns of JSON Lines and CSV rows as Arrow columns, for outputs in columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from summeval.io.jsonl import LineChunk
from summeval.io.rows import Chunk, encode_json

ERROR = "error"


class NewTypes(Exception):
    """A chunk has a column, or a type, that the first chunk does not show."""


class RowColumns:
    """The carried columns of rows as Arrow columns, each with a type that fits all of its values.

    A column with values of several types becomes a text column: strings are kept, others encoded as
    JSON. The types are those of the first chunk, until `read_types` has read all rows.

    Parameters
    ----------
    read
        Reads all rows from the start.
    errors
        Whether to add a column for the errors of rows.
    """

    def __init__(self, read: Callable[[], Iterator[Any]], errors: bool) -> None:
        self._read = read
        self._errors = errors
        self._knows_all = False
        some: Iterator[Any] = read()
        self._types_of(islice(some, 1))
        if not self.schema.names:  # the number of rows is needed then
            self.read_types()

    def read_types(self) -> None:
        """Read all rows for their number and the types."""
        self._types_of(self._read())
        self._knows_all = True

    def _types_of(self, chunks: Iterable[Any]) -> None:
        import pyarrow as pa

        self.size = 0
        kinds: dict[str, Any] = {}
        for chunk in chunks:
            self.size += len(chunk)
            if not len(chunk):
                kinds |= dict.fromkeys(chunk.columns, pa.string())
            for name, values in self._lists(chunk, None).items():
                kinds[name] = _wider(kinds.get(name, pa.null()), _type_of(values))
        if self._errors:
            kinds[ERROR] = pa.string()
        self.schema = pa.schema(kinds)

    def batches(self, names: Sequence[str], start: int = 0, chunk_bytes: int = 0) -> Iterator[Any]:
        """Record batches with these columns, as `TableInput.batches` gives them, from row 0.

        Raises `NewTypes` if rows do not fit the types of the first chunk: call `read_types`.
        """
        import pyarrow as pa

        fields = [self.schema.field(name) for name in names]
        known = set(self.schema.names)
        for chunk in self._read():
            if not self._knows_all and not known.issuperset(chain.from_iterable(chunk.rows)):
                raise NewTypes
            lists = self._lists(chunk, names)
            arrays = [self._column(lists[field.name], field.type) for field in fields]
            yield pa.record_batch(arrays, schema=pa.schema(fields))

    def _column(self, values: list[Any], kind: Any) -> Any:
        if self._knows_all:
            return _array(values, kind)
        found = _inferred(values)
        mine = _kind(found)
        if found is not None and mine == kind:
            return found
        if _wider(kind, mine) != kind:
            raise NewTypes
        return _array(values, kind)

    def _lists(self, chunk: Chunk | LineChunk, names: Sequence[str] | None) -> dict[str, list[Any]]:
        """The values of each column; if `names` is None, of all columns in the chunk."""
        found = dict.fromkeys(chain.from_iterable(chunk.rows))
        lists = {
            name: [row.get(name) for row in chunk.rows]
            for name in (found if names is None else names)
        }
        if self._errors and ERROR in lists:
            known = lists[ERROR]
            lists[ERROR] = [chunk.errors.get(i, value) for i, value in enumerate(known)]
        return lists


def _type_of(values: list[Any]) -> Any:
    return _kind(_inferred(values))


def _inferred(values: list[Any]) -> Any:
    """The values as an array of the type that Arrow sees in them; None if it sees none."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, OverflowError):
        return None


def _kind(array: Any) -> Any:
    import pyarrow as pa

    return pa.string() if array is None else array.type


def _wider(one: Any, other: Any) -> Any:
    """A common type for the values of both."""
    import pyarrow as pa

    if one == other or pa.types.is_null(other):
        return one
    if pa.types.is_null(one):
        return other
    return pa.float64() if {one, other} == {pa.int64(), pa.float64()} else pa.string()


def _array(values: list[Any], kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_string(kind):
        values = [v if v is None or isinstance(v, str) else encode_json(v) for v in values]
    elif pa.types.is_floating(kind):
        values = [v if v is None else float(v) for v in values]
    return pa.array(values, kind)
