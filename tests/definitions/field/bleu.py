"""BLEU and GLEU in plain Python.

Papineni, Roukos, Ward and Zhu 2002, "Bleu: a Method for Automatic Evaluation of Machine
Translation", with the details of sacrebleu 2.6.0; Wu and others 2016, section 4.3, with those of
NLTK 3.10.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple


class Settings(NamedTuple):
    """The options of BLEU."""

    max_order: int = 4
    smoothing: str = "exp"
    added: float = 0.0
    effective_order: bool = False


def grams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Return how often each n-gram occurs."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def statistics(
    candidate: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> list[float]:
    """Return both lengths, the shared n-grams of each order, those of the candidate.

    >>> statistics("the the cat".split(), ["the cat".split(), "a the the".split()], 2)
    [3, 3, 3, 2, 3, 2]
    """
    length = len(candidate)
    closest = min((abs(len(other) - length), len(other)) for other in references)[1]
    shared, all_ = [], []
    for n in range(1, max_order + 1):
        own, most = grams(candidate, n), Counter[tuple[str, ...]]()
        for other in references:
            most |= grams(other, n)
        shared.append((own & most).total())
        all_.append(own.total())
    return [length, closest, *shared, *all_]


def fields(sums: Sequence[float], settings: Settings) -> list[float]:
    """Return BLEU, brevity penalty, both lengths and the precisions."""
    length, wanted, *counts = sums
    orders = settings.max_order
    brevity = 1.0 if length >= wanted else exp(1 - wanted / length) if length else 0.0
    precisions, order, halvings = [0.0] * orders, orders, 1
    if not any(counts[:orders]):
        return [0.0, brevity, length, wanted, *precisions]
    for n, (right, every) in enumerate(zip(counts[:orders], counts[orders:], strict=True)):
        added = settings.added if settings.smoothing == "add-k" and n else 0
        if every + added == 0:
            break
        if settings.effective_order:
            order = n + 1
        if right + added:
            precisions[n] = (right + added) / (every + added)
        elif settings.smoothing == "exp":
            halvings *= 2
            precisions[n] = 1 / (halvings * every)
        elif settings.smoothing == "floor":
            precisions[n] = settings.added / every
    used = precisions[:order]
    value = brevity * exp(sum(map(log, used)) / order) if all(used) else 0.0
    return [value, brevity, length, wanted, *precisions]


def gleu(
    candidate: Sequence[str], references: Sequence[Sequence[str]], low: int, high: int
) -> list[float]:
    """Return the shared n-grams, and the greater number, beside the best reference."""

    def every(tokens: Sequence[str]) -> Counter[tuple[str, ...]]:
        found = Counter[tuple[str, ...]]()
        for n in range(low, high + 1):
            found += grams(tokens, n)
        return found

    own, best = every(candidate), [0.0, 0.0]
    for reference in references:
        other = every(reference)
        most = max(own.total(), other.total())
        shared = (own & other).total()
        if most and (not best[1] or shared / most > best[0] / best[1]):
            best = [shared, most]
    return best
