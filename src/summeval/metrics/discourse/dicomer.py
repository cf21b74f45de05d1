"""DICOMER: the readability of a text, from the roles of its words in discourse relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from math import fsum, log1p
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Floats
from summeval._options import Option, option
from summeval.learn.model_file import finite
from summeval.learn.regression import TRANSFORMS, domain, transform
from summeval.metrics.discourse.roles import OPTIONS as ROLE_OPTIONS
from summeval.metrics.discourse.roles import Documents, RolePlaces, RoleRows, RoleSpace, readable
from summeval.metrics.discourse.trained import Trained, column_of, shipped
from summeval.metrics.option_groups import CACHE, LABEL, MODEL, PARSER, RELATIONS
from summeval.metrics.option_groups import C as MACHINE_C
from summeval.metrics.parsed import DiscourseParser, forms_of
from summeval.metrics.run.explain import items as pieces
from summeval.metrics.run.runner import Runner, has_words
from summeval.metrics.run.signature import Signed

if TYPE_CHECKING:
    from summeval.annotate import Provider
    from summeval.metrics.parsed import FindRelations


SHIPPED = {  # features of the models that come with the package, the default first
    "dicomer": ("dicomer",),
    "coherence-order": ("presence", "roles", "grid", "lin", "dicomer"),
}
_FEATURES = Option("features", None, (None, *dict.fromkeys(chain(*SHIPPED.values()))))
_KEPT = (  # options saved in a file; the others say how texts are read, and the user sets them
    *("features", "salience", "intra_norm", "ext", "keep_nil_only", "drop_trivial"),
    *("transform", "min_documents"),
)


class Dicomer(Trained):
    """Readability by a ranking machine over the features of discourse role matrices.

    It must be trained on human scores of texts, topic by topic (`fit`); then it scores other texts.
    A machine that is trained to distinguish texts from their permutations measures order, not the
    readability of summaries. `summeval.metric` has a trained metric of both kinds: "dicomer" and
    "coherence-order"; docs/readability.md describes their training data and their accuracy.

    Source: Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation
    Evaluation Metrics for Summarization Evaluation", sections 4 and 5.

    Field: `value`; 0 for a text without features, such as one sentence. A text without words gets
    the `floor`, the value of only the worst feature of each kind. No text scores below it.

    Parameters
    ----------
    features : {"lin", "lin+c", "lin+e", "dicomer", "presence", "roles", "grid"}
        Of the role matrix, as in `transition_features`.
    salience : int or None
        Treat words that occur so often separately, as in `transition_features`.
    intra_norm, ext, keep_nil_only, drop_trivial
        As in `transition_features`.
    transform : {"signed_log1p", "log", "none"}
        Of the machine's number s: sign(s) log(1 + |s|); its logarithm as in the paper, which is an
        error for numbers of 0 or less of texts with words; or s itself.
    C : {None, "cv"} or float
        A number, or "cv" to choose it by topics; by default SVM-light's.
    min_documents : int
        Leave out features that fewer training documents have.
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
    >>> from summeval.annotate import DiscourseDocument
    >>> from summeval.metrics.discourse.roles import table_2
    >>> texts = [table_2(), DiscourseDocument(table_2().sentences)]
    >>> metric = Dicomer(features="lin", transform="none").fit(texts, [5, 1], ["a", "a"])
    >>> metric.predict(texts).round(6).tolist()
    [1.0, 0.0]
    """

    names = ("dicomer", "coherence-order")
    summary = (
        ("dicomer", "roles of words in discourse relations, by a model of coherence"),
        ("coherence-order", "the same, by a model of original versus shuffled order"),
    )
    fields: tuple[str, ...] = ("value",)
    primary = "value"
    kind = "dicomer"
    compared_with = "nothing"
    languages = ("en",)
    options = (MODEL, _FEATURES, PARSER, RELATIONS, CACHE, LABEL)
    features: str = ROLE_OPTIONS[0]._replace(default="dicomer")
    salience: int | None = ROLE_OPTIONS[1]
    intra_norm: str = ROLE_OPTIONS[2]
    ext: str = ROLE_OPTIONS[3]
    keep_nil_only: bool = ROLE_OPTIONS[4]
    drop_trivial: bool = ROLE_OPTIONS[5]
    transform: str = option(default="signed_log1p", choices=TRANSFORMS)
    C: float | str | None = MACHINE_C
    min_documents: int = option(default=1, kind="whole", low=1, give="give a number from 1")
    parser: Any = PARSER
    relations: FindRelations | None = RELATIONS
    cache: bool = CACHE

    def __post_init__(self) -> None:
        given = vars(self)
        self.space = RoleSpace(*(given.pop(one.name) for one in ROLE_OPTIONS))
        relations, cache = given.pop("relations"), given.pop("cache")
        self.parser = DiscourseParser(self.parser, relations, cache, self.label)
        self.parsers = (self.parser,)
        super().__post_init__()
        self._transform, self._C = given.pop("transform"), given.pop("C")
        self._min_documents = given.pop("min_documents")

    @classmethod
    def named(
        cls,
        name: str,
        *,
        model: str | PathLike[str] | None = None,
        features: str | None = None,
        **reading: Any,
    ) -> Dicomer:
        """Load the metric from a `model` file, or the package's model with these `features`.

        Parameters
        ----------
        model : path or None
            A file that `save` or `summeval train` wrote, in place of the package's model.
        features : {"lin", "lin+c", "lin+e", "dicomer", None}
            The features of the package's model to load; None is the metric's default model.
        """
        known = SHIPPED[name]
        path = shipped(name, model, features=(known[0] if features is None else features, known))
        made = cls.load(path, **reading)
        made.name = made.label or name
        return made

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        parser: str | Provider = "compiled",
        relations: FindRelations | None = None,
        cache: bool = True,
        label: str | None = None,
    ) -> Self:
        """The metric of a file that `save` wrote. Runs no code of the file; needs NumPy alone.

        Parameters
        ----------
        path : str or path
        parser, relations, cache, label
            As of the class; no file can choose them.

        Raises
        ------
        OSError, ValueError
            Naming the file: one that cannot be read, is no such model, was changed, or is of
            another version.
        """
        return cls._loaded(path, parser=parser, relations=relations, cache=cache, label=label)

    def new_runner(self) -> Runner[Any]:
        return Runner.of_texts(self, self._score_texts)

    def signed(self) -> Signed:
        """Return the options and the model (a part of its checksum) that numbers depend on."""
        return [
            *self.space.options,
            ("transform", self._transform),
            ("model", str(self._digest)),
            *self.parser.options,
        ]

    @property
    def weights(self) -> dict[str, float]:
        """The learnt weight of each feature.

        >>> from summeval.annotate import DiscourseDocument
        >>> from summeval.metrics.discourse.roles import table_2
        >>> texts = [table_2(), DiscourseDocument(table_2().sentences)]
        >>> metric = Dicomer(features="presence").fit(texts, [5, 1], ["a", "a"])
        >>> max(metric.weights, key=metric.weights.get)
        'nil->any'
        """
        model = self._fitted()
        pairs = zip(model["indices"].tolist(), model["weights"].tolist(), strict=True)
        return {self.space.name(index): weight for index, weight in pairs}

    def fit(
        self, documents: Documents, scores: ArrayLike, topics: Sequence[Any], *, workers: int = 1
    ) -> Dicomer:
        """Learn from documents with human scores. Needs the extra `learn`.

        Parameters
        ----------
        documents : sequence of DiscourseDocument
            For the entity grid they must also be made from annotated documents.
        scores : array [documents]
            Greater is better; scores are compared within a topic.
        topics : sequence [documents]
        workers : int
            Number of threads that count features.

        Raises
        ------
        ImportError
            If scikit-learn is missing; the message has the command that installs it.
        ValueError
            If lengths differ, if scores are not finite numbers, or if no topic has documents with
            different scores.
        """
        values = column_of(scores, len(documents), "scores")
        self._learn(self.space.rows(documents, workers=workers), values, list(topics))
        return self

    def predict(self, documents: Documents, *, workers: int = 1) -> Floats:
        """Return the value of each document. Needs only NumPy."""
        rows = self.space.rows(documents, workers=workers)
        return self._apply(rows, [not has_words(forms_of(document)) for document in documents])

    @property
    def floor(self) -> float:
        return self.bounds[0]

    @property
    def bounds(self) -> tuple[float, float]:
        """The lower and the upper bound of the score of any text."""
        low, high = transform(self._transform, self._ends()).tolist()
        return low, high

    def cross_predict(
        self,
        documents: Documents,
        scores: ArrayLike,
        topics: Sequence[Any],
        *,
        folds: int = 5,
        workers: int = 1,
    ) -> Floats:
        """The value of each document, by machines trained on other topics; `self` is not changed.

        Parameters
        ----------
        documents, scores, topics, workers
            As in `fit`.
        folds : int
            Number of parts of the topics; each part is predicted from the others.
        """
        from summeval.learn.svm import topic_folds

        values, given = column_of(scores, len(documents), "scores"), list(topics)
        rows = self.space.rows(documents, workers=workers)
        found = values * float("nan")
        for part in topic_folds(given, folds):
            other = Dicomer(transform=self._transform, C=self._C, min_documents=self._min_documents)
            other.space = self.space
            kept = [topic for topic, out in zip(given, part, strict=True) if not out]
            other._learn(rows.where(~part), values[~part], kept)
            found[part] = other._apply(rows.where(part))
        return found

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        own = {"transform": self._transform, "min_documents": self._min_documents}
        options = asdict(self.space) | own
        kept = {"options": {name: options[name] for name in _KEPT}, "roles": [*self.space.roles]}
        return kept | self._training(), self._fitted()

    def restore(self, content: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
        options = {name: content["options"][name] for name in _KEPT}
        trained = Dicomer(**options)
        if content["roles"] != list(trained.space.roles):
            raise ValueError("it was trained with other roles")
        self.space, self._transform = trained.space, trained._transform
        self._min_documents = trained._min_documents
        self._take(content, _checked(arrays, self.space.size))

    def _learn(self, rows: RoleRows, scores: Floats, topics: list[Any]) -> None:
        from scipy import sparse

        from summeval.learn.svm import RankSVM

        indices, times = np.unique(rows.indices, return_counts=True)
        indices = indices[times >= self._min_documents]
        shape = len(scores), self.space.size
        table = sparse.csr_matrix((rows.values, rows.indices, rows.indptr), shape=shape)
        table = table[:, indices] if len(indices) else sparse.csr_matrix((len(scores), 1))
        machine = RankSVM(C=self._C).fit(table, scores, topics)
        self._model = {"indices": indices, "weights": machine.coef_[: len(indices)]}
        counts = {"documents": len(scores), "topics": len(set(topics)), "pairs": machine.n_pairs_}
        self._trained = {"C": machine.C_, **counts}

    def _ends(self) -> Floats:
        """Return the `bounds` before the transformation."""
        model = self._fitted()
        return domain(self._transform, self.space.bounds(model["indices"], model["weights"]))

    def _apply(self, rows: RoleRows, empty: Sequence[bool] = ()) -> Floats:
        """Return the values of documents; `empty` says for each whether it has no words."""
        weights = self._weights_by_index()
        row = np.repeat(np.arange(len(rows.indptr) - 1), np.diff(rows.indptr))
        shares = rows.values * weights[rows.indices]
        values = np.bincount(row, weights=shares, minlength=len(rows.indptr) - 1).astype(float)
        if any(empty):
            values[list(empty)] = self._ends()[0]
        return transform(self._transform, values)

    def _weights_by_index(self) -> Floats:
        """The weight of every feature of the space; kept, because it takes longer than a text."""
        model = self._fitted()
        known = self.__dict__.get("_runner_weights")
        if known is None or known[0] is not model or known[1] is not self.space:
            weights = np.zeros(self.space.size)
            weights[model["indices"]] = model["weights"]
            known = self.__dict__["_runner_weights"] = (model, self.space, weights)
        found: Floats = known[2]
        return found

    def explain_texts(self, asked: pieces.Asked) -> pieces.Items:
        """Return what each feature of the text adds to `value`, the largest share first.

        An item is a sequence of roles that a word has in neighbouring sentences ("none, then
        Comp.Arg1"), its spans those of the words. The machine's number is the sum of the features,
        each by its weight; with `transform` the share of a feature is the same part of `value` as
        of the sum ("log": of log(1 + s), and an item "logarithm" has the rest). The details are the
        `value` of the feature and its `weight`. A text without words has one item, "floor".
        """
        candidate, value = asked.candidate, asked.value
        if not has_words((candidate,)):
            return [pieces.whole(pieces.FLOOR, value)]
        (document,) = self.parser.annotate([candidate])
        read = [document] if self.space.grid else self.parser.parse([candidate])
        rows, (cells,) = self.space.rows(read), self.space.matrices(read, None)
        weights = self._weights_by_index()[rows.indices].tolist()
        places = RolePlaces(document, cells if document.text == candidate else {})
        items = []
        for index, number, weight in zip(rows.indices, rows.values.tolist(), weights, strict=True):
            if share := number * weight:
                name, details = self.space.name(index), {"value": number, "weight": weight}
                found = readable(name), places.of(name)
                items.append(pieces.ExplainedItem(*found, (), share, details))
        items = items or [pieces.whole("no sequence of roles", 0.0)]
        total = fsum(item.share for item in items)
        shown = transformed(items, total, value, self._transform)
        return pieces.largest_first(pieces.rounded(shown, value))

    def _score_texts(self, texts: Sequence[str], workers: int) -> Floats:
        self._fitted()
        if self.space.grid or not self.parser.is_own:
            read = self.parser.annotate if self.space.grid else self.parser.parse
            return self.predict(read(texts, workers), workers=workers)
        related = self.parser.read(texts, workers)
        rows, plain = self.space.related_rows(related, workers=workers)
        pairs = zip(related, plain.tolist(), strict=True)
        empty = [not (known or has_words(forms_of(each.document))) for each, known in pairs]
        return self._apply(rows, empty)


def _checked(arrays: Mapping[str, AnyArray], size: int) -> dict[str, AnyArray]:
    """Check that the arrays of a model have this many features; return them."""
    indices = arrays["indices"]
    weights = finite(arrays, "weights", what="weights")["weights"]
    if indices.ndim != 1 or indices.shape != weights.shape or indices.dtype.kind != "i":
        raise ValueError("indices and weights do not match")
    if len(indices) and not (indices.min() >= 0 and indices.max() < size):
        raise ValueError("indices are out of range")
    return {"indices": indices, "weights": weights}


def transformed(
    items: Sequence[pieces.ExplainedItem], total: float, value: float, transform: str
) -> list[pieces.ExplainedItem]:
    """Return the items of a sum, with shares of what its transformation is.

    Each has the same part of it as of the sum. The logarithm of a small sum is below 0, so that
    its items have their part of log(1 + sum), and an item "logarithm" the rest.

    >>> from summeval.metrics.run.explain.items import whole
    >>> [item.share for item in transformed([whole("a", 3.0), whole("b", -1.0)], 2.0, 1.0, "none")]
    [1.5, -0.5]
    """
    if not total:
        return list(items)
    reached = log1p(total) if transform == "log" else value
    found = [replace(one, share=one.share * (reached / total)) for one in items]
    return [*found, pieces.whole("logarithm", value - reached)] if transform == "log" else found
