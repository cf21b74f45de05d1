"""Runs BERTScore: texts are read, each once, as vectors and weights of tokens, and matched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from itertools import chain
from math import inf, log
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from summeval._arrays import Floats, Floats32
from summeval._cached import cached_property
from summeval._core.vectors.greedy import greedy
from summeval._kept import Kept as KeptValues
from summeval.learn.vectors import CheckedEncoder
from summeval.metrics.run.runner import ListRunner
from summeval.text.background import label_of_texts, read_text

if TYPE_CHECKING:
    from summeval.learn.encoders import Transformer
    from summeval.learn.vectors import WordEncoder

FIELDS = ("precision", "recall", "fmeasure")
PART_ROWS = 4096
PART_BYTES = 16 << 20  # of vectors in a part, about; a text alone may have more
KEPT_BYTES = 128 << 20  # of vectors of references that may come again
_CHARACTERS = 3  # of a token, at the least on average
_DIMENSIONS = 1024  # before the first text is encoded


Texts = Sequence[str | None]
TextLists = Sequence[Sequence[str]]
Places = list[tuple[str, tuple[int, int] | None]]  # names of tokens, and their characters


class Read(NamedTuple):
    """A text that was read.

    Attributes
    ----------
    vectors : float32 array [token, dimensions]
    weights : float64 array [token]
    empty : bool
        Whether it has no token but those that begin and end a text.
    """

    vectors: Floats32
    weights: Floats
    empty: bool


Side = tuple[Read, Places]


class ModelSource:
    """Tokens and vectors by a transformer."""

    def __init__(self, model: Transformer) -> None:
        self._model = model

    def tokens(self, texts: Sequence[str]) -> Iterable[Sequence[Hashable]]:
        return self._model.ids(texts)

    def encode(self, texts: Sequence[str]) -> Iterable[tuple[Sequence[Hashable], Floats32]]:
        for ids, vectors in self._model.encode(texts):
            yield ids.tolist(), vectors

    def special(self) -> frozenset[Hashable]:
        return frozenset(self._model.special)

    def places(self, text: str) -> Places:
        """Return what each token is called and where it stands, if the model tells."""
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

    def encode(self, texts: Sequence[str]) -> Iterable[tuple[Sequence[Hashable], Floats32]]:
        for text, (spans, vectors) in zip(texts, self._encoder(texts), strict=True):
            yield [text[begin:end] for begin, end in spans], vectors

    def special(self) -> frozenset[Hashable]:
        return frozenset()

    def places(self, text: str) -> Places:
        """Return the words that the callable finds, and where they stand."""
        ((spans, _),) = self._encoder([text])
        return [(text[begin:end], (begin, end)) for begin, end in spans]


Source = ModelSource | CallableSource


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

    @cached_property
    def label(self) -> str:
        """The number of documents and a digest of them.

        >>> Idf(["a cat", "a dog"]).label, Idf(False).label
        ('2-e85835aa', 'none')
        """
        return "none" if self._texts is None else label_of_texts(self._texts)

    def weights(self, source: Source) -> Callable[[Sequence[Hashable]], list[float]]:
        """Return what gives the weights of the tokens of a text."""
        if self._texts is None:
            special = source.special()
            return lambda tokens: [0.0 if token in special else 1.0 for token in tokens]
        if self._found is None:
            self._found = frequencies(source.tokens(self._texts), len(self._texts))
        known, unknown = self._found, log(len(self._texts) + 1)
        return lambda tokens: [known.get(token, unknown) for token in tokens]


def frequencies(documents: Iterable[Sequence[Hashable]], count: int) -> dict[Hashable, float]:
    """Return the weight of each token of some documents.

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
        self._source, self.idf = source, idf

    def side(self, text: str) -> Side:
        """Return a text, and what each token of it is called, with its characters if known."""
        (read,) = self.read([text])
        return read, self._source.places(text)

    def read(self, texts: Sequence[str]) -> list[Read]:
        """Each text with its vectors and weights."""
        weigh = self.idf.weights(self._source)
        special = self._source.special()
        found = []
        for tokens, vectors in self._source.encode(texts):
            weights = np.array(weigh(tokens), dtype=np.float64)
            found.append(Read(vectors, weights, special.issuperset(tokens)))
        return found


class VectorRunner(ListRunner):
    """Runs a metric of token vectors; references of calls before are kept for all its runners."""

    def __init__(self, metric: Any) -> None:
        super().__init__(metric)
        self._reader = metric._reader
        self._aggregate, self._baseline = metric.aggregate, metric._baseline
        self._kept = metric.__dict__.setdefault("_runner_kept", Kept())
        self._dimensions = _DIMENSIONS

    def reading(self, references: Sequence[str]) -> VectorRunner:
        runner = copy(self)
        runner._kept = Kept(inf)
        runner._kept.add(self._read(references))
        return runner

    def scores(self, candidates: Texts, references: TextLists, workers: int) -> Floats:
        """As of the class; rows with the same references are scored together."""
        found = np.full((len(FIELDS), len(candidates)), np.nan)
        for rows in self._parts(candidates, references):
            pairs = [(str(candidates[row]), text) for row in rows for text in references[row]]
            texts = dict.fromkeys(chain.from_iterable(pairs))
            have = {text: read for text in texts if (read := self._kept.find(text)) is not None}
            have |= self._read([text for text in texts if text not in have])
            self._kept.add({text: have[text] for _, text in pairs})
            counts = [len(references[row]) for row in rows]
            found[:, rows] = self._matched(have, pairs, counts, workers).T
            del have  # before the next part is read
        return found

    def _read(self, texts: Iterable[str]) -> dict[str, Read]:
        """Each distinct text, read."""
        distinct = list(dict.fromkeys(texts))
        found = dict(zip(distinct, self._reader.read(distinct), strict=True))
        if distinct:
            self._dimensions = found[distinct[0]].vectors.shape[1]
        return found

    def _parts(self, left: Texts, right: TextLists) -> Iterable[list[int]]:
        """Yield the rows to score, in parts that do not take too much memory."""
        places: dict[str, int] = {}
        rows = [row for row, text in enumerate(left) if text is not None and right[row]]
        keys = [(places.setdefault(right[row][0], len(places)), row) for row in rows]
        part: list[int] = []
        seen: set[str] = set()
        size = 0
        for _, row in sorted(keys):
            new = {str(left[row]), *right[row]} - seen
            more = sum(len(text) // _CHARACTERS + 2 for text in new) * self._dimensions * 4
            if part and (size + more > PART_BYTES or len(part) == PART_ROWS):
                yield part
                part, seen, size = [], set(), 0
            part.append(row)
            seen |= new
            size += more
        if part:
            yield part

    def _matched(
        self, have: dict[str, Read], pairs: list[tuple[str, str]], counts: list[int], workers: int
    ) -> Floats:
        """Return the scores [row, field]; row k has the next counts[k] pairs."""
        distinct = dict.fromkeys(chain.from_iterable(pairs))
        texts = {text: place for place, text in enumerate(distinct)}
        reads = [have[text] for text in texts]
        dimensions = max((read.vectors.shape[1] for read in reads), default=1)
        some = [read.vectors for read in reads if len(read.vectors)]
        found = greedy(
            np.concatenate([np.zeros((0, dimensions), np.float32), *some]),
            np.concatenate([read.weights for read in reads]),
            np.cumsum([0, *(len(read.weights) for read in reads)], dtype=np.int64),
            np.array([texts[own] for own, _ in pairs], dtype=np.int64),
            np.array([texts[other] for _, other in pairs], dtype=np.int64),
            workers,
        )
        found[:, [have[own].empty or have[other].empty for own, other in pairs]] = 0.0
        precision, recall = found
        with np.errstate(invalid="ignore", divide="ignore"):
            fmeasure = np.nan_to_num(2 * precision * recall / (precision + recall), nan=0.0)
        scores = np.stack([precision, recall, fmeasure], axis=1)
        begins = np.cumsum([0, *counts[:-1]])
        if self._aggregate == "max":
            best = np.maximum.reduceat(scores, begins)
        else:
            best = np.add.reduceat(scores, begins) / np.array(counts)[:, None]
        if self._baseline is not None:
            baseline = np.array(self._baseline)
            best = (best - baseline) / (1 - baseline)
        return np.asarray(best, dtype=np.float64)


class Kept(KeptValues[Read]):
    """Texts that were read last, up to a number of bytes."""

    def __init__(self, most: float | None = None) -> None:
        super().__init__(KEPT_BYTES if most is None else most, _bytes)


def _bytes(read: Read) -> int:
    return int(read.vectors.nbytes + read.weights.nbytes)
