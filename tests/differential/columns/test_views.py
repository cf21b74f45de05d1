"""Views of texts end with their call: later text at the same address is read again.

A worker skips the reading of references that the row before had, which it knows by their views. In
the next call the same addresses may hold other texts, or nothing: run under AddressSanitizer
(`make sanitize`), the second test also fails where such memory is looked at.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import summeval

KERNELS = ["rouge1", "rougeLsum", "rougeSU4", "tesla-s", "npower", "simetrix"]
FIRST, SECOND = "the cat sat on a mat", "a dog ran far and so"
CANDIDATES = ["the cat ran far", "a dog sat on a mat", "the cat sat on a mat", SECOND]


def over(buffer: bytearray, rows: int) -> pa.Array:
    """A column whose rows are all the text that `buffer` holds, where it lies."""
    text = pa.py_buffer(buffer)
    views = pa.array([0] * (rows + 1), pa.int32()).buffers()[1]
    offsets = np.frombuffer(views, dtype=np.int32).copy()
    offsets[1:] = len(buffer)
    one = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(offsets[:2]), text])
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), one)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", KERNELS)
def test_other_texts_at_the_same_addresses_are_read_anew(name: str, workers: int) -> None:
    suite = summeval.suite([name])  # which keeps its kernel, and that what its workers read

    def scores(column: object) -> bytes:
        table = suite.score_batch(CANDIDATES, column, sources=column, workers=workers)
        return b"".join(table[column].tobytes() for column in table.columns)

    wanted = {text: scores([text] * len(CANDIDATES)) for text in (FIRST, SECOND)}
    assert wanted[FIRST] != wanted[SECOND]
    assert len(FIRST) == len(SECOND)
    buffer = bytearray(FIRST.encode())
    column = over(buffer, len(CANDIDATES))
    for text in (FIRST, SECOND, SECOND, FIRST):
        buffer[:] = text.encode()
        assert scores(column) == wanted[text]


@pytest.mark.parametrize("name", KERNELS)
def test_texts_of_a_call_before_are_not_looked_at(name: str) -> None:
    suite, other = summeval.suite([name]), summeval.metric(name)
    for seed in range(20):
        # of one size, and long enough for memory of their own that is given back
        text = " ".join(f"w{(seed * 31 + i) % 97:03}" for i in range(2000))
        column = [text] * 3
        table = suite.score_batch(["w001 w002"] * 3, column, sources=column)
        alone = other.score("w001 w002", text, source=text)
        assert table[name].tolist() == [alone.value] * 3
        del text, column
