"""TESLA-S in Python: the words of a text, its bags, and their linear programme.

With the similarity of identity the programme has a closed form, which the kernel uses; `TeslaS`
solves the programme itself, as its authors did, where it is given a solver. That is for comparing
solvers, and much slower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum
from operator import or_
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple, TypeVar

import numpy as np

from summeval._arrays import Ints
from summeval._core.rows.record import Score
from summeval.metrics.run.explain.items import Token
from summeval.metrics.run.explain.spans import compared, lowered, original, sentences_of
from summeval.metrics.run.runner import lowers
from summeval.metrics.run.text_options import FUNCTION_MARK, LINE_MARK, TOKEN_MARK
from summeval.metrics.tesla.reading import PARTS, Part, TeslaTextOptions, is_punctuation
from summeval.text.stemmers import is_snowball, token_stemmer

Scored = TypeVar("Scored", "Part", "Score")
MOST_PAIRS = 500  # different skip-bigrams that are told one by one
ROUNDING = 1e-9  # F that differ by less are equal
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)  # as the kernel folds case


Weighted = tuple[Token, bool]  # and whether it is a function word
Sentences = Sequence[Sequence[Weighted]]


def words_of(
    text_options: TeslaTextOptions, texts: Sequence[str], case: str
) -> list[list[list[Weighted]]]:
    """Return the words of each sentence of each text of a row, as they are compared."""
    low = lowers(case, texts) if case == "auto" else False
    functions = text_options.function_words or frozenset()
    found = []
    for text in texts:
        read, origin = lowered(text, low)
        sentences = []
        for sentence in sentences_of(text_options, read):
            words, marks = sentence, [False] * len(sentence)
            if callable(text_options.tokenizer):
                kept = text_options.keep_punctuation
                words = [one for one in words if one[0] and (kept or not is_punctuation(one[0]))]
                marks = [is_punctuation(form) for form, _, _ in words]
                if text_options.lowercase:
                    words = [Token(form.lower(), *span) for form, *span in words]
            if not isinstance(origin, range):
                words = [Token(form, *original((b, e), origin)) for form, b, e in words]
            low_forms = [form.translate(_LOWER) for form, _, _ in words]
            marks = [*map(or_, marks, map(functions.__contains__, low_forms))]
            sentences.append([*zip(compared(text_options, words), marks, strict=True)])
        found.append(sentences)
    return found


class Bag(NamedTuple):
    """The units of a text in their order: its tokens, or its skip-bigrams.

    Attributes
    ----------
    words : array [unit, 1 or 2]
        Numbers of forms, the same in all texts of a row.
    functions : array [unit]
        How many of the words are function words.
    """

    words: Ints
    functions: Ints


def bags_of(
    sentences: Sentences, forms: dict[str, int], gap: int, cross_sentences: bool
) -> tuple[Bag, Bag]:
    """Return tokens, and pairs of tokens with at most `gap` between them (below 0: any number).

    `forms` numbers the forms of a row; new ones are added.
    """
    flat = [word for sentence in sentences for word in sentence]
    sizes = np.array([len(sentence) for sentence in sentences], np.int64)
    ids = np.array([forms.setdefault(token.form, len(forms)) for token, _ in flat], np.int64)
    functions = np.array([function for _, function in flat], np.int64)
    numbers = np.arange(len(flat))
    ends = np.full(len(flat), len(flat)) if cross_sentences else np.repeat(np.cumsum(sizes), sizes)
    if gap >= 0:
        ends = np.minimum(ends, numbers + gap + 2)
    counts = ends - numbers - 1
    first = np.repeat(numbers, counts)
    second = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + first + 1
    pairs = np.stack([first, second], axis=1)
    return Bag(ids[:, None], functions), Bag(ids[pairs], functions[first] + functions[second])


def factors_of(scores: Sequence[Score], aggregate: str) -> list[dict[int, float]]:
    """Of each bag the references that count, and what their F is multiplied by in the value.

    Parameters
    ----------
    scores : sequence of Score
        Of each reference alone.
    aggregate : {"max", "max-per-bag", "average"}

    Examples
    --------
    >>> import summeval
    >>> scores = [summeval.TeslaS().score("a cat", text) for text in ("cat", "a cat")]
    >>> factors_of(scores, "max"), factors_of(scores, "average")[0]
    ([{1: 0.5}, {1: 0.5}], {0: 0.25, 1: 0.25})
    """
    each = range(len(scores))
    if aggregate == "average":
        return [dict.fromkeys(each, 1 / len(PARTS) / len(scores))] * len(PARTS)
    bags = [scores if aggregate == "max" else [s.parts[part] for s in scores] for part in PARTS]
    return [{first_best(found): 1 / len(PARTS)} for found in bags]


def first_best(found: Sequence[Scored]) -> int:
    """Return the place of the first of the highest F; those that differ by rounding are equal.

    Two references with equal F may differ in precision and recall; the choice must not depend on
    the order of summation or on the solver.

    >>> first_best([Part(1, 1.0, 0.1, 0.3), Part(1, 0.1, 1.0, 0.1 + 0.2)])
    0
    """
    least = max(one.fmeasure for one in found) * (1 - ROUNDING)
    return next(place for place, one in enumerate(found) if one.fmeasure >= least)


def solved(
    candidate: Bag, reference: Bag, weights: Sequence[float], recall_weight: float, solver: str
) -> Part:
    """Return what two bags share: the optimum of their programme, and its P, R and F.

    It has a node for each occurrence of a unit, and an edge between equal units.

    Parameters
    ----------
    candidate, reference : Bag
        Made with the same `forms`.
    weights : sequence of float
        Of a unit with no function word, with one, and with two.
    recall_weight : float
    solver : str

    Examples
    --------
    >>> forms = {}
    >>> cat, end = (Token("cat", 0, 3), False), (Token("end", 4, 7), True)
    >>> one, other = (bags_of([words], forms, 4, True)[0] for words in ([cat, cat], [cat, end]))
    >>> solved(one, other, (1.0, 0.5), 0.8, "kernel")
    Part(S=1.0, precision=0.5, recall=0.6666666666666666, fmeasure=0.625)
    """
    from scipy.sparse import csr_array

    from summeval.solvers import transport

    places: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for column, unit in enumerate(map(tuple, reference.words.tolist())):
        places[unit].append(column)
    columns = [places.get(unit, []) for unit in map(tuple, candidate.words.tolist())]
    indptr = np.cumsum([0, *map(len, columns)])
    indices = np.array([column for found in columns for column in found], dtype=np.int64)
    shape = len(candidate.words), len(reference.words)
    similarity = csr_array((np.ones(len(indices)), indices, indptr), shape=shape)
    supply, demand = (
        [weights[count] for count in bag.functions.tolist()] for bag in (candidate, reference)
    )
    shared = transport(supply, demand, similarity, solver=solver).value
    return Part.of(shared, fsum(supply), fsum(demand), recall_weight)


def read_plain(text_options: TeslaTextOptions, text: str, place: str) -> Sentences:
    """Return the words of a text without tags."""
    if not text_options.in_python:
        return words_of(text_options, [text], "keep")[0]
    marked = text_options.text(text, place)
    assert isinstance(marked, bytes)
    stemmed = is_snowball(text_options.stemmer)
    functions = None if stemmed else text_options.function_words
    return read_marked(text_options, marked, functions or frozenset())


def read_marked(
    text_options: TeslaTextOptions, text: bytes, functions: frozenset[str] = frozenset()
) -> Sentences:
    """The words of a text in the kernel's form, of which some are marked as function words."""
    stem = token_stemmer(text_options.kernel_stemmer, text_options.unstemmed)
    sentences = []
    for line in text.split(LINE_MARK):
        ends = line.replace(FUNCTION_MARK, FUNCTION_MARK + TOKEN_MARK).split(TOKEN_MARK)
        forms = [end.removesuffix(FUNCTION_MARK).decode() for end in ends]
        marks = [end.endswith(FUNCTION_MARK) for end in ends]
        pairs = zip(forms, marks, strict=True)
        sentences.append(
            [(Token(stem(form), 0, 0), mark or form in functions) for form, mark in pairs if form]
        )
    return sentences
