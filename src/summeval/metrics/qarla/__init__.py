"""QARLA: similarity metrics, their combination QUEEN, and the triples of models that it counts.

``pairs``
    m any model, m' and m'' different: n * n(n-1) triples, as the program Asiya counts them.
``distinct``
    All three different: n(n-1)(n-2) triples, the literal reading of the paper's text.
``all``
    Every triple, including those with the similarity of a model to itself.
"""

from __future__ import annotations

from typing import Any

READINGS = ("pairs", "distinct", "all")


def count_triples(models: Any, triples: str) -> Any:
    """Return the number of triples of so many models, an int or an array of them.

    >>> [count_triples(4, triples) for triples in READINGS]
    [48, 24, 64]
    """
    if triples == "all":
        return models**3
    pairs = models * (models - 1)
    return pairs * (models - 2) if triples == "distinct" else pairs * models
