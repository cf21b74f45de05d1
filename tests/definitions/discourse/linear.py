"""Linear classifiers over sparse binary features, and the model of the parser made of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from summeval.annotate.discourse import parser as package


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear classifier.

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

    @classmethod
    def of(cls, linear: package.Linear) -> Linear:
        """The classifier of a model file."""
        names = linear.features.split("\n")
        weights = dict(zip(names, zip(*linear.weights, strict=True), strict=False))
        return cls(tuple(linear.classes), tuple(linear.bias), tuple(linear.scale), weights)

    def packed(self) -> package.Linear:
        r"""The classifier as a model file has it: its features in order.

        >>> Linear(("no", "yes"), (0.5, 0.0), (0.25, 1.0), {"b": (0, 4), "a": (2, 1)}).packed()[3:]
        ('a\nb', [[2, 0], [1, 4]])
        """
        names = sorted(self.weights)
        columns = [[self.weights[name][k] for name in names] for k in range(len(self.bias))]
        return package.Linear(
            list(self.classes), list(self.bias), list(self.scale), "\n".join(names), columns
        )

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
    """The parameters of the parser: those of `summeval.annotate.discourse.Model`.

    Attributes
    ----------
    components : mapping of str to Linear
    lexicon : mapping of str to tuple of tuples of str
        Connectives, as words in lower case, by their first word.
    senses : mapping of str to str
    made_from : str
    """

    components: Mapping[str, Linear]
    lexicon: Mapping[str, tuple[tuple[str, ...], ...]]
    senses: Mapping[str, str]
    made_from: str = ""

    @classmethod
    def of(cls, model: package.Model) -> Model:
        """The model of a file."""
        components = {name: Linear.of(linear) for name, linear in model.components.items()}
        lexicon = by_first_word(words.split(" ") for words in model.lexicon)
        return cls(components, lexicon, model.senses, model.made_from)

    def packed(self) -> package.Model:
        """The model as a file has it."""
        return package.Model(
            {name: linear.packed() for name, linear in self.components.items()},
            sorted(" ".join(words) for each in self.lexicon.values() for words in each),
            dict(self.senses),
            self.made_from,
        )


@functools.cache
def default() -> Model:
    """The model that comes with the package."""
    return Model.of(package.default())


def by_first_word(words: Iterable[Sequence[str]]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Build a lexicon of connectives.

    >>> by_first_word([("so",), ("so", "that"), ("but",)])
    {'so': (('so',), ('so', 'that')), 'but': (('but',),)}
    """
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for connective in words:
        found[connective[0]] = (*found.get(connective[0], ()), tuple(connective))
    return found
