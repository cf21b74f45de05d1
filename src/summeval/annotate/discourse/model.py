"""The models of the discourse parser and their files, in the format of `summeval.learn`."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from summeval.learn.model_file import load_model, restoring, save_model

KIND = "discourse parser"
_SIGNED = 1  # the version of what the signature is made of
COMPONENTS = (
    "connective",
    "position",
    "sense",
    "boundary",
    "stretches",
    "preceding",
    "neighbours",
)


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear classifier over sparse binary features.

    Attributes
    ----------
    classes : tuple of str
    bias, scale : tuple of float
        One number per class.
    weights : mapping of str to tuple of int
        For each feature one integer from -127 to 127 per class, in units of `scale`. Their sums are
        exact, so scores do not depend on the order of the features.
    """

    classes: tuple[str, ...]
    bias: tuple[float, ...]
    scale: tuple[float, ...]
    weights: Mapping[str, tuple[int, ...]]

    def scores(self, features: Iterable[str]) -> list[float]:
        """The score of each class.

        >>> model = Linear(("no", "yes"), (0.5, 0.0), (0.25, 1.0), {"a": (2, 1), "b": (0, 4)})
        >>> model.scores(["a", "b", "unknown"])
        [1.0, 5.0]
        """
        weights = self.weights
        found = [row for name in features if (row := weights.get(name)) is not None]
        sums = [sum(column) for column in zip(*found, strict=True)] or [0] * len(self.bias)
        return [
            bias + scale * total
            for bias, scale, total in zip(self.bias, self.scale, sums, strict=True)
        ]

    def best(self, features: Iterable[str]) -> str:
        """The class with the highest score; the first one on ties."""
        scores = self.scores(features)
        return self.classes[scores.index(max(scores))]


@dataclass(frozen=True, slots=True)
class Model:
    """The parameters of the parser.

    Attributes
    ----------
    components : mapping of str to Linear
        Keys are the names in `COMPONENTS`.
    lexicon : mapping of str to tuple of tuples of str
        Connectives, as words in lower case, by their first word.
    senses : mapping of str to str
        The full sense of `connective|level 1`. A level 1 alone is the key for Implicit relations
        and for connectives not seen with that sense.
    made_from : str
    """

    components: Mapping[str, Linear]
    lexicon: Mapping[str, tuple[tuple[str, ...], ...]]
    senses: Mapping[str, str]
    made_from: str = ""
    _signature: str = field(default="", init=False, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """Format, version and digest: equal for models that parse alike; made once."""
        if not self._signature:
            object.__setattr__(self, "_signature", _signature(_kept(self)))
        return self._signature


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file; the same model gives the same bytes."""
    save_model(path, KIND, _kept(model), {})


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file.

    Raises
    ------
    ValueError
        Naming the file: for one of another format, version or kind, and one that was changed or
        cut.
    OSError
    """
    content, _ = load_model(path, KIND)
    with restoring(path, "the discourse parser"):
        return _restored(content)


_BUNDLED = Path(__file__).parent / "data" / "gdtb.model"


@functools.cache
def default() -> Model:
    """The model that comes with the package, trained on the GUM Discourse Treebank."""
    return load(_BUNDLED)


@functools.cache
def default_content() -> Mapping[str, Any]:
    """The content of the bundled model's file, for code that needs no `Model`."""
    return load_model(_BUNDLED, KIND)[0]


@functools.cache
def default_signature() -> str:
    """The signature of the bundled model."""
    return _signature(default_content())


def _signature(kept: Mapping[str, Any]) -> str:
    plain = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(plain.encode("ascii")).hexdigest()
    return f"discourse:{_SIGNED}:{digest[:12]}"


def _kept(model: Model) -> dict[str, Any]:
    components: dict[str, Any] = {}
    for name, linear in model.components.items():
        names = sorted(linear.weights)
        components[name] = {
            "classes": linear.classes,
            "bias": linear.bias,
            "scale": linear.scale,
            "features": "\n".join(names),
            "weights": [
                [linear.weights[name][k] for name in names] for k in range(len(linear.bias))
            ],
        }
    return {
        "components": components,
        "lexicon": sorted(" ".join(words) for each in model.lexicon.values() for words in each),
        "senses": model.senses,
        "made_from": model.made_from,
    }


def _restored(content: Mapping[str, Any]) -> Model:
    components = {part: _linear(content["components"][part]) for part in COMPONENTS}
    words = [tuple(written.split(" ")) for written in content["lexicon"]]
    senses, made_from = content["senses"], content["made_from"]
    if not isinstance(made_from, str) or not all(map(str.__instancecheck__, senses.values())):
        raise TypeError("a sense is no string")
    return Model(components, by_first_word(words), senses, made_from)


def _linear(value: Any) -> Linear:
    names = value["features"].split("\n")
    columns = [list(map(int, column)) for column in value["weights"]]
    rows = zip(*columns, strict=True)
    classes = tuple(map(str, value["classes"]))
    bias, scale = (tuple(map(float, value[field])) for field in ("bias", "scale"))
    if not len(classes) == len(bias) == len(scale) == len(columns):
        raise ValueError("each feature needs one weight per class")
    return Linear(classes, bias, scale, dict(zip(names, rows, strict=True)))


def by_first_word(words: Iterable[Sequence[str]]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Build a lexicon of connectives.

    >>> by_first_word([("so",), ("so", "that"), ("but",)])
    {'so': (('so',), ('so', 'that')), 'but': (('but',),)}
    """
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for connective in words:
        found[connective[0]] = (*found.get(connective[0], ()), tuple(connective))
    return found
