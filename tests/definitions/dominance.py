"""QUEEN, KING, JACK and Asiya's ORANGE by counting triples one by one.

Source: Amigó, Gonzalo, Peñas and Verdejo 2005, "QARLA: A Framework for the Evaluation of Text
Summarization Systems". A text is a number: the models come first, then the peers. ``x`` holds
similarities ``x[metric][candidate][reference]``.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

Similarities = Sequence[Sequence[Sequence[float]]]
Triple = tuple[int, int, int]


def triples(models: Sequence[int], reading: str) -> list[Triple]:
    """The triples (m, m', m'') that a reading of QUEEN counts.

    >>> [len(triples(range(4), reading)) for reading in ("pairs", "distinct", "all")]
    [48, 24, 64]
    """
    if reading == "all":
        return list(product(models, models, models))
    if reading == "distinct":
        return list(permutations(models, 3))
    return [(m, a, b) for m in models for a, b in permutations(models, 2)]


def queen(x: Similarities, text: int, models: Sequence[int], reading: str = "pairs") -> Fraction:
    """The share of triples with x(text, m) >= x(m', m'') for every metric x (section 3.1)."""
    asked = triples(models, reading)
    hits = [all(metric[text][m] >= metric[a][b] for metric in x) for m, a, b in asked]
    return Fraction(sum(hits), len(asked))


def king(x: Similarities, n_models: int, reading: str = "pairs", ties: str = "lose") -> Fraction:
    """The share of models m with a greater QUEEN than every peer, both against the other models."""
    wins = 0
    for m in range(n_models):
        others = [model for model in range(n_models) if model != m]
        own = queen(x, m, others, reading)
        found = [queen(x, peer, others, reading) for peer in range(n_models, len(x[0]))]
        wins += all(own > other or (ties == "win" and own == other) for other in found)
    return Fraction(wins, n_models)


def jack(
    x: Similarities, n_models: int, variant: str = "one_sided", reading: str = "pairs"
) -> Fraction:
    """The share of models m for which two peers a, a' have x(a, a') <= x(a, m) for every metric."""
    peers = list(range(n_models, len(x[0])))
    if variant == "queen_positive":
        peers = [peer for peer in peers if queen(x, peer, range(n_models), reading) > 0]
    wins = 0
    for m in range(n_models):
        wins += any(
            all(
                metric[a][b] <= metric[a][m]
                and (variant != "both_sides" or metric[b][a] <= metric[b][m])
                for metric in x
            )
            for a, b in permutations(peers, 2)
        )
    return Fraction(wins, n_models)


def orange(x: Similarities, n_models: int, reading: str = "pairs") -> Fraction:
    """The share of (model, peer) where the peer has no greater QUEEN than the model (Asiya)."""
    hits = []
    for m in range(n_models):
        others = [model for model in range(n_models) if model != m]
        own = queen(x, m, others, reading)
        hits += [queen(x, peer, others, reading) <= own for peer in range(n_models, len(x[0]))]
    return Fraction(sum(hits), len(hits))
