"""The discourse parser by its kernel: the relations that `parser` defines, many texts at a time."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._core.discourse.relations import Relations
from summeval.annotate.discourse import parser
from summeval.annotate.discourse.document import (
    LEVEL_1,
    WITHOUT_SENSE,
    DiscourseDocument,
    Relation,
    Span,
)
from summeval.annotate.discourse.model import COMPONENTS, Linear, Model, default_content
from summeval.annotate.document import Document
from summeval.annotate.packed import packed

if TYPE_CHECKING:
    from numpy import int16
    from numpy.typing import NDArray

Kind = tuple[str, tuple[str, ...]]
"""The type and the senses of a relation."""

_CLASSES = {"connective": 1, "position": 1, "boundary": 4, "stretches": 1, "preceding": 1}
_MOST = 1e100  # bias and scale; sums of larger numbers might be infinite
_KEPT = 4  # models
_kept: list[tuple[Model, Reader | None]] = []


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
        """The document with its relations as objects."""
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


class Component(NamedTuple):
    """A classifier in arrays: features, a line for each, and their weights [feature, class]."""

    classes: Sequence[str]
    bias: Sequence[float]
    scale: Sequence[float]
    features: str
    weights: NDArray[Any]

    @classmethod
    def of(cls, linear: Linear) -> Component:
        """The arrays of a classifier; ValueError if lines cannot separate its features."""
        import numpy as np

        features = "\n".join(linear.weights)
        if features.count("\n") != max(len(linear.weights) - 1, 0):
            raise ValueError("a feature has several lines")
        weights = np.array([*linear.weights.values()], dtype=np.int64)
        weights = weights.reshape(len(linear.weights), len(linear.classes))
        return cls(linear.classes, linear.bias, linear.scale, features, weights)

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Component:
        """The arrays of a classifier in a model file."""
        import numpy as np

        weights = np.array(value["weights"], dtype=np.int64).T
        return cls(value["classes"], value["bias"], value["scale"], value["features"], weights)

    def checked(self, name: str) -> tuple[bytes, NDArray[int16], list[float], list[float]]:
        """What the kernel takes; ValueError if it would not do what the definition does."""
        import numpy as np

        classes = len(self.classes)
        if not classes == len(self.bias) == len(self.scale) == _CLASSES.get(name, classes) > 0:
            raise ValueError(f"{name} has other classes")
        if not all(abs(number) < _MOST for number in (*self.bias, *self.scale)):
            raise ValueError(f"{name} has numbers that are not finite")
        if np.abs(self.weights).max(initial=0) > np.iinfo(np.int16).max:
            raise ValueError(f"{name} has large weights")
        weights = np.ascontiguousarray(self.weights, dtype=np.int16)
        return _bytes(self.features), weights, list(self.bias), list(self.scale)


class Reader:
    """A model as the kernel reads it.

    Raises
    ------
    KeyError, TypeError, ValueError
        The kernel cannot do what the definition does with such a model.
    """

    def __init__(
        self,
        components: Mapping[str, Component],
        lexicon: Iterable[Sequence[str]],
        senses: Mapping[str, str],
    ) -> None:
        kinds: dict[Kind, int] = {}

        def kind(of: str, sense: str) -> int:
            if sense.partition(".")[0] not in LEVEL_1:
                raise ValueError(f"{sense!r} is no sense")
            return kinds.setdefault((of, (sense,)), len(kinds))

        levels = {level: k for k, level in enumerate(components["sense"].classes)}
        known = []
        for key, sense in senses.items():
            words, bar, level = key.rpartition("|")
            if bar and level in levels:
                known.append((_bytes(words), levels[level], kind("Explicit", sense)))
        neighbours = [
            kind("Implicit", senses[label])
            if label in LEVEL_1
            else kinds.setdefault((WITHOUT_SENSE[WITHOUT_SENSE.index(label)], ()), len(kinds))
            for label in components["neighbours"].classes
        ]
        self._relations = Relations(
            {name: components[name].checked(name) for name in COMPONENTS},
            [[*map(_bytes, words)] for words in lexicon],
            known,
            [kind("Explicit", senses[level]) for level in levels],
            neighbours,
        )
        self._kinds = tuple(kinds)

    @classmethod
    def of(cls, model: Model) -> Reader:
        """The reader of a model."""
        components = {name: Component.of(model.components[name]) for name in COMPONENTS}
        words = [connective for each in model.lexicon.values() for connective in each]
        return cls(components, words, model.senses)

    def find(self, documents: Sequence[Document], workers: int = 1) -> list[Related | None]:
        """The relations of documents; None where the definition says why there are none."""
        found = self._relations.find([packed(document) for document in documents], workers)
        return [
            None if written is None else Related(document, written, self._kinds)
            for document, written in zip(documents, found, strict=True)
        ]


def related(documents: Sequence[Document], workers: int = 1) -> list[Related]:
    """Find the relations of documents with the bundled model.

    Parameters
    ----------
    documents : sequence of Document
        As for `parse`.
    workers : int
        Number of threads.

    Raises
    ------
    ValueError
        A document has no parse.

    Examples
    --------
    >>> from summeval.annotate import Sentence, Token
    >>> cat = Sentence((Token("Cats", "NNS", "", 1, "nsubj"), Token("sat", "VBD", "", -1, "root")))
    >>> found, = related([Document((cat, cat))])
    >>> found.with_relations() == parser.parse(found.document)
    True
    """
    found = []
    for document, each in zip(documents, bundled().find(documents, workers), strict=True):
        if each is None:
            parser.parse(document)
            raise AssertionError("the definition refuses what the kernel refuses")
        found.append(each)
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
    reader = bundled() if model is None else _reader(model)
    found = None if reader is None else reader.find([document])[0]
    return parser.parse(document, model) if found is None else found.with_relations()


@functools.cache
def bundled() -> Reader:
    """The reader of the bundled model, made from its file."""
    content = default_content()
    components = {name: Component.read(content["components"][name]) for name in COMPONENTS}
    words = [written.split(" ") for written in content["lexicon"]]
    return Reader(components, words, content["senses"])


def _reader(model: Model) -> Reader | None:
    """The model as the kernel reads it; None if only the definition can use it."""
    for known, reader in _kept:
        if known is model:
            return reader
    try:
        made: Reader | None = Reader.of(model)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        made = None
    _kept.append((model, made))
    del _kept[:-_KEPT]
    return made


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
