"""What a metric needs of a model that gives the words of a text vectors in their context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from summeval._options import shown, whole

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_WORD = re.compile(r"\w+")

Span = tuple[int, int]


class EncodedText(NamedTuple):
    """The words of a text and their vectors; any pair of the two will do.

    Attributes
    ----------
    spans : sequence of (int, int)
        For each word where it begins and ends, in characters; in the order of the text.
    vectors : float32 array [words, dimensions]
        Of any length; a vector of zeros is like no other.
    """

    spans: Sequence[Span]
    vectors: NDArray[float32]


class WordEncoder(Protocol):
    """A callable from texts to the words of each text, in the same order.

    It gets distinct texts, many at a time, and chooses batches itself. It may give the results one
    by one, as a generator. A metric names it in its signature by its code and attributes; an
    attribute `signature`, a str, takes their place.
    """

    def __call__(
        self, texts: Sequence[str]
    ) -> Iterable[tuple[Sequence[Span], NDArray[float32]]]: ...


def word_spans(text: str) -> list[Span]:
    r"""Where the words of a text are: runs of `\w`, the words of `tesla-e`.

    >>> word_spans("It's 3.5 m")
    [(0, 2), (3, 4), (5, 6), (7, 8), (9, 10)]
    """
    return [found.span() for found in _WORD.finditer(text)]


class CheckedEncoder:
    """An encoder whose results are checked; `name` is that of the option that gave it.

    All its vectors must have as many dimensions as the first.

    Raises
    ------
    TypeError, ValueError
        When it is called and the encoder gives no results, too few or too many; spans outside the
        text or without a character; or vectors that are no numbers of 32 bits [words, dimensions].

    Examples
    --------
    >>> encode = CheckedEncoder(lambda texts: [([(0, 3)], [[1, 0]])], "encoder")
    >>> next(encode(["cat"])).spans
    [(0, 3)]
    """

    def __init__(self, encoder: WordEncoder, name: str) -> None:
        self._encoder, self._name = encoder, name
        self._dimensions: int | None = None

    def __call__(self, texts: Sequence[str]) -> Iterator[EncodedText]:
        given: Any = self._encoder(texts)
        many, name = f"for {len(texts)} texts", self._name
        if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
            raise TypeError(f"{name} gave {shown(given)} {many}; give spans and vectors for each")
        results = iter(given)
        for count, text in enumerate(texts):
            try:
                result = next(results)
            except StopIteration:
                raise ValueError(f"{name} gave {count} results {many}; give as many") from None
            yield self._checked(result, text)
        if next(results, results) is not results:
            raise ValueError(f"{name} gave more than {len(texts)} results {many}; give as many")

    def _checked(self, result: Any, text: str) -> EncodedText:
        given, rows = _parts(result, text, self._name)
        spans = _spans(given, text, self._name)
        vectors = _vectors(rows, len(spans), text, self._name)
        size = vectors.shape[1]
        if spans and self._dimensions not in (None, size):
            raise ValueError(
                f"{self._name} gave vectors of {size} dimensions for {shown(text)} and of"
                f" {self._dimensions} before; give the same number for all texts"
            )
        if spans:
            self._dimensions = size
        return EncodedText(spans, vectors)


def _parts(result: Any, text: str, name: str) -> tuple[Any, Any]:
    try:
        if isinstance(result, (str, bytes)):
            raise TypeError
        spans, vectors = result
        len(spans)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} gave {type(result).__name__} for {shown(text)}; give a pair of spans and"
            " vectors"
        ) from None
    return spans, vectors


def _spans(spans: Any, text: str, name: str) -> list[Span]:
    found = []
    for span in spans:
        ends = [] if isinstance(span, str) or not hasattr(span, "__iter__") else list(span)
        begin, end = map(whole, ends) if len(ends) == 2 else (None, None)
        if begin is None or end is None or not 0 <= begin <= end <= len(text):
            raise ValueError(
                f"{name} gave the span {shown(span)} for {shown(text)}; give (begin, end) in"
                f" characters, from 0 to {len(text)}"
            )
        if begin == end:
            raise ValueError(f"{name} gave an empty word for {shown(text)}; leave it out")
        found.append((begin, end))
    return found


def _vectors(given: Any, words: int, text: str, name: str) -> NDArray[float32]:
    import numpy as np

    try:
        found = np.asarray(given)
    except (TypeError, ValueError):  # of rows of several lengths
        found = np.array([None])
    if found.size and found.dtype.kind not in "fiub":
        raise ValueError(
            f"{name} gave vectors that are no table of real numbers for {shown(text)}; give"
            " [words, dimensions]"
        )
    if not words and not found.size:
        return np.zeros((0, found.shape[1] if found.ndim == 2 else 0), np.float32)
    if found.ndim != 2 or len(found) != words or not found.shape[1]:
        raise ValueError(
            f"{name} gave vectors of the shape {found.shape} for the {words} words of"
            f" {shown(text)}; give [words, dimensions]"
        )
    if not (np.abs(found) <= np.finfo(np.float32).max).all():  # false of NaN, too
        raise ValueError(
            f"{name} gave vectors with NaN or infinity, or beyond 32 bits, for {shown(text)}; give"
            " finite numbers"
        )
    return np.ascontiguousarray(found, dtype=np.float32)
