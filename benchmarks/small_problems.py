"""Small assignment and transportation problems: a call, and batches beside SciPy one by one.

    taskset -c 1 python benchmarks/small_problems.py [--rounds N] [--problems N]

First the processor time of one call for a sparse matrix of 50 x 60 with 5 % of its entries. Then
whole calls of `assign_batch`, each right after SciPy's `linear_sum_assignment` has solved the same
problems one by one: a call that is repeated at once finds its data in the caches and looks faster.
The dense families are square, with all pairs or 30 % of them, and weights from 0 to 1 or of ten
grades. Medians of the rounds, beside the goals.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np
import scipy
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from summeval.solvers import assign, assign_batch, transport
from summeval.solvers.bench import make_problems
from summeval.solvers.weights import Problems, Weights

CALL_GOAL = 8.0  # microseconds
BATCH_GOALS = {"sparse-realistic": 90.0, "sparse-hard": 15.0}  # times as fast as SciPy
SIZES = (8, 16, 24, 40)
SHARES = (1.0, 0.3)
DENSE_GOAL, GRADED_GOAL = 4.0, 6.0  # the second for all pairs with few grades
CALLS = 1000


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def one_call(rounds: int) -> dict[str, float]:
    """Microseconds of one call."""
    matrix = sparse.random(50, 60, 0.05, format="csr", random_state=1)
    rng = np.random.default_rng(0)
    supply, demand = rng.random(50), rng.random(60)
    calls: dict[str, Callable[[], object]] = {
        "assign": lambda: [assign(matrix) for _ in range(CALLS)],
        "transport": lambda: [transport(supply, demand, matrix) for _ in range(CALLS)],
    }
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            taken[name].append(seconds(call) / CALLS * 1e6)
    return {name: statistics.median(times) for name, times in taken.items()}


def dense_problems(size: int, share: float, graded: bool, problems: int) -> list[Weights]:
    """Square problems with that share of all pairs."""
    rng = np.random.default_rng(5)
    made = []
    for _ in range(problems):
        weight = rng.integers(1, 11, (size, size)) / 10 if graded else rng.random((size, size))
        row, column = np.nonzero(weight * (rng.random((size, size)) < share))
        made.append(Weights((size, size), edges=(row, column, weight[row, column])))
    return made


def families(problems: int) -> Iterator[tuple[str, float, list[Weights]]]:
    """The name, the goal and the problems of each family."""
    for name, goal in BATCH_GOALS.items():
        yield name, goal, [one for (one,) in make_problems("assignment", name, problems)]
    for size, share, graded in itertools.product(SIZES, SHARES, (False, True)):
        goal = GRADED_GOAL if graded and share == 1 else DENSE_GOAL
        name = f"{size} x {size}, {share:.0%}, {'ten grades' if graded else 'uniform'}"
        yield name, goal, dense_problems(size, share, graded, problems)


def batch_ratio(made: list[Weights], rounds: int) -> tuple[float, float]:
    """How many times SciPy's time, and microseconds for a problem."""
    dense = [weights.dense for weights in made]
    arrays = Problems.of(made)
    ratios, own = [], []
    for _ in range(rounds):
        scipy_time = seconds(lambda: [linear_sum_assignment(one, maximize=True) for one in dense])
        own.append(seconds(lambda: assign_batch(*arrays)))
        ratios.append(scipy_time / own[-1])
    expected = [one[linear_sum_assignment(one, maximize=True)].sum() for one in dense]
    np.testing.assert_allclose(assign_batch(*arrays).values, expected, rtol=1e-9)
    return statistics.median(ratios), statistics.median(own) / len(made) * 1e6


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--problems", type=int, default=300)
    options = parser.parse_args(arguments)
    for name, taken in one_call(options.rounds).items():
        print(f"{name}, CSR of 50 x 60, 5 %: {taken:.1f} us; goal {CALL_GOAL:g} us")
    for family, goal, made in families(options.problems):
        ratio, own = batch_ratio(made, options.rounds)
        print(
            f"assign_batch, {family}: {own:.2f} us a problem,"
            f" {ratio:.1f} x SciPy {scipy.__version__}; goal {goal:g} x"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
