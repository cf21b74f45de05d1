"""Vectors as whole numbers, as the kernel of likeness takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import int16
    from numpy.typing import NDArray

LENGTH = 32767  # of a vector: no sum of products then leaves 32 bits


def whole(vectors: Any, name: str, first: int = 0) -> NDArray[int16]:
    """Vectors [vector, dimension] of one length as whole numbers; those of length 0 stay 0.

    A message counts rows from `first`.
    """
    import numpy as np

    found = np.asarray(vectors, dtype=np.float64)
    if not np.isfinite(found).all():
        row = first + int(np.argwhere(~np.isfinite(found))[0][0])
        raise ValueError(f"{name}: row {row} has a number that is not finite; leave it out")
    largest = np.abs(found).max(axis=1, keepdims=True, initial=0.0)
    scaled = found / np.where(largest > 0, largest, 1)  # so that no square overflows
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    return np.rint(scaled * (LENGTH / np.where(lengths > 0, lengths, 1))).astype(np.int16)
