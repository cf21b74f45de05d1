"""The guards of rewards: a completion of 60 words beside a source of 900, and that source.

The guard against stitched texts may take 25 microseconds of a completion and 100 of a source; all
guards together stay below that.
"""

from __future__ import annotations

from typing import Any

import pytest
import texts
from definitions import guards as twin

from summeval.interop.shaping.guards import ground_of

SHAPE = texts.Shape(60, 900, (14, 25), 0.6, (2, 12), 1000)


@pytest.fixture(scope="module")
def pair() -> tuple[str, str]:
    candidates, sources = texts.make_pairs(SHAPE, 10)
    return candidates[0], sources[0]


def test_completion(benchmark: Any, pair: tuple[str, str]) -> None:
    ground = ground_of([], [pair[1]])
    guards = benchmark(ground.guards, pair[0])
    assert guards == twin.ground_of([], [pair[1]]).guards(pair[0])[0]


def test_source(benchmark: Any, pair: tuple[str, str]) -> None:
    benchmark(ground_of, [], [pair[1]])
