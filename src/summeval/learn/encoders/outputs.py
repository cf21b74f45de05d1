"""Which output of a model says that a text entails another: as its config tells, never guessed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._lazy import np
from summeval._options import shown, whole

if TYPE_CHECKING:
    from summeval._arrays import Floats

_ENTAILED = re.compile(r"entail.*|support.*|consistent|aligned")
_REFUTED = re.compile(r"contradict.*|refute.*")
_NAMELESS = re.compile(r"label_\d+")  # what transformers calls a class without a name
_CLASSIFIES, _WRITES = "ForSequenceClassification", "ForConditionalGeneration"
_GIVE = "give the folder of a model of natural language inference or fact checking"


class Output(NamedTuple):
    """What a model says of a pair of texts.

    Attributes
    ----------
    entailed : int or str
        The class that means that the first text entails the second; or the answer, of a model that
        writes one.
    refuted : int, str or None
        That means the contrary; None if no class does.
    classes : int
        0 for a model that writes its answer.
    """

    entailed: int | str
    refuted: int | str | None
    classes: int

    @classmethod
    def of(cls, folder: str, entailed: Any = None, refuted: Any = None) -> Output:
        """Return the output of the model in a folder, by its config or as the options say.

        Raises
        ------
        ValueError
            It is a model of another kind, or which class is which does not stand in its config.
        """
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            try:
                config = json.load(file)
            except ValueError:
                config = None
        if not isinstance(config, dict):
            raise ValueError(f"model is {shown(folder)}, whose config.json is no JSON; {_GIVE}")
        kind = str((config.get("architectures") or ["of no known kind"])[0])
        if kind.endswith(_WRITES):
            return cls(*_answers(entailed, refuted), 0)
        if not kind.endswith(_CLASSIFIES):
            raise ValueError(
                f"model is {shown(folder)}, which classifies no texts (it is {kind}); {_GIVE}"
            )
        names = class_names(config)
        yes = _class_of("entailed", entailed, names, _ENTAILED)
        no = _class_of("refuted", refuted, names, _REFUTED)
        if yes is None and len(names) > 1:
            told = ", ".join(f"{number}: {'/'.join(some)}" for number, some in names.items())
            raise ValueError(
                f"the config of {shown(folder)} does not say which class means entailment ({told});"
                " set entailed= to its number or name"
            )
        if no is not None and no == yes:
            raise ValueError(f"entailed and refuted are both class {yes}; give two")
        return cls(yes or 0, no, len(names))

    @property
    def refutes(self) -> bool:
        """Whether a class means that the first text contradicts the second."""
        return bool(self.classes) and self.refuted is not None

    @property
    def label(self) -> str:
        return f"{self.entailed}-{'none' if self.refuted is None else self.refuted}"

    def probabilities(self, logits: Floats) -> Floats:
        """Return for logits [pair, class] the probabilities of both, NaN where no class is refuted.

        A single logit is that of entailment; of a model that writes, they are those of the answers
        for entailed and refuted.

        >>> import numpy as np
        >>> Output(0, None, 1).probabilities(np.array([[0.0]])).tolist()
        [[0.5, nan]]
        >>> Output(2, 0, 3).probabilities(np.log([[0.25, 0.25, 0.5]])).round(6).tolist()
        [[0.5, 0.25]]
        """
        if self.classes == 1:
            logits = np.concatenate([logits, np.zeros_like(logits)], axis=1)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = weights / weights.sum(axis=1, keepdims=True)
        found = np.full((len(logits), 2), np.nan)
        found[:, 0] = shares[:, int(self.entailed) if self.classes else 0]
        if self.refutes:
            found[:, 1] = shares[:, int(self.refuted or 0)]
        return found


def class_names(config: Mapping[str, Any]) -> dict[int, list[str]]:
    """Return the names of each class, in lower case, of `id2label` and `label2id`.

    >>> class_names({"id2label": {"0": "No", "1": "LABEL_1"}, "label2id": {"Yes": 1}})
    {0: ['no'], 1: ['yes']}
    >>> class_names({})
    {0: ['label_0'], 1: ['label_1']}
    """
    by_number, by_name = config.get("id2label") or {}, config.get("label2id") or {}
    count = len(by_number) or len(by_name) or whole(config.get("num_labels")) or 2
    found: dict[int, list[str]] = {number: [] for number in range(count)}
    pairs = [*by_number.items(), *((number, name) for name, number in by_name.items())]
    for number, name in pairs:
        low = str(name).strip().lower()
        own = found.get(int(number))
        if own is not None and low not in own and not _NAMELESS.fullmatch(low):
            own.append(low)
    return {number: own or [f"label_{number}"] for number, own in found.items()}


def _class_of(
    option: str, given: Any, names: Mapping[int, list[str]], known: re.Pattern[str]
) -> int | None:
    """Return the class that an option gives, else the only one that is named so, else None."""
    if given is None:
        found = [number for number, own in names.items() if any(map(known.fullmatch, own))]
        return found[0] if len(found) == 1 else None
    name = str(given).strip().lower()
    by_name = [number for number, own in names.items() if name in own]
    number = whole(given)
    if not by_name and number is None and name.isdecimal():
        number = int(name)
    if by_name and number is None:
        number = by_name[0]
    if number is None or number not in names or len(by_name) > 1:
        told = ", ".join(f"{number} ({'/'.join(own)})" for number, own in names.items())
        raise ValueError(f"{option} is {shown(given)}; choose from {told}")
    return number


def _answers(entailed: Any, refuted: Any) -> tuple[str, str]:
    for option, given in (("entailed", entailed), ("refuted", refuted)):
        if not isinstance(given, (str, int)) or isinstance(given, bool) or not str(given).strip():
            raise ValueError(
                f"{option} is {shown(given)}, and the model writes its answer; set entailed= and"
                " refuted= to the answers, such as '1' and '0' or 'yes' and 'no'"
            )
    return str(entailed), str(refuted)
