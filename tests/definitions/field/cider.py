"""CIDEr and CIDEr-D in plain Python.

Vedantam, Zitnick and Parikh 2015, "CIDEr: Consensus-based Image Description Evaluation", with the
details of pycocoevalcap 1.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, hypot, log

from definitions.field.bleu import grams

Row = Sequence[Sequence[str]]  # the tokens of each reference


def frequencies(rows: Sequence[Row]) -> Counter[tuple[str, ...]]:
    """Return in how many rows each n-gram is.

    >>> frequencies([[["a"], ["a", "b"]], [["a"]]])["a",]
    2
    """
    found: Counter[tuple[str, ...]] = Counter()
    for texts in rows:
        found.update({gram for text in texts for n in range(1, 5) for gram in grams(text, n)})
    return found


def score(
    candidate: Sequence[str],
    references: Row,
    counted: Counter[tuple[str, ...]],
    rows: int,
    *,
    sigma: float = 6.0,
    clipped: bool = True,
) -> float:
    """Return the score of a row.

    >>> counted = Counter({("a",): 2, ("b",): 1})
    >>> round(score(["a", "b"], [["b"]], counted, 2), 4)
    2.4655
    """

    def weights(text: Sequence[str], n: int) -> dict[tuple[str, ...], float]:
        logs = {gram: log(rows) - log(max(1, counted[gram])) for gram in grams(text, n)}
        return {gram: count * logs[gram] for gram, count in grams(text, n).items()}

    total = 0.0
    for other in references:
        away = max(len(candidate) - 1, 0) - max(len(other) - 1, 0)
        for n in range(1, 5):
            own, its = weights(candidate, n), weights(other, n)
            norms = hypot(*own.values()) * hypot(*its.values())
            shared = sum(
                (min(own[gram], its[gram]) if clipped else own[gram]) * its[gram]
                for gram in own.keys() & its
            )
            near = exp(-(away**2) / (2 * sigma**2)) if clipped else 1.0
            total += shared / norms * near if norms else 0.0
    return 10 * total / 4 / len(references)
