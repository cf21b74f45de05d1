"""Shared code of the seeded families of both problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

from summeval._options import unknown

Family = TypeVar("Family")
Made = TypeVar("Made")


def make_seeded(
    families: Mapping[str, Family],
    make: Callable[[Family, np.random.Generator], Made],
    name: str,
    count: int,
    seed: int,
) -> list[Made]:
    """So many problems of the family of that name.

    Raises
    ------
    ValueError
        For a name that is not one of the families.
    """
    if name not in families:
        raise ValueError(unknown("family", name, families))
    rng = np.random.default_rng(seed)
    return [make(families[name], rng) for _ in range(count)]
