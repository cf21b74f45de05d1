"""How well a text reads, from its words alone: no parser, no references.

The direction fixes the effect of a feature: more of it makes a text read better (1) or worse (-1),
even if some judgements disagree. Directions keep a model from learning the habits of the systems
that wrote its training texts; see `Readability`.

Words have classes that need no tagger. A frequent function word is a class of its own, other
function words share those of their tags, and content words those of their ends (-ing, -ed, -s). In
"the of" or "is will" two classes meet that hardly ever do: so a swap of words shows, without a
parse.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Floats
from summeval._cached import cached_property
from summeval._core.columns import columns
from summeval._core.readability.text_features import NAMES, TextFeatures
from summeval.learn.model_file import finite
from summeval.metrics.discourse.trained import Trained, column_of, shipped
from summeval.metrics.option_groups import LABEL, MODEL
from summeval.metrics.run.explain import items as pieces
from summeval.metrics.run.explain.spans import tokens_of
from summeval.metrics.run.runner import Runner, has_words
from summeval.metrics.run.signature import Signed
from summeval.text import stemmer
from summeval.text.function_words import by_tag, english
from summeval.text.sentence_splitter import known_words

if TYPE_CHECKING:
    from summeval.learn.signed_ridge import Judged, LengthNorms, Weights
    from summeval.learn.vectors import WordVectors
    from summeval.metrics.run.explain.items import Span


class Feature(NamedTuple):
    """A feature: its direction and its description."""

    direction: int
    meaning: str


_DATA = json.loads(
    (files("summeval.metrics.discourse") / "data/text_features.json").read_text("utf-8")
)
# Counted in the kernel, and normed by the length of the text.
NORMED = {name: Feature(*values) for name, values in _DATA["normed"].items()}
# In most texts 0, so that length says nothing of it.
SPARSE = {name: Feature(*values) for name, values in _DATA["sparse"].items()}
FEATURES: dict[str, Feature] = {**NORMED, **SPARSE}
_FIRST = NAMES.index("sentence_length")  # the kernel has the normed ones in this order
_COLUMNS = slice(_FIRST, _FIRST + len(NORMED))
_ERRORS = [
    NAMES.index(name) for name in ("no_final_mark", "unbalanced", "short_sentences", "broken_off")
]
_SPACED, _WORDS = NAMES.index("spaced_marks"), NAMES.index("words")
_CONTINUITY = NAMES.index("continuity")
_MANY_SPACED = 0.1  # blanks before marks, by words, that count as one error
# Words of a class of their own; verbs without content, and what the tokens of "n't", "'m" and the
# like leave; words that want another after them.
_SINGLE, _EMPTY, _WANTING = (_DATA[name].split() for name in ("single", "empty", "wanting"))
# Classes of words, and of ends, of which the first that fits decides: -ss and the like are no
# plurals.
_SHARED, _ENDS = _DATA["shared"], _DATA["ends"]


@cache
def class_numbers() -> dict[str, int]:
    """Return the number of each class, from the names of words, tags and ends."""
    names = ["<>", "#", "", *_SINGLE, *by_tag(), *_SHARED, *_ENDS.values()]
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


@cache
def known_classes() -> dict[str, tuple[int, bool, bool]]:
    """Of words that are known one by one: class; function word or not; whether it wants another.

    >>> known_classes()["the"][1:], known_classes()["very"][1:]
    ((True, True), (False, False))
    """
    numbers = class_numbers()
    classes = {word: numbers[tag] for tag, found in by_tag().items() for word in sorted(found)}
    classes |= {word: numbers[name] for name, found in _SHARED.items() for word in found.split()}
    classes |= {word: numbers[word] for word in _SINGLE}
    function = english() | frozenset(_EMPTY)
    classes |= {word: numbers[""] for word in sorted(function) if word not in classes}
    return {word: (kind, word in function, word in _WANTING) for word, kind in classes.items()}


def end_classes() -> list[tuple[str, int]]:
    """Return the classes of other words, by their ends."""
    return [(end, class_numbers()[name]) for end, name in _ENDS.items()]


class FeatureReader:
    """Counts the features of texts.

    Parameters
    ----------
    pairs : array [class, class]
        The mutual information of a class and the next, in nats.
    vectors : WordVectors, optional
        For the likeness of neighbouring sentences, which is 0 without it.
    """

    def __init__(self, pairs: Floats, vectors: WordVectors | None = None) -> None:
        words = {word.encode(): traits for word, traits in known_classes().items()}
        suffixes = [(end.encode(), number) for end, number in end_classes()]
        never, number, maybe, starters = (
            {word.encode() for word in known} for known in known_words()
        )
        rules, table = (never, number, maybe, starters), vectors.kernel if vectors else None
        self._kernel = TextFeatures(words, suffixes, pairs, rules, table)

    def read(self, texts: Sequence[str], workers: int = 1) -> tuple[Floats, Floats, Floats]:
        """The features [text, feature] as in FEATURES, the numbers of words, and continuity."""
        found = self._kernel.rows(columns.texts(texts, "texts"), workers)
        errors = [found[:, column] for column in _ERRORS]
        errors.append(np.minimum(1.0, found[:, _SPACED] / _MANY_SPACED))
        rows = np.column_stack([found[:, _COLUMNS], sum(errors[1:], errors[0])])
        return rows, found[:, _WORDS], found[:, _CONTINUITY]


def places_of(words: Sequence[tuple[str, int, int]]) -> dict[str, tuple[Span, ...]]:
    """Return where the words of a text stand that its features of words are about, by the feature.

    Of repetitions that is what came before; stems of content words are those of the kernel.

    >>> found = places_of([("the", 0, 3), ("cat", 4, 7), ("the", 8, 11), ("cats", 12, 16)])
    >>> found["repeated_words"], found["repeated_content"], found["commonest_content"]
    (((8, 11),), ((12, 16),), ((4, 7), (12, 16)))
    """
    pairs = [((one[0], two[0]), one[1], two[2]) for one, two in pairwise(words)]
    known, none = known_classes(), (0, False, False)
    function = [known.get(form, none)[1] for form, _, _ in words]
    content = [
        (_stem(form), (a, b)) for (form, a, b), no in zip(words, function, strict=True) if not no
    ]
    again = tuple(_again(content))
    most = max(Counter(form for form, _ in content).values(), default=0)
    often = {form for form, count in Counter(form for form, _ in content).items() if count == most}
    threes = zip(words, words[2:], function, function[1:], function[2:], strict=False)
    return {
        "repeated_words": tuple(_again((form, (a, b)) for form, a, b in words)),
        "repeated_bigrams": tuple(_again((forms, (a, b)) for forms, a, b in pairs)),
        "repeated_content": again,
        "near_content": again,
        "commonest_content": tuple(span for form, span in content if form in often and most > 1),
        "function_runs": tuple((one[1], two[2]) for one, two, *three in threes if all(three)),
    }


def _stem(form: str) -> str:
    return stemmer("porter")(form) if len(form) > 3 and form.isascii() else form


def _again(items: Iterable[tuple[Hashable, Span]]) -> Iterator[Span]:
    """Yield the spans of items that came before."""
    seen: set[Hashable] = set()
    for form, span in items:
        if form in seen:
            yield span
        seen.add(form)


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
