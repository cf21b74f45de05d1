"""The file of word vectors that the package brings, as `summeval.learn.vectors` reads it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from summeval.learn.vectors import HEADER, MAGIC, VERSION, after


def to_bytes(words: Sequence[str], zipf: Sequence[float], vectors: Any) -> bytes:
    """Return the content of the file: `vectors` are int8 [first words, dimensions]."""
    text = "".join(f"{word}\n" for word in words).encode()
    hundredths = np.array([round(100 * one) for one in zipf], dtype="<u2").tobytes()
    rows = np.ascontiguousarray(vectors, dtype=np.int8)
    body = bytearray(text)
    for part in (hundredths, rows.tobytes()):
        body += bytes(after(HEADER + len(body)) - HEADER - len(body)) + part
    numbers = (VERSION, 0, len(words), *rows.shape, len(text))
    told = np.array(numbers, dtype="<u4")
    told[1] = zlib.crc32(told[2:].tobytes() + body)
    return MAGIC + told.tobytes() + bytes(body)
