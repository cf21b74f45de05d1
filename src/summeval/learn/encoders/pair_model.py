"""A model from disk that says of pairs of texts whether the first entails the second."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._cached import cached_property
from summeval._kept import Kept
from summeval._lazy import np
from summeval._options import shown
from summeval.learn.encoders import back_ends, loading
from summeval.learn.encoders.back_ends import BackEnd, Encoded
from summeval.learn.encoders.outputs import Output

if TYPE_CHECKING:
    from summeval._arrays import Floats

Verdict = tuple[float, float]  # the probabilities that a text is entailed, and that it is refuted

MOST_PAIRS = 1 << 18  # whose verdicts are kept
MOST_TOKENS = 1 << 22  # of texts that are kept
_STEP = 32  # tokens for the second text are set aside in such steps, so that windows are the same
_MARGIN = 4  # tokens; a part of a text may have more of them than it had in the text
_UNLIMITED = 1 << 30
_TOKENIZERS = (
    "tokenizer.json tokenizer_config.json vocab.txt vocab.json spiece.model spm.model"
    " tokenizer.model sentencepiece.bpe.model"
).split()
_PLACES = re.compile(r"\{(source|claim)\}")


class _Part(NamedTuple):
    """Some tokens of a pair: of the first text (0), the second (1), or marks around them (None)."""

    text: int | None
    ids: list[int]
    kind: int


def _parts_of_pair(tokenizer: Any) -> list[_Part]:
    """Return how a tokenizer joins two texts."""
    found = tokenizer("a", "a", return_token_type_ids=True)
    tokens = zip(found.sequence_ids(0), found["token_type_ids"], found["input_ids"], strict=True)
    groups = groupby(tokens, key=lambda token: token[:2])
    return [_Part(text, [one for *_, one in some], kind) for (text, kind), some in groups]


class PairModel:
    """Says of pairs of texts whether the first entails the second, each distinct pair once.

    A first text that is too long for the model is read in windows that overlap, of which the
    highest probabilities count.

    Parameters
    ----------
    model : str or path
        The folder of a transformers model that classifies pairs of texts or writes an answer.
    entailed, refuted : int, str or None
        The classes or answers; see `Output`.
    prompt : str or None
        What the model reads, with {source} and {claim}; None is the two texts as a pair.
    backend : {None, "torch", "onnx"}
        None is ONNX Runtime where the folder has a `model.onnx`, else PyTorch.
    device, batch_size
        As in `Transformer`.
    dtype : str or None
        Of the weights; None is float32.

    Raises
    ------
    ValueError, TypeError
        There is no such folder, or it is of another kind; the message says what to do.
    ImportError
        When it judges: a library or a part of the model is missing.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        entailed: Any = None,
        refuted: Any = None,
        *,
        prompt: str | None = None,
        backend: str | None = None,
        device: str | None = None,
        dtype: str | None = None,
        batch_size: int | None = None,
    ) -> None:
        self._place = place = loading.place_of(model)
        if not place.is_folder:
            raise ValueError(
                f"model is {shown(place.given)}, and there is no such folder; give that of a model"
                f" (hf download {place.given} --local-dir FOLDER fetches one of the hub)"
            )
        if not any(os.path.isfile(os.path.join(place.name, name)) for name in _TOKENIZERS):
            raise ValueError(
                f"model is {shown(place.given)}, a folder without a tokenizer; save it there"
                " (tokenizer.save_pretrained(FOLDER))"
            )
        self.output = Output.of(place.name, entailed, refuted)
        self._prompt = _parts_of(prompt)
        if not self.output.classes and self._prompt is None:
            raise ValueError(
                "prompt is None, and the model writes its answer; set prompt= to what it was"
                " trained to read, such as 'predict: {source}</s>{claim}'"
            )
        self._backend = backend or ("onnx" if self._may_be_onnx else "torch")
        if self._backend == "onnx" and not self._may_be_onnx:
            raise ValueError(
                f"backend is 'onnx', and {shown(place.given)} has no {back_ends.ONNX_FILE} that"
                " classifies; export the model, or leave backend out"
            )
        if self._backend == "onnx" and dtype is not None:
            raise ValueError(
                f"dtype is {dtype!r}, and {back_ends.ONNX_FILE} has its own; leave it out, or"
                " choose backend='torch'"
            )
        self._device, self._dtype = device, dtype
        self._batch_size = loading.check_size(batch_size)
        self._verdicts: Kept[Verdict] = Kept(MOST_PAIRS, lambda verdict: 1)
        self._tokens: Kept[list[int]] = Kept(MOST_TOKENS, len)

    @property
    def _may_be_onnx(self) -> bool:
        return bool(self.output.classes) and back_ends.has_onnx(self._place.name)

    @property
    def signature(self) -> str:
        """The model and what runs it, known without loading it."""
        if self._backend == "onnx":
            return f"{self._place.onnx_label}-onnx"
        return f"{self._place.label}-{self._dtype or 'float32'}"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """For each (text, claim) the probabilities that the text entails it, and refutes it."""
        have = {pair: self._verdicts.find(pair) for pair in dict.fromkeys(pairs)}
        new = [pair for pair, verdict in have.items() if verdict is None]
        if new:
            found = dict(zip(new, self._judged(new), strict=True))
            self._verdicts.add(found)
            have |= found
        return [verdict for pair in pairs if (verdict := have[pair]) is not None]

    def _judged(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Verdict]:
        tokenizer, back_end = self._loaded()
        parts = [self._encoded(*pair) for pair in pairs]
        flat = [one for some in parts for one in some]
        pad = tokenizer.pad_token_id or 0
        logits: Floats = np.array(back_end.logits(flat, pad, self._batch_size))
        chances = self.output.probabilities(logits.reshape(len(flat), -1))
        begin = 0
        for some in parts:
            yes, no = chances[begin : begin + len(some)].max(axis=0).tolist()
            yield yes, no
            begin += len(some)

    def _encoded(self, text: str, claim: str) -> list[Encoded]:
        """Return what the model reads of a pair: once, or for each window of the text.

        Where both do not fit, a claim of more than half of the room is cut.
        """
        room = self._room
        if len(self._ids(text)) + len(self._ids(claim)) <= room:
            return [self._joined(text, claim)]
        (claim, *_) = self._windows(claim, max(room // 2, 1))
        step = max(1, min(_STEP, room // 16))
        kept = -(-len(self._ids(claim)) // step) * step
        return [self._joined(one, claim) for one in self._windows(text, max(room - kept, 1))]

    def _joined(self, text: str, claim: str) -> Encoded:
        if self._prompt is not None:
            texts = {"source": text, "claim": claim}
            parts = enumerate(self._prompt)
            whole = "".join(texts[part] if place % 2 else part for place, part in parts)
            found = self._loaded()[0](whole, truncation=True, max_length=self._limit)
            return found["input_ids"], [0] * len(found["input_ids"])
        second = self._ids(claim)
        both = self._ids(text)[: self._room - len(second)], second
        groups = [
            (part.ids if part.text is None else both[part.text], part) for part in self._parts
        ]
        return (
            [one for ids, _ in groups for one in ids],
            [part.kind for ids, part in groups for _ in ids],
        )

    def _windows(self, text: str, most: int) -> list[str]:
        """Return the text, or parts of at most so many tokens that overlap."""
        count = len(self._ids(text))
        if count <= most:
            return [text]
        size = max(most - _MARGIN, 1)
        options = {"add_special_tokens": False, "verbose": False}
        places = self._loaded()[0](text, return_offsets_mapping=True, **options)["offset_mapping"]
        begins = loading.window_begins(count, size)
        return [text[places[k][0] : places[k + size - 1][1]] for k in begins]

    def _ids(self, text: str) -> list[int]:
        """Return the tokens of a text alone."""
        found = self._tokens.find(text)
        if found is None:
            options = {"add_special_tokens": False, "verbose": False}  # of texts beyond the limit
            found = list(self._loaded()[0](text, **options)["input_ids"])
            self._tokens.add({text: found})
        return found

    @cached_property
    def _parts(self) -> list[_Part]:
        return _parts_of_pair(self._loaded()[0])

    @cached_property
    def _limit(self) -> int:
        """The most tokens that the model reads at once."""
        tokenizer, back_end = self._loaded()
        return loading.longest(tokenizer, back_end.config) or _UNLIMITED

    @cached_property
    def _room(self) -> int:
        """The most tokens of both texts together."""
        if self._prompt is None:
            return self._limit - sum(len(part.ids) for part in self._parts if part.text is None)
        around = self._loaded()[0]("".join(self._prompt[::2]))["input_ids"]
        return self._limit - len(around) - _MARGIN

    def _loaded(self) -> tuple[Any, BackEnd]:
        """Return the tokenizer and the model."""
        return loading.loaded((*self._key, self._device, self._dtype), self._load)

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        return self._place.name, self._place.state, self.output, self._backend

    def _load(self) -> tuple[Any, BackEnd]:
        tokenizer = loading.load(self._place, "AutoTokenizer")
        if not getattr(tokenizer, "is_fast", False):
            raise ImportError(
                f"the tokenizer of {self._place.given!r} tells no places of tokens; save a fast one"
                f" there ({loading.INSTALL})"
            )
        if self._backend == "onnx":
            return tokenizer, back_ends.by_onnx(self._place, self._device)
        options = (self._device, self._dtype)
        return tokenizer, back_ends.by_torch(self._place, self.output, tokenizer, *options)


def _parts_of(prompt: str | None) -> list[str] | None:
    """Return what a prompt consists of: texts, and between them "source" and "claim".

    >>> _parts_of("predict: {source}</s>{claim}")
    ['predict: ', 'source', '</s>', 'claim', '']
    """
    found = None if prompt is None else _PLACES.split(prompt)
    if found and sorted(found[1::2]) != ["claim", "source"]:
        raise ValueError(
            f"prompt is {shown(prompt)}; give a text with {{source}} and {{claim}}, each once"
        )
    return found
