"""Transportation by the kernel in batches, one at a time, and by the back ends installed.

Each figure is for all problems of a family. Back ends that cannot share a process with highspy are
left out; compare methods within one run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from summeval.solvers import list_solvers, transport_batch
from summeval.solvers.bench import FAMILIES as BY_PROBLEM
from summeval.solvers.bench import make_problems
from summeval.solvers.result import load
from summeval.solvers.transportation import transport_weights
from summeval.solvers.weights import Problems

FAMILIES = BY_PROBLEM["transport"]
COUNTS = {60: 100, 250: 20, 1000: 2}
SOLVERS = [name for name in list_solvers("transport") if name != "ortools"]


def problems(family: str) -> list[tuple[Any, ...]]:
    return make_problems("transport", family, COUNTS[FAMILIES[family].size])


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("family", FAMILIES)
def test_batch(benchmark: Any, family: str, workers: int) -> None:
    supply, demand, similarity = zip(*problems(family), strict=True)
    flat = Problems.of(similarity)
    amounts = np.concatenate(supply), np.concatenate(demand)
    batch = benchmark(transport_batch, *flat[:-1], *amounts, flat.shapes, workers)
    assert batch[0].certificate().holds()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("family", [name for name, kind in FAMILIES.items() if kind.size <= 250])
def test_method(benchmark: Any, family: str, solver: str) -> None:
    made = problems(family)[:10]
    solve = load("transport", solver)

    def run() -> list[float]:
        return [transport_weights(*one, solve).value for one in made]

    values = benchmark(run)
    kernel = [transport_weights(*one).value for one in made]
    assert values == pytest.approx(kernel, rel=1e-7)
