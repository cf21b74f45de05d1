"""What a score of TESLA-E comes from: each word of the reference and the word it is like."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import fsum
from typing import TYPE_CHECKING

from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.text import tokens
from summeval.text.stemmers import token_stemmer

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.learn.vectors.table import WordVectors
    from summeval.metrics.tesla.text_options import TeslaTextOptions

REACH = 4  # words on each side that count as near, as in the kernel
_RUNS = {"rouge155": re.compile(r"[0-9A-Za-z]+"), "unicode": re.compile(r"[^\W_]+")}

Span = tuple[int, int]


def explain(
    name: str,
    candidate: str,
    references: Sequence[str],
    *,
    number: int,
    text_options: TeslaTextOptions,
    vectors: WordVectors | None,
) -> Explanation:
    """What each word of a reference adds to `value`, and where in the candidate it was found.

    Half of it is its share of `recall`. The other half is its share of `pair`: of each pair of
    neighbours half of what the pair has of it.
    """
    mine, others = (_content(text_options, text) for text in (candidate, references[number]))
    words = [word for word, _ in others]
    alike = likeness([word for word, _ in mine], words, text_options, vectors)
    shares = [0.0] * len(words)
    if mine and words:
        weights = weights_of(words, vectors)
        squares = weights * alike.max(0) ** 2
        shares = (squares / weights.sum() / 2 + _of_pairs(alike, weights) / 2).tolist()
    items = []
    for k, (word, span) in enumerate(others):
        best = int(alike[:, k].argmax()) if mine else 0
        found = mine[best] if mine and alike[best, k] > 0 else None
        items.append(
            ExplainedItem(
                word if found is None or found[0] == word else f"{word} = {found[0]}",
                () if found is None else (found[1],),
                ((number, *span),),
                shares[k],
                {"alike": float(alike[best, k]) if mine else 0.0},
            )
        )
    return Explanation(name, fsum(shares), tuple(items), candidate, tuple(references))


def likeness(
    mine: Sequence[str],
    others: Sequence[str],
    text_options: TeslaTextOptions,
    vectors: WordVectors | None,
) -> NDArray[float64]:
    """How alike words are [of mine, of others]: the cosines, and 1 for equal stems."""
    import numpy as np

    stem = token_stemmer(text_options.stemmer, text_options.unstemmed)
    ids: dict[str, int] = {}
    left, right = (
        np.array([ids.setdefault(stem(word), len(ids)) for word in side], dtype=np.int64)
        for side in (mine, others)
    )
    cosines = (
        np.zeros((len(mine), len(others))) if vectors is None else vectors.cosines(mine, others)
    )
    return np.where(left[:, None] == right, 1.0, cosines)


def weights_of(words: Sequence[str], vectors: WordVectors | None) -> NDArray[float64]:
    """The weights of words; without a table all weigh the same."""
    import numpy as np

    return np.ones(len(words)) if vectors is None else vectors.weights(words)


def _of_pairs(alike: NDArray[float64], weights: NDArray[float64]) -> NDArray[float64]:
    """What each word of the reference adds to `pair`."""
    import numpy as np

    if len(weights) == 1:
        return np.asarray(alike.max(0))
    found = np.zeros(len(weights))
    both = weights[:-1] * weights[1:]
    for k, weight in enumerate(both / both.sum()):
        first, second = alike[:, k], alike[:, k + 1]
        near = [second[max(j - REACH, 0) : j + REACH + 1].max() for j in range(len(second))]
        place = int(np.argmax(first + near))
        found[k] += weight * first[place] / 2
        found[k + 1] += weight * near[place] / 2
    return found


def _content(text_options: TeslaTextOptions, text: str) -> list[tuple[str, Span]]:
    """The content words of a text and where they are; all words if it has no others."""
    functions = text_options.function_words or frozenset()
    words = list(zip(*_words(text_options, text), strict=True))
    content = [(word, span) for word, span in words if word not in functions]
    return content or words


def _words(text_options: TeslaTextOptions, text: str) -> tuple[list[str], list[Span]]:
    tokenizer = text_options.tokenizer
    found = tokens(text, tokenizer)
    if not callable(tokenizer):
        spans = [run.span() for run in _RUNS[tokenizer].finditer(text)]
        if len(spans) == len(found):
            return found, spans
    kept = [token for token in found if any(map(str.isalnum, token))]
    return [token.lower() for token in kept], _places(text, kept, str.lower)


def _places(text: str, words: Sequence[str], fold: Callable[[str], str]) -> list[Span]:
    """Where words are in a text, one after the other; (0, 0) for one that is not found."""
    folded, at, spans = fold(text), 0, []
    for word in words:
        begin = folded.find(fold(word), at) if len(folded) == len(text) else -1
        spans.append((begin, begin + len(word)) if begin >= 0 else (0, 0))
        at = spans[-1][1] if begin >= 0 else at
    return spans
