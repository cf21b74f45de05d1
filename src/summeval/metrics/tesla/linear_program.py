"""TESLA-S by the linear programme that defines it, as its authors solved it.

With the similarity of identity the programme has a closed form, which `TeslaS` uses unless it is
given a solver; so this is for comparing solvers, and much slower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from summeval._core.rows.record import Score
from summeval._textbook import tesla as definition
from summeval.metrics.run.pair_runner import PairRunner
from summeval.metrics.run.text_options import FUNCTION_MARK, LINE_MARK, TOKEN_MARK
from summeval.metrics.run.text_runner import FIELDS
from summeval.text.stemmers import token_stemmer

if TYPE_CHECKING:
    from summeval.metrics.run.base import Metric
    from summeval.metrics.tesla.text_options import TeslaTextOptions

PARTS = ("unigram", "skip")
PART_FIELDS = ("S", "precision", "recall", "fmeasure")

Sentences = list[list[definition.Word]]


def runner(
    metric: Metric, read: Callable[[str, str], Sentences], solver: str, options: dict[str, Any]
) -> PairRunner[Sentences]:
    """Scores texts by the definition with `solver` for its programmes."""

    def compare(candidate: Sentences, references: Sequence[Sentences]) -> Score:
        shared = partial(shared_weight, solver=solver)
        return _score(definition.score(candidate, references, shared=shared, **options))

    nan = float("nan")
    empty = definition.Part(nan, nan, nan, nan)
    return PairRunner(metric, read, compare, _score(definition.join(empty, empty)))


def shared_weight(candidate: definition.Bag, reference: definition.Bag, *, solver: str) -> float:
    """The optimum of the programme: a node for each occurrence, an edge between equal units.

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
    """The words of a text without tags."""
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


def _word(text_options: TeslaTextOptions, form: str, function: bool) -> definition.Word:
    stem = token_stemmer(text_options.stemmer, text_options.unstemmed)
    return definition.Word(stem(form), function)


def _score(score: definition.TeslaScore) -> Score:
    parts = tuple(Score(PART_FIELDS, tuple(part), "fmeasure") for part in score[3:])
    return Score((*FIELDS, "parts"), (*score[:3], Score(PARTS, parts, "unigram")), "fmeasure")
