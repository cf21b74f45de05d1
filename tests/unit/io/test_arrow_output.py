"""Rows of JSON Lines as a table: which types its columns get, whenever it is written."""

import io
import json

import numpy as np
import pytest

from summeval.io.arrow_output import TableWriter, _inferred, _type_of, _type_of_values
from summeval.io.jsonl import chunk_of
from summeval.io.rows import Chunk, Columns, Position, RowTaker

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

LATER = [
    [{"id": 3, "x": 1.5, "s": "ü\n😀", "b": True, "n": None}],
    [{"id": 3, "x": 2}, {"s": None}, {}],
    [{"x": 2**53 + 1}],
    [{"x": 1e300}, {"x": -(10.0**16)}],
    [{"x": 0.5}, {"x": 10**30}],
    [{"x": 10**400}],
    [{"x": "a"}],
    [{"id": 3.0}],
    [{"id": 2**63}],
    [{"id": "3"}],
    [{"id": True}],
    [{"s": 3}, {"s": "3"}],
    [{"s": ["a"]}],
    [{"b": 1}],
    [{"n": "a"}],
    [{"new": 1}],
    [{"score": 3}],
]


def chunk(rows: list[dict]) -> Chunk:
    block = "".join(json.dumps({"candidate": "a", "references": "a"} | row) + "\n" for row in rows)
    taker = RowTaker("rows.jsonl", Columns(), False, "raise")
    return chunk_of(block.encode(), taker, Position())


def written(before: list[Chunk], after: list[Chunk]) -> bytes:
    """The file of a run that resumes behind the chunks `before`."""
    spool, target = io.BytesIO(), io.BytesIO()
    for chunks, file in ((before, io.BytesIO()), (after, target)):
        writer = TableWriter("parquet", {"score": True}, {})
        writer.begin("out", spool, file)
        spool.seek(0, io.SEEK_END)
        for some in chunks:
            spool.write(writer.encode(some, [np.ones(len(some))]))
    writer.finish()
    return target.getvalue()


@pytest.mark.parametrize("later", LATER, ids=str)
def test_the_bytes_depend_on_no_way_and_no_interruption(later, monkeypatch):
    first = [{"id": 1, "x": 0.5, "s": "a", "b": False, "n": None}, {"id": 2, "x": None}]
    chunks = [chunk(first), chunk(later), chunk(first)]
    found = written([], chunks)
    assert pq.read_table(io.BytesIO(found)).num_rows == len(first) * 2 + len(later)
    assert found == written(chunks[:1], chunks[1:]) == written(chunks, [])
    monkeypatch.setattr(TableWriter, "_parsed", lambda *_: None)  # by the json module
    assert found == written([], chunks)
    at_the_end = lambda writer, *_: setattr(writer, "_late", True)  # noqa: E731
    monkeypatch.setattr(TableWriter, "_grow", at_the_end)
    assert found == written([], chunks)


VALUES = [None, "a", 1, -(2**63), 2**63 - 1, 2**63, 0.5, True, ["a"], {"a": 1}, {}]


def test_types_are_those_that_arrow_sees():
    for one in VALUES:
        for values in ([], [one], *([one, other, one] for other in VALUES)):
            assert _type_of_values(values) == _type_of(_inferred(values)), values
