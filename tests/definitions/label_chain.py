"""Chains of labels with links in plain Python, by enumeration of all labellings."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import exp, fsum, inf, log
from typing import NamedTuple

Labels = tuple[int, ...]  # each 0 or 1


class Chain(NamedTuple):
    """The log potentials of a document.

    Attributes
    ----------
    scores : sequence of float
        Of label 1, for each position.
    order : int
        The number of labels before its own that the factor of a position reads, where there are
        so many.
    contexts : mapping
        The log potential of these labels, the own one last.
    parents : sequence of int or None
        The earlier position that each position is linked to.
    links : mapping
        The log potential of the labels of a linked position and of its own.
    local : bool
        Whether each factor is divided by its sum over the own label.
    """

    scores: Sequence[float]
    order: int = 0
    contexts: Mapping[Labels, float] = {}
    parents: Sequence[int | None] = ()
    links: Mapping[Labels, float] = {}
    local: bool = False


def log_potential(chain: Chain, labels: Labels) -> float:
    """The log potential of a labelling: the sum over its factors.

    >>> log_potential(Chain([1.0, 2.0], 1, {(1, 1): 0.25}), (1, 1))
    3.25
    """
    return fsum(_factor(chain, t, labels) for t in range(len(labels)))


def log_partition(chain: Chain) -> float:
    """The logarithm of the sum of the potentials of all labellings.

    >>> round(exp(log_partition(Chain([log(2.0), log(3.0)]))), 9)
    12.0
    """
    return _log_sum([log_potential(chain, labels) for labels in _labellings(chain)])


def marginals(chain: Chain) -> list[float]:
    """The probability of label 1 at each position.

    >>> [round(p, 9) for p in marginals(Chain([log(2.0), log(3.0)]))]
    [0.666666667, 0.75]
    """
    whole = log_partition(chain)
    shares = {labels: exp(log_potential(chain, labels) - whole) for labels in _labellings(chain)}
    return [
        fsum(share for labels, share in shares.items() if labels[t])
        for t in range(len(chain.scores))
    ]


def margins(chain: Chain) -> list[float]:
    """The log potential of the best labelling with label 1 at a position less that with 0.

    >>> margins(Chain([-1.0, 2.0], 1, {(1, 1): 1.5}))
    [0.5, 2.5]
    """
    best = [[-inf, -inf] for _ in chain.scores]
    for labels in _labellings(chain):
        potential = log_potential(chain, labels)
        for t, label in enumerate(labels):
            best[t][label] = max(best[t][label], potential)
    return [one - zero for zero, one in best]


def expected(chain: Chain) -> tuple[dict[Labels, float], dict[Labels, float]]:
    """The expected number of positions with each context, and with each labels of a link.

    >>> expected(Chain([0.0, 0.0], 1))[0][0, 1]
    0.25
    """
    whole = log_partition(chain)
    contexts: dict[Labels, float] = {}
    links: dict[Labels, float] = {}
    for labels in _labellings(chain):
        share = exp(log_potential(chain, labels) - whole)
        for t in range(len(labels)):
            own = _context(chain, t, labels)
            contexts[own] = contexts.get(own, 0.0) + share
            if (pair := _link(chain, t, labels)) is not None:
                links[pair] = links.get(pair, 0.0) + share
    return contexts, links


def _factor(chain: Chain, t: int, labels: Labels) -> float:
    values = [_plain_factor(chain, t, (*labels[:t], label)) for label in (0, 1)]
    return values[labels[t]] - (_log_sum(values) if chain.local else 0.0)


def _plain_factor(chain: Chain, t: int, labels: Labels) -> float:
    own = chain.scores[t] * labels[t] + chain.contexts.get(_context(chain, t, labels), 0.0)
    pair = _link(chain, t, labels)
    return own if pair is None else own + chain.links.get(pair, 0.0)


def _context(chain: Chain, t: int, labels: Labels) -> Labels:
    return labels[max(0, t - chain.order) : t + 1]


def _link(chain: Chain, t: int, labels: Labels) -> Labels | None:
    parent = chain.parents[t] if chain.parents else None
    return None if parent is None else (labels[parent], labels[t])


def _labellings(chain: Chain) -> Iterator[Labels]:
    return product((0, 1), repeat=len(chain.scores))


def _log_sum(values: Sequence[float]) -> float:
    high = max(values)
    return high + log(fsum(exp(value - high) for value in values))
