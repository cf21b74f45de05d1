"""What a metric needs of a model that gives the words of a text vectors in their context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

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
