"""The meaning of columns of scores: the signatures of metrics and the directions of scores.

Arrow and Parquet files have them in their metadata. Files of JSON Lines, CSV and TSV have a JSON
file beside them, `NAME.signatures`, which also holds the size of the file that it describes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from summeval._files import create_anew
from summeval.io import DataError, naming

LOWER_IS_BETTER = "lower is better: "  # starts the summary line that names these columns
BESIDE = ".signatures"

KEY = b"higher_is_better"
_WORDS = {True: b"true", False: b"false"}


def score_fields(directions: Mapping[str, bool | None]) -> list[Any]:
    """Return the Arrow fields of score columns (float64), which store their direction if any.

    >>> import pyarrow
    >>> (field,) = score_fields({"simetrix.smoothedJSD": False})
    >>> field.metadata
    {b'higher_is_better': b'false'}
    """
    import pyarrow as pa

    return [
        pa.field(name, pa.float64(), metadata=None if up is None else {KEY: _WORDS[up]})
        for name, up in directions.items()
    ]


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


def stored_directions(schema: Any) -> dict[str, bool]:
    """Return the directions stored in an Arrow schema, by column.

    >>> import pyarrow
    >>> stored_directions(pyarrow.schema([("id", pyarrow.int64()), *score_fields({"a.b": True})]))
    {'a.b': True}
    """
    found = {}
    for field in schema:
        word = (field.metadata or {}).get(KEY)
        if word in _WORDS.values():
            found[field.name] = word == _WORDS[True]
    return found


class Stored(NamedTuple):
    """The signatures by metric and the directions by column, of which a file tells."""

    signatures: dict[str, str]
    directions: dict[str, bool]
    size: int | None = None
    """The size of the file of scores, if it stands beside one."""

    def to_dict(self) -> dict[str, Any]:
        """Return what `read` reads, for JSON."""
        size = {} if self.size is None else {"size": self.size}
        return {**size, "higher_is_better": self.directions, "signatures": self.signatures}

    @staticmethod
    def parse(text: str) -> Stored | None:
        """Return what JSON of `to_dict` tells; None for another text.

        >>> Stored.parse('{"higher_is_better": {"a.c": false}, "signatures": {"a": "a|v:1"}}')
        Stored(signatures={'a': 'a|v:1'}, directions={'a.c': False}, size=None)
        """
        try:
            found = json.loads(text)
            stored = Stored(
                dict(found["signatures"]), dict(found["higher_is_better"]), found.get("size")
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None
        names = [*stored.signatures.values(), *stored.directions]
        fits = all(isinstance(name, str) for name in names)
        return stored if fits and {*stored.directions.values()} <= {True, False} else None


def write_beside(path: str, signatures: Mapping[str, str], directions: Mapping[str, bool]) -> None:
    """Write the file beside a file of scores."""
    beside = path + BESIDE
    # What is cut off reads as damaged. If it exists again, another run writes the same output.
    with naming(beside), suppress(FileExistsError):
        status = os.stat(path)
        stored = Stored(dict(signatures), dict(directions), status.st_size).to_dict()
        text = json.dumps(stored, indent=1, ensure_ascii=False) + "\n"
        with create_anew(beside, status.st_mode & 0o666) as file:
            file.write(text.encode())


def read_beside(path: str) -> tuple[Stored, list[str]]:
    """Return what the file beside a file of scores tells, and a note if it is left out.

    It tells nothing if it is damaged, or if the scores have another size since it was written.
    """
    beside = path + BESIDE
    if not (os.path.isfile(beside) and os.path.isfile(path)):
        return Stored({}, {}), []
    found = Stored.parse(read_text(beside))
    if found is None:
        return Stored({}, {}), [f"{beside} is left out: it is damaged"]
    if found.size not in (None, os.path.getsize(path)):
        left = f"{beside} is left out: {path} was changed since it was scored"
        return Stored({}, {}), [f"{left} (pass --signatures {beside} if it still fits)"]
    return found, []


def read_text(path: str) -> str:
    """Return the text of a file in UTF-8; `DataError` if it cannot be read."""
    try:
        with naming(path), open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError as error:
        raise DataError(path, f"not UTF-8 ({error.reason})", "convert it") from None
