"""The models of the discourse parser and their files.

A file is a line of JSON (format, version, length and SHA-256 of the rest) followed by
zlib-compressed JSON. Loading runs no code and uses no more memory than the first line states.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from summeval._files import write_whole
from summeval._options import shown

FORMAT = "summeval discourse model"
VERSION = 1
COMPONENTS = (
    "connective",
    "position",
    "sense",
    "boundary",
    "stretches",
    "preceding",
    "neighbours",
)

_MOST_BYTES = 1 << 28  # of a decompressed model
_MEND = "create it again with ci/resources/discourse_model.py"


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

    @property
    def signature(self) -> str:
        """Format, version and digest; equal for models that parse identically."""
        digest = hashlib.sha256(_pack(self)).hexdigest()
        return f"discourse:{VERSION}:{digest[:12]}"


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file; equal models give equal bytes."""
    unpacked = _pack(model)
    packed = zlib.compress(unpacked, 9)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "bytes": len(unpacked),
        "sha256": hashlib.sha256(packed).hexdigest(),
    }
    write_whole(path, json.dumps(header).encode("ascii") + b"\n" + packed)


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file.

    Raises
    ------
    ValueError
        The file has another format or version, or was changed or truncated; the message names it.
    OSError
    """
    return _read(Path(path).read_bytes(), os.fspath(path))


@functools.cache
def default() -> Model:
    """The bundled model, trained on the GUM Discourse Treebank."""
    file = resources.files(__package__) / "data" / "gdtb.model"
    return _read(file.read_bytes(), str(file))


def _read(data: bytes, name: str) -> Model:
    line, _, packed = data.partition(b"\n")
    header = _json(line, name, "is not a discourse model")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"{name} is not a discourse model; {_MEND}")
    if header.get("version") != VERSION:
        raise ValueError(
            f"{name} is a discourse model of version {shown(header.get('version'))}, but this"
            f" summeval reads version {VERSION}; {_MEND}"
        )
    if header.get("sha256") != hashlib.sha256(packed).hexdigest():
        raise ValueError(f"{name} was changed or truncated after writing; {_MEND}")
    size = header.get("bytes")
    if not isinstance(size, int) or not 0 < size <= _MOST_BYTES:
        raise ValueError(f"{name} states no valid length; {_MEND}")
    unpacker = zlib.decompressobj()
    try:
        unpacked = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise ValueError(f"{name} cannot be decompressed ({error}); {_MEND}") from None
    if len(unpacked) != size:
        raise ValueError(f"{name} does not hold the {size} bytes that it states; {_MEND}")
    return _unpack(_json(unpacked, name, "holds invalid JSON"), name)


def _json(written: bytes, name: str, problem: str) -> Any:
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        raise ValueError(f"{name} {problem}; {_MEND}") from None


def _pack(model: Model) -> bytes:
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
    value = {
        "components": components,
        "lexicon": sorted(" ".join(words) for each in model.lexicon.values() for words in each),
        "senses": model.senses,
        "made_from": model.made_from,
    }
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _unpack(value: Any, name: str) -> Model:
    try:
        components = {part: _linear(value["components"][part]) for part in COMPONENTS}
        words = [tuple(written.split(" ")) for written in value["lexicon"]]
        senses, made_from = value["senses"], value["made_from"]
        if not isinstance(made_from, str) or not all(map(str.__instancecheck__, senses.values())):
            raise TypeError("a sense is not a string")
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        known = shown(str(error))[1:-1]
        raise ValueError(f"{name} has a missing or invalid part ({known}); {_MEND}") from None
    return Model(components, by_first_word(words), senses, made_from)


def _linear(value: Any) -> Linear:
    names = value["features"].split("\n")
    columns = [[int(weight) for weight in column] for column in value["weights"]]
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
