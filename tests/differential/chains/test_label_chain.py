"""The kernel of chains gives what enumeration gives."""

from __future__ import annotations

import numpy as np
from chain_cases import place_of, random_case
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval._textbook import label_chain as twin

SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.sampled_from([0.0, 1e-3, 1.0, 10.0, 300.0])


def close(found: object, wanted: object, size: float = 1.0) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11 * max(1.0, size))


def probability(odds: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))


@settings(max_examples=60, deadline=None)
@given(SEEDS, SIZES)
def test_sums_are_those_of_enumeration(seed: int, size: float) -> None:
    draw = np.random.default_rng(seed)
    case = random_case(draw, 3, 7, size=size)
    times = draw.integers(0, 3, 3).astype(float)
    totals, odds, context, link = case.kernel().sums(case.scores, case.context, case.link, times)
    contexts, links = np.zeros_like(context), np.zeros(4)
    for d, chain in enumerate(case.chains()):
        here = slice(*case.ends[d : d + 2])
        if times[d] == 0:
            assert totals[d] == 0.0
            continue
        close(totals[d], twin.log_partition(chain), size)
        close(probability(odds[here]), twin.marginals(chain))
        if len(chain.scores):
            for found, there in zip(twin.expected(chain), (contexts, links), strict=True):
                for labels, number in found.items():
                    at = place_of(labels) if there is contexts else 2 * labels[0] + labels[1]
                    there[at] += times[d] * number
    close(context, contexts)
    close(link, links)


@settings(max_examples=60, deadline=None)
@given(SEEDS, SIZES, st.booleans())
def test_marginals_and_margins_are_those_of_enumeration(
    seed: int, size: float, local: bool
) -> None:
    case = random_case(np.random.default_rng(seed), 3, 7, size=size)
    kernel, potentials = case.kernel(), (case.scores, case.context, case.link, local)
    chains = case.chains(local)
    close(
        probability(kernel.marginals(*potentials)), np.concatenate([*map(twin.marginals, chains)])
    )
    wanted = np.concatenate([*map(twin.margins, chains)])
    np.testing.assert_allclose(kernel.margins(*potentials), wanted, rtol=1e-9, atol=1e-9)
