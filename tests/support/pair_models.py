"""A model of pairs that needs no library: a claim is entailed by the share of its words in a text.

Its tokens are words; it takes 24 of them, with a mark before, between and behind two texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from summeval.learn.encoders.back_ends import BackEnd
from summeval.learn.encoders.pair_model import PairModel

_WORD = re.compile(r"\w+|[^\w\s]")
BEGIN, END = 2, 3
NLI = ("entailment", "neutral", "contradiction")


class _Encoding(dict[str, Any]):
    def sequence_ids(self, _: int) -> list[int | None]:
        found: list[int | None] = self["texts"]
        return found


class WordTokenizer:
    """A tokenizer as transformers has them, which remembers the texts that it got."""

    is_fast = True
    model_max_length = 24
    pad_token_id = 0
    unk_token_id = 1

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._ids: dict[str, int] = {}

    def __call__(
        self, text: str, pair: str | None = None, add_special_tokens: bool = True, **more: Any
    ) -> _Encoding:
        self.asked.append(text)
        spans = [found.span() for found in _WORD.finditer(text)]
        parts = [self._numbers(text)] + ([] if pair is None else [self._numbers(pair)])
        ids, texts = ([BEGIN], [None]) if add_special_tokens else ([], [])
        for number, part in enumerate(parts):
            ids += part + [END] * add_special_tokens
            texts += [number] * len(part) + [None] * add_special_tokens
        if more.get("truncation"):
            ids = ids[: more["max_length"]]
        kinds = [1 if number == 1 else 0 for number in texts]
        return _Encoding(input_ids=ids, token_type_ids=kinds, offset_mapping=spans, texts=texts)

    def _numbers(self, text: str) -> list[int]:
        words = _WORD.findall(text.lower())
        return [self._ids.setdefault(word, len(self._ids) + 4) for word in words]


class WordModel:
    """Has the logits of three classes for pairs of texts, and remembers the batches that it ran."""

    def __init__(self) -> None:
        self.batches: list[list[list[int]]] = []

    def run(self, batch: Sequence[tuple[list[int], list[int]]], pad: int) -> list[Any]:
        self.batches.append([ids for ids, _ in batch])
        return [self._logits(ids) for ids, _ in batch]

    def _logits(self, ids: list[int]) -> Any:
        assert len(ids) <= WordTokenizer.model_max_length
        middle = ids.index(END)
        text, claim = set(ids[1:middle]), set(ids[middle + 1 : -1])
        share = len(text & claim) / len(claim) if claim else 0.0
        return np.log(np.maximum([share, 0.75 * (1 - share), 0.25 * (1 - share)], 1e-9))


class Loaded:
    """The tokenizer and the model that all `PairModel`s of a test get."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tokenizer, self.model = WordTokenizer(), WordModel()
        config = SimpleNamespace(model_type="words")
        back_end = BackEnd(config, SimpleNamespace(type="cpu"), self.model.run)
        monkeypatch.setattr(PairModel, "_loaded", lambda _: (self.tokenizer, back_end))


def folder_of(
    path: Path,
    labels: Sequence[str] = NLI,
    kind: str = "BertForSequenceClassification",
    **config: Any,
) -> str:
    """The folder of a model: its config, and a tokenizer by name."""
    path.mkdir(exist_ok=True)
    names = {str(number): label for number, label in enumerate(labels)}
    told = {"architectures": [kind], "id2label": names, **config}
    (path / "config.json").write_text(json.dumps(told))
    (path / "tokenizer.json").write_text("{}")
    return str(path)
