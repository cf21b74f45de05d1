"""Shared by the fuzz targets: blocks of inputs made from a seed, and how to name one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple


class Target(NamedTuple):
    """An entry of the core.

    Attributes
    ----------
    name : str
    block : callable
        Makes inputs with a random.Random, hands them to the entry, checks what comes back, and
        returns how many there were.
    """

    name: str
    block: Callable[[random.Random], int]


TARGETS: dict[str, Target] = {}


def target(block: Callable[[random.Random], int]) -> Callable[[random.Random], int]:
    """Add a function to the targets, by its name."""
    TARGETS[block.__name__] = Target(block.__name__, block)
    return block


def run_block(name: str, seed: int, block: int) -> int:
    """Run one block of a target; the same inputs for the same three arguments."""
    try:
        return TARGETS[name].block(random.Random(f"{name} {seed} {block}"))
    except BaseException as error:
        error.add_note(f"python tests/fuzz/run.py --targets {name} --seed {seed} --block {block}")
        raise
