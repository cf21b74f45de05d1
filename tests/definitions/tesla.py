"""TESLA-S with the overlap of two bags in closed form, and TESLA-E, by their definitions.

Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation Evaluation Metrics
for Summarization Evaluation", section 3. The bags and the scores of TESLA-S are those that
`TeslaS(solver=...)` solves as linear programmes.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from summeval.metrics.tesla.linear_program import (
    ROUNDING,
    Bag,
    TeslaScore,
    Word,
    skip_bigrams,
    unigrams,
)
from summeval.metrics.tesla.linear_program import score as score_by

__all__ = ["TeslaScore", "Word", "graded", "score", "skip_bigrams", "unigrams"]


def by_type(bag: Bag) -> Mapping[Hashable, float]:
    """The weight of each type: the sum over its occurrences."""
    weights: dict[Hashable, list[float]] = defaultdict(list)
    for unit, weight in bag:
        weights[unit].append(weight)
    return {unit: fsum(parts) for unit, parts in weights.items()}


def shared_weight(candidate: Bag, reference: Bag) -> float:
    """The optimum of the transport problem between two bags whose similarity is identity.

    Flow between occurrences of a type is limited only by the smaller of the two total weights of
    the type; flow between types has no value.

    >>> shared_weight([("a", 1.0), ("a", 0.1)], [("a", 0.5), ("b", 1.0)])
    0.5
    """
    mine, theirs = by_type(candidate), by_type(reference)
    return fsum(min(weight, theirs[unit]) for unit, weight in mine.items() if unit in theirs)


score = partial(score_by, shared=shared_weight)


# TESLA-E: words are alike by their vectors. A text is a sequence of its content words.


class Graded(NamedTuple):
    """The fields of TESLA-E."""

    recall: float
    precision: float
    pair: float
    flow: float
    value: float


class Likeness(NamedTuple):
    """What the words of texts are alike by, and what they weigh.

    ``alike(a, b)`` is from 0 to 1, and 1 for equal words; ``weight(a)`` is above 0.
    """

    alike: Callable[[str, str], float]
    weight: Callable[[str], float]


REACH = 4  # words on each side that count as near


def content_words(words: Sequence[Word]) -> list[str]:
    """The words that are no function words; all if there are no others.

    >>> content_words([Word("the", True), Word("cat", False)]), content_words([Word("the", True)])
    (['cat'], ['the'])
    """
    content = [word.form for word in words if not word.function]
    return content or [word.form for word in words]


def covered(words: Sequence[str], others: Sequence[str], by: Likeness) -> float:
    """The share of some words that others have: of each the square of its greatest likeness.

    >>> half = Likeness(lambda a, b: 1.0 if a == b else 0.5, lambda word: float(len(word)))
    >>> covered(["storm", "hit"], ["storm"], half)
    0.71875
    """
    if not words or not others:
        return 0.0
    parts = [by.weight(a) * max(by.alike(a, b) for b in others) ** 2 for a in words]
    return fsum(parts) / fsum(map(by.weight, words))


def covered_pairs(words: Sequence[str], others: Sequence[str], by: Likeness) -> float:
    """The share of neighbouring words that others have near each other, by their likeness.

    A single word counts alone.

    >>> same = Likeness(lambda a, b: float(a == b), lambda word: 1.0)
    >>> covered_pairs(["a", "b", "c"], ["b", "x", "a", "c"], same)
    1.0
    >>> covered_pairs(["a", "b"], ["b", *"uvwxyz", "a"], same)
    0.5
    """
    if not words or not others:
        return 0.0
    if len(words) == 1:
        return max(by.alike(words[0], b) for b in others)
    found, weights = [], []
    for one, other in pairwise(words):
        sums = [
            by.alike(one, mine)
            + max(by.alike(other, near) for near in others[max(j - REACH, 0) : j + REACH + 1])
            for j, mine in enumerate(others)
        ]
        weights.append(by.weight(one) * by.weight(other))
        found.append(weights[-1] * max(sums) / 2)
    return fsum(found) / fsum(weights)


def sent(
    words: Sequence[str],
    others: Sequence[str],
    by: Likeness,
    transport: Callable[[list[float], list[float], list[list[float]]], float],
) -> float:
    """The optimum of the programme, by the squares of the weights of ``words``.

    A word can send the square of its weight, and another take that of its own; what is sent counts
    by how far their likeness is above a half. ``transport`` solves it, of supply, demand and worth.
    """
    if not words or not others:
        return 0.0
    supply, demand = ([by.weight(word) ** 2 for word in side] for side in (words, others))
    worth = [[max(by.alike(a, b) - 0.5, 0.0) / 0.5 for b in others] for a in words]
    return transport(supply, demand, worth) / fsum(supply)


def graded(
    candidate: Sequence[str],
    references: Sequence[Sequence[str]],
    by: Likeness,
    transport: Callable[[list[float], list[float], list[list[float]]], float],
    aggregate: str = "max",
) -> Graded:
    """TESLA-E of the content words of a candidate against those of at least one reference.

    ``aggregate`` over references: ``max`` takes the fields of the one with the highest value (the
    first of equals), ``average`` the means, ``best`` the highest of each field.
    """
    found = []
    for words in references:
        recall, pair = covered(words, candidate, by), covered_pairs(words, candidate, by)
        precision, flow = covered(candidate, words, by), sent(words, candidate, by, transport)
        found.append(Graded(recall, precision, pair, flow, (recall + pair) / 2))
    if aggregate == "max":
        least = max(one.value for one in found) * (1 - ROUNDING)
        return next(one for one in found if one.value >= least)
    columns = list(zip(*found, strict=True))
    if aggregate == "best":
        return Graded(*map(max, columns))
    return Graded(*(fsum(column) / len(column) for column in columns))
