"""Whether a text entails a statement, by a model of natural language inference from disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from summeval._lazy import np
from summeval.learn.encoders import back_ends, loading
from summeval.learn.encoders.back_ends import BackEnd

LONGEST = 400  # tokens of a pair, as in Lite2-3Pyramid
_ENTAILS = "entail"


class Entailed(NamedTuple):
    """Whether a text entails a unit, named as in the program Lite2-3Pyramid.

    The classes are entailment against the others, whose logits are added (2), or each of them (3);
    either its probability (p) or whether it is the most probable (l).
    """

    p2c: float
    l2c: float
    p3c: float
    l3c: float


class Entailment:
    """A judge of presence: whether a text entails a unit.

    Zhang and Bansal 2021, "Finding a Balanced Degree of Automation for Summary Evaluation", and
    their program, github.com/ZhangShiyue/Lite2-3Pyramid, whose numbers these are with its models.

    Parameters
    ----------
    model : str or path
        A model of transformers that classifies pairs of texts: a folder on disk, or a name that
        transformers finds or fetches. The class whose name begins with "entail" is entailment, else
        the first one.
    device, batch_size
        As in `Transformer`.

    Raises
    ------
    ImportError, MemoryError
        As `Transformer`.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        device: str | None = None,
        batch_size: int | None = None,
        what: str = "model",
    ) -> None:
        self._place = loading.place_of(model, what)
        self._device = device
        self._batch_size = loading.check_size(batch_size)

    @property
    def signature(self) -> str:
        """The model, known without loading it."""
        return self._place.label

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """For each (unit, text) whether the text entails the unit."""
        if not pairs:
            return []
        tokenizer, back_end = self._loaded()
        limit = min(LONGEST, loading.longest(tokenizer, back_end.config) or LONGEST)
        units, texts = map(list, zip(*pairs, strict=True))
        kept = {"return_token_type_ids": True, "return_attention_mask": False}
        found = tokenizer(texts, units, truncation=True, max_length=limit, **kept)
        encoded = list(zip(found["input_ids"], found["token_type_ids"], strict=True))
        own = entailment_class(back_end.config.id2label)
        logits = back_end.logits(encoded, tokenizer.pad_token_id or 0, self._batch_size)
        return [_entailed(one, own) for one in logits]

    def _loaded(self) -> tuple[Any, BackEnd]:
        """Return the tokenizer and the model."""
        return loading.loaded((self._place.name, "pairs", self._device), self._load)

    def _load(self) -> tuple[Any, BackEnd]:
        device = loading.device_of(self._device)
        tokenizer = loading.load(self._place, "AutoTokenizer")
        model = loading.load(self._place, "AutoModelForSequenceClassification")
        if model.config.num_labels < 2:
            raise ImportError(
                f"the model {self._place.given!r} has one class; give one of natural language"
                " inference, with entailment among its classes (pip install 'summeval[semantic]')"
            )
        return tokenizer, back_ends.classifier(model.eval().to(device), device)


def _entailed(logits: Any, own: int) -> Entailed:
    """Return what the logits of the classes say, of which `own` is entailment."""
    others = np.delete(logits, own)
    two = 1 / (1 + np.exp(np.clip(others.sum() - logits[own], -700, 700)))
    three = 1 / (1 + np.exp(np.clip(others - logits[own], -700, 700)).sum())
    first = logits[own] >= others.sum(), bool((logits[own] >= others).all())
    return Entailed(float(two), float(first[0]), float(three), float(first[1]))


def entailment_class(names: dict[int, str]) -> int:
    """Return which class is entailment: by its name, else the first, as Lite2-3Pyramid has it.

    >>> entailment_class({0: "contradiction", 1: "neutral", 2: "entailment"})
    2
    >>> entailment_class({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"})
    0
    """
    found = [number for number, name in names.items() if name.lower().startswith(_ENTAILS)]
    return found[0] if found else 0
