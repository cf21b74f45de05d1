"""Transportation by the kernel in batches, one at a time, and by the back ends installed.

Each figure is for all problems of a family. Back ends that cannot share a process with highspy are
left out; compare methods within one run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from summeval.solvers import list_solvers, transport_batch
from summeval.solvers.bench.transport_instances import FAMILIES, Instance, make_transport
from summeval.solvers.registry import load
from summeval.solvers.transportation import transport_weights

COUNTS = {60: 100, 250: 20, 1000: 2}
SOLVERS = [name for name in list_solvers("transport") if name != "ortools"]


def problems(family: str) -> list[Instance]:
    return make_transport(family, COUNTS[FAMILIES[family].size])


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("family", FAMILIES)
def test_batch(benchmark: Any, family: str, workers: int) -> None:
    made = problems(family)
    arrays = (
        np.cumsum([0, *(len(one.edges[0]) for one in made)]),
        *(np.concatenate(part) for part in zip(*(one.edges for one in made), strict=True)),
        np.concatenate([one.supply for one in made]),
        np.concatenate([one.demand for one in made]),
        [one.similarity.shape for one in made],
    )
    batch = benchmark(transport_batch, *arrays, workers)
    assert batch[0].certificate().holds()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("family", [name for name, kind in FAMILIES.items() if kind.size <= 250])
def test_method(benchmark: Any, family: str, solver: str) -> None:
    made = problems(family)[:10]
    solve = load("transport", solver)

    def run() -> list[float]:
        return [
            transport_weights(one.supply, one.demand, one.similarity, solve).value for one in made
        ]

    values = benchmark(run)
    kernel = [transport_weights(one.supply, one.demand, one.similarity).value for one in made]
    assert values == pytest.approx(kernel, rel=1e-7)
