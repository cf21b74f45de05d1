"""Explanations of TESLA-E: each word of the reference and the word it is like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from summeval.learn.vectors import CheckedEncoder, quantised
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Token
from summeval.metrics.run.explain.spans import tokens_of
from summeval.text.stemmers import token_stemmer

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.learn.vectors import WordEncoder, WordVectors
    from summeval.metrics.tesla.reading import TeslaTextOptions

REACH = 4  # words on each side that count as near, as in the kernel


class Content(NamedTuple):
    """The content words of a text, or all words if it has no others.

    Attributes
    ----------
    words : list of Token
    vectors : array [word, dimensions] or None
        Those in context, of length 1 or 0.
    """

    words: list[Token]
    vectors: NDArray[float64] | None

    @property
    def forms(self) -> list[str]:
        return [word.form for word in self.words]


class WordMatcher:
    """Tells what each word of a reference adds to `value`, and where the candidate has it.

    Half of it is its share of `recall`. The other half is its share of `pair`: of each pair of
    neighbours half of what the pair has of it.

    Parameters
    ----------
    text_options : TeslaTextOptions
    vectors : WordVectors or None
    encoder : WordEncoder or None
    """

    def __init__(
        self,
        text_options: TeslaTextOptions,
        vectors: WordVectors | None,
        encoder: WordEncoder | None = None,
    ) -> None:
        self._text_options = text_options
        self._vectors = vectors
        self._encoder = None if encoder is None else CheckedEncoder(encoder, "encoder")

    def items(
        self, candidate: str, reference: str, number: int, part: float
    ) -> list[ExplainedItem]:
        """Return an item for each word of a reference, which is the one with this number.

        `part` is the part of `value` that the reference decides.
        """
        mine, others = self._read(candidate), self._read(reference)
        alike = self._alike(mine, others)
        shares = [0.0] * len(others.words)
        if mine.words and others.words:
            weights = weights_of(others.forms, self._vectors)
            squares = weights * alike.max(0) ** 2
            shares = ((squares / weights.sum() + _of_pairs(alike, weights)) / 2 * part).tolist()
        found = []
        for k, word in enumerate(others.words):
            best = int(alike[:, k].argmax()) if mine.words else 0
            like = mine.words[best] if mine.words and alike[best, k] > 0 else None
            same = like is None or like.form == word.form
            found.append(
                ExplainedItem(
                    word.form if same or like is None else f"{word.form} = {like.form}",
                    () if like is None else (like[1:],),
                    ((number, *word[1:]),),
                    shares[k],
                    {"alike": float(alike[best, k]) if mine.words else 0.0},
                )
            )
        return found

    def _alike(self, mine: Content, others: Content) -> NDArray[float64]:
        """Return how alike words are [of mine, of others]."""
        import numpy as np

        if mine.vectors is None or others.vectors is None or not (mine.words and others.words):
            return likeness(mine.forms, others.forms, self._text_options, self._vectors)
        context = np.clip(mine.vectors @ others.vectors.T, 0, 1)
        if self._vectors is not None:
            context = (context + self._vectors.cosines(mine.forms, others.forms)) / 2
        stems = likeness(mine.forms, others.forms, self._text_options, None)
        return np.where(stems == 1, 1.0, context)

    def _read(self, text: str) -> Content:
        options = self._text_options
        vectors = None
        if self._encoder is not None:
            ((spans, given),) = self._encoder([text])
            words = [Token(text[begin:end].lower(), begin, end) for begin, end in spans]
            vectors = _normed(given)
        else:
            words = tokens_of(text, options.tokenizer)
            if callable(options.tokenizer):
                words = [
                    word._replace(form=word.form.lower())
                    for word in words
                    if any(map(str.isalnum, word.form))
                ]
        functions = options.function_words or frozenset()
        chosen = [k for k, word in enumerate(words) if word.form not in functions]
        chosen = chosen or list(range(len(words)))
        rows = None if vectors is None else vectors[chosen]
        return Content([words[k] for k in chosen], rows)


def likeness(
    mine: Sequence[str],
    others: Sequence[str],
    text_options: TeslaTextOptions,
    vectors: WordVectors | None,
) -> NDArray[float64]:
    """Return how alike words are [of mine, of others]: the cosines, and 1 for equal stems."""
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
    """Return the weights of words; without a table all weigh the same."""
    import numpy as np

    return np.ones(len(words)) if vectors is None else vectors.weights(words)


def _of_pairs(alike: NDArray[float64], weights: NDArray[float64]) -> NDArray[float64]:
    """Return what each word of the reference adds to `pair`."""
    import numpy as np

    if len(weights) == 1:
        return np.asarray(alike.max(0))
    both = weights[:-1] * weights[1:]
    both /= both.sum()
    padded = np.pad(alike[:, 1:], ((REACH, REACH), (0, 0)))  # no likeness is below 0
    near = np.max([padded[k : k + len(alike)] for k in range(2 * REACH + 1)], axis=0)
    places = np.argmax(alike[:, :-1] + near, axis=0)[None]
    found = np.zeros(len(weights))
    found[1:] = both * np.take_along_axis(near, places, 0)[0] / 2
    found[:-1] += both * np.take_along_axis(alike[:, :-1], places, 0)[0] / 2
    return found


def _normed(vectors: object) -> NDArray[float64]:
    """Vectors as the kernel has them, of length 1 or 0."""
    import numpy as np

    rows = quantised(vectors, "encoder").astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))
