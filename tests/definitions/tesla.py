"""TESLA-S with the overlap of two bags in closed form, and TESLA-E, by their definitions.

Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation Evaluation Metrics
for Summarization Evaluation", section 3.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import pairwise
from math import fsum
from operator import add
from typing import NamedTuple, TypeVar


class Word(NamedTuple):
    """A token, lower-cased and stemmed if requested."""

    form: str
    function: bool


ROUNDING = 1e-9  # relative tolerance for equal F

Sentence = Sequence[Word]
Sentences = list[list[Word]]
Bag = list[tuple[Hashable, float]]  # one entry for each occurrence of a unit


class Part(NamedTuple):
    """The result of one kind of unit: the shared weight and the total weights."""

    shared: float
    precision: float
    recall: float
    fmeasure: float


class TeslaScore(NamedTuple):
    """The means over both kinds of units, and the single results."""

    precision: float
    recall: float
    fmeasure: float
    unigram: Part
    skip: Part


Judged = TypeVar("Judged", Part, TeslaScore)


def unigrams(sentences: Sequence[Sentence], function_weight: float) -> Bag:
    """Every word with its weight.

    >>> unigrams([[Word("the", True), Word("cat", False)]], 0.1)
    [('the', 0.1), ('cat', 1.0)]
    """
    return [
        (word.form, function_weight if word.function else 1.0)
        for sentence in sentences
        for word in sentence
    ]


def skip_bigrams(
    sentences: Sequence[Sentence],
    function_weight: float,
    *,
    gap: int | None = 4,
    skip_weight: str = "product",
    cross_sentences: bool = True,
) -> Bag:
    """Every pair of words with at most ``gap`` between them (None: any number), with its weight.

    >>> skip_bigrams([[Word("the", True), Word("cat", False), Word("sat", False)]], 0.5, gap=0)
    [(('the', 'cat'), 0.5), (('cat', 'sat'), 1.0)]
    """
    flat = [word for sentence in sentences for word in sentence]
    bag: Bag = []
    for words in [flat] if cross_sentences else sentences:
        for i, first in enumerate(words):
            end = len(words) if gap is None else min(len(words), i + gap + 2)
            for second in words[i + 1 : end]:
                weights = [function_weight if w.function else 1.0 for w in (first, second)]
                weight = min(weights) if skip_weight == "min" else weights[0] * weights[1]
                bag.append(((first.form, second.form), weight))
    return bag


def part(candidate: Bag, reference: Bag, recall_weight: float) -> Part:
    """Precision, recall and F of two bags; 0 if the denominator is 0.

    F = P R / (w P + (1 - w) R) with w the recall weight.
    """
    hits = shared_weight(candidate, reference)
    whole = [fsum(weight for _, weight in bag) for bag in (candidate, reference)]
    precision, recall = (hits / weight if weight else 0.0 for weight in whole)
    below = recall_weight * precision + (1.0 - recall_weight) * recall
    return Part(hits, precision, recall, precision * recall / below if below else 0.0)


def join(unigram: Part, skip: Part) -> TeslaScore:
    """Return the score of two parts: the mean of each number."""
    means = [(a + b) / 2 for a, b in zip(unigram[1:], skip[1:], strict=True)]
    return TeslaScore(means[0], means[1], means[2], unigram, skip)


def first_best(found: Sequence[Judged]) -> Judged:
    """Return the first score with the highest F; F that differ only by rounding count as equal.

    Two references with equal F may differ in precision and recall; the choice must not depend on
    the order of summation or on the solver.

    >>> first_best([Part(1, 1.0, 0.1, 0.3), Part(1, 0.1, 1.0, 0.1 + 0.2)]).precision
    1.0
    """
    least = max(one.fmeasure for one in found) * (1 - ROUNDING)
    return next(one for one in found if one.fmeasure >= least)


def score(
    candidate: Sequence[Sentence],
    references: Sequence[Sequence[Sentence]],
    *,
    function_weight: float = 0.1,
    gap: int | None = 4,
    skip_weight: str = "product",
    cross_sentences: bool = True,
    aggregate: str = "max",
    recall_weight: float = 0.8,
) -> TeslaScore:
    """TESLA-S of a candidate against at least one reference.

    ``aggregate`` over references: ``max`` takes the reference with the highest score,
    ``max-per-bag`` the one with the highest F for each kind of unit (`first_best`), ``average`` the
    mean of each number.

    >>> text = [[Word("the", True), Word("cat", False)]]
    >>> score(text, [text]).fmeasure
    1.0
    """

    def bags(text: Sequence[Sentence]) -> tuple[Bag, Bag]:
        return unigrams(text, function_weight), skip_bigrams(
            text,
            function_weight,
            gap=gap,
            skip_weight=skip_weight,
            cross_sentences=cross_sentences,
        )

    mine = bags(candidate)
    pairs = [zip(mine, bags(reference), strict=True) for reference in references]
    parts = [[part(ours, theirs, recall_weight) for ours, theirs in both] for both in pairs]
    if aggregate == "max":
        return first_best([join(*pair) for pair in parts])
    kinds = list(zip(*parts, strict=True))
    if aggregate == "max-per-bag":
        return join(*map(first_best, kinds))
    return join(
        *(
            Part(*(fsum(column) / len(column) for column in zip(*kind, strict=True)))
            for kind in kinds
        )
    )


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


class WordPart(NamedTuple):
    """What a word adds to the value, its greatest likeness, and the first word that has it."""

    share: float
    alike: float
    place: int


def parts(words: Sequence[str], others: Sequence[str], by: Likeness) -> list[WordPart]:
    """What each word adds to (`covered` + `covered_pairs`) / 2; a pair adds half to each.

    >>> same = Likeness(lambda a, b: float(a == b), lambda word: 1.0)
    >>> parts(["a", "b"], ["x", "b"], same)
    [WordPart(share=0.0, alike=0.0, place=0), WordPart(share=0.5, alike=1.0, place=1)]
    """
    alike = [[by.alike(word, other) for other in others] or [0.0] for word in words]
    best = [(max(row), row.index(max(row))) for row in alike]
    weights = [by.weight(word) for word in words]
    shares = [w * most**2 / fsum(weights) / 2 for w, (most, _) in zip(weights, best, strict=True)]
    if len(words) == 1:
        shares[0] += best[0][0] / 2
    pairs = [one * other for one, other in pairwise(weights)]
    for k, weight in enumerate(pairs):
        near = [max(alike[k + 1][max(j - REACH, 0) : j + REACH + 1]) for j in range(len(alike[k]))]
        sums = [*map(add, alike[k], near)]
        place = sums.index(max(sums))
        shares[k] += weight / fsum(pairs) * alike[k][place] / 4
        shares[k + 1] += weight / fsum(pairs) * near[place] / 4
    return [WordPart(share, *found) for share, found in zip(shares, best, strict=True)]


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
