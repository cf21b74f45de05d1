"""The readability of a text, from repetition, entities, syntax and discourse."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from summeval._options import Option, checked, unknown
from summeval.metrics.discourse.parser import forms_of
from summeval.metrics.discourse.readability_features import GROUPS, feature_rows, names_of
from summeval.metrics.discourse.shipped import shipped
from summeval.metrics.discourse.trained import TrainedReader, column_of, finite
from summeval.metrics.option_groups import CACHE, LABEL, MODEL, PARSER, RELATIONS
from summeval.metrics.run.candidate_runner import has_words
from summeval.metrics.run.signature import Signature

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import ArrayLike, NDArray

    from summeval.annotate import Document, Provider
    from summeval.learn.signed_ridge import Judged, Weights
    from summeval.metrics.discourse.parser import FindRelations

DEFAULT_GROUPS = ("surface", "repetition", "entities", "syntax", "discourse")
TARGETS = ("coherence", "fluency")
FREE_PENALTY = 3.0  # penalty of features without a direction, as a multiple of the others'


class Readability(TrainedReader):
    """Readability by features of repetition, entities, syntax and discourse.

    A linear model of the features in `summeval.metrics.discourse.readability_features`, trained on
    human scores within topics. The direction of a feature fixes the sign of its weight: repetition
    never makes a text better, even if the texts of one system suggest it. Without this constraint
    models learn to recognise the systems of their training texts, and fail on other systems.

    `summeval.metric("readability")` is already trained; docs/readability.md describes its training
    data, and its accuracy on topics and systems that it did not see.

    Field: `value`, in standard deviations of the training texts from their mean. A feature counts
    for four standard deviations at most. A text without words gets the `floor`, the value of a text
    with every feature so far on the wrong side. No text scores below it.

    Parameters
    ----------
    groups : iterable of str
        The features to learn from; by default all but "style", which shows how a system writes
        rather than how well: casing, blanks before marks, a missing final mark. The groups are
        surface, repetition, entities, syntax, discourse and style.
    parser : str or Provider
        The parser of texts; see `summeval.annotate.provider`.
    relations : callable or None
        Finds the relations of an annotated Document and returns its DiscourseDocument; by default
        `summeval.annotate.discourse.parse`.
    cache : bool
        Keep parses on disk, so that later runs need not parse again.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not accept; if used before training.

    Examples
    --------
    >>> from summeval.annotate import DiscourseDocument, Document, Sentence, Token
    >>> def text(*words):
    ...     return Document((Sentence(tuple(Token(word, "NN", word) for word in words)),))
    >>> texts = [text("cat", "cat", "cat"), text("cat", "dog", "bird")]
    >>> metric = Readability(groups=["repetition"], relations=DiscourseDocument.of)
    >>> metric.fit(texts, [1, 2], ["a", "a"]).predict(texts).round(6).tolist()
    [-1.0, 1.0]
    """

    fields = ("value",)
    primary = "value"
    kind = "readability"
    compared_with = "nothing"
    options = (
        MODEL,
        Option(
            "target", "The judgements that the package's model learnt from.", "coherence", TARGETS
        ),
        Option(
            "style",
            'Use the package\'s model that also has the features of the group "style".',
            False,
            kind="bool",
        ),
        PARSER,
        RELATIONS,
        CACHE,
        LABEL,
    )
    training_options = (
        Option(
            "groups",
            'The features to learn from; by default all but "style", which shows how a system'
            " writes rather than how well: casing, blanks before marks, a missing final mark.",
            DEFAULT_GROUPS,
            kind="words",
        ),
        PARSER,
        RELATIONS,
        CACHE,
        LABEL,
    )

    asking_for = ("lemmas",)

    def __init__(
        self,
        *,
        groups: Collection[str] = DEFAULT_GROUPS,
        parser: str | Provider = "spacy",
        relations: FindRelations | None = None,
        cache: bool = True,
        label: str | None = None,
    ) -> None:
        checked(self.training_options, locals())
        super().__init__(parser=parser, relations=relations, cache=cache, label=label)
        self.groups = _groups(groups)

    @classmethod
    def named(  # type: ignore[override]  # names the options, for registry.options_of
        cls,
        name: str,
        *,
        model: str | PathLike[str] | None = None,
        target: str = "coherence",
        style: bool = False,
        parser: str | Provider = "spacy",
        relations: FindRelations | None = None,
        cache: bool = True,
        label: str | None = None,
    ) -> Readability:
        """Load the metric from a model file; by default from a model of the package.

        Parameters
        ----------
        name : str
        model : path, optional
            A file that `save` or `summeval train readability` wrote.
        target : {"coherence", "fluency"}
            The judgements that the package's model learnt from.
        style : bool
            Use the package's model that also has the features of the group "style".
        parser, relations, cache, label
            As in the class.
        """
        path = shipped(name, model, target=(target, TARGETS), style=(style, (False, True)))
        return cls.load(path, parser=parser, relations=relations, cache=cache, label=label)

    @property
    def signature(self) -> Signature:
        """The features, model (a part of its checksum) and version that the numbers depend on."""
        options = [
            ("groups", "+".join(self.groups)),
            ("model", str(self._digest)),
            *self.parser.options,
        ]
        return Signature.of(self.name, options)

    @property
    def weights(self) -> dict[str, float]:
        """How much one standard deviation of each feature adds to the value."""
        found = self._fitted()["weights"].tolist()
        return dict(zip(names_of(self.groups), found, strict=True))

    def features(self, documents: Sequence[Document], *, workers: int = 1) -> NDArray[float64]:
        """The features of documents [document, feature], in the order of `weights`."""
        relations = self.parser.relate_all(documents, workers)
        return feature_rows(documents, relations, names_of(self.groups), workers)

    def fit(
        self,
        documents: Sequence[Document],
        scores: ArrayLike,
        topics: Sequence[Any],
        systems: Sequence[Any] | None = None,
        *,
        workers: int = 1,
    ) -> Readability:
        """Learn from documents with human scores.

        It chooses the penalties that give the best ranking of texts of other topics and systems.

        Parameters
        ----------
        documents : sequence of Document
            With tags and dependencies, as `summeval.annotate.annotate` makes them.
        scores : array [documents]
            Greater is better; scores are compared within a topic.
        topics : sequence [documents]
        systems : sequence [documents], optional
            The author of each document. Without them the model cannot separate the habits of a
            system from readability, and does worse on other systems.
        workers : int
            Number of threads that count roles.

        Raises
        ------
        ValueError
            If lengths differ, if scores are not finite numbers, or if no topic has documents with
            different scores.
        """
        return self.fit_rows(self.features(documents, workers=workers), scores, topics, systems)

    def fit_rows(
        self,
        rows: ArrayLike,
        scores: ArrayLike,
        topics: Sequence[Any],
        systems: Sequence[Any] | None = None,
    ) -> Readability:
        """Learn as in `fit`, from features that are already counted."""
        import numpy as np

        from summeval.learn.signed_ridge import choose, fit

        known = judged(rows, scores, topics, systems)
        directions, penalties = constraints(self.groups)
        setting = choose(known, directions, penalties)
        found = fit(known, directions, penalties, setting)
        self._model = {
            "centre": found.centre,
            "scale": found.scale,
            "weights": found.weights,
            "offset": np.array([found.offset]),
        }
        self._trained = {
            "strength": setting.strength,
            "effect": setting.effect,
            "documents": len(known.ranks),
            "topics": int(known.topics.max()) + 1,
            "systems": int(known.systems.max()) + 1,
        }
        return self

    def predict(self, documents: Sequence[Document], *, workers: int = 1) -> NDArray[float64]:
        """The value of each document. Needs only NumPy."""
        return self._values(documents, self.features(documents, workers=workers))

    def _values(self, documents: Sequence[Document], rows: NDArray[float64]) -> NDArray[float64]:
        model = self._weights()
        found = model.values(rows)
        for row, document in enumerate(documents):
            if not has_words(forms_of(document)):
                found[row] = model.floor
        return found

    @property
    def floor(self) -> float:
        return self._weights().floor

    def kept(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        names = {"groups": list(self.groups), "features": list(names_of(self.groups))}
        return {**names, **self._training()}, self._fitted()

    def restore(self, content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.groups = _groups(content["groups"])
        if content["features"] != list(names_of(self.groups)):
            raise ValueError("it was trained with other features")
        self._take(content, _checked(arrays, len(content["features"])))

    def _weights(self) -> Weights:
        from summeval.learn.signed_ridge import Weights

        model = self._fitted()
        parts = (model["centre"], model["scale"], model["weights"], float(model["offset"][0]))
        return Weights(*parts)

    def _score_texts(self, texts: Sequence[str], workers: int) -> NDArray[float64]:
        self._fitted()
        if not self.parser.is_own:
            return self.predict(self.parser.annotate(texts, workers), workers=workers)
        read = self.parser.read(texts, workers)
        documents = [each.document for each in read]
        relations = [each.with_relations() for each in read]
        rows = feature_rows(documents, relations, names_of(self.groups), workers)
        return self._values(documents, rows)


def _groups(given: Collection[str]) -> tuple[str, ...]:
    """Groups of features in their order, without repetitions."""
    if isinstance(given, str):
        given = (given,)
    for group in given:
        if group not in GROUPS:
            raise ValueError(unknown("group", group, tuple(GROUPS)))
    if not given:
        raise ValueError(f"groups is empty; choose from {', '.join(GROUPS)}")
    return tuple(group for group in GROUPS if group in given)


def constraints(groups: Collection[str]) -> tuple[NDArray[Any], NDArray[float64]]:
    """The directions of the features of these groups, and the factors of their penalties."""
    import numpy as np

    features = {name: found for group in groups for name, found in GROUPS[group].items()}
    directions = np.array([features[name].direction for name in names_of(groups)])
    return directions, np.where(directions == 0, FREE_PENALTY, 1.0)


def judged(
    rows: ArrayLike, scores: ArrayLike, topics: Sequence[Any], systems: Sequence[Any] | None
) -> Judged:
    """Features and scores in the form that the learner needs."""
    import numpy as np

    from summeval.learn.signed_ridge import Judged, ranks_of

    table = np.asarray(rows, dtype=np.float64)
    values = column_of(scores, len(table), "scores")
    given = [0] * len(table) if systems is None else systems
    numbers = []
    for what, groups in (("topics", topics), ("systems", given)):
        if len(groups) != len(table):
            raise ValueError(f"{what} has {len(groups)} for {len(table)} documents; give one each")
        places: dict[Any, int] = {}
        numbers.append(np.array([places.setdefault(group, len(places)) for group in groups]))
    ranks = ranks_of(values, numbers[0]) if len(table) else values
    if not ranks.any():
        raise ValueError("no topic has documents of different scores; nothing to learn")
    return Judged(table, ranks, *numbers)


def _checked(arrays: Mapping[str, NDArray[Any]], size: int) -> dict[str, NDArray[Any]]:
    """Check that the arrays of a model have this many features; return them."""
    found = finite(arrays, "centre", "scale", "weights", "offset")
    if [array.shape for array in found.values()] != [(size,)] * 3 + [(1,)]:
        raise ValueError("its arrays do not match")
    if not (found["scale"] > 0).all():
        raise ValueError("its scales are not above 0")
    return found
