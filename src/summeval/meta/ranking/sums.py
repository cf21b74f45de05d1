"""Exact sums of resampled scores: the scores as whole numbers, so that no sum is rounded.

A metric's scores become whole multiples of a small unit, so small that they keep 30 to 50 bits and
so large that no sum of all rows exceeds 2**53. float64 then holds each partial sum exactly: the
result depends neither on the order of the additions nor on the threads of the matrix product.
"""

from __future__ import annotations

from itertools import pairwise
from math import ldexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from summeval.meta.tables.arrays import Table

_MOST_NUMBERS = 1 << 20  # drawn at a time: they stay in the cache
_TILE = 1 << 13  # rows that are looked at at a time; a power of two from 64
_BITS = 52  # of a sum; one bit of float64's 53 is left for the difference of two sums


class Fixed(NamedTuple):
    """Scores as whole numbers of a unit above the lowest score.

    Attributes
    ----------
    units : array [system, topic]
        Whole numbers; 0 where there is no score.
    present : array [system, topic] of bool
    low, unit : float
        A score is ``low + units * unit``, up to rounding.
    slack : float
        In units. Sums of differences of n rows that are at most n times this apart count as equal:
        rounding, of the scores and to units, can part them so far.
    """

    units: Table
    present: NDArray[np.bool_]
    low: float
    unit: float
    slack: float


def fixed(table: Table) -> Fixed:
    """Round the scores of a table [system, topic] to whole numbers of a unit.

    >>> found = fixed(np.array([[0.5, 1.0], [0.25, np.nan]]))
    >>> (found.low + found.units * found.unit).tolist(), found.slack
    ([[0.5, 1.0], [0.25, 0.25]], 6.0)
    """
    present = ~np.isnan(table)
    if not present.any():
        return Fixed(np.zeros(table.shape), present, 0.0, 1.0, 0.0)
    scores = table[present]
    largest = float(np.abs(scores).max())
    # Of half of the scores, so that the difference of the largest numbers is finite.
    low = scores.min()
    reach = float((scores / 2 - low / 2).max())
    bits = _BITS - max(1, int(np.frexp(table.shape[1])[1]))
    if reach == 0.0:
        return Fixed(np.zeros(table.shape), present, float(low), 1.0, 0.0)
    exponent = int(np.frexp(reach)[1]) + 1 - bits
    units = np.zeros(table.shape)
    units[present] = np.rint(np.ldexp(scores / 2 - low / 2, 1 - exponent))
    unit = ldexp(1.0, exponent)
    # In each row a unit for the data and one for the resample; and the rounding of the scores
    # themselves (a few operations each), which counts where they are large and close together.
    slack = 2.0 + ldexp(largest / unit, -48)
    return Fixed(units, present, float(low), unit, slack)


def swapped_sums(columns: Table, resamples: int, seed: int) -> Table:
    """For each draw of signs [draw, column]: the sum of each column [row, column] with these signs.

    The difference of two systems' columns is the difference of their sums after random swaps of
    the two in the rows; the same signs serve all pairs. A draw does not depend on their number.

    >>> swapped_sums(np.array([[1.0, 10.0], [2.0, 20.0]]), 3, 0).tolist()
    [[-1.0, -10.0], [-1.0, -10.0], [1.0, 10.0]]
    """
    rows = len(columns)
    bits = streams(seed)[0].bit_generator
    words = -(-rows // 64)
    found = np.zeros((resamples, columns.shape[1]))
    step = max(1, _MOST_NUMBERS // min(rows, _TILE))
    for start in range(0, resamples, step):
        block = found[start : start + step]
        drawn = bits.random_raw((len(block), words)).astype("<u8").view(np.uint8)
        for first in range(0, rows, _TILE):
            tile = columns[first : first + _TILE]
            swapped = np.unpackbits(
                drawn[:, first // 8 :], axis=1, count=len(tile), bitorder="little"
            )
            block += swapped.astype(np.float64) @ tile
    found *= -2.0
    found += columns.sum(axis=0)
    return found


def drawn_sums(columns: Table, resamples: int, seed: int) -> Table:
    """For each draw of rows with replacement [draw, column]: the sum of each column [row, column].

    >>> drawn_sums(np.array([[1.0, 10.0], [2.0, 20.0]]), 3, 0).tolist()
    [[3.0, 30.0], [4.0, 40.0], [3.0, 30.0]]
    """
    rows, (_, stream) = len(columns), streams(seed)
    found = np.zeros((resamples, columns.shape[1]))
    sizes = np.array([len(columns[first : first + _TILE]) for first in range(0, rows, _TILE)])
    step = max(1, _MOST_NUMBERS // min(rows, _TILE))
    for start in range(0, resamples, step):
        block = found[start : start + step]
        # How many of the rows drawn lie in each tile; then which. So the counts stay in the cache.
        drawn = stream.multinomial(rows, sizes / rows, len(block))
        for tile, size in enumerate(sizes.tolist()):
            ends = np.cumsum(drawn[:, tile]).tolist()
            places = _places(stream, size, ends[-1])
            counts = np.empty((len(block), size))
            for row, (first, last) in enumerate(pairwise([0, *ends])):
                counts[row] = np.bincount(places[first:last], minlength=size)
            block += counts @ columns[tile * _TILE : tile * _TILE + size]
    return found


def _places(stream: np.random.Generator, size: int, count: int) -> NDArray[np.uint16]:
    """So many random places of a tile, which are sixteen bits of a whole tile's."""
    if size < _TILE:
        return stream.integers(size, size=count, dtype=np.uint16)
    words = stream.bit_generator.random_raw(count // 4 + 1).astype("<u8")
    return words.view("<u2")[:count] & np.uint16(_TILE - 1)


def streams(seed: int) -> list[np.random.Generator]:
    """The random numbers of swaps and of rows."""
    return [np.random.default_rng(one) for one in np.random.SeedSequence(seed).spawn(2)]


def enumerated_sums(differences: Table) -> Table:
    """The sums of differences [row] under each choice of signs, up to the sign of the first.

    A sum and its opposite are equally extreme, so half of the ``2**rows`` choices are enough.

    >>> enumerated_sums(np.array([1.0, 2.0, 4.0])).tolist()
    [7.0, -1.0, 3.0, -5.0]
    """
    sums = differences[:1]
    for value in differences[:0:-1]:
        sums = np.concatenate([sums + value, sums - value])
    return sums
