"""Texts as BERTScore compares them: the vectors of their tokens, and what each token weighs."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import log
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from summeval.learn.vectors.encoder import CheckedEncoder
from summeval.text.background import read_text

if TYPE_CHECKING:
    from numpy import float32, float64
    from numpy.typing import NDArray

    from summeval.learn.encoders import Transformer
    from summeval.learn.vectors.encoder import WordEncoder


class Read(NamedTuple):
    """A text that was read.

    Attributes
    ----------
    vectors : float32 array [token, dimensions]
    weights : float64 array [token]
    empty : bool
        Whether it has no token but those that begin and end a text.
    """

    vectors: NDArray[float32]
    weights: NDArray[float64]
    empty: bool

    @property
    def bytes(self) -> int:
        return int(self.vectors.nbytes) + int(self.weights.nbytes)


class Source(Protocol):
    """What makes tokens and vectors of texts."""

    def tokens(self, texts: Sequence[str]) -> Iterable[Sequence[Hashable]]: ...

    def encode(
        self, texts: Sequence[str]
    ) -> Iterable[tuple[Sequence[Hashable], NDArray[float32]]]: ...

    def special(self) -> frozenset[Hashable]: ...

    def places(self, text: str) -> list[tuple[str, tuple[int, int] | None]]: ...


class ModelSource:
    """Tokens and vectors by a transformer."""

    def __init__(self, model: Transformer) -> None:
        self._model = model

    def tokens(self, texts: Sequence[str]) -> Iterable[Sequence[Hashable]]:
        return self._model.ids(texts)

    def encode(self, texts: Sequence[str]) -> Iterable[tuple[Sequence[Hashable], NDArray[float32]]]:
        for ids, vectors in self._model.encode(texts):
            yield ids.tolist(), vectors

    def special(self) -> frozenset[Hashable]:
        return frozenset(self._model.special)

    def places(self, text: str) -> list[tuple[str, tuple[int, int] | None]]:
        """What each token is called and where it stands, if the model tells."""
        inner = text.strip()
        shift = text.find(inner)
        found = []
        for name, span in self._model.written(inner):
            place = None if span is None else (span[0] + shift, span[1] + shift)
            found.append((name if place is None else text[slice(*place)], place))
        return found


class CallableSource:
    """Words and vectors by a callable of the user."""

    def __init__(self, encoder: WordEncoder) -> None:
        self._encoder = CheckedEncoder(encoder, "model")

    def tokens(self, texts: Sequence[str]) -> Iterable[Sequence[Hashable]]:
        return [tokens for tokens, _ in self.encode(texts)]

    def encode(self, texts: Sequence[str]) -> Iterable[tuple[Sequence[Hashable], NDArray[float32]]]:
        for text, (spans, vectors) in zip(texts, self._encoder(texts), strict=True):
            yield [text[begin:end] for begin, end in spans], vectors

    def special(self) -> frozenset[Hashable]:
        return frozenset()

    def places(self, text: str) -> list[tuple[str, tuple[int, int] | None]]:
        """The words that the callable finds, and where they stand."""
        ((spans, _),) = self._encoder([text])
        return [(text[begin:end], (begin, end)) for begin, end in spans]


class Idf:
    """Weights of tokens by their inverse document frequency: log((N + 1) / (n + 1)).

    N is the number of documents, n in how many of them the token is; Zhang and others 2020,
    section 3, with the smoothing of bert-score 0.3.13.

    Parameters
    ----------
    given : False, iterable of str, or path
        The documents; a file has one on each line.

    Raises
    ------
    ValueError, TypeError
        It is True, or has no documents, or something that is no str.
    """

    def __init__(self, given: bool | Iterable[str] | str | PathLike[str]) -> None:
        self._texts = _documents(given)
        self._found: dict[Hashable, float] | None = None

    @property
    def label(self) -> str:
        """The number of documents and a digest of them.

        >>> Idf(["a cat", "a dog"]).label, Idf(False).label
        ('2-e85835aa', 'none')
        """
        if self._texts is None:
            return "none"
        digest = hashlib.sha256()
        for text in self._texts:
            data = text.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data) + data)
        return f"{len(self._texts)}-{digest.hexdigest()[:8]}"

    def weights(self, source: Source) -> Callable[[Sequence[Hashable]], list[float]]:
        """What gives the weights of the tokens of a text."""
        if self._texts is None:
            special = source.special()
            return lambda tokens: [0.0 if token in special else 1.0 for token in tokens]
        if self._found is None:
            self._found = frequencies(source.tokens(self._texts), len(self._texts))
        known, unknown = self._found, log(len(self._texts) + 1)
        return lambda tokens: [known.get(token, unknown) for token in tokens]


def frequencies(documents: Iterable[Sequence[Hashable]], count: int) -> dict[Hashable, float]:
    """The weight of each token of some documents.

    >>> sorted(frequencies([["a", "cat"], ["a", "a"]], 2).items())
    [('a', 0.0), ('cat', 0.4054651081081644)]
    """
    found: Counter[Hashable] = Counter()
    for tokens in documents:
        found.update(set(tokens))
    return {token: log((count + 1) / (times + 1)) for token, times in found.items()}


def _documents(given: Any) -> list[str] | None:
    if given is False or given is None:
        return None
    if given is True:
        raise ValueError(
            "idf is True; give the documents that are counted, such as idf=references, so that a"
            " score does not depend on the rows beside it"
        )
    if isinstance(given, (str, PathLike)):
        path = fspath(given)
        texts = [line.rstrip("\r") for line in read_text(path).split("\n") if line.strip()]
    else:
        if isinstance(given, (bytes, dict)) or not hasattr(given, "__iter__"):
            raise TypeError(f"idf is {type(given).__name__}; give texts, or a file")
        texts = list(_flat(given))
    if not texts:
        raise ValueError("idf has no documents; give at least one")
    return texts


def _flat(given: Iterable[Any]) -> Iterable[str]:
    """The texts of a list of texts, or of lists of them, as references come; None is left out."""
    for place, item in enumerate(given):
        several = item if isinstance(item, (list, tuple)) else (item,)
        for text in several:
            if text is None:
                continue
            if not isinstance(text, str):
                raise TypeError(f"idf[{place}] is {type(text).__name__}; give a str")
            yield text


class Reader:
    """Reads texts with a source and weights."""

    def __init__(self, source: Source, idf: Idf) -> None:
        self._source, self._idf = source, idf

    def places(self, text: str) -> list[tuple[str, tuple[int, int] | None]]:
        """What each token of a text is called, and its characters if they are known."""
        return self._source.places(text)

    def read(self, texts: Sequence[str]) -> list[Read]:
        """Each text with its vectors and weights."""
        import numpy as np

        weigh = self._idf.weights(self._source)
        special = self._source.special()
        found = []
        for tokens, vectors in self._source.encode(texts):
            empty = special.issuperset(tokens)
            weights = np.array(weigh(tokens), dtype=np.float64)
            found.append(Read(vectors, weights, empty))
        return found
