"""Readers and writers on random input."""

import csv
import io
import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summeval.io import DataError
from summeval.io.formats import encoder, read_chunks
from summeval.io.rows import Chunk
from summeval.io.source import InputFile

SIZES = st.integers(1, 300)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
"""The csv module takes no NUL before Python 3.11."""
FINITE = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FINITE | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
NAMES = TEXT | st.sampled_from(["id", "r.f"])
ROWS = st.lists(st.dictionaries(NAMES, JSON, max_size=4), max_size=8)
SCORES = st.floats(allow_infinity=False) | st.sampled_from([0.0, -0.0, 0.5, 1 / 3])


def chunks_of(data: bytes, form: str, **options) -> list[Chunk]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows"
        path.write_bytes(data)
        with InputFile(str(path)) as file:
            return list(read_chunks(file, form, **options))


def rows_of(chunks: list[Chunk]) -> list[tuple]:
    return [
        (row, candidate, references, chunk.errors.get(index))
        for chunk in chunks
        for index, (row, candidate, references) in enumerate(
            zip(chunk.rows, chunk.candidates, chunk.references, strict=True)
        )
    ]


PIECES = st.sampled_from(
    [b'{"candidate": "a", "references": ["b"]}', b"\n", b"\r\n", b'"', b",", b"\xff", b"\\ud800",
     b'{"id": 1, ', b"}", b"[", b"candidate,references\n", b"a,b\n", b"\x1f\x8b", b"\0",
     b"\xef\xbb\xbf"]
)  # fmt: skip
FILES = st.lists(PIECES | st.binary(max_size=6), max_size=14).map(b"".join)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
@given(data=FILES, size=SIZES)
@example(data=b"\x1f\x8b", size=1)
@example(data=b"", size=1)
def test_any_bytes_are_rows_or_a_data_error(form, data, size):
    try:
        chunks = chunks_of(data, form, chunk_bytes=size)
    except DataError as error:
        assert str(error).isprintable()
        return
    for _, candidate, references, error in rows_of(chunks):
        assert candidate is None or isinstance(candidate, str)
        assert references is None or all(isinstance(text, str) for text in references)
        assert error is None


@pytest.mark.parametrize("form", ["jsonl", "csv"])
@given(data=FILES, size=SIZES)
def test_skipping_reads_the_same_rows_whatever_the_chunk(form, data, size):
    data = b"candidate,references\n" + data if form == "csv" else data
    try:
        whole = rows_of(chunks_of(data, form, on_error="skip"))
    except DataError:
        return
    assert rows_of(chunks_of(data, form, on_error="skip", chunk_bytes=size)) == whole


@given(texts=st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=3)), min_size=1), size=SIZES)
def test_json_lines_read_back_as_written(texts, size):
    lines = [json.dumps({"candidate": text, "references": refs}) for text, refs in texts]
    chunks = chunks_of("\n".join(lines).encode(), "jsonl", chunk_bytes=size)
    assert [(row[1], row[2]) for row in rows_of(chunks)] == texts


@given(texts=st.lists(st.tuples(CELL, st.lists(TEXT, max_size=3)), min_size=1), size=SIZES)
def test_csv_reads_back_as_written(texts, size):
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(["candidate", "references"])
    table.writerows((text, json.dumps(references)) for text, references in texts)
    chunks = chunks_of(file.getvalue().encode(), "csv", chunk_bytes=size)
    assert [(row[1], row[2]) for row in rows_of(chunks)] == texts


@given(rows=ROWS, data=st.data())
def test_written_json_lines_hold_the_row_and_the_scores(rows, data):
    scores = data.draw(st.lists(SCORES, min_size=len(rows), max_size=len(rows)))
    chunk = Chunk(rows, [""] * len(rows), [[]] * len(rows), [None] * len(rows))
    written = encoder("jsonl", ["r.f"]).encode(chunk, [np.array(scores, float)]).decode()
    lines = written.split("\n")
    assert lines.pop() == ""
    expected = [
        {**{k: v for k, v in row.items() if k != "r.f"}, "r.f": None if math.isnan(x) else x}
        for row, x in zip(rows, scores, strict=True)
    ]
    read = [json.loads(line) for line in lines]
    assert read == expected
    assert all(str(row["r.f"]) != "-0.0" for row in read)


@given(rows=st.lists(st.fixed_dictionaries({"id": CELL, "a,b": CELL}), min_size=1), x=SCORES)
def test_written_csv_holds_the_row_and_the_scores(rows, x):
    chunk = Chunk(rows, [""] * len(rows), [[]] * len(rows), [None] * len(rows))
    written = encoder("csv", ["r.f"]).encode(chunk, [np.full(len(rows), x)]).decode()
    read = list(csv.DictReader(io.StringIO(written, newline="")))
    expected = [{**row, "r.f": "" if math.isnan(x) else repr(x + 0.0)} for row in rows]
    assert read == expected
