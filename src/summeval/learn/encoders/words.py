"""Vectors of the words of a text in their context, for metrics that compare words."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from summeval._lazy import np
from summeval._options import check_whole
from summeval.learn.encoders.transformer import Pieces, Transformer
from summeval.learn.vectors import EncodedText, Span, word_spans

if TYPE_CHECKING:
    from summeval._arrays import Floats32

_TOGETHER = 256  # texts


class WordsInContext:
    """A `WordEncoder`: each word has the mean of the vectors of its pieces in the text.

    The directions in which all words are alike say nothing: with a sample of texts, the mean of its
    words is subtracted and their first principal components are removed.

    Parameters
    ----------
    model, layer, device, batch_size
        As in `Transformer`.
    sample : iterable of str
        Texts of the kind that is compared, such as the sources of a data set; some hundred do.
    drop : int
        How many components of the sample are removed.

    Raises
    ------
    ImportError, MemoryError, ValueError
        As `Transformer`; or the tokenizer of the model does not tell where a token is.

    Notes
    -----
    A word behind the longest text that the model takes has a vector of zeros, which is like no
    other.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] = "minilm",
        layer: int | None = None,
        *,
        sample: Iterable[str] = (),
        drop: int = 10,
        device: str | None = None,
        batch_size: int | None = None,
    ) -> None:
        if isinstance(sample, (str, bytes)):
            raise TypeError(f"sample is {type(sample).__name__}; give a list of texts")
        self._model = Transformer(model, layer, device, batch_size)
        self._sample = list(dict.fromkeys(sample))
        self._drop = check_whole("drop", drop)
        self._removed: Removed | None = None

    @property
    def signature(self) -> str:
        """The model, and what is removed, known without loading it."""
        if not self._sample:
            return self._model.signature
        digest = hashlib.sha256()
        for text in self._sample:
            data = text.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data) + data)
        told = f"{len(self._sample)}-{digest.hexdigest()[:8]}"
        return f"{self._model.signature}-without-{self._drop}-of-{told}"

    def __call__(self, texts: Sequence[str]) -> Iterator[EncodedText]:
        """Yield the words of each text and their vectors."""
        if self._sample and self._removed is None:
            found = (one.vectors for one in self._words(self._sample))
            self._removed = Removed.of(found, self._drop)
        for one in self._words(texts):
            rest = one.vectors if self._removed is None else self._removed.taken_off(one.vectors)
            yield EncodedText(one.spans, rest)

    def _words(self, texts: Sequence[str]) -> Iterator[EncodedText]:
        for begin in range(0, len(texts), _TOGETHER):
            some = texts[begin : begin + _TOGETHER]
            pieces = self._model.pieces(some)
            vectors = self._model.vectors([one.ids for one in pieces])
            for text, one, rows in zip(some, pieces, vectors, strict=True):
                spans = word_spans(text)
                yield EncodedText(spans, of_words(spans, one, rows))


def of_words(spans: Sequence[Span], pieces: Pieces, rows: Floats32) -> Floats32:
    """Return the mean of the pieces of each word; zeros for a word without one.

    A piece that reaches over several words counts for the first of them.

    >>> import numpy as np
    >>> pieces = Pieces([2, 7, 8, 9, 3], [(0, 0), (0, 2), (2, 4), (5, 6), (0, 0)])
    >>> rows = np.array([[9, 9], [1, 0], [0, 1], [4, 4], [9, 9]], dtype=np.float32)
    >>> of_words([(0, 4), (5, 6), (7, 8)], pieces, rows).tolist()
    [[0.5, 0.5], [4.0, 4.0], [0.0, 0.0]]
    """
    sums = np.zeros((len(spans), rows.shape[1]), dtype=np.float64)
    counts = np.zeros(len(spans))
    word = 0
    for (begin, end), row in zip(pieces.spans, rows, strict=True):
        if begin == end:
            continue
        while word < len(spans) and spans[word][1] <= begin:
            word += 1
        if word < len(spans) and spans[word][0] < end:
            sums[word] += row
            counts[word] += 1
    return (sums / np.maximum(counts, 1)[:, None]).astype(np.float32)


class Removed(NamedTuple):
    """A mean and directions that are taken off vectors."""

    mean: Floats32
    directions: Floats32

    @classmethod
    def of(cls, vectors: Iterable[Floats32], drop: int) -> Removed:
        """Return the mean of vectors and their first principal components; zeros do not count."""
        count, total, products = 0, np.zeros(1), np.zeros((1, 1))
        for rows in vectors:
            some = rows[np.any(rows, axis=1)].astype(np.float64)
            count += len(some)
            total = total + some.sum(axis=0)
            products = products + some.T @ some
        if count <= drop:
            raise ValueError(
                f"sample has {count} words, and {drop} components cannot be found; give more texts"
            )
        mean = total / count
        _, directions = np.linalg.eigh(products / count - np.outer(mean, mean))
        first = directions[:, ::-1][:, :drop].T
        return cls(mean.astype(np.float32), np.ascontiguousarray(first, dtype=np.float32))

    def taken_off(self, vectors: Floats32) -> Floats32:
        """Return the vectors without them; zeros stay zeros."""
        rest = vectors - self.mean
        rest -= (rest @ self.directions.T) @ self.directions
        rest[~np.any(vectors, axis=1)] = 0
        return rest
