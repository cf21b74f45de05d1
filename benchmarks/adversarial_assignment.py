"""Assignment problems that are hard on purpose: `assign` beside SciPy's `linear_sum_assignment`.

    taskset -c 1 python benchmarks/adversarial_assignment.py [--sizes 100,300,1000]

For every family and size the matrix is solved dense, and with 30 % and 5 % of its pairs, which
SciPy gets as zeros of a dense matrix. One call of each in turn: medians of processor time. Each
answer of `assign` is proved. The goal is a ratio of at least 1 everywhere; the worst are listed
last.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from summeval.solvers import assign

GOAL = 1.0
SHARES = (1.0, 0.3, 0.05)
BUDGET = 300_000  # pairs of all calls for a matrix, so that small ones are repeated more often


def families(size: int) -> Iterator[tuple[str, Any]]:
    """The name and the matrix of each family."""
    rng = np.random.default_rng(size)
    number = np.arange(size)
    i, j = number[:, None], number
    shape = (size, size)
    uniform = rng.random(shape)
    yield "i * j (Machol and Wien 1976)", (i + 1.0) * (j + 1)
    yield "i * (n + 1 - j)", (i + 1.0) * (size - j)
    yield "n * n + 1 - i * j", size**2 + 1 - (i + 1.0) * (j + 1)
    yield "a[i] + b[j]", rng.random(size)[:, None] + rng.random(size)
    yield "of rank 2", rng.random((size, 2)) @ rng.random((2, size))
    yield "distances on a line", np.abs(i - j) / size
    yield "1 - distances on a line", 1 - np.abs(i - j) / size
    yield "max(i, j)", np.maximum(i, j) + 1.0
    yield "min(i, j)", np.minimum(i, j) + 1.0
    yield "i * j modulo n", i * j % size + 1.0
    yield "all equal", np.ones(shape)
    yield "two grades", rng.choice([0.5, 1.0], shape)
    yield "integers from 1 to 100", rng.integers(1, 101, shape).astype(float)
    yield "nearly equal", 1 + uniform * 1e-13
    yield "from 1e-300 to 1e300", 10.0 ** rng.uniform(-300, 300 - np.log10(size), shape)
    yield "1e-300 or 1e300 / n", rng.choice([1e-300, 1e300 / size], shape)
    block = max(size // 10, 1)
    yield "blocks", np.where(i // block == j // block, 1 + uniform, uniform / 10)
    yield "lower triangle", np.tril(uniform)
    yield "uniform", uniform


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def ratio(dense: Any, given: Any) -> tuple[float, float]:
    """How many times SciPy's time, and milliseconds of `assign`."""
    assert assign(given).certificate().holds()
    ratios, own = [], []
    for _ in range(min(max(BUDGET // dense.size, 1), 15)):
        other = seconds(lambda: linear_sum_assignment(dense, maximize=True))
        own.append(seconds(lambda: assign(given)))
        ratios.append(other / own[-1])
    return statistics.median(ratios), statistics.median(own) * 1e3


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", default="100,300,1000")
    sizes = [int(size) for size in parser.parse_args(arguments).sizes.split(",")]
    found = []
    for size in sizes:
        for name, matrix in families(size):
            for share in SHARES:
                chosen = np.random.default_rng(0).random(matrix.shape) < share
                dense = matrix if share == 1 else matrix * chosen
                times, own = ratio(dense, dense if share == 1 else sparse.csr_array(dense))
                found.append((times, f"{size} x {size}, {share:.0%}, {name}"))
                print(
                    f"{found[-1][1]}: {own:.3f} ms, {times:.2f} x SciPy {scipy.__version__};"
                    f" goal {GOAL:g} x",
                    flush=True,
                )
    print("the worst:", *(f"{times:.2f} x, {name}" for times, name in sorted(found)[:5]), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
