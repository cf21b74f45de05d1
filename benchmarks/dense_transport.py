"""Dense transportation: whole calls of `transport` beside POT's `ot.emd`, in turn in one process.

    taskset -c 1 python benchmarks/dense_transport.py [--rounds N] [--sizes 60 250] [--kernel]

Needs POT. Each family draws its problems from a seed; masses are random and their sums are equal,
as `ot.emd` requires. Prints, for each family and size, the median of the ratios of processor time
(POT's time divided by ours) and the goal. Each answer is checked: its certificate must hold within
1e-12, and its value must be POT's within 1e-9. "whole" includes the dense plan, as POT's time does;
"sparse" ends with the result, whose plan is sparse.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from summeval.solvers import transport

Floats = Any
SIZES = (60, 250, 1000)
GRADES = (1 / 2, 2 / 3, 3 / 4, 5 / 6, 1.0)


def cosine(rng: np.random.Generator, rows: int, columns: int) -> Floats:
    sides = [rng.standard_normal((size, 50)) for size in (rows, columns)]
    left, right = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in sides)
    return (left @ right.T + 1) / 2


def near(dimensions: int) -> Callable[[np.random.Generator, int, int], Floats]:
    """The largest distance of random points, less that of each pair."""

    def make(rng: np.random.Generator, rows: int, columns: int) -> Floats:
        left, right = rng.random((rows, 1, dimensions)), rng.random((1, columns, dimensions))
        distance = np.sqrt(((left - right) ** 2).sum(axis=2))
        return distance.max() - distance

    return make


FAMILIES: dict[str, Callable[[np.random.Generator, int, int], Floats]] = {
    "uniform": lambda rng, rows, columns: rng.random((rows, columns)),
    "cosine": cosine,
    "line": near(1),
    "plane": near(2),
    "five grades": lambda rng, rows, columns: rng.choice(GRADES, (rows, columns)),
    "two grades": lambda rng, rows, columns: rng.choice((0.5, 1.0), (rows, columns)),
    "all equal": lambda _, rows, columns: np.full((rows, columns), 0.5),
    "row + column": lambda rng, rows, columns: rng.random((rows, 1)) + rng.random(columns),
    "row x column": lambda rng, rows, columns: rng.random((rows, 1)) * rng.random(columns),
}
GOALS = {60: 3.0, 250: 6.0, 1000: 10.0}  # times as fast as POT, uniform and cosine
EQUAL_GOALS = {60: 1.0, 250: 10.0, 1000: 10.0}


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def measure(
    family: str, shape: tuple[int, int], rounds: int, equal: bool = False
) -> tuple[float, float, float]:
    """The ratios of whole and sparse calls, and milliseconds of a whole call: medians."""
    import ot

    whole, sparse, own = [], [], []
    for seed in range(rounds):
        rng = np.random.default_rng(seed)
        similarity = FAMILIES[family](rng, *shape)
        supply, demand = (np.full(n, 1 / n) if equal else rng.random(n) for n in shape)
        supply, demand = supply / supply.sum(), demand / demand.sum()
        most = similarity.max()
        cost = most - similarity
        theirs, plan = seconds(lambda s=supply, d=demand, c=cost: ot.emd(s, d, c, 10**9))
        taken, found = seconds(lambda s=supply, d=demand, w=similarity: transport(s, d, w))
        made, _ = seconds(lambda f=found: f.flow)
        assert found.certificate().holds(1e-12), (family, shape, seed)
        assert abs(found.value - (plan * similarity).sum()) <= 1e-9 * found.value
        whole.append(theirs / (taken + made))
        sparse.append(theirs / taken)
        own.append(taken + made)
    return statistics.median(whole), statistics.median(sparse), statistics.median(own) * 1e3


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--families", nargs="*", default=list(FAMILIES))
    options = parser.parse_args(arguments)
    import ot

    print(f"times as fast as ot.emd of POT {ot.__version__}; processor time, medians")
    for size in options.sizes:
        todo: list[tuple[str, tuple[int, int], bool, float]] = [
            (name, (size, size), False, GOALS[size] if name in {"uniform", "cosine"} else 1.0)
            for name in options.families
        ]
        todo.append(("uniform", (size, size), True, EQUAL_GOALS[size]))
        todo.append(("cosine", (size, size), True, EQUAL_GOALS[size]))
        todo.append(("uniform", (size // 4, size), False, 1.0))
        todo.append(("uniform", (size, size // 4), False, 1.0))
        for name, shape, equal, goal in todo:
            whole, sparse, own = measure(name, shape, options.rounds, equal)
            masses = "equal" if equal else "random"
            print(
                f"{shape[0]:5} x {shape[1]:4}, {name}, {masses} masses: whole {whole:.1f} x,"
                f" sparse {sparse:.1f} x, {own:.3f} ms; goal {goal:g} x",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
