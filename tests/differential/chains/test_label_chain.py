"""The kernel of chains gives what enumeration gives, and what theory says."""

from __future__ import annotations

import numpy as np
import pytest
from chain_cases import Case, place_of, random_case
from definitions import label_chain as twin
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval._core.chains.label_chain import Chains

SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.sampled_from([0.0, 1e-3, 1.0, 10.0, 300.0])  # of log potentials
FEW = settings(max_examples=100, deadline=None)


def close(found: object, wanted: object, size: float = 1.0) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11 * max(1.0, size))


def probability(odds: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def potentials(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return case.scores, case.context, case.link


@FEW
@given(SEEDS, SIZES)
def test_sums_are_those_of_enumeration(seed: int, size: float) -> None:
    draw = np.random.default_rng(seed)
    case = random_case(draw, 3, 6, size=size)
    times = draw.integers(0, 3, 3).astype(float)
    totals, odds, context, link = case.kernel().sums(*potentials(case), times)
    contexts, links = np.zeros_like(context), np.zeros(4)
    for d, chain in enumerate(case.chains()):
        here = slice(*case.ends[d : d + 2])
        if times[d] == 0:
            assert totals[d] == 0.0
            continue
        close(totals[d], twin.log_partition(chain), size)
        close(probability(odds[here]), twin.marginals(chain))
        of_contexts, of_links = twin.expected(chain)
        for labels, number in of_contexts.items():
            contexts[place_of(labels)] += times[d] * number
        for (parent, own), number in of_links.items():
            links[2 * parent + own] += times[d] * number
    close(context, contexts)
    close(link, links)


@FEW
@given(SEEDS, SIZES, st.booleans())
def test_marginals_and_margins_are_those_of_enumeration(
    seed: int, size: float, local: bool
) -> None:
    case = random_case(np.random.default_rng(seed), 3, 6, size=size)
    kernel, chains = case.kernel(), case.chains(local)
    assert kernel.loopy == 0
    found = probability(kernel.marginals(*potentials(case), local))
    close(found, np.concatenate([*map(twin.marginals, chains)]))
    assert ((found >= 0) & (found <= 1)).all()
    wanted = np.concatenate([*map(twin.margins, chains)])
    np.testing.assert_allclose(kernel.margins(*potentials(case), local), wanted, 1e-9, 1e-9)


def all_cut(case: Case) -> Chains:
    return case.kernel(most=1, rounds=60, keep=0.0, close=1e-13)


@FEW
@given(SEEDS, st.sampled_from([0.1, 1.0, 5.0]), st.booleans())
def test_messages_are_exact_without_circles(seed: int, size: float, local: bool) -> None:
    """At order 0 links make trees, on which belief propagation is exact (Pearl 1988)."""
    draw = np.random.default_rng(seed)
    case = random_case(draw, 4, 12, linked=0.8, size=size)
    case = case._replace(order=0, context=case.context[:2])
    exact, loopy = case.kernel(), all_cut(case)
    assert loopy.loopy == sum(
        bool((chain >= 0).any()) for chain in np.split(case.parents, case.ends[1:-1])
    )
    assert loopy.widest == min(1, len(case.scores))
    for method in ("marginals", "margins"):
        one, two = (getattr(c, method)(*potentials(case), local) for c in (exact, loopy))
        np.testing.assert_allclose(two, one, rtol=1e-9, atol=1e-9)
    times = draw.integers(0, 3, 4).astype(float)
    sums = (c.sums(*potentials(case), times) for c in (exact, loopy))
    for one, two in zip(*sums, strict=True):
        np.testing.assert_allclose(two, one, rtol=1e-9, atol=1e-9)


def a_web(draw: np.random.Generator, size: int, order: int, strength: float) -> Case:
    """Links that reach so far back that many labels are needed at a time."""
    parents = [int(draw.integers(0, t // 2 + 1)) if t else -1 for t in range(size)]
    scores, context = draw.normal(0, 1, size), draw.normal(0, strength, (4 << order) - 2)
    return Case([size], order, scores, np.array(parents), context, draw.normal(0, strength, 4))


@pytest.mark.parametrize("order", range(4))
@pytest.mark.parametrize("local", [False, True])
def test_messages_come_near_where_there_are_circles(order: int, local: bool) -> None:
    case = a_web(np.random.default_rng(order), 16, order, 0.4)
    exact, loopy = case.kernel(most=20), case.kernel(most=order + 2)
    assert (exact.loopy, loopy.loopy, loopy.widest) == (0, 1, order + 2)
    found, wanted = (probability(one.marginals(*potentials(case), local)) for one in (loopy, exact))
    assert np.abs(found - wanted).max() < 0.02
    assert np.abs(probability(case.scores) - wanted).max() > 0.05
    if not local:
        totals = [one.sums(*potentials(case), np.ones(1))[0][0] for one in (loopy, exact)]
        assert totals[0] == pytest.approx(totals[1], abs=0.02)


@pytest.mark.parametrize("order", range(4))
def test_the_gradient_is_that_of_the_value_where_messages_have_settled(order: int) -> None:
    case = a_web(np.random.default_rng(7 + order), 30, order, 0.5)
    kernel = case.kernel(most=order + 2, rounds=500, close=1e-12)
    assert kernel.loopy == 1
    _, odds, context, link = kernel.sums(*potentials(case), np.ones(1))
    step = 1e-5

    def value(scores: np.ndarray, contexts: np.ndarray, links: np.ndarray) -> float:
        return float(kernel.sums(scores, contexts, links, np.ones(1))[0][0])

    parts = potentials(case)
    for place, gradient in enumerate((probability(odds), context, link)):
        slopes = []
        for unit in np.eye(len(gradient)) * step:
            ends = [
                value(*(part + sign * unit if k == place else part for k, part in enumerate(parts)))
                for sign in (1, -1)
            ]
            slopes.append((ends[0] - ends[1]) / (2 * step))
        np.testing.assert_allclose(gradient, slopes, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("method", ["marginals", "margins"])
def test_long_documents_are_done_in_blocks(method: str) -> None:
    """What is far away has no influence: a piece of the document gives the same in its middle."""
    draw = np.random.default_rng(1)
    size, order, reach = 1100, 2, 10
    scores, context = draw.normal(0, 1, size), draw.normal(0, 0.3, (4 << order) - 2)
    link = draw.normal(0, 0.3, 4)
    parents = np.maximum(np.arange(size) - reach, -1)
    whole = Chains(np.array([0, size]), parents, order)
    assert whole.widest == reach + 1
    assert size << reach > 2 * 2**19  # entries of a block
    found = getattr(whole, method)(scores, context, link)
    piece = slice(300, 700)
    part = Chains(np.array([0, 400]), np.maximum(np.arange(400) - reach, -1), order)
    wanted = getattr(part, method)(scores[piece], context, link)
    np.testing.assert_allclose(found[piece][150:250], wanted[150:250], rtol=1e-9, atol=1e-9)


@FEW
@given(SEEDS, SIZES, st.booleans())
def test_without_potentials_of_neighbours_labels_are_alone(
    seed: int, size: float, local: bool
) -> None:
    case = random_case(np.random.default_rng(seed), 3, 20, linked=0.2, size=size)
    case = case._replace(context=0.0 * case.context, link=0.0 * case.link)
    for most in (12, 4):
        kernel = case.kernel(most=most, most_cut=most)
        for found in (kernel.marginals, kernel.margins):
            close(found(*potentials(case), local), case.scores, size)


def test_one_object_gives_the_same_again() -> None:
    case = random_case(np.random.default_rng(5), 6, 9)
    kernel = case.kernel(most=4, most_cut=4)
    first = [kernel.marginals(*potentials(case)), kernel.margins(*potentials(case), True)]
    kernel.sums(100.0 * case.scores, case.context, case.link, np.ones(6))
    again = [kernel.marginals(*potentials(case)), kernel.margins(*potentials(case), True)]
    assert [part.tolist() for part in first] == [part.tolist() for part in again]


def test_no_document_and_no_label() -> None:
    nothing = Chains(np.array([0]), np.zeros(0, dtype=np.int64), 1)
    assert nothing.margins(np.zeros(0), np.zeros(6), np.zeros(4)).tolist() == []
    empty = Chains(np.array([0, 0, 1, 1]), np.array([-1]), 1)
    assert empty.sums(np.zeros(1), np.zeros(6), np.zeros(4), np.ones(3))[0].tolist() == [
        0.0,
        np.log(2.0),
        0.0,
    ]


def test_potentials_must_fit_the_labels() -> None:
    with pytest.raises(ValueError, match="do not fit the labels; give one score for each"):
        Chains(np.array([0, 1]), np.array([-1]), 1).margins(np.zeros(1), np.zeros(2), np.zeros(4))
