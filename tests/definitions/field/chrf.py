"""chrF and chrF++ in plain Python.

Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation"; Popović 2017, "chrF++:
words helping character n-grams"; the details are those of sacrebleu 2.6.0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import punctuation
from typing import NamedTuple


class Settings(NamedTuple):
    """The options of the metric."""

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    whitespace: bool = False
    eps: bool = False


def words(text: str) -> list[str]:
    """Return what blanks separate; one mark at an end of it is a word of its own.

    >>> words("(hi) a, -")
    ['(hi', ')', 'a', ',', '-']
    """
    found = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def statistics(candidate: str, reference: str, settings: Settings) -> list[float]:
    """Return for each order the n-grams of the candidate, of the reference, of both."""
    found: list[float] = []
    sides = [
        (text if settings.whitespace else "".join(text.split())) for text in (candidate, reference)
    ]
    kinds = [
        (settings.char_order, sides),
        (settings.word_order, [words(candidate), words(reference)]),
    ]
    for orders, (own, other) in kinds:
        for n in range(1, orders + 1):
            mine, theirs = (
                Counter(tuple(units[i : i + n]) for i in range(len(units) - n + 1))
                for units in (own, other)
            )
            own_size = mine.total() if theirs else 0
            found += [own_size, theirs.total(), (mine & theirs).total()]
    return found


def fields(sums: Sequence[float], settings: Settings) -> tuple[float, float, float]:
    """Return F, precision and recall of sums of statistics."""
    b2, eps = settings.beta**2, 1e-16
    orders = [sums[k : k + 3] for k in range(0, len(sums), 3)]
    used = [(m / h, m / r) for h, r, m in orders if h and r]
    precision = sum(p for p, _ in used) / len(used) if used else 0.0
    recall = sum(r for _, r in used) / len(used) if used else 0.0
    if settings.eps:
        total = 0.0
        for h, r, m in orders:
            p, q = m / h if h else eps, m / r if r else eps
            below = b2 * p + q
            total += (1 + b2) * p * q / below if below else eps
        return total / len(orders), precision, recall
    below = b2 * precision + recall
    return (1 + b2) * precision * recall / below if below else 0.0, precision, recall


def chrf(candidate: str, references: Sequence[str], settings: Settings) -> list[float]:
    """Return the statistics beside the reference with the best F, the first of equal ones."""
    every = [statistics(candidate, reference, settings) for reference in references]
    return max(every, key=lambda sums: fields(sums, settings)[0])
