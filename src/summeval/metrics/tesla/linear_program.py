"""TESLA-S by the linear programme that defines it, as its authors solved it.

With the similarity of identity the programme has a closed form, which `TeslaS` uses unless it is
given a solver; so this is for comparing solvers, and much slower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from summeval._core.rows.record import Score
from summeval.metrics.run.runner import FIELDS, Runner
from summeval.metrics.run.text_options import FUNCTION_MARK, LINE_MARK, TOKEN_MARK
from summeval.text.stemmers import token_stemmer

if TYPE_CHECKING:
    from summeval.metrics.run.base import Metric
    from summeval.metrics.tesla.reading import TeslaTextOptions

PARTS = ("unigram", "skip")
PART_FIELDS = ("S", "precision", "recall", "fmeasure")


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


def part(
    candidate: Bag,
    reference: Bag,
    recall_weight: float,
    shared: Callable[[Bag, Bag], float],
) -> Part:
    """Precision, recall and F of two bags; 0 if the denominator is 0.

    F = P R / (w P + (1 - w) R) with w the recall weight.
    ``shared`` computes the overlap of two bags.
    """
    hits = shared(candidate, reference)
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
    shared: Callable[[Bag, Bag], float],
) -> TeslaScore:
    """TESLA-S of a candidate against at least one reference.

    ``aggregate`` over references: ``max`` takes the reference with the highest score,
    ``max-per-bag`` the one with the highest F for each kind of unit (`first_best`), ``average`` the
    mean of each number.

    >>> text = [[Word("the", True), Word("cat", False)]]
    >>> by_programme = partial(shared_weight, solver="kernel")
    >>> score(text, [text], shared=by_programme).fmeasure
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
    parts = [[part(ours, theirs, recall_weight, shared) for ours, theirs in both] for both in pairs]
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


def runner(
    metric: Metric, read: Callable[[str, str], Sentences], solver: str, options: dict[str, Any]
) -> Runner[Sentences]:
    """Scores texts by the definition with `solver` for its programmes."""

    def compare(candidate: Sentences, references: Sequence[Sentences]) -> Score:
        shared = partial(shared_weight, solver=solver)
        return _score(score(candidate, references, shared=shared, **options))

    nan = float("nan")
    empty = Part(nan, nan, nan, nan)
    return Runner.of_pairs(metric, read, compare, _score(join(empty, empty)))


def shared_weight(candidate: Bag, reference: Bag, *, solver: str) -> float:
    """Return the optimum of the programme: a node for each occurrence, an edge between equal units.

    >>> shared_weight([("a", 1.0), ("a", 0.1)], [("a", 0.5), ("b", 1.0)], solver="kernel")
    0.5
    """
    import numpy as np
    from scipy.sparse import csr_array

    from summeval.solvers import transport

    places: dict[Hashable, list[int]] = defaultdict(list)
    for column, (unit, _) in enumerate(reference):
        places[unit].append(column)
    columns = [places.get(unit, []) for unit, _ in candidate]
    indptr = np.cumsum([0, *map(len, columns)])
    indices = np.array([column for found in columns for column in found], dtype=np.int64)
    shape = len(candidate), len(reference)
    similarity = csr_array((np.ones(len(indices)), indices, indptr), shape=shape)
    supply, demand = ([weight for _, weight in bag] for bag in (candidate, reference))
    return transport(supply, demand, similarity, solver=solver).value


def read_plain(text_options: TeslaTextOptions, text: str, place: str) -> Sentences:
    """Return the words of a text without tags."""
    functions = text_options.function_words or frozenset()
    if callable(text_options.tokenizer):
        marked = text_options.text(text, place)
        assert isinstance(marked, bytes)
        return read_marked(text_options, marked, functions)
    from summeval.text import tokens

    lines = text_options.lines(text)
    words = [tokens(line, text_options.tokenizer) for line in lines]
    return [[_word(text_options, form, form in functions) for form in line] for line in words]


def read_marked(
    text_options: TeslaTextOptions, text: bytes, functions: frozenset[str] = frozenset()
) -> Sentences:
    """The words of a text in the kernel's form, of which some are marked as function words."""
    sentences = []
    for line in text.split(LINE_MARK):
        ends = line.replace(FUNCTION_MARK, FUNCTION_MARK + TOKEN_MARK).split(TOKEN_MARK)
        forms = [end.removesuffix(FUNCTION_MARK).decode() for end in ends]
        marks = [end.endswith(FUNCTION_MARK) for end in ends]
        pairs = zip(forms, marks, strict=True)
        sentences.append(
            [_word(text_options, form, mark or form in functions) for form, mark in pairs if form]
        )
    return sentences


def _word(text_options: TeslaTextOptions, form: str, function: bool) -> Word:
    stem = token_stemmer(text_options.stemmer, text_options.unstemmed)
    return Word(stem(form), function)


def _score(score: TeslaScore) -> Score:
    parts = tuple(Score(PART_FIELDS, tuple(part), "fmeasure") for part in score[3:])
    return Score((*FIELDS, "parts"), (*score[:3], Score(PARTS, parts, "unigram")), "fmeasure")
