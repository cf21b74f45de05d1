"""How likely one class of words stands beside another: the table of the model of `readability`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from summeval.metrics.discourse.readability import class_numbers, end_classes, known_classes

BOUNDARY, NUMBER, OTHER = 0, 1, 2  # as the kernel has them


def class_of(word: str) -> int:
    """Return the class of a word in lower case, as the kernel finds it.

    >>> class_of("running") == class_of("walking"), class_of("cats") == class_of("class")
    (True, False)
    """
    known = known_classes().get(word)
    if known:
        return known[0]
    if word[0] in "0123456789":
        return NUMBER
    fits = (number for end, number in end_classes() if word.endswith(end) and _is_longer(word, end))
    return next(fits, OTHER)


def _is_longer(word: str, end: str) -> bool:
    return len(word.encode()) >= len(end) + 3


def likeliness(sequences: Iterable[list[int]]) -> NDArray[np.float64]:
    """Pointwise mutual information of neighbouring classes [class, class of the next], in nats.

    Of sentences as sequences of classes. Estimates of rare pairs go back to single classes, as of
    Witten and Bell 1991, "The Zero-Frequency Problem".
    """
    size = len(class_numbers())
    counts = np.zeros((size, size))
    for before, after in _neighbours(sequences):
        counts[before, after] += 1
    single = counts.sum(axis=0) + 1
    single /= single.sum()
    kinds = (counts > 0).sum(axis=1, keepdims=True)
    total = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (counts + kinds * single) / (total + kinds)
    found = np.where(total > 0, found, single)
    return np.asarray(np.log(found / single))


def _neighbours(sequences: Iterable[list[int]]) -> Iterator[tuple[int, int]]:
    for classes in sequences:
        yield from pairwise([BOUNDARY, *classes, BOUNDARY])
