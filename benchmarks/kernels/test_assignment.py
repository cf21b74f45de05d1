"""Assignment by the kernel in batches, one at a time, and by the back ends installed.

Each figure is for all problems of a family. Back ends that cannot share a process with highspy are
left out; compare methods within one run.
"""

from __future__ import annotations

from typing import Any

import pytest

from summeval.solvers import assign_batch, list_solvers
from summeval.solvers import bench as problems
from summeval.solvers.assignment import assign_weights
from summeval.solvers.result import load
from summeval.solvers.weights import Problems, Weights

FAMILIES = problems.FAMILIES["assignment"]
SPARSE = [name for name, family in FAMILIES.items() if family.size is None]
SOLVERS = [name for name in list_solvers("assignment") if name not in ("ortools", "networkx")]


def make(family: str, count: int) -> list[Weights]:
    return [weights for (weights,) in problems.make_problems("assignment", family, count)]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("family", SPARSE)
def test_batch(benchmark: Any, family: str, workers: int) -> None:
    batch = benchmark(assign_batch, *Problems.of(make(family, 300)), workers)
    assert batch[0].certificate().holds()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("family", FAMILIES)
def test_method(benchmark: Any, family: str, solver: str) -> None:
    made = make(family, 100 if family in SPARSE else 1)
    slow = ("highs", "scipy-sparse")
    if solver in slow and family not in (*SPARSE, "dense-300-uniform", "dense-300-graded"):
        pytest.skip("takes minutes")
    if solver in ("scipy", "lapx"):  # these are given dense matrices
        made = [Weights(weights.shape, dense=weights.dense) for weights in made]
    solve = load("assignment", solver)

    def run() -> list[float]:
        return [assign_weights(weights, solve).value for weights in made]

    values = benchmark(run)
    assert values == pytest.approx([assign_weights(weights).value for weights in made], rel=1e-9)
