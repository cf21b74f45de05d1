"""Draws of systems and topics in blocks, so that memory does not grow with their number.

The numbers come from NumPy's PCG64; systems and topics use separate streams spawned from the seed.
A draw depends only on the seed and its index, not on the block size.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import ldexp, nan
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice
from summeval.meta import arrays
from summeval.meta.arrays import Coefficient, Level, Over
from summeval.table.cells import Array

Counts: TypeAlias = NDArray[np.int64]
Swaps: TypeAlias = NDArray[np.uint8]

BLOCK = 1024  # draws held at a time; fewer for large tables
MOST_NUMBERS = 1 << 20  # in a block
OVERS: tuple[Over, ...] = ("topics", "systems", "both", "inputs")


class Design(NamedTuple):
    """What is correlated, and how draws resample or swap it; `over` is None for the usual."""

    coefficient: Coefficient
    level: Level
    over: Over | None
    resamples: int
    seed: Any  # an int; before the check also None
    confidence: float = 0.95

    def checked(self) -> Design:
        """Return the design; raise `ValueError` if an option of it is invalid."""
        arrays.check_measure(self.coefficient, self.level)
        arrays.check_confidence(self.confidence)
        arrays.check_resamples(self.resamples)
        return self._replace(seed=check_seed(self.seed))


def check_over(over: Over) -> Over:
    """Return what is resampled; "inputs" is a synonym of "topics"."""
    check_choice("over", over, OVERS)
    return "topics" if over == "inputs" else over


def swapped_over(over: Over | None, level: Level) -> Over:
    """Return what a permutation test swaps: the given value, or the default of the level.

    A metric's errors mostly stay with a system, so the means of systems are swapped with them. At
    the global level a cell is an observation, "rows"; at the other levels there are no such rows.

    >>> swapped_over(None, "system"), swapped_over(None, "summary"), swapped_over(None, "global")
    ('systems', 'both', 'rows')
    """
    if over is None:
        defaults: dict[Level, Over] = {"system": "systems", "summary": "both", "global": "rows"}
        return defaults[level]
    return over if (over, level) == ("rows", "global") else check_over(over)


def check_seed(seed: SupportsIndex | None) -> int:
    """Check the seed, a whole number from 0; None chooses a random one."""
    if seed is None:
        return secrets.randbits(32)
    if isinstance(seed, bool) or not isinstance(seed, SupportsIndex) or int(seed) < 0:
        raise ValueError(f"seed is {seed!r}; give a whole number of 0 or more")
    return int(seed)


def multiplicities(
    shape: tuple[int, ...], over: Over, resamples: int, seed: int
) -> Iterator[tuple[Counts, Counts]]:
    """How often each system [draw, system] and topic [draw, topic] was drawn, with replacement.

    A dimension that is not resampled counts once; systems then have one row for all draws.

    >>> [u.tolist() + v.tolist() for u, v in multiplicities((2, 3), "topics", 2, 0)]
    [[[1, 1], [0, 2, 1], [2, 1, 0]]]
    """
    over, (systems, topics) = check_over(over), shape
    stream = streams(seed)
    for size in _blocks(resamples, systems + topics):
        u = np.ones((1, systems), dtype=np.int64)
        v = np.ones((size, topics), dtype=np.int64)
        if over != "topics":
            u = tally(stream[0].integers(systems, size=(size, systems)), systems)
        if over != "systems":
            v = tally(stream[1].integers(topics, size=(size, topics)), topics)
        yield u, v


def swaps(
    shape: tuple[int, ...], over: Over, resamples: int, seed: int
) -> Iterator[tuple[Swaps, Swaps]]:
    """Coin tosses for each system [draw, system] and topic [draw, topic]; 0 if not permuted.

    For "rows" the systems are the rows of `swapped_tables`.
    """
    systems, topics = shape
    stream = streams(seed)
    for size in _blocks(resamples, systems + topics):
        rows = np.zeros((size, systems), dtype=np.uint8)
        columns = np.zeros((size, topics), dtype=np.uint8)
        if over != "topics":
            rows = (stream[0].random((size, systems)) < 0.5).astype(np.uint8)
        if over in {"topics", "both"}:
            columns = (stream[1].random((size, topics)) < 0.5).astype(np.uint8)
        yield rows, columns


def tally(drawn: Counts, size: int) -> Counts:
    """Return how often each of `size` items was drawn, from indices [draw, place].

    >>> tally(np.array([[0, 0, 2], [1, 2, 2]]), 3).tolist()
    [[2, 0, 1], [0, 1, 2]]
    """
    places = drawn + np.arange(len(drawn))[:, None] * size
    return np.bincount(places.ravel(), minlength=len(drawn) * size).reshape(len(drawn), size)


def drawn_topics(
    function: Callable[[Counts], Array], topics: int, resamples: int, seed: int
) -> Array:
    """Return the values [draw, …] of a function of draws [draw, topic], of all draws."""
    draws = multiplicities((1, topics), "topics", resamples, seed)
    return np.concatenate([function(drawn) for _, drawn in draws])


def _blocks(resamples: int, numbers: int) -> Iterator[int]:
    block = max(1, min(BLOCK, MOST_NUMBERS // numbers))
    for start in range(0, resamples, block):
        yield min(block, resamples - start)


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

    units: Array
    present: NDArray[np.bool_]
    low: float
    unit: float
    slack: float


def fixed(table: Array) -> Fixed:
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


def swapped_sums(columns: Array, resamples: int, seed: int) -> Array:
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


def drawn_sums(columns: Array, resamples: int, seed: int) -> Array:
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
    """Return two streams of random numbers: those of systems and topics, or of swaps and rows."""
    return [np.random.default_rng(one) for one in np.random.SeedSequence(seed).spawn(2)]


def percentiles(values: Array, confidence: float) -> tuple[float, float]:
    """Return the bounds that exclude (1 - confidence)/2 at each end of the values but NaN.

    >>> percentiles(np.array([1.0, 2.0, 3.0, np.nan]), 0.5)
    (1.5, 2.5)
    """
    present = values[~np.isnan(values)]
    if not len(present):
        return nan, nan
    tail = (1.0 - confidence) / 2.0
    lower, upper = np.quantile(present, [tail, 1.0 - tail]).tolist()
    return lower, upper


def enumerated_sums(differences: Array) -> Array:
    """Return the sums of differences [row] under each choice of signs, up to the sign of the first.

    A sum and its opposite are equally extreme, so half of the ``2**rows`` choices are enough.

    >>> enumerated_sums(np.array([1.0, 2.0, 4.0])).tolist()
    [7.0, -1.0, 3.0, -5.0]
    """
    sums = differences[:1]
    for value in differences[:0:-1]:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def half_widths(sums: Array, counts: Array | None = None, confidence: float = 0.95) -> Array:
    """Half the width of the interval of the mean of each column.

    Parameters
    ----------
    sums : array [unit, column] or [unit]
        The sum of the scores of each unit. Units, such as topics, are independent.
    counts : array of the same shape, optional
        The numbers of these scores; the mean is that of all scores, and its spread that of a ratio.
        Default: one each.
    confidence : float

    Returns
    -------
    array [column]
        NaN with scores in fewer than two units.

    Examples
    --------
    >>> half_widths(np.array([[0.2], [0.4], [0.9]])).round(3).tolist()
    [0.896]
    """
    from scipy.special import stdtrit

    counts = np.ones_like(sums) if counts is None else counts
    units, total = (counts > 0).sum(axis=0), counts.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        apart = sums - sums.sum(axis=0) / total * counts
        # Divide by the largest first, so that no square overflows.
        largest = np.abs(apart).max(axis=0, initial=0.0)
        squares = ((apart / np.where(largest > 0, largest, 1.0)) ** 2).sum(axis=0)
        error = largest * np.sqrt(squares * units / (units - 1)) / total
        half: Array = np.where(units > 1, stdtrit(units - 1, 0.5 + confidence / 2) * error, np.nan)
    return half
