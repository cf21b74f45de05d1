"""Greedy matching of token vectors by cosine, as BERTScore defines it, token by token.

Zhang, Kishore, Wu, Weinberger and Artzi 2020, "BERTScore: Evaluating Text Generation with BERT",
section 3.
"""

from collections.abc import Sequence
from math import fsum, nan, sqrt

Vector = Sequence[float]


def cosine(a: Vector, b: Vector) -> float:
    """The cosine of two vectors, 0 if one of them is zero.

    >>> cosine([3, 4], [4, 3])
    0.96
    """
    lengths = sqrt(fsum(x * x for x in a)) * sqrt(fsum(x * x for x in b))
    return fsum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def share(own: Sequence[Vector], weights: Sequence[float], other: Sequence[Vector]) -> float:
    """The mean, by their weights, of the greatest cosine of each token with one of the other text.

    >>> share([[1, 0], [0, 1]], [3, 1], [[2, 0]])
    0.75
    """
    total = fsum(weights)
    if not own or not other or not total:
        return nan
    best = [max(cosine(vector, partner) for partner in other) for vector in own]
    return fsum(w * x for w, x in zip(weights, best, strict=True)) / total


def greedy(
    candidate: Sequence[Vector],
    candidate_weights: Sequence[float],
    reference: Sequence[Vector],
    reference_weights: Sequence[float],
) -> tuple[float, float]:
    """Precision and recall of a candidate (equations of section 3, with weights)."""
    return (
        share(candidate, candidate_weights, reference),
        share(reference, reference_weights, candidate),
    )
