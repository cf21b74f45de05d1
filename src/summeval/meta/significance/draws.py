"""Draws of systems and topics in blocks, so that memory does not grow with their number.

The numbers come from NumPy's PCG64; systems and topics use separate streams spawned from the seed.
A draw depends only on the seed and its index, not on the block size.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice
from summeval.meta.tables.arrays import Level, Over

Counts: TypeAlias = NDArray[np.int64]
Swaps: TypeAlias = NDArray[np.uint8]

BLOCK = 1024  # draws held at a time; fewer for large tables
MOST_NUMBERS = 1 << 20  # in a block
OVERS: tuple[Over, ...] = ("topics", "systems", "both", "inputs")


def check_over(over: Over) -> Over:
    """What is resampled; "inputs" is a synonym of "topics"."""
    check_choice("over", over, OVERS)
    return "topics" if over == "inputs" else over


def swapped_over(over: Over | None, level: Level) -> Over:
    """What a permutation test swaps: the given value, or the default of the level.

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
    streams = _streams(seed)
    for size in _blocks(resamples, systems + topics):
        u = np.ones((1, systems), dtype=np.int64)
        v = np.ones((size, topics), dtype=np.int64)
        if over != "topics":
            u = tally(streams[0].integers(systems, size=(size, systems)), systems)
        if over != "systems":
            v = tally(streams[1].integers(topics, size=(size, topics)), topics)
        yield u, v


def swaps(
    shape: tuple[int, ...], over: Over, resamples: int, seed: int
) -> Iterator[tuple[Swaps, Swaps]]:
    """Coin tosses for each system [draw, system] and topic [draw, topic]; 0 if not permuted.

    For "rows" the systems are the rows of `swapped_tables`.
    """
    systems, topics = shape
    streams = _streams(seed)
    for size in _blocks(resamples, systems + topics):
        rows = np.zeros((size, systems), dtype=np.uint8)
        columns = np.zeros((size, topics), dtype=np.uint8)
        if over != "topics":
            rows = (streams[0].random((size, systems)) < 0.5).astype(np.uint8)
        if over in {"topics", "both"}:
            columns = (streams[1].random((size, topics)) < 0.5).astype(np.uint8)
        yield rows, columns


def tally(drawn: Counts, size: int) -> Counts:
    """How often each of `size` items was drawn, from indices [draw, place].

    >>> tally(np.array([[0, 0, 2], [1, 2, 2]]), 3).tolist()
    [[2, 0, 1], [0, 1, 2]]
    """
    places = drawn + np.arange(len(drawn))[:, None] * size
    return np.bincount(places.ravel(), minlength=len(drawn) * size).reshape(len(drawn), size)


def _blocks(resamples: int, numbers: int) -> Iterator[int]:
    block = max(1, min(BLOCK, MOST_NUMBERS // numbers))
    for start in range(0, resamples, block):
        yield min(block, resamples - start)


def _streams(seed: int) -> list[np.random.Generator]:
    return [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2)]
