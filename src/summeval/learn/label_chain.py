"""A model of which utterances of a document are chosen: logistic, chain and skip chain.

Galley 2006, "A Skip-Chain Conditional Random Field for Ranking Meeting Utterances by Importance",
sections 5 to 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Floats, Ints
from summeval._core.chains.label_chain import Chains
from summeval._options import Option, check_choice, checked
from summeval.learn.model_file import Saved, load_model, restoring

LARGEST = 1e100  # so that no sum of squares is infinite


class Cases(NamedTuple):
    """Labels of annotators with what they depend on; equal ones of an utterance are joined.

    Attributes
    ----------
    utterance : array [case]
    context : array [case]
        Where `summeval._core.chains` has the potential of label 0 after these labels; that of 1
        follows.
    parent : array [case]
        The label of the linked utterance; -1 without a link.
    chosen, asked : array [case]
        How many annotators chose the utterance, and how many there are.
    """

    utterance: Ints
    context: Ints
    parent: Ints
    chosen: Floats
    asked: Floats


class Documents(NamedTuple):
    """Documents one after another.

    Attributes
    ----------
    table : array [utterance, feature]
    ends : array [document + 1]
    parents : array [utterance]
        The earlier utterance of the document, counted from 0 in it, or -1.
    annotators : array [document]
    cases : Cases
    """

    table: Floats
    ends: Ints
    parents: Ints
    annotators: Floats
    cases: Cases


def read_documents(
    features: Sequence[ArrayLike],
    labels: Sequence[Sequence[ArrayLike]],
    links: Sequence[ArrayLike | None] | None,
    order: int,
) -> Documents:
    """Check and join documents; the arguments are those of `LabelChain.fit`."""
    tables = [read_table(one, f"document {d}") for d, one in enumerate(features)]
    for name, given in (("labels", labels), ("links", links)):
        if given is not None and len(given) != len(tables):
            raise ValueError(
                f"there are {len(tables)} documents and {name} of {len(given)}; give both for each"
            )
    sizes = [len(table) for table in tables]
    ends = np.cumsum([0, *sizes])
    nothing = [None] * len(tables)
    parents = [
        read_links(one, size, f"document {d}")
        for d, (one, size) in enumerate(zip(links or nothing, sizes, strict=True))
    ]
    extracts = [
        np.array(
            [_read_labels(one, size, d, a) for a, one in enumerate(given)], dtype=np.int64
        ).reshape(len(given), size)
        for d, (given, size) in enumerate(zip(labels, sizes, strict=True))
    ]
    cases = _cases(extracts, parents, ends, order)
    chosen = cases.chosen.sum()
    if chosen in (0, cases.asked.sum()):
        what = "every" if chosen else "no"
        raise ValueError(f"{what} utterance is chosen in the extracts; a model needs both kinds")
    annotators = np.array([len(one) for one in extracts], dtype=np.float64)
    return Documents(_joined(tables), ends, np.concatenate(parents), annotators, cases)


def read_table(features: ArrayLike, place: str, width: int | None = None) -> Floats:
    """Return the features of a document; an empty list is a document without utterances.

    >>> read_table([[1.0, float("nan")]], "document 2")
    Traceback (most recent call last):
    ValueError: feature 1 of utterance 0 of document 2 is nan; give a number up to 1e+100
    """
    try:
        table = np.asarray(features, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"the features of {place} are no table of numbers; give one") from None
    if table.size == 0 and len(table) == 0:
        table = table.reshape(0, width or 0)
    if table.ndim != 2 or (width is not None and table.shape[1] != width):
        wanted = "[utterance, feature]" if width is None else f"[utterance, {width}]"
        raise ValueError(f"the features of {place} have the shape {table.shape}; give {wanted}")
    usable = np.abs(table) <= LARGEST
    if not usable.all():
        t, f = np.argwhere(~usable)[0].tolist()
        raise ValueError(
            f"feature {f} of utterance {t} of {place} is {table[t, f]}; give a number up to"
            f" {LARGEST:g}"
        )
    return table


def read_links(links: ArrayLike | None, size: int, place: str) -> Ints:
    """Return the utterance that each utterance is linked to, or -1.

    >>> read_links([[2, 0]], 3, "document 1").tolist()
    [-1, -1, 0]
    >>> read_links([[0, 2]], 3, "document 1")
    Traceback (most recent call last):
    ValueError: link [0, 2] of document 1 does not go from one of its 3 utterances to an earlier one
    """
    parents = np.full(size, -1, dtype=np.int64)
    found = np.asarray([] if links is None else links)
    if found.size == 0:
        return parents
    if found.ndim != 2 or found.shape[1] != 2 or found.dtype.kind not in "iu":
        raise ValueError(f"the links of {place} are no pairs of whole numbers; give [from, to]")
    later, earlier = found.T
    wrong = (earlier < 0) | (later >= size) | (earlier >= later)
    if wrong.any():
        raise ValueError(
            f"link {found[wrong][0].tolist()} of {place} does not go from one of its {size}"
            " utterances to an earlier one"
        )
    counts = np.bincount(later)
    if counts.max() > 1:
        raise ValueError(
            f"utterance {int(counts.argmax())} of {place} has {int(counts.max())} links to earlier"
            " ones; give at most one"
        )
    parents[later] = earlier
    return parents


def _read_labels(labels: ArrayLike, size: int, d: int, a: int) -> Ints:
    place = f"labels {a} of document {d}"
    try:
        found = np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{place} are no numbers; give 0 or 1") from None
    if found.shape != (size,):
        raise ValueError(f"{place} have the shape {found.shape}; give one for each of {size}")
    wrong = (found != 0.0) & (found != 1.0)
    if wrong.any():
        raise ValueError(f"{place} have {found[wrong][0]}; give 0 or 1")
    return found.astype(np.int64)


def _joined(tables: Sequence[Floats]) -> Floats:
    filled = [(d, table) for d, table in enumerate(tables) if len(table)]
    first, one = filled[0]
    for d, table in filled:
        if table.shape[1] != one.shape[1]:
            raise ValueError(
                f"document {d} has {table.shape[1]} features, document {first} has"
                f" {one.shape[1]}; give the same for all"
            )
    return np.concatenate([table for _, table in filled])


def _cases(extracts: Sequence[Ints], parents: Sequence[Ints], ends: Ints, order: int) -> Cases:
    contexts, spread = 2 << order, 3  # there are contexts - 1 of them
    keys, labels = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for begin, extract, linked in zip(ends[:-1], extracts, parents, strict=True):
        history = _contexts(extract, order) // 2
        place = begin + np.arange(extract.shape[1])
        parent = np.where(linked < 0, -1, extract[:, linked])
        keys.append((((place * contexts) + history) * spread + parent + 1).ravel())
        labels.append(extract.ravel())
    found, number = np.unique(np.concatenate(keys), return_inverse=True)
    own = np.concatenate(labels)
    rest, parent = np.divmod(found, spread)
    utterance, history = np.divmod(rest, contexts)
    chosen, asked = np.bincount(number, own, len(found)), np.bincount(number, minlength=len(found))
    return Cases(
        utterance, 2 * history, parent - 1, chosen.astype(np.float64), asked.astype(np.float64)
    )


def _contexts(extract: Ints, order: int) -> Ints:
    """Return the context of each label of each annotator."""
    size = extract.shape[1]
    history = np.zeros_like(extract)
    depth = np.minimum(np.arange(size), order)
    for back in range(1, min(order, size - 1) + 1):
        history[:, back:] += extract[:, :-back] << (depth[back:] - back)
    return np.asarray((2 << depth) - 2 + 2 * history)


LEAST_SCALE = 1e-100
_SEARCH = {"maxiter": 1000, "maxfun": 2000, "ftol": 1e-13, "gtol": 1e-6, "maxcor": 20}


class Weights(NamedTuple):
    """A trained model.

    Attributes
    ----------
    centre, scale : array [feature]
        Mean and standard deviation in training.
    features : array [feature]
        Weights of the standardised features.
    bias : array [1]
    contexts : array [context]
        Log potentials of the labels of an utterance and of those before it: 4 with one before, then
        8 with two, 16 with three; each adds to those with fewer. In the order of
        `summeval._core.chains`.
    link : array [4]
        Log potentials [label of the linked utterance, own label].
    """

    centre: Floats
    scale: Floats
    features: Floats
    bias: Floats
    contexts: Floats
    link: Floats

    def scores(self, table: Floats) -> Floats:
        """Return the log potential of label 1 for each utterance, by its features."""
        return np.asarray((table - self.centre) / self.scale @ self.features + self.bias[0])


class Likelihood:
    """The negative penalised log likelihood of the labels of documents, and its gradient.

    The numbers are the weights of the features, the bias, and, as far as the model has them, the
    potentials of contexts and of links. The penalty is half of l2 times the squared weights, and l2
    times the squared potentials: with these, a difference of 1 between the potentials of two labels
    costs as much as a weight of 1. The bias is free.

    Parameters
    ----------
    documents : Documents
        With standardised features.
    order, links, normalisation, l2
        As of `LabelChain`.
    """

    def __init__(
        self, documents: Documents, order: int, links: bool, normalisation: str, l2: float
    ) -> None:
        self.documents = documents
        self.features = documents.table.shape[1]
        self.contexts = (4 << order) - 4
        self.penalty = np.full(self.features + 1 + self.contexts + 4 * links, 2.0 * l2)
        self.penalty[: self.features] = l2
        self.penalty[self.features] = 0.0
        self.loopy = 0
        self._alone = normalisation == "local" or (order == 0 and not links)
        cases = documents.cases
        size = len(documents.table)
        self._chosen = np.bincount(cases.utterance, cases.chosen, size)
        if not self._alone:
            parents = documents.parents if links else np.full(size, -1, dtype=np.int64)
            self._chains = Chains(documents.ends, parents, order)
            self.loopy = self._chains.loopy
            linked = cases.parent >= 0
            self._contexts, self._links = np.zeros(self.contexts + 2), np.zeros(4)
            for label, count in enumerate((cases.asked - cases.chosen, cases.chosen)):
                self._contexts += np.bincount(cases.context + label, count, self.contexts + 2)
                pair = 2 * cases.parent[linked] + label
                self._links += np.bincount(pair, count[linked], 4)

    def start(self) -> Floats:
        """Return all 0 but the bias."""
        numbers = np.zeros(len(self.penalty))
        cases = self.documents.cases
        numbers[self.features] = np.log(cases.chosen.sum() / (cases.asked - cases.chosen).sum())
        return numbers

    def curvature(self) -> Floats:
        """Return the second derivatives at the start, nearly: what makes the search short.

        As if the labels of a context did not depend on the features, nor on other contexts.
        """
        cases = self.documents.cases
        rate = cases.chosen.sum() / cases.asked.sum()
        asked = np.bincount(cases.utterance, cases.asked, len(self.documents.table))
        found = np.diag(self.penalty)
        weighed = self.documents.table * (rate * (1.0 - rate) * asked)[:, None]
        found[: self.features, : self.features] += weighed.T @ self.documents.table
        kinds, place = np.unique(
            np.stack([cases.context, cases.parent + 1]), axis=1, return_inverse=True
        )
        place = place.ravel()
        # as if there were one label more in each context
        counts = [
            np.bincount(place, number) + share
            for number, share in ((cases.asked - cases.chosen, 1.0 - rate), (cases.chosen, rate))
        ]
        rows = self._indicators(*kinds)
        if self._alone:
            both = counts[0] + counts[1]
            difference = rows[:, 1] - rows[:, 0]
            own = (difference.T * (counts[0] * counts[1] / both)) @ difference
        else:
            depth = np.frexp(kinds[0] + 2)[1] * 2 + (kinds[1] > 0)  # of the context; linked or not
            own = sum(_scatter(rows, counts, depth == one) for one in np.unique(depth))
        found[self.features :, self.features :] += own
        return found

    def _indicators(self, contexts: Ints, parents: Ints) -> Floats:
        """Return which of the bias and the potentials count for labels [case, label, number]."""
        parts = np.array([whole_contexts(one) for one in np.eye(self.contexts)])
        parts = parts.reshape(self.contexts, self.contexts + 2)
        found = np.zeros((len(contexts), 2, len(self.penalty) - self.features))
        linked = np.flatnonzero(parents * (found.shape[2] > 1 + self.contexts))
        for label in (0, 1):
            found[:, label, 0] = label
            found[:, label, 1 : 1 + self.contexts] = parts[:, contexts + label].T
            found[linked, label, self.contexts + 2 * parents[linked] - 1 + label] = 1.0
        return found

    def __call__(self, numbers: Floats) -> tuple[float, Floats]:
        weights, bias, contexts, link = self.parts(numbers)
        scores = self.documents.table @ weights + bias[0]
        measure = self._of_each if self._alone else self._of_documents
        value, *slopes = measure(scores, whole_contexts(contexts), link)
        of_links = slopes[2][: len(numbers) - self.features - 1 - self.contexts]
        of_features = [slopes[0] @ self.documents.table, [slopes[0].sum()]]
        slope = np.concatenate([*of_features, _of_parts(slopes[1]), of_links])
        penalised = 0.5 * float(self.penalty @ numbers**2) - value
        return penalised, self.penalty * numbers - slope

    def parts(self, numbers: Floats) -> list[Floats]:
        """Return the weights, the bias, the potentials of contexts and of links."""
        at = [self.features, self.features + 1, self.features + 1 + self.contexts]
        *found, link = np.split(numbers, at)
        return [*found, link if len(link) else np.zeros(4)]

    def _of_documents(self, scores: Floats, contexts: Floats, link: Floats) -> tuple[Any, ...]:
        """Return the log likelihood normalised over the labellings of documents, and its slopes."""
        from scipy.special import expit

        documents = self.documents
        totals, odds, *expected = self._chains.sums(scores, contexts, link, documents.annotators)
        chosen = self._chosen @ scores + self._contexts @ contexts + self._links @ link
        times = np.repeat(documents.annotators, np.diff(documents.ends))
        return (
            float(chosen - documents.annotators @ totals),
            self._chosen - times * expit(odds),
            self._contexts - expected[0],
            self._links - expected[1],
        )

    def _of_each(self, scores: Floats, contexts: Floats, link: Floats) -> tuple[Any, ...]:
        """The log likelihood of each label given those that it depends on, and its slopes."""
        from scipy.special import expit

        cases = self.documents.cases
        linked = cases.parent >= 0
        odds = scores[cases.utterance] + (contexts[1::2] - contexts[::2])[cases.context // 2]
        odds[linked] += (link[1::2] - link[::2])[cases.parent[linked]]
        value = cases.chosen @ odds - cases.asked @ np.logaddexp(0.0, odds)
        rest = cases.chosen - cases.asked * expit(odds)
        of_context = np.bincount(cases.context // 2, rest, len(contexts) // 2)
        of_link = np.bincount(cases.parent[linked], rest[linked], 2)
        return (
            float(value),
            np.bincount(cases.utterance, rest, len(scores)),
            np.column_stack([-of_context, of_context]).ravel(),
            np.column_stack([-of_link, of_link]).ravel(),
        )


def train(
    documents: Documents, order: int, links: bool, normalisation: str, l2: float
) -> tuple[Weights, bool]:
    """The weights with the greatest penalised log likelihood; whether inference was exact."""
    centre, scale = documents.table.mean(axis=0), documents.table.std(axis=0)
    scale[(scale <= 1e-12 * np.abs(centre)) | (scale < LEAST_SCALE)] = 1.0  # constant
    standard = documents._replace(table=(documents.table - centre) / scale)
    likelihood = Likelihood(standard, order, links, normalisation, l2)
    numbers = search(likelihood)
    return Weights(centre, scale, *likelihood.parts(numbers)), not likelihood.loopy


def search(likelihood: Likelihood) -> Floats:
    """Return the numbers with the least loss, by L-BFGS in directions of about equal curvature."""
    from scipy.optimize import minimize

    steepness, directions = np.linalg.eigh(likelihood.curvature())
    turn = directions / np.sqrt(np.maximum(steepness, 1e-10 * steepness[-1]))
    start = likelihood.start()

    def turned(numbers: Floats) -> tuple[float, Floats]:
        value, slope = likelihood(start + turn @ numbers)
        return value, slope @ turn

    options = {"method": "L-BFGS-B", "options": _SEARCH}
    found = minimize(turned, np.zeros(len(start)), jac=True, **options)
    return np.asarray(start + turn @ found.x)


def _scatter(rows: Floats, counts: Any, chosen: AnyArray) -> Floats:
    """Return the covariance of some rows [row, label] with these counts, times their number."""
    some = rows[chosen].reshape(-1, rows.shape[2])
    times = np.stack(counts, axis=1)[chosen].ravel()
    mean = times @ some / times.sum()
    return np.asarray((some.T * times) @ some - times.sum() * np.outer(mean, mean))


def whole_contexts(parts: Floats) -> Floats:
    """Add to the potential of each context those of its last labels."""
    found = [np.zeros(2)]
    at = 0
    while at < len(parts):
        shorter = found[-1].reshape(-1, 2)
        longer = parts[at : at + 2 * shorter.size].reshape(-1, 2) + np.repeat(shorter, 2, axis=0)
        found.append(longer.ravel())
        at += longer.size
    return np.concatenate(found)


def _of_parts(slopes: Floats) -> Floats:
    """Return the slopes for the parts of contexts, from those for whole contexts."""
    found = slopes.copy()
    size = (len(found) + 2) // 2
    while size > 2:
        longer = found[size - 2 : 2 * size - 2].reshape(-1, 2, 2)
        found[size // 2 - 2 : size - 2] += longer.sum(axis=1).ravel()
        size //= 2
    return np.asarray(found[2:])


NORMALISATIONS = ("global", "local")
RANKED_BY = ("posterior", "cost", "prediction")
MOST_ORDER = 3
L2 = Option("l2", 1.0, kind="number", low=0.0, above=True)
_OPTIONS = (
    Option("order", 0, kind="whole", low=0, high=MOST_ORDER),
    Option("links", False, kind="bool"),
    Option("normalisation", "global", NORMALISATIONS),
    L2,
)


@dataclass(eq=False, repr=False)
class LabelChain(Saved):
    """Labels of utterances, 1 (chosen) or 0: learnt from extracts, used to rank utterances.

    Features are standardised with the mean and the standard deviation in training. Label 1 of an
    utterance has the log potential bias + weights · features; to it come the potentials of its
    label with those before it (for one before, for two, up to `order`, as far as there are so
    many), and of its label with that of the utterance that it answers. With global normalisation
    the probability of a labelling is proportional to the exponential of the sum over the document
    (a conditional random field). With local normalisation each label has a probability given those
    that it depends on, and the probability of a labelling is their product.

    Sums and maxima over labellings are exact if, going through the document, at most 12 labels are
    needed at a time: the last ones and those that later links go to. Otherwise some links are cut,
    and their ends exchange messages (loopy belief propagation); training is then by Bethe's
    approximation of the likelihood.

    Parameters
    ----------
    order : int
        The number of labels before an utterance's own that its label depends on, 0 to 3. Order 0
        without links is logistic regression.
    links : bool
        Whether it also depends on the label of the earlier utterance that it answers.
    normalisation : {"global", "local"}
    l2 : float
        The penalty: half of it times the sum of the squared weights, and it times the sum of the
        squared potentials of labels, are subtracted from the log likelihood, which is summed over
        documents and annotators. The bias has no penalty.

    Examples
    --------
    >>> features = [[[0.0], [1.0], [2.0], [3.0]]]
    >>> model = LabelChain().fit(features, [[[0, 0, 1, 1], [0, 1, 0, 1]]])
    >>> model.rank(features[0]).round(3).tolist()
    [0.215, 0.394, 0.606, 0.785]
    """

    kind: ClassVar[str] = "label chain"
    order: int = 0
    links: bool = False
    normalisation: str = "global"
    l2: float = 1.0

    def __post_init__(self) -> None:
        vars(self).update(checked(_OPTIONS, vars(self)))
        self._weights: Weights | None = None
        self._inference = "exact"

    @property
    def _options(self) -> dict[str, Any]:
        return {option.name: getattr(self, option.name) for option in _OPTIONS}

    @property
    def inference(self) -> str:
        """How the last call of `fit` or `rank` computed: "exact" or "loopy"."""
        return self._inference

    @property
    def weights(self) -> Weights:
        """The weights and potentials; a ValueError before training."""
        if self._weights is None:
            raise ValueError("the model is not trained; call fit or load one")
        return self._weights

    def fit(
        self,
        features: Sequence[ArrayLike],
        labels: Sequence[Sequence[ArrayLike]],
        links: Sequence[ArrayLike | None] | None = None,
    ) -> LabelChain:
        """Learn from documents; return the model.

        Parameters
        ----------
        features : for each document an array [utterance, feature]
        labels : for each document a list of arrays [utterance]
            One for each annotator: 1 for a chosen utterance, 0 for another.
        links : for each document an array [link, 2], optional
            The numbers of an utterance and of the earlier one that it answers; at most one link
            for each utterance. Not read by a model without links.

        Raises
        ------
        ValueError
            For numbers that are not finite, arrays that do not fit each other, and labels that are
            all the same; the message names the document.
        """
        documents = read_documents(features, labels, links, self.order)
        self._weights, exact = train(documents, **self._options)
        self._inference = "exact" if exact else "loopy"
        return self

    def rank(
        self, features: ArrayLike, links: ArrayLike | None = None, by: str = "posterior"
    ) -> Floats:
        """Return the score of each utterance of a document, array [utterance]; higher is better.

        Parameters
        ----------
        features : array [utterance, feature]
        links : array [link, 2], optional
            As of `fit`.
        by : {"posterior", "cost", "prediction"}
            The probability that an utterance is chosen; the log potential of the best labelling in
            which it is chosen minus that of the best in which it is not; or 1 where the latter is
            positive, else 0.

        Raises
        ------
        ValueError
            Before training, and for features and links that `fit` refuses.
        """
        from scipy.special import expit

        check_choice("by", by, RANKED_BY)
        weights = self.weights
        table = read_table(features, "the document", len(weights.centre))
        parents = read_links(links if self.links else None, len(table), "the document")
        scores = weights.scores(table)
        self._inference = "exact"
        if self.order or (parents >= 0).any():
            chains = Chains(np.array([0, len(table)]), parents, self.order)
            infer = chains.marginals if by == "posterior" else chains.margins
            local = self.normalisation == "local"
            scores = infer(scores, whole_contexts(weights.contexts), weights.link, local)
            self._inference = "loopy" if chains.loopy else "exact"
        if by == "posterior":
            return np.asarray(expit(scores))
        return np.asarray(scores if by == "cost" else scores > 0, dtype=np.float64)

    def kept(self) -> tuple[dict[str, Any], Mapping[str, AnyArray]]:
        """The options, and the arrays of the weights; `restored` makes the model from them."""
        return self._options, self.weights._asdict()

    @classmethod
    def restored(cls, content: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> LabelChain:
        """Return the model that `kept` gave.

        Raises
        ------
        KeyError, TypeError, ValueError
            For other content than that of `kept`.
        """
        model = cls(*(content[option.name] for option in _OPTIONS))
        model._weights = _weights_of(arrays, model.order)
        return model

    @classmethod
    def load(cls, path: str | PathLike[str]) -> LabelChain:
        """Read a model that `save` wrote.

        Raises
        ------
        OSError, ValueError
            For a file that cannot be read, or is no model of this kind.
        """
        content, arrays = load_model(path, cls.kind)
        with restoring(path, "labels"):
            return cls.restored(content, arrays)


def _weights_of(arrays: Mapping[str, AnyArray], order: int) -> Weights:
    found = Weights(*(np.array(arrays[name], dtype=np.float64) for name in Weights._fields))
    size = len(found.features)
    sizes = (size, size, size, 1, (4 << order) - 4, 4)
    for (name, array), wanted in zip(found._asdict().items(), sizes, strict=True):
        least = LEAST_SCALE if name == "scale" else -np.inf
        if array.shape != (wanted,) or not (np.isfinite(array) & (array >= least)).all():
            raise ValueError(f"its array {name} is damaged")
    return found
