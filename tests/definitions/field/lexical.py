"""Lexical diversity in plain Python, as lexicalrichness 0.5.1 has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import comb, log, nan, sqrt

THRESHOLD, DRAWS = 0.72, 42


def or_nan(number: Callable[[], float]) -> float:
    """Return a number; NaN where it divides by 0 or has the logarithm of 0."""
    try:
        return number()
    except (ZeroDivisionError, ValueError):
        return nan


def ttr(words: Sequence[str]) -> float:
    """Return the types by the words."""
    return len({*words}) / len(words)


def mtld(words: Sequence[str]) -> float:
    """Return the words by the number of stretches in one direction."""
    factors, stretch = 0.0, list[str]()
    for word in words:
        stretch.append(word)
        if ttr(stretch) <= THRESHOLD:
            factors, stretch = factors + 1, []
    if stretch:
        factors += (1 - ttr(stretch)) / (1 - THRESHOLD)
    if not factors:
        factors = 1 if ttr(words) == 1 else (1 - ttr(words)) / (1 - THRESHOLD)
    return len(words) / factors


def hdd(counts: Iterable[int], n: int) -> float:
    """Return the share of types that a draw is expected to have."""
    if n < DRAWS:
        return nan
    return sum(1 - comb(n - f, DRAWS) / comb(n, DRAWS) for f in counts) / DRAWS


def windows(words: Sequence[str], starts: Iterable[int], window: int) -> float:
    """Return the mean share of types of windows that begin there."""
    found = [ttr(words[at : at + window]) for at in starts]
    return or_nan(lambda: sum(found) / len(found))


def measures(words: Sequence[str], window: int) -> list[float]:
    """Return the fields of the metric in their order."""
    n, counts = len(words), Counter(words)
    v = len(counts)
    if not n:
        return [0, 0, *[nan] * 10, 0, *[nan] * 3]
    squares = sum(f * f for f in counts.values())
    return [
        n,
        v,
        v / n,
        v / sqrt(n),
        v / sqrt(2 * n),
        or_nan(lambda: log(v) / log(n)),
        or_nan(lambda: log(log(v)) / log(log(n))),
        or_nan(lambda: log(n) ** 2 / (log(n) - log(v))),
        or_nan(lambda: (log(n) - log(v)) / log(n) ** 2),
        1e4 * (squares - n) / n**2,
        or_nan(lambda: v**2 / (squares - v)),
        or_nan(lambda: (squares - n) / (n * (n - 1))),
        (mtld(words) + mtld(words[::-1])) / 2,
        hdd(counts.values(), n),
        windows(words, range(n - window + 1), window),
        windows(words, range(0, n, window)[:-1], window),
    ]
