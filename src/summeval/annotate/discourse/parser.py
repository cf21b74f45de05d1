"""The discourse parser: its model, and the relations that its kernel finds in parsed documents.

The definition of what it finds is tests/definitions/discourse, which also trains the model
(`ci/resources/discourse_model.py`). Files are in the format of `summeval.learn`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._cached import cached_property
from summeval._core.discourse.relations import Relations
from summeval.annotate.discourse.document import (
    LEVEL_1,
    WITHOUT_SENSE,
    DiscourseDocument,
    Relation,
    Span,
)
from summeval.annotate.document import Document, packed
from summeval.learn.model_file import load_model, restoring, save_model

if TYPE_CHECKING:
    from numpy import int16
    from numpy.typing import NDArray

Kind = tuple[str, tuple[str, ...]]
"""The type and the senses of a relation."""

KIND = "discourse parser"
_SIGNED = 1  # the version of what the signature is made of
COMPONENTS = tuple("connective position sense boundary stretches preceding neighbours".split())
_CLASSES = {"connective": 1, "position": 1, "boundary": 4, "stretches": 1, "preceding": 1}
_MOST = 1e100  # bias and scale; sums of larger numbers might be infinite
_BUNDLED = Path(__file__).parent / "data" / "gdtb.model"


class Linear(NamedTuple):
    """A linear classifier over sparse binary features.

    Attributes
    ----------
    classes : sequence of str
    bias, scale : sequence of float
        One number per class.
    features : str
        A line for each.
    weights : sequence of sequence of int
        For each class the weights of the features, in units of `scale`. Their sums are exact, so
        scores do not depend on the order of the features.
    """

    classes: Sequence[str]
    bias: Sequence[float]
    scale: Sequence[float]
    features: str
    weights: Sequence[Sequence[int]]

    def for_kernel(self, name: str) -> tuple[bytes, NDArray[int16], list[float], list[float]]:
        """Return what the kernel takes; raise `ValueError` unless it is sound."""
        import numpy as np

        classes = len(self.classes)
        if not classes == len(self.bias) == len(self.scale) == _CLASSES.get(name, classes) > 0:
            raise ValueError(f"{name} has other classes")
        if not all(abs(number) < _MOST for number in (*self.bias, *self.scale)):
            raise ValueError(f"{name} has numbers that are not finite")
        weights = np.array(self.weights, dtype=np.int64)
        lines = self.features.count("\n") + 1 if self.features else min(weights.shape[-1], 1)
        if weights.shape != (classes, lines):
            raise ValueError(f"{name} has not one weight for each feature and class")
        if np.abs(weights).max(initial=0) > np.iinfo(np.int16).max:
            raise ValueError(f"{name} has large weights")
        table = np.ascontiguousarray(weights.T, dtype=np.int16)
        return _bytes(self.features), table, list(self.bias), list(self.scale)


@dataclass(frozen=True)
class Model:
    """The parameters of the parser.

    Attributes
    ----------
    components : mapping of str to Linear
        Keys are the names in `COMPONENTS`.
    lexicon : sequence of str
        Connectives, as words in lower case.
    senses : mapping of str to str
        The full sense of `connective|level 1`. A level 1 alone is the key for Implicit relations
        and for connectives not seen with that sense.
    made_from : str
    """

    components: Mapping[str, Linear]
    lexicon: Sequence[str]
    senses: Mapping[str, str]
    made_from: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.components, self.lexicon, self.senses, self.made_from)

    def content(self) -> dict[str, Any]:
        """Return what the model's file holds."""
        return {
            "components": {name: linear._asdict() for name, linear in self.components.items()},
            "lexicon": self.lexicon,
            "senses": self.senses,
            "made_from": self.made_from,
        }

    @cached_property
    def signature(self) -> str:
        """Format, version and digest: equal for models that parse alike."""
        plain = json.dumps(self.content(), sort_keys=True, separators=(",", ":"))
        return f"discourse:{_SIGNED}:{hashlib.sha256(plain.encode('ascii')).hexdigest()[:12]}"

    @cached_property
    def kernel(self) -> tuple[Relations, tuple[Kind, ...]]:
        """The model as the kernel reads it, and the kinds of relations that the kernel writes.

        Raises `LookupError`, `TypeError` or `ValueError` for parameters that are not sound.
        """
        kinds: dict[Kind, int] = {}

        def kind(of: str, sense: str) -> int:
            if sense.partition(".")[0] not in LEVEL_1:
                raise ValueError(f"{sense!r} is no sense")
            return kinds.setdefault((of, (sense,)), len(kinds))

        levels = {level: k for k, level in enumerate(self.components["sense"].classes)}
        known = []
        for key, sense in self.senses.items():
            words, bar, level = key.rpartition("|")
            if bar and level in levels:
                known.append((_bytes(words), levels[level], kind("Explicit", sense)))
        neighbours = [
            kind("Implicit", self.senses[label])
            if label in LEVEL_1
            else kinds.setdefault((WITHOUT_SENSE[WITHOUT_SENSE.index(label)], ()), len(kinds))
            for label in self.components["neighbours"].classes
        ]
        relations = Relations(
            {name: self.components[name].for_kernel(name) for name in COMPONENTS},
            [[*map(_bytes, words.split(" "))] for words in self.lexicon],
            known,
            [kind("Explicit", self.senses[level]) for level in levels],
            neighbours,
        )
        return relations, tuple(kinds)


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model file; the same model gives the same bytes."""
    save_model(path, KIND, model.content(), {})


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file.

    Raises
    ------
    ValueError
        Naming the file: for one of another format, version or kind, one that was changed or
        cut, and one whose parameters are not sound.
    OSError
    """
    model = _read(path)
    with restoring(path, "the discourse parser"):
        _ = model.kernel
    return model


def _read(path: str | os.PathLike[str]) -> Model:
    content, _ = load_model(path, KIND)
    with restoring(path, "the discourse parser"):
        parts = {name: Linear(**content["components"][name]) for name in COMPONENTS}
        return Model(parts, content["lexicon"], content["senses"], content["made_from"])


@functools.cache
def default() -> Model:
    """Return the model that comes with the package, trained on the GUM Discourse Treebank."""
    return _read(_BUNDLED)


class Related(NamedTuple):
    """A parsed document and its relations, as the kernel wrote them.

    Attributes
    ----------
    document : Document
    written : bytes
        See `summeval._core.discourse.relations.Relations.find`.
    kinds : tuple of (str, tuple of str)
        What the kinds in `written` are.
    """

    document: Document
    written: bytes
    kinds: tuple[Kind, ...]

    def with_relations(self) -> DiscourseDocument:
        """Return the document with its relations as objects."""
        return DiscourseDocument.known(self.document, self._relations())

    def _relations(self) -> Iterator[Relation]:
        numbers = array("i", self.written).tolist()
        at = 0
        while at < len(numbers):
            kind, size, *counts = numbers[at : at + 4]
            at += 4 + size
            connective = tuple(numbers[at - size : at])
            arguments: list[tuple[Span, ...]] = []
            for count in counts:
                ends = iter(numbers[at : at + 2 * count])
                arguments.append(tuple(zip(ends, ends, strict=True)))
                at += 2 * count
            yield Relation(*self.kinds[kind], connective, *arguments)


def related(
    documents: Sequence[Document], workers: int = 1, model: Model | None = None
) -> list[Related]:
    """Find the relations of documents, as `parse` does, by `workers` threads.

    Raises
    ------
    ValueError
        A document has no parse.

    Examples
    --------
    >>> from summeval.annotate import Sentence, Token
    >>> cat = Sentence((Token("Cats", "NNS", "", 1, "nsubj"), Token("sat", "VBD", "", -1, "root")))
    >>> found, = related([Document((cat, cat))])
    >>> found.with_relations().relations[0].type
    'Implicit'
    """
    relations, kinds = (model or default()).kernel
    written = relations.find([packed(document) for document in documents], workers)
    pairs = zip(documents, written, strict=True)
    found = [Related(document, each, kinds) for document, each in pairs if each is not None]
    if len(found) < len(written):
        raise ValueError(_without_parse(documents[written.index(None)]))
    return found


def parse(document: Document, model: Model | None = None) -> DiscourseDocument:
    """Find the discourse relations of a parsed document.

    Explicit relations have a connective and a three-level sense as in the PDTB 3. Two adjacent
    sentences that no connective links get one Implicit, EntRel, NoRel or Hypophora relation that
    covers both. Implicit senses are hardly better than the majority baseline. AltLex relations and
    Implicit relations within a sentence are not detected.

    Parameters
    ----------
    document : Document
        With tags and dependencies in the labels of CLEAR, as `summeval.annotate.annotate` makes it.
    model : Model, optional
        Read by `summeval.annotate.discourse.load`; default: the bundled model.

    Raises
    ------
    ValueError
        The document has no parse, or its heads form a cycle.

    Examples
    --------
    >>> from summeval.annotate import Sentence, Token
    >>> rows = [("It", "PRP", 1, "nsubj"), ("rained", "VBD", -1, "root"), (",", ",", 1, "punct"),
    ...         ("so", "CC", 1, "cc"), ("we", "PRP", 5, "nsubj"), ("left", "VBD", 1, "conj"),
    ...         (".", ".", 5, "punct")]
    >>> tokens = tuple(Token(form, tag, "", head, label) for form, tag, head, label in rows)
    >>> relation, = parse(Document((Sentence(tokens),))).relations
    >>> relation.sense, relation.conn_tokens, relation.arg1, relation.arg2
    ('Contingency.Cause.Result', (3,), ((0, 3),), ((4, 7),))
    """
    (found,) = related([document], model=model)
    return found.with_relations()


def _without_parse(document: Document) -> str:
    for number, sentence in enumerate(document.sentences, 1):
        if sentence.tokens and not any(token.label for token in sentence.tokens):
            return f"sentence {number} has no dependency parse; annotate the text with spacy"
    raise AssertionError("the kernel refuses only documents without a parse")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
