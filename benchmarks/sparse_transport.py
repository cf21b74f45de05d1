"""Sparse transportation in a batch beside a new HiGHS for each problem, in turn in one process.

    taskset -c 1 python benchmarks/sparse_transport.py [--rounds N]

Each row has at most 4 edges. Prints, for each family, the median of the ratios of processor time
(HiGHS's time divided by ours, both for the same problems) and the goal. The values must agree
within 1e-7.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np

from summeval.solvers import transport_batch
from summeval.solvers.bench import FAMILIES as BY_PROBLEM
from summeval.solvers.bench import make_problems
from summeval.solvers.result import load
from summeval.solvers.transportation import transport_weights
from summeval.solvers.weights import Problems

GOAL = 100.0  # times as fast as a new HiGHS for each problem
COUNTS = {60: 60, 250: 20, 1000: 4}
FAMILIES = BY_PROBLEM["transport"]
SPARSE = [name for name, family in FAMILIES.items() if family.edges in (1, 4)]


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def arrays(made: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    supply, demand, similarity = zip(*made, strict=True)
    flat = Problems.of(similarity)
    return *flat[:-1], np.concatenate(supply), np.concatenate(demand), flat.shapes


def measure(family: str, rounds: int) -> tuple[float, float]:
    """The ratio, and microseconds of a problem by the kernel: medians."""
    made = make_problems("transport", family, COUNTS[FAMILIES[family].size])
    flat = arrays(made)
    highs = load("transport", "highs-default")

    def theirs() -> list[float]:
        return [transport_weights(*one, highs).value for one in made]

    ratios, own = [], []
    for _ in range(rounds):
        taken, values = seconds(theirs)
        mine, batch = seconds(lambda: transport_batch(*flat))
        np.testing.assert_allclose(batch.values, values, rtol=1e-7)
        ratios.append(taken / mine)
        own.append(mine)
    return statistics.median(ratios), statistics.median(own) / len(made) * 1e6


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args(arguments)
    print(f"times as fast as a new HiGHS {version('highspy')}; processor time, medians")
    for family in SPARSE:
        ratio, own = measure(family, options.rounds)
        print(f"{family}: {ratio:.0f} x, {own:.1f} us a problem; goal {GOAL:g} x", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
