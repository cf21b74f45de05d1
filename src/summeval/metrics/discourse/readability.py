"""How well a text reads, from its words alone: no parser, no references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Floats
from summeval._cached import cached_property
from summeval.metrics.discourse.text_features import (
    FEATURES,
    FeatureReader,
    class_numbers,
    places_of,
)
from summeval.metrics.discourse.trained import Trained, column_of, finite, shipped
from summeval.metrics.option_groups import LABEL, MODEL
from summeval.metrics.run.explain import items as pieces
from summeval.metrics.run.explain.spans import tokens_of
from summeval.metrics.run.runner import Runner, has_words
from summeval.metrics.run.signature import Signed

if TYPE_CHECKING:
    from summeval.learn.signed_ridge import Judged, LengthNorms, Weights

Groups = Sequence[Any]  # the topic, or the system, of each text
_NORMS = ("mean", "spread", "least")
_WEIGHTS = ("centre", "scale", "weights")


class Readability(Trained):
    """How well a text reads, by its lengths, repetitions, pairs of word classes and marks.

    Each feature is normed by the length of the text: what counts is how far it is from its usual
    value in texts of as many words that people wrote. A linear model of these distances is trained
    on human scores within topics. The direction of a feature fixes the sign of its weight:
    repetition never makes a text better, even if the texts of one system suggest it. Without these
    two constraints models learn to recognise the systems of their training texts, and fail on other
    systems and other kinds of text.

    `summeval.metric("readability")` is already trained; docs/readability.md describes its training
    data, and its accuracy on sets, topics and systems that it did not see. It reads no order of
    sentences and no sense: see docs/metrics/readability.md for what it cannot see.

    Fields: `value`, in standard deviations of the training texts from their mean. A feature counts
    for a bounded number of deviations. A text without words gets the `floor`, the value of a text
    with every feature so far on the wrong side. No text scores below it.

    `continuity`, from -1 to 1, is the least cosine of neighbouring sentences, by the vectors of
    their content words in the package's table: low where a sentence has nothing to do with the one
    before. It is no part of `value`, because repetition raises it. 1 for a text of one sentence,
    -1 for a text without words.

    Parameters
    ----------
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not accept; if used before training.

    Examples
    --------
    >>> import summeval
    >>> metric = summeval.metric("readability")
    >>> good = metric.score("The court heard the case on Monday. A ruling is due next week.")
    >>> loop = metric.score("The court heard the case on the case on the case on the case on.")
    >>> good.value > loop.value
    True
    """

    fields: tuple[str, ...] = ("value", "continuity")
    primary = "value"
    kind = "readability"
    names = ("readability",)
    summary = "how a text reads, from its words alone, by a trained model"
    compared_with = "nothing"
    languages = ("en",)
    options = (MODEL, LABEL)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._basis: _Basis | None = None

    @classmethod
    def named(  # type: ignore[override]  # names the options, for registry.options_of
        cls, name: str, *, model: str | PathLike[str] | None = None, label: str | None = None
    ) -> Readability:
        """Load the metric from a model file; by default from the package's model.

        Parameters
        ----------
        model : path or None
            A file that `save` or `summeval train` wrote, in place of the package's model.
        """
        return cls.load(shipped(name, model), label=label)

    @classmethod
    def load(cls, path: str | PathLike[str], *, label: str | None = None) -> Self:
        """The metric of a file that `save` wrote. Runs no code of the file; needs NumPy alone.

        Parameters
        ----------
        path : str or path
        label
            As of the class.

        Raises
        ------
        OSError, ValueError
            Naming the file: one that cannot be read, is no such model, was changed, or is of
            another version.
        """
        return cls._loaded(path, label=label)

    @classmethod
    def made_of(
        cls, basis: Mapping[str, AnyArray], found: Weights, trained: Mapping[str, Any]
    ) -> Readability:
        """Return the metric of a model that was fitted elsewhere.

        Parameters
        ----------
        basis : mapping
            The arrays "pairs" (see `FeatureReader`), "mean", "spread", "least" (`LengthNorms`).
        found : Weights
            Of the normed features.
        trained : mapping
            What training found.
        """
        made = cls()
        made._basis = _Basis(basis)
        made._keep(found, dict(trained))
        return made

    def signed(self) -> Signed:
        """Return the model and the table of vectors (parts of checksums)."""
        from summeval.learn.vectors import shipped_label

        return [("model", str(self._digest)), ("vectors", shipped_label())]

    @property
    def weights(self) -> dict[str, float]:
        """How much one standard deviation of each feature adds to the value."""
        return dict(zip(FEATURES, self._fitted()["weights"].tolist(), strict=True))

    def features(self, texts: Sequence[str], *, workers: int = 1) -> Floats:
        """Return the features of texts [text, feature], in the order of `weights`.

        In deviations from what is usual in human texts of the same length; before training by the
        norms of the package's model.
        """
        return self._basis_used().read(texts, workers)[0]

    def fit(
        self,
        texts: Sequence[str],
        scores: ArrayLike,
        topics: Groups,
        systems: Groups | None = None,
        *,
        workers: int = 1,
    ) -> Readability:
        """Learn from texts with human scores; norms are those of the package's model.

        It chooses the penalties that give the best ranking of texts of other topics and systems.

        Parameters
        ----------
        texts : sequence of str
        scores : array [texts]
            Greater is better; scores are compared within a topic.
        topics : sequence [texts]
        systems : sequence [texts], optional
            The author of each text. Without them the model cannot separate the habits of a system
            from readability, and does worse on other systems.
        workers : int
            Number of threads that count features.

        Raises
        ------
        ValueError
            If lengths differ, if scores are not finite numbers, or if no topic has texts with
            different scores.
        """
        return self.fit_rows(self.features(texts, workers=workers), scores, topics, systems)

    def fit_rows(
        self, rows: ArrayLike, scores: ArrayLike, topics: Groups, systems: Groups | None = None
    ) -> Readability:
        """Learn as in `fit`, from the results of `features`."""
        from summeval.learn.signed_ridge import choose, fit

        known = judged(rows, scores, topics, systems)
        penalties = np.ones(len(FEATURES))
        setting = choose(known, directions(), penalties)
        self._basis = self._basis_used()
        trained = {
            "strength": setting.strength,
            "effect": setting.effect,
            "texts": len(known.ranks),
        }
        trained |= {name: int(getattr(known, name).max()) + 1 for name in ("topics", "systems")}
        return self._keep(fit(known, directions(), penalties, setting), trained)

    def predict(self, texts: Sequence[str], *, workers: int = 1) -> Floats:
        """Return the value of each text. Needs only NumPy."""
        model = self._weights()
        found = model.values(self.features(texts, workers=workers))
        found[[not has_words((text,)) for text in texts]] = model.floor
        return found

    @property
    def floor(self) -> float:
        return self._weights().floor

    @property
    def floors(self) -> tuple[float, ...]:
        """The fields of a text without words."""
        return self.floor, -1.0

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        return {"features": list(FEATURES), **self._training()}, self._fitted()

    def restore(self, content: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
        if content["features"] != list(FEATURES):
            raise ValueError("it was trained with other features")
        self._basis = _Basis(arrays)
        self._take(content, {**self._basis.arrays, **_checked(arrays)})

    def _keep(self, found: Weights, trained: dict[str, Any]) -> Readability:
        own = {name: getattr(found, name) for name in _WEIGHTS}
        self._model = self._basis_used().arrays | own | {"offset": np.array([found.offset])}
        self._trained = trained
        return self

    def _basis_used(self) -> _Basis:
        return self._basis or _shipped_basis()

    def _weights(self) -> Weights:
        from summeval.learn.signed_ridge import Weights

        model = self._fitted()
        centre, scale, weights = (model[name] for name in _WEIGHTS)
        return Weights(centre, scale, weights, float(model["offset"][0]))

    def new_runner(self) -> Runner[Any]:
        return Runner.of_texts(self, self._score_texts)

    def explain_texts(self, asked: pieces.Asked) -> pieces.Items:
        """Return what each feature adds to `value`, the largest share first, and the intercept.

        The details of an item are the feature's `value`, its `usual` value in texts of as many
        words that people wrote, the `deviation` of these, and the `weight` of a standard deviation
        in the model. Items of repeated words have the places of those that came before. A text
        without words has one item, "floor".
        """
        candidate = asked.candidate
        if not has_words((candidate,)):
            return [pieces.whole(pieces.FLOOR, asked.value)]
        basis, model = self._basis_used(), self._weights()
        rows, words = basis.counted([candidate])
        usual, spread = basis.norms.usual(words)
        shares = model.shares(basis.norms.standard(rows, words))
        spans = places_of(tokens_of(candidate, "unicode"))
        columns = np.vstack([shares, rows, usual, spread, model.weights]).T.tolist()
        items = []
        for name, (share, *numbers) in zip(FEATURES, columns, strict=True):
            details = dict(zip(("value", "usual", "deviation", "weight"), numbers, strict=True))
            places = spans.get(name, ())
            items.append(pieces.ExplainedItem(name.replace("_", " "), places, (), share, details))
        return *pieces.largest_first(items), pieces.whole(pieces.INTERCEPT, 0.0 - model.offset)

    def _score_texts(self, texts: Sequence[str], workers: int) -> Floats:
        """Return the fields of each text [field, text]; all have words."""
        model = self._weights()
        rows, continuity = self._basis_used().read(texts, workers)
        return np.vstack([model.values(rows), continuity])


class _Basis:
    """How texts become rows: the table of word classes, and the norms."""

    def __init__(self, arrays: Mapping[str, AnyArray]) -> None:
        from summeval.learn.signed_ridge import LengthNorms

        self.arrays = finite(arrays, "pairs", *_NORMS)
        size = len(FEATURES)
        shapes = [(len(class_numbers()),) * 2, (size, 3), (size, 3), (size,)]
        if [array.shape for array in self.arrays.values()] != shapes:
            raise ValueError("its norms do not match")
        if not (self.arrays["least"] > 0).all():
            raise ValueError("its deviations are not above 0")
        self.norms: LengthNorms = LengthNorms(*(self.arrays[name] for name in _NORMS))

    @cached_property
    def _reader(self) -> FeatureReader:
        from summeval.learn.vectors import WordVectors

        return FeatureReader(np.ascontiguousarray(self.arrays["pairs"]), WordVectors.shipped())

    def read(self, texts: Sequence[str], workers: int) -> tuple[Floats, Floats]:
        """Return the normed features [text, feature], and continuity."""
        rows, words, continuity = self._reader.read(texts, workers)
        return self.norms.standard(rows, words), continuity

    def counted(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the features [text, feature] before they are normed, and the numbers of words."""
        return self._reader.read(texts)[:2]

    def __reduce__(self) -> tuple[type[_Basis], tuple[dict[str, AnyArray]]]:
        return _Basis, (self.arrays,)


@cache
def _shipped_basis() -> _Basis:
    return Readability.load(shipped("readability"))._basis_used()


def directions() -> AnyArray:
    """Return the direction of each feature."""
    return np.array([feature.direction for feature in FEATURES.values()])


def judged(rows: ArrayLike, scores: ArrayLike, topics: Groups, systems: Groups | None) -> Judged:
    """Features and scores in the form that the learner needs."""
    from summeval.learn.signed_ridge import Judged, ranks_of

    table = np.asarray(rows, dtype=np.float64)
    values = column_of(scores, len(table), "scores")
    given = [0] * len(table) if systems is None else systems
    numbers = []
    for what, groups in (("topics", topics), ("systems", given)):
        if len(groups) != len(table):
            raise ValueError(f"{what} has {len(groups)} for {len(table)} texts; give one each")
        places: dict[Any, int] = {}
        numbers.append(np.array([places.setdefault(group, len(places)) for group in groups]))
    ranks = ranks_of(values, numbers[0]) if len(table) else values
    if not ranks.any():
        raise ValueError("no topic has texts of different scores; nothing to learn")
    return Judged(table, ranks, *numbers)


def _checked(arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Check that the arrays of a model have all features; return them."""
    found = finite(arrays, *_WEIGHTS, "offset")
    size = len(FEATURES)
    if [array.shape for array in found.values()] != [(size,)] * 3 + [(1,)]:
        raise ValueError("its arrays do not match")
    if not (found["scale"] > 0).all():
        raise ValueError("its scales are not above 0")
    return found
